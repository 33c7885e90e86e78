"""The verb over word vectors: train them on documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from anagnosis.paths import PathLike


@dataclass(frozen=True, slots=True)
class TrainedVectors:
    """words: that have a vector; known: how often they were read; distinct, tokens: words that were read in all.

    refused: documents that could not be read; repairs: what was mended in the others, by name. sha256: of the file.
    replaced: whether a file was there.
    """

    path: Path
    words: int
    dimension: int
    documents: int
    tokens: int
    distinct: int
    known: int
    refused: int
    repairs: dict[str, int]
    sha256: str
    replaced: bool = False


def train_vectors(
    documents: Sequence[PathLike],
    out: PathLike,
    *,
    dimension: int = 200,
    window: int = 5,
    epochs: int = 5,
    threshold: int = 5,
    seed: int = 0,
    workers: int = 1,
    format: str | None = None,
    encoding: str | None = None,
    replace: bool = False,
) -> TrainedVectors:
    """Train word vectors on files or folders of documents, into a word2vec file: binary as .bin, text as .txt or .vec.

    Words are those that readers of decisions read, in lower case. window: words looked at on each side. threshold:
    words that occur less often have none. With one worker the same documents and seed give the same bytes. replace:
    overwrite a file that is there.
    """
    from anagnosis import outputs
    from anagnosis.api.documents import read
    from anagnosis.documents.formats.detect import suffixes
    from anagnosis.documents.repairs import Repairs
    from anagnosis.files import sha256
    from anagnosis.input_files import input_files
    from anagnosis.language.plain_words import words_of
    from anagnosis.progress import Progress
    from anagnosis.vocabularies import word2vec, word_vectors

    word2vec.form(out)
    files = input_files(documents, suffixes())
    repairs, count = Repairs(), 0

    def texts() -> Iterator[list[str]]:
        nonlocal count
        with Progress("words") as progress:
            for _, path in files:
                for document in read(path, format=format, encoding=encoding, repairs=repairs):
                    yield from (words_of(section.text) for section in document.sections)
                    count += 1
                    progress.advance()

    with outputs.writing(out, "word vectors", inputs=documents, replace=replace) as output:
        made = word_vectors.train(
            texts(),
            Path(out).absolute().parent,
            dimension=dimension,
            window=window,
            epochs=epochs,
            threshold=threshold,
            seed=seed,
            workers=workers,
        )
        word2vec.write(out, made.words, made.vectors)
    return TrainedVectors(
        output.path,
        len(made.words),
        dimension,
        count,
        made.tokens,
        made.distinct,
        made.known,
        repairs.refused,
        dict(sorted(repairs.counts.items())),
        sha256(out),
        output.replaces,
    )
