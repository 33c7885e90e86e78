"""What a reader of decisions reaches on questions that it was not trained on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.decisions import rows_apart, written

pytest.importorskip("torch", reason="the extra train is not installed")

from anagnosis import api
from anagnosis.calibration.held_out import DEV, TEST, HeldOut
from anagnosis.calibration.parameters import read
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.decision import LABELS, posed
from anagnosis.folder_names import HELD_OUT as FILE
from anagnosis.searching.answers.deciding import load_decider
from anagnosis.searching.fit.decision_measuring import measure
from anagnosis.training.training_splits import people_parts

SETTINGS = {"epochs": 4, "hidden": 8}
RECIPE = "pubmedqa-shallow-features"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> store.Dataset:
    folder = tmp_path_factory.mktemp("labelled")
    source = written(folder / "ori_pqal.json", rows_apart(60, 40, 20))
    return api.import_dataset(source, folder / "built", layout="pubmedqa")


@pytest.fixture(scope="module")
def folds(built: store.Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("folds") / "decision"
    api.train(RECIPE, built, out, settings=SETTINGS, folds=2, threads=1)
    return out


def macro_f1(gold: list[str], said: list[str]) -> float:
    """By its definition, over the labels that occur."""
    values = list[float]()
    for label in set(gold) | set(said):
        both = sum(one == other == label for one, other in zip(gold, said, strict=True))
        values.append(2 * both / (gold.count(label) + said.count(label)))
    return sum(values) / len(values)


def test_it_is_the_macro_f1_of_the_mean_of_the_runs_on_the_test_questions(
    folds: Path, built: store.Dataset
) -> None:
    made = measure(folds, built, "cpu", 1)
    assert made is not None
    asked = list(store.instances(built, "test"))
    decider = load_decider(folds, "cpu", 1)
    rows = decider.probabilities([posed(one, decider.view) for one in asked])
    gold, said = [one.label or "" for one in asked], [LABELS[int(row.argmax())] for row in rows]
    assert made.value == pytest.approx(macro_f1(gold, said), abs=1e-6)
    assert made.baseline == pytest.approx(macro_f1(gold, ["yes"] * len(gold)), abs=1e-6)
    assert (made.part, made.questions, made.dataset) == (TEST, len(asked), built.name)
    assert made.low <= made.value <= made.high
    assert decider.held_out == made
    assert read(folds, HeldOut, made.weights) == made
    assert f"macro-F1 {made.value:.2f} [{made.low:.2f}, {made.high:.2f}]" in made.says
    assert f"on {len(asked)} test questions of {built.name}" in made.says


def test_it_is_written_when_the_reader_is_calibrated_and_reported(
    folds: Path, built: store.Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from anagnosis.cli import run

    place = Path(shutil.copytree(folds, tmp_path / "decision"))
    (place / FILE).unlink(missing_ok=True)
    assert run(["calibrate", str(place), str(built.folder), "--device", "cpu", "--threads", "1"]) == 0
    weights = [json.loads((place / f"fold-{n}" / "run.json").read_text())["weights"] for n in (0, 1)]
    found = read(place, HeldOut, weights)
    assert found is not None
    assert f"On held-out questions: {found.says}." in " ".join(capsys.readouterr().out.split())


def without_test(built: store.Dataset, folder: Path) -> store.Dataset:
    """The same questions, all of them to train on."""
    parts = {"train": list(store.instances(built, "train"))}
    return writing.write(folder, parts, {"dataset": "pubmedqa", "kind": built.kind.name})


def test_without_test_questions_each_fold_answers_those_that_it_was_judged_on(
    built: store.Dataset, tmp_path: Path
) -> None:
    data = without_test(built, tmp_path / "built")
    out = tmp_path / "decision"
    api.train(RECIPE, data, out, settings=SETTINGS, folds=3, threads=1)
    made = measure(out, data, "cpu", 1)
    assert made is not None
    whole = load_decider(out, "cpu", 1)
    gold, said = list[str](), list[str]()
    for fold in range(3):
        own = set(people_parts(data, fold)[1])
        asked = [one for one in store.instances(data, "train") if one.id in own]
        rows = load_decider(out / f"fold-{fold}", "cpu", 1).probabilities(
            [posed(one, whole.view) for one in asked]
        )
        gold += [one.label or "" for one in asked]
        said += [LABELS[int(row.argmax())] for row in np.array(rows)]
    assert made.value == pytest.approx(macro_f1(gold, said), abs=1e-6)
    assert (made.part, made.questions) == (DEV, len(gold))
    assert "on which its training was judged" in made.says


def test_questions_that_it_was_trained_on_are_not_asked(built: store.Dataset, tmp_path: Path) -> None:
    """A run that was trained on all test questions but five is measured on those five."""
    test, train = list(store.instances(built, "test")), list(store.instances(built, "train"))
    data = writing.write(
        tmp_path / "other",
        {"train": test[5:], "dev": train[:20]},
        {"dataset": "pubmedqa", "kind": built.kind.name},
    )
    out = tmp_path / "decision"
    api.train(RECIPE, data, out, settings=SETTINGS, threads=1)
    made = measure(out, built, "cpu", 1)
    assert made is not None
    assert (made.part, made.questions) == (TEST, 5)
    nothing = writing.write(
        tmp_path / "nothing", {"test": test[5:]}, {"dataset": "pubmedqa", "kind": built.kind.name}
    )
    assert measure(out, nothing, "cpu", 1) is None
