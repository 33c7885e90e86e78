"""The second phase of a build: one walk, in the input's order, over what the first phase found.

Only here is the whole input known, so here repeated documents are dropped, dates joined, splits drawn and entities
numbered. Memory: some thirty bytes an article that passed the first phase, and the distinct entities.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anagnosis.datasets import splits
from anagnosis.datasets.build.screening import ScreeningResults, id_hash
from anagnosis.datasets.folder.entities import EntityRow

DROPPED = -1


@dataclass(slots=True)
class Resolved:
    """What is known once the whole input has been seen.

    codes, instances, dates: one an article in the input's order: its split (or DROPPED), how many instances it
    has, its date (no list at all where none were given). borders: where the articles of each block begin, and
    their end. numbers: for each block the global number of each of its entities, -1 where none of its articles
    stayed. dropped: rule → articles.
    """

    codes: NDArray[np.int8]
    instances: NDArray[np.int64]
    dates: list[str]
    borders: NDArray[np.int64]
    dropped: Counter[str]
    numbers: list[NDArray[np.int32]] = field(default_factory=list[NDArray[np.int32]])
    entities: list[EntityRow] = field(default_factory=list[EntityRow])

    @property
    def articles(self) -> int:
        """How many stayed."""
        return int((self.codes != DROPPED).sum())

    def rows(self, split: int) -> int:
        """How many instances a split has."""
        return int(self.instances[self.codes == split].sum())

    def documents(self, split: int) -> int:
        """How many articles a split has."""
        return int((self.codes == split).sum())

    def dates_span(self) -> dict[str, str]:
        """The first and the last date of the articles that stayed."""
        dated = zip(self.dates, self.codes.tolist(), strict=True) if self.dates else ()
        known = [date for date, code in dated if date and code != DROPPED]
        return {"first_date": min(known), "last_date": max(known)} if known else {}


def resolve(
    recipe: Any, screenings: Callable[[], Iterable[ScreeningResults]], dates: Mapping[str, str] | None
) -> Resolved:
    """Drop, date, split and number the articles.

    recipe: a dataset's own, with `since`, `split`, `split_weights`, `seed` and `drop_repeated_text`. screenings:
    gives those of all blocks in order; walked twice. dates: document id → ISO date.
    """
    ids, texts, instances, sizes = _Column(np.uint64), _Column(np.uint64), _Column(np.int64), [0]
    reads, versions, of_article = _Column(np.uint64), _Column(np.int64), _Column(np.int64)
    known_dates: list[str] = []
    for found in screenings():
        of_article.extend([len(reads) + place for place in found.article_reads])
        reads.extend(found.read_ids)
        versions.extend(found.read_versions)
        ids.extend([id_hash(ident) for ident in found.ids])
        texts.extend(found.text_hashes)
        instances.extend(found.instances)
        sizes.append(len(found.ids))
        if dates is not None:
            known_dates.extend(dates.get(ident, "") for ident in found.ids)
        else:
            known_dates.extend(found.dates)
    counts, hashes = instances.array(), ids.array()
    kept = np.ones(len(counts), bool)
    dropped: Counter[str] = Counter()

    def drop(rule: str, says_no: NDArray[np.bool_]) -> None:
        dropped[rule] += int((kept & says_no).sum())
        kept[says_no] = False

    if len(reads):
        deleted, superseded = overruled(reads.array(), versions.array())
        drop("deleted_citation", deleted[of_article.array()])
        drop("superseded_citation", superseded[of_article.array()])
    drop("repeated_id", _repeated(hashes, kept))
    if recipe.drop_repeated_text:
        drop("repeated_text", _repeated(texts.array(), kept))
    if needs_dates(recipe):
        drop("date_unknown", np.asarray(known_dates, "U10") == "")
        if recipe.since:
            first_days = np.asarray(list(map(splits.first_day, known_dates)), "U10")
            drop("published_before", first_days < splits.first_day(recipe.since))
    codes = np.full(len(counts), DROPPED, np.int8)
    weights = (recipe.split_weights.train, recipe.split_weights.dev, recipe.split_weights.test)
    if recipe.split == "head":
        codes[kept] = splits.head(counts[kept], weights)
    elif recipe.split == "document":
        codes[kept] = splits.by_document(hashes[kept], weights, recipe.seed)
    else:
        days = [date for date, stays in zip(known_dates, kept.tolist(), strict=True) if stays]
        codes[kept] = splits.by_date(days, counts[kept], weights)
    resolved = Resolved(codes, counts, known_dates, np.cumsum(sizes, dtype=np.int64), dropped)
    _number(resolved, screenings())
    return resolved


def needs_dates(recipe: Any) -> bool:
    """Whether an article without a date can't be judged or placed."""
    return bool(recipe.since) or recipe.split == "date"


