"""What we export in the authors' layout, we import again without a broken invariant."""

from __future__ import annotations

from pathlib import Path

import pytest

import anagnosis
from anagnosis.cli import run
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
    found = anagnosis.check_layout(tmp_path / "authors", setting=setting)
    assert found.broken == {}
    assert found.instances == built.receipt.instances.kept
    back = anagnosis.import_dataset(tmp_path / "authors", tmp_path / "back", setting=setting)
    assert back.rows == built.rows
    assert anagnosis.check(back).sound


def test_check_of_a_layout_ends_as_check_does(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    built = anagnosis.build("biomrc", [carried()], tmp_path / "built", recipe="biomrc-demo", workers=1)
    anagnosis.export(built, tmp_path / "authors", setting="A")
    assert run(["import", str(tmp_path / "authors"), "--check"]) == 0
    test = tmp_path / "authors/dataset_test.json"
    test.write_text(test.read_text("utf-8").replace("XXXX", "YYYY", 1), "utf-8")
    assert run(["import", str(tmp_path / "authors"), "--check"]) == 2
