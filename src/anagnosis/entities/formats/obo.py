r"""OBO files of ontologies.

    [Term]
    id: MU:0000003
    name: myocardial infarction
    synonym: "heart \"attack\"" EXACT layperson [MU:cur]
    is_a: MU:0000002 {is_inferred="true"} ! heart disease

A value may end in a comment behind " !" and in qualifiers between braces; a backslash escapes both. The type of a term
is its namespace, if any.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO

from anagnosis.entities.concepts import Synonym, Term
from anagnosis.entities.formats import numbered
from anagnosis.errors import InputError

SUFFIXES = (".obo",)
_STANZA = re.compile(r"\[(\w+)\]\s*$")
_SYNONYM = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(\w*)')
_TAIL = re.compile(r"(?<!\s)\s*(?:(?<!\\)\{[^}]*\}\s*)?(?:\s!.*)?$")
_ESCAPED = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "W": " ", "t": "\t"}
_KEPT = ("exact", "narrow")  # scopes


def sniff(head: bytes) -> bool:
    """Whether the text begins with OBO's header, or with a stanza."""
    return re.match(rb"\s*(?:format-version:|\[(?:Term|Typedef)\])", head) is not None


def read(stream: BinaryIO, counts: Counter[str], name: str) -> Iterator[Term]:
    """The term of each [Term] stanza. InputError: a term without id, a synonym that is not between quotes."""
    del counts
    kind, start, tags = "", 0, list[tuple[str, str, int]]()
    for number, line in chain(numbered(stream, name), [(0, "[End]")]):
        key, colon, value = line.partition(":")
        if stanza := _STANZA.match(line):
            if kind == "Term":
                yield _term(tags, f"{name}:{start}", name)
            kind, start, tags = stanza[1], number, []
        elif colon and kind:
            tags.append((key.strip(), value.strip(), number))


def _term(tags: list[tuple[str, str, int]], where: str, name: str) -> Term:
    values: dict[str, list[str]] = {}
    synonyms: list[Synonym] = []
    for key, value, number in tags:
        if key == "synonym":
            synonyms.append(_synonym(value, f"{name}:{number}"))
        else:
            without_comment = _TAIL.sub("", value, count=1)
            values.setdefault(key, []).append(_unescaped(without_comment))
    if not values.get("id"):
        raise InputError("a term without id", where, "give each [Term] a line id:")
    return Term(
        values["id"][0],
        values.get("name", [""])[0],
        tuple(synonyms),
        tuple(values.get("namespace", ())),
        alternatives=tuple(values.get("alt_id", ())),
        references=tuple(reference.split(" ")[0] for reference in values.get("xref", ())),
        obsolete=values.get("is_obsolete", [""])[0] == "true",
    )


def _synonym(value: str, where: str) -> Synonym:
    match = _SYNONYM.match(value)
    if match is None:
        raise InputError("a synonym that is not between quotes", where, 'write synonym: "words" EXACT []')
    scope = match[2].lower()
    rules = () if scope in _KEPT else ("broad_scope",) if scope == "broad" else ("related_scope",)
    return Synonym(_unescaped(match[1]), rules)


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda match: _ESCAPES.get(match[1], match[1]), text)
