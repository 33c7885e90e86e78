"""The second phase of a build: what only the whole input decides.

Repeated documents are dropped, dates joined and splits drawn. Memory: some forty bytes an article that passed the
first phase.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

import msgspec
import numpy as np

from anagnosis.array_types import Bools, Int8s, Longs, UInt64s
from anagnosis.datasets import splits
from anagnosis.datasets.build.screening import Articles
from anagnosis.datasets.splits import SPLITS
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.io.counts import MOST
from anagnosis.wording import counted

DROPPED = -1
# Rules that need the whole input, in the order in which they are asked; the last two where dates are needed.
PUBLISHED_BEFORE = "published_before"
RULES_OF_THE_WHOLE = ("repeated_id", "repeated_text", "date_unknown", PUBLISHED_BEFORE)
FEWEST = 10  # documents that a part should have, so that something can be said of it
_SHOWN = 3  # rules


@dataclass(frozen=True, slots=True)
class Resolved:
    """codes: of each article its split, or DROPPED. dropped: rule → how many articles."""

    codes: Int8s
    dropped: dict[str, int]

    @property
    def articles(self) -> int:
        """How many stayed."""
        return int((self.codes != DROPPED).sum())


def resolve(recipe: Any, articles: Articles) -> Resolved:
    """Drop articles and draw the splits of those that stay.

    recipe: of any dataset built of documents, with `since`, `split`, `split_weights`, `seed` and `drop_repeated_text`.
    """
    kept = np.ones(len(articles.ids), bool)
    dropped: dict[str, int] = {}

    def drop(rule: str, breaks_rule: Bools) -> None:
        """An article counts for the first rule."""
        dropped[rule] = int((kept & breaks_rule).sum())
        kept[breaks_rule] = False

    def drop_repeated(rule: str, hashes: Sequence[int]) -> None:
        first = _first(np.asarray(hashes, np.uint64), kept)
        drop(rule, first < np.arange(len(first)))

    if articles.read_ids:
        read_ids, versions = np.asarray(articles.read_ids), np.asarray(articles.read_versions)
        deleted, superseded = overruled(read_ids, versions)
        drop("deleted_citation", deleted[np.asarray(articles.reads, np.int64)])
        drop("superseded_citation", superseded[np.asarray(articles.reads, np.int64)])
    drop_repeated("repeated_id", articles.ids)
    if recipe.drop_repeated_text:
        drop_repeated("repeated_text", articles.texts)
    if needs_dates(recipe):
        drop("date_unknown", np.asarray(articles.dates, "U10") == "")
        if recipe.since:
            first_days = np.asarray([splits.first_day(date) for date in articles.dates], "U10")
            drop(PUBLISHED_BEFORE, first_days < splits.first_day(recipe.since))
    codes = np.full(len(kept), DROPPED, np.int8)
    codes[kept] = _draw_splits(recipe, articles, kept)
    return Resolved(codes, dropped)


def dates_span(articles: Articles, resolved: Resolved) -> dict[str, str]:
    """The first and the last date of the articles that stayed."""
    dated = zip(articles.dates, resolved.codes.tolist(), strict=True) if articles.dates else ()
    known = [date for date, code in dated if date and code != DROPPED]
    return {"first_date": min(known), "last_date": max(known)} if known else {}


def needs_dates(recipe: Any) -> bool:
    """Whether an article without a date can't be judged or placed."""
    return bool(recipe.since) or recipe.split == "date"


def small_parts(codes: Int8s, recipe: Any) -> str:
    """What the user of a build should know of splits that are too small, "" if none is."""
    asked = msgspec.to_builtins(recipe.split_weights)
    small = [
        f"{name} has {counted(count, 'document')}"
        for code, name in enumerate(SPLITS)
        if asked[name] and (count := int((codes == code).sum())) < FEWEST
    ]
    what = "too few to judge anything on; give more papers, or other split_weights"
    return f"{' and '.join(small)}, {what}" if small else ""


def nothing_built(read: int, repairs: Repairs, dropped: Mapping[str, int]) -> InputError:
    """No document of `read` became an instance. dropped: rule → documents."""
    most = sorted(dropped.items(), key=lambda rule: -rule[1])[:_SHOWN]
    counts = [f"{rule} dropped {count:,}" for rule, count in most if count]
    counts += [f"{repairs.refused:,} could not be read"] if repairs.refused else []
    # What is wrong in few documents is not the cause.
    is_cause = 2 * len(repairs.refusals) >= min(read, MOST)
    first = "; first at {}: {}".format(*repairs.refusals[0]) if repairs.refusals and is_cause else ""
    of = f"of {counted(read, 'document')} {', '.join(counts)}" if read else "no document in the input"
    remedy = "correct the input, or change the recipe with --set"
    return InputError(f"no instance could be built: {of}{first}", "", remedy)


def _draw_splits(recipe: Any, articles: Articles, kept: Bools) -> Int8s:
    """The split of each article that stays, by the recipe's rule."""
    weights = recipe.split_weights.train, recipe.split_weights.dev, recipe.split_weights.test
    instances = np.asarray(articles.instances, np.int64)[kept]
    if recipe.split == "head":
        return splits.head(instances, weights)
    if recipe.split == "document":
        return splits.by_document(np.asarray(articles.ids, np.uint64)[kept], weights, recipe.seed)
    return splits.by_date(list(compress(articles.dates, kept)), instances, weights)


def _first(hashes: UInt64s, kept: Bools) -> Longs:
    """Of each that is kept the place of the first one like it; of the others their own."""
    places = np.arange(len(hashes))
    at = np.flatnonzero(kept)
    _, first, like = np.unique(hashes[at], return_index=True, return_inverse=True)
    places[at] = at[first[like]]
    return places


def overruled(ids: UInt64s, versions: Longs) -> tuple[Bools, Bools]:
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
