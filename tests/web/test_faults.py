"""What a visitor reads of a fault."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.web.app import response
from anagnosis.web.faults import Fault, for_visitors

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
    for remedy in (
        "",
        "ask again in a moment, or search",
        "leave it out, or ask for lexical",
        "the well-known -x",
    ):
        assert for_visitors(remedy) == remedy


@given(st.text())
def test_what_a_visitor_reads_never_has_a_command(remedy: str) -> None:
    assert "`anagnosis " not in for_visitors(f"{remedy}`anagnosis check x`")
