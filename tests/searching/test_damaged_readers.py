"""The readers of `ask` are verified before they are believed: sixty faults each end in one line or change nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests import damage
from tests.measured import NAME_WEIGHTS
from tests.readers.tiny_readers import dataset
from tests.web.readers import stances

pytest.importorskip("torch", reason="the extra train is not installed")

from anagnosis import api
from anagnosis.datasets.kinds.table import EVIDENCE, QUESTION
from anagnosis.language.question_kinds import FACTOID
from anagnosis.reports import render
from anagnosis.reports.records import report
from anagnosis.searching.answers.asking import highlighted
from anagnosis.searching.answers.readers import load_readers
from anagnosis.searching.conclusions.listing import conclusions
from anagnosis.searching.conclusions.stance import store_stance_reader
from anagnosis.searching.entities.ranking import store_name_weights
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.expansion import Topic

QUESTIONS = ("Does cold tea change sleep?", "Which protein rose in fever?")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All four readers, calibrated and measured."""
    at = tmp_path_factory.mktemp("readers")
    readers = at / "readers"
    small = {"epochs": 2, "hidden": 4}
    store_stance_reader(readers / "stance", stances().fitted)
    made = {
        kind: dataset(at / kind, signal=True, kind=kind, train=40, dev=40) for kind in (EVIDENCE, QUESTION)
    }
    api.train("evidence-sentence-features", made[EVIDENCE], readers / "evidence", settings=small, threads=1)
    api.calibrate(readers / "evidence", made[EVIDENCE])
    kinds = readers / "question-type"
    api.train("bioasq-question-type", made[QUESTION], kinds, settings=small, threads=1)
    store_name_weights(readers / "names", NAME_WEIGHTS)
    return readers


@pytest.mark.parametrize("faults", [15, pytest.param(damage.FAULTS, marks=pytest.mark.slow)])
def test_damaged_readers_end_in_one_line_or_answer_the_same(
    faults: int, folder: Path, index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANAGNOSIS_QUIET", "1")

    def answers(readers: Path) -> list[str]:
        loaded = load_readers(readers, "cpu")
        pages = [render(report(api.ask(index, asked, readers=loaded)), ".txt") for asked in QUESTIONS]
        assert loaded.stance is not None
        assert loaded.names is not None
        found = highlighted(index, Topic(QUESTIONS[0]), index.search(QUESTIONS[0]))
        concluded = conclusions(index, Topic(QUESTIONS[0]), found, loaded.stance)
        names = loaded.names.answer(index, Topic(QUESTIONS[0]), FACTOID, found)
        return [*pages, *map(loaded.kind, QUESTIONS), repr(concluded), repr(names)]

    whole = answers(folder)
    assert "stance='" in whole[-2]
    assert "forty adults" in whole[-1]
    (tmp_path / "scratch").mkdir()
    refused, unharmed = damage.check(folder, tmp_path / "scratch", answers, faults=faults)
    assert refused > faults // 2
    assert unharmed
