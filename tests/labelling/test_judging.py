"""Judging on pages: each kind shows what its sheet shows, and reads what judges save by the same code."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from anagnosis import api, labelling
from anagnosis.datasets import sheets
from anagnosis.documents.document import Document, Mention, Section
from anagnosis.errors import InputError
from anagnosis.labelling.opened_study import open_study
from anagnosis.labelling.study import Piece
from tests.golden_files import python2, question, written
from tests.labelling.returned_files import page_line, save
from tests.labelling.similar_answers import PAIRS, record
from tests.labelling.studies import ids

TEXT = "[[Odd]] fever and\ncough were seen, but hope was not."


def papers(at: Path, text: str = TEXT) -> Path:
    mentions = (
        Mention(((8, 13),), "fever", "Disease", "MESH:D005334", "Fever"),
        Mention(((8, 13), (18, 23)), "fever cough", "Disease", ""),
    )
    documents = [Document(f"PMC{n}", (Section("title", text),), mentions) for n in range(2)]
    api.write(documents, at / "papers.jsonl", format="jsonl")
    return at / "papers.jsonl"


def statements(at: Path, answer: str = "BRCA1") -> Path:
    asked = [question(n, body=f"Which gene is stopped by {n}?", exact_answer=[answer]) for n in range(4)]
    written(at / "in/8B1_golden.json", python2(asked))
    api.build("bioasq-cloze", [at / "in"], at / "gap")
    return at / "gap"


SOURCES: dict[str, Callable[[Path], Path]] = {
    "entities": papers,
    "statements": statements,
    "similar-answers": record,
}
# The same things, shown otherwise.
OTHERS: dict[str, Callable[[Path], Path]] = {
    "entities": lambda at: papers(at, TEXT.replace("hope", "help")),
    "statements": lambda at: statements(at, "BRCA2"),
    "similar-answers": lambda at: record(at, (("water", "waters"), *PAIRS[1:])),
}
ANSWERS: dict[str, dict[str, str]] = {
    "entities": {"judgement": "right"},
    "statements": {"well_formed": "yes", "same_meaning": "no", "corrected": ""},
    "similar-answers": {"class": "same"},
}


def drawn(
    kind: str, at: Path, count: int = 4, people: Sequence[str] = ("ann,bea",), **how: Any
) -> tuple[Path, Path]:
    """(source, pages)."""
    source = SOURCES[kind](at)
    api.label(source, at / "pages", kind=kind, draw=count, people=people, **how)
    return source, at / "pages"


def judged(source: Path, pages: Path, name: str, *judgements: dict[str, str]) -> None:
    """Save judgements of the first things on the person's page."""
    opened = open_study(source, pages)
    lines = [page_line(opened, name, place, 9.5, **given) for place, given in enumerate(judgements, 1)]
    save(pages, name, lines, f"{opened.kind}-{name}.jsonl")


@pytest.mark.parametrize("kind", SOURCES)
def test_a_draw_for_people_is_that_of_sheets_and_the_same_bytes_again(kind: str, tmp_path: Path) -> None:
    source, pages = drawn(kind, tmp_path)
    before = {path.name: path.read_bytes() for path in pages.iterdir()}
    assert sorted(before) == ["ann.html", "bea.html", "drawn.json"]
    api.label(source, pages, kind=kind, draw=4, people=["ann,bea"])
    assert {path.name: path.read_bytes() for path in pages.iterdir()} == before
    api.label(source, tmp_path / "sheets", kind=kind, draw=4)
    sheet = sorted((tmp_path / "sheets").iterdir())[0]
    assert [*sheets.rows(sheet, ())] == ids(pages)
    with pytest.raises(InputError, match="there are sheets already"):
        api.label(source, pages, kind=kind, draw=3, people=["ann,bea"])


