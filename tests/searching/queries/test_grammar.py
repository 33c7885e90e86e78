"""The grammar reads every text, in linear time, and the line shown tells how."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.executed_lines import executed_lines
from tests.rows import each_row
from tests.searching.queries.table import OTHER_SIGNS, PLAIN, QUERIES, Row, short

from anagnosis.searching.queries.asked import understood
from anagnosis.searching.queries.fields import DATE_TAG, FIELDS, FILTER_TAG, LEFT_OUT
from anagnosis.searching.queries.grammar import LONGEST, MOST_SIGNS, parse
from anagnosis.searching.queries.meaning import query_of, topic, words_query
from anagnosis.searching.queries.tokens import DEEPEST
from anagnosis.searching.queries.tree import AllOf, Dates, Typed

SIGNS = '"\u201c\u201d()[]-*:/ \tANDORNOTandornot?!,;.<>=0123456789\u00e9\u03b2tidpau'


@each_row("row", QUERIES, ids=[row.query for row in QUERIES])
def test_a_query_is_read_as_the_table_has_it(row: Row) -> None:
    parsed = parse(row.query)
    assert short(query_of(parsed)) == row.tree.strip()
    assert understood(parsed) == row.line
    assert parsed.repairs == row.repairs


@each_row(("text", "repair"), PLAIN, ids=[text for text, _ in PLAIN])
def test_plain_words_stay_plain_words(text: str, repair: str) -> None:
    parsed = parse(text)
    assert parsed.is_plain
    assert query_of(parsed) == words_query(text)
    assert (understood(parsed), parsed.repairs) == ("", (repair,) if repair else ())
    assert topic(parsed) == text


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (
            '"insulin resistance" metformin -children glucose[ti] 2015:2020[dp]',
            "insulin resistance metformin glucose",
        ),
        ("Does metformin help? -children Smith J[au] hypertensi*", "Does metformin help?"),
        ("tea AND (milk OR NOT sugar)", "tea milk"),
        ("-children", ""),
    ],
)
def test_the_topic_has_what_is_ranked(query: str, expected: str) -> None:
    assert topic(parse(query)) == expected


@each_row("name", [*FIELDS])
def test_every_name_of_a_field_is_read(name: str) -> None:
    field = FIELDS[name]
    text = {DATE_TAG: "2015", FILTER_TAG: "humans"}.get(field.tag, "smith")
    parsed = parse(f"tea AND {text}[{name.upper()}]")
    assert isinstance(parsed.parts[0], AllOf)
    last = parsed.parts[0].parts[1]
    assert isinstance(last, Dates) or (isinstance(last, Typed) and last.field)
    assert parsed.repairs == ()


@each_row("name", sorted(LEFT_OUT))
def test_what_an_index_lacks_is_left_out_and_named(name: str) -> None:
    parsed = parse(f"tea AND x[{name}]")
    assert parsed.parts == (Typed("tea"),)
    assert parsed.repairs == (f"x[{name}] is left out: an index has no such field",)


def test_parentheses_are_read_to_a_depth() -> None:
    assert parse("(a OR " * DEEPEST + "b" + ")" * DEEPEST).repairs == ()
    deeper = parse("(a OR " * (DEEPEST + 1) + "b" + ")" * (DEEPEST + 1))
    assert f"parentheses are read {DEEPEST} deep" in deeper.repairs
    assert not deeper.is_plain
    deepest = parse("(a OR " * 5_000 + "b" + ")" * 5_000)
    assert deepest.is_plain
    assert deepest.repairs


@pytest.mark.parametrize("first", ["AND", "OR"])
def test_turns_from_and_to_or_are_read_to_a_depth(first: str) -> None:
    operators = ["AND", "OR"] if first == "AND" else ["OR", "AND"]
    text = "a " + " ".join(f"{operators[n % 2]} t{n}" for n in range(DEEPEST + 1))
    assert not parse(text).is_plain
    assert parse(f"{text} {operators[(DEEPEST + 1) % 2]} z").is_plain


def test_what_is_too_long_is_plain_words() -> None:
    assert parse("tea -milk " * (LONGEST // 10 + 1)).is_plain
    assert parse("-milk " * (MOST_SIGNS + 1)).is_plain
    assert parse(" OR ".join("tea" for _ in range(400))).repairs == ()
    turns = parse(" ".join(f"t{n} AND u{n} OR" for n in range(100)) + " v")
    assert turns.is_plain
    assert turns.repairs


PIECES = st.sampled_from(
    ["tea", "-milk", "AND", "OR", "NOT", "(", ")", '"', "[ti]", "[dp]", "2015", "te*", ":"]
)


@given(
    st.text(SIGNS, max_size=60)
    | st.text(max_size=60)
    | st.lists(PIECES).map(" ".join)
    | st.lists(PIECES).map("".join)
)
def test_any_text_has_a_reading(text: str) -> None:
    parsed = parse(text)
    query_of(parsed)
    assert "\n" not in understood(parsed)
    assert all("\n" not in repair for repair in parsed.repairs)
    if parsed.is_plain and parsed.parts and not parsed.repairs:
        assert query_of(parsed) == words_query(text)


def steps(text: str) -> int:
    """How many lines of Python the reading of a text executes."""
    return executed_lines(lambda: query_of(parse(text)))


UNITS = (
    '"', '"a ', "( ", "(a ", ") ", "[", "[ti", "[ti]", "a[ti] ", "-", "-a ", "a OR ", "a AND b OR ", "NOT ", "* ", "a(",
    "a* ", "2015[dp]:", "tea ", "-(", "IL-6 ",
)  # fmt: skip


@each_row("unit", UNITS)
def test_twice_the_text_takes_twice_the_steps(unit: str) -> None:
    short_text, long_text = unit * 150, unit * 300
    steps(short_text)
    assert steps(long_text) <= 2.3 * steps(short_text) + 200


@each_row(("query", "sign"), OTHER_SIGNS, ids=[query for query, _ in OTHER_SIGNS])
def test_a_sign_of_another_database_is_a_word_that_the_answer_names(query: str, sign: str) -> None:
    assert parse(query).repairs[:1] == (f"signs of other databases are words here: {sign}",)
