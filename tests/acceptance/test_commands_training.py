"""`train`, `tune` and `predict` with run folders, on real readers and the carried corpus."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

pytest.importorskip("transformers", reason="the extra train is not installed")

from tests.encoders.tiny import tiny_encoder
from tests.typed import Said, World, json_table, lines

from anagnosis import api
from anagnosis.cli import run
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention

SMALL = ("--set", "embedding=4", "--set", "hidden=4", "--set", "epochs=2", "--threads", "1")


@pytest.fixture(scope="module")
def trained(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    at = tmp_path_factory.mktemp("trained") / "as"
    assert run(["-q", *train("attention-sum", world.dataset, at)]) == 0
    return at


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("encoder") / "tiny", limit=128)


def train(recipe: object, dataset: Path, out: Path, *words: object) -> list[str]:
    return [str(word) for word in ("train", recipe, "--data", dataset, "--out", out, *SMALL, *words)]


class TestTrain:
    def test_it_says_what_came_and_what_to_do_next(self, said: Said, world: World, tmp_path: Path) -> None:
        out = said(*train("biomrc-attention-sum-local", world.dataset, tmp_path / "as", "--limit", 40))
        assert re.search(
            r"^as: 2 epochs of [\d.]+ s(, epoch 1 kept)?, dev accuracy \d+\.\d\d %, [\d,]+ parameters", out
        )
        assert re.search(
            r"^  without learning: chance \d+\.\d\d %, \S+ \d+\.\d\d % \(the best of 5\)", out, re.M
        )
        assert f"next: anagnosis predict {tmp_path}/as {world.dataset} --split test" in out
        assert {path.name for path in (tmp_path / "as").iterdir()} >= {
            "recipe.toml",
            "run.json",
            "history.jsonl",
            "model.safetensors",
        }

    def test_json_tells_the_facts_of_every_run(self, said: Said, world: World, tmp_path: Path) -> None:
        words = train("attention-sum", world.dataset, tmp_path / "as", "--seeds", 2, "--json", "--limit", 20)
        found = json.loads(said(*words))
        runs = found["runs"]
        assert found["mean"] == pytest.approx(sum(each["dev_accuracy"] for each in runs) / 2)
        levels = found["levels"]
        assert [*levels][:2] == ["chance", "first-entity"]
        assert all(run["levels"] == pytest.approx(levels) for run in runs)
        assert found["not_above"] == [name for name in levels if found["mean"] <= levels[name]]
        assert runs[0]["not_above"] == [n for n in levels if runs[0]["dev_accuracy"] <= levels[n]]
        assert [Path(each["folder"]).name for each in runs] == ["seed-0", "seed-1"]
        assert all(each["finished"] and each["train"]["rows"] == 20 for each in runs)
        assert json.loads((tmp_path / "as" / "seeds.json").read_text())["seeds"] == [0, 1]

    def test_it_is_judged_on_the_dev_part_of_another_dataset(
        self, said: Said, world: World, tmp_path: Path
    ) -> None:
        small = api.sample(world.dataset, tmp_path / "s", settings={"train": 10, "dev": 3, "test": 5})
        words = train("attention-sum", world.dataset, tmp_path / "as", "--dev", small.folder, "--json")
        ((facts),) = json.loads(said(*words))["runs"]
        assert facts["dev"]["rows"] == 3

    def test_the_same_line_again_trains_nothing_and_another_recipe_needs_replace(
        self, said: Said, world: World, trained: Path, tmp_path: Path
    ) -> None:
        weights = (trained / "model.safetensors").stat()
        said(*train("attention-sum", world.dataset, trained))
        assert (trained / "model.safetensors").stat() == weights
        words = train("attention-sum", world.dataset, trained, "--set", "seed=9")
        assert "holds another training (seed is 0 there and 9 here)" in said(*words, code=2)

    def test_an_encoder_is_a_folder_and_its_vectors_are_kept_beside_the_runs(
        self, said: Said, world: World, encoder: Path, tmp_path: Path
    ) -> None:
        for name in ("max", "sum"):
            recipe = f"biomrc-masked-encoder-{name}"
            words = ["train", recipe, "--data", world.dataset, "--out", tmp_path / "runs" / name]
            said(*words, "--encoder", encoder, "--set", "epochs=1", "--limit", 8)
        kept = list((tmp_path / "runs" / ".kept").iterdir())
        assert [path.name.partition("-")[0] for path in kept] == ["pairs"]
        said(
            *words[:-1], tmp_path / "elsewhere", "--encoder", encoder, "--kept", tmp_path / "k", "--limit", 8
        )
        assert (tmp_path / "k").is_dir()

    def test_a_start_that_failed_takes_no_folder(self, said: Said, world: World, tmp_path: Path) -> None:
        words = train("attention-sum", world.dataset, tmp_path / "as", "--limit", 9)
        assert "none.bin" in said(*words, "--set", "vectors=none.bin", code=2)
        said(*words)

    def test_ctrl_c_and_the_same_line_again_end_in_the_same_weights(
        self, world: World, tmp_path: Path
    ) -> None:
        words = ["gated-attention", world.dataset, tmp_path / "cut"]
        longer = ("--set", "epochs=5", "--set", "stop=epochs", "--set", "hidden=16", "--limit", 60)
        child = subprocess.Popen(
            [sys.executable, "-m", "anagnosis", *train(*words, *longer)], stderr=subprocess.PIPE, text=True
        )
        deadline = time.monotonic() + 60
        while not (tmp_path / "cut" / "history.jsonl").exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        child.send_signal(signal.SIGINT)
        _, told = child.communicate(timeout=60)
        assert (child.returncode, "Traceback" in told) == (130, False), told
        assert not (tmp_path / "cut" / "model.safetensors").exists()
        assert run(["-q", *train(*words, *longer)]) == 0
        assert run(["-q", *train(words[0], world.dataset, tmp_path / "whole", *longer)]) == 0
        weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("cut", "whole")]
        assert weights[0] == weights[1]


class TestPredict:
    def test_a_run_folder_gives_a_line_an_instance_and_a_note(
        self, said: Said, world: World, trained: Path, tmp_path: Path
    ) -> None:
        out = said("predict", trained, world.dataset, "--split", "dev", "--out", tmp_path / "as.jsonl")
        assert "(36 lines)" in out
        found = lines(tmp_path / "as.jsonl")
        dev = list(store.instances(store.load(world.dataset), "dev"))
        assert [line["id"] for line in found] == [instance.id for instance in dev]
        assert list(found[0]["scores"]) == [candidate.key for candidate in dev[0].candidates]
        note = json.loads((tmp_path / "as.run.json").read_text())
        assert note["training"]["parameters"] == json.loads((trained / "run.json").read_text())["parameters"]

    def test_a_note_is_that_of_the_predictions_beside_it(
        self, said: Said, world: World, trained: Path, tmp_path: Path
    ) -> None:
        out = tmp_path / "p.jsonl"
        said("predict", trained, world.dataset, "--tokens", 500, "--precision", "bfloat16", "--out", out)
        said("predict", "BASE1", world.dataset, "--replace", "--out", out)
        assert "training" not in json.loads((tmp_path / "p.run.json").read_text("utf-8"))

    def test_the_accuracy_on_dev_is_that_of_the_training(
        self, said: Said, world: World, trained: Path, tmp_path: Path
    ) -> None:
        said("predict", trained, world.dataset, "--split", "dev", "--out", tmp_path / "as.jsonl")
        (score,) = api.score(world.dataset, [tmp_path / "as.jsonl"]).on("dev")
        facts = json.loads((trained / "run.json").read_text())
        assert score.estimate.value == pytest.approx(facts["dev_accuracy"])

    def test_a_report_takes_run_folders_and_files_alike(
        self, said: Said, world: World, trained: Path, tmp_path: Path
    ) -> None:
        said("predict", trained, world.dataset, "--out", tmp_path / "file.jsonl")
        out = said("report", world.dataset, world["BASE4"], trained, tmp_path / "file.jsonl", "--json")
        rows = {row["system"]: row for row in json_table(out, "Accuracy of all systems")}
        assert list(rows) == ["BASE4", "as", "file"]
        assert rows["as"]["test accuracy (%)"] == rows["file"]["test accuracy (%)"]
        for column in ("training time", "parameters", "word embeddings", "entity embeddings"):
            assert rows["as"][column] == rows["file"][column] is not None
            assert rows["BASE4"][column] is None
        assert rows["as"]["train accuracy (%)"] is not None

    def test_a_frozen_encoder_that_has_moved_is_named(
        self, said: Said, world: World, trained: Path, encoder: Path, tmp_path: Path
    ) -> None:
        here, there = Path(shutil.copytree(encoder, tmp_path / "here")), tmp_path / "there"
        words = ["train", "biomrc-masked-encoder-max", "--data", world.dataset, "--out", tmp_path / "max"]
        said(*words, "--encoder", here, "--set", "epochs=1", "--limit", 8)
        here.rename(there)
        predict = ["predict", tmp_path / "max", world.dataset, "--limit", 3, "--out", tmp_path / "p.jsonl"]
        assert "here" in said(*predict, code=2)
        said(*predict, "--encoder", there)
        assert len(lines(tmp_path / "p.jsonl")) == 3
        other = tiny_encoder(tmp_path / "other", seed=5)
        assert "is another one than at the training" in said(
            *predict, "--replace", "--encoder", other, code=2
        )
        words = ["predict", trained, world.dataset, "--out", tmp_path / "other.jsonl", "--encoder", there]
        assert "attention-sum was trained without an encoder" in said(*words, code=2)

    def test_several_seeds_are_one_system_and_no_single_reader(
        self, said: Said, world: World, tmp_path: Path
    ) -> None:
        said(*train("attention-sum", world.dataset, tmp_path / "as", "--seeds", 2, "--limit", 20))
        refused = said("predict", tmp_path / "as", world.dataset, "--out", tmp_path / "p", code=2)
        assert "a folder of 2 seeds; name one of them, such as" in refused
        out = said("score", world.dataset, tmp_path / "as", "--json")
        (row,) = json_table(out, "Accuracy of all systems")
        assert row["system"] == "as"


class TestTune:
    def test_a_search_goes_on_where_it_was(self, said: Said, world: World, tmp_path: Path) -> None:
        (tmp_path / "mine.toml").write_text(
            'reader = "attention-sum"\nembedding = 4\nepochs = 1\n[tune]\nhidden = {low = 2, high = 9}\n'
        )
        words = ["tune", tmp_path / "mine.toml", "--data", world.dataset, "--out", tmp_path / "search"]
        first = said(*words, "--trials", 1, "--limit", 20)
        both = said(*words, "--trials", 2, "--limit", 20)
        assert re.findall(r"^trial (\d)", both, re.MULTILINE) == ["0", "1"]
        assert first.splitlines()[0].removesuffix("  best") in both
        assert both.count("  best\n") == 1
        assert re.search(r"\n  without learning: chance \d", both), "the level stands below the trials"
        recipe = (tmp_path / "search" / "best.toml").read_text()
        assert re.search(r"^hidden = [2-9]$", recipe, re.MULTILINE)
        said("train", tmp_path / "search" / "best.toml", "--data", world.dataset, "--out", tmp_path / "best")

    def test_json_tells_the_trials(self, said: Said, world: World, tmp_path: Path) -> None:
        (tmp_path / "mine.toml").write_text(
            'reader = "attention-sum"\nepochs = 1\nhidden = 3\n[tune]\nembedding = {choice = [2, 3]}\n'
        )
        words = ["tune", tmp_path / "mine.toml", "--data", world.dataset, "--out", tmp_path / "search"]
        found = json.loads(said(*words, "--trials", 1, "--seed", 4, "--limit", 20, "--json"))
        (trial,) = found["trials"]
        assert trial["values"]["embedding"] in (2, 3)
        assert found["levels"]["chance"] > 0
        assert found["best"] == trial


# --- what a user gives wrong ------------------------------------------------------------------------


def other_weights(run_folder: Path) -> None:
    """The weights of another reader in a run folder, with a record that fits them."""
    from safetensors.torch import save_file
    from torch import zeros

    from anagnosis.io.checksums import write_checked_json
    from anagnosis.io.files import sha256

    weights = run_folder / "model.safetensors"
    save_file({"bilinear": zeros(3, 3)}, weights)
    facts = json.loads((run_folder / "run.json").read_text())
    facts["files"][weights.name] = facts["weights"] = sha256(weights)
    write_checked_json(run_folder / "run.json", facts)


def test_weights_of_another_reader_are_one_line(
    said: Said, world: World, trained: Path, tmp_path: Path
) -> None:
    copied = Path(shutil.copytree(trained, tmp_path / "copied"))
    other_weights(copied)
    told = said("predict", copied, world.dataset, "--out", tmp_path / "p", code=2)
    assert told.count("\n") == 1
    assert "copied/model.safetensors: the weights are another reader's: 20 names differ" in told
    assert not (tmp_path / "p").exists()


READERS = {"attention-sum": SMALL, "masked-encoder": ("--set", "epochs=1", "--threads", "1")}


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_answers_what_it_has_never_seen(
    reader: str, said: Said, world: World, encoder: Path, tmp_path: Path
) -> None:
    """A passage of 20,000 tokens, a single candidate, a candidate that training does not have: an answer each."""
    opened = store.load(world.dataset)
    some = list(store.instances(opened, "test", 3))
    long = " ".join(["Aspirin", *["word"] * 19_998, "anemia"])
    two = (
        Candidate("chemical/x", "Chemical", 900_001, ("Aspirin",)),
        Candidate("d/y", "Disease", 900_002, ("anemia",)),
    )
    far = (PassageMention(((0, 7),), 0), PassageMention(((len(long) - 6, len(long)),), 1))
    strange = [
        replaced(some[0], id="long:0", passage=long, mentions=far, candidates=two),
        replaced(
            some[1],
            id="one:0",
            passage="Aspirin alone.",
            mentions=(PassageMention(((0, 7),), 0),),
            candidates=two[:1],
        ),
    ]
    made = writing.write(tmp_path / "strange", {"test": [*some, *strange]}, opened.recipe)
    encoded = ["--encoder", encoder] if "encoder" in reader else []
    words = ["train", reader, "--data", world.dataset, "--out", tmp_path / "run", *READERS[reader], *encoded]
    said(*words, "--limit", 12)
    said("predict", tmp_path / "run", made.folder, "--out", tmp_path / "p.jsonl")
    found = {line["id"]: line for line in lines(tmp_path / "p.jsonl")}
    assert found["long:0"]["answer"] in {"chemical/x", "d/y"}
    assert found["one:0"]["answer"] == "chemical/x"
    assert len(found) == 5


def replaced(instance: ClozeInstance, **changes: Any) -> ClozeInstance:
    """An instance with another passage, asked with XXXX alone."""
    plain = {"question": "XXXX in anemia", "question_mentions": (), "answer": 0, "answers": ("Aspirin",)}
    return msgspec.structs.replace(instance, **plain, **changes)
