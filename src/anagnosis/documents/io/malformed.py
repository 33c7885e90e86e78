"""Errors of files that are malformed or break off.

Every format treats a break the same way: a reader gives the documents before the break and then raises
TruncatedError. With `--accept-truncated` the program continues without the rest and counts the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError, TruncatedError

FETCH_AGAIN = "fetch it again"

_ACCEPT = "or use what comes before the break with --accept-truncated"
_CUT = "Input data was truncated"  # msgspec's message
_Read = TypeVar("_Read")


class MalformedError(InputError):
    """The syntax of a file is malformed at `where`, before any document could be read."""


def empty_file(name: str) -> InputError:
    """The error for a file without content."""
    return InputError("the file is empty", name, "check how it was made")


def until_malformed(documents: Iterator[_Read], repairs: Repairs) -> Iterator[_Read]:
    """The documents, or entries, up to a break. A fault after the first, kept or refused, becomes a TruncatedError."""
    has_documents = False
    refused = repairs.refused
    try:
        for document in documents:
            has_documents = True
            yield document
    except MalformedError as fault:
        if not has_documents and repairs.refused == refused:
            raise
        raise truncated(fault) from fault


def truncated(fault: MalformedError) -> TruncatedError:
    """The error for a file that is readable up to this fault."""
    return TruncatedError(fault.what, fault.where, fault.remedy)


def ends_inside_line(data: bytes, is_unfinished: Callable[[str], bool]) -> bool:
    """Whether text ends inside its last line: inside a character, or in a line that `is_unfinished`."""
    try:
        line = data[data.rfind(b"\n") + 1 :].decode()
    except UnicodeDecodeError as fault:
        return fault.reason == "unexpected end of data"
    return bool(line.strip()) and is_unfinished(line)


def is_cut(fault: Exception) -> bool:
    """Whether a decoding error means that JSON ends too early."""
    return str(fault) == _CUT


def take_truncated(fault: TruncatedError, repairs: Repairs, *, accept: bool) -> None:
    """Count and note an input that breaks off if the user accepts that; otherwise raise an error naming the option."""
    if not accept:
        remedy = fault.remedy if fault.remedy.endswith(_ACCEPT) else f"{fault.remedy}, {_ACCEPT}"
        raise TruncatedError(fault.what, fault.where, remedy) from fault
    repairs.count("truncated_file")
    repairs.note(fault.where, fault.what)
