"""Forms of a word that the passages of an index show to be one: smoker, smoke; N-acetylcysteine, N-acetyl cysteine.

The stemmer joins smoking and smoke, not smoker, or it would join liver and live. Passages tell these apart (Xu and
Croft, Corpus-based stemming using cooccurrence of word variants, TOIS 1998): smoker and smoke often stand in one
passage. The thresholds are chosen on SciFact's training queries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from anagnosis.searching.analysis import function_word
from anagnosis.searching.queries.tree import Phrase, Together, Word
from anagnosis.searching.records.expansion import FORM, NameOrigin
from anagnosis.searching.synonyms.names import words_in_order
from anagnosis.searching.words import LEFT_OUT

_SHORTEST = 3  # letters of the last part of a compound, and of a verb
_FEWEST, _OTHER_FORM = 2, 0.01  # passages with a compound in its other form; for each with the typed words
_BOTH = 5  # passages with an agent noun and its verb
_WITH_VERB, _WITH_AGENT = 0.3, 0.05  # share of an agent noun's passages, or of a verb's, that have both
_LIFT = 10  # passages with both, for each that chance would give
_INFLECTED = ("", "e", "s", "es", "ed", "ing")  # endings of verbs
_WORD, _TWO_WORDS = re.compile(r"[a-z]{3,50}"), re.compile(r"([a-z]{1,25})[ -]([a-z]{3,25})")


@dataclass(frozen=True, slots=True)
class WordForms:
    """A NameSource. frequency: of Engine, which has so many passages."""

    frequency: Callable[[Sequence[str | Phrase | Together]], Sequence[int]]
    passages: int
    source: NameOrigin = FORM

    def names(self, words: str) -> Sequence[str] | None:
        """A compound in one word for two, or in two for one; the verb of an agent noun, or the agent noun of a verb."""
        typed = words.lower()
        if two := _TWO_WORDS.fullmatch(typed):
            whole = ["".join(two.groups())] if "-" in typed or _are_parts(*two.groups()) else []
            return self._compound(typed, whole)
        if words.isupper() or not _WORD.fullmatch(typed) or len(words_in_order(typed)) != 1:
            return None
        splits = ((typed[:at], typed[at:]) for at in range(2, len(typed) - _SHORTEST + 1))
        apart = self._compound(typed, [" ".join(split) for split in splits if _are_parts(*split)])
        return [*(apart or ()), *self._agents(typed)] or None

    def _compound(self, typed: str, forms: Sequence[str]) -> list[str] | None:
        """The form whose rarest word is commonest, if enough passages have it."""
        own, words = words_in_order(typed), [*map(words_in_order, forms)]
        every = [*own, *chain(*words)]
        common = dict(zip(every, self.frequency(every), strict=True))
        rarest = [min(map(common.__getitem__, of)) for of in words]
        most, best, form = max(zip(rarest, words, forms, strict=True), default=(0, (), ""))
        enough = max(_FEWEST, _OTHER_FORM * min(map(common.__getitem__, own)))
        if most >= enough and len(best) > 1:
            (most,) = self.frequency([Phrase(best)])
        return [form] if most >= enough else None

    def _agents(self, typed: str) -> list[str]:
        """The verb of an agent noun, or the agent noun of a verb, if they share enough passages."""
        (stem,) = words_in_order(typed)
        root, is_agent, forms = stem.removesuffix("e"), stem.endswith("er"), list[str]()
        if is_agent:
            root = stem[:-2]
            forms = [root, f"{root}e", root[:-1] if root[-1:] == root[-2:-1] else root]
        elif typed.removeprefix(root).removeprefix(root[-1:]) in _INFLECTED:
            forms = [f"{root}er", f"{root}{root[-1:]}er"]
        forms = [form for form in forms if len(form) >= _SHORTEST]
        others = [word for form in forms for word in words_in_order(form)]
        own, *counts = self.frequency([stem, *others])
        for form, other, count in zip(forms, others, counts, strict=True):
            agent, verb = (own, count) if is_agent else (count, own)
            chance = agent * verb / max(1, self.passages)
            least = max(_BOTH, _WITH_VERB * agent, _WITH_AGENT * verb, _LIFT * chance)
            both = Together((Word(stem), Word(other)))
            if other != stem and least <= min(agent, verb) and self.frequency([both])[0] >= least:
                return [form]
        return []


def _are_parts(first: str, last: str) -> bool:
    """Whether two words may be a compound, written in one word."""
    return len(first) > 1 and not (LEFT_OUT.fullmatch(first) or function_word(first) or function_word(last))
