"""Surface features of sentences: words shared with the question, position, and words typical of findings or methods.

Words are runs of letters and digits, without function words, cut to their first STEM letters: on SciFact's training
claims these separate proving sentences from the others better than full words or rule-based stems
(design/answers.md). IDF = ln((N + 1) / (df + 0.5)), N sentences of the training part, df those that have the word.

A share is the IDF of the question's matched words over the IDF of all of them: 0 to 1.

A document's number of sentences is no feature: it would separate abstracts from articles, not answers from the rest.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.readers.decisions.long_answer import FUNCTION_WORDS
from anagnosis.readers.evidence.sentence_loss import read_together

STEM = 5  # letters
LEAST_IDF = 0.1  # in a small training part every word is common
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
_HEADING = re.compile(r"[A-Z][A-Z ,/&-]{3,40}:?\s")
_ASKING = re.compile(
    r"(?i)(what|which|who|whom|whose|when|where|why|how|is|are|do|does|did|can|could|has|have|was|were)\b"
)


def _beginnings(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words.split())})")


# Beginnings of words that are typical of findings, aims and methods in abstracts.
_FINDING = _beginnings(
    """found show demonstrat observ reveal result conclu suggest indicat associat increas reduc decreas improv
    significan higher lower greater correlat identif report provid confirm impli support therefore thus overall here
    lead caus inhibit promot induc required contribut"""
)
_AIM = _beginnings(
    "aim objectiv purpose investigat examin assess determin evaluat whether hypothes unknown unclear sought explor"
)
_METHOD = _beginnings(
    """method measur perform analy enroll randomi recruit included collect using used obtain sampl patients participants
    design follow setting interven"""
)
_NEGATION = frozenset(
    ["no", "not", "neither", "nor", "without", "cannot", "failed", "fail", "lack", "lacked", "none", "never"]
)


class WordRarity(msgspec.Struct, frozen=True):
    """Counts of a training part. sentences: number. sentences_with: word → sentences with it, if more than one."""

    sentences: int
    sentences_with: dict[str, int]

    def __getitem__(self, word: str) -> float:
        return max(LEAST_IDF, math.log((self.sentences + 1) / (self.sentences_with.get(word, 1) + 0.5)))


NAMES = (
    "share",
    "share_of_distinct",
    "share_as_written",
    "bigrams",
    "share_by_length",
    "precision",
    "rarest",
    "rarest_found",
    "words",
    "question_words",
    "position",
    "first",
    "last",
    "excerpt",
    "numbers",
    "numbers_shared",
    "finding",
    "aim",
    "method",
    "negation",
    "heading",
    "asks",
    "title_share",
    "of_title",
    "share_beyond_title",
    "share_local",
    "share_before",
    "share_behind",
    "share_of_document",
    "above_others",
    "rank",
)


class SentenceWords(msgspec.Struct, frozen=True):
    """A text in lower case. stems: in order, without function words; written: full words; negates: has a negation."""

    text: str
    stems: tuple[str, ...]
    written: frozenset[str]
    numbers: frozenset[str]
    negates: bool


def read(text: str) -> SentenceWords:
    """The words of a text."""
    text = text.lower()
    all_words = _WORD.findall(text)
    content = [word for word in all_words if word not in FUNCTION_WORDS]
    return SentenceWords(
        text,
        tuple([word[:STEM] for word in content]),
        frozenset(content),
        frozenset(_NUMBER.findall(text)),
        not _NEGATION.isdisjoint(all_words),
    )


def count(instances: Iterable[EvidenceInstance]) -> WordRarity:
    """Count a training part; a sentence of several questions counts once for each."""
    sentences_with: Counter[str] = Counter()
    sentences = 0
    for instance in instances:
        for sentence in instance.sentences:
            sentences_with.update(set(read(sentence.text).stems))
            sentences += 1
    return WordRarity(
        sentences, {word: number for word, number in sorted(sentences_with.items()) if number > 1}
    )


def surface_features(instance: EvidenceInstance, weights: WordRarity) -> list[tuple[float, ...]]:
    """The values of NAMES for every sentence, in order, which depend only on the question and its document."""
    query = read(instance.question)
    return [
        row
        for document in read_together(instance)
        for row in _document(instance.question, query, document, weights)
    ]


def _document(
    question: str, query: SentenceWords, document: Sequence[SourceSentence], weights: WordRarity
) -> Iterator[tuple[float, ...]]:
    wanted = {stem: weights[stem] for stem in query.stems}
    title = read(document[0].title)
    of_sentences = [read(sentence.text) for sentence in document]
    sets = [set(words.stems) for words in of_sentences]
    shares = [_share(wanted, stems) for stems in sets]
    near: Counter[str] = Counter(stem for stems in sets for stem in stems if stem in wanted)
    local = {stem: math.log((len(of_sentences) + 1) / (near[stem] + 0.5)) for stem in wanted if near[stem]}
    beyond = {stem: weight for stem, weight in wanted.items() if stem not in title.stems}
    bigrams = set(zip(query.stems, query.stems[1:]))
    rarest = max(wanted.values(), default=0.0)
    of_title, of_document = _share(wanted, set(title.stems)), _share(wanted, set[str]().union(*sets))
    asks = float(bool(_ASKING.match(question.lstrip())))
    for place, (sentence, words, stems) in enumerate(zip(document, of_sentences, sets, strict=True)):
        others = [share for number, share in enumerate(shares) if number != place]
        matched = [wanted[stem] for stem in stems if stem in wanted]
        mass = math.fsum(weights[stem] for stem in stems)
        counts = Counter(words.stems)
        saturated = math.fsum(
            weight * counts[stem] * 2.2 / (counts[stem] + 0.3 + 0.06 * len(words.stems))
            for stem, weight in wanted.items()
            if counts[stem]
        )
        yield (
            shares[place],
            len(matched) / max(1, len(wanted)),
            len(query.written & words.written) / max(1, len(query.written)),
            len(bigrams & set(zip(words.stems, words.stems[1:]))) / max(1, len(bigrams)),
            saturated / max(LEAST_IDF, math.fsum(wanted.values())),
            math.fsum(matched) / max(LEAST_IDF, mass),
            rarest / 10,
            max(matched, default=0.0) / max(LEAST_IDF, rarest),
            math.log1p(len(words.stems)),
            math.log1p(len(wanted)),
            place / max(1, len(of_sentences) - 1),
            float(place == 0),
            float(place == len(of_sentences) - 1),
            float(not sentence.title),
            math.log1p(len(words.numbers)),
            len(words.numbers & query.numbers) / max(1, len(query.numbers)),
            math.log1p(len(_FINDING.findall(words.text))),
            math.log1p(len(_AIM.findall(words.text))),
            math.log1p(len(_METHOD.findall(words.text))),
            float(words.negates),
            float(bool(_HEADING.match(sentence.text))),
            asks,
            of_title,
            len(stems & set(title.stems)) / max(1, len(title.stems)),
            _share(beyond, stems),
            _share(local, stems),
            shares[place - 1] if place else 0.0,
            shares[place + 1] if place + 1 < len(of_sentences) else 0.0,
            of_document,
            shares[place] - max(others, default=0.0),
            sum(share > shares[place] for share in others) / max(1, len(others)),
        )


def _share(wanted: dict[str, float], stems: set[str]) -> float:
    total = math.fsum(wanted.values())
    return math.fsum(weight for stem, weight in wanted.items() if stem in stems) / total if total else 0.0
