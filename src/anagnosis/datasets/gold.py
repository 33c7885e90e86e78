"""The gold side of a split as columns: what predictions are matched with and scored against.

An instance costs its arrays a few dozen bytes a candidate and no objects, so that a split of a million
instances fits. Texts that repeat (keys, types, documents, names) are places in a dictionary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from anagnosis.array_types import Bools, Floats, Ints, Longs
from anagnosis.datasets.arrays import from_numbers, from_texts, to_numbers
from anagnosis.datasets.folder.store import Dataset, batches, fingerprint_of
from anagnosis.datasets.kinds.kind import EXACT, EXACT_JSON, EXACT_TYPE, HELD, IDEAL, Kind
from anagnosis.datasets.kinds.question import RelevantItems
from anagnosis.errors import DamagedError, InputError

if TYPE_CHECKING:
    from anagnosis.word_vectors.answer_vectors import AnswerVectors

BLOCK = 8192
FEW = 64  # rows at once of whole instances, which may have the sentences of a hundred documents
MERGED = 16  # batches whose dictionaries are kept apart at most


class Ids:
    """The ids of a split, in its order, with an index from an id to its row, built when first needed."""

    def __init__(self, texts: pa.StringArray) -> None:
        self.texts = texts

    def __len__(self) -> int:
        return len(self.texts)

    def between(self, start: int, stop: int) -> list[str]:
        """The ids of the rows from `start` to before `stop`."""
        return self.texts.slice(start, max(stop - start, 0)).to_pylist()

    def rows(self, ids: Sequence[str]) -> Longs:
        """int64 [len(ids)]: the row of each id, -1 where the split has no such id; of ids that repeat the first."""
        index = self._index
        return np.array([index.get(ident, -1) for ident in ids], np.int64)

    @cached_property
    def _index(self) -> dict[str, int]:
        texts: list[str] = self.texts.to_pylist()
        return {ident: row for row, ident in reversed([*enumerate(texts)])}


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Gold:
    """A split without its texts: n instances with m candidates in all, those of i at starts[i]:starts[i + 1].

    Each of instances without free answers, of other kinds, or where nobody asked for texts, is None.
    """

    dataset: str
    split: str
    fingerprint: str  # of the split (`store.fingerprint`)
    ids: Ids
    starts: Longs  # [n + 1]
    answer: Ints  # [n], index among the instance's candidates, -1 where it is withheld or none fits
    document: Ints  # [n], the same for all of a document, or of a question with sentences; from 0 by first appearance
    key: Ints  # [m], places in key_texts
    key_texts: pa.StringArray
    type: Ints  # [m], places in type_texts
    type_texts: pa.StringArray
    number: Ints  # [m]
    name_starts: Longs  # candidate j has the names at name_starts[j]:name_starts[j + 1]
    name: Ints  # places in name_texts
    name_texts: pa.StringArray
    labels: tuple[str, ...] = ()  # the candidates of every instance where all have the same ones
    kind: str = "cloze"
    holds_answer: Bools | None = None  # [m], of sentences
    unjudged: Bools | None = None  # [m], of sentences that nobody has judged, whose holds_answer is False
    exact: tuple[tuple[tuple[str, ...], ...] | None, ...] | None = None  # entries of free answers: synonyms
    exact_types: tuple[str, ...] | None = None  # of each hidden text, "" where it is not known
    exact_json: tuple[str | None, ...] | None = None  # the exact answer as its file spells it
    ideal: tuple[tuple[str, ...], ...] | None = None  # golden answers of a paragraph each
    vectors: AnswerVectors | None = None  # by which texts are compared
    relevant: Callable[[], tuple[RelevantItems, ...]] | None = None  # reads those of each instance, once
    # view → the text of each candidate there, read once; None where a view shows the keys, or not these instances
    shown: Callable[[str], pa.StringArray | None] = lambda view: None
    views: tuple[str, ...] = ()  # of the kind

    def __len__(self) -> int:
        return len(self.answer)

    @classmethod
    def of(cls, dataset: Dataset, split: str, *, free: bool = False) -> Gold:
        """The gold side of a stored split. free: with right answers as texts, for measures that compare texts."""
        kind = dataset.kind
        given = kind.gold
        columns = [*given.columns, *(given.free if free else ())]
        made = from_batches(map(given.convert, batches(dataset, split, BLOCK, columns)), dataset.name, split)
        return replace(
            made,
            labels=kind.labels,
            kind=kind.name,
            relevant=cache(partial(_relevant_items, dataset, split)) if kind.relevant else None,
            shown=cache(partial(_candidate_texts, dataset, split)),
            views=tuple(kind.views),
        )

    @classmethod
    def of_instances(cls, kind: Kind, instances: Iterable[Any], part: str, *, free: bool = False) -> Gold:
        """The gold side of instances of a kind. part: what errors call them. free: as of `of`."""
        read = {name.partition(".")[0] for name in (*kind.gold.columns, *(kind.gold.free if free else ()))}
        batches = (
            kind.gold.convert(batch)
            for table in kind.tables(instances, BLOCK)
            for batch in table.select([name for name in table.schema.names if name in read]).to_batches()
        )
        return replace(from_batches(batches, part, part), labels=kind.labels, kind=kind.name)

    def keys(self, rows: Longs) -> list[list[str]]:
        """The candidate keys of each of these instances, in the instance's order."""
        sizes = self.starts[rows + 1] - self.starts[rows]
        stops = sizes.cumsum()
        places = np.arange(sizes.sum()) + np.repeat(self.starts[rows] - (stops - sizes), sizes)
        keys: list[str] = self.key_texts.take(from_numbers(self.key[places])).to_pylist()
        return [keys[stop - size : stop] for size, stop in zip(sizes.tolist(), stops.tolist(), strict=True)]

    def ids_and_keys(self) -> Iterator[tuple[str, list[str]]]:
        """(id, candidate keys) of every instance."""
        for first in range(0, len(self), BLOCK):
            rows = np.arange(first, min(first + BLOCK, len(self)))
            yield from zip(self.ids.between(first, first + BLOCK), self.keys(rows), strict=True)

    def texts(self, view: str, row: int) -> list[str]:
        """The texts of an instance's candidates in a view; none where `shown` gives none."""
        if (shown := self.shown(view)) is None:
            return []
        start, stop = self.starts[row : row + 2].tolist()
        return shown.slice(start, stop - start).to_pylist()

    def scores_of(self, scores: Floats | None, row: int) -> list[float | None]:
        """A system's scores, one a candidate of the split, for those of an instance; None where it gave none."""
        start, stop = self.starts[row : row + 2].tolist()
        own = [float("nan")] * (stop - start) if scores is None else scores[start:stop].tolist()
        return [None if score != score else score for score in own]

    def names_between(self, start: int, stop: int) -> list[list[str]]:
        """The surface forms of each candidate from `start` to before `stop`, by their places among all candidates."""
        ends = (self.name_starts[start : stop + 1] - self.name_starts[start]).tolist()
        places = self.name[self.name_starts[start] : self.name_starts[stop]]
        texts: list[str] = self.name_texts.take(from_numbers(places)).to_pylist()
        return [texts[low:high] for low, high in pairwise(ends)]

    def first_names(self, candidates: Longs) -> list[str]:
        """The first surface form of each candidate, by its place among all; its key where it has none."""
        starts = self.name_starts[candidates]
        named = self.name_starts[candidates + 1] > starts
        keys: list[str] = self.key_texts.take(from_numbers(self.key[candidates])).to_pylist()
        names = iter(self.name_texts.take(from_numbers(self.name[starts[named]])).to_pylist())
        return [next(names) if has else key for has, key in zip(named.tolist(), keys, strict=True)]


