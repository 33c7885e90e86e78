"""The second phase of a build: one walk, in the input's order, over what the first phase found.

Only here is the whole input known, so here repeated documents are dropped, dates joined, splits drawn and entities
numbered. Memory: some thirty bytes an article that passed the first phase, and the distinct entities.
"""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import compress
from typing import Any

import msgspec
import numpy as np

from anagnosis.array_types import Bools, Int8s, Ints, Longs, UInt64s
from anagnosis.datasets import splits
from anagnosis.datasets.build.screening import ScreeningResults, id_hash
from anagnosis.datasets.folder.entities import EntityRow
from anagnosis.datasets.folder.receipt import FileDocuments
from anagnosis.datasets.splits import SPLITS
from anagnosis.documents.repairs import Reason, most_frequent
from anagnosis.errors import InputError

DROPPED = -1
# Rules that need the whole input, in the order in which they are asked; the last two where dates are needed.
PUBLISHED_BEFORE = "published_before"
RULES_OF_THE_WHOLE = ("repeated_id", "repeated_text", "date_unknown", PUBLISHED_BEFORE)
FEWEST = 10  # documents that a part should have, so that something can be said of it
_SHOWN = 3  # rules


@dataclass(slots=True)
class Resolved:
    """What is known once the whole input has been seen.

    codes, instances, dates: one an article in the input's order: its split (or DROPPED), how many instances it
    has, its date (no list at all where none were given). borders: where the articles of each block begin, and
    their end. numbers: for each block the global number of each of its entities, -1 where none of its articles
    stayed. dropped: rule → articles, by their places in the input's order. files: what became of the documents of each.
    """

    codes: Int8s
    instances: Longs
    dates: list[str]
    borders: Longs
    dropped: dict[str, Longs]
    files: dict[str, FileDocuments]
    numbers: list[Ints] = field(default_factory=list[Ints])
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
    recipe: Any,
    screenings: Callable[[], Iterable[ScreeningResults]],
    dates: Mapping[str, str] | None,
    refused: Mapping[str, int],
) -> Resolved:
    """Drop, date, split and number the articles.

    recipe: of any dataset built in three phases, with `since`, `split`, `split_weights`, `seed` and
    `drop_repeated_text`. screenings: returns the results of the first phase for all blocks, in order; called thrice.
    dates: document id → ISO date; None: the documents' dates. refused: file → documents that could not be read.
    """
    articles = _gather(screenings(), dates)
    kept, dropped, instead = _apply_rules(recipe, articles)
    codes = np.full(len(kept), DROPPED, np.int8)
    codes[kept] = _draw_splits(recipe, articles, kept)
    files = _files(codes, instead, screenings(), refused)
    resolved = Resolved(codes, articles.instances, articles.dates, articles.borders, dropped, files)
    _number(resolved, screenings())
    return resolved


def needs_dates(recipe: Any) -> bool:
    """Whether an article without a date can't be judged or placed."""
    return bool(recipe.since) or recipe.split == "date"


def remarks(resolved: Resolved, recipe: Any) -> list[str]:
    """What the user of a build should look at, a line each."""
    return [line for line in (_mixed_files(resolved.files), _small_parts(resolved, recipe)) if line]


def _mixed_files(files: Mapping[str, FileDocuments]) -> str:
    """The files whose papers were left out for those of another file; empty for none."""
    pairs = [
        (count, f"{count:,} of {name} for {other}")
        for name, documents in files.items()
        for other, count in documents.repeated.items()
        if other != name
    ]
    if not pairs:
        return ""
    most = [words for _, words in sorted(pairs, reverse=True)[:_SHOWN]] + ["…"] * (len(pairs) > _SHOWN)
    what = (
        "papers stand in several files, and the first that passes the rules counts, with its mentions alone"
    )
    return f"{what}: left out {', '.join(most)}; build from one of the files, or name the better one first"


