"""JATS: full texts. Sections, captions, tables and boxes told apart, nothing mixed, nothing lost."""

from __future__ import annotations

import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row
from tests.truncated import up_to_the_break

from anagnosis import api
from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.jats import format as jats
from anagnosis.documents.repairs import Repairs
from anagnosis.io.archives import open_each
from anagnosis.recipes.load import load

SAMPLES = Path(__file__).parents[3] / "samples" / "jats"
FRONT = (
    '<front><article-meta><article-id pub-id-type="pmid">1</article-id><title-group><article-title>Salt'
    "</article-title></title-group></article-meta></front>"
)


def read(data: str | bytes, name: str = "ours.xml") -> tuple[list[Document], Repairs]:
    repairs = Repairs()
    stream = io.BytesIO(data.encode() if isinstance(data, str) else data)
    return up_to_the_break(jats.read_full_text(stream, repairs, name), repairs), repairs


def told(behind: str) -> list[tuple[str, str, str]]:
    """(label, title, text) of what stands behind the front matter."""
    (document,), counted = read(f"<article>{FRONT}{behind}</article>")
    assert not counted.refused
    return [(part.label, part.title, part.text) for part in document.sections[1:]]


def body(inside: str) -> list[tuple[str, str, str]]:
    return told(f"<body>{inside}</body>")


SECTIONS = [
    (
        '<sec><title>Methods<xref ref-type="fn" rid="n1">*</xref></title><p>We asked.</p></sec>',
        [("body", "Methods", "We asked.")],
    ),
    ("<p>One.</p><p>Two.</p>", [("body", "", "One.\nTwo.")]),
    ("<sec><title>Aim.</title><p>One.</p></sec>", [("body", "Aim", "One.")]),
    ("<sec><label>1</label><title>Aim</title><p>One.</p></sec>", [("body", "Aim", "One.")]),
    ("<sec><p>One.</p></sec><p>Two.</p>", [("body", "", "One."), ("body", "", "Two.")]),
    (
        "<sec><title>Methods</title><sec><title>People</title><p>Ten.</p></sec><p>Late.</p></sec>",
        [("body", "Methods › People", "Ten."), ("body", "Methods", "Late.")],
    ),
    ("<sec><title>Empty</title></sec><sec><title>B</title><p/></sec>", []),
    ("<p>A<list><list-item><p>one</p></list-item></list>B</p>", [("body", "", "A\none\nB")]),
    (
        "<p>A <list><list-item><p>one</p><p>more</p><list><list-item><p>in</p></list-item></list></list-item>"
        "</list>.</p>",
        [("body", "", "A\none\nmore\nin.")],
    ),
    (
        "<p>A<def-list><title>T</title><term-head>what</term-head><def-head>why</def-head>"
        "<def-item><term>Zn</term><def><p>zinc</p><p>metal</p></def></def-item></def-list></p>",
        [("body", "", "A\nT\nwhat why\nZn zinc\nmetal")],
    ),
    (
        "<p>A<statement><label>Rule 1.</label><title>Salt</title><p>Less.</p></statement>"
        "<statement><label>Rule 2.</label><p>None.</p></statement>"
        "<list><label>L</label><list-item><label>a</label><p>b</p></list-item></list></p>",
        [("body", "", "A\nRule 1. Salt\nLess.\nRule 2. None.\nL b")],
    ),
    ("<preformat>a  1\n <bold>b\n\n2</bold></preformat>", [("body", "", "a 1\nb\n2")]),
    (
        "<p>Run\n this:<code>x = 1\ny = 2</code>and\nwait.</p>",
        [("body", "", "Run this:\nx = 1\ny = 2\nand wait.")],
    ),
    (
        "<p>A<disp-quote><p>I ate.</p><attrib>Ann</attrib></disp-quote><speech><speaker>B</speaker><p>No.</p>"
        "</speech>C</p>",
        [("body", "", "A\nI ate.\nAnn\nB No.\nC")],
    ),
    (
        "<sec><def-list><title>Short words</title><def-item><term>Zn</term><def><p>zinc</p></def>"
        "</def-item></def-list></sec>",
        [("body", "Short words", "Zn zinc")],
    ),
    (
        "<sec><p>A</p><list><title>Gifts:</title><list-item><p>none</p></list-item></list></sec>",
        [("body", "", "A\nGifts:\nnone")],
    ),
    (
        "<list><list-item><label>1</label><p>one</p></list-item><list-item><p>two</p></list-item></list>",
        [("body", "", "one\ntwo")],
    ),
    (
        "<sec><title>Key Points</title><p><table-wrap><table><tr><td>One.</td></tr><tr><td>Two.</td></tr></table>"
        "</table-wrap></p></sec>",
        [("body", "Key Points", "One.\nTwo.")],
    ),
    (
        "<sec><title>Doses</title><table-wrap><table><tr><td>a</td><td>1</td></tr></table></table-wrap></sec>",
        [("table_cells", "", "a\t1")],
    ),
    (
        "<sec><title>A</title><table-wrap><label>1</label><table><tr><td>a</td></tr></table></table-wrap></sec>",
        [("table_cells", "1", "a")],
    ),
    (
        "<sec><title>A</title><p>So.</p><table-wrap><table><tr><td>a</td></tr></table></table-wrap></sec>",
        [("body", "A", "So."), ("table_cells", "", "a")],
    ),
    ("<p>both <italic>s</italic> and <italic>r</italic></p>", [("body", "", "both s and r")]),
    ("<p>hyper\u00adtension<sup>2</sup></p>", [("body", "", "hyper\u00adtension")]),
    ("<p>a<fn><p>note</p></fn> b<xref ref-type='fn'>1</xref></p>", [("body", "", "a b")]),
    (
        "<disp-formula><mml:math><mml:mi>x</mml:mi></mml:math><tex-math>x</tex-math></disp-formula>",
        [("body", "", "x")],
    ),
    (
        "<p>See <xref ref-type='fig'>Fig. 1</xref>.</p><sig-block>A. B.</sig-block>",
        [("body", "", "See Fig. 1.\nA. B.")],
    ),
]


