"""Hold a predictions file against a split: one pass over its lines, a few numbers kept for each instance.

Lines in the order of the split need no index. A file may hold the answers of several people, distinguished by
`annotator`; each is matched for itself (annotators.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import msgspec
import numpy as np

from anagnosis.array_types import Longs
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.fingerprint import short
from anagnosis.datasets.folder.store import ALL, Dataset
from anagnosis.datasets.gold import Gold, Ids, ids_of
from anagnosis.errors import InputError
from anagnosis.io.counts import Counts
from anagnosis.io.files import STANDARD_INPUT, display_name
from anagnosis.io.input_files import display_names
from anagnosis.io.paths import PathLike
from anagnosis.predictions import lm_eval, notes
from anagnosis.predictions.annotators import Matched, Matching
from anagnosis.predictions.lines import demand_finite, numbered
from anagnosis.predictions.notes import UNKNOWN, Writing, writing_of
from anagnosis.predictions.other_views import demand_fitting_view
from anagnosis.predictions.prediction import Prediction
from anagnosis.predictions.problems import NAMED
from anagnosis.wording import reworded, shortened

BLOCK = 4096
LARGEST_CROWD = 1000


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

    view: in which their answers are written, where a note beside a file names none.

    A file of several annotators gives one `Matched` for each. free: as for `Gold.of`.
    """
    dataset.demand_view(view, "--view")
    ids = {name: ids_of(dataset, name) for name in dataset.sizes if split != ALL}
    names = display_names(paths)
    if split is None:
        splits = {
            called: split_of(path, ids, partial(fingerprints, dataset), called)
            for path, called in zip(paths, names, strict=True)
        }
        if len(set(splits.values())) > 1:
            listed = ", ".join(f"{file} is for {name}" for file, name in splits.items())
            raise InputError("the files are for different splits", listed, "take those of one split")
        split = next(iter(splits.values()))
    gold = Gold.of(dataset, split, free=free)
    elsewhere = {name: others for name, others in ids.items() if name != split}
    found: list[Matched] = []
    for path, called in zip(paths, names, strict=True):
        note = notes.read(path)
        each = match_each(
            path,
            gold,
            elsewhere=elsewhere,
            check_fingerprint=check_fingerprint,
            called=called,
            writing=writing_of(note, view),
        )
        found += _with_asked(each, note.asked, gold)
    return gold, found


def _with_asked(found: list[Matched], ids: Sequence[str], gold: Gold) -> list[Matched]:
    """The people of a file with what their study asked; nothing is known of it where there are no ids."""
    if not ids:
        return found
    rows = gold.ids.rows([*ids])
    asked = np.zeros(len(gold), np.bool_)
    asked[rows[rows >= 0]] = True
    return [matched if matched.annotator is None else replace(matched, asked=asked) for matched in found]


def split_of(
    path: PathLike,
    splits: Mapping[str, Ids],
    fingerprints: Callable[[], Mapping[str, str]],
    called: str = "",
) -> str:
    """The one split in which the ids of a file lie; where they lie in several, the one its fingerprints name.

    fingerprints: gives split → fingerprint, and is asked only where the ids do not decide. called: the file in messages
    (default: its name).
    """
    name = called or display_name(path)
    if len(splits) == 1:
        return next(iter(splits))
    if str(path) == STANDARD_INPUT:
        raise InputError("it can be read only once", name, f"name the split: --split {' or '.join(splits)}")
    counts = dict.fromkeys(splits, 0)
    known = 0
    first = ""
    made_for: set[str] = set()
    for block in _blocks(path, Counts(), name):
        ids = [prediction.id for _, prediction in block]
        inside = {split: index.rows(ids) >= 0 for split, index in splits.items()}
        for split, found in inside.items():
            counts[split] += int(found.sum())
        known += int(np.any(list(inside.values()), axis=0).sum())
        first = first or ids[0]
        if len(made_for) <= len(splits):
            made_for |= {prediction.dataset for _, prediction in block if prediction.dataset is not None}
    if not first:
        raise InputError("holds no predictions", name, "check the file")
    whole = [split for split, count in counts.items() if count == known]
    if known and len(whole) == 1:
        return whole[0]
    here = {fingerprint: split for split, fingerprint in fingerprints().items()} if made_for else {}
    if foreign := sorted(made_for - here.keys()):
        raise _other_dataset(foreign[0], ", ".join(f"{of} {short(each)}" for each, of in here.items()), name)
    if len(made_for) == 1:
        return here[made_for.pop()]
    if not known:
        raise _all_unknown(name, first, splits.values())
    lying = ", ".join(f"{count} in {split}" for split, count in counts.items() if count)
    raise InputError(f"its ids lie in several splits ({lying})", name, "name one with --split")


