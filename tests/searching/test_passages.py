"""Passages are verbatim pieces of sections, and every section is covered."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.documents.document import Document, Section
from anagnosis.searching.passages import LONGEST, LONGEST_TITLE, SECTIONS, passages, pieces_of, section_name

TEXT = st.text(st.sampled_from("ab .?!\n)β"), max_size=200)


@given(TEXT, st.integers(1, 40))
def test_pieces_are_the_text_in_order_without_a_gap(text: str, longest: int) -> None:
    pieces = list(pieces_of(text, longest))
    assert "".join(pieces) == text
    assert all(0 < len(piece) <= longest for piece in pieces)


def test_a_long_section_is_cut_behind_a_sentence() -> None:
    text = "One two three four. " * 400
    first, *rest = pieces_of(text)
    assert first.endswith(". ")
    assert LONGEST // 2 < len(first) <= LONGEST
    assert rest


@given(st.lists(st.tuples(st.sampled_from(["abstract", "body", "figure"]), TEXT), max_size=4))
def test_every_passage_stands_in_its_section(parts: list[tuple[str, str]]) -> None:
    document = Document("7", (Section("title", "T"), *(Section(label, text) for label, text in parts)))
    found = passages(document)
    assert [one.number for one in found] == sorted({one.number for one in found})
    assert all(any(one.text in text for _, text in parts) for one in found if one.section != "title")
    kept = [one.text for one in found if one.section != "title"]
    assert "".join("".join(kept).split()) == "".join("".join(text for _, text in parts).split())


def test_a_title_alone_is_a_passage_and_nothing_is_none() -> None:
    (only,) = passages(Document("1", (Section("title", "Salt"),)))
    assert (only.section, only.text, only.title) == ("title", "Salt", "Salt")
    assert passages(Document("1", (Section("title", " "), Section("abstract", "\n")))) == []
    (title,) = passages(Document("1", (Section("title", "Salt"), Section("abstract", " \n"))))
    assert title.text == "Salt"
    (long,) = passages(Document("1", (Section("title", "word " * 1000), Section("abstract", "Salt."))))
    assert len(long.title) == LONGEST_TITLE


@each_row(
    ("text", "read"),
    [
        ("It fell.(ABSTRACT TRUNCATED AT 250 WORDS)", "It fell."),
        ("It fell (p<.01) (ABSTRACT TRUNCATED AT 400 WORDS). ", "It fell (p<.01)"),
        ("It fell. (ABSTRACT TRUNCATED)", "It fell."),
        ("UNLABELLED: It fell.", "It fell."),
        ("It fell.   (ABSTRACT TRUNCATED)", "It fell."),
        (
            "The (ABSTRACT TRUNCATED AT 250 WORDS) is a note.",
            "The (ABSTRACT TRUNCATED AT 250 WORDS) is a note.",
        ),
    ],
)
def test_what_medline_says_of_an_abstract_is_no_text_of_it(text: str, read: str) -> None:
    for title in ("", "UNLABELLED", "METHODS"):
        (one,) = passages(Document("1", (Section("title", "T"), Section("abstract", text, title))))
        assert (one.text, one.heading) == (read, title.replace("UNLABELLED", ""))


def test_blanks_without_end_are_read_at_once() -> None:
    text = "It fell" + " " * 1_000_000 + "(ABSTRACT TRUNCATED)" * 10_000 + " ."
    first = passages(Document("1", (Section("title", "T"), Section("abstract", text))))[0]
    assert first.text.startswith("It fell")


def test_what_stands_behind_the_text_is_no_passage() -> None:
    parts = (
        Section("body", "Text."),
        Section("back", "Thanks to all.", "Funding"),
        Section("supplementary", "A file."),
    )
    assert [one.text for one in passages(Document("1", (Section("title", "T"), *parts)))] == ["Text."]


@each_row(
    ("section", "name"),
    [
        (Section("abstract", "x"), "abstract"),
        (Section("abstract", "x", "FINDINGS", "RESULTS"), "results"),
        (Section("abstract", "x", "Interpretation"), "conclusion"),
        (Section("abstract", "x", "UNTERSUCHUNG", "UNASSIGNED"), "abstract"),
        (Section("body", "x", "Results › Comparison of methods"), "results"),
        (Section("body", "x", "Statistical analysis › Results"), "methods"),
        (Section("body", "x", "Results and discussion"), "results"),
        (Section("body", "x", "Patients and methods"), "methods"),
        (Section("body", "x", "A heading", "materials|methods"), "methods"),
        (Section("body", "x", "Tea"), "other"),
        (Section("figure", "x", "Figure 1"), "figure"),
        (Section("fig_caption", "x"), "figure"),
        (Section("table", "x"), "table"),
        (Section("title", "Results of a trial"), "title"),
        (Section("intro", "x"), "background"),
        (Section("concl", "x"), "conclusion"),
        (Section("methods", "x"), "methods"),
        (Section("body", "x", "Case report"), "case"),
        (Section("table_cells", "x", "Table 1"), "table"),
        (Section("body", "x", "Experimental results"), "results"),
        (Section("body", "x", "Patient outcomes"), "results"),
        (Section("body", "x", "Study limitations"), "limitations"),
        (Section("body", "x", "Limitations of the study"), "limitations"),
        (Section("body", "x", "Statistical significance"), "methods"),
        (Section("body", "x", "Strength training"), "other"),
        (Section("body", "x", "Background and aims"), "background"),
        (Section("box", "x", "Key points"), "conclusion"),
        (Section("note", "x", "User's notes"), "note"),
    ],
)
def test_a_section_has_one_of_a_dozen_names(section: Section, name: str) -> None:
    assert section_name(section) == name
    assert name in SECTIONS
