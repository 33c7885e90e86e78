"""The verbs over predictions, where they choose something themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.typed import World

from anagnosis import api
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError


def test_a_comparison_ranks_and_tests_next_and_first(dataset: Dataset, world: World) -> None:
    files = [world[name] for name in ("BASE1", "BASE3+", "BASE4")]
    every = api.compare(dataset, files, draws=999, seed=4)
    (found,) = every.comparisons
    assert [ranked.name for ranked in found.ranking] == ["BASE4", "BASE3+", "BASE1"]
    assert (found.unit, found.family) == ("document", 3)
    assert (len(found.against_next), len(found.against_first)) == (2, 2)
    assert "|seed:4|draws:999|unit:document|" in found.signature
    assert every == api.compare(dataset.folder, files, draws=999, seed=4)
    assert every != api.compare(dataset, files, draws=999, seed=5)
    assert api.compare(dataset, files, draws=999, unit="instance").comparisons[0].unit == "instance"


def test_agreement_of_people_beside_a_system(dataset: Dataset, world: World) -> None:
    found = api.agreement(dataset, [world.people], [world["BASE4"]])
    assert (found.asked, found.instances) == (20, 20)
    scores = {score.name: score.estimate.value for score in found.scores}
    assert (scores["Ann"], scores["Bob"]) == (0.8, 0.6)
    assert [group.people for group in found.groups] == [("Ann", "Bob"), ("Cy", "Di")]
    assert [*scores][-1] == "BASE4"


def test_files_of_several_splits_are_not_compared(dataset: Dataset, world: World) -> None:
    with pytest.raises(InputError, match=r"the files are for different splits \(dev.jsonl: dev; BASE1"):
        api.compare(dataset, [world["BASE1"], world["dev"]])
    with pytest.raises(InputError, match="no predictions file"):
        api.score(dataset, [])


def test_lines_for_another_dataset_are_refused_unless_told_otherwise(
    dataset: Dataset, world: World, tmp_path: Path
) -> None:
    foreign = tmp_path / "foreign.jsonl"
    foreign.write_text(world["BASE4"].read_text().replace('"dataset":"', '"dataset":"0'))
    with pytest.raises(InputError, match="made for another dataset or split"):
        api.score(dataset, [foreign])
    (score,) = api.score(dataset, [foreign], check_fingerprint=False).on("test")
    assert round(100 * score.estimate.value, 2) == 33.81
    assert score.problems
