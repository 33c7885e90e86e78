"""Judging entities: what a judge sees, the shares with their intervals, kappa of two, and faults in one line."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest

from anagnosis import api
from anagnosis.documents.document import Document, Mention, Section
from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import wilson
from anagnosis.labelling.entities import COLUMN, JUDGEMENTS
from anagnosis.labelling.judging import Judged

TEXT = "=Fever and cough were seen, but =1+1 was not."
FEVER = Mention(((1, 6),), "Fever", "Disease", "MESH:D005334", "Fever")
BOTH = Mention(((1, 16),), "Fever and cough", "Disease", "-")
PARTS = Mention(((1, 6), (11, 16)), "Fever cough", "Disease", "")
SUM = Mention(((32, 36),), "=1+1", "Chemical", "@cmd")


def written(path: Path, documents: Sequence[Document]) -> Path:
    api.write(documents, path, format="jsonl")
    return path


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    each = (Section("title", TEXT),)
    many = [Document(f"PMC{n}", each, (FEVER, BOTH, PARTS, SUM, FEVER)) for n in range(25)]
    return written(tmp_path / "papers.jsonl.gz", many)


def rows(path: Path) -> list[dict[str, str]]:
    lines = path.read_text("utf-8-sig").splitlines(keepends=True)
    return list(csv.DictReader(line for line in lines if not line.lstrip('"').startswith("#")))


def judged(path: Path, judgements: Sequence[str]) -> None:
    """Fill in a sheet as a spreadsheet of a country with semicolons saves it."""
    given = rows(path)
    with path.open("w", newline="", encoding="utf-8-sig") as stream:
        writer = csv.DictWriter(stream, list(given[0]), delimiter=";")
        writer.writeheader()
        for row, judgement in zip(given, judgements, strict=True):
            writer.writerow({**row, "judgement": judgement})


def test_a_judge_sees_each_entity_in_its_context(papers: Path, tmp_path: Path) -> None:
    made = api.label(papers, tmp_path / "s", kind="entities", draw=100)
    assert made == Judged(100)
    first = rows(tmp_path / "s/judge-1.csv")
    assert len({row["id"] for row in first}) == 100  # the mention that stands twice is one entity
    fever = next(row for row in first if row["id"] == "PMC3:1-6")
    assert fever == {
        "id": "PMC3:1-6",
        "context": "'=[[Fever]] and cough were seen, but =1+1 was not.",
        "entity": "Fever",
        "type": "Disease",
        "concept": "MESH:D005334",
        "name": "Fever",
        "judgement": "",
    }
    parts = next(row for row in first if row["id"] == "PMC3:1-6,11-16")
    assert parts["context"] == "'=[[Fever]] and [[cough]] were seen, but =1+1 was not."
    assert (tmp_path / "s/judge-2.csv").read_bytes() == (tmp_path / "s/judge-1.csv").read_bytes()
    instructions = (tmp_path / "s/judge-1.csv").read_text("utf-8-sig")
    assert all(f"# {name}: {meaning}" in instructions for name, meaning in JUDGEMENTS.items())


def test_long_texts_are_cut_at_words(tmp_path: Path) -> None:
    text = "word " * 100 + "measles" + " word" * 100
    paper = Document("1", (Section("title", text),), (Mention(((500, 507),), "measles", "Disease", "X"),))
    api.label(written(tmp_path / "p.jsonl", [paper]), tmp_path / "s", kind="entities", draw=1)
    (row,) = rows(tmp_path / "s/judge-1.csv")
    assert row["context"].startswith("… word word")
    assert row["context"].endswith("word word …")
    assert " [[measles]] " in row["context"]
    assert len(row["context"]) < 260


def test_shares_have_intervals_and_two_judges_a_kappa(papers: Path, tmp_path: Path) -> None:
    sheets = tmp_path / "s"
    api.label(papers, sheets, kind="entities", draw=10)
    judged(sheets / "judge-1.csv", ["right"] * 6 + ["coordinated", "verb", " Pre-modifier ", ""])
    one = api.label(papers, sheets, kind="entities")
    assert (one.drawn, one.kappas) == (10, {})
    assert [judge.judged for judge in one.judges] == [9, 0]
    assert {name: share.value for name, share in one.judges[0].shares.items()} == pytest.approx(
        {"right": 6 / 9, "coordinated": 1 / 9, "verb": 1 / 9, "pre-modifier": 1 / 9, "other": 0}
    )
    low, high = one.judges[0].shares["right"].interval.low, one.judges[0].shares["right"].interval.high
    alone = wilson(6 / 9, 9)
    assert low <= alone.low < 6 / 9 < alone.high <= high  # by document, never narrower
    judged(sheets / "judge-2.csv", ["right"] * 5 + ["verb"] * 3 + ["", "right"])
    both = api.label(papers, sheets, kind="entities")
    # judged by both: 8; they agree on 5 right and 1 verb; by chance on 6 * 5 / 64 right and 1 * 3 / 64 verb
    assert both.kappas[COLUMN].value == pytest.approx((6 / 8 - 33 / 64) / (1 - 33 / 64))
    assert both.kappas[COLUMN].instances == 8


def test_what_cannot_be_drawn_or_read_is_refused(papers: Path, tmp_path: Path) -> None:
    bare = written(tmp_path / "bare.jsonl", [Document("1", (Section("title", "No entity."),))])
    with pytest.raises(
        InputError, match="1 entities are asked for, the papers have 0; annotate the papers first"
    ):
        api.label(bare, tmp_path / "s", kind="entities", draw=1)
    with pytest.raises(InputError, match="101 entities are asked for, the papers have 100; draw fewer"):
        api.label(papers, tmp_path / "s", kind="entities", draw=101)
    with pytest.raises(InputError, match="no such sheet; draw sheets with `anagnosis label draw`"):
        api.label(papers, tmp_path / "s", kind="entities")
    api.label(papers, tmp_path / "s", kind="entities", draw=2)
    with pytest.raises(InputError, match="2 entities of the sheets are not in these papers"):
        api.label(bare, tmp_path / "s", kind="entities")
    with pytest.raises(InputError, match="there are sheets already"):
        api.label(papers, tmp_path / "s", kind="entities", draw=3)
    with pytest.raises(InputError, match="judgements of entities make no dataset"):
        api.label(papers, tmp_path / "s", kind="entities", out=tmp_path / "o")
    with pytest.raises(InputError, match="unknown kind of sheets 'entity'"):
        api.label(papers, tmp_path / "s", kind="entity")
