"""The verbs over predictions, where they choose something themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError


@pytest.fixture(scope="module")
def files(dataset: Dataset, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """BASE1, BASE3+ and BASE4 on test."""
    folder = tmp_path_factory.mktemp("files")
    paths = [folder / f"{name}.jsonl" for name in ("BASE1", "BASE3+", "BASE4")]
    for path in paths:
        api.predict(path.stem, dataset, path)
    return paths


def people(dataset: Dataset, path: Path) -> Path:
    """Two people of one group: Ann is right on ten of ten, Bob on five, and leaves the last one unanswered."""
    with path.open("w") as stream:
        for position, instance in enumerate(list(store.instances(dataset, "test"))[:10]):
            gold = instance.candidates[instance.answer or 0].key
            wrong = next(each.key for each in instance.candidates if each.key != gold)
            for name, answer in (("Ann", gold), ("Bob", gold if position < 5 else wrong)):
                given = None if (name, position) == ("Bob", 9) else answer
                line = {"id": instance.id, "answer": given, "annotator": name, "group": "expert"}
                stream.write(json.dumps(line) + "\n")
    return path


def test_a_comparison_ranks_and_tests_next_and_first(dataset: Dataset, files: list[Path]) -> None:
    every = api.compare(dataset, files, draws=999, seed=4)
    (found,) = every.comparisons
    assert [ranked.name for ranked in found.ranking] == ["BASE4", "BASE3+", "BASE1"]
    assert (found.unit, found.family) == ("document", 3)
    assert (len(found.against_next), len(found.against_first)) == (2, 2)
    assert "|seed:4|draws:999|unit:document|" in found.signature
    assert every == api.compare(dataset.folder, files, draws=999, seed=4)
    assert every != api.compare(dataset, files, draws=999, seed=5)
    assert api.compare(dataset, files, draws=999, unit="instance").comparisons[0].unit == "instance"


def test_agreement_of_two_people_beside_a_system(dataset: Dataset, files: list[Path], tmp_path: Path) -> None:
    given = [people(dataset, tmp_path / "people.jsonl")]
    found = api.agreement(dataset, given, files[2:])
    assert (found.asked, found.instances) == (10, 10)
    scores = {score.name: score.estimate.value for score in found.scores}
    assert (scores["Ann"], scores["Bob"]) == (1, 0.5)
    assert [group.people for group in found.groups] == [("Ann", "Bob")]
    assert [*scores][-1] == "BASE4"
    assert "BASE4" not in [score.name for score in api.agreement(dataset.folder, given).scores]


def test_files_of_several_splits_are_not_compared(
    dataset: Dataset, files: list[Path], tmp_path: Path
) -> None:
    api.predict("BASE1", dataset, tmp_path / "dev.jsonl", split="dev")
    with pytest.raises(InputError, match=r"the files are for different splits \(dev.jsonl: dev; "):
        api.compare(dataset, [*files, tmp_path / "dev.jsonl"])
    with pytest.raises(InputError, match="no predictions file"):
        api.score(dataset, [])


def test_lines_for_another_dataset_are_refused_unless_told_otherwise(
    dataset: Dataset, files: list[Path], tmp_path: Path
) -> None:
    foreign = tmp_path / "foreign.jsonl"
    foreign.write_text(files[2].read_text().replace('"dataset":"', '"dataset":"0'))
    with pytest.raises(InputError, match="made for another dataset or split"):
        api.score(dataset, [foreign])
    (score,) = api.score(dataset, [foreign], check_fingerprint=False).on("test")
    assert round(100 * score.estimate.value, 2) == 33.81
    assert score.problems