def _small_parts(resolved: Resolved, recipe: Any) -> str:
    """The parts that the recipe asks for and that have under FEWEST documents, with the remedy; empty for none."""
    asked = msgspec.to_builtins(recipe.split_weights)
    small = [
        f"{name} has {count} document{'s' if count != 1 else ''}"
        for code, name in enumerate(SPLITS)
        if asked[name] and (count := resolved.documents(code)) < FEWEST
    ]
    if not small:
        return ""
    shares = {name: FEWEST for name in SPLITS if asked[name]}
    rest = resolved.articles - sum(shares.values())
    other = ""
    if rest >= 0 and shares.get("train"):
        weights = {**dict.fromkeys(SPLITS, 0), **shares, "train": FEWEST + rest}
        shares = ", ".join(f"{name} = {weight}" for name, weight in weights.items())
        other = f", or other shares: --set 'split_weights={{{shares}}}'"
    return f"{' and '.join(small)}, too few to judge anything on; give more papers{other}"


def nothing_built(
    read: int,
    refused: int,
    dropped: Mapping[str, int],
    reasons: Iterable[Reason],
    needs: str,
) -> InputError:
    """No document of `read` became an instance. dropped: rule → documents. reasons: what loaders refused.

    needs: what documents must have.
    """
    if not read:
        return InputError("no instance could be built: no document in the input", "", "check the files")
    most = sorted(dropped.items(), key=lambda rule: -rule[1])[:_SHOWN]
    counts = [f"{rule} dropped {count:,}" for rule, count in most if count]
    counts += [f"{refused:,} could not be read"] if refused else []
    documents = "1 document" if read == 1 else f"{read:,} documents"
    reasons = list(reasons)
    # Fewer documents were refused than a rule dropped: what refused them is not the cause.
    is_minor = most and max((each.times for each in reasons), default=0) <= refused < most[0][1]
    why = "" if is_minor else most_frequent(reasons)
    what = f"no instance could be built: of {documents} {', '.join(counts)}" + (f"; {why}" if why else "")
    remedy = f"{'correct the input' if why else 'change the recipe with --set'}, or see all drops with --drops FILE"
    return InputError(what, "", f"{remedy}; {needs}" if needs else remedy)


@dataclass(frozen=True, slots=True)
class _Articles:
    """The articles that passed the first phase, column by column, in the input's order.

    ids, texts: hashes. dates, borders: as in `Resolved`. read_ids, read_versions: of every document that was read,
    where documents have versions; reads: of each article its place among them.
    """

    dates: list[str]
    ids: UInt64s
    texts: UInt64s
    instances: Longs
    borders: Longs
    read_ids: UInt64s
    read_versions: Longs
    reads: Longs


def _gather(screenings: Iterable[ScreeningResults], dates: Mapping[str, str] | None) -> _Articles:
    """The columns of all blocks, one block after the other."""
    ids, texts, read_ids = array("Q"), array("Q"), array("Q")
    instances, read_versions, reads, borders = array("q"), array("q"), array("q"), array("q", [0])
    known_dates: list[str] = []
    for block in screenings:
        reads.extend(len(read_ids) + place for place in block.article_reads)
        read_ids.extend(block.read_ids)
        read_versions.extend(block.read_versions)
        ids.extend(map(id_hash, block.ids))
        texts.extend(block.text_hashes)
        instances.extend(block.instances)
        borders.append(len(ids))
        known_dates.extend(block.dates if dates is None else (dates.get(ident, "") for ident in block.ids))
    columns = (ids, texts, instances, borders, read_ids, read_versions, reads)
    return _Articles(known_dates, *map(np.asarray, columns))


def _apply_rules(recipe: Any, articles: _Articles) -> tuple[Bools, dict[str, Longs], Longs]:
    """(which articles stay, rule → articles that it drops, and of an article that repeats another the other's place).

    An article counts for the first rule; -1 where it repeats none.
    """
    kept = np.ones(len(articles.ids), bool)
    instead = np.full(len(articles.ids), -1)
    dropped: dict[str, Longs] = {}

    def drop(rule: str, breaks_rule: Bools) -> None:
        dropped[rule] = np.flatnonzero(kept & breaks_rule)
        kept[breaks_rule] = False

    def drop_repeated(rule: str, hashes: UInt64s) -> None:
        first = _first(hashes, kept)
        repeated = first < np.arange(len(first))
        instead[repeated] = first[repeated]
        drop(rule, repeated)

    if len(articles.read_ids):
        deleted, superseded = overruled(articles.read_ids, articles.read_versions)
        drop("deleted_citation", deleted[articles.reads])
        drop("superseded_citation", superseded[articles.reads])
    drop_repeated("repeated_id", articles.ids)
    if recipe.drop_repeated_text:
        drop_repeated("repeated_text", articles.texts)
    if needs_dates(recipe):
        drop("date_unknown", np.asarray(articles.dates, "U10") == "")
        if recipe.since:
            first_days = np.asarray([splits.first_day(date) for date in articles.dates], "U10")
            drop(PUBLISHED_BEFORE, first_days < splits.first_day(recipe.since))
    return kept, dropped, instead


