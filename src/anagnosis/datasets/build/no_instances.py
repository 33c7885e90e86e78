"""The error of a build or an import that ends without an instance: it says why, and leaves no dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import TypeVar

from anagnosis.datasets.folder.receipt import Refusal
from anagnosis.documents.repairs import Reason, most_frequent
from anagnosis.errors import InputError

T = TypeVar("T")

NO_REMEDIES: Mapping[str, str] = MappingProxyType({})
_SHOWN = 3  # rules


def nothing_built(
    read: int,
    refused: int,
    dropped: Mapping[str, int],
    reasons: Iterable[Reason],
    needs: str = "",
    remedies: Mapping[str, str] = NO_REMEDIES,
) -> InputError:
    """No document of `read` became an instance. dropped: rule → documents. reasons: what loaders refused.

    needs: what the documents must have, and where it comes from. remedies: rule, or beginning of a reason, → what to
    do where it took the most documents, in place of `needs`.
    """
    if not read:
        return InputError("no instance could be built: no document in the input", "", "check the files")
    most = sorted(dropped.items(), key=lambda rule: -rule[1])[:_SHOWN]
    counts = [f"{rule} dropped {count:,}" for rule, count in most if count]
    counts += [f"{refused:,} could not be read"] if refused else []
    documents = "1 document" if read == 1 else f"{read:,} documents"
    reasons = list(reasons)
    why = most_frequent(reasons)
    what = f"no instance could be built: of {documents} {', '.join(counts)}" + (f"; {why}" if why else "")
    if special := _remedy(refused, most, reasons, remedies):
        return InputError(what, "", special)
    remedy = "correct the input, or see what becomes of one document with --explain ID"
    if not why:
        remedy = "change the recipe with --set, or see one with --explain ID"
    return InputError(what, "", f"{remedy}; {needs}" if needs else remedy)


def _remedy(
    refused: int, most: Sequence[tuple[str, int]], reasons: Sequence[Reason], remedies: Mapping[str, str]
) -> str:
    """What to do about the cause that took the most documents; "" where `remedies` names no such cause."""
    rule, dropped = most[0] if most else ("", 0)
    if dropped > refused:
        return remedies.get(rule, "")
    reason = max(reasons, key=lambda each: each.times, default=None)
    why = "" if reason is None else reason.why
    return next((remedy for cause, remedy in remedies.items() if why.startswith(cause)), "")


def with_any(
    splits: Mapping[str, Iterable[T]],
    refused: Mapping[str, int],
    refusals: Callable[[], Iterable[Refusal]],
    read: str = "",
) -> dict[str, Iterator[T]]:
    """The same instances, of which there is one at least; otherwise an InputError that says why not.

    refused: invariant → instances left out; refusals: where and why the first were. Both are asked after reading.
    read: the name of what was read.
    """
    begun = {split: iter(found) for split, found in splits.items()}
    for split, found in begun.items():
        for first in found:
            return {**begun, split: chain([first], found)}
    most = sorted(refused.items(), key=lambda each: -each[1])[:_SHOWN]
    counts = ", ".join(f"{name} refused {count:,}" for name, count in most if count)
    first_refusal = next(iter(refusals()), None)
    what = "there is no instance to write" + (f": {counts}" if counts else "")
    remedy = "check the files, or name their --layout"
    if first_refusal is not None and first_refusal.where:
        remedy = f"first at {first_refusal.where}: {first_refusal.why}"
    raise InputError(what, read, remedy)
