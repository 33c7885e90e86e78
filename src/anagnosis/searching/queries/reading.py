"""Which tokens of a query are signs, and which are words of its text after all.

AND, OR and NOT in capitals are operators between two parts. They stay words in a question up to its "?" (inside
parentheses they are operators there too), in a text all in capitals that has other function words, and OR where it is
an odds ratio. What has nothing to join, and parentheses around nothing, are skipped. No rule looks further than one
token to each side.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from anagnosis.searching.queries.fields import LEFT_OUT, LONGEST_NAME
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
_BEFORE_ODDS_RATIO = frozenset(("the", "an", "adjusted", "unadjusted", "pooled", "crude", "summary"))
_AFTER_ODDS_RATIO = frozenset(("of", "for", "was", "is", "were", "are"))
_STAR = re.compile(r"(?P<before>.*[^*])\*+[,;:.?!]*", re.DOTALL)
_LAST_LETTERS = re.compile(r"[^\W_]+\Z")
_LIKE_A_FIELD = re.compile(
    rf"\[[^\W\d_][\w /:-]{{1,{LONGEST_NAME - 1}}}\](?![\w(\[-])"
)  # not benzo[a]pyrene, tea[1]
_CODES = "(?:ti|ab|tw|kw|kf|mp|sh|hw|pt|au|af|tx)"
_LIST = rf"{_CODES}(?:,{_CODES})*"
_NEAR = 'for words near each other write "two words"[tiab:~3]'
# Of Ovid, Embase, Cochrane, EBSCO, Scopus and Web of Science: word → how PubMed has it, and the kinds of the tokens
# around it where the word alone is no sign. N2 stays a word, as in N2 disease.
_OTHER_SIGNS = tuple(
    (re.compile(sign), form, re.compile("".join(around)))
    for sign, form, *around in (
        (r"(?i:near|next|pre|w|adj)/[0-9]+|(?i:near|adj)[0-9]+", _NEAR),
        (r"NEAR|NEXT|ADJ|adj|(?P<word>[NW][0-9]{1,2})", _NEAR, "[a-z]+ [a-z]+"),  # no operator
        ("MH|MM|SU|TI|AB", "write [mh], [ti] or [ab] behind a phrase", ".* phrase"),
        (rf"(?P<word>.*?)(?:\.{_LIST}\.|:{_LIST})", "write [ti], [ab], [tiab], [mh] or [tw] behind a word"),
        (r"(?:TITLE|ABS|KEY)(?:-(?:ABS|KEY|AUTH))*\((?P<word>.*?)\)?", "write [tiab] behind a word"),
        (r"(?:TS|TI|AB|AU)=(?P<word>.*)", "write [tiab], [ti], [ab] or [au] behind a word"),
        (r"(?P<word>.*?)'?/(?:exp|mj|de)", "write [mh] behind a MeSH term"),
        (r"(?P<word>[^\W_]+\?[^\W_]+)", "? stands for no letter; write each spelling, with OR between them"),
        (r"(?P<word>[^\W\d_]{3,})\$[0-9]?", "write * for the end of a word"),
    )
)
_SUBHEADING = "(?:complications|diagnosis|drug therapy|epidemiology|etiology|prevention|therapy)"
_HEADING = re.compile(
    r"(?<![^\s(])(?:[Ee][Xx][Pp] +(?P<name>[^/()\[\]\n]{1,80}?)/(?:(?!or)[a-z]{2}(?:, ?[a-z]{2})*)?"
    rf"|(?P<last>\*?(?!{_SUBHEADING}/)[^\W\d_][\w-]+)/{_SUBHEADING}?)(?=[\s)]|\Z)"
)
_OPERANDS_END = ("word", "begins", "phrase", "tag", "close")
_OPERANDS_BEGIN = ("word", "begins", "phrase", "open", "minus")
_OF_A_LIST = 2  # characters before the parenthesis of a list
Repair = Callable[[str], None]


def read_signs(text: str, every: list[Token], repair: Repair) -> list[Token]:
    """The tokens that a grammar needs, in order, with balanced parentheses and operators between two parts.

    repair: gets a sentence for each sign that could not be read as written.
    """
    for token in every:
        _name_unknown_field(text, token, repair)
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


def without_other_signs(text: str, every: list[Token], repair: Repair) -> list[Token]:
    """The tokens, of which signs of other databases are skipped; repair: gets a sentence for each."""
    made = list(every)
    headings = list(_HEADING.finditer(text))
    for found in headings:
        name = (found["name"] or found["last"]).strip('"* ')
        repair(f'{found[0]} is no sign here; write "{name}"[mh] for the MeSH term')
    for at, token in enumerate(every):
        if token.kind != "word":
            continue
        if token.value.lower() == "exp" and any(token.begin == found.start() for found in headings):
            made[at] = token._replace(kind="skipped")
        around = f"{every[at - 1].kind if at else ''} {every[at + 1].kind if at + 1 < len(every) else ''}"
        is_shouted = token.value.isalpha() and text.isupper()
        for sign, form, where in _OTHER_SIGNS:
            if not is_shouted and where.match(around) and (found := sign.fullmatch(token.value)):
                repair(f"{token.value} is no sign here; {form}")
                word = found.groupdict().get("word") or ""
                made[at] = token._replace(value=word, kind="word" if word else "skipped")
                break
    return made


def _name_unknown_field(text: str, token: Token, repair: Repair) -> None:
    """A repair for brackets right behind a word that look like a field and are none."""
    place = token.value.find("[") if token.kind == "word" else -1
    if place > 0 and (brackets := _LIKE_A_FIELD.match(text, token.begin + place)):
        repair(f"{brackets[0]} is no field, so it is read as words")


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
        after = [every[place] for place in kept[nth + 1 : nth + 3]]
        if shouts or (asks and not depth and token.begin < end):
            repair(f"{token.kind} is read as a word in a {'question' if asks else 'text all in capitals'}")
        elif token.kind == "OR" and _is_odds_ratio(before, after):
            repair("OR is read as a word, an odds ratio")
        elif before is None or before.kind != "minus":
            continue
        made[at] = token._replace(kind="word")
    return made


def _is_odds_ratio(before: Token | None, after: list[Token]) -> bool:
    follows = next((token for token in after if token.kind != "open"), None)
    if before is not None and before.kind == "word" and before.value.lower() in _BEFORE_ODDS_RATIO:
        return True
    if follows is None or follows.kind != "word":
        return False
    number = follows.value.lstrip("=<>~").replace(",", ".")
    is_number = "." in number.rstrip(".,;%") and number.replace(".", "", 1).rstrip(".,;%").isdecimal()
    return is_number or follows.value in _AFTER_ODDS_RATIO


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
