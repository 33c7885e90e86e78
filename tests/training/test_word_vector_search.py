"""Random search for word vectors: judged by sim-entity on dev, resumed after an interruption, the best file kept."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.readers.marked_instances import marked_instance

pytest.importorskip("gensim", reason="the extra vectors is not installed")
pytest.importorskip("optuna", reason="the extra train is not installed")

from anagnosis import api
from anagnosis.cli import run
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.errors import InputError
from anagnosis.readers.heuristics import sim_entity
from anagnosis.training.tuning import tune_word_vectors
from anagnosis.word_vectors.word_vectors import recipe_values

PAIRS = [("drank cold", "tea"), ("saw wild", "horse"), ("drank hot", "milk"), ("saw tame", "frog")]


def instances(part: str, number: int = 24) -> list[ClozeInstance]:
    made: list[ClozeInstance] = []
    for n in range(number):
        (before, answer), (other, wrong) = PAIRS[n % 4], PAIRS[(n + 1) % 4]
        passage = f"Report {n}\nHe {other} BEG__{wrong}__END then\nHe {before} BEG__{answer}__END then"
        made.append(marked_instance(passage, f"she {before} @placeholder", answer, id=f"{part}{n}.1"))
    return made


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    recipe = {"dataset": "biomrc", "text_form": "original", "numbering": "global"}
    splits = {"train": instances("a"), "dev": instances("b", 8)}
    return writing.write(tmp_path_factory.mktemp("search") / "built", splits, recipe)


def recipe(**values: Any) -> dict[str, Any]:
    small = {"dimension": 4, "threshold": 2, "epochs": 2}
    return {**recipe_values("clicr-word-vectors"), **small, **values}


def test_trials_are_judged_by_the_f1_of_sim_entity_on_dev_and_the_best_vectors_are_kept(
    dataset: Dataset, tmp_path: Path
) -> None:
    found = tune_word_vectors(recipe(), dataset, tmp_path, trials=3)
    assert found.measure == "f1"
    assert [trial.number for trial in found.trials] == [0, 1, 2]
    assert len({str(trial.values) for trial in found.trials}) == 3
    best = found.best
    assert best is not None
    assert found.vectors is not None
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [
        "best.toml",
        "search.journal",
        f"trial-{best.number}.bin",
    ]
    # The value is that of the kept file: every answer here is one word, right or wrong.
    on_dev = list(store.instances(dataset, "dev"))
    reader = sim_entity.fit(on_dev, vectors=str(found.vectors))
    right = [max(range(2), key=reader(one).__getitem__) == one.answer for one in on_dev]
    assert best.value == pytest.approx(sum(right) / len(right))
    assert best.value == max(trial.value or 0 for trial in found.trials)


def test_the_best_recipe_trains_the_same_vectors(dataset: Dataset, tmp_path: Path) -> None:
    found = tune_word_vectors(recipe(), dataset, tmp_path / "search", trials=2)
    written = tomllib.loads((tmp_path / "search" / "best.toml").read_text())
    assert found.best is not None
    assert {key: written[key] for key in found.best.values} == found.best.values
    api.train_vectors([dataset.folder], tmp_path / "w.bin", recipe=tmp_path / "search" / "best.toml")
    assert found.vectors is not None
    assert (tmp_path / "w.bin").read_bytes() == found.vectors.read_bytes()


def test_a_trial_whose_words_are_all_too_rare_ends_and_the_search_goes_on(
    dataset: Dataset, tmp_path: Path
) -> None:
    ranges = {"threshold": {"choice": [2, 100_000]}, "window": {"low": 1, "high": 9}}
    found = tune_word_vectors(recipe(tune=ranges), dataset, tmp_path, trials=6)
    faults = {trial.values["threshold"]: trial.fault for trial in found.trials}
    assert faults[2] is None
    assert "0 words occur 100000 times or more" in (faults[100_000] or "")
    assert found.best is not None


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ({"tune": {}}, {}, "has no ranges to search"),
        ({"tune": {"hops": {"low": 1, "high": 2}}}, {}, r"1 problem in \[tune\]: unknown key 'hops'"),
        ({"tune": {"window": {"low": 0, "high": 2}}}, {}, "window: 0 will not do"),
        ({"window": "wide"}, {}, "window: 'wide' is not a whole number"),
        ({}, {"measure": "macro-f1"}, "macro-f1"),
    ],
)
def test_a_wrong_request_is_refused_before_any_training(
    dataset: Dataset, tmp_path: Path, values: dict[str, Any], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        tune_word_vectors(recipe(**values), dataset, tmp_path / "out", trials=1, **options)
    assert not (tmp_path / "out").exists()


def test_a_dataset_without_dev_is_refused(tmp_path: Path) -> None:
    given = {"dataset": "biomrc", "text_form": "original", "numbering": "global"}
    built = writing.write(tmp_path / "built", {"train": instances("a", 4)}, given)
    with pytest.raises(InputError, match="has no dev part; name a dataset with train and dev"):
        tune_word_vectors(recipe(), built, tmp_path / "out", trials=1)


def test_the_command_searches_and_says_what_to_do_with_the_best(
    dataset: Dataset,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("ANAGNOSIS_QUIET")
    small = [f"--set={key}={value}" for key, value in (("dimension", 4), ("threshold", 2), ("epochs", 1))]
    line = ["tune", "clicr-word-vectors", "--data", str(dataset.folder), "--out", str(tmp_path / "out")]
    assert run([*line, *small, "--trials", "2"]) == 0
    printed = capsys.readouterr().out
    assert "trial 0  F1 " in printed
    assert f"anagnosis predict sim-entity {dataset.folder} --set vectors=" in printed
    assert run(line[:-2]) == 2
    assert "--out and --trials are needed to search" in capsys.readouterr().err
    assert run([*line, "--trials", "1", "--device", "cpu"]) == 2
    assert "does not apply to a recipe of word vectors" in capsys.readouterr().err
