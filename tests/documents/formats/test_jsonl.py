"""JSON lines: what a line may say, what is refused with its line, and that what is written comes back."""

from __future__ import annotations

import io
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row
from tests.truncated import up_to_the_break

from anagnosis.documents.document import Document, Mention, Relation, Section
from anagnosis.documents.formats import FORMATS, jsonl
from anagnosis.documents.formats.detect import format_module
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import STATES


def read(*lines: Any) -> tuple[list[Document], Repairs]:
    repairs = Repairs()
    data = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines).encode()
    return up_to_the_break(jsonl.read(io.BytesIO(data), repairs, "a.jsonl"), repairs), repairs


def only(**line: Any) -> Document:
    (document,), repairs = read({"id": "a", **line})
    assert not repairs.refused
    return document


def written(*documents: Document) -> tuple[bytes, dict[str, int]]:
    stream = io.BytesIO()
    losses = jsonl.write(documents, stream)
    return stream.getvalue(), losses


TITLE = Section("title", "Salt")
SECTIONS: list[tuple[dict[str, Any], tuple[Section, ...]]] = [
    ({"title": "Salt", "text": "It is."}, (TITLE, Section("abstract", "It is."))),
    ({"title": "Salt"}, (TITLE,)),
    ({"title": "Salt", "text": ""}, (TITLE,)),
    ({"title": "", "text": "x"}, (Section("title", ""), Section("abstract", "x"))),
    ({"text": "It is."}, (Section("abstract", "It is."),)),
    (
        {"sections": [{"title": "METHODS", "text": "We."}, {"title": None, "text": "So."}]},
        (Section("abstract", "We.", "METHODS"), Section("abstract", "So.")),
    ),
    (
        {"sections": [{"label": "KEY RESULTS", "text": "We.", "nlm": "RESULTS"}]},
        (Section("abstract", "We.", "KEY RESULTS", "RESULTS"),),
    ),
    (
        {"sections": [{"kind": "body", "title": "Aim", "text": "We.", "category": "intro"}]},
        (Section("body", "We.", "Aim", "intro"),),
    ),
]


@each_row(("line", "expected"), SECTIONS)
def test_a_line_is_a_document(line: dict[str, Any], expected: tuple[Section, ...]) -> None:
    assert only(**line).sections == expected


FACTS: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"date": "2020-03-05", "journal": "J"}, {"date": "2020-03-05", "year": "2020", "journal": "J"}),
    ({"date": "2020 Mar 5"}, {"date": "2020-03-05", "year": "2020"}),
    ({"year": 2020}, {"date": "2020", "year": "2020"}),
    ({"year": 2020.0}, {"date": "2020", "year": "2020"}),
    ({"year": "2020-03"}, {"date": "2020-03", "year": "2020"}),
    ({"year": 2019, "date": "2020-03-11T10:00:00Z"}, {"date": "2020-03-11", "year": "2019"}),
    ({"date": "2020/3/11"}, {"date": "2020-03-11", "year": "2020"}),
    ({"date": "2020-03-11 10:00:00+00:00"}, {"date": "2020-03-11", "year": "2020"}),
    ({"mesh": ["Humans", "Male"], "language": "ger"}, {"mesh": "Humans; Male", "language": "ger"}),
    (
        {
            "metadata": {
                "date": "2022",
                "doi": "https://doi.org/10.1/x",
                "pmid": 7,
                "pmcid": 8,
                "licence": "cc",
            }
        },
        {"date": "2022", "year": "2022", "doi": "10.1/x", "pmid": "7", "pmcid": "PMC8", "licence": "cc"},
    ),
    ({"retracted": True, "erratum": False, "source": None}, {"retracted": "unnamed"}),
    ({"retracted": "27000083"}, {"retracted": "27000083"}),
    ({"authors": ["Nemo AB", "Salt Study Group"]}, {"authors": "Nemo, AB; Salt Study Group"}),
    ({"authors": "Nemo, Ana; Bo, B"}, {"authors": "Nemo, Ana; Bo, B"}),
    ({"authors": [{"orcid": "0"}]}, {}),
    ({"authors": [["Nemo"]]}, {}),
    ({"authors": None}, {}),
    ({"volume": 3, "pages": "1-7"}, {"volume": "3", "pages": "1-7"}),
    ({"facts": {"doi": "https://doi.org/10.1/x"}, "journal": "J"}, {"doi": "https://doi.org/10.1/x"}),
]


@each_row(("line", "expected"), FACTS)
def test_other_keys_are_facts_as_other_formats_have_them(
    line: dict[str, Any], expected: dict[str, str]
) -> None:
    assert only(title="T", **line).facts == expected


def test_a_key_that_cannot_be_a_fact_or_is_none_of_a_section_is_counted() -> None:
    sections = [{"heading": "Aim", "text": "We."}]
    (document,), repairs = read(
        {"id": "a", "sections": sections, "scores": {"a": 1}, "doi": [["x"]], "pmid": "none", "date": "soon"}
    )
    assert document.facts == {}
    assert repairs.counts == {"key_left_out": 4, "date_unreadable": 1}


