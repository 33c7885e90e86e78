"""An instance as JPDRMM reads it: words and features as in the authors' program (aueb-bioasq7,
Joint_Document_Snippet_Ranking).

Tokens: the program drops quotes and slashes, converts to lower case, drops `. , ? ; * ! % ^ & _ + ( ) [ ] { }` and, by
a range in its pattern, all characters from `:` to `[`, and splits the rest at blanks. The hyphen stays.

One feature of a document is the search engine's score among those of the question's documents: 0 where nobody searched.
The stop words are FUNCTION_WORDS; the authors used NLTK's.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate

import msgspec

from anagnosis.datasets.kinds.evidence import TITLE, EvidenceInstance, SourceSentence
from anagnosis.readers.decisions.long_answer import FUNCTION_WORDS
from anagnosis.readers.evidence.sentence_loss import labels, read_together

OF_SENTENCE, OF_DOCUMENT = 10, 11
_QUOTES = re.compile(r"[\"/\\']")
_SIGNS = re.compile(r"[.,?;*!%^&_+():-\[\]{}]")
# BM25 of relative term frequencies, scaled by the mean and deviation of the authors' collection.
K1, B, AVERAGE, MEAN, DEVIATION = 1.2, 0.75, 21.1907, 0.6275, 1.2210
_START = ""


class Rarity(msgspec.Struct, frozen=True):
    """IDF of words, ln((1 + N) / (1 + df)), N sentences of a train part. Unknown words have the highest IDF."""

    idf: dict[str, float]
    highest: float

    def __getitem__(self, word: str) -> float:
        return self.idf.get(word, self.highest)


@lru_cache(maxsize=1 << 16)  # a retrieved sentence comes again for other questions
def bioclean(text: str) -> tuple[str, ...]:
    """The tokens of a text."""
    return tuple(_SIGNS.sub("", _QUOTES.sub("", text).strip().lower()).split())


def rarity(texts: Iterable[str]) -> Rarity:
    """The IDF of words in the texts; words of a single text count as unknown."""
    texts_with: Counter[str] = Counter()
    number = 0
    for number, text in enumerate(texts, 1):  # noqa: B007 the number of texts is used below
        texts_with.update(set(bioclean(text)))
    idf = {
        word: round(math.log((1 + number) / (1 + count)), 6)
        for word, count in sorted(texts_with.items())
        if count > 1
    }
    return Rarity(idf, round(math.log((1 + number) / 2), 6))


def overlaps(question: Sequence[str], text: Sequence[str], rare: Rarity) -> tuple[float, float, float]:
    """Shared words, bigrams (with a start token), and words by IDF, as shares of the question's."""
    wanted, present = set(question), set(text)
    total = math.fsum(rare[word] for word in wanted)
    common = math.fsum(rare[word] for word in wanted & present)
    pairs = set(zip([_START, *question], question, strict=False))
    shared = pairs & set(zip([_START, *text], text, strict=False))
    return (
        len(wanted & present) / max(1, len(wanted)),
        len(shared) / max(1, len(pairs)),
        common / total if total else 0.0,
    )


def bm25(question: Sequence[str], text: Sequence[str], rare: Rarity) -> float:
    """BM25, scaled as in the authors' program; a repeated word of the question counts repeatedly."""
    counts = Counter(text)
    length = K1 * (1 - B + B * len(text) / AVERAGE)
    total = 0.0
    for word in question:
        if counts[word]:
            frequency = counts[word] / len(text)
            total += rare[word] * frequency * (K1 + 1) / (frequency + length)
    return (total - MEAN) / DEVIATION


def features(question: str, text: str, rare: Rarity, *own: float) -> tuple[float, ...]:
    """Nine features of a question and a text, among them, behind three, its own: one of a sentence, two of a document.

    A sentence's is its length, from `sentence_length`; a document's are its score, from `standardised`, and the number
    of its sentences, those of the title too, by 60.
    """
    query, tokens = bioclean(question), bioclean(text)
    common = (set(query) & set(tokens)) - FUNCTION_WORDS
    # fsum, since the order of a set, and with it the last digit of a sum, changes from run to run.
    weight = math.fsum(rare[word] for word in common)
    total = math.fsum(rare[word] for word in query)
    return (
        *overlaps(query, tokens, rare),
        *own,
        len(question) / 300,
        len(text) / 300,
        len(common) / 100,
        bm25(query, tokens, rare),
        weight / 100,
        weight / total if total else 0.0,
    )


def sentence_length(sentence: str) -> float:
    """The number of a sentence's tokens, as a feature."""
    return len(bioclean(sentence)) / 342


