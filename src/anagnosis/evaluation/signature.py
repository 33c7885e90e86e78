"""The signature of a number: all that could change it, in one line that can be pasted and parsed again.

    biomrc@3f0c9a1b2d4e|split:test|view:global|protocol:expected|measure:accuracy|n:6250|seed:13|anagnosis:0.1.0

First the dataset and the beginning of the split's fingerprint. `seed:-` stands where nothing was drawn, `view:-`
where nobody said it. Further settings (draws, unit) stand before the version. Signs that have a meaning here,
blanks, control characters and all beyond ASCII are percent-encoded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

from anagnosis.version import __version__

_FIELDS = ("split", "view", "protocol", "measure", "n", "seed")
_VERSION = "anagnosis"
_NONE = "-"
# Of a table of scores: column → its type (io/tables.py).
SCORE_COLUMNS = {
    **dict.fromkeys(("dataset", "split", "view", "protocol", "system", "measure"), "string"),
    **dict.fromkeys(("value", "low", "high"), "double"),
    "method": "string",
    "n": "int64",
    "signature": "string",
}
_SAFE = "!\"#$&'()*+,/;<=>?@[\\]^`{}~"


@dataclass(frozen=True, slots=True)
class Signature:
    """fingerprint: its first digits. settings: (name, value) of whatever else could change the number."""

    dataset: str
    fingerprint: str
    split: str
    view: str | None
    protocol: str
    measure: str
    n: int
    seed: int | None = None
    settings: tuple[tuple[str, str], ...] = ()
    version: str = __version__

    def __str__(self) -> str:
        """The line."""
        values = (self.split, self.view, self.protocol, self.measure, self.n, self.seed)
        fields = (*zip(_FIELDS, values, strict=True), *self.settings, (_VERSION, self.version))
        head = "@".join(_written(text).replace("@", "%40") for text in (self.dataset, self.fingerprint))
        return "|".join([head, *(f"{_written(name)}:{_written(value)}" for name, value in fields)])


def parsed(line: str) -> dict[str, str | None]:
    """The fields of a line that `str` gave, by their names; None for what nobody said."""
    head, *rest = line.split("|")
    dataset, _, fingerprint = head.partition("@")
    fields = {unquote(name): value for name, _, value in (part.partition(":") for part in rest)}
    return {
        "dataset": unquote(dataset),
        "fingerprint": unquote(fingerprint),
        **{name: None if value == _NONE else unquote(value) for name, value in fields.items()},
    }


def score_row(
    line: str, system: str, value: float, interval: Any = None, *, measure: str = "", n: int | None = None
) -> tuple[Any, ...]:
    """A row of SCORE_COLUMNS. line: the signature. interval: with `low`, `high` and `method`.

    measure, n: where they are others than the signature's.
    """
    signed = parsed(line)
    of = (*map(signed.get, ("dataset", "split", "view", "protocol")), system, measure or signed["measure"])
    ends = (None, None, None) if interval is None else (interval.low, interval.high, interval.method)
    return *of, value, *ends, int(signed["n"] or 0) if n is None else n, line


def pair_rows(line: str, measure: str, pairs: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """Two rows of SCORE_COLUMNS for each pair of systems: the difference, and its p as corrected, which decides."""
    for pair in pairs:
        system = f"{pair.first} over {pair.second}"
        yield score_row(line, system, pair.difference, pair.interval, measure=f"{measure} difference")
        row = score_row(line, system, pair.holm, measure=f"{measure} p")
        yield *row[:9], "Holm", *row[10:]


def _written(value: str | int | None) -> str:
    if value is None:
        return _NONE
    return "%2D" if value == _NONE else quote(str(value), safe=_SAFE)
