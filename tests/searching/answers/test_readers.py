"""A folder of readers: the fitted ones need no torch, runs do."""

from __future__ import annotations

import importlib.util
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
from tests.measured import NAME_WEIGHTS

from anagnosis.api.searching import load_readers
from anagnosis.errors import InputError
from anagnosis.io.folders import READER_CARD
from anagnosis.searching.answers.readers import load_card, store_card
from anagnosis.searching.entities.ranking import store_name_weights
from anagnosis.searching.records.reader_figures import FORMAT, EvidenceFigures, QuestionTypeFigures, RunCard

TYPES = QuestionTypeFigures(100, 0.8, 0.8, 0.0, 0.0, "invented questions", "2026-01-02")


def test_only_runs_need_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find_spec = importlib.util.find_spec

    def without_torch(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name == "torch" else find_spec(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", without_torch)
    store_name_weights(tmp_path / "names", NAME_WEIGHTS)
    for place in (tmp_path, tmp_path / "names"):
        loaded = load_readers(place).names
        assert loaded is not None
        assert loaded.fitted == NAME_WEIGHTS
    (tmp_path / "evidence").mkdir()
    (tmp_path / "evidence" / "run.json").touch()
    for place in (tmp_path, tmp_path / "evidence"):
        with pytest.raises(InputError, match="needs torch"):
            load_readers(place)


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("gone", "no such folder of readers"),
        ("empty", "no readers in this folder"),
        ("stopped", "no readers in this folder"),
        ("other", "no readers in this folder"),
    ],
)
def test_a_folder_without_readers_names_the_command_that_makes_them(
    tmp_path: Path, name: str, what: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").touch()
    (tmp_path / "stopped" / ".evidence.a1b2c3_4.part").mkdir(parents=True)
    with pytest.raises(InputError) as refused:
        load_readers(tmp_path / name)
    assert str(refused.value).startswith(f"{tmp_path / name}: {what}; ")
    assert str(refused.value).endswith(f"`anagnosis readers make --data DATA --out {tmp_path / name}`")


def test_a_file_or_another_folder_of_ours_is_not_named_as_the_place_of_readers(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    (tmp_path / "index" / "embedded").mkdir(parents=True)
    (tmp_path / "index" / "index.json").write_text("{}")
    for name, what in (("notes.txt", "is a file"), ("index", "is an index")):
        with pytest.raises(InputError) as refused:
            load_readers(tmp_path / name)
        assert str(refused.value) == f"{tmp_path / name}: {what}, not a folder of readers; name the folder"


def test_a_run_that_has_not_earned_its_use_is_left_out_unless_it_is_named_itself(tmp_path: Path) -> None:
    evidence = tmp_path / "readers" / "evidence"
    evidence.mkdir(parents=True)
    figures = EvidenceFigures(100, 500, 0.5, 0.52, -0.06, 0.02, 0.7, 0.7, "invented claims", "2026-01-02")
    earned = EvidenceFigures(100, 500, 0.6, 0.52, 0.02, 0.14, 0.7, 0.7, "invented claims", "2026-01-02")
    store_card(evidence, RunCard(FORMAT, "invented", (earned, figures)))
    # The run itself is not even looked at: there is none.
    assert load_readers(evidence.parent).none_loaded
    with pytest.raises(InputError, match=r"no run\.json here"):
        load_readers(evidence)
    store_card(evidence, RunCard(FORMAT, "invented", (earned,)))
    with pytest.raises(InputError, match=r"no run\.json here"):
        load_readers(evidence.parent)


def test_a_reader_of_evidence_earns_its_use_by_first_sentences_and_may_lose_no_recall() -> None:
    def earned(low: float, recall: float) -> bool:
        return EvidenceFigures(100, 500, 0.6, 0.52, low, 0.2, recall, 0.7, "", "2026-01-02").earned

    assert earned(0.01, 0.7)
    assert not earned(0.0, 0.7)
    assert not earned(0.01, 0.699)


def test_a_damaged_card_is_one_line_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "evidence").mkdir()
    (tmp_path / "evidence" / READER_CARD).write_text('{"format": 1}')
    with pytest.raises(InputError, match="readers make --data DATA --out READERS --replace"):
        load_readers(tmp_path)
    store_card(tmp_path / "evidence", RunCard(FORMAT + 1, "", (TYPES,)))
    with pytest.raises(InputError, match="was made by another version"):
        load_card(tmp_path / "evidence")
