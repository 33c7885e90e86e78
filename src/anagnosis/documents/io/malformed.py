"""A file whose syntax breaks off: what stood before is kept, the break ends the reading with its place.

An input that breaks off is an error in every format: a reader gives what stands before the break and then raises
TruncatedError. Only who gives `--accept-truncated` goes on without the rest, which is then counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from anagnosis.archives import Opened
from anagnosis.documents.document import Document
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError, TruncatedError

FETCH_AGAIN = "fetch it again"

_ACCEPT = "or use what comes before the break with --accept-truncated"
_CUT = "Input data was truncated"  # msgspec's words


class MalformedError(InputError):
    """The syntax of a file is broken at `where`, and nothing of it could be read."""


def until_malformed(documents: Iterator[Document], repairs: Repairs) -> Iterator[Document]:
    """The documents up to a break; a file that is malformed behind a document, or a refused one, is truncated."""
    anything = False
    refused = repairs.refused
    try:
        for document in documents:
            anything = True
            yield document
    except MalformedError as fault:
        if not anything and repairs.refused == refused:
            raise
        raise truncated(fault) from fault


def truncated(fault: MalformedError) -> TruncatedError:
    """The error of a file that was read up to this fault."""
    return TruncatedError(fault.what, fault.where, fault.remedy)


def ends_inside_line(data: bytes, is_unfinished: Callable[[str], bool]) -> bool:
    """Whether text ends inside its last line: in half a character, or in a line that `is_unfinished`."""
    try:
        line = data[data.rfind(b"\n") + 1 :].decode()
    except UnicodeDecodeError as fault:
        return fault.reason == "unexpected end of data"
    return bool(line.strip()) and is_unfinished(line)


def is_cut(fault: Exception) -> bool:
    """Whether JSON that cannot be decoded ends too early."""
    return str(fault) == _CUT


def is_of_member(fault: TruncatedError, opened: Opened) -> bool:
    """Whether an archive's member breaks off, and not the archive itself, so that the next member can be read."""
    return opened.is_member and fault.where.startswith(opened.name)


def take_truncated(fault: TruncatedError, repairs: Repairs, *, accept: bool) -> None:
    """Count and name an input that breaks off, if the user accepts such; otherwise raise, naming the option."""
    if not accept:
        raise TruncatedError(fault.what, fault.where, f"{fault.remedy}, {_ACCEPT}") from fault
    repairs.count("truncated_file")
    repairs.note(fault.where, fault.what)
