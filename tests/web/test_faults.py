"""What a visitor reads of a fault."""

from __future__ import annotations

import json
from itertools import product

import pytest

from anagnosis.web.app import response
from anagnosis.web.faults import Fault

REMEDIES = (
    "make them with `anagnosis index --out /srv/papers --encoder NAME`",
    "give --readers",
    "--replace makes it again",
    "run it with `--ranking lexical`",
)


def test_a_visitor_sees_no_command(subtests: pytest.Subtests) -> None:
    for path, remedy in product(("/api/ask", "/", "/ready"), REMEDIES):
        with subtests.test(path=path, remedy=remedy):
            fault = Fault(409, "no vectors here", "ranking", remedy)
            body = bytes(response({"path": path}, fault).body).decode()
            assert "no vectors here" in body
            assert "tell those who run this page" in body
            assert "anagnosis index" not in body
            assert "--" not in body.partition("tell those")[2].partition("page")[0]
            assert "/srv" not in body


def test_other_remedies_stay() -> None:
    for remedy in ("", "ask again in a moment, or search", "the well-known -x"):
        body = bytes(response({"path": "/ready"}, Fault(503, "", "", remedy)).body)
        assert json.loads(body)["remedy"] == remedy
