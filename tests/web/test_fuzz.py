"""Requests made from the OpenAPI document, right and wrong ones: the schema is kept, and nothing ends in a 5xx."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.web.apps import web_app

from anagnosis.searching.analysis import NO_WORDS, STOP_WORDS_ALONE
from anagnosis.searching.index.index import open_index
from anagnosis.searching.queries.asked import EXCLUDED_ALONE, NO_TOPIC
from anagnosis.web.limits import Limits

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

ACCEPTED = pytest.importorskip("schemathesis.specs.openapi.checks").positive_data_acceptance
ROUTES = 6
# What a schema cannot tell: the rules that hold between two parameters, and which words ask nothing.
UNTOLD = (
    "nothing lies between",
    "a list by date is found by words",
    "is no date",
    "unknown section",
    "holds bytes that are not UTF-8",
    EXCLUDED_ALONE,
    STOP_WORDS_ALONE,
    NO_WORDS,
    NO_TOPIC,
)


@pytest.fixture(scope="module")
def schema(folder: Path, scorer: Any) -> Any:
    """Of an application with readers."""
    app = web_app(open_index(folder), Limits(reading_seconds=60), scorer)
    return schemathesis.openapi.from_asgi("/openapi.json", app)


def fuzzed(schema: Any) -> int:
    """How many requests were made; all of them answered as the schema says."""
    made = 0
    calm = settings(
        max_examples=12,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    for found in schema.get_all_operations():
        operation = found.ok()
        modes = schemathesis.GenerationMode
        # Where there is no parameter nothing can be wrong with one.
        for mode in modes if len(list(operation.query)) else [modes.POSITIVE]:

            @calm
            @given(case=operation.as_strategy(generation_mode=mode))
            def asked(case: Any) -> None:
                nonlocal made
                answer = case.call()
                if answer.status_code != 414:  # right, but unknown to its table of refusals
                    accepted = [ACCEPTED] if any(rule in answer.text for rule in UNTOLD) else []
                    case.validate_response(answer, excluded_checks=accepted)
                assert answer.status_code < 500
                made += 1

            asked()
    return made


def test_the_api_keeps_its_schema_whatever_it_is_asked(schema: Any) -> None:
    assert len(list(schema.get_all_operations())) == ROUTES
    assert fuzzed(schema) >= 60


@given(st.text(max_size=300), st.text(max_size=60))
def test_pages_never_break(client: Any, question: str, ident: str) -> None:
    assert client.get("/", params={"q": question, "journal": ident}).status_code in (200, 400)
    assert client.get("/document", params={"id": ident, "q": question}).status_code in (200, 400, 404)
    assert client.get(f"/{ident}" if ident.isalnum() else "/x").status_code in (200, 404)