@pytest.mark.parametrize("kind", SOURCES)
def test_judges_on_pages_are_counted_with_kappa(kind: str, tmp_path: Path) -> None:
    source, pages = drawn(kind, tmp_path)
    empty: Any = api.label(source, pages, kind=kind)
    assert [(judge.name, judge.judged) for judge in empty.judges] == [("ann", 0), ("bea", 0)]
    judged(source, pages, "ann", *[ANSWERS[kind]] * 4)
    judged(source, pages, "bea", *[ANSWERS[kind]] * 3)
    found: Any = api.label(source, pages, kind=kind)
    assert (found.drawn, [judge.judged for judge in found.judges]) == (4, [4, 3])
    assert {round(kappa.instances) for kappa in found.kappas.values()} == {3}
    summary = labelling.find(kind).summary(found, source, pages, None)
    assert any("judged by both" in line for line in summary.lines)
    assert summary.counts == {"not judged": {"bea": 1}}
    collected = api.collect(source, pages, tmp_path / "people.jsonl")
    assert [(each.name, each.answered) for each in collected.people] == [("ann", 4), ("bea", 3)]


def test_three_judges_have_the_mean_kappa_of_their_pairs(tmp_path: Path) -> None:
    kind = "entities"
    source, pages = drawn(kind, tmp_path, people=["ann,bea,cleo"])
    for name in ("ann", "bea", "cleo"):
        judged(source, pages, name, *[ANSWERS[kind]] * 4)
    found: Any = api.label(source, pages, kind=kind)
    assert next(iter(found.kappas.values())).pairs == 3
    lines = labelling.find(kind).summary(found, source, pages, None).lines
    assert any("the mean over 3 pairs of judges, 4 judged by both of a pair" in line for line in lines)


@pytest.mark.parametrize("kind", SOURCES)
def test_another_source_and_edited_files_are_one_line(kind: str, tmp_path: Path) -> None:
    source, pages = drawn(kind, tmp_path)
    judged(source, pages, "ann", ANSWERS[kind])
    path = pages / f"{kind}-ann.jsonl"
    line = json.loads(path.read_text())
    path.write_text(json.dumps(line | {"dataset": "0" * 64}))
    with pytest.raises(InputError, match=rf"{kind}-ann\.jsonl:1: an answer to another dataset \(0000"):
        api.label(source, pages, kind=kind)
    path.write_text(json.dumps(line | {next(iter(ANSWERS[kind])).replace("_", " "): "perhaps"}))
    with pytest.raises(InputError, match=rf"{kind}-ann\.jsonl:1: .* cannot be 'perhaps'"):
        api.label(source, pages, kind=kind)
    path.unlink()
    (tmp_path / "other").mkdir()
    with pytest.raises(InputError, match="the sheets were drawn from another source; name the one that they"):
        api.label(OTHERS[kind](tmp_path / "other"), pages, kind=kind)


def test_an_entity_is_marked_in_its_context_and_brackets_of_the_text_are_none(tmp_path: Path) -> None:
    source, pages = drawn("entities", tmp_path)
    opened = open_study(source, pages)
    shown = {each.id: each for each in opened.studies[opened.people[0]].questions}
    assert shown["PMC0:8-13,18-23"].passage == (
        (
            Piece("[[Odd]] "),
            Piece("fever", marked=True),
            Piece(" and\n"),
            Piece("cough", marked=True),
            Piece(" were seen, but hope was not."),
        ),
    )
    assert shown["PMC0:8-13"].known == (
        ("Type:", "Disease"),
        ("Concept:", "MESH:D005334"),
        ("Name:", "Fever"),
    )
    assert shown["PMC0:8-13,18-23"].known == (("Type:", "Disease"),)
    assert (pages / "ann.html").read_text().count("<mark><bdi>fever</bdi></mark>") == 4


def test_judges_who_contradict_each_other_make_no_dataset(tmp_path: Path) -> None:
    source, pages = drawn("statements", tmp_path)
    judged(source, pages, "ann", {"well_formed": "yes", "same_meaning": "yes", "corrected": ""})
    opened = open_study(source, pages)
    first = next(iter(opened.questions(opened.people[0]).places))
    place = opened.questions(opened.people[1]).places[first][0]
    lines = [page_line(opened, "bea", place, 1, well_formed="no", same_meaning="yes", corrected="")]
    save(pages, "bea", lines, "statements-bea.jsonl")
    with pytest.raises(InputError, match=rf"the judges contradict each other about 1 statements \({first}"):
        api.label(source, pages, kind="statements", out=tmp_path / "out")
    assert not (tmp_path / "out").exists()
    lines[0] |= {"well formed": "yes", "seconds": 2}
    save(pages, "bea", lines, "statements-bea.jsonl")
    assert api.label(source, pages, kind="statements", out=tmp_path / "out").dataset is not None
