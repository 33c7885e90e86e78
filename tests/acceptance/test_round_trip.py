"""What we export in the authors' layout, we import again without a broken invariant."""

from __future__ import annotations

from pathlib import Path

import pytest

import anagnosis
from anagnosis.corpus import carried


def respelled(path: Path) -> Path:
    """The carried corpus twice, the second time with other ids and other spellings of the types."""
    text = carried().read_text("utf-8")
    other = (
        text.replace("ana0", "bob0")
        .replace("\tSpecies\t", "\tOrganismTaxon\t")
        .replace("\tDisease\t", "\tdisease\t")
    )
    path.write_text(text + other, "utf-8")
    return path


@pytest.mark.parametrize("setting", ["A", "B"])
def test_a_corpus_with_two_spellings_of_each_type_comes_back_sound(setting: str, tmp_path: Path) -> None:
    built = anagnosis.build("biomrc", [respelled(tmp_path / "mixed.pubtator")], tmp_path / "built")
    anagnosis.export(built, tmp_path / "authors", setting=setting)
    back = anagnosis.import_dataset(tmp_path / "authors", tmp_path / "back", setting=setting)
    assert back.sizes == built.sizes
    assert not back.receipt.repairs
    assert anagnosis.check(back).sound
