"""Word vectors trained on running text: skip-gram with negative sampling (Mikolov et al. 2013), by gensim.

Words are counted while the texts are read, and the texts' words are laid down in a temporary file that each epoch reads
again; so memory grows with the distinct words, not with the texts, and texts are read once. gensim cuts whatever is
longer than LONGEST words; a longer text is laid down in several pieces.

The width and the window are those of Pyysalo et al. (2013); all else is word2vec's.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from anagnosis.errors import InputError, missing_extra
from anagnosis.paths import naming_faults
from anagnosis.progress import Progress

try:
    from gensim.models.word2vec import MAX_WORDS_IN_BATCH, Word2Vec
except ImportError as missing:
    raise missing_extra("gensim", "vectors", "training word vectors") from missing

LONGEST: int = MAX_WORDS_IN_BATCH
NEGATIVE = 5  # words drawn against each real one
SAMPLE = 0.001  # words more frequent than this share of all are thinned out


@dataclass(frozen=True, slots=True)
class Trained:
    """words: the most frequent first, equally frequent ones in alphabetical order. vectors: float32 [words, width].

    distinct, tokens: words that were read; known: those of them that have a vector.
    """

    words: list[str]
    vectors: npt.NDArray[np.float32]
    distinct: int
    tokens: int
    known: int


def train(
    texts: Iterable[list[str]],
    folder: Path,
    *,
    dimension: int = 200,
    window: int = 5,
    epochs: int = 5,
    threshold: int = 5,
    seed: int = 0,
    workers: int = 1,
) -> Trained:
    """Vectors of the words of `texts`.

    folder: where the temporary file lies. window: words looked at on each side. threshold: words that occur less
    often have no vector. workers: threads; with more than one the same seed does not give the same vectors. Refused
    (InputError): texts without two words that occur so often.
    """
    counts: Counter[str] = Counter()
    with _place(folder) as place:
        laid = place / "words"
        lines = _lay_down(texts, laid, counts)
        known = [(word, count) for word, count in counts.items() if count >= threshold]
        if len(known) < 2:
            raise InputError(
                f"{len(known)} words occur {threshold} times or more in these texts",
                "",
                "give more documents, or a lower --threshold",
            )
        known.sort(key=lambda item: (-item[1], item[0]))
        # The order is ours: gensim's own sorting leaves open in which order equally frequent words stand.
        model = Word2Vec(
            vector_size=dimension,
            window=window,
            min_count=1,
            sg=1,
            hs=0,
            negative=NEGATIVE,
            sample=SAMPLE,
            seed=seed,
            workers=workers,
            sorted_vocab=0,
        )
        model.build_vocab_from_freq(dict(known), corpus_count=lines)
        with Progress("word vectors", lines * epochs, "texts") as bar:
            model.train(corpus_iterable=_Laid(laid, bar), total_words=counts.total(), epochs=epochs)
    words = [word for word, _ in known]
    found = np.asarray(model.wv.vectors, np.float32)
    return Trained(words, found, len(counts), counts.total(), sum(count for _, count in known))


@contextmanager
def _place(folder: Path) -> Generator[Path]:
    """A temporary folder there; what the disk refuses is an InputError."""
    with naming_faults(folder, "free some space or choose another place", "writing"):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".words-", dir=folder) as place:
            yield Path(place)


def _lay_down(texts: Iterable[list[str]], path: Path, counts: Counter[str]) -> int:
    """Write the words, a text or a piece of it on each line; give the number of lines."""
    lines = 0
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        for words in texts:
            counts.update(words)
            for begin in range(0, len(words), LONGEST):
                stream.write(" ".join(words[begin : begin + LONGEST]) + "\n")
                lines += 1
    return lines


class _Laid:
    """What was laid down, from the beginning each time."""

    def __init__(self, path: Path, bar: Progress) -> None:
        self._path, self._bar = path, bar

    def __iter__(self) -> Iterator[list[str]]:
        with self._path.open(encoding="utf-8", newline="\n") as stream:
            for line in stream:
                yield line[:-1].split(" ")
                self._bar.advance()
