"""What calls take: tokens, seconds and cost, with limits that end a run before it takes more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec

from anagnosis.errors import InputError
from anagnosis.io.decoding import decoding_faults
from anagnosis.io.paths import PathLike, read_file
from anagnosis.language_models.calls import Call, Reply

_Count = Annotated[int, msgspec.Meta(ge=0)]
_Price = Annotated[float, msgspec.Meta(ge=0)]
_REMEDY = "the calls so far are in the log: raise the limit, and the same command goes on"


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of a million tokens that a model reads, and that it writes."""

    read: _Price
    written: _Price


class Spent(msgspec.Struct, frozen=True):
    """What the replies of a run took, whether from the log or not. seconds: of all calls, one after another.

    cost: in the currency of the prices; None without any. models: what the server called itself.
    """

    calls: _Count = 0
    read: _Count = 0
    written: _Count = 0
    seconds: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    cost: _Price | None = None
    models: tuple[str, ...] = ()


class Spending:
    """Adds up what replies take. most_tokens, most_cost: of all replies of the run, None for no limit."""

    def __init__(
        self, price: Price | None = None, most_tokens: int | None = None, most_cost: float | None = None
    ) -> None:
        if most_cost is not None and price is None:
            what = "a limit of the cost needs the model's prices"
            raise InputError(what, "--most-cost", "give a file of them with --prices")
        self._price, self._most_tokens, self._most_cost = price, most_tokens, most_cost
        self._calls = self._read = self._written = 0
        self._seconds = 0.0
        self._models: dict[str, None] = {}
        self._under_way = dict[int, Call]()

    def start(self, call: Call) -> None:
        """Count a call that begins. InputError: with those under way it may go over a limit."""
        every = [*self._under_way.values(), call]
        written = sum(one.most for one in every)
        read = sum(one.size for one in every) - written
        tokens, cost = self._read + self._written + read + written, self._cost(read, written)
        if self._most_tokens is not None and tokens > self._most_tokens:
            raise InputError(f"is reached after {self._calls:,} calls", "--most-tokens", _REMEDY)
        if self._most_cost is not None and cost is not None and cost > self._most_cost:
            raise InputError(f"is reached after {self._calls:,} calls", "--most-cost", _REMEDY)
        self._under_way[id(call)] = call

    def end(self, call: Call, reply: Reply | None) -> None:
        """Count the reply to a call; None for a call that failed."""
        self._under_way.pop(id(call), None)
        if reply is not None:
            self._calls += 1
            self._read += reply.read
            self._written += reply.written
            self._seconds += reply.seconds
            self._models[reply.model] = None

    @property
    def spent(self) -> Spent:
        """What it took so far."""
        models = tuple(sorted(filter(None, self._models)))
        cost = self._cost(0, 0)
        return Spent(
            self._calls,
            self._read,
            self._written,
            round(self._seconds, 3),
            None if cost is None else round(cost, 6),
            models,
        )

    def _cost(self, read: int, written: int) -> float | None:
        if self._price is None:
            return None
        return (
            (self._read + read) * self._price.read + (self._written + written) * self._price.written
        ) / 1e6


def price_of(model: str, prices: PathLike | None) -> Price | None:
    """The price of a model in a user's file, such as `["qwen"] read = 0.1 written = 0.4` in TOML; None without a file.

    InputError: another file, or the model is not in it.
    """
    if prices is None:
        return None
    remedy = f'write a table ["{model}"] with read and written, each for a million tokens'
    with decoding_faults(str(prices), remedy):
        every: Mapping[str, Price] = msgspec.toml.decode(read_file(prices), type=dict[str, Price])
    if model not in every:
        raise InputError(f"has no price of {model}", str(prices), remedy)
    return every[model]
