"""What BioC XML and BioC JSON have in common: the same documents come out of both."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis import api
from anagnosis.documents.document import Document, Mention, Section
from anagnosis.documents.formats.bioc import json as bioc_json
from anagnosis.documents.formats.bioc import xml as bioc_xml
from anagnosis.documents.formats.bioc.conversion import label
from anagnosis.documents.formats.bioc.mentions import identifier, plain
from anagnosis.documents.repairs import Repairs
from anagnosis.io.files import open_input

SAMPLES = Path(__file__).parents[3] / "samples" / "bioc"
READERS = {"xml": bioc_xml.read, "json": bioc_json.read}

COLLECTION = {"collection_source": "ours", "collection_date": "2026", "collection_key": "ours.key"}
TWO_DOCUMENTS = [
    Document(
        "900001",
        (
            Section("title", "Metformin in polycystic ovary syndrome."),
            Section("abstract", "Renal and hepatic failure were rare; naïve women did well."),
        ),
        (
            Mention(((0, 9),), "Metformin", "Chemical", "MESH:D008687"),
            Mention(((13, 38),), "polycystic ovary syndrome", "Disease", "MESH:D011085"),
            Mention(((40, 45), (58, 65)), "Renal failure", "Disease", "MESH:D051437"),
            Mention(((83, 88),), "women", "Species", ""),
        ),
        facts={"year": "2021", "journal": "J Small Examples", **COLLECTION},
    ),
    Document("900002", (Section("title", "An editorial."),), facts=COLLECTION),
]


def read_sample(name: str) -> tuple[list[Document], Repairs]:
    """The documents of a sample and what was mended in it."""
    read = READERS["xml" if name.endswith(".xml") else "json"]
    repairs = Repairs()
    with open_input(SAMPLES / name) as stream:
        return list(read(stream, repairs, name)), repairs


@pytest.mark.parametrize("name", ["two-documents.xml", "two-documents.json"])
def test_both_formats_give_the_same_documents(name: str) -> None:
    documents, repairs = read_sample(name)
    assert documents == TWO_DOCUMENTS
    assert repairs.counts == {
        "mention_without_identifier": 1,
        "relations_left_out": 1,
    }
    assert repairs.refused == 0


@pytest.mark.parametrize("document", TWO_DOCUMENTS, ids=lambda document: document.id)
def test_every_mention_stands_at_its_spans(document: Document) -> None:
    for mention in document.mentions:
        assert " ".join(document.text[start:end] for start, end in mention.spans) == mention.text


# infons of an annotation → (as spelled, as carried)
LINKED: list[tuple[dict[str, Any], str, str]] = [
    ({"identifier": "MESH:D003693"}, "MESH:D003693", "MESH:D003693"),
    ({"identifier": "D003693"}, "D003693", "D003693"),
    ({"Identifier": "tmVar:p|SUB|M|327|V;RS#:1"}, "tmVar:p|SUB|M|327|V;RS#:1", "tmVar:p|SUB|M|327|V;RS#:1"),
    ({"MESH": "D003693"}, "D003693", "MESH:D003693"),
    ({"MESH": "MESH:D003693"}, "MESH:D003693", "MESH:D003693"),
    ({"MESH": "D002318|D012131"}, "D002318|D012131", "MESH:D002318|MESH:D012131"),
    ({"MESH": "D002318|-1"}, "D002318|-1", "MESH:D002318|-1"),
    ({"OMIM": "604588"}, "604588", "OMIM:604588"),
    ({"CVCL": "0007"}, "0007", "CVCL:0007"),
    ({"CVCL": "CVCL_0007"}, "CVCL_0007", "CVCL_0007"),
    ({"NCBI Gene": "3685;3690"}, "3685;3690", "3685;3690"),
    ({"NCBI Species": "9031"}, "9031", "9031"),
    ({"NCBI Taxonomy": "*9606"}, "*9606", "*9606"),
    ({"tmVar": "p.T588N"}, "p.T588N", "p.T588N"),
    ({"NCBI Gene": "672", "NCBI Homologene": "5276"}, "672", "672"),
    ({"NCBI Homologene": "5276"}, "5276", "HomoloGene:5276"),
    ({"identifier": 672, "accession": "@GENE_BRCA1"}, "672", "672"),
    ({"identifier": None, "accession": "@GENE_BRCA1"}, "@GENE_BRCA1", "@GENE_BRCA1"),
    ({"identifier": "-", "MESH": "D003693"}, "D003693", "MESH:D003693"),
    ({"identifier": ""}, "", ""),
    ({"MESH": "-1"}, "", ""),
    ({"MESH": "Unknown"}, "", ""),
    ({"type": "Disease"}, "", ""),
]


@each_row(("infons", "spelled", "carried"), LINKED, ids=str)
def test_an_identifier_is_the_first_infon_that_links_to_something(
    infons: dict[str, Any], spelled: str, carried: str
) -> None:
    assert identifier(infons) == (spelled, carried)


def test_a_passage_is_called_by_its_section_type_first() -> None:
    assert label({"type": "front", "section_type": "TITLE"}) == "title"
    assert label({"type": "Abstract"}) == "abstract"
    assert label({"section": "Title", "type": ""}) == "title"
    assert label({}) == ""


def test_values_of_infons_become_plain_strings() -> None:
    given = ["a", 3, 0.5, True, None, [], {}, ["Ada A", "Bo B"], [672], [{"name": "ä"}]]
    plainly = ["a", "3", "0.5", "true", "", "", "", "Ada A; Bo B", "672", '[{"name":"ä"}]']
    assert [plain(value) for value in given] == plainly


# A collection of any documents, written by us, is read back.

_characters = st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\u2028\ufffe\uffff")
_text = st.text(_characters, max_size=30)
_word = st.text(_characters.filter(lambda c: not c.isspace()), min_size=1, max_size=8)


@st.composite
def _document(draw: st.DrawFn) -> Document:
    labels = draw(st.lists(st.sampled_from(["title", "abstract", "body"]), max_size=3))
    sections = tuple(Section(name, draw(_text)) for name in labels)
    mentions: set[Mention] = set()
    start = 0
    for section in sections:
        for _ in range(draw(st.integers(0, 3)) if section.text else 0):
            cuts = st.integers(0, len(section.text))
            points = sorted(draw(st.lists(cuts, min_size=2, max_size=4, unique=True)))
            pairs = list(zip(points[::2], points[1::2], strict=False))
            spans = tuple((start + a, start + b) for a, b in pairs)
            surface = " ".join(section.text[a:b] for a, b in pairs)
            kind, linked = draw(st.sampled_from([("Gene", "672"), ("Disease", ""), ("Chemical", "a|b")]))
            mentions.add(Mention(spans, surface, kind, linked))
        start += len(section.text) + 1
    facts = draw(st.dictionaries(st.sampled_from(["year", "journal", "doi"]), _word, max_size=2))
    ordered = sorted(mentions, key=lambda m: (m.spans, m.type))
    return Document(draw(_word), sections, tuple(ordered), facts=facts)


def _as_json(document: Document, gap: int) -> dict[str, Any]:
    """The document in BioC's shape, with `gap` more characters between passages than in ours."""
    passages: list[dict[str, Any]] = []
    start = 0
    for number, section in enumerate(document.sections):
        end = start + len(section.text)
        inside = [m for m in document.mentions if start <= m.start and m.end <= end]
        annotations = [
            {
                "id": f"{number}.{index}",
                "infons": {"type": m.type, "identifier": m.identifier},
                "text": m.text,
                "locations": [{"offset": a + gap * number, "length": b - a} for a, b in m.spans],
            }
            for index, m in enumerate(inside)
        ]
        infons = {"type": section.label}
        offset = start + gap * number
        passages.append(
            {"infons": infons, "offset": offset, "text": section.text, "annotations": annotations}
        )
        start = end + 1
    return {"id": document.id, "infons": document.facts, "passages": passages}


