"""Which tokens of a query are signs, and which are words of its text after all.

AND, OR and NOT in capitals are operators between two parts. They stay words in a question up to its "?" (inside
parentheses they are operators there too), and in a text all in capitals that has other function words. What has nothing
to join, and parentheses around nothing, are skipped. No rule looks further than one token to each side. A sign of
another database is a word, which a repair names.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from anagnosis.searching.queries.fields import FILTER_TAG, HAS_ABSTRACT, LEFT_OUT, LONGEST_NAME, field_name
from anagnosis.searching.queries.tokens import OPERATORS, QUOTES, Token

LEAST_LETTERS = 3  # before a star
DEEPEST = 10  # parentheses inside parentheses, and turns from AND to OR
# First words of a question. Of others, such as "may" and "list", a search may begin as well.
_FIRST = "what which who whom whose when where why how does do did is are was were can could should would"
_ASKING = frozenset(_FIRST.split())
# Words that a title has and a list of names in capitals has not: WHO and IT are names too.
_OF_SENTENCES = frozenset(
    ("of", "the", "in", "on", "for", "to", "with", "by", "from", "at", "an", "is", "are", "does")
)
_STAR = re.compile(r"(?P<before>.*[^*])\*+[,;:.?!]*", re.DOTALL)
_LAST_LETTERS = re.compile(r"[^\W_]+\Z")
# Signs of other databases and programs, of which our language has none.
_OTHER_SIGNS = re.compile(
    r"""[/&|+\#~^@!$\\]+                                   # A & B, A / B
    |\#[\w-]+ | [a-z]+/[0-9]+(?:-[0-9]+)? | ~[0-9]+       # #1, near/3, or/1-3, "a b"~3
    |(?:near|adj|next|pre|within)[0-9]+                   # adj3
    |[+!][^\W\d]\w+ | .*\w'?/ | .*/(?:exp|mj|de|lim|dt|ep|pc|tu)   # +tea, Asthma/, 'asthma'/exp, Asthma/dt
    |.*\.[a-z]{2}(?:,[a-z]{2})*\.?                        # asthma.ti,ab.
    |.*\w\[[^\W\d_][\w/:-]+\]?                            # tea[xx], of no field; not benzo[a]pyrene
    |.*:[a-z]{2}(?:,[a-z]{2})* | [a-z-]+:(?!//)[\w(].*    # asthma:ti,ab, year:x
    |(?:(?:title|abs|key|auth)[a-z-]*|(?-i:TI|AB|SU|TX))\(.* | (?-i:[A-Z.]{2,})\([^)]*  # TITLE-ABS-KEY(asthma), TI(a)
    |[a-z]{2,}=(?![0-9]).*                                # TS=asthma
    |[^\W\d_]+(?:\?|\*|\#|\$)[^\W\d_]+ | \*[^\W\d_]+ | [^\W\d_]{3,}\$[0-9]? | .*[{}].*  # wom?n, *ology, child$
    """,
    re.IGNORECASE | re.VERBOSE,
)
_OPERATORS = re.compile(  # of others, with the kinds of the tokens around them: by their letters alone they are names
    r"(?:word|begins|phrase|close) (?:[Aa]dj|ADJ|NEAR|NEXT|SAME|WITHIN|[NW][0-9]{1,2}) (?:word|begins|phrase|open)"
    r"|[A-Za-z]* (?:exp|EXP) word|[A-Za-z]* (?:MH|MM|SU|TI|AB|TX|AU|DE|KW) (?:phrase|open)"
    r"|(?:AND|OR|NOT) [LS]?[0-9]{1,3} (?:AND|OR|NOT|close)?|(?:open)? [LS]?[0-9]{1,3} (?:AND|OR|NOT)"
)
_MOST_NAMED = 20
_QUOTE = "".join(sorted(QUOTES))
_FIELD_BEFORE = re.compile(
    rf"[{_QUOTE}][^{_QUOTE}]*[{_QUOTE}]"
    rf"|(?<![^\s(-])(?:(?P<filter>{HAS_ABSTRACT}(?:\[[\w ]+\])?(?!\w))|(?P<name>[a-z][\w/-]{{1,{LONGEST_NAME}}}):"
    rf"(?P<of>[{_QUOTE}][^{_QUOTE}]+[{_QUOTE}]|\((?:[^()]|\([^()]*\))+\)|\w[^\s()]*(?:\([^\s()]*\)[^\s()]*)*))",
    re.IGNORECASE,
)
_OPERANDS_END = ("word", "begins", "phrase", "tag", "close")
_OPERANDS_BEGIN = ("word", "begins", "phrase", "open", "minus")
_OF_A_LIST = 2  # characters before the parenthesis of a list
Repair = Callable[[str], None]


def read_signs(text: str, every: list[Token], repair: Repair) -> list[Token]:
    """The tokens that a grammar needs, in order, with balanced parentheses and operators between two parts.

    repair: gets a sentence for each sign that could not be read as written.
    """
    every = [_worded(token, repair) for token in every]
    every = _balanced(every, repair)
    every = _operators(text, every, repair)
    every = _joined(every, repair)
    return _without_plain_groups([token for token in every if token.kind != "skipped"])


def _worded(token: Token, repair: Repair) -> Token:
    """A token without letters and numbers is skipped; a word with a star is a beginning."""
    if token.kind not in ("word", "phrase"):
        return token
    value = token.value
    if any(letter in QUOTES and not value[at - 1 : at].isalnum() for at, letter in enumerate(value)):
        repair("a quotation mark without a second one is left out")
    if not any(map(str.isalnum, value)):
        return token._replace(kind="skipped")
    if token.kind == "phrase":
        if "*" in value:
            repair("a star inside quotation marks means nothing")
        return token
    star = _STAR.fullmatch(value)
    if star is None:
        return token
    letters = _LAST_LETTERS.search(star["before"])
    if letters is None or len(letters[0]) < LEAST_LETTERS:
        repair(f"{value} is read without its star, which needs {LEAST_LETTERS} letters before it")
        return token._replace(value=star["before"])
    return token._replace(kind="begins", value=star["before"])


def with_fields_behind(text: str) -> str:
    """The text with each field behind what it is of: ti:tea as (tea)[ti], hasabstract as (hasabstract)[filter]."""

    def behind(found: re.Match[str]) -> str:
        if found["name"]:
            return f"({found['of']})[{found['name']}]" if field_name(found["name"]) else found[0]
        return f"({HAS_ABSTRACT})[{FILTER_TAG}]" if found["filter"] else found[0]

    return _FIELD_BEFORE.sub(behind, text)


def name_other_signs(text: str, every: list[Token], repair: Repair) -> None:
    """A repair that names the signs of other databases: they are words here."""
    kinds = ["", *(token.kind for token in every), ""]
    signs: dict[str, None] = {}
    for at, (kind, _, _, value) in enumerate(every):
        around = "" if value.isalpha() and text.isupper() else f"{kinds[at]} {value} {kinds[at + 2]}"
        is_field = value.endswith(":") and field_name(value[:-1])
        if kind == "word" and (is_field or _OTHER_SIGNS.fullmatch(value) or _OPERATORS.fullmatch(around)):
            signs[value] = None
    if signs:
        more = f" and {len(signs) - _MOST_NAMED:,} others" if len(signs) > _MOST_NAMED else ""
        repair(f"no sign here, so read as words: {', '.join([*signs][:_MOST_NAMED])}{more}")


def _balanced(every: list[Token], repair: Repair) -> list[Token]:
    """Parentheses in pairs: others, too deep ones and those around nothing are skipped; the end closes what is open."""
    made = list(every)
    opened: list[tuple[int, bool]] = []  # place, whether something is in it
    unclosed = False
    has_operators = any(token.kind in OPERATORS for token in every)
    in_words = 0  # parentheses that a word opens and another one closes: stinkbug(Halyomorpha halys)
    for at, token in enumerate(every):
        if token.kind == "open":
            opened.append((at, False))
            if len(opened) > DEEPEST:
                made[at] = token._replace(kind="skipped")
                repair(f"parentheses are read {DEEPEST} deep")
        elif token.kind == "close":
            if not opened:
                made[at] = token._replace(kind="skipped")
                # 1) and b) number a list.
                is_text = in_words > 0 or not at or len(every[at - 1].value) <= _OF_A_LIST
                unclosed, in_words = unclosed or has_operators or not is_text, max(0, in_words - 1)
                continue
            place, filled = opened.pop()
            if not filled:
                made[place] = every[place]._replace(kind="skipped")
            if made[place].kind == "skipped":
                made[at] = token._replace(kind="skipped")
            if opened and filled:
                opened[-1] = opened[-1][0], True
        elif token.kind in ("word", "begins", "phrase"):
            if token.kind != "phrase":
                in_words += token.value.count("(") - token.value.count(")")
            if opened:
                opened[-1] = opened[-1][0], True
    filled = False
    for place, has in reversed(opened):
        unclosed = True
        filled = filled or has
        if not filled or made[place].kind == "skipped":
            made[place] = every[place]._replace(kind="skipped")
        else:
            made.append(Token("close", every[-1].end, every[-1].end, ")"))
    if unclosed:
        repair("a parenthesis has no partner")
    return made


def _operators(text: str, every: list[Token], repair: Repair) -> list[Token]:
    """AND, OR and NOT that are words become words."""
    words = [token.value for token in every if token.kind == "word"]
    first = words[0] if words else ""
    asks = text.rstrip().endswith("?") or (first.lower() in _ASKING and not first.isupper())
    end = text.rfind("?") if "?" in text else len(text)  # of the question
    shouts = text.isupper() and any(word.lower() in _OF_SENTENCES for word in words)
    made, depth = list(every), 0
    kept = [at for at, token in enumerate(every) if token.kind != "skipped"]
    for nth, at in enumerate(kept):
        token = every[at]
        depth += (token.kind == "open") - (token.kind == "close")
        if token.kind not in OPERATORS:
            continue
        before = every[kept[nth - 1]] if nth else None
        if shouts or (asks and not depth and token.begin < end):
            repair(f"{token.kind} is read as a word in a {'question' if asks else 'text all in capitals'}")
        elif before is None or before.kind != "minus":
            continue
        made[at] = token._replace(kind="word")
    return made


def _joined(every: list[Token], repair: Repair) -> list[Token]:
    """Operators, minus signs and fields with nothing to join are skipped."""
    made = list(every)
    follows = ""
    for at in range(len(made) - 1, -1, -1):
        token = made[at]
        if token.kind == "skipped":
            continue
        fits = follows in _OPERANDS_BEGIN
        if token.kind in ("AND", "OR"):
            fits = fits or follows == "NOT"
        if token.kind in OPERATORS and not fits:
            repair(f"{token.kind} needs a word on both sides")
            made[at] = token._replace(kind="skipped")
        elif token.kind == "minus" and not fits:
            made[at] = token._replace(kind="skipped")
        else:
            follows = token.kind
    before = ""
    for at, token in enumerate(made):
        fits = before in _OPERANDS_END
        if token.kind in ("AND", "OR") and not fits:
            repair(f"{token.kind} needs a word on both sides")
            made[at] = token._replace(kind="skipped")
        elif token.kind == "tag" and (not fits or before == "tag"):
            what = "belongs behind a word" if token.value not in LEFT_OUT else "is left out"
            repair(f"[{token.value}] {what}")
            made[at] = token._replace(kind="skipped")
        elif token.kind != "skipped":
            before = token.kind
    return made


def _without_plain_groups(every: list[Token]) -> list[Token]:
    """Parentheses around plain words are part of a text, as in aspirin (ASA), unless a sign is applied to them."""
    made = list(every)
    opened: list[tuple[int, bool]] = []  # place, whether all in it is plain
    for at, token in enumerate(every):
        if token.kind == "open":
            opened.append((at, True))
        elif token.kind == "close":
            place, plain = opened.pop()
            before = every[place - 1].kind if place else ""
            after = every[at + 1].kind if at + 1 < len(every) else ""
            if plain and before not in (*OPERATORS, "minus") and after != "tag":
                made[place] = made[at] = token._replace(kind="skipped")
            elif opened:
                opened[-1] = opened[-1][0], False
        elif token.kind != "word" and opened:
            opened[-1] = opened[-1][0], False
    return [token for token in made if token.kind != "skipped"]
