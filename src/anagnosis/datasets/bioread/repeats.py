"""Instances that stand several times in files of the text form."""

from __future__ import annotations

from hashlib import sha256

from anagnosis.datasets.bioread.text_form import Row


class Repeats:
    """What was read so far, in about 150 bytes an instance: the files of BioRead hold 16 million.

    Instances of one passage and one place of the placeholder share a name. Only those are compared whole, by 30 bits of
    a hash.
    """

    def __init__(self) -> None:
        self._first: dict[bytes, int] = {}
        self._further: dict[bytes, list[int]] = {}

    def add(self, name: str, row: Row) -> tuple[int, bool]:
        """How many instances have this name, with this one, and whether an equal one came before."""
        key = sha256(name.encode()).digest()[:8]
        whole = _whole(row)
        if key not in self._first:
            self._first[key] = whole
            return 1, False
        further = self._further.setdefault(key, [])
        is_repeated = whole == self._first[key] or whole in further
        further.append(whole)
        return len(further) + 1, is_repeated


def _whole(row: Row) -> int:
    """30 bits, which Python holds in one digit of an int."""
    content = repr((row.passage, row.question, sorted(row.candidates.items()), row.answer))
    return int.from_bytes(sha256(content.encode()).digest()[:4], "big") >> 2
