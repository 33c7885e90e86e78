"""Documents written as MEDLINE text: what was read comes back, and what the format cannot hold is counted."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis import api
from anagnosis.documents.document import Document, Relation, Section
from anagnosis.documents.formats.medline import format as medline
from anagnosis.documents.formats.medline.citation import title_form
from anagnosis.documents.formats.nbib import format as nbib
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

SAMPLES = Path(__file__).parents[3] / "samples"


def read(data: bytes) -> list[Document]:
    repairs = Repairs()
    documents = list(nbib.read(io.BytesIO(data), repairs))
    assert repairs.refused == 0
    return documents


def written(documents: list[Document]) -> tuple[bytes, dict[str, int]]:
    stream = io.BytesIO()
    losses = nbib.write(documents, stream)
    return stream.getvalue(), losses


@pytest.mark.parametrize("name", ["records.nbib", "hostile.txt"])
def test_the_carried_files_come_back(name: str) -> None:
    documents = list(nbib.read(io.BytesIO((SAMPLES / "nbib" / name).read_bytes()), Repairs()))
    data, losses = written(documents)
    assert losses == {}
    assert read(data) == documents


def test_a_substance_without_a_registry_number_has_0_as_in_pubmed() -> None:
    numbered = Relation("chemical", ("D012965", "Sodium Chloride", "451W47IQ8X"))
    for relations, facts, expected in (
        ((numbered,), {}, "RN  - 451W47IQ8X (Sodium Chloride)\n"),
        ((), {"chemicals": "Salts (Table)"}, "RN  - 0 (Salts (Table))\n"),
    ):
        data, _ = written([Document("5", (Section("title", "T."),), relations=relations, facts=facts)])
        assert expected in data.decode()


def test_lines_are_as_pubmed_breaks_them() -> None:
    data, _ = written(read((SAMPLES / "nbib/records.nbib").read_bytes())[:1])
    lines = data.decode().splitlines()
    assert lines[0] == "PMID- 90000001"
    assert max(map(len, lines)) <= 88
    assert lines[4:6] == [
        "      on in another line.",
        "AB  - BACKGROUND: Hiccups at night are a nuisance. METHODS: We gave 40 people a glass of",
    ]


def test_a_word_longer_than_a_line_stays_whole() -> None:
    document = Document("1", (Section("title", "a " + "x" * 200 + " b"),))
    data, losses = written([document])
    assert losses == {}
    assert read(data) == [document]


WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Zs", "Zl", "Zp"), exclude_characters="\ufeff"),
    min_size=1,
    max_size=30,
)
TEXTS = st.lists(WORDS, max_size=8).map(" ".join)
# No label begins these, and none comes behind the end of a sentence.
PLAIN = st.lists(
    st.sampled_from(["water", "helps", "(n", "=", "20)", "naïve", "a;b"]), min_size=1, max_size=40
).map(lambda words: " ".join(words) + ".")
CODES = st.sampled_from(["eng", "ger", "Journal Article", "A/B", "2019"])
TARGETS = st.one_of(st.integers(1, 10**8).map(str), st.just("Soup. 2019;1(2):3"), st.just("Stew. 2020 Jan"))
HEADINGS = st.builds(
    lambda name, major, qualifiers: Relation("mesh", ("", name, major, *qualifiers)),
    st.sampled_from(["Humans", "Aged, 80 and over", "Soup"]),
    st.sampled_from(["", "major"]),
    st.lists(st.sampled_from(["history", "*history", "prevention & control"]), max_size=2),
)
DATES = st.one_of(st.just(""), st.dates().map(str), st.dates().map(lambda day: str(day)[:7]))
LABELS = st.sampled_from(["BACKGROUND", "WHAT THIS ADDS", "Methods", "RESULTS"])


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """What MEDLINE text can hold."""
    title = draw(TEXTS)
    labelled = draw(st.lists(st.builds(Section, st.just("abstract"), PLAIN, LABELS), max_size=3))
    abstract = (
        labelled
        if len(labelled) > 1
        else draw(st.lists(st.builds(Section, st.just("abstract"), PLAIN), max_size=2))
    )
    categories = st.sampled_from(["", "AAMC", "Publisher ger"])
    others = draw(
        st.lists(st.builds(Section, st.just("other abstract"), PLAIN, st.just(""), categories), max_size=3)
    )
    headings = draw(st.lists(HEADINGS, max_size=3))
    date = draw(DATES)
    facts = {
        "version": draw(st.sampled_from(["", "2"])),
        "date": date,
        "year": date[:4],
        "journal": draw(TEXTS),
        "language": "; ".join(draw(st.lists(CODES, max_size=2))),
        "doi": draw(st.sampled_from(["", "10.1000/a<b>&c"])),
        "pmcid": draw(st.sampled_from(["", "PMC1"])),
        "types": "; ".join(draw(st.lists(CODES, max_size=2))),
        "mesh": "; ".join(heading.arguments[1] for heading in headings),
        "vernacular_title": draw(TEXTS),
        "title_form": title_form(title),
        **{
            name: "; ".join(draw(st.lists(TARGETS, unique=True, max_size=2)))
            for name in ("retracted", "expression_of_concern", "erratum", "notice_of")
        },
    }
    return Document(
        draw(st.integers(1, 10**8).map(str)),
        (Section("title", title), *abstract, *others),
        (),
        tuple(headings),
        {name: fact for name, fact in facts.items() if fact},
    )


@given(st.lists(documents(), min_size=1, max_size=4))
def test_what_is_written_is_read_back_the_same(made: list[Document]) -> None:
    data, losses = written(made)
    assert losses == {}
    assert read(data) == made


ANY = st.text(st.characters(codec="utf-8"), max_size=12)


@given(
    st.lists(st.builds(Section, st.sampled_from(["title", "abstract", "body"]), ANY, ANY, ANY), max_size=3),
    st.lists(st.builds(Relation, st.sampled_from(["mesh", "CID"]), st.tuples(ANY, ANY, ANY)), max_size=2),
    st.dictionaries(st.sampled_from(["date", "types", "title_form", "retracted", "doi", "source"]), ANY),
)
def test_a_loss_is_counted_exactly_where_something_does_not_come_back(
    sections: list[Section], relations: list[Relation], facts: dict[str, str]
) -> None:
    document = Document("1", tuple(sections), (), tuple(relations), facts)
    data, losses = written([document])
    (held,) = read(data)
    known = {name: held.facts[name] for name in facts if name in held.facts}
    assert (losses == {}) == (Document("1", held.sections, (), held.relations, known) == document)


def test_what_citations_lose_in_text_is_told_by_name(tmp_path: Path) -> None:
    source = SAMPLES / "medline/citations.xml"
    converted = api.convert([source], tmp_path / "a.nbib", to="nbib")
    # Identifiers of headings (one has none), references, and classes of labels.
    assert converted.losses == {"relation": 3, "fact": 2, "section_category": 7, "deleted_citation": 2}
    with source.open("rb") as stream:
        citations = [document for document in medline.read(stream, Repairs()) if document.sections]
    again = list(api.read(tmp_path / "a.nbib"))
    assert [document.id for document in again] == [document.id for document in citations]
    kept = [{name: d.facts[name] for name in d.facts if name != "references"} for d in citations]
    assert [document.facts for document in again] == kept
    assert [s.title for s in again[0].sections] == [s.title for s in citations[0].sections]


@pytest.mark.parametrize("ident", ["", " 1", "1\n2", "1\x00"])
def test_an_id_that_a_line_cannot_hold_is_refused(ident: str) -> None:
    with pytest.raises(InputError, match="MEDLINE text cannot hold this document id"):
        written([Document(ident, (Section("title", "A"),))])
