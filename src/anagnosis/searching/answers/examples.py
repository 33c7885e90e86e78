"""Questions to try, for a page over a collection: titles of its papers that its other words answer.

Titles that ask come first, then others, as words. One is offered where the best sentence that answers it is strong,
which is more than sure (asking.SURE), stands in what a paper found (FINDINGS), not where it says what it looks for,
and is of a paper that counts. What is looked at is the same whenever the same papers are in, and little: the best
passages for words that many papers have, and MOST_ASKED questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from anagnosis.searching.answers.asking import ask
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.answers import TEXT
from anagnosis.searching.sentences.sentences import STRONG
from anagnosis.searching.words import question_words

SHOWN = 4
MOST_ASKED = 80
_LOOKED_AT = 200  # passages
_SHORTEST, _LONGEST = 15, 100  # characters of a title
# Words of titles that ask, and of papers that found something.
_ASKING = "does do is are can should"
_REPORTING = "results conclusion patients study effect"
# Sections that say what was found; an abstract without sections says that too.
FINDINGS = ("results", "conclusion", "abstract")
# A sentence that says what is looked for.
_AIM = re.compile(
    r"\?|\bwhether\b|\b(?:aims?|aimed|objectives?|purpose|hypothes\w+)\b|^\W*to\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]{3,}")


def examples(index: Index) -> list[str]:
    """At most SHOWN titles that the collection answers; none where it answers none of those that are looked at."""
    found = list[str]()
    for asked, title in enumerate(_titles(index)):
        if asked == MOST_ASKED or len(found) == SHOWN:
            break
        if _is_answered(index, title):
            found.append(title)
    return found


def _titles(index: Index) -> Iterator[str]:
    """Each once, whatever its case: those that ask, then the others."""
    seen = set[str]()
    for words, ask_something in ((_ASKING, True), (_REPORTING, False)):
        for hit in index.engine.search(question_words(words), Filters(), _LOOKED_AT):
            title = " ".join(hit.passage.title.split())
            fits = _is_short_and_plain(title) and title.endswith("?") == ask_something
            if fits and hit.passage.counted and title.casefold() not in seen:
                seen.add(title.casefold())
                yield title if ask_something else title.rstrip(".")


def _is_short_and_plain(title: str) -> bool:
    """Whether it can stand on a page as a question: one phrase of several words, without signs that need a paper."""
    return (
        _SHORTEST <= len(title) <= _LONGEST
        and title.isprintable()
        and len(_WORD.findall(title)) >= 3
        and not any(sign in title for sign in (": ", ". ", "? ", "[", "<"))
    )


def _is_answered(index: Index, question: str) -> bool:
    found = ask(index, question, limit=1).evidence
    if not found:
        return False
    (best,) = found
    return (
        best.stands_in == TEXT
        and best.strength == STRONG
        and best.passage.section in FINDINGS
        and best.passage.counted
        and not _AIM.search(best.text)
    )