@each_row(("inside", "expected"), SECTIONS)
def test_a_body_is_told_section_by_section(inside: str, expected: list[tuple[str, str, str]]) -> None:
    assert body(inside) == expected


FIGURE = "<fig id='f'><label>Figure 1.</label><caption><title>A glass</title><p>Of water.</p></caption><graphic/></fig>"
TABLE = (
    "<table-wrap><label>Table 1</label><caption><p>People<xref ref-type='table-fn'>a</xref></p></caption><table><thead>"
    "<tr><th>who</th><th>n</th></tr></thead><tbody><tr><td>men</td><td>4<sup>a</sup></td></tr><tr><td/><td/></tr></tbody>"
    "</table><table-wrap-foot><fn><label>a</label><p>At dawn.</p></fn></table-wrap-foot></table-wrap>"
)
FIGURE_TOLD = ("figure", "Figure 1", "A glass\nOf water.")
TABLE_TOLD = [("table", "Table 1", "People\nAt dawn."), ("table_cells", "Table 1", "who\tn\nmen\t4^a")]
BOX = "<boxed-text><label>Box 1</label><caption><title>Key points</title></caption><p>Drink.</p></boxed-text>"
FLOATS = [
    (f"<body><p>One {FIGURE}two.</p></body>", [("body", "", "One two."), FIGURE_TOLD]),
    (f"<body><sec><p>One.</p>{TABLE}<p>Two.</p></sec></body>", [("body", "", "One.\nTwo."), *TABLE_TOLD]),
    (
        f"<body><p>One.</p></body><floats-group>{FIGURE}{TABLE}</floats-group>",
        [("body", "", "One."), FIGURE_TOLD, *TABLE_TOLD],
    ),
    (f"<body><p>a ({TABLE}).{TABLE} b</p></body>", [("body", "", "a ().\nb"), *TABLE_TOLD, *TABLE_TOLD]),
    (f"<body><p>a{BOX}b</p></body>", [("body", "", "a\nb"), ("box", "Box 1 › Key points", "Drink.")]),
    (
        f"<body><boxed-text><sec><title>Tip</title><p>a</p></sec>{FIGURE}</boxed-text></body>",
        [("box", "Tip", "a"), FIGURE_TOLD],
    ),
    (
        "<body><fig-group><label>Fig 2</label><caption><p>Both.</p></caption><fig><caption><p>Left.</p></caption></fig>"
        "</fig-group></body>",
        [("figure", "Fig 2", "Both."), ("figure", "Fig 2", "Left.")],
    ),
    (
        "<body><p><supplementary-material><label>File S1</label><caption><p>Data.</p></caption>"
        "</supplementary-material></p></body>",
        [("supplementary", "File S1", "Data.")],
    ),
    ("<body><p>a <graphic/> b</p><fig><graphic/></fig></body>", [("body", "", "a b")]),
    (
        "<body><p>a<table><tr><td>1</td></tr></table></p></body>",
        [("body", "", "a"), ("table_cells", "", "1")],
    ),
]
WHO = "<thead><tr><th>who</th><th>n</th><th>g</th></tr></thead>"
CELLS = [
    (
        WHO + "<tr><td rowspan='2'>men</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr>",
        "men 1 2/men 3 4",
    ),
    (WHO + "<tr><td>1</td><td rowspan='2'>b</td><td>2</td></tr><tr><td>3</td><td>4</td></tr>", "1 b 2/3 b 4"),
    (WHO + "<tr><td>men</td><td colspan='2'>all</td></tr>", "men all all"),
    (
        WHO + "<tr><td rowspan='3' colspan='2'>x</td><td>1</td></tr><tr><td>2</td></tr><tr><td>3</td></tr>",
        "x x 1/x x 2/x x 3",
    ),
    # A row with fewer cells, one without words, one behind its group, and no numbers.
    (WHO + "<tr><td>1</td><td>2</td><td rowspan='2'>c</td></tr><tr><td>3</td></tr>", "1 2 c/3 - c"),
    (WHO + "<tr><td rowspan='2'>1</td><td>2</td></tr><tr><td/></tr><tr><td>3</td></tr>", "1 2/3"),
    (
        "<thead><tr><th rowspan='9'>who</th><th>n</th></tr></thead><tbody><tr><td>1</td></tr></tbody>",
        "who n/1",
    ),
    ("<tr><td rowspan='0' colspan='-1'>1</td><td colspan='x'>2</td></tr><tr><td>3</td></tr>", "1 2/3"),
]


