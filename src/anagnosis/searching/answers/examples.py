"""Example questions for the page of a collection: titles of its papers that it can answer.

Titles that end in a question mark come first, then others. A title becomes an example if the first sentence for it has
most of its words (UNTRAINED.thresholds.strong), is a finding (in a section of FINDINGS, and not a statement of aims),
and its paper counts. The search is short: the best passages for words that many papers have, and at most MOST_ASKED
questions. The same papers always give the same examples, unless _SECONDS end the search, as they may in a cluster.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

from anagnosis.searching.answers.asking import ask
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index
from anagnosis.searching.queries.meaning import words_query
from anagnosis.searching.rank.ranking import by_words
from anagnosis.searching.records.expansion import Topic
from anagnosis.searching.records.hits import NOTHING
from anagnosis.searching.records.passage import TEXT
from anagnosis.searching.sentences import overlap
from anagnosis.searching.sentences.highlighting import UNTRAINED

SHOWN = 4
MOST_ASKED = 80
_SECONDS = 5.0
_LOOKED_AT = 200  # papers
_SHORTEST, _LONGEST = 15, 100  # characters of a title
# Words of titles that are questions, and of papers that report findings.
_ASKING = "does do is are can should"
_REPORTING = "results conclusion patients study effect"
# Sections with findings; an abstract without sections has them too.
FINDINGS = ("results", "conclusion", "abstract")
# A sentence that states an aim.
_AIM = re.compile(
    r"\?|\bwhether\b|\b(?:aims?|aimed|objectives?|purpose|hypothes\w+)\b|^\W*to\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]{3,}")


def examples(index: Index) -> list[str]:
    """At most SHOWN titles that the collection answers."""
    titles, until = list[str](), time.monotonic() + _SECONDS
    for tried, title in enumerate(_titles(index)):
        if tried == MOST_ASKED or len(titles) == SHOWN or time.monotonic() > until:
            break
        if _is_answered(index, title):
            titles.append(title)
    return titles


def _titles(index: Index) -> Iterator[str]:
    """Titles to try, each once regardless of case: questions, then others."""
    seen = set[str]()
    for words, ask_something in ((_ASKING, True), (_REPORTING, False)):
        for hits in by_words(index.engine, words_query(words), Filters(), _LOOKED_AT):
            hit = hits[0]
            title = " ".join(hit.passage.title.split())
            fits = _is_short_and_plain(title) and title.endswith("?") == ask_something
            if fits and hit.passage.counted and title.casefold() not in seen:
                seen.add(title.casefold())
                yield title if ask_something else title.rstrip(".")


def _is_short_and_plain(title: str) -> bool:
    """Whether a title can stand on the page as a question: one phrase of several words, readable without its paper."""
    return (
        _SHORTEST <= len(title) <= _LONGEST
        and title.isprintable()
        and len(_WORD.findall(title)) >= 3
        and not any(sign in title for sign in (": ", ". ", "? ", "[", "<"))
    )


def _is_answered(index: Index, question: str) -> bool:
    answer = ask(index, question, limit=1)
    if answer.state == NOTHING or not answer.evidence:
        return False
    (best,) = answer.evidence
    return (
        best.stands_in == TEXT
        and overlap.asked_words(index.engine, Topic(question)).score(best.text) >= UNTRAINED.thresholds.strong
        and best.passage.section in FINDINGS
        and best.passage.counted
        and not _AIM.search(best.text)
    )
