"""BioC JSON: every wrapper gives the same documents, and every fault is told by name and line."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row
from tests.truncated import up_to_the_break

from anagnosis.documents.document import Document, Mention, Relation, Section
from anagnosis.documents.formats.bioc import json as bioc_json
from anagnosis.documents.io import json_stream
from anagnosis.documents.io.json_stream import JsonText
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.io.files import open_input

SAMPLES = Path(__file__).parents[3] / "samples" / "bioc"


def read_sample(name: str) -> tuple[list[Document], Repairs]:
    repairs = Repairs()
    with open_input(SAMPLES / name) as stream:
        return up_to_the_break(bioc_json.read(stream, repairs, name), repairs), repairs


def read_text(text: str, name: str = "ours.json") -> tuple[list[Document], Repairs]:
    repairs = Repairs()
    return list(bioc_json.read(io.BytesIO(text.encode()), repairs, name)), repairs


# sample → (documents, values that are none)
WRAPPERS = {
    "bare-list.json": (2, 0),
    "notice-and-list.json": (2, 2),
    "pubtator3-wrapper.json": (2, 0),
    "lines.jsonl": (2, 0),
    "bare-document.json": (1, 0),
}


@each_row("name", WRAPPERS)
def test_every_wrapper_gives_the_same_documents(name: str) -> None:
    documents, others = WRAPPERS[name]
    expected = [
        Document("900101", (Section("title", "Aspirin."),)),
        Document("900102", (Section("title", "Ibuprofen."),)),
    ]
    found, repairs = read_sample(name)
    assert found == expected[:documents]
    assert repairs.counts == ({"not_a_document": others} if others else {})


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


class _Pieces(io.BytesIO):
    """A stream that never gives more than `size` bytes at once."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self.size = size

    def read(self, size: int | None = -1) -> bytes:
        return super().read(self.size if size is None or size < 0 else min(size, self.size))


@given(values=st.lists(_values, min_size=1, max_size=4), size=st.integers(1, 9), ascii_only=st.booleans())
def test_values_cut_anywhere_are_read_whole(values: list[Any], size: int, ascii_only: bool) -> None:
    data = "\n ".join(json.dumps(value, ensure_ascii=ascii_only) for value in values).encode()
    text = JsonText(_Pieces(data, size))
    found: list[Any] = []
    while text.peek():
        found.append(text.value())
    assert found == values
    assert text.line == data.count(b"\n") + 1


def test_passages_without_infons_are_title_and_abstract_when_they_are_two() -> None:
    documents, repairs = read_sample("passages-without-infons.json")
    assert [[s.label for s in d.sections] for d in documents] == [["title", "abstract"], [""]]
    assert repairs.counts == {"passage_label_by_position": 1}


def test_a_document_of_pubtator_3_keeps_its_facts_and_relations() -> None:
    (document,), repairs = read_sample("pubtator3-document.json")
    assert document.mentions == (
        Mention(((0, 5),), "BRCA1", "Gene", "672"),
        Mention(((9, 15),), "cancer", "Disease", "@DISEASE_Neoplasms"),
        Mention(((19, 23),), "mice", "Species", ""),
    )
    assert document.relations == (Relation("Association", ("672", "MESH:D009369", "0.99")),)
    assert document.facts == {
        "_id": "900109|None",
        "pmid": "900109",
        "date": "2024-05-01",
        "journal": "J Small Examples",
        "authors": "Ada, A; Bo, B",
        "relations_display": '[{"name":"associate|@DISEASE_Neoplasms|@GENE_BRCA1"}]',
        "doi": "10.0/example",
        "year": "2024",
    }
    assert repairs.counts == {
        "fact_given_twice": 1,
        "mention_without_identifier": 1,
    }


@pytest.mark.parametrize(
    ("infons", "expected"),
    [
        ({"article-id_pmc": "9586773"}, "other"),
        ({"article-id_pmc": "7"}, ""),
        ({"article-id_pmid": "9586773"}, ""),
    ],
)
def test_the_number_of_a_pmcid_is_told_from_a_pmid(infons: dict[str, str], expected: str) -> None:
    passage = {"offset": 0, "infons": {"section_type": "TITLE", **infons}, "text": "T"}
    data = json.dumps({"id": "9586773", "infons": {}, "passages": [passage]}).encode()
    (document,) = bioc_json.read(io.BytesIO(data), Repairs(), "a.json")
    assert document.facts.get("id_of", "") == expected


def test_a_nul_character_becomes_a_blank_of_the_same_width() -> None:
    (document,), repairs = read_sample("nul-character.json")
    assert document.title == "a b aspirin"
    assert document.mentions == (Mention(((4, 11),), "aspirin", "Chemical", "MESH:D001241"),)
    assert repairs.counts == {"nul_character": 1}


class InPieces(io.BytesIO):
    """A stream that gives a few bytes at a time, as a pipe may."""

    def read1(self, size: int | None = -1, /) -> bytes:
        return super().read1(7)


@pytest.mark.parametrize("stream", [io.BytesIO, InPieces])
def test_repeated_keys_are_counted_and_the_last_value_stays(stream: type[io.BytesIO]) -> None:
    text = (
        b'{"id": "1", "id": "2", "passages": ['
        b'{"offset": 9, "offset": 0, "text": "a", "infons": {"type": "x", "type": "title"}}]}'
    )
    repairs = Repairs()
    (document,) = bioc_json.read(stream(text), repairs, "a.json")
    assert (document.id, document.title) == ("2", "a")
    assert repairs.counts == {"repeated_key": 3}


