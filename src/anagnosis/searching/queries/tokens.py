"""Tokens of a query: words, phrases in quotes, parentheses, minus signs, field tags, operators. Every text has tokens.

    "insulin resistance" metformin -children glucose[ti]
    phrase               word      minus word word  tag

A sign is a token only where users write it as one: parentheses, minus and quotes at the beginning of a word, a known
field in brackets behind one. All others are letters of words: IL-6, f(x), benzo[a]pyrene, 5", p<0.05. AND, OR and NOT
stay words in a question up to its "?"; inside parentheses they are operators there too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from anagnosis.searching.analysis import function_word
from anagnosis.searching.queries.fields import FILTER_TAG, HAS_ABSTRACT, LONGEST_NAME, field_name

OPERATORS = ("AND", "OR", "NOT")
DEEPEST = 10  # parentheses inside parentheses
LEAST_LETTERS = 3  # before a star
QUOTES = '"\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\uff02'
_SIGNS = f"{QUOTES}["  # that end a word
_PHRASE = re.compile(rf"(?<![^\W_])[{QUOTES}]([^{QUOTES}]*)[{QUOTES}]")
_LONE_QUOTE = re.compile(rf"(?<![^\W_])[{QUOTES}]")
_TAG = re.compile(
    rf"\[([^\]]{{1,{LONGEST_NAME}}})\](?=[()\[:;,.?!\s{QUOTES}-]|(?:{'|'.join(OPERATORS)}) |\Z)"
)
# A hyphen excludes a word of two letters or more, a phrase, or a group; not in "tea - coffee", "-5", "vitamin -D".
_MINUS = re.compile(rf"(?<![^\s(])-(?=\(|[{QUOTES}][^{QUOTES}]*[{QUOTES}]|[^\W\d_][^\W_])")
_LETTER = re.compile(r"[^\W_]")
_LETTERS_AT_END = re.compile(rf"[^\W_]{{{LEAST_LETTERS}}}\Z")
# A phrase, which stays as it is; hasabstract, or hasabstract[text]; a field before a word, a phrase or a group.
_FIELD_BEFORE = re.compile(
    rf"[{QUOTES}][^{QUOTES}]*[{QUOTES}]"
    rf"|(?<![^\s(-])(?:(?P<filter>{HAS_ABSTRACT}(?:\[[\w ]+\])?(?!\w))|(?P<name>[a-z][\w/-]{{1,{LONGEST_NAME}}}):"
    rf"(?P<of>[{QUOTES}][^{QUOTES}]+[{QUOTES}]|\((?:[^()]|\([^()]*\))+\)|\w[^\s()]*(?:\([^\s()]*\)[^\s()]*)*))",
    re.IGNORECASE,
)
# Signs of other databases: #1, near/3, Asthma/, asthma.ti,ab., asthma[xx], TITLE-ABS-KEY(asthma
_OF_OTHERS = re.compile(
    r"#[0-9]+|(?:near|adj|next|pre|within)/?[0-9]+|[nw]/[0-9]+|[\w'*]+/|.*\.[a-z]{2}(?:,[a-z]{2})*\.?"
    r"|.*\w\[[^\W\d_][\w/:-]+\]?|(?-i:[A-Z-]{2,})\([^)]*",
    re.IGNORECASE,
)
_MOST_NAMED = 20
Repair = Callable[[str], object]


class Token(NamedTuple):
    """A token: characters [begin, end) of the query. value: a phrase without its quotes, the name of a field.

    kind: word, begins, phrase, open, close, minus, tag, AND, OR or NOT.
    """

    kind: str
    begin: int
    end: int
    value: str


def with_fields_behind(text: str) -> str:
    """The text with each field behind what it is of: ti:tea as (tea)[ti], hasabstract as (hasabstract)[filter]."""

    def behind(found: re.Match[str]) -> str:
        if found["filter"]:
            return f"({HAS_ABSTRACT})[{FILTER_TAG}]"
        return f"({found['of']})[{found['name']}]" if field_name(found["name"] or "") else found[0]

    return _FIELD_BEFORE.sub(behind, text)


def tokens(text: str, repair: Repair) -> list[Token]:
    """The tokens in order, with parentheses in pairs. Time is linear in the text's length.

    repair: gets a sentence for each sign that could not be read as written.
    """
    asked = f"{text} ".rfind("? ")  # where a question ends
    made: list[Token] = []
    at = depth = 0
    while at < len(text):
        token = _token(text, at, made[-1] if made else None)
        kind, begin, at, value = token
        if kind in OPERATORS:
            if begin < asked and not depth:
                repair(f"{kind} is read as a word in a question")
                token = token._replace(kind="word")
            elif made and made[-1].kind == "minus":
                token = token._replace(kind="word")
        elif kind == "open":
            depth += 1
        elif kind == "close":
            if not depth:  # a letter of a text: 1) and b) number a list
                continue
            depth -= 1
        elif kind in ("word", "phrase"):
            token = _worded(token, repair)
            if not _LETTER.search(value):
                continue
        made.append(token)
    if depth:
        repair("a parenthesis has no partner")
    of_others = [one.value for one in made if one.kind == "word" and _OF_OTHERS.fullmatch(one.value)]
    if named := list(dict.fromkeys(of_others)):
        more = f" and {len(named) - _MOST_NAMED:,} others" if len(named) > _MOST_NAMED else ""
        repair(f"signs of other databases are words here: {', '.join(named[:_MOST_NAMED])}{more}")
    return _with_groups([*made, *[Token("close", len(text), len(text), ")")] * depth], repair)


def _token(text: str, at: int, last: Token | None) -> Token:
    """The token that begins at this place; a blank is a word."""
    letter = text[at]
    if phrase := _PHRASE.match(text, at):
        return Token("phrase", at, phrase.end(), phrase[1].strip())
    if letter in "()":
        return Token("open" if letter == "(" else "close", at, at + 1, letter)
    if _MINUS.match(text, at) and not (
        last and last.kind == "word" and function_word(last.value) and _LETTER.match(text, at + 1)
    ):
        return Token("minus", at, at + 1, letter)
    if tag := _field(text, at):
        return tag
    inside, end = 0, at
    while end < len(text) and not text[end].isspace():
        letter = text[end]
        if letter == "(":
            if end - at < 4 and text[at:end] in OPERATORS:
                break
            inside += 1
        elif letter == ")":
            if not inside:
                break
            inside -= 1
        elif end > at and letter in _SIGNS and (_PHRASE.match(text, end) or _field(text, end)):
            break
        end += 1
    end = max(end, at + 1)
    return Token(text[at:end] if text[at:end] in OPERATORS else "word", at, end, text[at:end])


def _field(text: str, at: int) -> Token | None:
    """The known field in brackets that stands at this place, and behind which a word ends."""
    tag = _TAG.match(text, at)
    name = field_name(tag[1]) if tag else ""
    return Token("tag", at, tag.end(), name) if tag and name else None


def _worded(token: Token, repair: Repair) -> Token:
    """A word or a phrase; a word with a star is a beginning."""
    value = token.value
    if token.kind == "phrase":
        if "*" in value:
            repair("a star inside quotation marks means nothing")
        return token
    if _LONE_QUOTE.search(value):
        repair("a quotation mark without a second one is left out")
    bare = value.rstrip(",;:.?!")
    before = bare.rstrip("*")
    if before == bare:
        return token
    if _LETTERS_AT_END.search(before):
        return token._replace(kind="begins", value=before)
    if before:
        repair(f"{value} is read without its star, which needs {LEAST_LETTERS} letters before it")
    return token._replace(value=before)


def _with_groups(every: list[Token], repair: Repair) -> list[Token]:
    """The tokens without parentheses around nothing, too deep ones, and those around plain words.

    Around plain words they are part of a text, as in aspirin (ASA), unless a sign is applied to them.
    """
    left_out = set[int]()
    opened: list[list[int]] = []  # place, and whether nothing is in it (0), words alone (1), or signs (2)
    for at, token in enumerate(every):
        if token.kind == "open":
            if len(opened) >= DEEPEST:
                repair(f"parentheses are read {DEEPEST} deep")
                left_out.add(at)
            opened.append([at, 0])
            continue
        holds = 1 if token.kind == "word" else 2
        if token.kind == "close":
            place, holds = opened.pop()
            before = every[place - 1].kind if place else ""
            after = every[at + 1].kind if at + 1 < len(every) else ""
            if (
                place in left_out
                or holds == 0
                or (holds == 1 and before not in (*OPERATORS, "minus") and after != "tag")
            ):
                left_out |= {place, at}
            else:
                holds = 2
        if opened:
            opened[-1][1] = max(opened[-1][1], holds)
    return [token for at, token in enumerate(every) if at not in left_out]
