"""JATS: what is read of the front matter, every fault told by name and line, and real files' counts."""

from __future__ import annotations

import csv
import gzip
import io
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest
from tests.rows import each_row
from tests.truncated import up_to_the_break

from anagnosis import api
from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.jats import format as jats
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import STATES, unified
from anagnosis.errors import InputError

SAMPLES = Path(__file__).parents[3] / "samples" / "jats"


def read(data: bytes, name: str = "ours.xml") -> tuple[list[Document], Repairs]:
    repairs = Repairs()
    return up_to_the_break(jats.read(io.BytesIO(data), repairs, name), repairs), repairs


def read_sample(name: str) -> tuple[list[Document], Repairs]:
    return read((SAMPLES / name).read_bytes(), name)


def test_xml_without_an_article_is_one_line() -> None:
    with pytest.raises(InputError, match=r"^ours\.xml: no <article> in this XML; "):
        read(b"<book/>")


def article(
    meta: str = "",
    *,
    title: str = "<article-title>Salt</article-title>",
    attributes: str = "",
    behind: str = "",
) -> bytes:
    return (
        f"<article {attributes}><front><journal-meta/><article-meta>"
        f'<article-id pub-id-type="pmid">1</article-id><title-group>{title}</title-group>{meta}'
        f"</article-meta></front>{behind}</article>"
    ).encode()


def only(meta: str = "", **given: str) -> Document:
    (document,), repairs = read(article(meta, **given))
    assert not repairs.refused
    return document


def abstract(inside: str) -> list[tuple[str, str]]:
    return [(part.title, part.text) for part in only(f"<abstract>{inside}</abstract>").sections[1:]]


def test_front_matter_is_read_as_it_stands() -> None:
    documents, repairs = read_sample("articles.xml")
    assert (repairs.counts, repairs.refused) == ({"article_without_date": 1}, 0)
    assert documents == [
        Document(
            "90000001",
            (
                Section("title", "Does a glass of H2O before bed shorten hiccups? A randomised trial"),
                Section("abstract", "Hiccups at night are a nuisance [1].", "Background", "BACKGROUND"),
                Section("abstract", "We gave 40 people water, or none. Once.", "Methods", "METHODS"),
                Section("abstract", "Hiccups lasted 3 and 9 min (p<.05).", "Results"),
                Section("abstract", "A glass of water shortened hiccups.", "Conclusion", "CONCLUSIONS"),
                Section("other abstract", "A glass.", "Graphical abstract", "graphical"),
                Section("other abstract", "Wir gaben 40 Leuten Wasser.", "Methoden", "ger"),
            ),
            facts={
                "version": "2",
                "date": "2021-02-04",
                "year": "2021",
                "journal": "The journal of invented medicine",
                "language": "eng",
                "doi": "10.1000/jim.2021.1",
                "pmcid": "PMC9000001",
                "types": "Journal Article",
                "keywords": "hiccup; water",
                "licence": "http://creativecommons.org/licenses/by/4.0/",
                "erratum": "PMC9000009",
                "authors": "Doe",
            },
        ),
        Document(
            "PMC9000002",
            (Section("title", "Retraction: Walking"),),
            facts={
                "date": "2020",
                "year": "2020",
                "pmcid": "PMC9000002",
                "types": "Retraction of Publication",
                "retraction_notice": "90000003",
            },
        ),
        Document(
            "10.1000/jim.2019.3",
            (Section("title", "RETRACTED ARTICLE: Walking eases back pain"), Section("abstract", "It does.")),
            facts={"doi": "10.1000/jim.2019.3", "types": "Journal Article", "retracted": "unnamed"},
        ),
    ]


REFUSED = {
    "reply-instead.xml": (
        ["91000001"],
        [("2", '<Reply Id="123" error="id 123 is not found"> instead of an article')],
    ),
    "without-front.nxml": ([], [("1", "an article without front matter")]),
    "without-identifier.nxml": ([], [("1", "an article without PMID, PMCID or DOI")]),
}


