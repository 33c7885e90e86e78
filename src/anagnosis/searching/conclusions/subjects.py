"""The names in a question: what it is about, without the words that carry no subject.

"Does intranasal dexmedetomidine reduce emergence agitation?" names "intranasal dexmedetomidine" and "emergence
agitation". A name is a run of words between function words, punctuation other than a hyphen or slash, and the words of
WITHOUT_SUBJECT. A phrase for which the index has other names, such as a vocabulary's concept, is a name of its own:
"COVID-19 mortality" is two. A word in capitals is part of a name, except the first one.

WITHOUT_SUBJECT has words for relations, effects, judgements, people, and times. We took them from those that stand in
most questions of BioASQ's editions 2 to 6 and of PQA-L's training part, with their other forms, and left out those that
often belong to a name: gene, cell, cancer, women, activity, lead. Adverbs of time and of degree are there as a class.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

from anagnosis.searching.analysis import ASKING, OF_GRAMMAR, OF_NO_MEANING
from anagnosis.searching.records.expansion import Equivalent
from anagnosis.searching.words import words_of

# Relations and causes; directions; judgements; treating and testing; people and illness in general; times and amounts.
WITHOUT_SUBJECT = files("anagnosis.searching.conclusions").joinpath("without_subject.txt").read_text("utf-8")
_PART = re.compile(r"[^\W_]+|[^\w\s]")
_JOINING = frozenset("-‐‑–/'’")


def names_of(
    question: str, weights: Mapping[str, float], equivalents: Iterable[Equivalent] = ()
) -> list[tuple[str, ...]]:
    """The names of a question, each as its stems. weights: of the question's stems; other stems are left out."""
    phrases = [each.words for each in equivalents if len(each.words) > 1]
    names: list[tuple[str, ...]] = []
    for words in _runs(question):
        # Two words also count as one that is written with a hyphen: IL-2.
        joined = words_of("-".join(words)) if len(words) == 2 else []
        stems = dict.fromkeys(stem for stem in (*words_of(" ".join(words)), *joined) if stem in weights)
        for phrase in phrases:
            if phrase < stems.keys():
                names.append(tuple(stem for stem in stems if stem in phrase))
                stems = dict.fromkeys(stem for stem in stems if stem not in phrase)
        names.append(tuple(stems))
    return [name for name in names if any(len(stem) > 1 and not stem.isdigit() for stem in name)]


def _runs(question: str) -> Iterator[Sequence[str]]:
    """The runs of words that carry a subject."""
    shouted, words = question.isupper(), list[str]()
    for match in _PART.finditer(question):
        part = match[0]
        if part in _JOINING:
            continue
        is_name = part.isupper() and not shouted and match.start() > 0  # NO, and the A of vitamin A
        if part.isalnum() and (is_name or not without_subject().issuperset(words_of(part))):
            words.append(part)
        elif words:
            yield words
            words = []
    if words:
        yield words


@cache
def without_subject() -> frozenset[str]:
    """The stems of the words that name nothing."""
    return frozenset(words_of(f"{WITHOUT_SUBJECT} {OF_NO_MEANING} {ASKING} {OF_GRAMMAR}"))
