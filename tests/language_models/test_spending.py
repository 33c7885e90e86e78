"""What replies take, limits, and a user's prices."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from anagnosis.errors import InputError
from anagnosis.language_models.calls import Call, Message, Reply
from anagnosis.language_models.spending import Price, Spending, Spent, price_of

CALL = Call("tiny", (Message("user", "x" * 40),), most=5)  # 10 tokens read, 5 written
PRICE = Price(2.0, 8.0)


def test_sums() -> None:
    spending = Spending(PRICE)
    assert spending.spent == Spent(cost=0.0)
    spending.add(CALL, Reply("a", "stop", "one", 1_000_000, 500_000, 1.25))
    spending.add(CALL, Reply("b", "stop", "two", 7, 1, 0.25))
    assert spending.spent == Spent(2, 1_000_007, 500_001, 1.5, 6.000022, ("one", "two"))
    unpriced = Spending()
    unpriced.add(CALL, Reply("a"))
    assert unpriced.spent.cost is None


def test_tokens_that_nobody_counted_are_estimated() -> None:
    spending = Spending(most_tokens=30)
    spending.add(CALL, Reply("four more words here"))
    assert (spending.spent.read, spending.spent.written) == (10, 5)
    spending.add(CALL, Reply("", read=3))
    assert (spending.spent.read, spending.spent.written) == (13, 5)
    spending.add(CALL, Reply("", "too-long"))
    assert (spending.spent.read, spending.spent.written) == (13, 5)
    with pytest.raises(InputError, match="--most-tokens: is reached after 3 calls"), spending.reserved(CALL):
        pass


@pytest.mark.parametrize(
    ("spending", "fit", "option"),
    [
        (Spending(most_tokens=45), 3, "--most-tokens"),
        (Spending(most_tokens=59), 3, "--most-tokens"),
        (Spending(PRICE, most_cost=0.00012), 2, "--most-cost"),
        (Spending(PRICE, most_cost=0.00011), 1, "--most-cost"),
        (Spending(most_tokens=14), 0, "--most-tokens"),
        (Spending(PRICE, most_cost=0.0), 0, "--most-cost"),
    ],
)
def test_calls_under_way_stay_within_a_limit(spending: Spending, fit: int, option: str) -> None:
    with ExitStack() as under_way:
        for _ in range(fit):
            under_way.enter_context(spending.reserved(CALL))  # the same one: each counts
        with pytest.raises(
            InputError, match=rf"{option}: is reached after 0 calls; the calls so far are in the log"
        ):
            under_way.enter_context(spending.reserved(CALL))
    if fit:  # those that failed cost nothing
        with spending.reserved(CALL):
            pass


def test_a_server_of_many_names() -> None:
    spending = Spending()
    for number in range(1000):
        spending.add(CALL, Reply("a", model=f"model {number}"))
    assert len(spending.spent.models) == 20


def test_a_limit_of_the_cost_needs_prices() -> None:
    with pytest.raises(
        InputError, match="--most-cost: a limit of the cost needs the model's prices; give a file"
    ):
        Spending(most_cost=5.0)


def test_prices(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text('["big"]\nread = 2\nwritten = 8.0\n[free]\nread = 0\nwritten = 0')
    assert price_of("big", path) == PRICE
    assert price_of("free", path) == Price(0.0, 0.0)
    assert price_of("big", None) is None
    with pytest.raises(
        InputError, match=r"has no price of huge; write a table \[\"huge\"\] with read and written"
    ):
        price_of("huge", path)


@pytest.mark.parametrize(
    "text",
    [
        "big = 3",
        "[big]\nread = 1",
        "[big]\nread = 1\nwritten = 1\nother = 1",
        "[big]\nread = -1\nwritten = 1",
        "[big]\nread = nan\nwritten = 1",
        "[big]\nread = inf\nwritten = 1",
        '[big]\nread = "1"\nwritten = 1',
        "[big",
        "[a]\n" + "x = " + "[" * 100_000,
        "\udcff",
    ],
)
def test_prices_that_are_none(text: str, tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(InputError) as raised:
        price_of("big", path)
    assert str(raised.value).startswith(f"{path}: cannot be read (")
    with pytest.raises(InputError, match="no such file"):
        price_of("big", tmp_path / "none.toml")
