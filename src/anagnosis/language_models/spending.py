"""What calls take: tokens, seconds and cost, with limits that end a run before it takes more."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Annotated

import msgspec

from anagnosis.errors import InputError
from anagnosis.io.decoding import decoding_faults
from anagnosis.io.paths import PathLike, read_file
from anagnosis.language_models.calls import Call, Reply

_Count = Annotated[int, msgspec.Meta(ge=0)]
_Price = Annotated[float, msgspec.Meta(ge=0, le=1e9)]
_MODELS = 20  # names that are kept: a server may make one up for each reply
_REMEDY = "the calls so far are in the log: raise the limit, and the same command goes on"


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of a million tokens that a model reads, and that it writes."""

    read: _Price
    written: _Price


class Spent(msgspec.Struct, frozen=True):
    """What the replies of a run took, whether from the log or not. seconds: of all calls, one after another.

    cost: in the currency of the prices; None without any. models: what the server called itself. left_out: parameters
    that the model refused.
    """

    calls: _Count = 0
    read: _Count = 0
    written: _Count = 0
    seconds: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    cost: Annotated[float, msgspec.Meta(ge=0)] | None = None
    models: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


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
        self._left_out = set[str]()
        self._under_way: list[Call] = []

    @contextmanager
    def reserved(self, call: Call) -> Generator[None]:
        """Count a call while it is under way. InputError: with the others under way it may go over a limit."""
        every = [*self._under_way, call]
        written = sum(one.most for one in every)
        read = sum(one.size for one in every) - written
        tokens, cost = self._read + self._written + read + written, self._cost(read, written) or 0.0
        limits = {"--most-tokens": (self._most_tokens, tokens), "--most-cost": (self._most_cost, cost)}
        for name, (most, reached) in limits.items():
            if most is not None and reached > most:
                raise InputError(f"is reached after {self._calls:,} calls", name, _REMEDY)
        self._under_way.append(call)
        try:
            yield
        finally:
            self._under_way.remove(call)

    def add(self, call: Call, reply: Reply) -> None:
        """Count a reply. Where the server counts no tokens, four characters are one. A prompt too long takes none."""
        self._calls += 1
        if reply.finish == "too-long":
            return
        self._read += reply.read or call.size - call.most
        self._written += reply.written or len(reply.text) // 4
        self._seconds += reply.seconds
        self._left_out.update(reply.left_out)
        if len(self._models) < _MODELS:
            self._models[reply.model] = None

    @property
    def spent(self) -> Spent:
        """What it took so far."""
        models = tuple(sorted(filter(None, self._models)))
        seconds = round(self._seconds, 3)
        cost, left_out = self._cost(0, 0), tuple(sorted(self._left_out))
        return Spent(self._calls, self._read, self._written, seconds, cost, models, left_out)

    def _cost(self, read: int, written: int) -> float | None:
        """Of what it took so far, and of more tokens."""
        if self._price is None:
            return None
        tokens = (self._read + read) * self._price.read + (self._written + written) * self._price.written
        return round(tokens / 1e6, 6)


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
