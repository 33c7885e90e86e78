"""File formats of vocabularies. `TERM_FORMATS` lists them; each has a file here.

A format is a module with `SUFFIXES`, `sniff(head) -> bool` and `read(stream, counts, name) -> Iterator[Term]`, which
counts in `counts`, by name, whatever it leaves out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from anagnosis.errors import InputError

LONGEST_LINE = 1 << 24  # bytes; a longer one is no line of a vocabulary
TERM_FORMATS = {
    "obo": "anagnosis.entities.formats.obo",
    "mesh-xml": "anagnosis.entities.formats.mesh_xml",
    "umls": "anagnosis.entities.formats.umls",
    "terms-tsv": "anagnosis.entities.formats.tsv",
}


def numbered(stream: BinaryIO, name: str) -> Iterator[tuple[int, str]]:
    """(number from 1, line without its end) of each line. InputError: not UTF-8, or a line over 16 MiB."""
    number = 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        where = f"{name}:{number}"
        if len(line) > LONGEST_LINE:
            raise InputError(f"a line over {LONGEST_LINE >> 20} MiB", where, "check how the file was made")
        try:
            text = line.decode()
        except UnicodeDecodeError as fault:
            raise InputError(f"not UTF-8 ({fault.reason})", where, "convert the file to UTF-8") from fault
        yield number, text.rstrip("\r\n")
