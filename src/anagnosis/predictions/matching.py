"""Hold a predictions file against a split: one pass over its lines, a few numbers kept for each instance.

Lines in the order of the split need no index. A file may hold the answers of several people, distinguished by
`annotator`; each is matched for itself (annotators.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from anagnosis.array_types import Longs
from anagnosis.datasets.folder.store import Dataset, short
from anagnosis.datasets.gold import Gold, Ids, ids_of
from anagnosis.errors import InputError
from anagnosis.io.counts import Counts
from anagnosis.io.files import STANDARD_INPUT, display_name
from anagnosis.io.input_files import display_names
from anagnosis.io.paths import PathLike
from anagnosis.predictions import notes
from anagnosis.predictions.annotators import UNANSWERED, Matched, Matching
from anagnosis.predictions.lines import numbered
from anagnosis.predictions.prediction import Prediction
from anagnosis.wording import shortened

BLOCK = 4096
LARGEST_CROWD = 1000
_MADE_FOR = "give the dataset and --split that they were made for"
_Lines = Iterable[tuple[int, Prediction]]


def match_files(
    paths: Sequence[PathLike],
    dataset: Dataset,
    split: str | None = None,
    *,
    check_fingerprint: bool = True,
    free: bool = False,
    view: str | None = None,
) -> tuple[Gold, list[Matched]]:
    """Several files against the one split that they all belong to, which is found if it is not named.

    A file of several annotators gives one `Matched` for each. free: as for `Gold.of`. view: in which their answers are
    written, where a note beside a file names none.
    """
    dataset.demand_view(view, "--view")
    split = split or common_split(paths, dataset)
    gold = Gold.of(dataset, split, free=free)
    found: list[Matched] = []
    for path, called in zip(paths, display_names(paths), strict=True):
        note = notes.read(path)
        view_of_file, kept = notes.how_written(note, view)
        people = match_each(
            path, gold, check_fingerprint=check_fingerprint, called=called, view=view_of_file, kept=kept
        )
        if note.asked:
            asked = np.zeros(len(gold), np.bool_)
            rows = gold.ids.rows([*note.asked])
            asked[rows[rows >= 0]] = True
            people = [replace(each, asked=asked if each.annotator else None) for each in people]
        found += people
    return gold, found


def common_split(paths: Sequence[PathLike], dataset: Dataset) -> str:
    """The one split in which the ids of all files lie."""
    ids = {name: ids_of(dataset, name) for name in dataset.sizes}
    names = display_names(paths)
    return the_one([(name, split_of(path, ids, name)) for path, name in zip(paths, names, strict=True)])


def the_one(files: Sequence[tuple[str, str]]) -> str:
    """The split of (file, split)s. InputError: there are several."""
    if len({split for _, split in files}) > 1:
        listed = "; ".join(f"{file}: {split}" for file, split in files)
        what = f"the files are for different splits ({listed})"
        raise InputError(what, "", "give those of one split, or --split")
    return files[0][1]


def split_of(path: PathLike, splits: Mapping[str, Ids], called: str = "") -> str:
    """The one split in which the ids of a file lie. splits: the ids of each. called: the file in messages."""
    name = called or display_name(path)
    if len(splits) == 1:
        return next(iter(splits))
    if str(path) == STANDARD_INPUT:
        raise InputError("it can be read only once", name, f"name the split: --split {' or '.join(splits)}")
    counts, known, first = dict.fromkeys(splits, 0), 0, ""
    for block in _blocks(numbered(path, Counts(), name)):
        ids = [prediction.id for _, prediction in block]
        inside = {split: index.rows(ids) >= 0 for split, index in splits.items()}
        for split, found in inside.items():
            counts[split] += int(found.sum())
        known += int(np.any(list(inside.values()), axis=0).sum())
        first = first or ids[0]
    if not known:
        own = [ident for ids in splits.values() for ident in ids.between(0, 1)]
        raise _none_known(name, first, own, "the dataset")
    whole = [split for split, count in counts.items() if count == known]
    if len(whole) == 1:
        return whole[0]
    lying = ", ".join(f"{count} in {split}" for split, count in counts.items() if count)
    raise InputError(f"its ids lie in several splits ({lying})", name, "name one with --split")


def match_each(
    path: PathLike,
    gold: Gold,
    *,
    check_fingerprint: bool = True,
    called: str = "",
    view: str | None = None,
    kept: bool = False,
    on_fault: Callable[[InputError], None] | None = None,
) -> list[Matched]:
    """A file against a split: one `Matched` for each annotator, in order of appearance.

    check_fingerprint: refuse lines that say they were made for something else, rather than count them. called: the
    file in messages (default: its name). view, kept: as of `notes.how_written`. on_fault: as of `lines.numbered`.

    Refused (InputError), unless kept: answers that only a view tells from others, where nobody knows theirs, and a
    system of which more than half of the answers name no candidate. Those that are compared as texts may.
    """
    name = called or display_name(path)
    of_the_file = Counts()
    matchings: dict[str | None, Matching] = {}
    view = view or (gold.views[0] if len(gold.views) == 1 else None)
    matched, first = 0, ""
    for block, rows in _located(numbered(path, of_the_file, name, on_fault), gold):
        known = rows >= 0
        matched += int(known.sum())
        first = first or block[0][1].id
        keys = iter(gold.keys(rows[known]))
        for (number, line), row in zip(block, rows.tolist(), strict=True):
            where = f"{name}:{number}"
            if (matching := matchings.get(line.annotator)) is None:
                if len(matchings) == LARGEST_CROWD:
                    raise InputError(f"more than {LARGEST_CROWD} annotators", where, "split the file")
                matching = matchings[line.annotator] = Matching(gold, line.annotator, line.group, view)
            if line.group != matching.found.group:
                what = f"annotator {line.annotator} was of group {matching.found.group}, here of group {line.group}"
                raise InputError(what, where, "give each annotator one group, on every line")
            if line.dataset not in (None, gold.fingerprint):
                if check_fingerprint:
                    here = f"{short(line.dataset)}; here: {gold.split} {short(gold.fingerprint)}"
                    what = f"made for another dataset or split ({here})"
                    raise InputError(what, where, f"{_MADE_FOR}, or --any-dataset to count and go on")
                matching.problems.add("wrong_fingerprint", line.id)
            if row >= 0:
                matching.add(row, line, next(keys))
            else:
                matching.problems.add("unknown", line.id)
    if not matched:
        raise _none_known(name, first, gold.ids.between(0, 1), f"the {gold.split} split")
    if not kept:
        for matching in matchings.values():
            _demand_readable(matching, gold, name)
    called = notes.ENDINGS.sub("", name)
    return [matching.matched(called, of_the_file) for matching in matchings.values()]


def _located(lines: _Lines, gold: Gold) -> Iterator[tuple[list[tuple[int, Prediction]], Longs]]:
    """Blocks of numbered lines with the row of each, -1 where the split has no such id."""
    cursor = 0
    for block in _blocks(lines):
        ids = [prediction.id for _, prediction in block]
        if gold.ids.between(cursor, cursor + len(ids)) == ids:
            rows = np.arange(cursor, cursor + len(ids))
        else:
            rows = gold.ids.rows(ids)
        cursor = int(rows[-1]) + 1
        yield block, rows


def _blocks(lines: _Lines) -> Iterator[list[tuple[int, Prediction]]]:
    rest = iter(lines)
    return iter(lambda: list(islice(rest, BLOCK)), [])


def _demand_readable(matching: Matching, gold: Gold, name: str) -> None:
    if matching.token and len(gold.views) > 1 and not gold.labels:
        what = f"each view has another entity for answers such as {shortened(matching.token)!r}"
        remedy = (
            "name theirs: --view VIEW, NAME@VIEW=FILE beside systems of other views, or `view` in system.toml"
        )
        raise InputError(what, name, remedy)
    found = matching.found
    outside, answered = found.free, int((found.choice != UNANSWERED).sum())
    texts = gold.exact is not None or gold.labels or found.annotator is not None
    if not texts and 2 * outside > answered:
        such = f"(the first is {shortened(matching.outside)!r})"
        what = f"{outside:,} of its {answered:,} answers are no candidate's text, key, number or name {such}"
        remedy = (
            "answer with the keys of the candidates, or as `export --view` shows them, and name that view"
        )
        raise InputError(what, name, f"{remedy}; `score --keep-unmatched` counts them as wrong")


def _none_known(name: str, first: str, own: Sequence[str], where: str) -> InputError:
    if not first:
        return InputError("holds no predictions", name, "check the file")
    theirs = f"; its own are such as {shortened(own[0])!r}" if own else ""
    what = f"none of its ids is in {where} (the first is {shortened(first)!r}{theirs})"
    return InputError(what, name, _MADE_FOR)
