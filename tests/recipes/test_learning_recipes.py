"""Recipes of readers that learn: their keys are their reader's, the docs name them all, and each of them trains."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.readers.tiny_readers import dataset, tiny_vectors

from anagnosis import readers
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.table import CLOZE, DECISION
from anagnosis.readers import find
from anagnosis.readers.learning import Settings
from anagnosis.recipes import load as recipes
from anagnosis.reports.systems.phases import published_results

pytest.importorskip("torch")

ROOT = Path(__file__).resolve().parents[2]
APART = ("reader", "tune")
# What a result depends on: a recipe says these itself, whatever the defaults are or will be.
SAID = {"view", "optimizer", "rate", "batch", "clip", "epochs", "stop"}
LEARNING = [
    name for name in recipes.names() if "view" in recipes.load(name) and "phases" not in recipes.load(name)
]
IN_PHASES = [name for name in recipes.names() if "phases" in recipes.load(name)]
USED = sorted({recipes.load(name)["reader"] for name in LEARNING})


@pytest.mark.parametrize("name", LEARNING)
def test_a_recipe_has_keys_of_its_reader_only_and_says_what_its_result_depends_on(name: str) -> None:
    recipe = recipes.load(name)
    config = recipes.configured(readers.find(recipe["reader"]).Config, recipe, name, apart=APART)
    for key, value in recipe.items():
        if key not in APART:
            assert getattr(config, key) == value
    own = set(type(config).__struct_fields__) - set(Settings.__struct_fields__)
    # AS and AOA have either embeddings of their own or an encoder; counted features need neither.
    vectors = own & {"embedding", "encoder", "most"}
    assert vectors & set(recipe) or not vectors
    assert set(recipe) >= SAID | own & {"hidden", "dropout", "aggregation", "variant"}


@pytest.mark.parametrize("name", [name for name in LEARNING if "tune" in recipes.load(name)])
def test_what_is_drawn_from_lies_within_the_reader_s_limits_and_holds_the_recipe_s_value(name: str) -> None:
    recipe = recipes.load(name)
    from anagnosis.training.tuning import checked_space

    for key, values in checked_space(recipe, name).items():
        assert recipe[key] in values


@pytest.mark.parametrize("name", USED)
def test_the_page_of_recipes_names_every_key_of_a_reader(name: str) -> None:
    page = (ROOT / "docs" / "recipes.md").read_text("utf-8")
    config: type[msgspec.Struct] = readers.find(name).Config
    missing = [key for key in config.__struct_fields__ if f"`{key}`" not in page]
    assert not missing, f"docs/recipes.md does not name {', '.join(missing)} of {name}"


def test_the_page_of_readers_has_a_section_for_each() -> None:
    page = (ROOT / "docs" / "readers.md").read_text("utf-8")
    assert [name for name in USED if f"### `{name}`" not in page] == []


def test_every_reader_that_learns_has_a_recipe() -> None:
    """Which of the readers learn is seen from their Config."""
    assert {name for name in readers.READERS if hasattr(readers.find(name), "Config")} == set(USED)


def columns() -> list[tuple[str, str]]:
    """(recipe, view): the recipe's own, and the others that it has published figures of."""
    found: list[tuple[str, str]] = []
    for name in LEARNING:
        recipe = recipes.load(name)
        published = {"global", "local", "names"} & set(published_results().get(name, {}))
        found += [(name, view) for view in sorted({recipe["view"], *published})]
    return found


def name_vectors(recipe: dict[str, Any], folder: Path) -> None:
    """Give a reader that needs a file of word vectors a tiny one."""
    if recipe["reader"] in ("jpdrmm", "bilstm"):
        recipe["vectors"] = str(tiny_vectors(folder / "vectors.txt", recipe["embedding"]))


@pytest.mark.parametrize(("name", "view"), columns())
def test_every_recipe_trains_an_epoch(
    name: str, view: str, demo: Dataset, decided: Dataset, models: Callable[[str], str], tmp_path: Path
) -> None:
    from anagnosis.training.train import train

    recipe = {**recipes.load(name), "view": view, "epochs": 1}
    if "encoder" in recipe:
        recipe["encoder"] = models(recipe["reader"])
    name_vectors(recipe, tmp_path)
    data = {CLOZE: demo, DECISION: decided}.get(kind := find(recipe["reader"]).Config.kind)
    if data is None:
        data = dataset(tmp_path / "data", signal=True, kind=kind, train=12, dev=12)
    run = train(recipe, data, tmp_path / "run", device="cpu", threads=1, limit=12, where=name)
    assert (run.reader, run.facts.view) == (recipe["reader"], view)
    assert run.weights.is_file()


@pytest.mark.parametrize("name", IN_PHASES)
def test_a_recipe_in_phases_is_its_reader_s_own_with_a_schedule(name: str) -> None:
    """The final phase alone is the reader's own recipe."""
    from anagnosis.training.phases import FURTHER_FIRST, SCHEDULES
    from anagnosis.training.schedules.recipe import plan_of

    recipe = recipes.load(name)
    own = recipes.load(name.removesuffix("-multiphase"))
    further = recipe["phases"] == FURTHER_FIRST
    same = {key: value for key, value in own.items() if key != "tune"}
    for schedule in SCHEDULES:
        if (schedule == FURTHER_FIRST) == further:
            for phase, settings in plan_of({**recipe, "phases": schedule}, name)[1].items():
                assert settings == same or phase != "final"
                assert settings.keys() == same.keys()


@pytest.mark.parametrize("name", IN_PHASES)
def test_every_recipe_in_phases_trains_an_epoch_of_each(
    name: str, decided: Dataset, ruled: Dataset, models: Callable[[str], str], tmp_path: Path
) -> None:
    from anagnosis.training.runs.run import Run
    from anagnosis.training.schedules.multi_phase import train_phases

    recipe = {**recipes.load(name), "epochs": 1, "phase": {}}
    if find(recipe["reader"]).Config.kind == DECISION:
        recipe = {**recipe, "phases": "phase-1-final"}
        data = [decided, ruled]
    else:
        answered = {"kind": find(recipe["reader"]).Config.kind}
        data = [
            dataset(tmp_path / f"data{seed}", signal=True, seed=seed, train=12, dev=12, **answered)
            for seed in (1, 2)
        ]
    if "encoder" in recipe:
        recipe["encoder"] = models(recipe["reader"])
    name_vectors(recipe, tmp_path)
    given = {"device": "cpu", "threads": 1, "limit": 12, "where": name}
    run = train_phases(recipe, data, tmp_path / "run", **given)
    assert isinstance(run, Run)
    assert run.facts.began is not None
    assert run.folder == tmp_path / "run" / "final"
