"""Datasets, predictions, weights and rankings are as they were pinned; and the pins notice a change."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")
pytest.importorskip("transformers", reason="the extra train is not installed")

from tests.pins import contents, world
from tests.pins.compare import STORED, differences, plain, stored
from tests.pins.store import SUBJECTS, found
from tests.pins.world import World

from anagnosis import api
from anagnosis.datasets.export.layouts import LAYOUTS


@pytest.fixture(scope="session")
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> World:
    """One world of this test run, whichever process asks; what lies in it is made step by step."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if hasattr(request.config, "workerinput") else base) / "pins"
    folder.mkdir(exist_ok=True)
    return World(folder)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_it_is_as_it_was_pinned(subject: str, made: World) -> None:
    pinned = contents.comparable(stored(subject))
    now = contents.comparable(found(subject, made))
    said = differences(pinned, now, SUBJECTS[subject])
    assert not said, "\n".join([f"{len(said)} differences from tests/pins/stored/{subject}.json", *said[:20]])


def test_every_file_of_stored_values_is_of_a_subject() -> None:
    assert {path.stem for path in STORED.iterdir()} == set(SUBJECTS)


def test_every_recipe_of_a_dataset_and_every_layout_is_pinned() -> None:
    lines = [line.split() for _, line in world.DATASETS.values()]
    recipes = {words[words.index("--recipe") + 1] for words in lines if "--recipe" in words}
    of_datasets = {
        name for name in api.described("recipes") if not {"reader", "trains"} & {*api.recipe(name)}
    }
    assert recipes | {words[1] for words in lines if words[0] == "build"} >= of_datasets
    layouts = {words[words.index("--layout") + 1] for words in lines if "--layout" in words}
    assert layouts >= set(LAYOUTS)


# --- a change is noticed ----------------------------------------------------------------------------


def test_bytes_of_parquet_are_compared_where_the_same_pyarrow_wrote_them() -> None:
    pinned = {"a": {"rows": "1", contents.BYTES: {"26.0.1": "x"}}}
    other = {"a": {"rows": "1", contents.BYTES: {"26.0.1": "y"}}}
    assert len(differences(*(contents.comparable(each, "26.0.1") for each in (pinned, other)))) == 1
    assert contents.comparable(pinned, "27.0.0") == {"a": {"rows": "1"}}


@pytest.mark.parametrize(
    ("was", "now", "alike"),
    [
        (1.0, 1.00005, True),
        (1.0, 1.0002, False),
        (0.1002, 0.1003, True),
        (0.1002, 0.1004, False),
        (0.10021, 0.10032, False),
        (1, 1.0, True),
        (1, 2, False),
        (1, True, False),
        (None, 0, False),
    ],
)
def test_numbers_that_are_not_whole_have_a_tolerance(was: Any, now: Any, alike: bool) -> None:
    assert (not differences({"a": was}, {"a": now}, 1e-4)) == alike


def test_numbers_are_stored_to_seven_digits() -> None:
    assert plain({"a": [1 / 3, float("inf"), 7, (True, None)]}) == {"a": [0.3333333, "inf", 7, [True, None]]}