@each_row(("name", "expected"), REFUSED.items())
def test_an_article_that_cannot_be_read_is_refused_with_its_line_and_what_came_before_stays(
    name: str, expected: tuple[list[str], list[tuple[str, str]]]
) -> None:
    documents, repairs = read_sample(name)
    assert [document.id for document in documents] == expected[0]
    assert [where for where, _ in repairs.refusals] == [f"{name}:{line}" for line, _ in expected[1]]
    assert all(
        told.startswith(why) for (_, told), (_, why) in zip(repairs.refusals, expected[1], strict=True)
    )
    assert repairs.refused + repairs.counts["truncated_file"] == len(expected[1])


NAMESPACES = {
    "of OAI's record": 'xmlns="https://jats.nlm.nih.gov/ns/archiving/1.3/" xmlns:mml="http://www.w3.org/1998/Math/MathML"',
    "of another element": "",
}


@each_row("declared", NAMESPACES.values(), ids=NAMESPACES)
def test_an_article_of_a_namespace_is_read_as_one_without(declared: str) -> None:
    data = article("<abstract><p>Hot <mml:mi>x</mml:mi></p></abstract>", attributes=declared)
    (document,), _ = read(b"<OAI-PMH><record><metadata>" + data + b"</metadata></record></OAI-PMH>")
    assert document.sections == (Section("title", "Salt"), Section("abstract", "Hot x"))


IDENTIFIERS = [
    ("pmid:7 pmc:8 doi:10.1/x", "7"),
    ("doi:10.1/x pmcid:PMC8", "PMC8"),
    ("pmc:PMC8.3", "PMC8"),
    ("pmid:0 doi:doi:10.1/x", "10.1/x"),
    ("pmid:none pmc:none doi:https://dx.doi.org/10.1/x", "10.1/x"),
    # Of several of a kind the first that can be read.
    ("pmid:x pmid:11 pmid:12", "11"),
    ("pmc:- pmc:PMC1.2 pmc:PMC3.4", "PMC1"),
    ("doi:10.1/first doi:10.1/second", "10.1/first"),
]


@each_row(("given", "expected"), IDENTIFIERS)
def test_the_id_is_the_pmid_or_the_pmcid_or_the_doi(given: str, expected: str) -> None:
    pairs = (each.split(":", 1) for each in given.split())
    ids = "".join(f'<article-id pub-id-type="{kind}">{value}</article-id>' for kind, value in pairs)
    (document,), _ = read(f"<article><front><article-meta>{ids}</article-meta></front></article>".encode())
    assert document.id == expected


DATES = [
    ("<pub-date pub-type='epub'><year>2014</year><month>11</month><day>10</day></pub-date>", "2014-11-10"),
    ("<pub-date pub-type='ppub'><year>2014</year><month>Dec</month></pub-date>", "2014-12"),
    ("<pub-date pub-type='ppub'><year>2014</year><day>3</day></pub-date>", "2014"),
    ("<pub-date pub-type='ppub'><year>2014</year><month>2</month><day>31</day></pub-date>", "2014-02"),
    ("<pub-date iso-8601-date='2014-03-05'/>", "2014-03-05"),
    ("<pub-date><string-date>2014 March 5</string-date></pub-date>", "2014-03-05"),
    ("<pub-date date-type='publication'><year>2014</year><month>3</month></pub-date>", "2014-03"),
    ("<pub-date date-type='preprint'><string-date>2019-07-16</string-date></pub-date>", "2019-07-16"),
    (
        "<pub-date date-type='preprint' iso-8601-date='2019-07-16T10:00:00Z'><year>2019</year></pub-date>",
        "2019-07-16",
    ),
    ("<pub-date pub-type='nihms-submitted'><year>2014</year></pub-date>", ""),
    (
        "<pub-date pub-type='collection'><year>2014</year></pub-date>"
        "<pub-date date-type='pub' publication-format='electronic'>"
        "<day>3</day><month>2</month><year>2014</year></pub-date>",
        "2014-02-03",
    ),
    (
        "<pub-date pub-type='collection'><year>2014</year></pub-date>"
        "<pub-date pub-type='epub'><day>3</day><month>1</month><year>2015</year></pub-date>",
        "2014",
    ),
    (
        "<pub-date pub-type='pmc-release'><year>2013</year></pub-date>"
        "<pub-date pub-type='ppub'><year>2014</year></pub-date>",
        "2014",
    ),
    ("<pub-date pub-type='pmc-release'><year>2013</year></pub-date>", "2013"),
]


