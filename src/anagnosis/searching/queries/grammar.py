"""The grammar of queries. Every text has exactly one reading, in linear time.

query   = chain*                          side by side: plain words are optional, all else are conditions
chain   = part (AND part | OR part | NOT part)*        from left to right, as PubMed reads them
part    = "-" single | NOT part | single | run [tag]
single  = phrase [tag] | "(" query ")" [tag]
run     = word+                           all words up to the next sign
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby

from msgspec.structs import replace

from anagnosis.searching.queries.fields import (
    DATE_TAG,
    FIELDS,
    FILTER_TAG,
    LANGUAGE_TAG,
    LEFT_OUT,
    UNKNOWN_FILTER,
    date_range,
    field_name,
    filter_of,
)
from anagnosis.searching.queries.names import language_code
from anagnosis.searching.queries.tokens import DEEPEST, OPERATORS, QUOTES, Token, tokens, with_fields_behind
from anagnosis.searching.queries.tree import AllOf, AnyOf, Dates, Not, Parsed, Part, Typed, with_leaves

LONGEST = 100_000  # characters; a longer text has only plain words
MOST_SIGNS = 1_000
_MOST_REPAIRS = 5
_VALUE_TOKENS = 3
_RUN = ("word", "begins")
_DAY = rf"[{QUOTES}]?([0-9][0-9/.-]{{3,9}})[{QUOTES}]?\s*\[([^\]]{{1,40}})\]"
_DAYS = re.compile(rf"(?<![\w/.-]){_DAY}\s*:\s*{_DAY}(?!\])")  # 2015[dp] : 2020[dp]
# Fields with a closed set of values, by which one is known behind other words: tag → whether a text is one.
_CLOSED: dict[str, Callable[[str], object]] = {
    DATE_TAG: date_range,
    LANGUAGE_TAG: language_code,
    FILTER_TAG: lambda text: filter_of(text) or UNKNOWN_FILTER.fullmatch(text),
}


def parse(text: str) -> Parsed:
    """The reading of a text. It never fails: what is malformed is read as the nearest valid text."""
    plain = (Typed(" ".join(text.split())),) if text.strip() else ()
    if len(text) > LONGEST:
        return Parsed(plain, (f"a text of more than {LONGEST:,} characters is read as plain words",))
    repairs: dict[str, None] = {}
    text = _DAYS.sub(_joined_days, with_fields_behind(text))
    signs = tokens(text, repairs.setdefault)
    if sum(token.kind != "word" for token in signs) > MOST_SIGNS:
        return Parsed(plain, (f"a query of more than {MOST_SIGNS:,} signs is read as plain words",))
    grammar = _Grammar(text, signs, repairs)
    parts = grammar.query()
    if grammar.too_deep:
        return Parsed(plain, ("a query that turns from AND to OR again and again needs parentheses",))
    every = list(repairs)
    more = (f"and {len(every) - _MOST_REPAIRS} other repairs",) if len(every) > _MOST_REPAIRS else ()
    is_text = all(token.kind == "word" for token in signs)
    return Parsed(plain if is_text else tuple(parts), (*every[:_MOST_REPAIRS], *more))


def _joined_days(found: re.Match[str]) -> str:
    """Two dates with a field each as one span: 2015:2020[dp]."""
    first, field, last, other = found.groups()
    tags = {one.tag for one in map(FIELDS.get, (field_name(field), field_name(other))) if one}
    return f"{first}:{last}[{DATE_TAG}]" if tags == {DATE_TAG} else found[0]


class _Grammar:
    def __init__(self, text: str, signs: list[Token], repairs: dict[str, None]) -> None:
        self._text, self._signs, self._repairs, self._at = text, signs, repairs, 0
        self.too_deep = False

    def query(self) -> list[Part]:
        """The parts side by side up to the end of the text or of a group."""
        parts: list[Part] = []
        while self._kind() not in ("", "close"):
            parts += self._chain()
        return parts

    def _kind(self) -> str:
        return self._signs[self._at].kind if self._at < len(self._signs) else ""

    def _repair(self, what: str) -> None:
        self._repairs[what] = None

    def _chain(self) -> list[Part]:
        """Parts and their operators: side by side with NOT alone, else one part."""
        parts, joined, changes = self._part(), "", 0
        while (operator := self._kind()) in OPERATORS:
            self._at += 1
            if self._lacks_operand(operator):
                continue
            right = self._part()
            if operator == "NOT" and right:
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

    def _lacks_operand(self, operator: str) -> bool:
        """Whether nothing stands behind an operator that it could join, which a repair says."""
        lacks = self._kind() in ("", "close", "AND", "OR") or self._kind() == operator
        if lacks:
            self._repair(f"{operator} needs a word on both sides")
        return lacks

    def _part(self) -> list[Part]:
        while (kind := self._kind()) in ("AND", "OR", "tag"):
            if kind == "tag":
                self._repair(f"[{self._signs[self._at].value}] belongs behind a word")
            else:
                self._repair(f"{kind} needs a word on both sides")
            self._at += 1
        if kind in _RUN:
            return self._run()
        if kind in ("open", "phrase"):
            return self._single()
        if kind in ("NOT", "minus"):
            self._at += 1
            if kind == "NOT":
                parts = [] if self._lacks_operand(kind) else self._part()
            else:
                parts = self._single() if self._kind() in (*_RUN, "open", "phrase") else []
            return [_without(parts)] if parts else []
        return []

    def _single(self) -> list[Part]:
        """One word, phrase or group, with its field."""
        token = self._signs[self._at]
        self._at += 1
        parts: list[Part]
        if token.kind == "open":
            parts = self.query()
            self._at += 1
        elif token.kind == "phrase":
            parts = [Typed(" ".join(token.value.split()), "phrase")]
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
            name = " ".join(token.value for token in run)
            typed = Typed(name, "beginning" if run[-1].kind == "begins" else "words")
            return self._tagged([typed], run[0].begin)
        return self._tagged(_pieces(run), run[0].begin)

    def _field(self) -> str:
        """The field at this place, by the name that we write."""
        name = self._signs[self._at].value
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
        sign = self._text[tag.begin : tag.end]
        if ":~" in sign:
            self._repair(f"{sign} is read without its distance")
        self._at += 1
        while self._kind() == "tag":
            self._repair(f"[{self._signs[self._at].value}] belongs behind a word")
            self._at += 1
        if field in LEFT_OUT:
            self._repair(f"{written}[{tag.value}] is left out: an index has no such field")
            return []
        if field == DATE_TAG:
            return self._dates(written)
        if field == FILTER_TAG:
            if known := filter_of(written):
                return [Typed(known[1], field=known[0])]
            self._repair(f"{written}[{tag.value}] is left out: an index does not know this filter")
            return []
        return [_in_field(field, part) for part in parts]

    def _dates(self, written: str) -> list[Part]:
        """Dates of publication, as they are written."""
        written = written.strip(f"{QUOTES}() ")
        dates = date_range(written)
        if dates is None:
            self._repair(f"{written!r} is no date; write 2019, 2019/03 or 2015:2020 before [dp]")
            return []
        return [Dates(*dates)]


def _pieces(run: Sequence[Token]) -> list[Part]:
    """A run of words as plain words and beginnings."""
    parts: list[Part] = []
    for is_word, some in groupby(run, lambda token: token.kind == "word"):
        values = [token.value for token in some]
        parts += (
            [Typed(" ".join(values).strip(",;:"))] if is_word else [Typed(one, "beginning") for one in values]
        )
    return parts


def _in_field(name: str, part: Part) -> Part:
    """A part whose words must stand in a field; parts that have a field keep it."""
    return with_leaves(
        part, lambda leaf: replace(leaf, field=name) if isinstance(leaf, Typed) and not leaf.field else leaf
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