def _xml(tag: str, value: Any) -> str:
    """One element of BioC XML for a value in the shape of BioC JSON."""
    if not isinstance(value, dict):
        return f"<{tag}>{escape(str(value))}</{tag}>"
    if tag == "location":
        return f'<location offset="{value["offset"]}" length="{value["length"]}"/>'
    parts: list[str] = []
    for key, inner in value.items():
        if key == "infons":
            parts.extend(f"<infon key={quoteattr(k)}>{escape(v)}</infon>" for k, v in inner.items())
        elif isinstance(inner, list):
            parts.extend(_xml(key.removesuffix("s"), item) for item in inner)
        elif not (tag == "annotation" and key == "id"):
            parts.append(_xml(key, inner))
    return f"<{tag}>{''.join(parts)}</{tag}>"


def _written(documents: list[Document], kind: str, gap: int) -> bytes:
    records = [_as_json(document, gap) for document in documents]
    if kind == "json":
        return json.dumps({"source": "us", "documents": records}).encode()
    body = "".join(_xml("document", record) for record in records)
    return f"<collection><source>us</source>{body}</collection>".encode()


@pytest.mark.parametrize("kind", READERS)
@given(documents=st.lists(_document(), max_size=3), gap=st.integers(0, 2))
def test_a_written_collection_is_read_back(kind: str, documents: list[Document], gap: int) -> None:
    repairs = Repairs()
    found = list(READERS[kind](io.BytesIO(_written(documents, kind, gap)), repairs, "ours"))
    for document, before in zip(found, documents, strict=True):
        assert document.sections == before.sections
        assert set(document.mentions) == set(before.mentions)
        assert [m.spans for m in document.mentions] == [m.spans for m in before.mentions]
        assert (document.id, document.facts) == (before.id, {**before.facts, "collection_source": "us"})
    assert set(repairs.counts) <= {"mention_without_identifier"}
    assert repairs.refused == 0


