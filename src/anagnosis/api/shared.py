"""Parameters that several verbs take, each with its `Option`; a verb may add another that says more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from anagnosis.api.options import MANY, Option
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.searching.filters import Filters
    from anagnosis.searching.index.index import Index


def _protocols() -> list[str]:
    from anagnosis.evaluation.protocols import every_protocol

    return every_protocol()


def _rankings() -> Sequence[str]:
    from anagnosis.searching.rank.ranking import RANKINGS

    return RANKINGS


# Folders, and where results go.
DatasetFolder = Annotated["PathLike | Dataset", Option(metavar="DATASET_FOLDER")]
IndexFolder = Annotated["PathLike | Index", Option(metavar="INDEX_FOLDER")]
NewDataset = Annotated[PathLike, Option("The dataset folder to write.", flag="--out")]
Replace = Annotated[bool, Option("Overwrite another file, or an existing dataset or run.")]

# Files of documents.
Documents = Annotated[Sequence[PathLike], Option(metavar="FILE|FOLDER|-...")]
Format = Annotated[
    str | None, Option("Format of the files (default: detected from the first bytes).", metavar="NAME")
]
AcceptTruncated = Annotated[
    bool, Option("Use the complete part of a truncated input, and count the input (default: an error).")
]
FullText = Annotated[bool, Option("With the bodies of JATS articles, not their front matter alone.")]
References = Annotated[bool, Option("With full texts, and the reference lists of PMC's plain text.")]

# How much is read, and by what.
Workers = Annotated[int | None, Option("Number of processes (default: one per processor).", 1, 1_024)]
PdfWorkers = Annotated[
    int | None,
    Option("Processes that read PDF files (default: one per processor).", 1, 256, flag="--workers"),
]
Threads = Annotated[int | None, Option("Number of processor threads (default: one per core).", 1, 1_024)]
Device = Annotated[str, Option("Where readers and encoders compute: auto, cpu, cuda, cuda:N or mps.")]
Instances = Annotated[int | None, Option("Only this many first instances of each part.", 1, MANY)]
Seed = Annotated[int, Option("Seed of the randomisation and bootstrap.", 0, 2**32 - 1)]  # as numpy takes them
Draws = Annotated[int, Option("Number of swaps and resamples.", 1, 100_000_000)]

# Recipes and trainings.
Recipe = Annotated[
    PathLike | None, Option("A recipe, such as `anagnosis recipes` lists.", metavar="NAME|FILE")
]
Settings = Annotated[
    Mapping[str, Any] | None,
    Option("Change a key of the recipe. Repeatable.", flag="--set", metavar="KEY=VALUE"),
]
TrainingData = Annotated[
    "PathLike | Dataset",
    Option("The dataset to train and evaluate on.", flag="--data", metavar="DATASET_FOLDER"),
]
DevData = Annotated[
    "PathLike | Dataset | None",
    Option("Evaluate on the dev part of this dataset instead.", metavar="DATASET_FOLDER"),
]

# Scores of predictions.
Systems = Annotated[Sequence[PathLike], Option(metavar="SYSTEM...")]
Split = Annotated[str | None, Option("train, dev, test, or all of them (default: the one the ids lie in).")]
Protocol = Annotated[
    str | None,
    Option(
        "Cloze: expected (ties by expectation from the scores; default), answer (the answer field) or as-published "
        "(as CliCR's program counts). Decisions: fixed (labels; default) or official (as the authors' program counts). "
        "Exact answers: thesis (default), organisers-9 or fuzzy-90.",
        choices=_protocols,
        metavar="NAME",
    ),
]
View = Annotated[
    str | None,
    Option(
        "The view that the systems read and answer in (global, local, names, …; default: what is known of each, or "
        "NAME@VIEW=FILE says).",
        metavar="NAME",
    ),
]
KeepUnmatched = Annotated[
    bool, Option("Score a file too whose answers mostly match no candidate; they count as wrong.")
]
CheckFingerprint = Annotated[
    bool, Option("Accept lines that carry another dataset's fingerprint.", flag="--any-dataset=")
]
Measures = Annotated[
    Sequence[str],
    Option(
        "A measure of `anagnosis measures` (default: those of the kind). Repeatable.",
        flag="--measure",
        metavar="NAME",
    ),
]
Vectors = Annotated[PathLike | None, Option("A word2vec file, for embedding-average.", metavar="FILE")]
Labels = Annotated[
    PathLike | None, Option("CSV or JSON lines: id and labels to break down by.", metavar="FILE")
]
Unit = Annotated[
    Literal["document", "instance"],
    Option("What counts as independent: instances of a document share its abstract."),
]

# Searches.
Judgements = Annotated[
    PathLike, Option("TREC's qrels, or BEIR's with its header.", flag="--judgements", metavar="FILE")
]
TopicField = Annotated[str | None, Option("The part of a topic to ask (default: text).", metavar="NAME")]
FilteredBy = Annotated["Filters | None", Option("Which passages count, as `filters` makes them.")]
Ranking = Annotated[
    str | None,
    Option(
        "lexical, dense or hybrid (default: hybrid where an index has vectors, else lexical).",
        choices=_rankings,
        metavar="NAME",
    ),
]
Sort = Annotated[
    Literal["score", "date"], Option("By date: the latest papers with all words of the question.")
]
NoSynonyms = Annotated[
    bool, Option("Search for the question's words alone, without other spellings and names.")
]
WithoutNames = Annotated[
    Sequence[str],
    Option(
        "Do not add this name; or leave these words of the question as typed. Repeatable.", metavar="NAME"
    ),
]
JUDGE = Option(
    "Language model that chooses among the eight best sentences; needs --endpoint.", metavar="NAME"
)
Endpoint = Annotated[str | None, Option("Address of its server, as http://127.0.0.1:8000/v1.", metavar="URL")]
KeyEnv = Annotated[
    str | None, Option("Environment variable with its key (default: ANAGNOSIS_API_KEY).", metavar="NAME")
]
ASK_READERS = Option(
    "The run of a trained reader of evidence.",
    metavar="FOLDER",
)