def _relevant_items(dataset: Dataset, split: str) -> tuple[RelevantItems, ...]:
    assert dataset.kind.relevant is not None
    every = chain.from_iterable(map(dataset.kind.instances, batches(dataset, split, FEW)))
    return tuple(map(dataset.kind.relevant, every))


def ids_of(dataset: Dataset, split: str) -> Ids:
    """Only the ids of a stored split."""
    return Ids(_joined([batch.column("id") for batch in batches(dataset, split, BLOCK, ["id"])]))


def _candidate_texts(dataset: Dataset, split: str, view: str) -> pa.StringArray | None:
    """The text of each candidate of a split in a view; None where it shows the keys, or cannot show the instances."""
    kind = dataset.kind
    if kind.candidate_texts is None or view not in kind.views:
        return None
    viewed = dataset.viewer(view)
    every = chain.from_iterable(map(kind.instances, batches(dataset, split, BLOCK)))
    shown = (kind.candidate_texts(viewed(instance)) for instance in every)
    try:
        return pa.array(chain.from_iterable(shown), pa.string())
    except DamagedError:
        raise
    except InputError:  # such as the names of instances that were read without them
        return None


def from_batches(batches: Iterable[dict[str, Any]], dataset: str, split: str) -> Gold:
    """Gold from the columns that kinds make of batches (`GoldColumns.convert`)."""
    parts: dict[str, list[Any]] = {}
    for batch in batches:
        for column, found in _encoded(batch).items():
            own = parts.setdefault(column, [])
            if isinstance(found, list):
                own += found
                continue
            own.append(found)
            if pa.types.is_dictionary(found.type) and len(own) == MERGED:
                parts[column] = [pa.DictionaryArray.from_arrays(*_coded(own))]
    key, key_texts = _coded(parts.get("key", []))
    type, type_texts = _coded(parts.get("type", []))
    name, name_texts = _coded(parts.get("name", []))
    exact = [None if own is None else tuple(map(tuple, own)) for own in parts.get(EXACT, ())]
    holds, unjudged = (
        _numbers(parts[name]).astype(np.bool_) if name in parts else None
        for name in ("holds_answer", "unjudged")
    )
    made = Gold(
        dataset=dataset,
        split=split,
        fingerprint="",
        ids=Ids(_joined(parts.get("id", []))),
        starts=_starts(parts.get("candidates", [])),
        answer=_numbers(parts.get("answer", [])),
        document=_coded(parts.get("document", []))[0],
        key=key,
        key_texts=key_texts,
        type=type,
        type_texts=type_texts,
        number=_numbers(parts.get("number", [])),
        name_starts=_starts(parts.get("names", [])),
        name=name,
        name_texts=name_texts,
        exact=tuple(exact) or None,
        exact_types=tuple(parts.get(EXACT_TYPE, ())) or None,
        exact_json=tuple(parts.get(EXACT_JSON, ())) or None,
        ideal=tuple(map(tuple, parts.get(IDEAL, ()))) or None,
        holds_answer=holds,
        unjudged=unjudged,
    )
    return replace(made, fingerprint=fingerprint_of(made.ids_and_keys()))