@each_row("name", sorted(STATES))
@each_row("value", [0, 0.0, False, None, "", "no", "No ", "FALSE", "none", "null", [], ["no"]])
def test_a_notice_that_says_no_is_none(name: str, value: Any) -> None:
    (document,), repairs = read({"id": "a", "title": "T", name: value})
    assert document.facts == {}
    assert not repairs.counts


@each_row("value", [1, True, "yes", "True", [True]])
def test_a_notice_that_says_only_yes_is_unnamed(value: Any) -> None:
    assert only(title="T", erratum=value).facts == {"erratum": "unnamed"}


DATES: list[tuple[Any, str]] = [
    ("03/11/2020", "2020"),
    ("2020-13-45", "2020"),
    ("2020-02-31", "2020-02"),
    ("2000 Spring", "2000"),
    ("11 March 2020", "2020"),
    ("0000-00-00", ""),
    ("in press", ""),
    ("99999999999999999999-01", ""),
    ("2020 ²", "2020"),
    ("٢٠٢٠", ""),
]


@each_row(("words", "expected"), DATES)
@each_row("line", ["date", "year", "facts"])
def test_of_a_date_that_cannot_be_read_what_is_plain_stays_and_it_is_counted(
    words: Any, expected: str, line: str
) -> None:
    (document,), repairs = read(
        {"id": "a", "title": "T", line: {"date": words} if line == "facts" else words}
    )
    assert document.facts.get("date") == (expected or None)
    assert "year" not in document.facts or document.facts["year"] == expected[:4] != ""
    assert repairs.counts == {"date_unreadable": 1}


def test_an_id_of_digits_is_a_pmid_only_where_the_line_says_so() -> None:
    documents, repairs = read(
        {"_id": "4983", "title": "T", "metadata": {}},
        {"id": 4983, "title": "T", "pmid": 4983},
        {"id": "4983", "title": "T", "metadata": {"pmid": "27000083"}},
        {"id": "PMC4983", "title": "T"},
        {"id": "27000083", "title": "T", "facts": {}},
    )
    assert [document.facts for document in documents] == [
        {"id_of": "other"}, {"pmid": "4983"}, {"pmid": "27000083"}, {}, {}
    ]  # fmt: skip
    assert not repairs.counts
    again = list(jsonl.read(io.BytesIO(written(*documents)[0]), Repairs()))
    assert again == documents


REFUSED = [
    ("{", "no document: Input data was truncated"),
    ('{"id": "1"', "no document: Input data was truncated"),
    ("[1]", "no document: Expected `object`, got `array`"),
    ({"title": "T"}, "no document: it has no id"),
    ({"id": " ", "title": "T"}, "no document: it has no id"),
    ({"id": "1"}, "no document: it has neither title nor text nor sections"),
    ({"id": "1", "title": 7}, "no document: Expected `str | null`, got `int` - at `$.title`"),
    (
        {"id": "1", "sections": [{"title": "x"}]},
        "no document: Object missing required field `text` - at `$.sections[0]`",
    ),
    ('{"id": "1", "x": ' + "[" * 100_000, "no document: "),
    ('{"id": "\\ud83d", "title": "T"}', "no document: "),
    ('{"id": "1", "title": "T", "text": "a", "title": "T"}', "no document: the key 'title' stands twice"),
    ('{"id": "1", "title" : "T", "\\u0074itle"\t: "U"}', "no document: the key 'title' stands twice"),
    ('{"id": "1", "title": "T", "facts": {"a": "1", "a": "2"}}', "no document: the key 'a' stands twice"),
    ('{"id": "1", "sections": [{"text": "a", "text": "b"}]}', "no document: the key 'text' stands twice"),
    ('{"id": "1", "title": "T", "x": {"y": [[{"z": 1, "z": 2}]]}}', "no document: the key 'z' stands twice"),
]


@each_row(("line", "why"), REFUSED)
def test_a_line_that_is_no_document_is_refused_with_its_number_and_the_others_stay(
    line: Any, why: str
) -> None:
    documents, repairs = read("", {"id": "0", "title": "T"}, line, {"id": "2", "title": "T"})
    assert [document.id for document in documents] == ["0", "2"]
    ((where, told),) = repairs.refusals
    assert where == "a.jsonl:3"
    assert told.startswith(why)
    assert "\n" not in told


def test_a_key_may_stand_in_many_objects_of_a_line_and_in_its_texts() -> None:
    line = {
        "id": "1",
        "title": 'Of "id": and "title" :',
        "sections": [{"text": "a"}, {"text": "text"}],
        "x": [[{"id": 1}]],
    }
    documents, repairs = read(line, {"id": "2", "title": "id", "metadata": {"id": "2", "n": 7}})
    assert [document.id for document in documents] == ["1", "2"]
    assert not repairs.refusals