def _draw_splits(recipe: Any, articles: _Articles, kept: Bools) -> Int8s:
    """The split of each article that stays, by the recipe's rule."""
    weights = recipe.split_weights.train, recipe.split_weights.dev, recipe.split_weights.test
    if recipe.split == "head":
        return splits.head(articles.instances[kept], weights)
    if recipe.split == "document":
        return splits.by_document(articles.ids[kept], weights, recipe.seed)
    return splits.by_date(list(compress(articles.dates, kept)), articles.instances[kept], weights)


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


def _files(
    codes: Int8s, instead: Longs, screenings: Iterable[ScreeningResults], refused: Mapping[str, int]
) -> dict[str, FileDocuments]:
    """What became of the documents of each file; arguments as of `_apply_rules` and `resolve`."""
    numbers = {name: number for number, name in enumerate(refused)}
    read = np.array(list(refused.values()), np.int64)
    files = [np.zeros(0, np.int64)]
    for block in screenings:
        its_files = [numbers[name] for name, _ in block.files]
        if len(its_files) == 1:
            read[its_files] += block.read
            files.append(np.full(len(block.ids), its_files[0]))
            continue
        of_documents = np.repeat(its_files, [size for _, size in block.files])
        files.append(of_documents[block.places])
        if block.read_versions:
            # A notice that an id was deleted is no document.
            of_documents = of_documents[np.array(block.read_versions) > 0]
        read += np.bincount(of_documents, minlength=len(read))
    of_articles = np.concatenate(files)
    kept = np.bincount(of_articles[codes != DROPPED], minlength=len(read)).tolist()
    names, repeated = list(numbers), [Counter[str]() for _ in numbers]
    repeats = np.flatnonzero(instead >= 0)
    pairs = zip(of_articles[repeats].tolist(), of_articles[instead[repeats]].tolist(), strict=True)
    for file, other in pairs:
        repeated[file][names[other]] += 1
    return {
        name: FileDocuments(count, stays, count - stays - others.total(), dict(others))
        for name, count, stays, others in zip(names, read.tolist(), kept, repeated, strict=True)
    }


def _number(resolved: Resolved, screenings: Iterable[ScreeningResults]) -> None:
    """Global numbers, dense, by first appearance in the abstracts of the articles that stayed."""
    numbers: dict[str, int] = {}
    for block, found in enumerate(screenings):
        begin, end = resolved.borders[block : block + 2]
        article = np.repeat(np.arange(len(found.ids)), found.article_sizes)
        stays = resolved.codes[begin:end][article] != DROPPED
        article, local = article[stays], np.asarray(found.article_entities, np.int64)[stays]
        distinct, first = np.unique(local, return_index=True)
        uses = resolved.instances[begin:end][article]
        if found.entity_instances:
            uses = np.asarray(found.entity_instances, np.int64)[stays]
        documents = np.bincount(local, uses > 0, minlength=len(found.entities))
        instances = np.bincount(local, uses, minlength=len(found.entities))
        table = np.full(len(found.entities), -1, np.int32)
        for at in distinct[np.argsort(first, kind="stable")].tolist():
            key, entity_type, identifier = found.entities[at]
            number = table[at] = numbers.setdefault(key, len(numbers))
            if number == len(resolved.entities):
                resolved.entities.append(EntityRow(key, number, sys.intern(entity_type), identifier))
            resolved.entities[number].documents += int(documents[at])
            resolved.entities[number].instances += int(instances[at])
        resolved.numbers.append(table)