def _encoded(batch: dict[str, Any]) -> dict[str, Any]:
    """A batch with what candidates may lack; texts that repeat are dictionaries."""
    count = len(batch["key"])
    found = {
        "type": from_texts([""] * count),
        "number": from_numbers(np.full(count, -1, np.int32)),
        "names": from_numbers(np.zeros(count, np.int32)),
        "name": pa.nulls(0, pa.string()),
        **batch,
    }
    for column in ("document", "key", "type", "name"):
        found[column] = found[column].dictionary_encode()
    if HELD in batch:
        found["holds_answer"] = batch[HELD].fill_null(False).cast(pa.int32())
        found["unjudged"] = batch[HELD].is_null().cast(pa.int32())
    return found


def _numbers(parts: Sequence[pa.Array]) -> Ints:
    return np.concatenate([np.zeros(0, np.int32), *map(to_numbers, parts)])


def _starts(lengths: Sequence[pa.Array]) -> Longs:
    return np.concatenate([np.zeros(1, np.int64), *map(to_numbers, lengths)]).cumsum()


def _coded(parts: Sequence[pa.DictionaryArray]) -> tuple[Ints, pa.StringArray]:
    """Places in one dictionary for all parts, its texts in order of first appearance."""
    if not parts:
        return np.zeros(0, np.int32), _joined([])
    chunked: Any = pa.chunked_array(parts).unify_dictionaries()
    return _numbers([chunk.indices for chunk in chunked.chunks]), chunked.chunk(0).dictionary


def _joined(parts: Sequence[pa.Array]) -> Any:
    return pa.concat_arrays([pa.nulls(0, pa.string()), *parts])
