"""The real lm-evaluation-harness runs an exported folder as it is, and its samples are scored as it scored them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.decisions import rows, written
from tests.typed import Said, World

from anagnosis import api
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_views import VIEWS
from anagnosis.predictions import match_files

pytestmark = pytest.mark.slow
ODD = 'id "with"\n{{ choices }} \u2028 ümläut 🙂'
TEST, DEV = 24, 4


def make_model(folder: Path, texts: Sequence[str]) -> Path:
    """A GPT-2 of one layer with random weights, whose 1,000 pieces are those of the texts."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast, set_seed

    end = "<|endoftext|>"
    pieces = Tokenizer(models.BPE())
    pieces.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    pieces.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=1000,
        special_tokens=[end],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    pieces.train_from_iterator(texts, trainer)
    PreTrainedTokenizerFast(tokenizer_object=pieces, eos_token=end, bos_token=end).save_pretrained(folder)
    set_seed(3)
    config = GPT2Config(
        vocab_size=pieces.get_vocab_size(),
        n_positions=2048,
        n_embd=32,
        n_layer=1,
        n_head=2,
        initializer_range=0.5,
        bos_token_id=0,
        eos_token_id=0,
    )
    GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


@dataclass(frozen=True)
class Runs:
    """dataset: its test part is whole; dev holds an odd id and an instance without an answer.

    told: task → what lm-eval printed of it. logs: task → its samples.
    """

    dataset: Dataset
    told: dict[str, dict[str, Any]]
    logs: dict[str, Path]


@pytest.fixture(scope="module")
def runs(world: World, tmp_path_factory: pytest.TempPathFactory) -> Runs:
    pytest.importorskip("lm_eval", reason='lm-eval is not installed: pip install "anagnosis[lm-eval]"')
    at = tmp_path_factory.mktemp("lm_eval")
    built = store.load(world.dataset)
    dev = list(store.instances(built, "dev"))[:DEV]
    dev[0] = msgspec.structs.replace(dev[0], id=ODD)
    dev[1] = msgspec.structs.replace(dev[1], answer=None)
    splits = {"train": list(store.instances(built, "train"))[:9], "dev": dev, "test": world.instances[:TEST]}
    dataset = writing.write(at / "built", splits, built.recipe)
    for name in VIEWS:
        api.export(dataset, at / "tasks" / name, layout="lm-eval", view=name)
    # As it is, wherever it lies.
    tasks = (at / "tasks").rename(at / "moved")
    model = make_model(at / "tiny", [instance.passage for instance in world.instances])
    wanted = [f"anagnosis_biomrc_{name}_test" for name in VIEWS] + ["anagnosis_biomrc_names_dev"]
    plain = run(tasks, model, wanted, at / "plain")
    told = json.loads(next(plain.glob("results_*.json")).read_text())["results"]
    logs = {task: next(plain.glob(f"samples_{task}_2*.jsonl")) for task in wanted}
    return Runs(dataset, told, logs)


def run(tasks: Path, model: Path, wanted: list[str], out: Path) -> Path:
    """The folder that lm-eval wrote for the model."""
    command = [
        sys.executable,
        "-m",
        "lm_eval",
        "--model",
        "hf",
        "--device",
        "cpu",
        "--batch_size",
        "8",
    ]
    command += ["--model_args", f"pretrained={model},dtype=float32", "--include_path", str(tasks)]
    command += ["--tasks", ",".join(wanted), "--output_path", str(out), "--log_samples"]
    ended = subprocess.run(command, cwd=model, env=os.environ, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    (folder,) = out.iterdir()
    return folder


def lines(path: Path) -> list[dict[str, Any]]:
    """An id may hold a sign that `splitlines` takes for a line's end."""
    return [json.loads(line) for line in path.read_text("utf-8").split("\n")[:-1]]


def accuracy(said: Said, dataset: Dataset, log: Path, *options: str) -> tuple[str, float]:
    """The name of the one system that `score` tells of, and its accuracy."""
    (system,) = json.loads(said("score", dataset.folder, log, *options, "--json"))["systems"]
    return system["name"], system["measures"]["accuracy"]["value"]


@pytest.mark.parametrize("name", VIEWS)
def test_our_accuracy_is_lm_evals(name: str, runs: Runs, said: Said) -> None:
    task = f"anagnosis_biomrc_{name}_test"
    for protocol in ("answer", "expected"):
        options = ("--view", name, "--protocol", protocol)
        called, value = accuracy(said, runs.dataset, runs.logs[task], *options)
        assert task in called
        assert value == pytest.approx(runs.told[task]["acc,none"], abs=1e-12)
    gold, (found,) = match_files([runs.logs[task]], runs.dataset)
    assert (found.choice == gold.answer).tolist() == [line["acc"] == 1.0 for line in lines(runs.logs[task])]


def test_the_prompt_shows_passage_question_with_a_blank_and_candidates(runs: Runs) -> None:
    sample = lines(runs.logs["anagnosis_biomrc_names_test"])[0]
    doc = sample["doc"]
    first = sample["arguments"]["gen_args_0"]
    assert first["arg_0"] == (
        f"Passage: {doc['passage']}\n\nQuestion: {doc['question']}\n\n"
        f"Candidates: {'; '.join(doc['choices'])}\n\nWhich candidate stands in the blank?\nAnswer:"
    )
    assert first["arg_1"] == f" {doc['choices'][0]}"
    assert "____" in doc["question"]


def test_odd_ids_and_withheld_answers_come_through(runs: Runs, said: Said) -> None:
    log = runs.logs["anagnosis_biomrc_names_dev"]
    assert [line["doc"]["id"] for line in lines(log)].count(ODD) == 1
    gold, (found,) = match_files([log], runs.dataset)
    assert found.problems == {}
    # lm-eval counts a withheld answer as wrong; here it does not count.
    right = [line["acc"] for line in lines(log)]
    assert [line["doc"]["gold"] for line in lines(log)].count(-1) == 1
    assert (gold.answer == -1).tolist() == [line["doc"]["gold"] == -1 for line in lines(log)]
    _, value = accuracy(said, runs.dataset, log)
    assert value == pytest.approx(sum(right) / (DEV - 1), abs=1e-12)


def test_decisions_are_asked_and_scored_too(tmp_path: Path, said: Said) -> None:
    """As lm-eval's own pubmedqa; its log is a predictions file with a view and all three scores."""
    pytest.importorskip("lm_eval", reason='lm-eval is not installed: pip install "anagnosis[lm-eval]"')
    built = api.import_dataset(
        written(tmp_path / "ori_pqal.json", rows()), tmp_path / "built", layout="pubmedqa"
    )
    api.export(built, tmp_path / "tasks", layout="lm-eval", view="reasoning-required")
    found = list(store.instances(built, "test"))
    model = make_model(tmp_path / "tiny", [section.text for each in found for section in each.context])
    task = "anagnosis_pubmedqa_reasoning-required_test"
    out = run(tmp_path / "tasks", model, [task], tmp_path / "out")
    log = next(out.glob("samples_*.jsonl"))
    prompt = lines(log)[0]["arguments"]["gen_args_0"]["arg_0"]
    assert prompt.count("Abstract: ") == 1
    assert prompt.endswith(f"Question: {found[0].question}\nAnswer:")
    told = json.loads(next(out.glob("results_*.json")).read_text())["results"][task]["acc,none"]
    called, value = accuracy(said, built, log)
    assert task in called
    assert value == pytest.approx(told, abs=1e-12)
