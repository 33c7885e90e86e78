"""Titles that state: a noun phrase and then a verb in the present tense, NP-(VBP/VBZ) (PubMedQA, section 3.1).

`possible_verb` is the cheap question before any word is tagged; `parse` finds the verb by the words' tags
(finding_verbs.py), or names the rule by which the title is no such statement.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from anagnosis.datasets.pubmedqa import finding_verbs
from anagnosis.language import tags as tagging
from anagnosis.language import verbs

# In the order in which they are asked; the first that says no names the drop in the receipt (docs/receipts.md).
RULES = (
    "no_possible_verb",
    "no_noun_phrase_first",
    "quotation",
    "modal",
    "no_verb",
    "disagreement",
    "negated",
    "second_verb",
)


class Statement(NamedTuple):
    """A title whose verb was found.

    words: spans in `title` (characters, end exclusive) up to the subtitle; lower: these in lower case; tags: theirs;
    verb: which word it is; joined: those that change with it ("reduces A and improves B"); negation: the word that
    takes the verb back ("does not", "is never"), -1 if none does ("is not only"); end: characters before the subtitle.
    """

    title: str
    words: list[tuple[int, int]]
    lower: list[str]
    tags: list[str]
    verb: int
    joined: tuple[int, ...]
    negation: int
    end: int

    def word(self, at: int) -> str:
        """The word as the title has it."""
        return self.title[slice(*self.words[at])]


# What ends the statement and begins a subtitle; a full stop only where no abbreviation stands before it.
_SUBTITLE = re.compile(
    r"""[:;](?=\s|\Z) | \s[-–—]+\s | --(?!>) | —
    | (?: (?<=[^\W\dA-Z][^\W\dA-Z][^\W\dA-Z]) | (?<=[)\]]) | (?<=[A-Z][A-Z]) ) \.\s+ (?=[A-Z\d\[])""",
    re.VERBOSE,
)
# The number of a conference's abstract: "T119. …".
_ABSTRACT_NUMBER = re.compile(r"[A-Z]{1,3}\d+\.\s+")
_QUOTES = frozenset('"“”«»')

# What a statement does not begin with.
_NO_NOUN_PHRASE = (
    verbs.AUXILIARIES
    | verbs.MODALS
    | frozenset(
        str.split("""
        am was were did had what which who whose whom when where why how whether if although because while
        i we you he she it they there this that these those let
        """)
    )
)
_NEGATED = frozenset(("no", "none", "neither", "nothing", "nobody"))
# Behind the verb they turn it round, and cannot be taken out of every sentence; "nor" goes with a negated verb.
_NEGATING = _NEGATED | frozenset(("hardly", "barely", "scarcely", "rarely", "seldom"))
# "not only" and the like say yes.
_NOT_NEGATING = frozenset(("only", "just", "merely", "simply", "solely"))


def possible_verb(title: str) -> bool:
    """Whether some word after the first can be a verb in the present tense, by closed lists and suffixes alone."""
    return any(verbs.is_possible(word.strip("()[],'’").lower()) for word in title[: _end(title)].split()[1:])


def parse(title: str) -> Statement | str:
    """The statement, or the name of the rule in RULES by which the title is none.

    title: without the brackets of a translated one and without its full stop (`bare`).
    """
    if not possible_verb(title):
        return "no_possible_verb"
    end = _end(title)
    spans = tagging.words(title[:end])
    words = [title[slice(*span)] for span in spans]
    lower = [word.lower() for word in words]
    if lower[0] in _NO_NOUN_PHRASE:
        return "no_noun_phrase_first"
    if not _QUOTES.isdisjoint(title[:end]):
        return "quotation"
    tags = tagging.tag(words)
    found = finding_verbs.find(lower, tags)
    if isinstance(found, str):
        return found
    if not finding_verbs.agrees(lower, tags, found):
        return "disagreement"
    before, behind = {*lower[:found]}, {*lower[found + 1 :]}
    if lower[0] == "not" or before & {*_NEGATED, "nor"} or behind & _NEGATING:
        return "negated"
    joined = finding_verbs.joined(lower, tags, found)
    if joined is None:
        return "second_verb"
    after = lower[found + 1 : found + 3]
    is_negated = bool(after) and after[0] in finding_verbs.NEGATIONS and after[-1] not in _NOT_NEGATING
    return Statement(title, spans, lower, tags, found, joined, found + 1 if is_negated else -1, end)


def bare(title: str) -> str:
    """The title without the brackets of a translated one, without its full stop, blanks made one."""
    title = _ABSTRACT_NUMBER.sub("", " ".join(title.split()), count=1).rstrip(" .")
    if title.startswith("[") and title.endswith("]") and title.count("[") == 1:
        title = title[1:-1]
    return title.rstrip(" .")


def is_title_case(words: Sequence[str]) -> bool:
    """Whether most of the longer words after the first begin with a capital."""
    longer = [word for word in words[1:] if len(word) > 3 and word[0].isalpha()]
    return 2 * sum(word[0].isupper() for word in longer) > len(longer)


def _end(title: str) -> int:
    found = _SUBTITLE.search(title)
    return found.start() if found else len(title)
