"""What a kind of instances defines. Nothing else in the program asks which kind it has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from anagnosis.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


HELD = "held"
EXACT = "exact"
EXACT_TYPE = "exact_type"
EXACT_JSON = "exact_json"
IDEAL = "ideal"
View = Callable[[Any, str, str], Any]  # (instance, text_form, numbering) → what a reader sees of it
ASKED = "question"  # the id of a question of no dataset


@dataclass(frozen=True, slots=True)
class GoldColumns:
    """The gold side of instances, as columns.

    columns: of the kind's schema, or parts of them ("sentences.list.element.held"), that are read. texts: read too,
    where the length of passages is asked for. free: read too where a measure compares answers as texts, those of them
    that a dataset has.

    convert: a batch of them → arrays by name. Of each instance `id`, `document`, `candidates` (how many), `answer` (-1
    for none), and `passage` where `texts` were read. Of each candidate `key`, HELD where the candidates are sentences
    (whether it holds the answer, null where nobody has said), and, where candidates have them, `type`, `number` and
    `names` (how many); `name` of each name. Lists instead of arrays, of each instance: EXACT where answers are free
    texts, EXACT_TYPE, the type of the hidden text, EXACT_JSON, the exact answer as its file spells it, None where it
    has none, and IDEAL, golden answers of a paragraph each.
    """

    columns: tuple[str, ...]
    convert: Callable[[pa.RecordBatch], dict[str, Any]]
    texts: tuple[str, ...] = ()
    free: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rows:
    """Plain rows for notebooks and trainers. row: (instance, what the view shows of it) → a row of the schema."""

    schema: pa.Schema
    row: Callable[[Any, Any], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class RunningText:
    """The words of instances, for word vectors. documents: of an instance, the ids of those that it is from.

    sentences: of instances → the words of each sentence in lower case; of a text that many instances have, once.
    next_command: what to try with the vectors, with {out}, the dataset, and {vectors}; a dataset's definition may name
    another.
    """

    documents: Callable[[Any], Iterable[str]]
    sentences: Callable[[Iterable[Any]], Iterator[list[str]]]
    next_command: str


@dataclass(frozen=True, slots=True)
class Prompts:
    """Questions for language models. view: the usual one. texts: view → prompt, in lm-evaluation-harness's templates.

    question: (instance, what the view shows of it) → `id`, `document`, `passage`, `question`, `choices`, `gold` and
    `keys`; gold is the index of the right choice, None where there is none.
    """

    view: str
    texts: Mapping[str, str]
    question: Callable[[Any, Any], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class AnswerPages:
    """How people answer instances on pages (labelling/answers.py). Each is "module:function".

    draw: (Dataset, Draw) → Drawn, the questions of a study; study: (Dataset, Drawn) → Study, what its pages ask.
    """

    draw: str
    study: str


@dataclass(frozen=True, slots=True)
class Withholding:
    """What a public copy of a split leaves out, so that nobody but who holds the dataset can score.

    what: in words. of: an instance → the same without all that tells it; nothing of what is left may depend on it.
    measures: names of those that have no gold then.
    """

    what: str
    of: Callable[[Any], Any]
    measures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StatisticsOptions:
    """What `show` may be given beside a dataset. beside: the published set to compare with, None for the usual one.
    samples: how many instances of each subset, drawn by seed.
    """

    beside: str | None = None
    samples: int = 0
    seed: int = 0

    def refuse_samples(self, where: str) -> None:
        """Refuse (InputError) samples, for a kind that shows none."""
        if self.samples:
            what = "samples are shown of questions for yes, no or maybe"
            raise InputError(what, where, "leave --samples away")

    def refuse_beside(self, where: str) -> None:
        """Refuse (InputError) a published set, which only cloze questions are shown with."""
        if self.beside is not None:
            what = "published sets are shown beside cloze questions"
            raise InputError(what, where, "leave --beside away")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of instances.

    holds: what the instances are, for messages. record: their class; a reader without learning declares its kind by it.
    schema: of Parquet parts. tables: instances as tables of at most so many rows; instances: those of a batch.
    entities: whether candidates are entities, which the folder counts in a file.

    keys: what can be answered, in order. right: indices of the right answers among the keys, none where the answer is
    withheld. labels: the keys, where all instances have the same ones. gold: keys and right answers as columns.
    with_labels: the instance with further labels, None where instances have none.

    faults: (instance, text form) → (name, what is wrong) of each fault that `check` reports.

    views: name → what a reader sees. usual_view: of `rows`. prompts, running_text: None where there are none.
    candidate_texts: of what a view shows, the text of each candidate; None where every view shows the keys.
    views_of_others: a view of another kind → what its readers see of an instance, so that they can be trained on it.
    pose: (view, question, texts, candidates) → what a reader sees of a question of no dataset. texts: the passage, or
    the sections, snippets or sentences that stand for it. candidates: the names of each, of a kind that has any.
    known_by_question: whether the question alone tells instances apart whatever the dataset (question_keys.py).

    statistics: "module:function" that counts a dataset: (Dataset, StatisticsOptions) → a record, which --json gives.
    The function is annotated with the record's class. samples: how many instances of each subset a page shows.
    shown_view: (text form, numbering) → the view in which `show` shows an instance; None where it shows all of the
    instance, in no view.

    protocols, measures: the first is the usual one, and all of the usual measures are shown. free_protocols,
    free_measures: the same where predictions answer freely; empty where measures of texts have the same protocols.
    ideal_measures: of those by paragraphs, by the same protocols.
    retrieval_protocols, retrieval_measures: the same where they retrieve documents and snippets.
    baselines: readers without learning, beside which a trained one is judged.
    shortcuts: readers that do not read → what they look at; `report --shortcuts` shows what they reach.
    shortcut_card: "module:function", an open dataset → its structural shortcuts (shortcuts.py).
    label_lists: columns of a user's labels that may have certain labels alone → "module:name" of their LabelList.
    factors: by which scores are broken down, beside those of the gold side: name → "module:function", (dataset, split)
    → Factor.
    relevant: "module:function", the relevant items of an instance; empty where instances have no documents and
    snippets to retrieve.
    withholdings: what can be hidden of a test → how; the first is the usual one.
    calibration: "module:function", (run, dataset, split, …) → RunParameters, "" where the probabilities of
    trained readers are not fitted. answer_pages: None where people cannot
    answer the instances on pages. sheets: the kind of sheets that `label` draws of them unless a user names another.
    layout: of the authors' files, or the usual one of `export`.
    """

    name: str
    holds: str
    record: type[Any]
    schema: pa.Schema
    tables: Callable[[Iterable[Any], int], Iterator[pa.Table]]
    instances: Callable[[pa.RecordBatch | pa.Table], Iterator[Any]]
    keys: Callable[[Any], list[str]]
    right: Callable[[Any], Sequence[int]]
    gold: GoldColumns
    faults: Callable[[Any, str], Iterator[tuple[str, str]]]
    views: Mapping[str, View]
    usual_view: str
    rows: Rows
    pose: Callable[[str, str, Sequence[str], Sequence[Sequence[str]]], Any]
    layout: str
    protocols: tuple[str, ...]
    measures: tuple[str, ...]
    statistics: str
    free_protocols: tuple[str, ...] = ()
    free_measures: tuple[str, ...] = ()
    ideal_measures: tuple[str, ...] = ()
    candidate_texts: Callable[[Any], Sequence[str]] | None = None
    views_of_others: Mapping[str, View] = field(default_factory=dict[str, View])
    retrieval_protocols: tuple[str, ...] = ()
    retrieval_measures: tuple[str, ...] = ()
    samples: int = 0
    shown_view: Callable[[str, str], str] | None = None
    baselines: tuple[str, ...] = ()
    shortcuts: Mapping[str, str] = field(default_factory=dict[str, str])
    shortcut_card: str = ""
    label_lists: Mapping[str, str] = field(default_factory=dict[str, str])
    factors: Mapping[str, str] = field(default_factory=dict[str, str])
    relevant: str = ""
    withholdings: Mapping[str, Withholding] = field(default_factory=dict[str, Withholding])
    calibration: str = ""
    answer_pages: AnswerPages | None = None
    sheets: str = "answers"
    prompts: Prompts | None = None
    running_text: RunningText | None = None
    with_labels: Callable[[Any, tuple[str, ...]], Any] | None = None
    labels: tuple[str, ...] = ()
    entities: bool = False
    known_by_question: bool = True

    def protocols_of(self, *, free: bool, retrieved: bool = False) -> tuple[str, ...]:
        """The protocols of its measures, the usual one first.

        free: of those that read the texts of answers. retrieved: of those that read what was retrieved.
        """
        if retrieved:
            return self.retrieval_protocols
        return self.free_protocols if free and self.free_protocols else self.protocols
