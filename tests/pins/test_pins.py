"""What must not change while packages are regrouped is as it was pinned; and the pins notice a change."""

from __future__ import annotations

import copy
import importlib
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")
pytest.importorskip("fastapi", reason="the extra web is not installed")
pytest.importorskip("transformers", reason="the extra train is not installed")

from tests.pins import contents, datasets, program, store, world
from tests.pins.compare import STORED, Change, changes, differences, plain, stored
from tests.pins.subjects import SUBJECTS, found
from tests.pins.world import World


@pytest.fixture(scope="session")
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> World:
    """One world of this test run, whichever process asks."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if hasattr(request.config, "workerinput") else base) / "pins"
    folder.mkdir(exist_ok=True)
    return World(folder)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_it_is_as_it_was_pinned(subject: str, made: World) -> None:
    pinned = contents.comparable(stored(subject))
    now = contents.comparable(found(subject, made))
    said = differences(subject, pinned, now, changes(), SUBJECTS[subject])
    assert not said, "\n".join([f"{len(said)} differences from tests/pins/stored/{subject}.json", *said[:20]])


def test_every_file_of_stored_values_is_of_a_subject() -> None:
    assert {path.stem for path in STORED.iterdir()} == set(SUBJECTS)
    assert all(change.subject in {*SUBJECTS, "*"} for change in changes())


def test_every_recipe_of_a_dataset_and_every_layout_is_pinned() -> None:
    lines = [line.split() for _, line in world.DATASETS.values()]
    recipes = {words[words.index("--recipe") + 1] for words in lines if "--recipe" in words}
    assert recipes | {words[1] for words in lines if words[0] == "build"} >= set(program.dataset_recipes())
    layouts = {words[words.index("--layout") + 1] for words in lines if "--layout" in words}
    assert layouts | {"pubmedqa-folds"} >= set(program.layouts()), "pubmedqa-folds is written alone"


# --- a change is noticed ----------------------------------------------------------------------------


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_leaf_that_changed_is_noticed(subject: str) -> None:
    pinned = stored(subject)
    assert not differences(subject, pinned, pinned, tolerance=SUBJECTS[subject])
    kinds = set[type]()
    for path, leaf in _leaves(pinned):
        if type(leaf) in kinds:
            continue
        kinds.add(type(leaf))
        other = copy.deepcopy(pinned)
        _put(other, path, _changed(leaf))
        (said,) = differences(subject, pinned, other, tolerance=SUBJECTS[subject])
        assert said.startswith(" > ".join(map(str, path)))
    assert kinds


def test_a_program_that_says_another_word_is_noticed(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    command = program.commands()["score"]
    option = next(each for each in command.params if each.name == "unit")
    monkeypatch.setattr(option, "opts", ["--by"])
    said = differences("words", stored("words"), found("words", made), changes())
    assert len(said) == 1
    assert "was '--unit', is '--by'" in said[0]


def test_what_is_stored_anew_is_what_is_found(made: World, tmp_path: Path) -> None:
    store.write("words", made, tmp_path)
    assert json.loads((tmp_path / "words.json").read_bytes()) == plain(found("words", made))
    assert store.main(["nothing"]) == 2


def test_bytes_of_parquet_are_compared_where_the_same_pyarrow_wrote_them() -> None:
    pinned = {"a": {"rows": "1", contents.BYTES: {"26.0.1": "x"}}}
    other = {"a": {"rows": "1", contents.BYTES: {"26.0.1": "y"}}}
    assert (
        len(differences("datasets", *(contents.comparable(each, "26.0.1") for each in (pinned, other)))) == 1
    )
    assert contents.comparable(pinned, "27.0.0") == {"a": {"rows": "1"}}


# --- what changes on purpose ------------------------------------------------------------------------

OLD = {
    "score": {"rows": [["mine", {"value": 50.0}], ["yours", {"value": 25.0}]], "title": "Settled", "n": 4},
    "show": {"kind": "cloze", "note": None},
}


def change(**values: Any) -> Change:
    return Change("toy", "a reason", **values)


def test_a_value_that_moved_is_compared_where_it_lies_now() -> None:
    new = {
        "score": {
            "systems": [{"name": "mine", "accuracy": 0.5}, {"name": "yours", "accuracy": 0.25}],
            "n": 4,
        },
        "show": {"kind": "cloze", "note": None},
    }
    table = [
        change(old="score > rows > * > 0", new="score > systems > * > name"),
        change(old="score > rows > * > 1 > value", new="score > systems > * > accuracy", times=0.01),
        change(old="score > title"),
    ]
    assert not differences("toy", OLD, new, table)
    new["score"]["systems"][1]["accuracy"] = 0.26
    (said,) = differences("toy", OLD, new, table)
    assert said == "score > rows > 1 > 1 > value (now score > systems > 1 > accuracy): was 0.25, is 0.26"
    del new["score"]["systems"][1]["accuracy"]
    assert "is not there" in differences("toy", OLD, new, table)[0]


def test_a_branch_moves_as_a_whole() -> None:
    new = {"score": OLD["score"], "about": {"dataset": OLD["show"]}}
    assert not differences("toy", OLD, new, [change(old="show", new="about > dataset")])


def test_words_read_otherwise_in_texts_and_keys() -> None:
    new = {"score": {**OLD["score"], "title": "Resolved"}, "display": OLD["show"]}
    table = [change(words="Settled", becomes="Resolved"), change(words="show", becomes="display")]
    assert not differences("toy", OLD, new, table)
    assert differences("toy", OLD, new, table[1:]) == ["score > title: was 'Settled', is 'Resolved'"]


def test_what_is_new_what_is_gone_and_another_value_are_said() -> None:
    new = {"score": {**OLD["score"], "n": 5, "more": [1, 2]}, "show": {"kind": "cloze"}}
    table = [change(new="score > more"), change(old="show > note"), change(old="score > n", value=5)]
    assert not differences("toy", OLD, new, table)
    assert len(differences("toy", OLD, new)) == 4
    new["score"]["n"] = 6
    assert differences("toy", OLD, new, table) == ["score > n (now score > n): was 5, is 6"]


def test_an_entry_that_meets_nothing_is_a_fault() -> None:
    table = [
        change(old="score > nothing"),
        change(new="show > nothing"),
        change(words="nothing", becomes="all"),
    ]
    assert len(differences("toy", OLD, OLD, table)) == 3
    assert not differences("toy", OLD, OLD, [Change("other", "a reason", old="score > nothing")])


@pytest.mark.parametrize("values", [{}, {"old": "a", "words": "b", "becomes": "c"}, {"words": "b"}])
def test_an_entry_that_says_nothing_sound_is_refused(values: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="says either"):
        change(**values)


def test_an_entry_needs_a_reason(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text('[[change]]\nsubject = "json"\nold = "a"\nwhy = " "\n')
    with pytest.raises(ValueError, match="no reason"):
        changes(tmp_path / "c.toml")
    (tmp_path / "c.toml").write_text('[[change]]\nsubject = "json"\nold = "a"\nwhy = "so"\n')
    assert changes(tmp_path / "c.toml") == [Change("json", "so", old="a")]


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
    assert (not differences("toy", {"a": was}, {"a": now}, tolerance=1e-4)) == alike


def test_numbers_are_stored_to_seven_digits() -> None:
    assert plain({"a": [1 / 3, float("inf"), 7, (True, None)]}) == {"a": [0.3333333, "inf", 7, [True, None]]}


def test_every_subject_says_what_it_pins() -> None:
    assert all(importlib.import_module(f"tests.pins.{subject}").__doc__ for subject in SUBJECTS)
    assert datasets.READERS


def _leaves(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    if isinstance(tree, dict | list) and tree:
        items = tree.items() if isinstance(tree, dict) else enumerate(tree)
        return [leaf for step, each in items for leaf in _leaves(each, (*path, step))]
    return [(path, tree)]


def _put(tree: Any, path: tuple[Any, ...], value: Any) -> None:
    for step in path[:-1]:
        tree = tree[step]
    tree[path[-1]] = value


def _changed(leaf: Any) -> Any:
    if isinstance(leaf, bool):
        return not leaf
    if isinstance(leaf, int | float):
        return leaf + max(1, abs(leaf) // 100)
    return f"{leaf} " if isinstance(leaf, str) else "something"
