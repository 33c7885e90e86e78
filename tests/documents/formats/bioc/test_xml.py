"""BioC XML: a collection is read one document at a time, and every fault is told by name and line."""

from __future__ import annotations

import io
from pathlib import Path
from typing import BinaryIO

import msgspec
import pytest
from tests.rows import each_row
from tests.truncated import up_to_the_break

from anagnosis.documents.document import Document, Mention, Section
from anagnosis.documents.formats import pubtator
from anagnosis.documents.formats.bioc import json as bioc_json
from anagnosis.documents.formats.bioc import xml as bioc_xml
from anagnosis.documents.io import xml_stream
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.io.files import open_input

SAMPLES = Path(__file__).parents[3] / "samples" / "bioc"
HEART_ATTACK = Mention(((12, 24),), "heart attack", "Disease", "MESH:D009203")


def read_sample(name: str) -> tuple[list[Document], Repairs]:
    repairs = Repairs()
    with open_input(SAMPLES / name) as stream:
        return up_to_the_break(bioc_xml.read(stream, repairs, name), repairs), repairs


def read_bytes(data: bytes, name: str = "ours.xml") -> tuple[list[Document], Repairs]:
    repairs = Repairs()
    return up_to_the_break(bioc_xml.read(io.BytesIO(data), repairs, name), repairs), repairs


def test_a_mention_whose_text_a_tagger_wrote_in_plain_letters_stays_at_its_offsets() -> None:
    annotation = (
        '<annotation id="{0}"><infon key="type">Gene</infon><infon key="identifier">{0}</infon>'
        '<location offset="{1}" length="{2}"/><text>{3}</text></annotation>'
    )
    given = [(1, 0, 5, "IL-1b"), (2, 10, 5, "TNF-a"), (3, 20, 10, "SARS CoV 2"), (4, 35, 7, "Sjogren")]
    text = "IL-1ß and TNF-α and SARS‐CoV‐2 and Sjögren"
    (document,), repairs = read_bytes(
        f"<collection><document><id>1</id><passage><offset>0</offset><text>{text}</text>"
        f"{''.join(annotation.format(*each) for each in given)}</passage></document></collection>".encode()
    )
    assert [mention.text for mention in document.mentions] == ["IL-1ß", "TNF-α", "SARS‐CoV‐2", "Sjögren"]
    assert repairs.counts["mention_text_normalised"] == 4


# sample → (what is counted, the mentions that stay)
MENDED = [
    ("mention-beyond-text.xml", {"mention_beyond_text": 1, "offsets_fit_nowhere": 1}, ()),
    ("mention-text-differs.xml", {"mention_text_differs": 1, "offsets_fit_nowhere": 1}, ()),
    ("mention-text-normalised.xml", {"mention_text_normalised": 1}, (HEART_ATTACK,)),
    ("mention-without-location.xml", {"mention_without_location": 1}, ()),
    ("mention-without-text.xml", {"mention_without_text": 1}, ()),
    ("duplicate-mention.xml", {"duplicate_mention": 1}, (HEART_ATTACK,)),
    (
        "mention-without-identifier.xml",
        {"mention_without_identifier": 4},
        (
            Mention(((0, 7),), "Aspirin", "Chemical", ""),
            Mention(((12, 17),), "heart", "Disease", ""),
            Mention(((12, 24),), "heart attack", "Disease", ""),
            Mention(((18, 24),), "attack", "Disease", ""),
        ),
    ),
    (
        "passage-offset-counts-escapes.xml",
        {"passage_offset_recounted": 1},
        (
            Mention(((12, 31),), "Parkinson's disease", "Disease", "MESH:D010300"),
            Mention(((33, 41),), "Levodopa", "Chemical", "MESH:D007980"),
            Mention(((49, 55),), "Tremor", "Disease", "MESH:D014202"),
        ),
    ),
    (
        "sentences.xml",
        {"mention_without_identifier": 1},
        (
            Mention(((0, 4),), "Mice", "Species", "10090"),
            Mention(((5, 16),), "sleep. Rats", "Span", ""),
            Mention(((12, 16),), "Rats", "Species", "10116"),
        ),
    ),
    ("markup-in-text.xml", {}, (Mention(((9, 13),), "TNFα", "Gene", "7124"),)),
]