def test_a_line_without_end_is_one_line_and_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "LONGEST_LINE", 1 << 16)
    documents, repairs = read({"id": "1", "title": "T"}, {"id": "2", "title": "x" * (1 << 17)})
    assert [document.id for document in documents] == ["1"]
    assert repairs.refusals[0][0] == "a.jsonl:2"


HEADS = [
    (b'{"id": "1", "title": "T", "text": "x"}\n', True),
    (b'\xef\xbb\xbf{"_id": "1", "title": "T", "text": "x"}', True),
    (b'{"id": 1, "sections": []}\n{"id": 2}', True),
    (b'{"id":"1","title":"A title alone, as we write it","facts":{}}\n', True),
    (b'{"_id": "7", "text": "a query", "metadata": {}}\n', False),
    (b'{"id": "ana:1", "answer": "x", "scores": {}}\n', False),
    (b'{"id": "1", "passages": []}\n', False),
    (b'{"paper_id": "a", "metadata": {}}', False),
    (b'{\n  "id": "1",\n  "title": "T"\n}', False),
    (b'{"id": "1", "title": "T", "text": "' + b"x" * (1 << 16), True),
    (b'{"id": "1", "question": "' + b"x" * (1 << 16), False),
    (b"", False),
]


@each_row(("head", "expected"), HEADS)
def test_such_lines_are_known_by_their_first_bytes_and_by_no_other_format(
    head: bytes, expected: bool
) -> None:
    assert jsonl.sniff(head) == expected
    if expected:
        assert [name for name in FORMATS if format_module(name).sniff(head)] == ["jsonl"]


WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
DOCUMENTS = st.builds(
    Document,
    id=WORDS.filter(str.strip),
    sections=st.lists(
        st.builds(
            Section, st.one_of(st.sampled_from(["title", "abstract", "body"]), WORDS), WORDS, WORDS, WORDS
        ),
        max_size=3,
    ).map(tuple),
    mentions=st.lists(
        st.builds(Mention, st.just(((0, 1), (2, 3))), WORDS, WORDS, WORDS, WORDS), max_size=2
    ).map(tuple),
    relations=st.lists(st.builds(Relation, WORDS, st.lists(WORDS, max_size=2).map(tuple)), max_size=2).map(
        tuple
    ),
    facts=st.dictionaries(WORDS, WORDS, max_size=2),
).map(lambda each: each if len(each.text) > 2 else msgspec.structs.replace(each, mentions=()))


@pytest.mark.parametrize("span", ["[0, 500]", "[-1, 1]", "[3, 2]", "[0, 5], [5, 60]", ""])
def test_a_mention_beyond_its_text_is_left_out_and_counted(span: str) -> None:
    kept = '{"spans": [[0, 5]], "text": "salts", "type": "Chemical", "identifier": "2"}'
    beyond = kept.replace("[0, 5]", span)
    documents, repairs = read(f'{{"id": "1", "text": "salts", "mentions": [{beyond}, {kept}]}}')
    assert [mention.spans for mention in documents[0].mentions] == [((0, 5),)]
    assert repairs.counts["mention_beyond_text"] == 1


@given(st.lists(DOCUMENTS, max_size=4))
def test_what_is_written_comes_back_as_it_was(documents: list[Document]) -> None:
    data, losses = written(*documents)
    assert losses == {}
    assert data.count(b"\n") == len(documents)
    if documents:
        repairs = Repairs()
        assert list(jsonl.read(io.BytesIO(data), repairs)) == documents
        assert not repairs.counts
        assert not repairs.refusals
        assert jsonl.sniff(data[: 1 << 16])


def test_a_document_that_no_line_can_hold_is_counted() -> None:
    data, losses = written(
        Document("", (TITLE,)), Document("1", (Section("title", "\ud83d"),)), Document("2", (TITLE,))
    )
    assert losses == {"document": 2}
    assert data == b'{"id":"2","title":"Salt","facts":{}}\n'


@each_row(
    "page_map, kept",
    [
        ("9f86d081884c7d65 4:0 12", True),
        ("9f86d081884c7d65 0:0 5 4:0 7", True),
        ("9f86d081884c7d65 4:0 11", False),  # of another text
        ("9f86d081884c7d65 0:0 12", False),  # without a page
        ("9f86d081884c7d65 4:0" + " 1" * 40, False),  # more lines than characters
        ("../paper.pdf 4:0 12", False),
    ],
)
def test_a_page_map_is_kept_where_it_is_one_of_the_text(page_map: str, kept: bool) -> None:
    line = {"id": "1", "title": "Tea", "sections": [{"text": "Tea is drunk", "page_map": page_map}]}
    repairs = Repairs()
    (document,) = jsonl.read(io.BytesIO(msgspec.json.encode(line)), repairs)
    assert document.sections[1].page_map == (page_map if kept else "")
    assert repairs.counts["page_map_left_out"] == (not kept)