def of_answers(dataset: Dataset, answers: Mapping[str, Any], view: str | None = None) -> Iterator[Prediction]:
    """Predictions of answers by the id of their instance, all of one split; `api.predicting` says what is an answer.

    Of scores the best is the answer, of tied ones the first. InputError: an id, an answer or the view is none, or no
    candidate is the answer to a question that has a closed set of them.
    """
    dataset.demand_view(view, "view")
    ids = [str(ident) for ident in answers]
    inside = {name: ids_of(dataset, name).rows(ids) >= 0 for name in dataset}
    unknown = [ident for place, ident in enumerate(ids) if not any(own[place] for own in inside.values())]
    if unknown:
        what = f"{len(unknown):,} of {len(ids):,} ids are of no instance, such as {unknown[0]!r}"
        raise InputError(what, str(dataset.folder), "take the ids of its instances")
    whole = [name for name, own in inside.items() if own.all()]
    if not whole:
        lying = ", ".join(f"{own.sum():,} in {name}" for name, own in inside.items() if own.any())
        raise InputError(f"the ids lie in several splits ({lying})", "answers", "write a file for each")
    gold = Gold.of(dataset, whole[-1])
    rows = gold.ids.rows(ids)
    matching = Matching(gold, view=view)
    for ident, answer, row, keys in zip(ids, answers.values(), rows.tolist(), gold.keys(rows), strict=True):
        where = f"answers[{ident!r}]"
        try:
            line = answer if isinstance(answer, Prediction) else msgspec.convert(_fields(answer), Prediction)
        except (TypeError, ValueError) as fault:
            raise InputError(reworded(fault), where, "give a text, texts, scores or None") from fault
        demand_finite(line, where)
        matching.add(row, line, keys)
        if "unmapped" in matching.problems.counts and not dataset.kind.free_protocols:
            what = f"{str(line.any_answer)!r} is no candidate's text, key, number or name"
            raise InputError(
                shortened(what, 120), where, f"name one, such as {keys[0]!r}, and the view that shows it"
            )
        yield msgspec.structs.replace(line, id=ident, dataset=gold.fingerprint)


def _fields(answer: Any) -> dict[str, Any]:
    """The fields of a line. ValueError: nobody can say which answer is the best."""
    if isinstance(answer, np.generic | np.ndarray):
        answer = answer.tolist()
    if isinstance(answer, set | frozenset) or answer == {}:
        raise ValueError("a set has no order" if answer else "it holds nothing")
    if not isinstance(answer, Mapping):
        return {"id": "", "answer": answer}
    scores = {str(key): float(score) for key, score in answer.items()}
    return {"id": "", "answer": max(scores, key=scores.__getitem__), "scores": scores}


def fingerprints(dataset: Dataset) -> dict[str, str]:
    """Split → fingerprint."""
    return {split: store.fingerprint(dataset, split) for split in dataset.sizes}


def match(
    path: PathLike,
    gold: Gold,
    *,
    elsewhere: Mapping[str, Ids] | None = None,
    check_fingerprint: bool = True,
    called: str = "",
    writing: Writing = UNKNOWN,
) -> Matched:
    """The file of one system or person against a split; the options are those of `match_each`."""
    found = match_each(
        path, gold, elsewhere=elsewhere, check_fingerprint=check_fingerprint, called=called, writing=writing
    )
    if len(found) > 1:
        who = ", ".join(str(matched.annotator) for matched in found[:NAMED])
        what = f"it holds the answers of {len(found)} annotators ({who})"
        raise InputError(what, called or display_name(path), "see `anagnosis agreement`")
    return found[0]


def match_each(
    path: PathLike,
    gold: Gold,
    *,
    elsewhere: Mapping[str, Ids] | None = None,
    check_fingerprint: bool = True,
    called: str = "",
    writing: Writing = UNKNOWN,
    on_fault: Callable[[InputError], None] | None = None,
) -> list[Matched]:
    """A file against a split: one `Matched` for each annotator, in order of appearance.

    elsewhere: the ids of the other splits, to tell neighbours from strangers. check_fingerprint: refuse lines
    that say they were made for something else, rather than count them. called: the file in messages (default: its
    name). writing: of the answers. on_fault: as of `lines.numbered`.

    Refused (InputError): answers that fit another view better (other_views.py), unless a command of ours wrote them.
    """
    name = called or display_name(path)
    of_the_file = Counts()
    matchings: dict[str | None, Matching] = {}
    view = writing.view or (gold.views[0] if len(gold.views) == 1 else None)
    other_splits: Counter[str] = Counter()
    matched = 0
    first = ""
    for block, rows in _located(path, gold, of_the_file, name, on_fault):
        known = rows >= 0
        matched += int(known.sum())
        first = first or block[0][1].id
        strangers = [
            prediction.id for (_, prediction), inside in zip(block, known, strict=True) if not inside
        ]
        neighbours = _neighbours(strangers, elsewhere or {})
        other_splits.update(neighbours.values())
        keys = iter(gold.keys(rows[known]))
        for (number, prediction), row in zip(block, rows.tolist(), strict=True):
            matching = _matching_of(matchings, prediction, gold, view, name, number)
            if prediction.dataset is not None and prediction.dataset != gold.fingerprint:
                if check_fingerprint:
                    here = f"{gold.split} {short(gold.fingerprint)}"
                    raise _other_dataset(prediction.dataset, here, f"{name}:{number}")
                matching.problems.add("wrong_fingerprint", prediction.id)
            if row >= 0:
                matching.add(row, prediction, next(keys))
            elif prediction.id in neighbours:
                matching.problems.add("other_split", f"{prediction.id} ({neighbours[prediction.id]})")
            else:
                matching.problems.add("unknown", prediction.id)
    if not matchings:
        raise InputError("holds no predictions", name, "check the file")
    if not matched and other_splits:
        split = other_splits.most_common(1)[0][0]
        raise InputError(f"its ids lie in the {split} split, not in {gold.split}", name, f"--split {split}")
    if not matched:
        raise _all_unknown(name, first, [gold.ids])
    system = lm_eval.system(path) or notes.ENDINGS.sub("", name)
    found = [matching.matched(system, of_the_file) for matching in matchings.values()]
    if not writing.kept:
        demand_fitting_view([*matchings.values()], gold, view, name)
    return found


