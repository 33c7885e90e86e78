"""A file whose syntax breaks off: what stood before is kept, the break is refused with its place."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.documents.document import Document
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError


class MalformedError(InputError):
    """The syntax of a file is broken at `where`, so that nothing behind it can be read."""


def until_malformed(documents: Iterator[Document], repairs: Repairs) -> Iterator[Document]:
    """The documents up to a break, which is refused; a break before anything was read is the user's error."""
    anything = False
    refused = repairs.refused
    try:
        for document in documents:
            anything = True
            yield document
    except MalformedError as fault:
        if not anything and repairs.refused == refused:
            raise
        repairs.refuse(fault.where, f"{fault.what}; what follows is not read")
