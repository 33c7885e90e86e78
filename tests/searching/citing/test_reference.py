"""Citations as text: the paper in one line, a sentence with its paper, names in short."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row
from tests.searching.citing.references import REFERENCES, WHOLE

from anagnosis.searching.citing.reference import Reference, citation, citation_of_sentence, short_name

LINE = (
    "[RETRACTED (33)] Hellinger FR Jr, van der Bergé J-P, Salt and Sea Study Group. Salt & <Sea>: 50% of {IL-6}_x in "
    "the USA? Journal of Salt 2016;12(Suppl 1):817-20. PMID 27000083. doi:10.1002/(SICI)1096<1::AID-A_1>3.0.CO;2-1"
)


def test_a_paper_is_cited_in_one_line_with_its_retraction_first() -> None:
    assert citation(WHOLE) == LINE


def test_more_than_three_authors_are_et_al() -> None:
    four = msgspec.structs.replace(WHOLE, authors=("A, B", "C, D", "E, F", "G, H"), notices=())
    assert citation(four).startswith("A B, C D, E F, et al. Salt")


def test_a_sentence_is_cited_in_quotes_with_its_section_in_one_line() -> None:
    assert citation_of_sentence(WHOLE, "It\nhelped.", "results") == f"“It helped.” (results) {LINE}"


@each_row(
    ("fields", "expected"),
    [
        ({}, "7."),
        ({"title": "Salt."}, "Salt."),
        ({"title": "Salt", "date": "2016-03"}, "Salt. 2016."),
        ({"title": "Salt", "journal": "J.", "volume": "3"}, "Salt. J;3."),
        ({"title": "Salt", "journal": "J", "issue": "2", "pages": "e1"}, "Salt. J;(2):e1."),
        ({"title": "Salt", "pages": "e1"}, "Salt."),
        ({"title": "Salt", "pmcid": "PMC7"}, "Salt. PMC7."),
    ],
)
def test_what_is_unknown_leaves_no_trace(fields: dict[str, str], expected: str) -> None:
    assert citation(Reference(id="7", **fields)) == expected  # pyright: ignore[reportArgumentType]


@each_row(
    ("author", "short"),
    [
        ("Hellinger, Frank R Jr", "Hellinger FR Jr"),
        ("Hellinger, FR", "Hellinger FR"),
        ("Hellinger, F. R.", "Hellinger FR"),
        ("van der Berg, Jean-Pierre", "van der Berg J-P"),
        ("van der Berg, J-P", "van der Berg J-P"),
        ("Ünal, Éva", "Ünal É"),
        ("Salt Study Group", "Salt Study Group"),
        ("Mononym", "Mononym"),
        ("LI, WEI", "LI WEI"),
        ("LI, JEAN PAUL", "LI JP"),
    ],
)
def test_given_names_are_initials(author: str, short: str) -> None:
    assert short_name(author) == short


@given(REFERENCES, st.text(max_size=40), st.text(max_size=10))
def test_any_citation_is_one_line(paper: Reference, sentence: str, section: str) -> None:
    written = citation_of_sentence(paper, sentence, section)
    assert len(written.splitlines()) == 1
    assert not any(each in written for each in "\x00\u202e\u2028")
