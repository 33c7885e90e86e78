"""What a user gives for a system: files, several runs under a name, folders of trained runs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from tests.api.systems import answers, said, tables

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.io.files import sha256, write_json
from anagnosis.predictions import notes
from anagnosis.predictions.notes import Note, TrainingNote

NOTE = TrainingNote(epochs=5, seconds=41.0, parameters=12_872_800)


pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture
def runs(dataset: Dataset) -> str:
    """Two runs of one system, right on 31 of 62 questions of test and on 0."""
    answers(dataset, "own-0.jsonl", right=range(31))
    answers(dataset, "own-1.jsonl")
    return "own=own-0.jsonl,own-1.jsonl"


@pytest.fixture
def trained(dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Stands for the readers that learn: a run answers the first `right` questions of its run.json; gives its calls."""
    calls: list[tuple[str, str]] = []

    def kept_predictions(folder: Path, dataset: Dataset, split: str, *, kept: Path) -> Path:
        path = folder / "predictions" / f"{split}.jsonl"
        calls.append((folder.name, split))
        if not path.exists():
            right = range(json.loads((folder / "run.json").read_text())["right"])
            answers(dataset, path, right, split=split)
        return path

    fake = ModuleType("anagnosis.training.runs.predicting")
    fake.kept_predictions = kept_predictions  # pyright: ignore[reportAttributeAccessIssue]
    monkeypatch.setitem(sys.modules, fake.__name__, fake)
    return calls


def folder(path: str, **facts: Any) -> None:
    Path(path).mkdir(parents=True)
    part = {"dataset": "biomrc", "split": "train", "fingerprint": "", "digest": "", "rows": 1}
    whole = {
        "version": "0",
        "view": "local",
        "train": part,
        "dev": None,
        "device": "cpu",
        "precision": "float32",
    }
    np.save(Path(path) / "trained_on.npy", np.zeros(0, np.uint64))
    files = {"trained_on.npy": sha256(Path(path) / "trained_on.npy")}
    write_json(Path(path) / "run.json", {"reader": "attention-sum", "files": files, **whole, **facts})


def test_runs_under_one_name_are_one_system_with_their_mean(dataset: Dataset, runs: str) -> None:
    (found,) = api.score(dataset, [runs]).on("test")
    assert (found.name, found.estimate.value, found.estimate.runs) == ("own", 0.25, (0.5, 0))
    base = answers(dataset, "base.jsonl", right=range(5))
    compared = api.compare(dataset, [base, runs], draws=99)
    assert [(ranked.name, len(ranked.estimate.runs)) for ranked in compared.comparisons[0].ranking] == [
        ("own", 2),
        ("base", 1),
    ]
    (counts,) = tables(api.report(api.score(dataset, [runs])))["Counts on test"]
    assert (counts["runs"], counts["deviation (points)"]) == (2, pytest.approx(0.354, abs=1e-3))
    # A half on 31 questions, against 1 on five of them: 26 halves won, 5 halves lost.
    assert compared.comparisons[0].against_next[0].difference == pytest.approx((26 - 5) / 2 / 62)


