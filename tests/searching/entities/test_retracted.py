"""Retracted papers and notices: evidence of a name only where no other paper has it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests import measured

from anagnosis.documents.document import Document, Section
from anagnosis.language.question_kinds import FACTOID, LIST
from anagnosis.reports import render
from anagnosis.reports.search.results import ask_report
from anagnosis.searching.answers.asking import ask, highlighted
from anagnosis.searching.answers.readers import Readers
from anagnosis.searching.entities.naming import Namer
from anagnosis.searching.index.index import Index, create_index
from anagnosis.searching.records.answers import Exact

QUESTION = "Which gene is mutated in Trunova disease?"
SOUND, RETRACTED, NOTICE = {"year": "2020"}, {"retracted": "9"}, {"notice_of": "9"}
FALSE = [(f"ZAP1 is mutated in Trunova disease, says trial {n}.", RETRACTED) for n in range(3)]
Papers = list[tuple[str, dict[str, str]]]


def indexed(folder: Path, papers: Papers) -> Index:
    index, tally = create_index(folder), Counter[str]()
    for number, (text, facts) in enumerate(papers):
        index.add(Document(str(number), (Section("abstract", text),), facts=facts), tally)
    index.commit()
    return index


def asked(folder: Path, papers: Papers, kind: str = FACTOID) -> Exact | None:
    index = indexed(folder, papers)
    given = Namer(held_out=measured.NAMES).answer(
        index, QUESTION, kind, highlighted(index, QUESTION, index.search(QUESTION))
    )
    index.close()
    return given


@pytest.mark.parametrize("facts", [RETRACTED, NOTICE])
@pytest.mark.parametrize("kind", [FACTOID, LIST])
def test_a_name_of_retracted_papers_comes_behind_what_others_name(
    tmp_path: Path, facts: dict[str, str], kind: str
) -> None:
    papers = [(text, facts) for text, _ in FALSE]
    given = asked(tmp_path / "a", [*papers, ("TRN7 is mutated in Trunova disease.", SOUND)], kind)
    assert given is not None
    assert given.answers[0].text == "TRN7"
    told = {one.text: bool([each.kind for each in one.evidence.passage.notices]) for one in given.answers}
    assert told["ZAP1"]
    assert not told["TRN7"]
    assert list(told.values()) == sorted(told.values()), "what counts comes first"
    sure = [one.confidence for one in given.answers]
    assert sure == sorted(sure, reverse=True)


def test_a_name_that_a_sound_paper_has_is_ranked_and_quoted_by_sound_papers_alone(tmp_path: Path) -> None:
    sound = [
        ("Adults of many families in which ZAP-1 or tea was mutated had Trunova disease.", SOUND),
        ("TRN7 is mutated in Trunova disease.", SOUND),
    ]
    index = indexed(tmp_path / "index", [*FALSE, *sound])
    found = highlighted(index, QUESTION, index.search(QUESTION))
    counted = [each for each in found if not [each.kind for each in each.passage.notices]]
    given, without = (
        Namer(held_out=measured.NAMES).answer(index, QUESTION, FACTOID, own) for own in (found, counted)
    )
    index.close()
    assert given is not None
    assert without is not None
    assert (len(counted), len(found)) == (2, 5)
    assert given.answers[: len(without.answers)] == without.answers
    assert "ZAP-1" in {one.text for one in without.answers}
    assert "ZAP1" not in {one.text for one in given.answers}


def test_where_nothing_else_names_anything_the_name_has_its_mark(tmp_path: Path) -> None:
    given = asked(tmp_path / "a", [*FALSE, ("It is mutated in Trunova disease.", SOUND)])
    assert given is not None
    assert given.answers[0].text == "ZAP1"
    assert [each.kind for each in given.answers[0].evidence.passage.notices] == ["retracted"]


def test_an_expression_of_concern_counts(tmp_path: Path) -> None:
    papers = [(text, {"expression_of_concern": "9"}) for text, _ in FALSE]
    given = asked(tmp_path / "a", [*papers, ("Tea is mutated in Trunova disease.", SOUND)])
    assert given is not None
    assert given.answers[0].text == "ZAP1"


def test_the_terminal_says_the_mark_before_the_sentence(tmp_path: Path) -> None:
    index = indexed(tmp_path / "index", [("ZAP1 is the gene that is mutated in Trunova disease.", RETRACTED)])
    answered = ask(index, QUESTION, readers=Readers(exact=Namer(held_out=measured.NAMES)))
    told = " ".join(render(ask_report(answered), ".txt").split())
    index.close()
    assert "note: RETRACTED" in told[told.index("1. ZAP1") : told.index("in: ZAP1 is the gene")]
