"""What search and ask write as JSON keeps the published schemas, whatever is asked and whoever answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

pytest.importorskip("jsonschema_rs", reason="schemathesis, which brings it, is not installed")
pytest.importorskip("fastapi", reason="the extra web is not installed")

import jsonschema_rs
from msgspec.structs import replace
from starlette.testclient import TestClient
from tests import measured
from tests.web.apps import web_app
from tests.web.readers import LongWords, stances

from anagnosis import api
from anagnosis.cli import run
from anagnosis.reports import records
from anagnosis.searching.answers.readers import Readers
from anagnosis.searching.index.index import Index, open_index
from anagnosis.searching.records import json as module
from anagnosis.searching.records.answers import AskAnswer, SearchAnswer, Sentence
from anagnosis.searching.records.json import components, plain
from anagnosis.searching.records.passage import Passage

SCHEMAS = Path(__file__).parents[3] / "docs" / "schemas"
QUESTIONS = (
    "Does cold tea change sleep?",
    "Which drink changes sleep?",
    "What is TGF-β1?",
    "zzzz",
    "List teas.",
)
READERS = (
    Readers(),
    Readers(stance=stances(), names=LongWords()),
    Readers(stance=stances(replace(measured.STANCES, decided=0.4)), names=LongWords()),
)


def published(command: str) -> Any:
    return jsonschema_rs.validator_for(json.loads((SCHEMAS / f"{command}.json").read_text("utf-8")))


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_answer_keeps_the_published_schema(index: Index, question: str) -> None:
    published("search").validate(plain(api.search(index, question)))
    for readers in READERS:
        published("ask").validate(plain(api.ask(index, question, readers=readers)))


def test_conclusions_names_and_what_is_off_are_among_what_was_compared(index: Index) -> None:
    answers = [api.ask(index, question, readers=readers) for question in QUESTIONS for readers in READERS]
    listed = [one for answer in answers if answer.conclusions for one in answer.conclusions.papers]
    assert any(one.stance for one in listed)
    assert any(one.stance is None for one in listed)
    assert any(answer.conclusions is None for answer in answers)
    assert any(one.names and one.names.answers for one in answers)
    assert any(one.names and one.names.off for one in answers)
    assert any(not one.evidence for one in answers)


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
        if command == "search":
            assert answer.json() == given
        else:
            assert answer.json() == given
        published(command).validate(answer.json())
        record = SearchAnswer if command == "search" else AskAnswer
        made = components([record], "#/components/schemas/")
        assert {name: described[name] for name in made} == made


@pytest.mark.parametrize("command", ["search", "ask"])
def test_a_file_has_what_json_prints_and_no_field_that_only_the_program_needs(
    index: Index, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [command, str(index.folder), QUESTIONS[0]]
    assert run([*words, "--json"]) == 0
    printed = capsys.readouterr().out
    for _ in range(2):
        assert run([*words, "--replace", "--out", str(tmp_path / "x.json")]) == 0
    assert (tmp_path / "x.json").read_text("utf-8") == printed
    answer = getattr(api, command)(index, QUESTIONS[0])
    assert records.plain(answer) == json.loads(printed)
    assert list(json.loads(printed)) == list(module.SHOWN[type(answer)])
    assert not {"hits", "collection", "facts"} & keys(json.loads(printed))


def keys(value: Any) -> set[str]:
    """The names of all fields, at any depth."""
    if isinstance(value, dict):
        inside = cast("dict[str, Any]", value)
        return {*inside, *(key for each in inside.values() for key in keys(each))}
    return (
        {key for each in cast("list[Any]", value) for key in keys(each)} if isinstance(value, list) else set()
    )


def test_what_lacks_a_field_or_has_another_is_found(index: Index) -> None:
    answer = plain(api.search(index, QUESTIONS[0]))
    for wrong in (
        {name: value for name, value in answer.items() if name != "found"},
        {**answer, "other": 1},
        {**answer, "more": "yes"},
        {**answer, "found": [{**answer["found"][0], "passage": {}}]},
    ):
        assert not published("search").is_valid(wrong)


def test_names_that_are_shown_are_fields_or_properties() -> None:
    for record, names in module.SHOWN.items():
        assert all(hasattr(record, name) for name in names)
        assert module.shown(record).__struct_fields__ == names


def test_facts_that_only_the_index_needs_are_not_shown() -> None:
    passage = Passage("12", 0, "abstract", "", "", "Tea.", {"journal": "J Tea", "retracted": "unnamed"})
    given = plain(passage)
    assert "facts" not in given
    assert given["journal"] == "J Tea"
    assert given["notices"] == [{"kind": "retracted", "says": "RETRACTED", "about": ""}]
    assert given["links"] == [{"name": "PubMed", "address": "https://pubmed.ncbi.nlm.nih.gov/12/"}]


def test_fractions_have_four_decimal_places_and_no_negative_zero() -> None:
    assert plain(Sentence(0, 1, 0.123456, 0))["score"] == 0.1235
    assert str(plain(Sentence(0, 1, -1e-9, 0))["score"]) == "0.0"
