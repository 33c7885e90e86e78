"""The order of quoted sentences: by words, the ranks of passage and paper, the kind of sentence and its section.

Word overlap alone quotes aims and backgrounds, which repeat a question's words. A conclusion has few of them, since its
paper's title and other sentences name the topic. So a sentence's value is a weighted sum of FEATURES, whose weights
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
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from anagnosis.entities.short_forms import definitions
from anagnosis.language.question_kinds import DEFINITION, NAME, QUANTITY, REASON, SUMMARY, YESNO
from anagnosis.language.sentence_kinds import (
    AIM,
    CITATION,
    CONCLUSION,
    METHOD,
    NO_FINDINGS,
    OUTLOOK,
    RESULT,
    is_about_its_paper,
    sentence_kind,
)
from anagnosis.searching.records.hits import Hit, Sentence
from anagnosis.searching.records.passage import TITLE, Evidence, Passage
from anagnosis.searching.sentences.held_answers import held_answers
from anagnosis.searching.sentences.highlighting import Scorer, StrengthThresholds
from anagnosis.searching.sentences.overlap import AskedWords, share
from anagnosis.searching.sentences.sentences import chosen, quoted, title_place

FEATURES = (
    "words",  # share of the question's words, by IDF
    "rare_words",  # the same by the square of IDF
    "with_title",  # the share by IDF of the sentence and its paper's title together
    "passage",  # ln of the passage's rank
    "paper",  # ln of the paper's rank
    "aim",  # an aim, a call for more research, or a citation line
    "method",
    "conclusion",
    "result",
    "in_conclusion",  # by the section
    "in_results",
    "in_methods",
    "in_front",  # background, objective; tables too
    "in_discussion",  # limitations too
    "in_figure",
    "no_finding",  # a registration, a question, or a promise of a protocol
    "ends",  # one of the last ENDING sentences of an abstract without headings
    "holds",  # how well it holds an answer of the wanted kind (held_answers.py)
    "covers",  # the share by squares of the paper's read sentences and title, less that of the best paper
    "itself",  # says what its paper does, and nothing that it found
)
ENDING, SHORTEST, LONGEST = 2, 4, 4_000  # sentences; sentences and characters of such an abstract
_OF_KIND = {
    AIM: "aim",
    OUTLOOK: "aim",
    CITATION: "aim",
    METHOD: "method",
    CONCLUSION: "conclusion",
    RESULT: "result",
    **dict.fromkeys(NO_FINDINGS, "no_finding"),
}
_OF_SECTION = {
    "conclusion": "in_conclusion",
    "results": "in_results",
    "methods": "in_methods",
    **dict.fromkeys(("background", "objective", "table"), "in_front"),
    **dict.fromkeys(("discussion", "limitations"), "in_discussion"),
    "figure": "in_figure",
}
_KIND_AND_SECTION = FEATURES[FEATURES.index("aim") : FEATURES.index("ends")]
# Chosen on 60 of our own questions, on a new user's, and on samples of BioASQ's edition 6, PQA-L (with and without
# headings) and COVID-QA; the logistic function and the thresholds on BioASQ's edition 7. By hand: "no_finding" and
# "itself", which have next to no gold sentences, and "holds" for yes or no, names, reasons and summaries, lowered to
# where COVID-QA loses nothing.
_OF_ALL = {
    "words": 2.06,
    "rare_words": 1.98,
    "with_title": 3.08,
    "passage": -0.72,
    "paper": -0.64,
    "aim": -1.25,
    "method": -0.96,
    "conclusion": 0.0,
    "result": 0.02,
    "in_conclusion": 0.0,
    "in_results": 0.0,
    "in_methods": -1.2,
    "in_front": -1.9,
    "in_discussion": -1.0,
    "in_figure": -0.7,
    "no_finding": -25.0,
    "ends": 0.5,
    "holds": 1.0,
    "covers": 4.0,
    "itself": -5.0,
}
# Kind of answer → weights of FEATURES.
WEIGHTS = {
    kind: _OF_ALL | own
    for kind, own in {
        YESNO: {"aim": -2.0, "conclusion": 0.75, "in_conclusion": 3.0, "in_methods": -1.7, "in_front": -2.9},
        NAME: {
            "conclusion": 0.75,
            "in_conclusion": 1.0,
            "in_results": 0.8,
            "in_discussion": -1.8,
            "holds": 2.0,
        },
        QUANTITY: {"in_front": -1.4, "holds": 4.0},
        DEFINITION: {"aim": 0.0, "in_results": -0.4, "in_front": 1.0, "holds": 6.0},
        REASON: {"method": 0.4, "in_methods": 0.0, "in_front": -1.0, "holds": 2.5},
        SUMMARY: {"conclusion": 0.45, "in_conclusion": 3.0},
    }.items()
}
SLOPE, INTERCEPT = 0.558, -1.996
ABOUT = Scorer(
    "words and kinds of sentences",
    "how well it fits, by its words, its paper's rank, and whether it concludes, reports, or states an aim",
)
THRESHOLDS = StrengthThresholds(weak=0.14, fair=0.3, strong=0.7)
_SHORT = re.compile(r"[A-Za-z][A-Za-z0-9-]+")  # not "P<0.001", nor a single letter
_MOST = 200  # definitions of a paper


class ReadSentence(NamedTuple):
    """A sentence that may be quoted: characters [begin, end) of the passage of a hit.

    hit: its index. words: of the question that it has. row: its FEATURES. kind: of answer that is wanted.
    """

    hit: int
    begin: int
    end: int
    words: frozenset[str]
    row: list[float]
    kind: str

    @property
    def value(self) -> float:
        """The weighted sum of its features."""
        return _value(self.row, self.kind)

    @property
    def score(self) -> float:
        """Between 0 and 1."""
        return score(self.row, self.kind)


def read_sentences(asked: AskedWords, hits: Sequence[Hit]) -> list[ReadSentence]:
    """The sentences that have, alone or with their paper's title, a word of the question.

    hits: by rank, with their sentences.
    """
    weights, squares, wanted = asked.weights, squared(asked), held_answers(asked.question)
    papers: dict[str, int] = {}
    titles: dict[str, frozenset[str]] = {}
    of_papers: dict[str, set[str]] = {}
    sentences = list[ReadSentence]()
    shortened = short_forms(asked, (hit.passage for hit in hits))
    for number, hit in enumerate(hits):
        passage = hit.passage
        paper = papers.setdefault(passage.document, len(papers))
        title = titles.get(passage.document)
        if title is None:
            title = titles[passage.document] = asked.of(passage.title)
        of_paper = of_papers.setdefault(passage.document, set(title))
        ranks = math.log(number + 1), math.log(paper + 1)
        forms = shortened.get(passage.document, NONE)
        plain = (
            passage.section == "abstract" and len(passage.text) < LONGEST and len(hit.sentences) >= SHORTEST
        )
        for left, one in zip(range(len(hit.sentences) - 1, -1, -1), hit.sentences, strict=True):
            text = passage.text[one.begin : one.end]
            words = asked.of(text) | forms.words(text)
            if words or title:
                of_paper |= words
                shares = share(weights, words), share(squares, words), share(weights, words | title)
                row = [*shares, *ranks, *_kind_and_section(text, passage), float(plain and left < ENDING)]
                row.append(wanted.holds(text))
                sentences.append(ReadSentence(number, one.begin, one.end, words, row, wanted.kind))
    covered = {document: share(squares, words) for document, words in of_papers.items()}
    best = max(covered.values(), default=0.0)
    for one in sentences:
        passage = hits[one.hit].passage
        about_paper = is_about_its_paper(passage.text[one.begin : one.end])
        one.row.extend((covered[passage.document] - best, float(about_paper)))
    return sentences


def quotations(
    asked: AskedWords, hits: Sequence[Hit], sentences: Iterable[ReadSentence], limit: int
) -> list[Evidence]:
    """At most `limit` sentences of hits in the order of evidence, and a title as in sentences.chosen.

    sentences: of these hits, from read_sentences.
    """
    of_text = [
        quoted(
            Sentence(one.begin, one.end, one.score, THRESHOLDS.strength(one.score)),
            hits[one.hit].passage,
            hits[one.hit].rank,
        )
        for one in sentences
    ]
    of_titles = list[Evidence]()
    papers: dict[str, int] = {}
    for number, hit in enumerate(hits):
        if hit.passage.document not in papers:
            papers[hit.passage.document] = len(papers)
            if place := title_place(hit.passage):
                value = _title_score(asked, hit.passage.title, number, papers[hit.passage.document])
                title = Sentence(*place, value, THRESHOLDS.strength(value))
                of_titles.append(quoted(title, hit.passage, hit.rank, TITLE))
    return chosen(of_text, of_titles, limit)


def _title_score(asked: AskedWords, title: str, number: int, paper: int) -> float:
    """The score of a title as a sentence of no kind. number, paper: the ranks of passage and paper, from 0."""
    words = asked.of(title)
    common = share(asked.weights, words)
    row = [common, share(squared(asked), words), common, math.log(number + 1), math.log(paper + 1)]
    return score([*row, *[0.0] * (len(FEATURES) - len(row))], SUMMARY)


def score(row: Sequence[float], kind: str) -> float:
    """Between 0 and 1. row: FEATURES. kind: of answer."""
    return 1 / (1 + math.exp(-(SLOPE * _value(row, kind) + INTERCEPT)))


def _value(row: Sequence[float], kind: str) -> float:
    return math.fsum(weight * feature for weight, feature in zip(WEIGHTS[kind].values(), row, strict=True))


def squared(asked: AskedWords) -> dict[str, float]:
    """The squares of the words' IDF, by which the names in a question count for more."""
    return {word: weight * weight for word, weight in asked.weights.items()}


def _kind_and_section(text: str, passage: Passage) -> list[float]:
    """The features _KIND_AND_SECTION."""
    present = (_OF_KIND.get(sentence_kind(text)), _OF_SECTION.get(passage.section))
    return [float(feature in present) for feature in _KIND_AND_SECTION]


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