@each_row(("dates", "expected"), DATES)
def test_the_date_is_the_earliest_of_publication_as_exact_as_known(dates: str, expected: str) -> None:
    (document,), repairs = read(article(dates))
    facts = document.facts
    assert (facts.get("date", ""), facts.get("year", "")) == (expected, expected[:4])
    counted = {"publication_day_impossible": "<day>31" in dates, "article_without_date": not expected}
    assert repairs.counts == {name: 1 for name, applies in counted.items() if applies}


ABSTRACTS = [
    ("<p>It helps.</p><p>It does.</p>", [("", "It helps. It does.")]),
    ("<title>Summary</title><p>It helps.</p>", [("", "It helps.")]),
    (
        "<p><named-content><bold>Salt water:</bold></named-content> It helps. <bold>Tea:</bold> So.</p>",
        [("Salt water", "It helps."), ("Tea", "So.")],
    ),
    ("<title>Main point</title><p>It helps.</p><p>So.</p>", [("Main point", "It helps."), ("", "So.")]),
    ("<sec><p>It helps.</p></sec>", [("", "It helps.")]),
    ("<sec><title>Aim</title></sec>", [("Aim", "")]),
    ("<sec><label>1</label><title>Aim</title><p>To help.</p></sec>", [("Aim", "To help.")]),
    (
        "<sec><title>Methods</title><p>Asked.</p><sec><title>People</title><p>Ten.</p></sec></sec>",
        [("Methods", "Asked."), ("People", "Ten.")],
    ),
    ("<p>First.</p><sec><title>Aim</title><p>Help.</p></sec>", [("", "First."), ("Aim", "Help.")]),
    (
        "<p><bold>Aim:</bold>To help. <bold>Results</bold>: It helps.</p><p>It does.</p>",
        [("Aim", "To help."), ("Results", "It helps. It does.")],
    ),
    (
        "<p><italic>Purpose</italic>. To help.</p><p><bold><italic>Study registration:</italic></bold> None.</p>",
        [("Purpose", "To help."), ("Study registration", "None.")],
    ),
    ("<p>METHODS: Asked. RESULTS: Ten.</p>", [("METHODS", "Asked."), ("RESULTS", "Ten.")]),
    (
        "<p><italic>Nocardia</italic> is one. <bold>Results:</bold> Ten.</p>",
        [("", "Nocardia is one. Results: Ten.")],
    ),
    ("<p><bold>DNA:</bold> it is long.</p>", [("", "DNA: it is long.")]),
    ("<p><bold>Aim:</bold> of <bold>results:</bold> none.</p>", [("Aim", "of results: none.")]),
    ("<p/>", []),
]


@each_row(("inside", "expected"), ABSTRACTS)
def test_an_abstract_is_parted_at_its_labels(inside: str, expected: list[tuple[str, str]]) -> None:
    assert abstract(inside) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Salt", "Salt: A trial"),
        ("Salt?", "Salt? A trial"),
        ("Salt:", "Salt: A trial"),
        ("", "A trial"),
    ],
)
def test_a_subtitle_follows_a_colon_unless_the_title_ends_in_a_mark(title: str, expected: str) -> None:
    given = f"<article-title>{title}</article-title><subtitle>A trial</subtitle>"
    assert only(title=given).sections[0].text == expected


def test_an_abstract_of_a_kind_is_the_abstract_only_where_no_other_is() -> None:
    short, plain = (
        "<abstract abstract-type='short'><p>Short.</p></abstract>",
        "<abstract><p>Long.</p></abstract>",
    )
    teaser = "<abstract abstract-type='teaser'><p>Oh.</p></abstract>"
    french = "<abstract xml:lang='fr'><p>Un.</p></abstract>"
    labels = {
        (plain, short): [("abstract", "Long.", ""), ("other abstract", "Short.", "short")],
        (short, teaser): [("abstract", "Short.", ""), ("other abstract", "Oh.", "teaser")],
        (teaser,): [("other abstract", "Oh.", "teaser")],
        (plain, french): [("abstract", "Long.", ""), ("other abstract", "Un.", "fre")],
    }
    for abstracts, expected in labels.items():
        found = only("".join(abstracts), attributes='xml:lang="en"').sections[1:]
        assert [(part.label, part.text, part.category) for part in found] == expected


