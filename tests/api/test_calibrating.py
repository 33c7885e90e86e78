"""Decisions of trained models: what is chosen on which questions, and what is written."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from tests.rows import each_row

pytest.importorskip("torch")

from msgspec.structs import replace as replaced
from tests.decisions import rows_apart, written

from anagnosis import api, predictions
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.datasets.pubmedqa.folds import split_of
from anagnosis.errors import InputError
from anagnosis.predictions import Prediction
from anagnosis.training.calibration import decisions

SHALLOW = {"epochs": 4, "hidden": 4, "most": 50}


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> store.Dataset:
    folder = tmp_path_factory.mktemp("labelled")
    source = written(folder / "l.json", rows_apart(110, 60, 30))
    return api.import_dataset(source, folder / "built", layout="pubmedqa")


@pytest.fixture(scope="module")
def folds(labelled: store.Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "shallow"
    api.train("pubmedqa-shallow-features", labelled, out, settings=SHALLOW, folds=3, threads=1)
    return out


def lines(path: Path) -> list[Prediction]:
    return list(predictions.read(path))


def test_every_model_decides_into_a_file_and_all_are_one_system(
    labelled: store.Dataset, folds: Path, tmp_path: Path
) -> None:
    made = api.decide(folds, labelled, tmp_path / "macro")
    assert [path.name for path in map(Path, made.files)] == ["fold-0.jsonl", "fold-1.jsonl", "fold-2.jsonl"]
    assert made.lines == labelled.sizes["test"] == len(lines(Path(made.files[0])))
    (score,) = api.score(labelled, [tmp_path / "macro"]).on("test")
    assert score.name == "macro"
    assert len(score.estimate.runs) == 3
    assert "view:reasoning-required" in score.signature


def test_scores_are_probabilities_at_the_models_temperature(
    labelled: store.Dataset, folds: Path, tmp_path: Path
) -> None:
    made = api.decide(folds, labelled, tmp_path / "plain", rule="plain")
    api.predict(folds / "fold-0", labelled, tmp_path / "raw.jsonl")
    heat = made.models[0].temperature
    for raw, own in zip(lines(tmp_path / "raw.jsonl"), lines(Path(made.files[0])), strict=True):
        assert raw.scores
        assert own.scores
        scaled = np.exp(np.array([raw.scores[label] for label in LABELS]) / heat)
        assert [own.scores[label] for label in LABELS] == pytest.approx(scaled / scaled.sum())
        assert own.answer == raw.answer


def test_temperature_and_offsets_come_from_the_folds_own_questions_alone(
    labelled: store.Dataset, folds: Path, tmp_path: Path
) -> None:
    with patch.object(decisions, "viewed_split", wraps=decisions.viewed_split) as spy:
        made = api.decide(folds, labelled, tmp_path / "macro")
    own = split_of(labelled).folds
    assert [call.kwargs["ids"] for call in spy.call_args_list] == [*map(frozenset, own[:3])]
    assert {line.id for line in lines(Path(made.files[0]))}.isdisjoint(sum(own, ()))


def test_a_note_beside_each_file_says_what_was_chosen(
    labelled: store.Dataset, folds: Path, tmp_path: Path
) -> None:
    made = api.decide(folds, labelled, tmp_path / "never", rule="never-maybe")
    note = json.loads((tmp_path / "never/fold-1.run.json").read_text())
    assert note["view"] == "reasoning-required"
    assert note["training"]["epochs"] == 4
    assert note["decision"] == {
        "rule": "never-maybe",
        "models": [
            {
                "model": "fold-1",
                "questions": made.models[1].questions,
                "temperature": made.models[1].temperature,
                "offsets": {"yes": 0.0, "no": 0.0, "maybe": None},
            }
        ],
        "calibrate": "temperature",
    }
    assert all(line.answer != "maybe" for path in made.files for line in lines(path))


def test_averaged_probabilities_are_the_means_and_offsets_come_first(
    labelled: store.Dataset, folds: Path, tmp_path: Path
) -> None:
    made = api.decide(folds, labelled, tmp_path / "mean.jsonl", average=True)
    api.decide(folds, labelled, tmp_path / "each")
    each = [lines(path) for path in sorted((tmp_path / "each").glob("*.jsonl"))]
    assert made.files == (str(tmp_path / "mean.jsonl"),)
    for mean, *apart in zip(lines(Path(made.files[0])), *each, strict=True):
        told = np.array([[(own.scores or {})[label] for label in LABELS] for own in apart])
        assert [(mean.scores or {})[label] for label in LABELS] == pytest.approx(told.mean(0))
        moved = told * np.exp([[*model.offsets.values()] for model in made.models])
        moved /= moved.sum(1, keepdims=True)
        assert mean.answer == LABELS[moved.mean(0).argmax()]
    note = json.loads((tmp_path / "mean.run.json").read_text())
    assert [model["model"] for model in note["decision"]["models"]] == ["fold-0", "fold-1", "fold-2"]
    assert "training" not in note


def test_without_calibration_and_choice_nothing_is_asked_of_development_questions(
    labelled: store.Dataset, folds: Path, tmp_path: Path
) -> None:
    made = api.decide(folds / "fold-2", labelled, tmp_path / "p.jsonl", rule="plain", calibrate="none")
    assert [(model.questions, model.temperature) for model in made.models] == [(0, 1.0)]
    assert json.loads((tmp_path / "p.run.json").read_text())["training"]["epochs"] == 4


def test_without_development_questions_nothing_is_chosen(labelled: store.Dataset, tmp_path: Path) -> None:
    given = {**SHALLOW, "epochs": 1}
    api.train("pubmedqa-shallow-features", labelled, tmp_path / "run", settings=given, threads=1)
    with pytest.raises(InputError, match="there are no development questions"):
        api.decide(tmp_path / "run", labelled, tmp_path / "p.jsonl")
    made = api.decide(tmp_path / "run", labelled, tmp_path / "p.jsonl", rule="never-maybe", calibrate="none")
    assert made.models[0].questions == 0


def test_decisions_that_were_cut_off_are_no_system(
    labelled: store.Dataset, folds: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    api.decide(folds, labelled, out, rule="plain")
    there = {path.name: path.read_bytes() for path in out.glob("*")}
    real, count = predictions.write, [0]

    def write(path: Path, found: Iterable[Prediction]) -> int:
        count[0] += path.parent.name != "predictions"
        if count[0] == 2:
            raise KeyboardInterrupt
        return real(path, found)

    monkeypatch.setattr(predictions, "write", write)
    with pytest.raises(KeyboardInterrupt):
        api.decide(folds, labelled, out, replace=True)
    assert {path.name: path.read_bytes() for path in out.glob("*")} == there
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def folds_changed(dataset: store.Dataset, folder: Path) -> store.Dataset:
    """The same questions, of which two of one label have each other's fold."""
    first, second, *_ = split_of(dataset).folds
    parts = {split: list(store.instances(dataset, split)) for split in dataset.sizes}
    by_id = {i.id: i for i in parts["train"]}
    one = by_id[first[0]]
    other = next(by_id[ident] for ident in second if by_id[ident].label == one.label)
    places = {one.id: other.place, other.id: one.place}
    parts["train"] = [replaced(i, place=places.get(i.id, i.place)) for i in parts["train"]]
    return writing.write(folder, parts, dataset.recipe)


