"""The text of a paper: white space, labels inside running text, texts of mentions."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from tests.rows import each_row

from anagnosis.documents.text import is_normalised, split_at_labels, tidied, unescaped


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one two", "one two"),
        ("one  two", "one two"),
        ("one\ttwo", "one two"),
        ("one\rtwo", "one two"),
        ("one\n two \t three", "one two three"),
        (" one ", "one"),
        ("\n", ""),
        ("one\u2009 two\u00a0", "one\u2009 two\u00a0"),
    ],
)
def test_a_run_of_blanks_tabs_and_line_ends_is_one_blank(text: str, expected: str) -> None:
    assert tidied(text) == expected


def join_with_labels(parts: Iterable[tuple[str, str]]) -> str:
    """Parts as running text, as PubMed prints a structured abstract."""
    return " ".join(f"{label}: {text}" if label else text for label, text in parts).strip(" ")


# text → its labels
CUT = [
    ("BACKGROUND: Why. METHODS: How. RESULTS: What.", ["BACKGROUND", "METHODS", "RESULTS"]),
    ("AIM: Why. PATIENTS & METHODS: How.", ["AIM", "PATIENTS & METHODS"]),
    ("CONTEXT: Why? MAIN OUTCOME MEASURE(S): Which! CONCLUSIONS/IMPACT: So.", None),
    ("Background: Why. Materials and Methods: How. Results: What.", None),
    ("OBJECTIVE: A (B.) METHODS: C.", ["OBJECTIVE", "METHODS"]),
    ("PURPOSE: It costs 5 vs. 6. RESULTS: none", ["PURPOSE", "RESULTS"]),
    ("BUTS: Pourquoi. MÉTHODES: Comment.", ["BUTS", "MÉTHODES"]),
    ("SUMMARY: All of it.", ["SUMMARY"]),
    ("Conclusion: All of it.", ["Conclusion"]),
    ("RESULTS: One. TRIAL REGISTRATION:", ["RESULTS", "TRIAL REGISTRATION"]),
]
UNCUT = [
    "",
    "A plain text.",
    "DNA: the molecule.",
    "We asked. RESULTS: none. CONCLUSIONS: none.",
    "Results were good. Conclusions: none.",
    "Purpose To evaluate. Materials and Methods In accordance.",
    "Background and Purpose- Something. Methods- Another.",
    "OBJECTIVEThe role. METHODSAll patients.",
    "http://example.org: a page.",
]


@each_row(("text", "labels"), CUT, ids=[row[0][:20] for row in CUT])
def test_text_is_cut_at_its_labels(text: str, labels: list[str] | None) -> None:
    parts = split_at_labels(text)
    assert join_with_labels(parts).rstrip() == text
    if labels is None:
        assert len(parts) == text.count(":")
    else:
        assert [label for label, _ in parts] == labels


@each_row("text", UNCUT, ids=[text[:20] or "empty" for text in UNCUT])
def test_text_that_does_not_begin_with_a_heading_is_not_cut(text: str) -> None:
    assert split_at_labels(text) == [("", text)]


def test_what_looks_like_a_label_inside_a_sentence_is_text() -> None:
    text = "METHODS: We used DNA: 3 ng, and: so on. RESULTS: ratio 1: 2."
    assert split_at_labels(text) == [
        ("METHODS", "We used DNA: 3 ng, and: so on."),
        ("RESULTS", "ratio 1: 2."),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cxcr 1", "CXCR-1"),
        ("TNF-a", "TNF-α"),
        ("TNF alpha", "TNF  alpha"),
        ("IL1b", "IL-1β"),
        ("alpha", "ALPHA"),
        ("1/2", "½"),
        ("H2O", "H₂O"),
        ("5 mm", "5 µM"),
        ("IL-1b", "IL-1ß"),
        ("TGFb1", "TGFß1"),
        ("TGF-bRII", "TGFßRII"),
        ("b-TrCP", "ßTrCP"),
        ("Gross strasse", "Groß Straße"),
        ("Sjogren", "Sjögren"),
        ("Sorensen", "Sørensen"),
        ("TNF-a", "TNF-ɑ"),
        ("DF508", "∆F508"),
        ("5xFAD", "5×FAD"),
        ("SARS CoV 2", "SARS‐CoV‑2"),
    ],
)
def test_case_separators_compatibility_forms_accents_and_greek_letters_are_folded_away(
    text: str, words: str
) -> None:
    assert is_normalised(text, words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("IL-1a", "IL-1ß"),
        ("grob", "groß"),
        ("mabe", "Maße"),
        ("zinc", "iron"),
        ("zinc", "zinc2"),
        ("", "zinc"),
        ("zinc", ""),
        ("-", "+"),
        ("", ""),
    ],
)
def test_other_words_and_nothing_are_no_normalised_form(text: str, words: str) -> None:
    assert not is_normalised(text, words)


UNESCAPED = {
    "A <i>MUTYH</i> variant &amp; zinc: H<sub>2</sub>O": "A MUTYH variant & zinc: H2O",
    "&lt;jats:p&gt;One.&lt;/jats:p&gt;&lt;jats:p&gt;Two &amp;amp; three&lt;/jats:p&gt;": "One. Two & three",
    '<span class="a">x</span><br/>y': "x y",
    "p&#345;íjmu &alpha;-1 &#xe9;&#10;x&nbsp;y": "příjmu α-1 é x\xa0y",
    "p &lt; 0.05": "p < 0.05",
    **{
        kept: kept
        for kept in (
            "Is p < 0.05 and n > 3", "if a<b and c>d", "a<b>c", "p<q> </q>", "<script>y</script>", "AT&T; R&D;",
            "&#0; &#1; &bogus; &ampfoo; &lt", "one\ttwo  three\nfour < five",
        )
    },
}  # fmt: skip


@each_row("text", UNESCAPED)
def test_known_markup_that_was_escaped_is_decoded_and_nothing_else(text: str) -> None:
    assert unescaped(text) == UNESCAPED[text]
