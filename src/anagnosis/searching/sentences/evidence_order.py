"""The order of quoted sentences: by words, the ranks of passage and paper, the kind of sentence and its section.

Word overlap alone quotes aims and backgrounds, which repeat a question's words. A conclusion has few of them, since its
paper's title and other sentences name the topic. So a sentence's value is a weighted sum of features, whose weights
differ by the kind of answer that is wanted: a conclusion answers "does it help?", and seldom "which dose?". They were
chosen by steps that make the sentences that answer likelier among those that `ask` reads, as in a conditional logit
(McFadden 1974); `benchmarks/evidence_order.py` goes on from them. A logistic function of the sum gives the score, which
is shown. It orders sentences, and is no probability: how often a score is right differs between collections.

Short forms that a paper defines count as words of a question: "SCP" where it writes "survivorship care plan (SCP)".
Papers write a name once and its short form everywhere else, above all in conclusions. So a sentence with the short form
has the words of the long one. We read the definitions in the passages that a search returned.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from anagnosis.entities.short_forms import definitions
from anagnosis.language.question_kinds import ANSWERS
from anagnosis.language.sentence_kinds import (
    AIM,
    CITATION,
    CONCLUSION,
    METHOD,
    NO_FINDINGS,
    OUTLOOK,
    is_about_its_paper,
    sentence_kind,
)
from anagnosis.searching.records.hits import Hit, Sentence
from anagnosis.searching.records.passage import Evidence, Passage
from anagnosis.searching.sentences.held_answers import HeldAnswers
from anagnosis.searching.sentences.highlighting import Scorer, StrengthThresholds
from anagnosis.searching.sentences.overlap import AskedWords, share
from anagnosis.searching.sentences.sentences import chosen, quoted

ENDING, SHORTEST, LONGEST = 2, 4, 4_000  # sentences; sentences and characters of such an abstract
# The kind of a sentence → its feature.
_OF_KIND = {
    AIM: "aim",
    OUTLOOK: "aim",
    CITATION: "aim",
    METHOD: "method",
    CONCLUSION: "conclusion",
    **dict.fromkeys(NO_FINDINGS, "no_finding"),
}
# The section of its passage → its feature.
_OF_SECTION = {
    "conclusion": "in_conclusion",
    "methods": "in_methods",
    **dict.fromkeys(("background", "objective", "table"), "in_front"),
    **dict.fromkeys(("discussion", "limitations"), "in_discussion"),
}
# Chosen on 60 of our own questions, on a new user's, and on samples of BioASQ's edition 6, PQA-L (with and without
# headings) and COVID-QA; the logistic function and the thresholds on BioASQ's edition 7. By hand: "no_finding" and
# "itself", which have next to no gold sentences, and "holds" for yes or no, names, reasons and summaries, lowered to
# where COVID-QA loses nothing.
_WEIGHTS = {
    # yes or no, name, quantity, definition, reason, summary
    "words": (2.06,) * 6,  # share of the question's words, by IDF
    "rare_words": (1.98,) * 6,  # the same by the square of IDF
    "with_title": (3.08,) * 6,  # the share by IDF of the sentence and its paper's title together
    "passage": (-0.72,) * 6,  # ln of the passage's rank
    "paper": (-0.64,) * 6,  # ln of the paper's rank
    "aim": (-2.0, -1.25, -1.25, 0.0, -1.25, -1.25),  # a call for more research, or a citation line, too
    "method": (-0.96, -0.96, -0.96, -0.96, 0.4, -0.96),
    "conclusion": (0.75, 0.75, 0.0, 0.0, 0.0, 0.45),
    "in_conclusion": (3.0, 1.0, 0.0, 0.0, 0.0, 3.0),
    "in_methods": (-1.7, -1.2, -1.2, -1.2, 0.0, -1.2),
    "in_front": (-2.9, -1.9, -1.4, 1.0, -1.0, -1.9),
    "in_discussion": (-1.0, -1.8, -1.0, -1.0, -1.0, -1.0),
    "no_finding": (-25.0,) * 6,  # a registration, a question, or a promise of a protocol
    "ends": (0.5,) * 6,  # one of the last ENDING sentences of an abstract without headings
    "holds": (1.0, 2.0, 4.0, 6.0, 2.5, 1.0),  # how well it holds an answer of the wanted kind
    "covers": (4.0,)
    * 6,  # the share by squares of its paper's read sentences and title, less that of the best
    "itself": (-5.0,) * 6,  # says what its paper does, and nothing that it found
}
FEATURES = tuple(_WEIGHTS)
# Kind of answer → feature → weight.
WEIGHTS = {
    kind: {feature: row[place] for feature, row in _WEIGHTS.items()} for place, kind in enumerate(ANSWERS)
}
SLOPE, INTERCEPT = 0.558, -1.996
ABOUT = Scorer(
    "words and kinds of sentences",
    "how well it fits, by its words, its paper's rank, and whether it concludes, reports, or states an aim",
)
# With vectors: the sentences that cosines order anew, how much a cosine counts, and the one that changes nothing.
NEAREST, COSINE, TYPICAL = 8, 10.0, 0.65
Cosines = Callable[[Sequence[str]], Sequence[float]]
THRESHOLDS = StrengthThresholds(weak=0.14, fair=0.3, strong=0.7)
_SHORT = re.compile(r"[A-Za-z][A-Za-z0-9-]+")  # not "P<0.001", nor a single letter
_MOST = 200  # definitions of a paper


class ReadSentence(NamedTuple):
    """A sentence that may be quoted: characters [begin, end) of the passage of a hit.

    hit: its index. words: of the question that it has. row: its FEATURES, others are 0. kind: of answer that is wanted.
    """

    hit: int
    begin: int
    end: int
    words: frozenset[str]
    row: dict[str, float]
    kind: str

    @property
    def value(self) -> float:
        """The weighted sum of its features."""
        weights = WEIGHTS[self.kind]
        return math.fsum(weights[name] * feature for name, feature in self.row.items())


def read_sentences(asked: AskedWords, hits: Sequence[Hit]) -> list[ReadSentence]:
    """The sentences that have, alone or with their paper's title, a word of the question.

    hits: by rank, with their sentences.
    """
    weights, wanted = asked.weights, HeldAnswers(asked.question)
    # The squares of the words' IDF, by which the names in a question count for more.
    squares = {word: weight * weight for word, weight in weights.items()}
    of_papers: dict[str, set[str]] = {}
    sentences = list[ReadSentence]()
    shortened = short_forms(asked, (hit.passage for hit in hits))
    for number, hit in enumerate(hits):
        passage, title = hit.passage, asked.of(hit.passage.title)
        of_paper = of_papers.setdefault(passage.document, set(title))
        rank = list(of_papers).index(passage.document)
        ranks = {"passage": math.log(number + 1), "paper": math.log(rank + 1)}
        ends = (
            passage.section == "abstract" and len(passage.text) < LONGEST and len(hit.sentences) >= SHORTEST
        )
        for left, one in zip(range(len(hit.sentences) - 1, -1, -1), hit.sentences, strict=True):
            text = passage.text[one.begin : one.end]
            words = asked.of(text) | words_of_forms(shortened.get(passage.document, {}), text)
            if not words and not title:
                continue
            of_paper |= words
            row = ranks | {
                "words": share(weights, words),
                "rare_words": share(squares, words),
                "with_title": share(weights, words | title),
                "holds": wanted.holds(text),
                "itself": float(is_about_its_paper(text)),
                "ends": float(ends and left < ENDING),
            }
            for feature in (_OF_KIND.get(sentence_kind(text)), _OF_SECTION.get(passage.section)):
                if feature:
                    row[feature] = 1.0
            sentences.append(ReadSentence(number, one.begin, one.end, words, row, wanted.kind))
    covered = {document: share(squares, words) for document, words in of_papers.items()}
    best = max(covered.values(), default=0.0)
    for one in sentences:
        one.row["covers"] = covered[hits[one.hit].passage.document] - best
    return sentences


def quotations(
    hits: Sequence[Hit], sentences: Iterable[ReadSentence], limit: int, cosines: Cosines | None = None
) -> list[Evidence]:
    """At most `limit` sentences of hits in the order of evidence. sentences: of these hits, from read_sentences.

    cosines: of the question and each text; they change the order of the NEAREST best by words alone.
    """
    found = list[Evidence]()
    for one in sentences:
        score = 1 / (1 + math.exp(-(SLOPE * one.value + INTERCEPT)))
        sentence = Sentence(one.begin, one.end, score, THRESHOLDS.strength(score))
        found.append(quoted(sentence, hits[one.hit].passage, hits[one.hit].rank))
    if cosines is None:
        return chosen(found, limit)
    best = chosen(found, max(limit, NEAREST))
    near, others = best[:NEAREST], best[NEAREST:]
    of_texts = cosines([f"{one.passage.title} {one.text}" for one in near])
    moved = [_moved(one, COSINE * (cosine - TYPICAL)) for one, cosine in zip(near, of_texts, strict=True)]
    return chosen([*moved, *others], limit)


def _moved(one: Evidence, by: float) -> Evidence:
    """A sentence whose value is greater by so much."""
    score = 1 / (1 + (1 / one.score - 1) * math.exp(-SLOPE * by))
    return replace(one, score=score, strength=THRESHOLDS.strength(score))


# What finds a short form, or its plural, as a word of its own → words of the question in its long form.
ShortForms = Mapping[re.Pattern[str], frozenset[str]]


def short_forms(asked: AskedWords, passages: Iterable[Passage]) -> dict[str, ShortForms]:
    """The short forms of each document. Of two definitions of a short form the first one counts."""
    every: dict[str, dict[str, frozenset[str]]] = {}
    for passage in passages:
        forms = every.setdefault(passage.document, {})
        for short, begin, end in definitions(passage.text):
            form = short.removesuffix("s")
            if len(forms) < _MOST and _SHORT.fullmatch(form):
                forms.setdefault(form, asked.of(passage.text[begin:end]))
    finds = r"(?<![^\W_]){}s?(?![^\W_])"
    return {
        document: {re.compile(finds.format(form)): words for form, words in forms.items() if words}
        for document, forms in every.items()
    }


def words_of_forms(forms: ShortForms, text: str) -> frozenset[str]:
    """The words of the question for which short forms stand in a text."""
    return frozenset(word for form, words in forms.items() if form.search(text) for word in words)
