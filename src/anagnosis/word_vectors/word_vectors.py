"""Word vectors trained on running text: skip-gram or CBOW with negative sampling (Mikolov et al. 2013), by gensim.

We read the texts once, count their words, and write them into a temporary file that each epoch reads again; so memory
grows with the distinct words, not with the texts. gensim cuts texts at LONGEST words, so we write a longer text as
several lines.

The width and the window are those of Pyysalo et al. (2013); all other settings are word2vec's. A recipe with `trains =
"word-vectors"` has them.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np

from anagnosis.array_types import Floats32
from anagnosis.errors import InputError, missing_extra
from anagnosis.io.paths import PathLike, naming_faults
from anagnosis.progress import Progress
from anagnosis.recipes import load as recipes
from anagnosis.recipes.load import Positive, Width

Method = Literal["skip-gram", "cbow"]
Few = Annotated[int, msgspec.Meta(ge=1, le=1_000)]
Seed32 = Annotated[int, msgspec.Meta(ge=0, le=2**32 - 1)]

TRAINS = "trains"
WORD_VECTORS = "word-vectors"  # the value of `trains` in a recipe of word vectors
try:
    from gensim.models.word2vec import MAX_WORDS_IN_BATCH, Word2Vec
except ImportError as missing:
    raise missing_extra("gensim", "vectors", "training word vectors") from missing

LONGEST: int = MAX_WORDS_IN_BATCH
SAMPLE = 0.001  # words above this share of all are downsampled


class WordVectorSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """method: skip-gram predicts the words around a word, cbow a word from the mean of those around it.

    dimension: numbers of a vector. window: words looked at on each side. threshold: words that occur less often have no
    vector. negative: random words against which each word is trained. epochs: passes over all texts. seed: of draws.
    """

    method: Method = "skip-gram"
    dimension: Width = 200
    window: Few = 5
    threshold: Positive = 5
    negative: Few = 5
    epochs: Positive = 5
    seed: Seed32 = 0


def settings_of(recipe: PathLike | None, chosen: Mapping[str, Any]) -> WordVectorSettings:
    """The settings of a recipe, by its name or from a file, but for the chosen ones. InputError: lists all problems."""
    values, where = (recipes.load(recipe), str(recipe)) if recipe is not None else ({}, "word vectors")
    if recipe is not None and values.get(TRAINS) != WORD_VECTORS:
        raise InputError("is no recipe of word vectors", where, "choose one such as clicr-word-vectors")
    return recipes.configured(WordVectorSettings, {**values, **chosen}, where, apart=(TRAINS,))


@dataclass(frozen=True, slots=True)
class Trained:
    """words: by falling frequency, then by the alphabet. vectors: float32 [words, width].

    distinct, tokens: words read; known: tokens that have a vector.
    """

    words: list[str]
    vectors: Floats32
    distinct: int
    tokens: int
    known: int


def train(
    texts: Iterable[list[str]], folder: Path, settings: WordVectorSettings, workers: int = 1
) -> Trained:
    """Train vectors of the words of `texts`.

    folder: of the temporary file. workers: threads; with more than one, equal seeds do not give equal vectors.
    InputError: fewer than two words are frequent enough.
    """
    counts: Counter[str] = Counter()
    with naming_faults(folder, "free some space or choose another place", "writing"), ExitStack() as stack:
        folder.mkdir(parents=True, exist_ok=True)
        path = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=".words-", dir=folder))) / "words"
        lines = _write_lines(texts, path, counts)
        known = [(word, count) for word, count in counts.items() if count >= settings.threshold]
        if len(known) < 2:
            what = f"{len(known)} words occur {settings.threshold} times or more in these texts"
            raise InputError(what, "", "give more documents, or a lower threshold")
        known.sort(key=lambda item: (-item[1], item[0]))
        # We sort, because gensim's sorting leaves the order of equally frequent words open.
        model = Word2Vec(
            vector_size=settings.dimension,
            window=settings.window,
            min_count=1,
            sg=int(settings.method == "skip-gram"),
            hs=0,
            negative=settings.negative,
            sample=SAMPLE,
            seed=settings.seed,
            workers=workers,
            sorted_vocab=0,
        )
        model.build_vocab_from_freq(dict(known), corpus_count=lines)
        with Progress("word vectors", lines * settings.epochs, "texts") as bar:
            model.train(corpus_iterable=_Lines(path, bar), total_words=counts.total(), epochs=settings.epochs)
    words = [word for word, _ in known]
    vectors = np.asarray(model.wv.vectors, np.float32)
    return Trained(words, vectors, len(counts), counts.total(), sum(count for _, count in known))


def _write_lines(texts: Iterable[list[str]], path: Path, counts: Counter[str]) -> int:
    """Write the words, a line for each text or part of one; returns the number of lines."""
    lines = 0
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        for words in texts:
            counts.update(words)
            for begin in range(0, len(words), LONGEST):
                stream.write(" ".join(words[begin : begin + LONGEST]) + "\n")
                lines += 1
    return lines


class _Lines:
    """The lines of the temporary file, from the beginning at each iteration."""

    def __init__(self, path: Path, bar: Progress) -> None:
        self._path, self._bar = path, bar

    def __iter__(self) -> Iterator[list[str]]:
        with self._path.open(encoding="utf-8", newline="\n") as stream:
            for line in stream:
                yield line[:-1].split(" ")
                self._bar.advance()