def test_a_path_that_exists_is_a_path_whatever_signs_are_in_it(dataset: Dataset) -> None:
    Path("lr=1").mkdir()
    names = ["a=b.jsonl", "c,d.jsonl", "a=b,c.jsonl", "lr=1/e=f.jsonl"]
    for name in names:
        answers(dataset, name, right=range(31))
    found = api.score(dataset, names).on("test")
    assert [score.name for score in found] == ["a=b", "c,d", "a=b,c", "e=f"]
    with pytest.raises(InputError, match=r"^g\.jsonl: no such file"):
        api.score(dataset, ["lr=1/g.jsonl"])
    with pytest.raises(InputError, match="own=x"):
        api.score(dataset, [Path("own=x.jsonl")])


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["=own-0.jsonl"], "=own-0.jsonl: no name, or an empty file name; write NAME=FILE,FILE,…"),
        (["own="], "own=: no name, or an empty file name"),
        (["own=own-0.jsonl,,own-1.jsonl"], "or an empty file name"),
        (["own=own-0.jsonl,own-9.jsonl"], "own-9.jsonl: no such file"),
        (["own=own-0.jsonl,./own-0.jsonl"], "the same run twice"),
        (["own=own-0.jsonl", "own=./own-0.jsonl"], "the same run twice"),
        (
            ["own@local=own-0.jsonl", "own=own-1.jsonl"],
            "two systems are called 'own'; rename one, or name one v",
        ),
        (["own-0=own-1.jsonl", "own-0.jsonl"], "two systems are called 'own-0'"),
        (
            ["own=own-0.jsonl,dev.jsonl"],
            r"the runs of own are of different splits \(own-0.jsonl: test; dev.jsonl: dev\)",
        ),
        (
            ["own=part-0.jsonl,part-1.jsonl"],
            r"^own: its 2 files do not answer the same ids .* part-1\); .*join",
        ),
        (["empty"], "empty: a folder without run.json or seed-0/run.json"),
        (["own=empty"], "empty: a folder without run.json"),
        (["own=people.jsonl"], "people.jsonl: it holds the answers of 2 annotators"),
    ],
)
def test_what_is_no_system_is_told_in_a_line(
    given: list[str], told: str, dataset: Dataset, runs: str
) -> None:
    answers(dataset, "dev.jsonl", split="dev")
    Path("empty").mkdir()
    lines = Path("own-0.jsonl").read_text().splitlines()
    for number, half in enumerate((lines[:31], lines[31:])):
        Path(f"part-{number}.jsonl").write_text("\n".join(half))
    people = [{**json.loads(line), "annotator": f"{number}"} for number, line in enumerate(lines[:2])]
    Path("people.jsonl").write_text("\n".join(map(json.dumps, people)))
    for verb in (api.score, api.evaluate, api.compare):
        with pytest.raises(InputError, match=told) as caught:
            verb(dataset, given)
        assert "\n" not in str(caught.value)


class TestRunFolders:
    def test_one_run_is_called_as_its_folder_and_shown_on_all_splits(
        self, dataset: Dataset, trained: list[tuple[str, str]]
    ) -> None:
        folder("runs/as", right=31, epochs=5, seconds=41.3, parameters=12_872_800)
        base = answers(dataset, "base.jsonl")
        made = api.report(api.evaluate(dataset, [base, "runs/as/"], draws=99))
        rows = tables(made)["Accuracy of all systems"]
        assert [row["system"] for row in rows] == ["base", "as"]
        assert rows[1]["test accuracy (%)"].value == 0.5
        assert rows[1]["train accuracy (%)"].value == pytest.approx(31 / 121)
        assert rows[1]["dev accuracy (%)"].value == pytest.approx(31 / 36)
        assert rows[1]["training time"] == "5\u00a0×\u00a041\u00a0s"
        assert rows[1]["parameters"] == 12_872_800
        assert rows[0]["dev accuracy (%)"] is None
        assert rows[0]["parameters"] is None
        assert tables(made)["Ranking"][0]["system"] == "as"
        assert sorted(split for _, split in trained) == ["dev", "test", "train"]

    def test_a_run_may_answer_with_what_is_no_candidate(
        self, dataset: Dataset, trained: list[tuple[str, str]]
    ) -> None:
        folder("as", right=0)
        Path("as/predictions").mkdir()
        ids = [instance.id for instance in store.instances(dataset, "test")]
        Path("as/predictions/test.jsonl").write_text(
            "".join(json.dumps({"id": ident, "answer": "tea"}) + "\n" for ident in ids)
        )
        (found,) = api.score(dataset, ["as"]).on("test")
        assert found.problems["unmapped"].count == len(ids)

    def test_seeds_are_the_runs_of_one_system(self, dataset: Dataset, trained: list[tuple[str, str]]) -> None:
        for seed, right in ((10, 0), (2, 31), (0, 62)):
            folder(
                f"runs/max/seed-{seed}", right=right, epochs=3 + seed, seconds=10.0 * (1 + seed), parameters=7
            )
        Path("runs/max/seed-x").mkdir()
        (found,) = api.score(dataset, ["runs/max"]).on("test")
        assert (found.name, found.estimate.runs) == ("max", (1, 0.5, 0))
        assert trained == [("seed-0", "test"), ("seed-2", "test"), ("seed-10", "test")]
        (row,) = tables(api.report(api.score(dataset, ["runs/max"])))["Accuracy of all systems"]
        assert row["training time"] == "7\u00a0×\u00a050\u00a0s"
        assert row["parameters"] == 7

    def test_score_and_compare_take_the_split_asked_for_or_test(
        self, dataset: Dataset, trained: list[tuple[str, str]]
    ) -> None:
        for name, right in (("runs/a", 5), ("runs/b", 20)):
            folder(name, right=right)
        assert [one.split for one in api.score(dataset, ["runs/a"], split="dev").systems] == ["dev"]
        (compared,) = api.compare(dataset, ["runs/a", "runs/b"], draws=99).comparisons
        assert [one.name for one in compared.ranking] == ["b", "a"]
        assert trained == [("a", "dev"), ("a", "test"), ("b", "test")]
        (compared,) = api.compare(dataset, ["runs/a", "runs/b"], draws=99, split="dev").comparisons
        assert "|split:dev|" in compared.signature

    def test_a_name_for_folders_and_files_together(
        self, dataset: Dataset, trained: list[tuple[str, str]], runs: str
    ) -> None:
        folder("as", right=62)
        (found,) = api.score(dataset, [f"{runs},as"]).on("test")
        assert found.estimate.runs == (0.5, 0, 1)
        (named,) = api.score(dataset, ["mine=as"]).on("test")
        assert named.name == "mine"
        with pytest.raises(InputError, match="the runs of own are of different splits"):
            api.report(api.evaluate(dataset, [f"{runs},as"]))
        assert "own" in said(api.report(api.evaluate(dataset, [f"{runs},as"], split="test")))