@each_row(("rows", "expected"), CELLS)
def test_a_cell_stands_in_every_row_and_column_that_it_spans(rows: str, expected: str) -> None:
    ((_, _, text),) = body(f"<table-wrap><table>{rows}</table></table-wrap>")
    found = [" ".join(cell or "-" for cell in line.split("\t")) for line in text.split("\n")]
    assert "/".join(line for line in found if line != "who n g") == expected


def test_cells_that_would_make_a_table_many_times_as_long_are_not_repeated() -> None:
    row = f"<tr><td rowspan='999' colspan='9999'>{'x' * 99}</td><td>1</td></tr>"
    (document,), repairs = read(f"<article>{FRONT}<body><table>{row * 999}</table></body></article>")
    assert repairs.counts["table_spans_not_repeated"] == 1
    assert document.sections[1].text.split("\n") == [f"{'x' * 99}\t1"] * 999


@each_row(("behind", "expected"), FLOATS)
def test_what_floats_stands_behind_its_section_and_never_in_its_text(
    behind: str, expected: list[tuple[str, str, str]]
) -> None:
    assert told(behind) == expected


def test_back_matter_is_told_apart_and_references_are_no_text() -> None:
    found = told(
        "<floats-group><supplementary-material><caption><p>E.</p></caption></supplementary-material></floats-group>"
        "<back><ack>We thank <bold>all</bold>.</ack><ack><title>Thanks</title><p>To you.</p></ack>"
        "<app-group><app><title>Appendix</title><p>More.</p></app></app-group>"
        "<fn-group><fn><p>None declared.</p></fn></fn-group><glossary><def-list><def-item><term>H2O</term>"
        "<def><p>water</p></def></def-item></def-list></glossary><ref-list><ref><mixed-citation>Doe</mixed-citation></ref><ref/></ref-list></back>",
    )
    assert found == [
        ("supplementary", "", "E."),
        ("back", "", "We thank all."),
        ("back", "Thanks", "To you."),
        ("back", "Appendix", "More."),
        ("back", "", "None declared."),
        ("back", "", "H2O water"),
    ]


def test_a_section_has_its_type_or_that_of_the_section_around_it() -> None:
    inside = (
        "<sec sec-type='methods'><p>a</p><sec><p>b</p></sec><sec sec-type='subjects'><p>c</p></sec></sec>"
        "<sec><p>d</p></sec>"
    )
    (document,), _ = read(f"<article>{FRONT}<body>{inside}</body><back><ack><p>e</p></ack></back></article>")
    assert [part.category for part in document.sections[1:]] == ["methods", "methods", "subjects", "", "ack"]


def test_the_front_matter_stays_as_it_is_and_articles_inside_are_left_out() -> None:
    data = (SAMPLES / "articles.xml").read_bytes()
    plain = list(jats.read(io.BytesIO(data), Repairs()))
    whole, _ = read(data)
    assert [document.id for document in whole] == [document.id for document in plain]
    for one, other in zip(plain, whole, strict=True):
        assert other.sections[: len(one.sections)] == one.sections
        assert one.facts == other.facts
    assert whole[0].sections[len(plain[0].sections) :] == (
        Section("body", "</article>It is a nuisance.", "Introduction"),
    )


