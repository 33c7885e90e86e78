"""The grammar of queries. Every text has exactly one reading, in linear time.

query   = chain*                          side by side: plain words are optional, all else are conditions
chain   = part (AND part | OR part | NOT part)*        from left to right, as PubMed reads them
part    = "-" single | NOT part | single | run [tag]
single  = word | phrase [tag] | "(" query ")" [tag]
run     = word+                           all words up to the next sign
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from anagnosis.searching.queries.dates import date_range
from anagnosis.searching.queries.fields import (
    DATE_TAG,
    FIELDS,
    FILTER_TAG,
    LANGUAGE_TAG,
    LEFT_OUT,
    NEAREST,
    UNKNOWN_FILTER,
    filter_of,
)
from anagnosis.searching.queries.names import language_code
from anagnosis.searching.queries.reading import DEEPEST, name_other_signs, read_signs, with_fields_behind
from anagnosis.searching.queries.tokens import OPERATORS, Token, tokens
from anagnosis.searching.queries.tree import (
    TEXT_FIELDS,
    AllOf,
    AnyOf,
    Begins,
    Dates,
    Not,
    Parsed,
    Part,
    Quoted,
    Tagged,
    Words,
    with_leaves,
)

LONGEST = 100_000  # characters; a longer text has only plain words
MOST_SIGNS = 1_000
_MOST_REPAIRS = 5
_VALUE_TOKENS = 3
_DISTANCE = re.compile(r":~ *([0-9]{1,9})")
_WITHOUT_DISTANCE = 'which needs a phrase and a title or abstract: "heart failure"[tiab:~3]'
_RUN = ("word", "begins")
# Fields with a closed set of values, by which one is known behind other words: tag → whether a text is one.
_CLOSED: dict[str, Callable[[str], object]] = {
    DATE_TAG: date_range,
    LANGUAGE_TAG: language_code,
    FILTER_TAG: lambda text: filter_of(text) or UNKNOWN_FILTER.fullmatch(text),
}


def parse(text: str) -> Parsed:
    """The reading of a text. It never fails: what is malformed is read as the nearest valid text."""
    plain = (Words(" ".join(text.split())),) if text.strip() else ()
    if len(text) > LONGEST:
        return Parsed(plain, (f"a text of more than {LONGEST:,} characters is read as plain words",))
    repairs: dict[str, None] = {}
    text = with_fields_behind(text)
    as_typed = tokens(text)
    name_other_signs(text, as_typed, lambda what: repairs.setdefault(what))
    signs = read_signs(text, as_typed, lambda what: repairs.setdefault(what))
    if sum(token.kind != "word" for token in signs) > MOST_SIGNS:
        return Parsed(plain, (f"a query of more than {MOST_SIGNS:,} signs is read as plain words",))
    grammar = _Grammar(text, signs, repairs)
    parts = grammar.query()
    if grammar.too_deep:
        return Parsed(plain, ("a query that turns from AND to OR again and again needs parentheses",))
    every = list(repairs)
    more = (f"and {len(every) - _MOST_REPAIRS} other repairs",) if len(every) > _MOST_REPAIRS else ()
    parsed = Parsed(tuple(parts), (*every[:_MOST_REPAIRS], *more))
    is_text = all(token.kind == "word" for token in signs) and all(token.kind != "tag" for token in as_typed)
    return Parsed(plain, parsed.repairs) if is_text else parsed


class _Grammar:
    def __init__(self, text: str, signs: list[Token], repairs: dict[str, None]) -> None:
        self._text, self._signs, self._repair, self._at = text, signs, repairs.setdefault, 0
        self.too_deep = False

    def query(self) -> list[Part]:
        """The parts side by side up to the end of the text or of a group."""
        parts: list[Part] = []
        while self._kind() not in ("", "close"):
            parts += self._chain()
        return parts

    def _kind(self, ahead: int = 0) -> str:
        place = self._at + ahead
        return self._signs[place].kind if place < len(self._signs) else ""

    def _chain(self) -> list[Part]:
        """Parts and their operators: side by side with NOT alone, else one part."""
        parts, joined, changes = self._part(), "", 0
        while (operator := self._kind()) in OPERATORS:
            self._at += 1
            excludes = operator == "NOT"
            if self._kind() == "NOT":
                self._at += 1
                excludes = True
            right = self._part()
            if excludes and right:
                right = [_without(right)]
            if operator != "OR" and all(isinstance(part, Not) for part in right):
                operator = "NOT"
            if not parts or not right:
                parts = parts or right
                continue
            if joined == "OR" and operator != "OR":
                parts, joined, changes = [_either(parts)], "", changes + 1
            if operator == "OR":
                parts = parts if joined == "OR" else [_both(parts)]
                changes += joined == "AND"
                parts.append(_both(right))
            else:
                parts += right
            joined = joined if operator == "NOT" else operator
            self.too_deep |= changes > DEEPEST
        if joined:
            return [_either(parts) if joined == "OR" else _both(parts)]
        return parts

    def _part(self) -> list[Part]:
        if self._kind() == "NOT":
            self._at += 1
            parts = self._part()
            return [_without(parts)] if parts else []
        if self._kind() == "minus":
            self._at += 1
            parts = self._single()
            return [_without(parts)] if parts else []
        return self._run() if self._kind() in _RUN else self._single()

    def _single(self) -> list[Part]:
        """One word, phrase or group, with its field."""
        token = self._signs[self._at]
        self._at += 1
        parts: list[Part]
        if token.kind == "open":
            parts = self.query()
            self._at += 1
        elif token.kind == "phrase":
            parts = [Quoted(" ".join(token.value.split()))]
        else:
            parts = _pieces([token])
        return self._tagged(parts, token.begin) if self._kind() == "tag" else parts

    def _run(self) -> list[Part]:
        """Words up to the next sign. A date before its field is a part of its own."""
        begin = self._at
        while self._kind() in _RUN:
            self._at += 1
        run = self._signs[begin : self._at]
        if self._kind() != "tag":
            return _pieces(run)
        field = self._field()
        if field in _CLOSED or field in LEFT_OUT:
            place = self._value_begins(begin, field)
            if place > begin:
                self._at = place
                return _pieces(self._signs[begin:place])
        elif FIELDS[field].is_name:
            words = " ".join(token.value for token in run)
            return self._tagged([Begins(words) if run[-1].kind == "begins" else Words(words)], run[0].begin)
        return self._tagged(_pieces(run), run[0].begin)

    def _field(self) -> str:
        """The field at this place, or the nearest one that an index has."""
        name = self._signs[self._at].value
        nearest = NEAREST.get(name)
        name = nearest[0] if nearest else name
        return FIELDS[name].tag if name in FIELDS else name

    def _value_begins(self, begin: int, field: str) -> int:
        """The sign with which a value of _CLOSED, or of a field that is left out, begins: of few words the longest."""
        if begin and field != DATE_TAG and self._signs[begin - 1].kind in OPERATORS:
            return begin
        for place in range(max(begin, self._at - _VALUE_TOKENS), self._at):
            written = self._text[self._signs[place].begin : self._signs[self._at].begin].strip()
            if _CLOSED.get(field, UNKNOWN_FILTER.fullmatch)(written.lower()):
                return place
        return self._at - 1

    def _tagged(self, parts: Sequence[Part], begin: int) -> list[Part]:
        """The parts in the field that stands here. begin: of their text."""
        tag = self._signs[self._at]
        field, written = self._field(), self._text[begin : tag.begin].strip()
        if distance := _DISTANCE.search(self._text, tag.begin, tag.end):
            has_text = field in FIELDS and not set(FIELDS[field].fields).isdisjoint(TEXT_FIELDS)
            if parts and isinstance(parts[0], Quoted) and has_text:
                parts = [Quoted(parts[0].text, min(int(distance[1]), LONGEST))]
            else:
                self._repair(
                    f"{self._text[tag.begin : tag.end]} is read without its distance, {_WITHOUT_DISTANCE}"
                )
        if tag.value in NEAREST:
            self._repair(f"[{tag.value}] is read as [{field}]: {NEAREST[tag.value][1]}")
        self._at += 1
        if field in LEFT_OUT:
            self._repair(f"{written}[{tag.value}] is left out: an index has no {LEFT_OUT[field]}")
            return []
        if field == DATE_TAG:
            return self._dates(written)
        if field == FILTER_TAG:
            if known := filter_of(written):
                return [Tagged(known[0], Words(known[1]))]
            self._repair(f"{written}[{tag.value}] is left out: an index does not know this filter")
            return []
        return [_in_field(field, part) for part in parts]

    def _dates(self, written: str) -> list[Part]:
        """Dates of publication, whose field stands before this place; a second date may follow a colon."""
        first = written.strip('"\u201c\u201d() ')
        after = self._signs[self._at - 1].end
        if self._kind() in ("word", "phrase") and self._kind(1) == "tag":
            following = self._signs[self._at]
            between = self._text[after : following.begin].strip()
            last = following.value if between == ":" else following.value[1:]
            if between == ":" or (not between and following.value.startswith(":")):
                self._at += 1
                is_date = self._field() == DATE_TAG
                self._at += 1 if is_date else -1
                first = f"{first}:{last.strip()}" if is_date else first
        dates = date_range(first)
        if dates is None:
            self._repair(f"{first!r} is no date; write 2019, 2019/03 or 2015:2020 before [dp]")
            return []
        for repair in dates.repairs:
            self._repair(repair)
        return [Dates(dates.since, dates.until)]


def _pieces(run: Sequence[Token]) -> list[Part]:
    """A run of words as plain words and beginnings."""
    parts: list[Part] = []
    waiting: list[str] = []
    for token in run:
        if token.kind == "word":
            waiting.append(token.value)
            continue
        if waiting:
            parts.append(_words(waiting))
            waiting = []
        parts.append(Begins(token.value))
    return [*parts, _words(waiting)] if waiting else parts


def _words(typed: Sequence[str]) -> Words:
    return Words(" ".join(typed).strip(",;:"))


def _in_field(name: str, part: Part) -> Part:
    """A part whose words must stand in a field; parts that have a field keep it."""
    return with_leaves(
        part, lambda leaf: Tagged(name, leaf) if isinstance(leaf, Words | Quoted | Begins) else leaf
    )


def _without(parts: Sequence[Part]) -> Part:
    part = _both(parts)
    return part.part if isinstance(part, Not) else Not(part)


def _both(parts: Sequence[Part]) -> Part:
    """All of the parts, one level deep; parts that are all excluded are one excluded part."""
    every = [inner for part in parts for inner in (part.parts if isinstance(part, AllOf) else (part,))]
    if len(every) == 1:
        return every[0]
    excluded = [part.part for part in every if isinstance(part, Not)]
    return Not(_either(excluded)) if len(excluded) == len(every) else AllOf(tuple(every))


def _either(parts: Sequence[Part]) -> Part:
    every = [inner for part in parts for inner in (part.parts if isinstance(part, AnyOf) else (part,))]
    return every[0] if len(every) == 1 else AnyOf(tuple(every))
