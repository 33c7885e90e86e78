"""Features of a name, for the ranking before any trained reader reads it.

A name is a likely answer if sentences similar to the question have it, near the question's words, in several papers; if
its form fits what the question asks for; if it is a complete phrase and no common word.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.entities.same_entity import word_forms
from anagnosis.language.inflection import singular
from anagnosis.searching.analysis import meaningful
from anagnosis.searching.engines import Engine
from anagnosis.searching.engines.one_answer import counts_of
from anagnosis.searching.entities.candidate_names import Name, NameMention, ReadSentence
from anagnosis.searching.records.expansion import Topic
from anagnosis.searching.sentences import overlap
from anagnosis.searching.sentences.asked_for import CLASSES, FORMS, Wanted, fits, form, wanted
from anagnosis.searching.words import words_of

_WORD = re.compile(r"[^\W_]+")
_REACH = 5.0  # words: at this distance from a word of the question, a mention counts 1/e
_LISTED = re.compile(r"\s*(?:,|;|and\b|or\b|\()")
_LISTED_BEFORE = re.compile(r"(?:,|;|\band|\bor|such as|including|namely|:|\()\s*\Z")
PLAIN = (
    *(
        "sentences",
        "papers",
        "overlap",
        "best overlap",
        "rank",
        "near",
        "near sum",
        "whole",
        "rarity",
        "rarest",
    ),
    *("words", "single", "fits", "holds head", "beside head", "asked", "defined", "listed", "nested"),
    *("in title", "subject", "capital inside"),
)
CROSSED = tuple(f"{kind}: {shape}" for kind in CLASSES for shape in FORMS)
FEATURES = (*PLAIN, *CROSSED)


def features(
    engine: Engine, question: str, sentences: Sequence[ReadSentence], names: Sequence[Name]
) -> Floats:
    """float64 [names, FEATURES]."""
    seen = _QuestionFacts(
        engine, question, sentences, [form for one in names for form in word_forms(one.text)]
    )
    nested = _nested(names)
    return np.array([seen.of(name, share) for name, share in zip(names, nested, strict=True)]).reshape(
        len(names), len(FEATURES)
    )


class _QuestionFacts:
    """Values computed once a question: from its words, the read sentences, and the words of names."""

    def __init__(
        self, engine: Engine, question: str, sentences: Sequence[ReadSentence], of_names: Sequence[str]
    ) -> None:
        self.sentences = sentences
        self.wanted: Wanted = wanted(question)
        self.question_forms = frozenset(word_forms(question))
        self.texts = [one.text for one in sentences]
        score = overlap.asked_words(engine, Topic(question)).score
        self.scores = [score(text) for text in self.texts]
        self.passages = max(1, counts_of(engine).passages)
        forms = dict.fromkeys(one for one in word_forms(meaningful(question)) if one not in _QUESTION_WORDS)
        self.rarity = self._rarities(engine, dict.fromkeys((*forms, *of_names)))
        self.weights = {form: self.rarity[form] for form in forms}
        self.whole = math.fsum(self.weights.values()) or 1.0
        spans = [[match.span() for match in _WORD.finditer(text)] for text in self.texts]
        self.words = [([begin for begin, _ in words], [end for _, end in words]) for words in spans]
        self.places = [self._places(text, words) for text, words in zip(self.texts, spans, strict=True)]
        self.titles: dict[str, frozenset[str]] = {}

    def _rarities(self, engine: Engine, forms: Iterable[str]) -> dict[str, float]:
        """IDF of each word, between 0 and 1."""
        known = {form: words_of(form) for form in forms}
        every = list(dict.fromkeys(word for words in known.values() for word in words))
        counts = dict(zip(every, engine.frequency(every), strict=True))

        def rarity(count: int) -> float:
            return max(0.0, math.log((self.passages + 1) / (count + 0.5))) / math.log(2 * self.passages + 2)

        return {form: rarity(min((counts[one] for one in words), default=0)) for form, words in known.items()}

    def _places(self, text: str, spans: Sequence[tuple[int, int]]) -> dict[str, list[int]]:
        """form of a question's word → its positions, counted in words."""
        places_of: defaultdict[str, list[int]] = defaultdict(list)
        for place, (begin, end) in enumerate(spans):
            word = singular(text[begin:end].casefold())
            if word in self.weights:
                places_of[word].append(place)
        return places_of

    def near(self, mention: NameMention) -> float:
        """The weighted share of the question's words near a mention, from 0 to 1."""
        places = self.places[mention.sentence]
        if not places:
            return 0.0
        begins, ends = self.words[mention.sentence]
        first = bisect_right(ends, mention.span.begin)
        last = bisect_left(begins, mention.span.end) - 1
        total = 0.0
        for word, places_of_word in places.items():
            away = min(max(first - place, place - last, 0) for place in places_of_word)
            total += self.weights[word] * math.exp(-away / _REACH)
        return total / self.whole

    def of(self, name: Name, nested: float) -> list[float]:
        """The row of FEATURES of a name. nested: see _nested."""
        text = name.text
        forms = word_forms(text)
        places = sorted({mention.sentence for mention in name.mentions})
        near = [self.near(mention) for mention in name.mentions[:_MOST]]
        best_of: dict[int, float] = {}
        for mention, value in zip(name.mentions, near, strict=False):
            best_of[mention.sentence] = max(value, best_of.get(mention.sentence, 0.0))
        scores = [self.scores[place] for place in places]
        rarities = [self.rarity[form] for form in forms]
        shape = form(text)
        mentions = name.mentions[:_MOST]
        count = len(mentions)
        plain = {
            "sentences": math.log1p(len(places)),
            "papers": math.log1p(len({self.sentences[place].passage.document for place in places})),
            "overlap": math.log1p(math.fsum(score**2 for score in scores)),
            "best overlap": max(scores),
            "rank": 1 / (1 + min(self.sentences[place].rank for place in places)),
            "near": max(near),
            "near sum": math.log1p(math.fsum(best_of.values())),
            "whole": sum(mention.span.whole for mention in mentions) / count,
            "rarity": sum(rarities) / len(rarities),
            "rarest": max(rarities),
            "words": math.log(len(forms)),
            "single": float(len(forms) == 1),
            "fits": fits(self.wanted.kind, shape),
            "holds head": float(bool(self.wanted.head) and forms[-1] == self.wanted.head and len(forms) > 1),
            "beside head": float(any(self._beside_head(mention) for mention in mentions)),
            "asked": sum(form in self.question_forms for form in forms) / len(forms),
            "defined": float(name.defined),
            "listed": sum(self._listed(mention) for mention in mentions) / count,
            "nested": nested,
            "in title": float(any(self._in_title(place, forms) for place in places[:_MOST])),
            "subject": sum(mention.span.begin < 5 for mention in mentions) / count,
            "capital inside": float(text[:1].isupper() and any(mention.span.begin for mention in mentions)),
        }
        crossed = [0.0] * len(CROSSED)
        crossed[CROSSED.index(f"{self.wanted.kind}: {shape}")] = 1.0
        return [*(plain[name] for name in PLAIN), *crossed]

    def _beside_head(self, mention: NameMention) -> bool:
        if not self.wanted.head:
            return False
        text, span = self.texts[mention.sentence], mention.span
        before = text[: span.begin].rsplit(None, 1)[-1:]
        after = text[span.end :].split(None, 1)[:1]
        return any(
            singular(word.strip("(),.;:").casefold()) == self.wanted.head for word in (*before, *after)
        )

    def _listed(self, mention: NameMention) -> bool:
        text, span = self.texts[mention.sentence], mention.span
        return bool(_LISTED.match(text, span.end)) and bool(
            _LISTED_BEFORE.search(text, max(0, span.begin - 12), span.begin)
        )

    def _in_title(self, place: int, forms: tuple[str, ...]) -> bool:
        title = self.sentences[place].passage.title
        if title not in self.titles:
            self.titles[title] = frozenset(word_forms(title)) if title else frozenset()
        return self.titles[title].issuperset(forms)


_MOST = 20  # mentions of a name that enter its features
_QUESTION_WORDS = frozenset(word_forms(overlap.ASKING))


def _nested(names: Sequence[Name]) -> list[float]:
    """For each name, the greatest share of its mentions inside mentions of one longer name."""
    by_sentence: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for number, name in enumerate(names):
        for mention in name.mentions:
            by_sentence[mention.sentence].append((mention.span.begin, mention.span.end, number))
    within: list[Counter[int]] = [Counter() for _ in names]
    for mentions in by_sentence.values():
        mentions.sort(key=lambda one: (one[0], -one[1]))
        open_: list[tuple[int, int, int]] = []
        for begin, end, number in mentions:
            open_ = [one for one in open_ if one[1] > begin]
            for other_begin, other_end, other in open_:
                if other != number and other_end >= end and (other_begin, other_end) != (begin, end):
                    within[number][other] += 1
            open_.append((begin, end, number))
    return [
        max(counts.values(), default=0) / len(name.mentions)
        for counts, name in zip(within, names, strict=True)
    ]
