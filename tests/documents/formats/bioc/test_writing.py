"""Documents written as BioC XML, and read back."""

from __future__ import annotations

import io

import lxml.etree as etree
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.rows import each_row

from anagnosis.documents.document import Document, Mention, Relation, Section
from anagnosis.documents.formats.bioc import xml as bioc_xml
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

FULL = Document(
    "PMC7",
    (
        Section("title", "Salt & <tea>"),
        Section("body", "We asked.\nThey left.", "Methods › People", "methods"),
        Section("table_cells", "a\tb"),
    ),
    (
        Mention(((0, 4),), "Salt", "Chemical", "MESH:D1", "Sodium Chloride"),
        Mention(((13, 20),), "Methods", "Concept", "X|Y"),
        Mention(((30, 32), (40, 44)), "We They", "Group", ""),
        Mention(((45, 49), (51, 52)), "left a", "Across", "Z"),
    ),
    (Relation("binds", ("MESH:D1", "X|Y", "")), Relation("alone", ())),
    {"journal": "J “of” \r\n Salt", "date": "2020-03", "empty key": "x"},
)


def written(*documents: Document) -> tuple[bytes, dict[str, int]]:
    stream = io.BytesIO()
    losses = bioc_xml.write(documents, stream)
    return stream.getvalue(), losses


def read(data: bytes) -> tuple[list[Document], Repairs]:
    repairs = Repairs()
    return list(bioc_xml.read(io.BufferedReader(io.BytesIO(data)), repairs, "ours")), repairs  # pyright: ignore[reportArgumentType]


def test_headings_categories_names_and_mentions_across_passages_come_back():
    data, losses = written(FULL, FULL)
    assert losses == {"relation": 4}
    documents, repairs = read(data)
    assert documents == [replace(FULL, relations=())] * 2
    assert repairs.counts == {"mention_without_identifier": 2}


def test_another_program_reads_offsets_and_text_as_they_stand():
    root = etree.fromstring(written(FULL)[0])
    passages = root.findall("document/passage")
    assert "\n".join(passage.findtext("text", "") for passage in passages) == FULL.text
    for passage in passages:
        for annotation in passage.findall("annotation"):
            place = annotation.find("location")
            assert place is not None
            begin = int(place.get("offset", "")) - int(passage.findtext("offset", ""))
            words = passage.findtext("text", "")[begin : begin + int(place.get("length", ""))]
            assert annotation.findtext("text", "").startswith(words)


def test_a_character_that_xml_does_not_allow_is_a_blank_and_counted():
    data, losses = written(Document("1", (Section("title", "x\x0by"),)))
    assert losses == {"character_replaced": 1}
    assert read(data)[0][0].title == "x y"


@each_row("ident", ["", " 1", "1\n", "a\x0bb"])
def test_an_id_that_bioc_cannot_hold_is_one_line(ident: str):
    with pytest.raises(InputError, match="BioC cannot hold this document id"):
        written(Document(ident, (Section("title", "x"),)))


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=12)
ANY = st.text(max_size=12)


@st.composite
def documents(draw: st.DrawFn, words: st.SearchStrategy[str]) -> Document:
    """A document whose mentions are words of its text."""
    labels = st.sampled_from(["title", "abstract", "body", "figure"])
    headings = st.just("") | words
    sections = tuple(
        draw(st.lists(st.builds(Section, labels, words, headings, headings), min_size=1, max_size=4))
    )
    text = Document("1", sections).text
    mentions = set[Mention]()
    for start in draw(st.lists(st.integers(0, max(0, len(text) - 1)), max_size=4)):
        end = draw(st.integers(min(start + 1, len(text)), len(text)))
        # The newline between two passages is in neither, so no mention may begin or end with it.
        if start < end and text[start:end].strip("\n") == text[start:end]:
            mentions.add(Mention(((start, end),), text[start:end], "Gene", f"i{end}", draw(headings)))
    facts = st.dictionaries(st.sampled_from(["journal", "pmcid", "my fact"]), words, max_size=3)
    return Document(
        "1",
        sections,
        tuple(sorted(mentions, key=lambda mention: (mention.spans, mention.name))),
        facts=draw(facts),
    )


@given(data=st.data())
def test_any_document_of_printed_characters_comes_back(data: st.DataObject):
    document = data.draw(documents(WORDS))
    file, losses = written(document)
    (back,), _ = read(file)
    assert not losses
    assert (back.id, back.sections, back.facts) == (document.id, document.sections, document.facts)
    assert set(back.mentions) == set(document.mentions)


@given(data=st.data())
def test_what_came_back_is_written_the_same(data: st.DataObject):
    back, _ = read(written(data.draw(documents(ANY)))[0])
    again, none = written(*back)
    assert (again, none) == (written(*read(again)[0])[0], {})
