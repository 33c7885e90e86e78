"""Documents written as BioC XML and BioC JSON, and read back."""

from __future__ import annotations

import io
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.documents.document import Document, Mention, Relation, Section
from anagnosis.documents.formats.bioc import json as bioc_json
from anagnosis.documents.formats.bioc import xml as bioc_xml
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

MODULES = pytest.mark.parametrize("module", [bioc_xml, bioc_json], ids=["xml", "json"])
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


def written(module: ModuleType, *documents: Document) -> tuple[bytes, dict[str, int]]:
    stream = io.BytesIO()
    losses = module.write(documents, stream)
    return stream.getvalue(), losses


def read(module: ModuleType, data: bytes) -> tuple[list[Document], Repairs]:
    repairs = Repairs()
    return list(module.read(io.BufferedReader(io.BytesIO(data)), repairs, "ours")), repairs  # pyright: ignore[reportArgumentType]


@MODULES
def test_headings_categories_names_and_mentions_across_passages_come_back(module: ModuleType):
    data, losses = written(module, FULL, FULL)
    assert losses == {}
    documents, repairs = read(module, data)
    assert documents == [FULL, FULL]
    assert repairs.counts == {"mention_without_identifier": 2}


def test_another_program_reads_offsets_and_text_as_they_stand():
    (record,) = api_json(FULL)
    passages = record["passages"]
    text = "\n".join(passage["text"] for passage in passages)
    assert text == FULL.text
    for passage in passages:
        for annotation in passage["annotations"]:
            (place,) = annotation["locations"][:1]
            begin = place["offset"] - passage["offset"]
            assert annotation["text"].startswith(passage["text"][begin : begin + place["length"]])


def api_json(document: Document) -> list[dict[str, Any]]:
    import json

    return json.loads(written(bioc_json, document)[0])["documents"]


def test_a_character_that_xml_does_not_allow_is_a_blank_and_counted():
    data, losses = written(bioc_xml, Document("1", (Section("title", "x\x0by"),)))
    assert losses == {"character_replaced": 1}
    assert read(bioc_xml, data)[0][0].title == "x y"


def test_half_a_surrogate_pair_is_a_lost_document_in_json():
    data, losses = written(bioc_json, Document("1", (Section("title", "\ud800"),)), FULL)
    assert losses == {"document": 1}
    assert read(bioc_json, data)[0] == [FULL]


@MODULES
@each_row("ident", ["", " 1", "1\n"])
def test_an_id_with_blanks_around_it_is_one_line(module: ModuleType, ident: str):
    with pytest.raises(InputError, match="BioC cannot hold this document id"):
        written(module, Document(ident, (Section("title", "x"),)))


def test_an_id_that_xml_cannot_hold_is_one_line():
    with pytest.raises(InputError, match="XML cannot hold this document id"):
        written(bioc_xml, Document("a\x0bb", (Section("title", "x"),)))


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
    relations = st.lists(st.builds(Relation, words, st.tuples(words, words)), max_size=2)
    facts = st.dictionaries(st.sampled_from(["journal", "pmcid", "my fact"]), words, max_size=3)
    return Document(
        "1",
        sections,
        tuple(sorted(mentions, key=lambda mention: (mention.spans, mention.name))),
        tuple(draw(relations)),
        draw(facts),
    )


@MODULES
@given(data=st.data())
def test_any_document_of_printed_characters_comes_back(module: ModuleType, data: st.DataObject):
    document = data.draw(documents(WORDS))
    file, losses = written(module, document)
    (back,), _ = read(module, file)
    assert not losses
    assert (back.id, back.sections, back.facts) == (document.id, document.sections, document.facts)
    assert set(back.mentions) == set(document.mentions)
    assert back.relations == document.relations


@MODULES
@given(data=st.data())
def test_what_came_back_is_written_the_same(module: ModuleType, data: st.DataObject):
    back, _ = read(module, written(module, data.draw(documents(ANY)))[0])
    again, none = written(module, *back)
    assert (again, none) == (written(module, *read(module, again)[0])[0], {})
