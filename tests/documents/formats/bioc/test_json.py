"""BioC JSON: every wrapper gives the same documents, and every fault is told by name and line."""

from __future__ import annotations

import io
import json
import tracemalloc
from pathlib import Path

import pytest
from tests.rows import each_row
from tests.truncated import up_to_the_break

from anagnosis.documents.document import Document, Mention, Section
from anagnosis.documents.formats.bioc import json as bioc_json
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
    return list(bioc_json.read(io.BytesIO(text.encode(errors="surrogateescape")), repairs, name)), repairs


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
    assert bioc_json.sniff((SAMPLES / name).read_bytes())
    assert repairs.counts == ({"not_a_document": others} if others else {})


def test_passages_without_infons_are_title_and_abstract_when_they_are_two() -> None:
    documents, repairs = read_sample("passages-without-infons.json")
    assert [[s.label for s in d.sections] for d in documents] == [["title", "abstract"], [""]]
    assert repairs.counts == {"passage_label_by_position": 1}


def test_a_document_of_pubtator_3_keeps_its_facts() -> None:
    (document,), repairs = read_sample("pubtator3-document.json")
    assert document.mentions == (
        Mention(((0, 5),), "BRCA1", "Gene", "672"),
        Mention(((9, 15),), "cancer", "Disease", "@DISEASE_Neoplasms"),
        Mention(((19, 23),), "mice", "Species", ""),
    )
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
        "relations_left_out": 1,
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


def test_annotations_without_text_do_not_copy_the_paper() -> None:
    places = [{"locations": [{"offset": at, "length": 99_999 - at}]} for at in range(5_000)]
    passage = {"offset": 0, "text": "a" * 99_999, "annotations": places}
    data = json.dumps({"id": "1", "passages": [passage]}).encode()
    tracemalloc.start()
    (document,) = bioc_json.read(io.BytesIO(data), repairs := Repairs())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (document.mentions, repairs.counts["mention_without_text"]) == ((), 5_000)
    assert peak < 64 << 20


def test_a_nul_character_becomes_a_blank_of_the_same_width() -> None:
    (document,), repairs = read_sample("nul-character.json")
    assert document.title == "a b aspirin"
    assert document.mentions == (Mention(((4, 11),), "aspirin", "Chemical", "MESH:D001241"),)
    assert repairs.counts == {"nul_character": 1}


# sample → (ids that stay, where the refusal is, a word of why)
REFUSED = [
    ("latin-1.json", "decode byte"),
    ("offset-is-no-number.json", "passages[0].offset"),
]


@each_row(("name", "why"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_refused_document_costs_itself(name: str, why: str) -> None:
    documents, repairs = read_sample(name)
    assert [document.id for document in documents] == ["900101"]
    ((where, found),) = repairs.refusals
    assert where.startswith(f"{name}, document ")
    assert why in found


def test_a_key_that_stands_twice_refuses_its_document() -> None:
    one = '{"id": "1", "passages": [{"offset": 9, "offset": 0, "text": "a"}]}'
    documents, repairs = read_text(one + "\n" + one.replace('"offset": 9, ', ""))
    assert len(documents) == 1
    assert repairs.refusals == [
        ("ours.json, document 1", "not a BioC document: the key 'offset' stands twice")
    ]


def test_whole_lines_in_front_of_a_broken_one_are_read() -> None:
    line = '{"id": "1", "passages": []}\n'
    repairs = Repairs()
    stream = io.BytesIO((line * 2 + line[:9]).encode())
    assert len(up_to_the_break(bioc_json.read(stream, repairs, "ours.json"), repairs)) == 2
    assert repairs.refusals == [("ours.json:3", "the text ends too early")]


# text → the line that the user gets, from its beginning
WRONG = [
    ("", "ours.json: the file is empty"),
    ('{"a": 1}', 'ours.json: no object with "passages"'),
    ('{"documents": 3}', 'ours.json: no object with "passages"'),
    ('{"id": "\\ud83d", "passages": []}', "ours.json: malformed JSON"),
    ('{"passages": ' + "[" * 100_000, "ours.json: malformed JSON: maximum recursion depth"),
]


@each_row(("text", "line"), WRONG, ids=[row[0][:20] for row in WRONG])
def test_a_file_that_gives_nothing_is_an_input_error(text: str, line: str) -> None:
    with pytest.raises(InputError) as caught:
        read_text(text)
    assert str(caught.value).startswith(line)


@pytest.mark.parametrize("text", ["[]", '{"documents": []}', '{"PubTator3": []}'])
def test_an_empty_collection_has_no_documents(text: str) -> None:
    assert read_text(text)[0] == []