@pytest.mark.parametrize("attributes", ['xml:lang="de"', 'lang="de"', 'xml:lang="en" lang="de"'])
def test_a_language_is_read_with_a_namespace_or_without(attributes: str) -> None:
    assert only(attributes=attributes).facts["language"] == "ger"


def test_a_journal_without_a_full_title_is_named_by_its_short_one() -> None:
    for names, expected in (
        (b"<journal-id>JIM</journal-id><abbrev-journal-title>J Inv Med</abbrev-journal-title>", "JIM"),
        (b"<abbrev-journal-title>J Inv Med</abbrev-journal-title>", "J Inv Med"),
        (b"<journal-id>JIM</journal-id><journal-title>Inventions</journal-title>", "Inventions"),
        (b"", None),
    ):
        journal = b"<journal-meta>" + names + b"</journal-meta>"
        (document,), _ = read(article().replace(b"<journal-meta/>", journal))
        assert document.facts.get("journal") == expected
    (document,), _ = read(article().replace(b"<journal-meta/>", b""))
    assert "journal" not in document.facts


@each_row(
    "inside",
    [
        "<p>It helps<fn><p>A note.</p></fn>.</p>",
        "<title>Main point</title><p>It helps<fn><p>A note.</p></fn>.</p>",
        "<sec><title>Aim</title><p>It helps<fn><p>A note.</p></fn>.</p></sec>",
        "<p>It helps.</p><fn><p>A note.</p></fn>",
        "<sec><title>Aim</title><p>It helps.</p><fn><p>A note.</p></fn></sec>",
    ],
)
def test_a_footnote_anywhere_in_an_abstract_is_left_out(inside: str) -> None:
    (document,), _ = read(article(f"<abstract>{inside}</abstract>"))
    assert [part.text for part in document.sections[1:]] == ["It helps."]


TEXTS = [
    ("both <italic>s</italic> and <italic>r</italic>", "both s and r"),
    ("10<sup>-3</sup> and D<sub>2</sub>", "10⁻³ and D2"),
    ("a<break/>b", "a b"),
    ("a <inline-formula><tex-math>$x$</tex-math></inline-formula> b", "a x b"),
    (
        "a <inline-formula><mml:math><mml:mi>x</mml:mi></mml:math><tex-math>x</tex-math></inline-formula> b",
        "a x b",
    ),
    ("a<!-- no --> b<?no no?> c", "a b c"),
    ("a <xref ref-type='fig'>Fig. 1</xref><xref ref-type='author-notes'>2</xref>", "a Fig. 1"),
    ("a &amp; b &#x2005;c", "a & b \u2005c"),
    ("<![CDATA[a < b]]>", "a < b"),
]


@each_row(("inside", "expected"), TEXTS)
def test_markup_leaves_its_characters_and_footnotes_none(inside: str, expected: str) -> None:
    assert only(title=f"<article-title>{inside}</article-title>").title == expected
    assert abstract(f"<p>{inside}</p>") == [("", expected)]


LINKS = [
    ("research-article", "retraction-forward", "doi", "10.1/x", {"retracted": "10.1/x"}),
    ("research-article", "correction-forward", "pubmed", "7", {"erratum": "7"}),
    ("research-article", "concern-forward", "pmc", "8", {"expression_of_concern": "PMC8"}),
    ("retraction", "retraction-forward", "doi", "https://doi.org/10.1/x", {"retraction_notice": "10.1/x"}),
    ("correction", "corrected-article", "pmc", "PMC8", {"erratum_notice": "PMC8"}),
    ("editorial", "retracted-article", "doi", "10.1/x", {"retraction_notice": "10.1/x"}),
    ("partial-retraction", "partial-retraction", "doi", "10.1/x", {"retraction_notice": "10.1/x"}),
    ("research-article", "partial-retraction-forward", "doi", "10.1/x", {"partly_retracted": "10.1/x"}),
    ("preprint", "update", "doi", "10.1/x", {"updated_by": "10.1/x", "preprint": "unnamed"}),
    ("research-article", "commentary", "doi", "10.1/x", {}),
    ("correction", "companion", "doi", "10.1/x", {"erratum_notice": "unnamed"}),
]