MORE: dict[str, Any] = {
    "source": "ours",
    "infons": {"licence": "none"},
    "documents": [
        {
            "id": "1",
            "infons": {"year": "2021"},
            "passages": [
                {
                    "infons": {"section_type": "TITLE", "type": "front", "journal": "J"},
                    "offset": 0,
                    "text": "Salt helps.",
                    "annotations": [
                        {
                            "id": "A",
                            "infons": {
                                "type": "Chemical",
                                "MESH": "D012965",
                                "OMIM": "7",
                                "note": "x",
                                "empty": "",
                            },
                            "text": "Salt",
                            "locations": [{"offset": 0, "length": 4}],
                        }
                    ],
                },
                {
                    "infons": {"section_type": "INTRO", "type": "paragraph", "section": "Intro", "page": "3"},
                    "offset": 12,
                    "sentences": [{"offset": 12, "text": "It did.", "infons": {"score": "2"}}],
                },
            ],
            "relations": [{"id": "R", "infons": {"type": "Treats"}, "nodes": [{"refid": "A"}]}, {"id": "S"}],
        }
    ],
    "key": "behind.key",
    "version": "",
}


def test_what_a_document_has_no_place_for_is_left_out() -> None:
    repairs = Repairs()
    (document,) = bioc_json.read(io.BytesIO(json.dumps(MORE).encode()), repairs, "more.json")
    assert repairs.counts == {"relations_left_out": 2}
    of_collection = {"collection_source": "ours", "collection_key": "behind.key"}
    assert document.facts == {"year": "2021", "journal": "J", **of_collection}
    assert document.relations == ()


@pytest.mark.parametrize("name", ["two-documents.xml", "two-documents.json"])
def test_what_a_collection_says_of_itself_comes_back_from_json_lines(name: str, tmp_path: Path) -> None:
    done = api.convert([SAMPLES / name], tmp_path / "out.jsonl", to="jsonl")
    assert done.losses == {}
    assert list(api.read(tmp_path / "out.jsonl")) == TWO_DOCUMENTS
    assert api.convert([SAMPLES / name], tmp_path / "out.pubtator").losses["fact"] == 8


def test_two_collections_in_one_file_keep_to_themselves() -> None:
    passage = "<passage><offset>0</offset><text>T</text></passage>"
    inside = f"<source>a</source><infon key='x'>y</infon><document><id>1</id>{passage}</document>"
    inside += f"<document><id>2</id>{passage}</document>"
    collections = (
        f"<set><collection>{inside}</collection><collection><document><id>3</id>{passage}</document>"
    )
    repairs = Repairs()
    found = list(bioc_xml.read(io.BytesIO(f"{collections}</collection></set>".encode()), repairs))
    assert [document.facts.get("collection_source") for document in found] == ["a", "a", None]
    assert repairs.counts == {}
