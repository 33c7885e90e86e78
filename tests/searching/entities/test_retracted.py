"""Retracted papers and notices give no names."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.measured import NAME_WEIGHTS

from anagnosis.documents.document import Document, Section
from anagnosis.language.question_kinds import FACTOID, LIST
from anagnosis.searching.answers.asking import highlighted
from anagnosis.searching.entities.naming import NamesReader
from anagnosis.searching.index.index import Index, create_index
from anagnosis.searching.records.expansion import Topic
from anagnosis.searching.records.names import NONE_SURE, Names

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


def asked(folder: Path, papers: Papers, kind: str = FACTOID) -> Names:
    index = indexed(folder, papers)
    hits = highlighted(index, Topic(QUESTION), index.search(QUESTION))
    given = NamesReader(NAME_WEIGHTS).answer(index, Topic(QUESTION), kind, hits)
    index.close()
    return given


@pytest.mark.parametrize("facts", [RETRACTED, NOTICE])
@pytest.mark.parametrize("kind", [FACTOID, LIST])
def test_retracted_papers_and_notices_give_no_names(tmp_path: Path, facts: dict[str, str], kind: str) -> None:
    papers = [(text, facts) for text, _ in FALSE]
    given = asked(tmp_path / "a", [*papers, ("TRN7 is mutated in Trunova disease.", SOUND)], kind)
    assert given.answers[0].text == "TRN7"
    assert "ZAP1" not in {one.text for one in given.answers}
    assert asked(tmp_path / "b", papers, kind) == Names(off=NONE_SURE)


def test_an_expression_of_concern_counts(tmp_path: Path) -> None:
    papers = [(text, {"expression_of_concern": "9"}) for text, _ in FALSE]
    given = asked(tmp_path / "a", [*papers, ("Tea is mutated in Trunova disease.", SOUND)])
    assert given.answers[0].text == "ZAP1"