@each_row(("kind", "relation", "by", "href", "expected"), LINKS)
def test_notices_and_what_they_are_of_are_facts(
    kind: str, relation: str, by: str, href: str, expected: dict[str, str]
) -> None:
    linked = (
        f'<related-article related-article-type="{relation}" ext-link-type="{by}" '
        f'xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="{href}"/>'
    )
    facts = only(linked, attributes=f'article-type="{kind}"').facts
    assert {name: facts[name] for name in STATES if name in facts} == expected


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ('vol="3" page="4"/>', "3:4"),
        ('vol="3" elocation-id="e7"/>', "3:e7"),
        ('page="4"/>', "4"),
        ('vol="3">Soup 2019;3:4</related-article>', "Soup 2019;3:4"),
    ],
)
def test_what_has_no_identifier_is_named_by_its_citation_or_its_place(inside: str, expected: str) -> None:
    linked = f'<related-article related-article-type="corrected-article" {inside}'
    assert only(linked, attributes='article-type="correction"').facts["erratum_notice"] == expected


def test_two_licences_that_differ_are_both_told() -> None:
    licence = (
        "<permissions><license xmlns:xlink='x' xlink:href='http://creativecommons.org/licenses/by/4.0/'><license-p>See "
        "<ext-link xlink:href='https://creativecommons.org/licenses/by-nc/4.0/'>it</ext-link>.</license-p></license>"
        "</permissions>"
    )
    assert only(licence).facts["licence"] == (
        "http://creativecommons.org/licenses/by/4.0/; https://creativecommons.org/licenses/by-nc/4.0/"
    )
    in_words = "<permissions><license><license-p>All rights reserved.</license-p></license></permissions>"
    assert only(in_words).facts["licence"] == "All rights reserved."


TEX = r"\begin{document}"
HOSTILE = {
    "TeX beside TeX": article(
        f"<abstract><p><inline-formula>{'<tex-math>a</tex-math>' * 20_000}</inline-formula></p></abstract>"
    ),
    "labels beside labels": article(f"<abstract><p>{'<bold>Aim:</bold> ' * 20_000}</p></abstract>"),
    "TeX that does not end": article(f"<abstract><p><tex-math>{TEX * 200_000}</tex-math></p></abstract>"),
    "brackets of a notice": article(
        f"<title-group><article-title>{'(Retracted. ' * 200_000}</article-title></title-group>"
    ),
    "a month of digits": article(
        f"<pub-date pub-type='epub'><year>2016</year><month>{'1' * 5000}</month></pub-date>"
    ),
    "subtitles": article("", title="<subtitle>Salt</subtitle>" * 400_000),
    "abstracts": article("<abstract/>" * 50_000),
    "elements in elements": article("<abstract>" + "<sec>" * 200 + "x" + "</sec>" * 200 + "</abstract>"),
}


@each_row("data", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_articles_take_no_time(data: bytes) -> None:
    documents, _ = read(data)
    assert [document.id for document in documents] == ["1"]


@each_row("name", ["kwd", "subject", "license"])
def test_what_is_nested_is_read_once(name: str) -> None:
    nested = "".join(f"<{name}>{level}" for level in range(200)) + "x" * 99_999 + f"</{name}>" * 200
    around = {"kwd": "kwd-group", "subject": "article-categories", "license": "permissions"}[name]
    tracemalloc.start()
    read(article(f"<{around}>{nested}</{around}>"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5 << 20


@pytest.mark.shared
def test_identifiers_and_titles_of_real_articles_are_another_programs(shared: Path) -> None:
    with gzip.open(shared / "data/jats/articles.csv.gz", "rt", encoding="utf-8", newline="") as stream:
        rows = {row["pmcid"]: row for row in csv.DictReader(stream)}
    differ: Counter[str] = Counter()
    for document in api.read(shared / "data/jats/case_reports.tar.xz"):
        row, facts = rows[document.facts["pmcid"]], document.facts
        own = {"pmid": document.id if document.id.isdecimal() else "", "doi": facts.get("doi", "")}
        own |= {"journal": facts["journal"], "year": facts["year"], "article_type": facts["types"]}
        row["article_type"] = unified(row["article_type"])
        differ.update(name for name, value in own.items() if row[name] != value)
        # It knows no subtitle, and takes the mark of a footnote for the title's.
        differ["title"] += not document.title.startswith(" ".join(row["title"].split()).rstrip("*"))
    assert not +differ