# sample → (ids that stay, where the refusal is, a word of why)
REFUSED = [
    ("truncated.json", ["900101"], "truncated.json:2", "the text ends too early"),
    ("unquoted-name.json", ["900101"], "unquoted-name.json:2", "a name in double quotes expected"),
    ("latin-1.json", ["900101"], "latin-1.json:2", "not UTF-8"),
    ("offset-is-no-number.json", ["900101"], "offset-is-no-number.json:1", "passages[0].offset"),
    ("half-of-a-surrogate-pair.json", ["900101"], "half-of-a-surrogate-pair.json:1", "surrogate pair"),
]


@each_row(("name", "ids", "where", "why"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_refused_document_is_named_by_its_line(name: str, ids: list[str], where: str, why: str) -> None:
    documents, repairs = read_sample(name)
    assert [document.id for document in documents] == ids
    assert repairs.refused + repairs.counts["truncated_file"] == 1
    assert repairs.refusals[0][0] == where
    assert why in repairs.refusals[0][1]


# text → the line that the user gets, from its beginning
WRONG = [
    ("", "ours.json: the file is empty"),
    (" \n", "ours.json: the file is empty"),
    ('{"a": 1}', 'ours.json: no object with "passages"'),
    ('{"documents": 3}', 'ours.json: no object with "passages"'),
    ("3", 'ours.json: no object with "passages"'),
    ("{", "ours.json:1: malformed JSON: a name in double quotes expected"),
    ("[\n\n{]", "ours.json:3: malformed JSON: a name in double quotes expected"),
    ('{"documents": [', "ours.json:1: the text ends too early; fetch it again"),
    ('{"passages": [}\n\n', "ours.json:1: malformed JSON: Expecting value"),
    ('{"passages": []\n"id": 1}', "ours.json:2: malformed JSON: a comma or the object's end expected"),
    ("not JSON", "ours.json:1: malformed JSON: Expecting value"),
    ("[[[[[1]]]]]", "ours.json:1: malformed JSON: lists in lists, more than 4 deep"),
    (
        '{"passages": ' + "[" * 100_000,
        "ours.json:1: malformed JSON: a value that cannot be read (RecursionError)",
    ),
    ('{"a": ' + "9" * 5000 + "}", "ours.json:1: malformed JSON: a value that cannot be read (ValueError)"),
]


@each_row(("text", "line"), WRONG, ids=[row[0][:20] for row in WRONG])
def test_a_file_that_gives_nothing_is_an_input_error(text: str, line: str) -> None:
    with pytest.raises(InputError) as caught:
        read_text(text)
    assert str(caught.value).startswith(line)


@pytest.mark.parametrize("text", ["[]", '{"documents": []}', '{"PubTator3": []}'])
def test_an_empty_collection_has_no_documents(text: str) -> None:
    assert read_text(text)[0] == []


def test_a_value_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "LONGEST_VALUE", 1 << 10)
    monkeypatch.setattr(json_stream, "BLOCK", 1 << 8)
    monkeypatch.setattr(bioc_json, "LONGEST_VALUE", 1 << 10)
    with pytest.raises(InputError, match="a value longer than"):
        read_text('{"passages": ["' + "x" * (1 << 16))
    with pytest.raises(InputError, match="a document longer than"):
        read_text("{" + ", ".join(f'"{number}": 1' for number in range(1000)))


def test_documents_come_while_the_file_is_still_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "BLOCK", 1 << 10)
    one = '{"id": "1", "passages": []}'
    stream = io.BytesIO(f'{{"documents": [{", ".join([one] * 1000)}]}}'.encode())
    documents = bioc_json.read(stream, Repairs(), "ours")
    next(documents)
    assert stream.tell() <= 1 << 10


# Real files, with the counts of data/README.d/pubtator.md: documents, annotations (all match), relations,
# sections, counted. Three of PubTator 3's documents have one annotation that is linked to nothing.
FACTS = {
    "biored-test.bioc.json.gz": (
        *(100, 3535, 1163, 200),
        {"passage_label_by_position": 100, "mention_without_identifier": 12},
    ),
    "litcovid-pubtatorcentral.bioc.json.gz": (
        *(97, 4175, 0, 1595),
        {"not_a_document": 2, "fact_given_twice": 172, "mention_without_identifier": 93},
    ),
    "pubtator3": (8, 170, 34, 16, {"fact_given_twice": 16, "mention_without_identifier": 3}),
}


@pytest.mark.shared
@pytest.mark.parametrize("name", FACTS)
def test_real_files_give_their_known_counts(shared: Path, name: str) -> None:
    documents, annotations, relations, sections, counts = FACTS[name]
    given = shared / "data/pubtator/bioc" / name
    repairs = Repairs()
    found: list[Document] = []
    for path in sorted(given.iterdir()) if given.is_dir() else [given]:
        with open_input(path) as stream:
            found.extend(bioc_json.read(stream, repairs, path.name))
    assert repairs.refused == 0
    others = {name: count for name, count in repairs.counts.items() if not name.endswith("_left_out")}
    assert others == counts
    assert len(found) == documents
    assert sum(len(document.mentions) for document in found) == annotations
    assert sum(len(document.relations) for document in found) == relations
    assert sum(len(document.sections) for document in found) == sections
    for document in found:
        for mention in document.mentions:
            assert document.text[mention.start : mention.end] == mention.text
