"""`train`, `tune` and `predict` with run folders, on real readers and the carried corpus."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("transformers", reason="the extra train is not installed")

from tests.encoders.tiny import tiny_encoder
from tests.typed import Said, World, json_table, lines

from anagnosis.cli import run
from anagnosis.datasets.folder import store

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
        assert [Path(each["folder"]).name for each in runs] == ["seed-0", "seed-1"]
        assert all(each["finished"] and each["train"]["rows"] == 20 for each in runs)
        assert json.loads((tmp_path / "as" / "seeds.json").read_text())["seeds"] == [0, 1]

    def test_the_same_line_again_trains_nothing_and_another_recipe_needs_replace(
        self, said: Said, world: World, trained: Path, tmp_path: Path
    ) -> None:
        weights = (trained / "model.safetensors").stat()
        said(*train("attention-sum", world.dataset, trained))
        assert (trained / "model.safetensors").stat() == weights
        words = train("attention-sum", world.dataset, trained, "--set", "seed=9")
        assert "holds another training, of another seed" in said(*words, code=2)

    def test_an_encoder_is_a_folder_and_its_vectors_are_kept_beside_the_runs(
        self, said: Said, world: World, encoder: Path, tmp_path: Path
    ) -> None:
        for name in ("max", "sum"):
            recipe = f"biomrc-masked-encoder-{name}"
            words = ["train", recipe, "--data", world.dataset, "--out", tmp_path / "runs" / name]
            said(*words, "--encoder", encoder, "--set", "epochs=1", "--limit", 8)
        kept = list((tmp_path / "runs" / ".kept").iterdir())
        assert [path.name.partition("-")[0] for path in kept] == ["pairs"] * 4  # of train and dev, for both
        said(
            *words[:-1], tmp_path / "elsewhere", "--encoder", encoder, "--kept", tmp_path / "k", "--limit", 8
        )
        assert (tmp_path / "k").is_dir()

    def test_ctrl_c_and_the_same_line_again_end_in_the_same_weights(
        self, world: World, tmp_path: Path
    ) -> None:
        words = ["gated-attention", world.dataset, tmp_path / "cut"]
        longer = ("--set", "epochs=3", "--set", "stop=epochs", "--limit", 40)
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

    def test_a_report_takes_run_folders_and_files_alike(
        self, said: Said, world: World, trained: Path, tmp_path: Path
    ) -> None:
        said("predict", trained, world.dataset, "--out", tmp_path / "file.jsonl")
        out = said("report", world.dataset, world["BASE4"], trained, tmp_path / "file.jsonl", "--json")
        rows = {row["system"]: row for row in json_table(out, "Accuracy of all systems")}
        assert list(rows) == ["BASE4", "as", "file"]
        assert rows["as"]["test accuracy (%)"] == rows["file"]["test accuracy (%)"]
        for column in ("training time", "parameters"):
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

    def test_several_seeds_are_one_system_by_the_lines_that_are_printed(
        self, said: Said, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        text = said(*train("attention-sum", world.dataset, tmp_path / "as", "--seeds", 2, "--limit", 20))
        predict, report = next_lines(text)
        text = said(*predict)
        rows = len(lines(Path("predictions/seed-0.jsonl")))
        assert f"wrote predictions ({2 * rows:,} lines in 2 files)" in text
        assert sorted(path.name for path in Path("predictions").iterdir()) == [
            f"seed-{seed}{ending}" for seed in (0, 1) for ending in (".jsonl", ".run.json")
        ]
        (score,) = next_lines(text)
        (row,) = json_table(said(*score, "--json"), "Accuracy of all systems")
        assert row["system"] == "predictions"
        own = json_table(said("score", world.dataset, tmp_path / "as", "--json"), "Accuracy of all systems")
        assert {**row, "system": "as"} == own[0]
        said(*report)
        assert "holds predictions already; choose another --out, or give --replace" in said(*predict, code=2)
        said(*predict, "--replace")
        for file in ("one.jsonl", "one.jsonl.zst", "one.json"):
            written = said(*predict[:-1], file, code=2)
            assert f"{file}: names a file, and 2 models give 2; name a folder" in written
        Path("predictions/mine.txt").touch()
        assert "mine.txt" in said(*predict, "--replace", code=2)
        out = said("score", world.dataset, tmp_path / "as", "--json")
        (row,) = json_table(out, "Accuracy of all systems")
        assert row["system"] == "as"


def next_lines(text: str) -> list[list[str]]:
    """The commands that a text names as next, without the program's name."""
    return [shlex.split(line)[2:] for line in text.splitlines() if line.startswith("  next: anagnosis ")]


class TestTune:
    def test_a_search_goes_on_where_it_was(self, said: Said, world: World, tmp_path: Path) -> None:
        (tmp_path / "mine.toml").write_text(
            'reader = "attention-sum"\nembedding = 4\nepochs = 1\n[tune]\nhidden = [2, 5, 9]\n'
        )
        words = ["tune", tmp_path / "mine.toml", "--data", world.dataset, "--out", tmp_path / "search"]
        first = said(*words, "--trials", 1, "--limit", 20)
        both = said(*words, "--trials", 2, "--limit", 20)
        assert re.findall(r"^trial (\d)", both, re.MULTILINE) == ["0", "1"]
        assert first.splitlines()[0].removesuffix("  best") in both
        assert both.count("  best\n") == 1
        recipe = (tmp_path / "search" / "best.toml").read_text()
        assert re.search(r"^hidden = [259]$", recipe, re.MULTILINE)
        said("train", tmp_path / "search" / "best.toml", "--data", world.dataset, "--out", tmp_path / "best")


# --- what a user gives wrong ------------------------------------------------------------------------