@each_row(("name", "counts", "mentions"), MENDED, ids=[row[0] for row in MENDED])
def test_a_mended_document_is_kept_and_counted(
    name: str, counts: dict[str, int], mentions: tuple[Mention, ...]
) -> None:
    documents, repairs = read_sample(name)
    (document,) = documents
    assert document.mentions == mentions
    assert repairs.counts == counts
    assert repairs.refused == 0
    assert all(document.text[m.start : m.end] == m.text for m in document.mentions)


def test_sentences_are_joined_with_the_blanks_between_them() -> None:
    (document,), _ = read_sample("sentences.xml")
    assert document.sections == (Section("abstract", "Mice sleep. Rats do not."),)


def test_markup_comments_and_character_references_leave_their_text() -> None:
    (document,), _ = read_sample("markup-in-text.xml")
    assert document.title == "Ca2+ and TNFα <low>."


def test_a_document_without_id_is_called_by_its_file_and_number() -> None:
    documents, repairs = read_sample("document-without-id.xml")
    expected = ["900005", "document-without-id.xml#2", "document-without-id.xml#3"]
    assert [document.id for document in documents] == expected
    assert repairs.counts == {"document_without_id": 2}


def test_a_single_passage_without_a_label_stays_without_one() -> None:
    documents, repairs = read_sample("document-without-id.xml")
    assert documents[0].sections == (Section("", "One."),)
    assert "passage_label_by_position" not in repairs.counts


def test_a_refused_document_is_named_by_its_line() -> None:
    documents, repairs = read_sample("passage-without-offset.xml")
    assert [document.id for document in documents] == ["900007"]
    ((where, why),) = repairs.refusals
    assert where == "passage-without-offset.xml:2"
    assert "`offset`" in why


def test_an_empty_collection_has_no_documents() -> None:
    assert read_bytes(b"<collection/>")[0] == []


def test_infons_with_one_key_are_joined_in_no_time() -> None:
    infons = "<infon key='k'>word</infon>" * 400_000
    (document,), _ = read_bytes(f"<document><id>1</id>{infons}</document>".encode())
    assert document.facts["k"] == ";".join(["word"] * 400_000)


def test_annotations_of_a_document_stand_in_any_passage() -> None:
    data = b"""<document><id>1</id>
    <passage><offset>0</offset><text>Ab</text></passage><passage><offset>10</offset><text>Cd</text></passage>
    <annotation><location offset="11" length="1"/><text>d</text></annotation>
    <annotation><location offset="5" length="1"/><text>x</text></annotation></document>"""
    (document,), repairs = read_bytes(data)
    assert document.mentions == (Mention(((4, 5),), "d", "", ""),)
    assert repairs.counts["mention_beyond_text"] == 1


class _Endless(io.RawIOBase):
    """One collection that never ends, and how much of it was read."""

    def __init__(self, piece: bytes) -> None:
        self.piece = piece
        self.given = 0

    def read(self, size: int = -1) -> bytes:
        data = b"<collection>" if not self.given else self.piece
        self.given += len(data)
        return data


def _endless(piece: bytes) -> BinaryIO:
    return _Endless(piece)  # pyright: ignore[reportReturnType]  (it has the one method that is used)


def test_documents_come_while_the_file_is_still_read_and_leave_nothing_behind() -> None:
    stream = _endless(b"\n<document><id>1</id></document>" * 100)
    elements = xml_stream.elements(stream, ("document",), "ours")
    for _ in range(500):
        next(elements)
    parent = next(elements)[1].getparent()
    assert parent is not None
    # The 100 documents of the block in hand and an emptied one, none of the 400 before them.
    assert len(parent) <= 101


def test_a_document_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_stream, "LONGEST_ELEMENT", 1 << 16)
    with pytest.raises(InputError, match="a <document> over"):
        list(bioc_xml.read(_endless(b"<passage><offset>0</offset></passage>" * 100), Repairs(), "ours"))


@pytest.mark.shared
def test_biored_is_the_same_in_its_three_formats(shared: Path) -> None:
    folder = shared / "data/pubtator"
    with open_input(folder / "biored.pubtator.gz") as stream:
        text = {document.id: document for document in pubtator.read(stream, Repairs())}
    with open_input(folder / "bioc/biored-test.bioc.xml.gz") as stream:
        xml = list(bioc_xml.read(stream, Repairs()))
    with open_input(folder / "bioc/biored-test.bioc.json.gz") as stream:
        from_json = list(bioc_json.read(stream, Repairs()))
    assert xml == from_json
    assert [msgspec.structs.replace(text[document.id], relations=()) for document in xml] == xml
