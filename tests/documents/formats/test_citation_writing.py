"""Both formats of PubMed's citations: what is written is read back, and a loss is counted where something is not."""

from __future__ import annotations

import io
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.documents.document import Document, Relation, Section
from anagnosis.documents.formats.medline import format as medline
from anagnosis.documents.formats.medline.citation import title_form
from anagnosis.documents.formats.nbib import format as nbib
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.text import tidied
from anagnosis.errors import InputError

BOTH = pytest.mark.parametrize("module", [medline, nbib], ids=["medline", "nbib"])


def read(module: ModuleType, data: bytes) -> list[Document]:
    repairs = Repairs()
    documents = list(module.read(io.BytesIO(data), repairs))
    assert repairs.refused == 0
    return documents


def written(module: ModuleType, *documents: Document) -> tuple[bytes, dict[str, int]]:
    stream = io.BytesIO()
    losses = module.write(documents, stream)
    return stream.getvalue(), losses


ANY = st.text(st.characters(codec="utf-8"), max_size=12)
TIDY = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc",), exclude_characters="\ufffe\uffff")
).map(tidied)
WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Zs", "Zl", "Zp"), exclude_characters="\ufeff"),
    min_size=1,
    max_size=30,
)
TEXTS = st.lists(WORDS, max_size=8).map(" ".join)
# No label of running text begins these, and none comes behind the end of a sentence.
PLAIN = st.lists(
    st.sampled_from(["water", "helps", "(n", "=", "20)", "naïve", "a;b"]), min_size=1, max_size=40
).map(lambda words: " ".join(words) + ".")
CODES = st.sampled_from(["eng", "ger", "Journal Article", "A/B", "Soup <& sauce>", "2019"])
PMIDS = st.integers(1, 10**8).map(str)
LINKS = st.lists(
    st.one_of(PMIDS, st.just("Soup. 2019;1(2):3"), st.just("Stew. 2020 Jan")), unique=True, max_size=3
)
QUALIFIERS = st.sampled_from(["prevention & control", "*prevention & control", "history", "*history"])
DATES = st.one_of(st.just(""), *(st.dates().map(lambda day, end=end: str(day)[:end]) for end in (4, 7, 10)))
CATEGORIES = st.sampled_from(["", "AAMC", "Publisher ger"])


def headings(identifiers: list[str], names: st.SearchStrategy[str]) -> st.SearchStrategy[list[Relation]]:
    one = st.builds(
        lambda ui, name, major, qualifiers: Relation("mesh", (ui, name, major, *qualifiers)),
        st.sampled_from(identifiers),
        names,
        st.sampled_from(["", "major"]),
        st.lists(QUALIFIERS, max_size=2),
    )
    return st.lists(one, max_size=3)


def abstracts(label: str, *fields: st.SearchStrategy[str]) -> st.SearchStrategy[list[Section]]:
    return st.lists(st.builds(Section, st.just(label), *fields), max_size=3)


LABELS = st.sampled_from(["", "METHODS", "Main outcome", "A & B"])
LABELLED = st.sampled_from(["BACKGROUND", "WHAT THIS ADDS", "Methods", "RESULTS"])
# Of each format: the title and other texts, headings, the abstract, other abstracts.
PARTS = {
    medline: (
        TIDY,
        headings(["", "D006606"], TIDY.filter(bool)),
        abstracts("abstract", TIDY, LABELS, st.sampled_from(["", "METHODS"])),
        abstracts("other abstract", TIDY, LABELS, CATEGORIES),
    ),
    nbib: (
        TEXTS,
        headings([""], st.sampled_from(["Humans", "Aged, 80 and over", "Soup"])),
        st.one_of(
            abstracts("abstract", PLAIN, LABELLED).filter(lambda labelled: len(labelled) > 1),
            st.lists(st.builds(Section, st.just("abstract"), PLAIN), max_size=2),
        ),
        abstracts("other abstract", PLAIN, st.just(""), CATEGORIES),
    ),
}


@st.composite
def citations(draw: st.DrawFn, module: ModuleType) -> Document:
    """What the format can hold."""
    ident = draw(PMIDS)
    if module is medline and draw(st.integers(0, 4)) == 0:
        return Document(ident, (), facts={"deleted": "yes"})
    texts, mesh, abstract, others = PARTS[module]
    title, date, relations = draw(texts), draw(DATES), draw(mesh)
    facts = {
        "version": draw(st.sampled_from(["", "2", "12"])),
        "date": date,
        "year": date[:4],
        "journal": draw(texts),
        "language": "; ".join(draw(st.lists(CODES, max_size=2))),
        "doi": draw(st.sampled_from(["", "10.1000/a<b>&c"])),
        "pmcid": draw(st.sampled_from(["", "PMC1"])),
        "types": "; ".join(draw(st.lists(CODES, max_size=2))),
        "mesh": "; ".join(heading.arguments[1] for heading in relations),
        "vernacular_title": draw(texts),
        "title_form": title_form(title),
        **{
            name: "; ".join(draw(LINKS))
            for name in ("retracted", "expression_of_concern", "erratum", "retraction_notice")
        },
    }
    return Document(
        ident,
        (Section("title", title), *(s for s in (*draw(abstract), *draw(others)) if s.text or s.title)),
        (),
        tuple(relations),
        {name: fact for name, fact in facts.items() if fact},
    )


@BOTH
@given(data=st.data())
def test_what_is_written_is_read_back_the_same(module: ModuleType, data: st.DataObject) -> None:
    made = data.draw(st.lists(citations(module), min_size=1, max_size=4))
    file, losses = written(module, *made)
    assert losses == {}
    assert read(module, file) == made


@BOTH
@given(
    st.lists(
        st.builds(Section, st.sampled_from(["title", "abstract", "body", ""]), ANY, ANY, ANY), max_size=3
    ),
    st.lists(st.builds(Relation, st.sampled_from(["mesh", "CID"]), st.tuples(ANY, ANY, ANY)), max_size=2),
    st.dictionaries(st.sampled_from(["date", "types", "title_form", "retracted", "doi", "source"]), ANY),
)
def test_a_loss_is_counted_exactly_where_something_does_not_come_back(
    module: ModuleType, sections: list[Section], relations: list[Relation], facts: dict[str, str]
) -> None:
    document = Document("1", tuple(sections), (), tuple(relations), facts)
    data, losses = written(module, document)
    (held,) = read(module, data)
    # An added fact ("year" of a date) takes nothing away.
    known = {name: held.facts[name] for name in facts if name in held.facts}
    assert (losses == {}) == (Document("1", held.sections, (), held.relations, known) == document)


@BOTH
@each_row("ident", ["", " 1", "1\n2", "1\x00"])
def test_an_id_that_the_format_cannot_hold_is_refused(module: ModuleType, ident: str) -> None:
    with pytest.raises(InputError, match=r"MEDLINE (XML|text) cannot hold this document id"):
        written(module, Document(ident, (Section("title", "A"),)))