def joined(title: str, sentences: Sequence[str]) -> str:
    """Title and abstract, joined without a blank as the authors' program does."""
    return title + " ".join(sentences)


def standardised(scores: Sequence[float]) -> list[float]:
    """The search engine's scores of a question's documents, minus their mean, by their population deviation."""
    mean = math.fsum(scores) / max(1, len(scores))
    deviation = math.sqrt(math.fsum((score - mean) ** 2 for score in scores) / max(1, len(scores)))
    return [(score - mean) / deviation if deviation else 0.0 for score in scores]


class EncodedWords(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An instance. question, sentences: their tokens. documents: number of sentences of each. features: of sentences,
    of_documents: of documents. gold: from sentence_loss.labels.

    Of retrieved documents alone: relevant: whether each is. addresses: of each. placed: of each sentence its section,
    where it begins there, and its text.
    """

    id: str
    target: int
    question: tuple[str, ...]
    idf: tuple[float, ...]
    sentences: tuple[tuple[str, ...], ...]
    documents: tuple[int, ...]
    features: tuple[tuple[float, ...], ...]
    of_documents: tuple[tuple[float, ...], ...]
    gold: tuple[int, ...]
    relevant: tuple[bool, ...] = ()
    addresses: tuple[str, ...] = ()
    placed: tuple[tuple[str, int, str], ...] = ()

    @property
    def size(self) -> int:
        """The number of words, padded to the longest sentence."""
        return len(self.sentences) * self.longest

    @property
    def longest(self) -> int:
        """Tokens of the longest sentence, or of the question if that is longer."""
        return max(1, *map(len, self.sentences), len(self.question))

    @property
    def starts(self) -> list[int]:
        """The place of each document's first sentence, and the number of sentences."""
        return [0, *accumulate(self.documents)]

    def answering(self) -> list[int]:
        """The documents with a gold sentence."""
        starts = self.starts
        return [n for n in range(len(self.documents)) if 1 in self.gold[starts[n] : starts[n + 1]]]

    def irrelevant(self) -> list[int]:
        """The retrieved documents that are not relevant."""
        return [n for n, relevant in enumerate(self.relevant) if not relevant]

    def of_documents_at(self, places: Sequence[int]) -> EncodedWords:
        """The question with some of its documents."""
        starts = self.starts
        chosen = [at for n in places for at in range(starts[n], starts[n + 1])]
        gold = tuple(self.gold[at] for at in chosen)
        return EncodedWords(
            self.id,
            gold.index(1) if 1 in gold else -1,
            self.question,
            self.idf,
            tuple(self.sentences[at] for at in chosen),
            tuple(self.documents[n] for n in places),
            tuple(self.features[at] for at in chosen),
            tuple(self.of_documents[n] for n in places),
            gold,
        )


def encoded(instance: EvidenceInstance, rare: Rarity) -> EncodedWords:
    """An instance. rare: IDF of words."""
    query = bioclean(instance.question)
    ranked = instance.retrieval
    together = read_together(instance) if ranked is None else instance.documents()
    engine = [0.0] * len(together) if ranked is None else standardised(ranked.scores)
    titles = _title_sentences(instance)
    example = EncodedWords(
        instance.id,
        instance.target,
        query,
        tuple(rare[word] for word in query),
        tuple(bioclean(sentence.text) for sentence in instance.sentences),
        tuple(map(len, together)),
        tuple(
            features(instance.question, each.text, rare, sentence_length(each.text))
            for each in instance.sentences
        ),
        tuple(
            features(
                instance.question,
                joined(group[0].title, [sentence.text for sentence in group if sentence not in titles]),
                rare,
                score,
                len(group) / 60,
            )
            for group, score in zip(together, engine, strict=True)
        ),
        labels(instance),
    )
    if ranked is None:
        return example
    relevant = set(ranked.documents)
    addresses = tuple(group[0].document for group in together)
    placed = zip(ranked.sections, ranked.begins, instance.sentences, strict=True)
    return msgspec.structs.replace(
        example,
        relevant=tuple(address in relevant for address in addresses),
        addresses=addresses,
        placed=tuple((section, begin, sentence.text) for section, begin, sentence in placed),
    )


def _title_sentences(instance: EvidenceInstance) -> set[SourceSentence]:
    """The sentences that are their document's title."""
    ranked = instance.retrieval
    if ranked is None:
        return set()
    each = zip(instance.sentences, ranked.sections, strict=True)
    return {sentence for sentence, section in each if section == TITLE}
