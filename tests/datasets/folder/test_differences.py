"""What tells two builds apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.articles import abstract, article, text

from anagnosis import api
from anagnosis.datasets.folder import writing
from anagnosis.datasets.folder.differences import Difference
from anagnosis.datasets.folder.receipt import Refusal
from anagnosis.datasets.folder.store import Dataset


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "a.pubtator"
    path.write_bytes(text(article(ident="1"), article(body=abstract(sentences=11), ident="2")))
    return path


def build(source: Path, out: str, **settings: Any) -> Dataset:
    return api.build("biomrc", [source], source.parent / out, settings=settings, workers=1)


def test_a_dataset_does_not_differ_from_itself_nor_from_its_like(source: Path) -> None:
    a, b = build(source, "a"), build(source, "b")
    assert api.diff(a, a) == api.diff(a, b) == []


def test_the_recipe_comes_first_and_what_follows_from_it_after(source: Path) -> None:
    found = api.diff(build(source, "a"), build(source, "b", minimum_sentences=11))
    assert found[0] == Difference("recipe.minimum_sentences", 10, 11)
    named = {difference.what: (difference.a, difference.b) for difference in found}
    assert named["documents.kept"] == (2, 1)
    assert named["documents.dropped.too_few_sentences"] == (None, 1)
    assert named["instances.kept"] == (2, 1)
    assert {what for what in named if what.startswith("outputs.")} >= {
        "outputs.recipe.toml",
        "outputs.README.md",
    }
    assert not [what for what in named if what.startswith("inputs.")]


def test_another_input_is_told_by_its_hash(source: Path) -> None:
    first = build(source, "a")
    source.write_bytes(text(article(ident="1"), article(ident="3")))
    (difference,) = [d for d in api.diff(first, build(source, "b")) if d.what.startswith("inputs.")]
    assert difference.what == "inputs.1. a.pubtator"
    assert difference.a != difference.b


def test_two_reasons_at_one_place_are_both_compared(tmp_path: Path) -> None:
    def refused(out: str, *reasons: str) -> Dataset:
        places = [Refusal("a:1", reason) for reason in reasons]
        return writing.write(tmp_path / out, {}, {"dataset": "biomrc"}, places=lambda: (places, places[:1]))

    found = api.diff(refused("a", "one", "two"), refused("b", "other", "two"))
    assert found == [
        Difference("refusals.a:1", "one; two", "other; two"),
        Difference("notes.a:1", "one", "other"),
    ]