@pytest.fixture(scope="module")
def phases(labelled: store.Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    recipe = {"reader": "shallow-features", "phases": "final", "stop": "epochs", **SHALLOW}
    out = tmp_path_factory.mktemp("phases") / "run"
    api.train(recipe, labelled, out, folds=2, threads=1)
    return out


def test_a_run_of_phases_decides_by_its_last(labelled: store.Dataset, phases: Path, tmp_path: Path) -> None:
    made = api.decide(phases, labelled, tmp_path / "out")
    assert [model.questions for model in made.models] == [len(own) for own in split_of(labelled).folds[:2]]


@pytest.mark.parametrize("kind", ["folds", "phases"])
def test_the_same_questions_in_other_folds_are_refused(
    kind: str, labelled: store.Dataset, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    other = folds_changed(labelled, tmp_path / "other")
    assert split_of(other).test == split_of(labelled).test
    with pytest.raises(InputError, match="questions were trained on; give the dataset"):
        api.decide(request.getfixturevalue(kind), other, tmp_path / "out")
    assert not (tmp_path / "out").exists()


BAD = [
    ({"rule": "best"}, "out", "unknown rule 'best'"),
    ({"calibrate": "platt"}, "out", "unknown calibration 'platt'"),
    ({"split": "nine"}, "out", "nine"),
    ({}, "p.jsonl.gz", "names a file, and 3 models give 3"),
    ({}, "full", "holds other files (thesis.tex)"),
    ({"average": True}, "full", "is a folder, and a file is to be written"),
]


@each_row(("options", "out", "what"), BAD)
def test_what_cannot_be_decided_is_refused_and_nothing_written(
    options: dict[str, object],
    out: str,
    what: str,
    labelled: store.Dataset,
    folds: Path,
    tmp_path: Path,
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/thesis.tex").write_text("mine")
    with pytest.raises(InputError) as fault:
        api.decide(folds, labelled, tmp_path / out, **options)  # pyright: ignore
    assert what in str(fault.value)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["full", "thesis.tex"]
