"""Entities by dictionary: the longest names of a vocabulary in the tokens of a text, leftmost first.

Two tokens with which no name begins cost one look-up; others as many as names of different lengths begin with them.
The rules of `tokens.py` and `name_forms.py` decide what counts as equal; each can be switched off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from anagnosis.entities.concepts import Concept
from anagnosis.entities.name_forms import adjectives, general_names, inverted_forms, qualifiers, short_forms
from anagnosis.entities.tokens import TOKEN_RULES, Tokenizer, Tokens

RULES = (
    *TOKEN_RULES,
    "general_names",
    "inverted_forms",
    "qualifiers",
    "adjectives",
    "short_forms",
    "defined_short_forms",
)


class Match(NamedTuple):
    """A name in a text: characters start to end, and rows of the concepts that have it."""

    start: int
    end: int
    rows: tuple[int, ...]


class Dictionary:
    """The names of some concepts by their compared forms.

    concepts: rows of matches are places in it. rules: names of `RULES` to apply. general: names that the rule
    `general_names` left out.
    """

    def __init__(self, concepts: Iterable[Concept], rules: Iterable[str] = RULES) -> None:
        self.rules = chosen = frozenset(rules)
        self.tokenizer = Tokenizer([rule for name, rule in TOKEN_RULES.items() if name in chosen])
        self.general = 0
        self.concepts: list[Concept] = []
        # Compared form → row, or rows of several concepts; short forms by their spelling.
        self._rows: dict[str, int | tuple[int, ...]] = {}
        self._spelled: dict[str, dict[str, tuple[int, ...]]] = {}
        # First two tokens of names → the numbers of tokens of these names, longest first.
        self._lengths: dict[str, tuple[int, ...]] = {}
        derived: dict[str, list[int]] = {}
        for concept in concepts:
            row = len(self.concepts)
            self.concepts.append(concept)
            for name in concept.names:
                if "general_names" in chosen and general_names(name):
                    self.general += 1
                    continue
                self._add(name, row)
                if "inverted_forms" in chosen and (turned := inverted_forms(name)):
                    self._add(turned, row)
                if "qualifiers" in chosen and (bare := qualifiers(name)):
                    self._add(bare, row)
                if "adjectives" in chosen and (adjective := adjectives(name)):
                    derived.setdefault(adjective, []).append(row)
        # Not where a name has the form. All are looked up first, since several concepts may have one derived form.
        forms = {form: " ".join(self.tokenizer(form).keys) for form in derived}
        for form in [
            each for each, key in forms.items() if key not in self._rows and key not in self._spelled
        ]:
            for row in derived[form]:
                self._add(form, row)

    def _add(self, name: str, row: int) -> None:
        if "general_names" in self.rules and general_names(name):
            return
        keys = self.tokenizer(name).keys
        if not any(key.isalpha() for key in keys):
            return  # a number or a sign names nothing
        form = " ".join(keys)
        if "short_forms" in self.rules and short_forms(name):
            spellings = self._spelled.setdefault(form, {})
            spellings[name] = _joined(spellings.get(name, ()), row)
        else:
            rows = self._rows.get(form)
            if rows is None:
                self._rows[form] = row
            elif rows != row:
                self._rows[form] = _joined((rows,) if isinstance(rows, int) else rows, row)
        if len(keys) > 1:
            begin = f"{keys[0]} {keys[1]}"
            lengths = self._lengths.get(begin, ())
            if len(keys) not in lengths:
                self._lengths[begin] = tuple(sorted((*lengths, len(keys)), reverse=True))

    def matches(self, text: str, tokens: Tokens | None = None) -> Iterator[Match]:
        """The longest names, leftmost first, without overlap."""
        keys, starts, ends = tokens or self.tokenizer(text)
        place, count = 0, len(keys)
        lengths, get, spelled = self._lengths.get, self._rows.get, self._spelled
        keys = [*keys, ""]  # so that the last token has a neighbour; no name has an empty token
        while place < count:
            key = keys[place]
            for length in (*lengths(f"{key} {keys[place + 1]}", ()), 1):
                behind = place + length
                form = key if length == 1 else " ".join(keys[place:behind])
                rows = get(form)
                if form in spelled:
                    rows = self._spelled_so(text[starts[place] : ends[behind - 1]], spelled[form], rows)
                if rows is not None:
                    yield Match(starts[place], ends[behind - 1], (rows,) if isinstance(rows, int) else rows)
                    place = behind
                    break
            else:
                place += 1

    def _spelled_so(
        self, text: str, spellings: dict[str, tuple[int, ...]], rows: int | tuple[int, ...] | None
    ) -> int | tuple[int, ...] | None:
        """The rows of a text: of a short form in exactly this spelling, or with a plural's s behind it; else `rows`.

        Those of `rows` that have exactly this name count beside the short form.
        """
        short = spellings.get(text) or (spellings.get(text[:-1]) if text.endswith("s") else None)
        if short is None or rows is None:
            return rows if short is None else short
        others = (rows,) if isinstance(rows, int) else rows
        return tuple(sorted({*short, *(row for row in others if text in self.concepts[row].names)}))


def _joined(rows: tuple[int, ...], row: int) -> tuple[int, ...]:
    return rows if row in rows else (*rows, row)
