"""What a kind of instances defines. What higher packages need of a kind stands in their own tables, by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pyarrow as pa


HELD = "held"
EXACT = "exact"
EXACT_TYPE = "exact_type"
EXACT_JSON = "exact_json"
IDEAL = "ideal"
View = Callable[[Any, str, str], Any]  # (instance, text_form, numbering) → what a reader sees of it


class GoldColumns(NamedTuple):
    """The gold side of instances, as columns.

    convert: a batch of them → arrays by name. Of each instance `id`, `document`, `candidates` (how many), `answer` (-1
    for none). Of each candidate `key`, HELD where the candidates are sentences
    (whether it holds the answer, null where nobody has said), and, where candidates have them, `type`, `number` and
    `names` (how many); `name` of each name. Lists instead of arrays, of each instance: EXACT where answers are free
    texts, EXACT_TYPE, the type of the hidden text, EXACT_JSON, the exact answer as its file spells it, None where it
    has none, and IDEAL, golden answers of a paragraph each.
    """

    columns: tuple[str, ...]  # of the schema, or parts of them ("sentences.list.element.held")
    convert: Callable[[pa.RecordBatch], dict[str, Any]]
    free: tuple[str, ...] = ()  # read too where a measure compares answers as texts


class Rows(NamedTuple):
    """Plain rows for notebooks and trainers. columns: name → type, (instance, what the view shows of it) → value."""

    columns: Mapping[str, tuple[pa.DataType, Callable[[Any, Any], Any]]]

    @property
    def schema(self) -> pa.Schema:
        """Of tables of rows."""
        import pyarrow as pa

        return pa.schema([(name, kind) for name, (kind, _) in self.columns.items()])

    def row(self, instance: Any, viewed: Any) -> dict[str, Any]:
        """The row of an instance."""
        return {name: value_of(instance, viewed) for name, (_, value_of) in self.columns.items()}


class RunningText(NamedTuple):
    """The words of instances, for word vectors. documents: of an instance, the ids of those that it is from.

    sentences: of instances → the words of each sentence in lower case; of a text that many instances have, once.
    """

    documents: Callable[[Any], Iterable[str]]
    sentences: Callable[[Iterable[Any]], Iterator[list[str]]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of instances. Of withholdings the first is the usual one."""

    name: str
    holds: str  # what the instances are, for messages
    record: type[Any]  # their class; a reader without learning declares its kind by it
    schema: pa.Schema  # of Parquet parts
    tables: Callable[[Iterable[Any], int], Iterator[pa.Table]]  # of at most so many rows
    instances: Callable[[pa.RecordBatch | pa.Table], Iterator[Any]]
    keys: Callable[[Any], list[str]]  # what can be answered, in order
    gold: GoldColumns
    faults: Callable[[Any, str], Iterator[tuple[str, str]]]  # (instance, text form) → name, what is wrong
    views: Mapping[str, View]
    usual_view: str  # of `rows`
    rows: Rows
    layout: str  # of the authors' files, or the usual one of `export`
    # "module:function": Dataset, and where candidates are entities a published set → the record that it names
    statistics: str
    # What a public copy of a split can leave out → an instance without all that tells it; nothing of what is left may
    # depend on it.
    withholdings: Mapping[str, Callable[[Any], Any]]
    # An instance → the items that are relevant to it (`RelevantItems`).
    relevant: Callable[[Any], Any] | None = None
    # Of what a view shows, the text of each candidate; None where every view shows the keys.
    candidate_texts: Callable[[Any], Sequence[str]] | None = None
    # A view of another kind → what its readers see of an instance, so that they can be trained on it.
    views_of_others: Mapping[str, View] = field(default_factory=dict[str, View])
    running_text: RunningText | None = None
    labels: tuple[str, ...] = ()  # the keys, where all instances have the same ones
    entities: bool = False  # whether candidates are entities, which the folder counts in a file

    @property
    def is_free(self) -> bool:
        """Whether any text may be an answer."""
        return EXACT in self.gold.columns