def match_told(answers: Iterable[tuple[str, str, str]], gold: Gold) -> list[Matched]:
    """Answers that lie in the dataset itself, as (id, annotator, key): one `Matched` for each annotator."""
    matchings: dict[str, Matching] = {}
    lines = list(answers)
    rows = gold.ids.rows([ident for ident, _, _ in lines])
    keys = gold.keys(rows)
    for (ident, annotator, answer), row, own in zip(lines, rows.tolist(), keys, strict=True):
        matching = matchings.setdefault(annotator, Matching(gold, annotator))
        matching.add(row, Prediction(ident, answer, annotator=annotator), own)
    return [matching.matched(annotator, Counts()) for annotator, matching in matchings.items()]


def _matching_of(
    matchings: dict[str | None, Matching],
    prediction: Prediction,
    gold: Gold,
    view: str | None,
    name: str,
    number: int,
) -> Matching:
    """Whose line it is; that of a new annotator is begun."""
    matching = matchings.get(prediction.annotator)
    if matching is None:
        if len(matchings) == LARGEST_CROWD:
            raise InputError(f"more than {LARGEST_CROWD} annotators", f"{name}:{number}", "split the file")
        matching = matchings[prediction.annotator] = Matching(
            gold, prediction.annotator, prediction.group, view
        )
    if prediction.group != matching.group:
        what = (
            f"annotator {matching.annotator} was of group {matching.group}, here of group {prediction.group}"
        )
        raise InputError(what, f"{name}:{number}", "give each annotator one group, on every line")
    return matching


def _located(
    path: PathLike,
    gold: Gold,
    problems: Counts,
    name: str,
    on_fault: Callable[[InputError], None] | None,
) -> Iterator[tuple[list[tuple[int, Prediction]], Longs]]:
    """Blocks of numbered lines with the row of each, -1 where the split has no such id."""
    cursor = 0
    for block in _blocks(path, problems, name, on_fault):
        ids = [prediction.id for _, prediction in block]
        if gold.ids.between(cursor, cursor + len(ids)) == ids:
            rows = np.arange(cursor, cursor + len(ids))
        else:
            rows = gold.ids.rows(ids)
        cursor = int(rows[-1]) + 1
        yield block, rows


def _blocks(
    path: PathLike, problems: Counts, name: str, on_fault: Callable[[InputError], None] | None = None
) -> Iterator[list[tuple[int, Prediction]]]:
    lines = numbered(path, problems, name, on_fault)
    while block := list(islice(lines, BLOCK)):
        yield block


def _neighbours(ids: list[str], elsewhere: Mapping[str, Ids]) -> dict[str, str]:
    """id → the other split it lies in."""
    found: dict[str, str] = {}
    for split, index in elsewhere.items():
        found |= {id: split for id, row in zip(ids, index.rows(ids).tolist(), strict=True) if row >= 0}
    return found


def _other_dataset(given: str, here: str, where: str) -> InputError:
    what = f"made for another dataset or split ({short(given)}; here: {here})"
    remedy = "give the dataset they were made for, or --any-dataset with --split to count and go on"
    return InputError(what, where, remedy)


def _all_unknown(name: str, first: str, here: Iterable[Ids]) -> InputError:
    own = next((each for ids in here for each in ids.between(0, 1)), None)
    theirs = "" if own is None else f"; the dataset's are such as {shortened(own)!r}"
    what = f"none of its ids is in the dataset (the first is {shortened(first)!r}{theirs})"
    return InputError(what, name, "give the dataset they were made for")
