"""Entities in the snippets of questions."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.datasets.kinds.question import QuestionInstance, Snippet
from anagnosis.errors import InputError
from anagnosis.readers.answers.cloze_passages import Entity
from anagnosis.readers.answers.mentions import candidate_entities, entities_by, without_overlaps

ADDRESS = "http://www.ncbi.nlm.nih.gov/pubmed/"
ABSTRACT = "Gefitinib is a drug. Gefitinib blocks EGFR in lung cancer."
PUBTATOR = f"""7|t|A title.
7|a|{ABSTRACT}
7\t9\t18\tGefitinib\tChemical\tMESH:D000077156
7\t30\t39\tGefitinib\tChemical\tMESH:D000077156
7\t47\t51\tEGFR\tGene\t1956
7\t55\t66\tlung cancer\tDisease\t-

"""


def snippet(text: str, begin: int | None = None, pmid: str = "7") -> Snippet:
    return Snippet(ADDRESS + pmid, "abstract", begin, "abstract", None, text)


def named(made: list[Entity], text: str) -> list[tuple[str, str]]:
    return [(text[entity.begin : entity.end], entity.key) for entity in made]


def questions(*snippets: Snippet) -> list[QuestionInstance]:
    return [QuestionInstance("q", "factoid", "What?", snippets=snippets)]


def test_none_has_none() -> None:
    assert entities_by("none", ())(snippet("EGFR binds EGF.")) == []


def test_candidates_are_whole_phrases_and_equal_names_are_one_entity() -> None:
    text = "The EGFR kinases bind EGF. An EGFR kinase is a target."
    made = candidate_entities(snippet(text))
    assert named(made, text) == [
        ("EGFR kinases", "egfrkinase"),
        ("EGF", "egf"),
        ("EGFR kinase", "egfrkinase"),
        ("target", "target"),
    ]


def test_of_overlapping_ones_the_longest_stays_then_the_first() -> None:
    places = [
        Entity(0, 4, "a"),
        Entity(3, 9, "b"),
        Entity(9, 12, "c"),
        Entity(10, 13, "d"),
        Entity(8, 9, "e"),
    ]
    assert without_overlaps(places) == [Entity(3, 9, "b"), Entity(9, 12, "c")]


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 6)), max_size=8))
def test_none_overlap_and_none_that_fits_is_missing(rows: list[tuple[int, int]]) -> None:
    every = [Entity(begin, begin + length, "") for begin, length in rows]
    kept = without_overlaps(every)
    assert all(one.end <= other.begin for one, other in pairwise(kept))
    assert all(any(one.begin < other.end and other.begin < one.end for other in kept) for one in every)


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "mentions.pubtator").write_text(PUBTATOR)
    return str(tmp_path / "mentions.pubtator")


def test_a_files_mentions_are_those_of_the_snippets_place(file: str) -> None:
    text = "Gefitinib blocks EGFR in lung cancer."
    asked = snippet(text, begin=21)
    made = entities_by(file, questions(asked))(asked)
    assert named(made, text) == [
        ("Gefitinib", "MESH:D000077156"),
        ("EGFR", "1956"),
        ("lung cancer", "cancerlung"),
    ]


def test_a_wrong_offset_is_searched_and_a_cut_mention_is_left_out(file: str) -> None:
    asked = snippet("blocks EGFR in lung", begin=3)
    assert named(entities_by(file, questions(asked))(asked), asked.text) == [("EGFR", "1956")]


def test_snippets_without_mentions_are_counted(file: str, capfd: pytest.CaptureFixture[str]) -> None:
    asked = [snippet("EGFR"), snippet("EGFR", pmid="8"), snippet("KRAS"), snippet("KRAS", pmid="9")]
    entities = entities_by(file, questions(*asked))
    assert [len(entities(each)) for each in asked] == [1, 0, 0, 0]
    message = "mentions.pubtator: 2 of 4 snippets are from documents that it lacks, 1 do not occur in their documents"
    assert message in capfd.readouterr().err


def test_an_unknown_source_is_refused() -> None:
    with pytest.raises(InputError, match="unknown source of mentions 'candidate'; did you mean candidates"):
        entities_by("candidate", ())
    with pytest.raises(InputError, match=r"none\.txt"):
        entities_by("/tmp/there-is/none.txt", ())