class _Column:
    """Numbers of one article after the other, gathered a block at a time."""

    def __init__(self, dtype: type[np.generic]) -> None:
        self._dtype = dtype
        self._pieces: list[NDArray[Any]] = [np.zeros(0, dtype)]
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def extend(self, values: list[int]) -> None:
        self._pieces.append(np.asarray(values, self._dtype))
        self._length += len(values)

    def array(self) -> NDArray[Any]:
        return np.concatenate(self._pieces)


def _repeated(hashes: NDArray[np.uint64], kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of the kept ones were there before."""
    repeated = np.zeros(len(hashes), bool)
    at = np.flatnonzero(kept)
    _, first = np.unique(hashes[at], return_index=True)
    repeated[at] = True
    repeated[at[first]] = False
    return repeated


def overruled(
    ids: NDArray[np.uint64], versions: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(deleted, superseded), bool [n]: what of all that was read a later deletion or a newer version takes back.

    versions: 0 for a deletion. Newer is the higher version; of two alike, what was read later.
    """
    n = len(ids)
    order = np.lexsort((np.arange(n), ids))
    begins = np.flatnonzero(np.r_[True, ids[order][1:] != ids[order][:-1]]) if n else np.zeros(0, np.int64)
    group = np.repeat(np.arange(len(begins)), np.diff(np.r_[begins, n]))
    place, version = order, versions[order]
    last_deletion = np.maximum.reduceat(np.where(version == 0, place, -1), begins) if n else begins
    gone = (version > 0) & (place < last_deletion[group])
    rank = np.where((version > 0) & ~gone, version * n + place, -1)
    newest = np.maximum.reduceat(rank, begins) if n else begins
    deleted, superseded = np.zeros(n, bool), np.zeros(n, bool)
    deleted[order] = gone
    superseded[order] = (rank >= 0) & (rank < newest[group])
    return deleted, superseded


def _number(resolved: Resolved, screenings: Iterable[ScreeningResults]) -> None:
    """Global numbers, dense, by first appearance in the abstracts of the articles that stayed."""
    numbers: dict[str, int] = {}
    for block, found in enumerate(screenings):
        begin, end = resolved.borders[block : block + 2]
        article = np.repeat(np.arange(len(found.ids)), found.article_sizes)
        stays = resolved.codes[begin:end][article] != DROPPED
        article, local = article[stays], np.asarray(found.article_entities, np.int64)[stays]
        distinct, first = np.unique(local, return_index=True)
        documents = np.bincount(local, minlength=len(found.entities))
        instances = np.bincount(local, resolved.instances[begin:end][article], minlength=len(found.entities))
        table = np.full(len(found.entities), -1, np.int32)
        for at in distinct[np.argsort(first, kind="stable")].tolist():
            key, entity_type, identifier = found.entities[at]
            number = table[at] = numbers.setdefault(key, len(numbers))
            if number == len(resolved.entities):
                resolved.entities.append(EntityRow(key, number, sys.intern(entity_type), identifier))
            resolved.entities[number].documents += int(documents[at])
            resolved.entities[number].instances += int(instances[at])
        resolved.numbers.append(table)