def test_seeds_trained_on_more_and_more_instances_are_a_curve_from_runs_and_from_predictions(
    dataset: Dataset,
) -> None:
    pytest.importorskip("torch")
    for size in (10, 20):
        settings = {"epochs": 1, "hidden": 8}
        api.train("attention-sum", dataset, f"runs/{size}", settings=settings, seeds=2, limit=size)
        for seed in (0, 1):
            api.predict(f"runs/{size}/seed-{seed}", dataset, f"{size}-{seed}.jsonl", split="test")
    files = [f"{size}={size}-0.jsonl,{size}-1.jsonl" for size in (10, 20)]
    of_runs, of_files = (
        tables(api.report(api.score(dataset, given)))["Accuracy by training size on test, the numbers"]
        for given in (["runs/10", "runs/20"], files)
    )
    assert of_runs == of_files
    assert [(row["reader"], row["training instances"], row["runs"]) for row in of_runs] == [
        ("attention-sum", 10, 2),
        ("attention-sum", 20, 2),
    ]
    assert of_runs[0]["mean accuracy"] == pytest.approx((of_runs[0]["run 1"] + of_runs[0]["run 2"]) / 2)


class TestNotes:
    def test_training_columns_come_from_the_notes_beside_the_files(self, dataset: Dataset, runs: str) -> None:
        notes.write("own-0.jsonl", Note(training=NOTE))
        notes.write("own-1.jsonl", Note(training=TrainingNote(6, 43.0, 12_872_800)))
        for given in ([runs], [runs, answers(dataset, "base.jsonl")]):
            row = tables(api.report(api.evaluate(dataset, given, draws=99)))["Accuracy of all systems"][0]
            assert row["training time"] == "6\u00a0×\u00a042\u00a0s"
            assert row["parameters"] == 12_872_800
        (alone,) = tables(api.report(api.score(dataset, ["own-0.jsonl"])))["Accuracy of all systems"]
        assert alone["training time"] == "5\u00a0×\u00a041\u00a0s"

    def test_a_note_of_other_predictions_is_left_out_and_told(self, dataset: Dataset, runs: str) -> None:
        notes.write("own-0.jsonl", Note(training=NOTE))
        notes.write("own-1.jsonl", Note(training=NOTE))
        answers(dataset, "own-1.jsonl", right=range(3))
        made = api.report(api.evaluate(dataset, [runs]))
        assert tables(made)["Accuracy of all systems"][0]["training time"] is None
        told = "The training of own is not shown: own-1.run.json: it was written for other predictions"
        assert said(made).count(told) == 1
