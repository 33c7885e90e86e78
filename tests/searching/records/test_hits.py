"""What search and ask write as JSON keeps the published schemas, whatever is asked and whoever answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jsonschema_rs", reason="schemathesis, which brings it, is not installed")
pytest.importorskip("starlette", reason="the extra web is not installed")

import jsonschema_rs
import msgspec
from starlette.testclient import TestClient
from tests.web.apps import web_app

from anagnosis import api
from anagnosis.cli import run
from anagnosis.reports.records import plain, rounded
from anagnosis.searching.index import paper_names
from anagnosis.searching.index.index import Index, open_index
from anagnosis.searching.records.hits import AskAnswer, SearchAnswer, Sentence

SCHEMAS = Path(__file__).parents[3] / "docs" / "schemas"
QUESTIONS = (
    "Does cold tea change sleep?",
    "Which drink changes sleep?",
    "What is TGF-β1?",
    "zzzz",
    "List teas.",
)


def published(command: str) -> Any:
    return jsonschema_rs.validator_for(json.loads((SCHEMAS / f"{command}.json").read_text("utf-8")))


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_answer_keeps_the_published_schema(index: Index, question: str) -> None:
    published("search").validate(plain(api.search(index, question)))
    published("ask").validate(plain(api.ask(index, question)))


@pytest.mark.parametrize("command", ["search", "ask"])
def test_the_command_line_and_the_server_keep_it_and_give_the_same(
    index: Index, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for more in ([], ["--journal", "Tea Journal", "--since", "2000"]):
        assert run([command, str(index.folder), QUESTIONS[0], "--limit", "3", "--json", *more]) == 0
        given = json.loads(capsys.readouterr().out)
        published(command).validate(given)
        with TestClient(web_app(open_index(index.folder))) as client:
            query = dict(zip(("journal", "since"), more[1::2], strict=False))
            answer = client.get(f"/api/{command}", params={"q": QUESTIONS[0], "limit": "3", **query})
            described = client.get("/openapi.json").json()["components"]["schemas"]
        assert answer.json() == given
        record = SearchAnswer if command == "search" else AskAnswer
        _, made = msgspec.json.schema_components([record], ref_template="#/components/schemas/{name}")
        assert {name: described[name] for name in made} == json.loads(json.dumps(made))


@pytest.mark.parametrize("command", ["search", "ask"])
def test_a_file_has_what_json_prints_which_is_the_records_fields(
    index: Index, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [command, str(index.folder), QUESTIONS[0]]
    assert run([*words, "--json"]) == 0
    printed = capsys.readouterr().out
    assert run([*words, "--out", str(tmp_path / "x.json")]) == 0
    assert (tmp_path / "x.json").read_text("utf-8") == printed
    answer = getattr(api, command)(index, QUESTIONS[0])
    assert plain(answer) == json.loads(printed)
    assert tuple(json.loads(printed)) == answer.__struct_fields__


def test_fractions_have_four_decimal_places_and_no_negative_zero() -> None:
    assert rounded(Sentence(0, 1, 0.123456))["score"] == 0.1235
    assert str(rounded(Sentence(0, 1, -1e-9))["score"]) == "0.0"


def test_the_table_of_a_search_has_a_row_for_each_passage(index: Index) -> None:
    found = api.search(index, "Does cold tea change sleep?")
    rows = found.table().to_pylist()
    assert rows
    for row, hit in zip(rows, found.found, strict=True):
        passage = hit.passage
        assert (row["rank"], row["document"], row["score"]) == (hit.rank, passage.document, hit.score)
        assert (row["title"], row["text"], row["date"]) == (passage.title, passage.text, passage.date)
        assert (row["section"], row["heading"]) == (passage.section, passage.heading)
        assert {name: row[name] for name in ("pmid", "pmcid", "doi") if row[name]} == passage.identifiers
        assert row["notices"] == "; ".join(notice.says for notice in passage.notices)


def test_the_table_of_an_answer_has_a_row_for_each_sentence(index: Index) -> None:
    found = api.ask(index, "Does cold tea change sleep?")
    rows = found.table().to_pylist()
    assert [row["rank"] for row in rows] == [*range(1, len(found.evidence) + 1)] != []
    for row, own in zip(rows, found.evidence, strict=True):
        assert (row["text"], row["score"], row["title"]) == (own.text, own.score, own.passage.title)
    pytest.importorskip("pandas")
    assert found.to_pandas().text.tolist() == [own.text for own in found.evidence]


def test_one_paper_is_one_paper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.jsonl").write_text(
        '{"id": "1", "title": "Tea.", "text": "Tea helps sleep in 40 adults."}'
    )
    folder = tmp_path / "one"
    api.index([tmp_path / "one.jsonl"], folder)
    capsys.readouterr()
    shown = [repr(api.search(folder, "tea")), repr(api.ask(folder, "Does tea help?"))]
    assert shown == ["<SearchAnswer 'tea': 1 paper>", "<AskAnswer 'Does tea help?': 1 sentence>"]
    assert repr(api.show_index(folder)) == "<IndexPapers: 1 document, 1 passage>"
    assert not capsys.readouterr().err
    monkeypatch.setattr(paper_names, "LISTED", 0)
    assert not api.show_index(folder).papers
    assert "one: 0 of 1 papers are listed, the latest" in capsys.readouterr().err
    with TestClient(web_app(open_index(folder))) as client:
        assert all("1 paper, 1 passage<" in client.get(page).text for page in ("/", "/?q=tea"))


def test_an_empty_search_is_a_table_without_rows(index: Index) -> None:
    table = api.search(index, "zzzz").table()
    assert (table.num_rows, table.column_names[0], str(table.schema.field("score").type)) == (
        0,
        "rank",
        "double",
    )