HOSTILE = {
    "sections in sections": "<sec><title>a</title>" * 240 + "<p>x</p>" + "</sec>" * 240,
    "figures in figures": "<fig>" * 240 + "<p>1</p>" + "</fig>" * 240,
    "boxes in paragraphs": "<p>a<boxed-text>" * 120 + "b" + "</boxed-text></p>" * 120,
    "tables in cells": "<table><tr><td>" * 80 + "b" + "</td></tr></table>" * 80,
    "many figures": "<p>" + "a<fig><caption><p>b</p></caption></fig>" * 5000 + "</p>",
}


@each_row("inside", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_bodies_take_no_time(inside: str) -> None:
    assert body(inside)


REPEATED = {
    "a heading": f"<sec><title>{'t' * 99_999}</title>{'<sec><p>a</p></sec>' * 999}</sec>",
    "a type": f"<sec sec-type='{'t' * 99_999}'>{'<sec><p>a</p></sec>' * 999}</sec>",
    "a label": f"<fig-group><label>{'t' * 99_999}</label>{'<fig><p>a</p></fig>' * 999}</fig-group>",
}


@each_row("inside", REPEATED.values(), ids=REPEATED)
def test_what_stands_over_many_sections_is_cut(inside: str) -> None:
    (document,), _ = read(f"<article>{FRONT}<body>{inside}</body></article>")
    assert len(document.sections) == 1000
    assert sum(len(part.title) + len(part.category) for part in document.sections) < 3_000 * 1000


WORDS = st.lists(st.sampled_from(["salt", "water", "3", "b-c", "é"]), min_size=1, max_size=3).map(" ".join)
PIECES = st.recursive(
    st.builds("<p>{}</p>".format, WORDS),
    lambda inner: st.one_of(
        st.builds("<sec><title>{}</title>{}</sec>".format, WORDS, st.lists(inner, max_size=3).map("".join)),
        st.builds(
            "<p>{}<fig><caption>{}</caption></fig>{}</p>".format,
            WORDS,
            st.builds("<p>{}</p>".format, WORDS),
            WORDS,
        ),
        st.builds("<boxed-text>{}</boxed-text>".format, st.lists(inner, max_size=2).map("".join)),
    ),
    max_leaves=12,
)


@given(st.lists(PIECES, max_size=4).map("".join))
def test_every_word_of_a_body_is_told_once(inside: str) -> None:
    expected = Counter(re.sub(r"<title>.*?</title>|<[^>]*>", " ", inside).split())
    assert Counter(word for _, _, text in body(inside) for word in text.split()) == expected


@pytest.mark.shared
def test_bioread_strict_leaves_out_every_label_of_articles_that_is_no_prose(shared: Path) -> None:
    labels = {
        part.label
        for name in ("case_reports", "odd")
        for document in api.read(shared / f"data/jats/{name}.tar.xz", full_text=True)
        for part in document.sections
    }
    prose = {"title", "abstract", "other abstract", "body", "box"}
    assert labels - prose == set(load("bioread-strict")["leave_out"]) - {"references"}


@pytest.mark.shared
def test_real_articles_hold_the_words_of_their_plain_texts(shared: Path) -> None:
    def members(name: str) -> Iterator[tuple[str, bytes]]:
        for opened in open_each(shared / "data/craft" / name, (".txt", ".nxml")):
            yield opened.name.rpartition("/")[2], opened.stream.read()

    def words(text: str) -> Counter[str]:
        # The plain texts have raised characters on the line, as compatibility forms have.
        return Counter(re.findall(r"\w+", re.sub(r"\^\(?", "", unicodedata.normalize("NFKC", text))))

    plain = {name.removesuffix(".txt"): data.decode() for name, data in members("articles.tar.xz")}
    compared = missing = total = 0
    for name, data in members("nxml.tar.xz"):
        if not name.endswith(".nxml"):
            continue
        (document,), repairs = read(data, name)
        assert not repairs.refusals
        if document.id in plain:
            ours, theirs = words(document.text), words(plain[document.id])
            compared, missing = compared + 1, missing + (theirs - ours).total()
            total += theirs.total()
    # The rest lie under their PMID, but have a DOI only. What is missing are headings that a program put in, "Figures".
    assert compared == 68
    assert missing < 0.001 * total
