"""Short forms that a paper defines, as words of a question: "SCP" where it writes "survivorship care plan (SCP)".

Papers write a name once and its short form everywhere else, above all in conclusions. So a sentence with the short form
has the words of the long one. We read the definitions in the passages that a search returned.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from anagnosis.entities.short_forms import definitions
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.overlap import AskedWords

_SHORT = re.compile(r"[A-Za-z][A-Za-z0-9-]+")  # not "P<0.001", nor a single letter
_MOST = 200  # definitions of a paper


class ShortForms(NamedTuple):
    """The short forms of a paper whose long forms have words of the question. of: pattern → these words."""

    of: Mapping[re.Pattern[str], frozenset[str]]

    def words(self, text: str) -> frozenset[str]:
        """The words of the question for which short forms stand in a text."""
        return frozenset(word for form, words in self.of.items() if form.search(text) for word in words)


NONE = ShortForms({})


def short_forms(asked: AskedWords, passages: Iterable[Passage]) -> dict[str, ShortForms]:
    """The short forms of each document that has some. Of two definitions of a short form the first one counts."""
    every: dict[str, dict[str, frozenset[str]]] = {}
    for passage in passages:
        defined = every.setdefault(passage.document, {})
        for short, begin, end in definitions(passage.text):
            form = short.removesuffix("s")
            if len(defined) < _MOST and _SHORT.fullmatch(form):
                defined.setdefault(form, asked.of(passage.text[begin:end]))
    return {
        document: ShortForms({_standing(form): words for form, words in defined.items() if words})
        for document, defined in every.items()
        if any(defined.values())
    }


def _standing(form: str) -> re.Pattern[str]:
    """Finds a short form, or its plural, as a word of its own."""
    return re.compile(rf"(?<![^\W_]){re.escape(form)}s?(?![^\W_])")
