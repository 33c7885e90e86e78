"""The names in a question, which a sentence or its paper's title must have to answer it, letter for letter.

A name has a digit, a capital inside, or a Greek letter: IL-6, McArdle, α-synuclein. R.DraR1 is not M.DraR1, but case,
hyphens and a plural's s tell no two apart. A term of the index's vocabulary is a name, too. Each may stand as another
name that means the same.
"""

from __future__ import annotations

import re

from anagnosis.searching.records.hits import Equivalent, Topic
from anagnosis.searching.synonyms.names import with_equivalents
from anagnosis.searching.synonyms.spelling import american
from anagnosis.searching.words import words_of

_CHUNK = re.compile(r"[^\s,;:?!()\[\]{}\"“”/]+")
_AROUND = ".-–'’"
_POSSESSIVE = re.compile(r"['’]s\Z")
_NAME = re.compile(r".*(?:\d|[Α-Ωα-ω])|(?:.*\w)[A-Z]")
# "30-second", ">7%", "37°C", "mm2", "2b": a number with its sign and unit, or a part of a list.
_NO_NAME = re.compile(r"\W*[\d.,]+[-–a-zµμ%\d]*(?:°[CF]|L)?|[a-zµμ]{1,2}[23]")
_PIECE = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_DASHES = "-‐‑–"


def names_in(question: str) -> list[str]:
    """The names of a question as typed. Of one in capitals throughout those with a digit alone."""
    text = question.lower() if question.isupper() else question
    chunks = [_POSSESSIVE.sub("", one.strip(_AROUND)) for one in _CHUNK.findall(text)]
    return [one for one in chunks if _NAME.match(one) and not _NO_NAME.fullmatch(one)]


def has_names(topic: Topic, text: str) -> bool:
    """Whether a text has all names of a question."""
    words = words_of(text)
    implied = set(with_equivalents(words, topic.equivalents)[len(words) :])
    terms = (one.words for one in topic.equivalents if _is_of_vocabulary(one))
    return all(
        implied.issuperset(words_of(one)) or _stands(one, text) for one in names_in(topic.text)
    ) and all(implied.union(words).issuperset(one) for one in terms)


def _stands(name: str, text: str) -> bool:
    """Whether a name stands in a text, not as a part of another one."""
    pieces = [re.escape(one) for one in _PIECE.findall(name.removesuffix("s")) if one not in _DASHES]
    letters = rf"[{_DASHES}\s]?".join(pieces)
    return re.search(rf"(?<![^\W_])(?<![^\W_][.]){letters}s?(?![^\W_])", text, re.IGNORECASE) is not None


def _is_of_vocabulary(one: Equivalent) -> bool:
    """Whether words have other names than their spellings, British or American."""
    typed = {american(word) for word in one.words}
    return any({american(word) for word in name} != typed for name in one.names)
