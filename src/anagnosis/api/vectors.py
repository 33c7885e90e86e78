"""The verb over word vectors: train them on documents, or on a dataset's train part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from anagnosis.api import shared
from anagnosis.api.options import Option
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.progress import Progress


@dataclass(frozen=True, slots=True)
class TrainedVectors:
    """words: that have a vector; known: how often they were read; distinct, tokens: words that were read in all.

    documents: those read, of a dataset the documents of its train part. refused: documents that could not be read;
    repairs: what was repaired in the others, by name. sha256: of the file. replaced: whether a file was there.
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
    documents: Annotated[Sequence[PathLike], Option(metavar="FILE|FOLDER|DATASET_FOLDER|-...")],
    out: Annotated[
        PathLike, Option("The word2vec file: binary as .bin, text as .txt or .vec.", flag="--out")
    ],
    *,
    recipe: shared.Recipe = None,
    settings: shared.Settings = None,
    workers: Annotated[
        int, Option("Number of threads; with several the bytes differ from run to run.", 1, 1_024)
    ] = 1,
    format: shared.Format = None,
    replace: shared.Replace = False,
) -> TrainedVectors:
    """Train word vectors, for readers that start from them, on documents of any format and on the train parts of
    datasets: cloze questions, and questions with sentences to choose from (by gensim).

    Keys for --set: method (skip-gram or cbow), dimension (200), window (5), epochs (5), threshold (words less frequent
    have no vector; 5), negative (random words beside each; 5), seed (0).
    \f
    The words of documents are those that readers of decisions read, in lower case. Of cloze questions the passages and
    the filled questions are read, split at white space; of questions with sentences to choose from those sentences and
    the questions. With one worker the same documents and seed give the same bytes.
    """
    from anagnosis.api.documents import read
    from anagnosis.documents.formats.detect import suffixes
    from anagnosis.documents.repairs import Repairs
    from anagnosis.io import outputs
    from anagnosis.io.files import sha256
    from anagnosis.io.folders import RECEIPT
    from anagnosis.io.input_files import input_files
    from anagnosis.language.words import words_of
    from anagnosis.progress import Progress
    from anagnosis.word_vectors import word2vec, word_vectors

    chosen = word_vectors.settings_of(recipe, settings or {})
    word2vec.form(out)
    folders = [path for path in documents if (Path(path) / RECEIPT).is_file()]
    others = [path for path in documents if path not in folders]
    files = input_files(others, suffixes()) if others or not folders else []
    repairs, count = Repairs(), 0

    def texts() -> Iterator[list[str]]:
        nonlocal count
        with Progress("words") as progress:
            for folder in folders:
                read_here: set[str] = set()
                yield from _train_part(folder, read_here, progress)
                count += len(read_here)
            for _, path in files:
                for document in read(path, format=format, repairs=repairs):
                    yield from (words_of(section.text) for section in document.sections)
                    count += 1
                    progress.advance()

    path = outputs.output_file(out, inputs=documents, replace=replace)
    is_there = path.exists()
    made = word_vectors.train(texts(), path.absolute().parent, chosen, workers)
    word2vec.write(out, made.words, made.vectors)
    return TrainedVectors(
        path,
        len(made.words),
        chosen.dimension,
        count,
        made.tokens,
        made.distinct,
        made.known,
        repairs.refused,
        dict(sorted(repairs.counts.items())),
        sha256(out),
        is_there,
    )


def _train_part(folder: PathLike, documents: set[str], progress: Progress) -> Iterator[list[str]]:
    """The sentences of a dataset's train part; `documents` gets those that it is from."""
    from anagnosis.api.datasets import load
    from anagnosis.datasets.folder import store
    from anagnosis.datasets.kinds.table import lacking
    from anagnosis.errors import InputError

    dataset = load(folder)
    text = dataset.kind.running_text
    if text is None:
        raise lacking(dataset.kind, "running text", str(dataset.folder))
    if not dataset.sizes.get("train"):
        raise InputError("has no train part", str(dataset.folder), "name a dataset with one, or documents")

    def noted() -> Iterator[Any]:
        for instance in store.instances(dataset, "train"):
            new = set(text.documents(instance)) - documents
            documents.update(new)
            progress.advance(len(new))
            yield instance

    yield from text.sentences(noted())
