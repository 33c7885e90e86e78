"""Verbs over predictions: score, compare, agreement, report, hard_subset.

They share their keyword arguments:

split: train, dev or test (default: the one that the ids lie in). protocol: "expected" (ties by expectation) or "answer"
(the answer field). measure: a name of `anagnosis measures`. view: what the systems saw, for the signature.
check_fingerprint: refuse lines made for another dataset. unit: what counts as independent and is swapped and resampled
as one: "document" (instances of one abstract are no independent evidence) or "instance", as the paper did. seed, draws:
of randomisation and bootstrap.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from anagnosis.api.datasets import load
from anagnosis.errors import InputError

if TYPE_CHECKING:
    from anagnosis.datasets.gold import Gold
    from anagnosis.datasets.store import Dataset
    from anagnosis.evaluation.agreement import Agreement
    from anagnosis.evaluation.comparison import Comparison
    from anagnosis.evaluation.scoring import Score
    from anagnosis.predictions import Matched
    from anagnosis.reports.report import Listing, Report

PathLike = str | Path


class Scoring(TypedDict, total=False):
    """How predictions are matched with a dataset and turned into credits; see the module."""

    split: str | None
    protocol: str
    measure: str
    view: str | None
    check_fingerprint: bool


class Testing(Scoring, total=False):
    """And how differences are tested."""

    unit: str
    seed: int
    draws: int


@dataclass(frozen=True, slots=True)
class _How:
    """The same with their defaults."""

    split: str | None = None
    protocol: str = "expected"
    measure: str = "accuracy"
    view: str | None = None
    check_fingerprint: bool = True
    unit: str = "document"
    seed: int = 0
    draws: int = 10_000


def score(
    dataset: PathLike | Dataset, files: Sequence[PathLike], **how: Unpack[Scoring]
) -> dict[str, list[Score]]:
    """split → scores of the files whose ids lie in it, in the order given; a file of several people gives several.

    Predictions are streamed: memory is a few dozen bytes an instance.
    """
    return {name: each.scores for name, each in _scored(load(dataset), files, _How(**how)).items()}


def compare(dataset: PathLike | Dataset, files: Sequence[PathLike], **how: Unpack[Testing]) -> Comparison:
    """Rank systems and test each against the next best and against the first."""
    settings = _How(**how)
    gold, matched = _matched(load(dataset), files, settings)
    return _compared(gold, matched, settings)


def agreement(
    dataset: PathLike | Dataset,
    people: Sequence[PathLike],
    systems: Sequence[PathLike] = (),
    *,
    seed: int = 0,
    **how: Unpack[Scoring],
) -> Agreement:
    """How far people agree, how often they are right, and systems on the same instances (Tables 4 and 5)."""
    return _agreed(load(dataset), people, systems, _How(**how, seed=seed))


def score_report(
    dataset: PathLike | Dataset, files: Sequence[PathLike], *, unit: str = "document", **how: Unpack[Scoring]
) -> Report:
    """What `score` finds as tables and break-downs."""
    from anagnosis.reports.comparison import systems_report
    from anagnosis.reports.systems import systems

    opened, settings = load(dataset), _How(**how, unit=unit)
    scores = {name: each.scores for name, each in _scored(opened, files, settings).items()}
    facts = _facts(opened, list(scores), settings)
    return systems_report(
        f"Scores on {_name(opened)}", facts, systems(scores), None, split=_shown(scores), unit=settings.unit
    )


def compare_report(dataset: PathLike | Dataset, files: Sequence[PathLike], **how: Unpack[Testing]) -> Report:
    """What `compare` finds: the ranking, the verdicts in words, and all tests."""
    from anagnosis.reports.comparison import compare_report as made

    opened, settings = load(dataset), _How(**how)
    gold, matched = _matched(opened, files, settings)
    found = _compared(gold, matched, settings)
    return made(f"Comparison on {_name(opened)}", _facts(opened, [gold.split], settings), found)


def agreement_report(
    dataset: PathLike | Dataset,
    people: Sequence[PathLike],
    systems: Sequence[PathLike] = (),
    *,
    seed: int = 0,
    **how: Unpack[Scoring],
) -> Report:
    """What `agreement` finds, in the shape of Tables 4 and 5."""
    from anagnosis.reports.agreement import agreement_report as made

    opened, settings = load(dataset), _How(**how, seed=seed)
    chosen = settings.split or _one_split(opened, people)
    found = _agreed(opened, people, systems, replace(settings, split=chosen))
    return made(f"Agreement on {_name(opened)}", _facts(opened, [chosen], settings), found)


def report(
    dataset: PathLike | Dataset, files: Sequence[PathLike], *, shortcuts: bool = False, **how: Unpack[Testing]
) -> Report:
    """Everything about some predictions: Table 3, ranking and tests, break-downs (Figure 3), what did not fit.

    Files of several splits of one system are one row; the tests are on test where there is any. shortcuts: add what
    the heuristics and the readers that only count reach there, and each system's gain over the best of them.
    """
    from anagnosis.evaluation.comparison import distinct_names
    from anagnosis.evaluation.scoring import credits_of
    from anagnosis.reports.comparison import systems_report
    from anagnosis.reports.shortcuts import with_shortcuts
    from anagnosis.reports.systems import systems

    opened, settings = load(dataset), _How(**how)
    scored = _scored(opened, files, settings)
    shown = _shown(scored)
    gold, matched = scored[shown].gold, scored[shown].matched
    comparison = _compared(gold, matched, settings) if len(matched) > 1 else None
    rows = systems({name: each.scores for name, each in scored.items()})
    facts = _facts(opened, list(scored), settings)
    made = systems_report(
        f"Report on {_name(opened)}", facts, rows, comparison, split=shown, unit=settings.unit
    )
    if not shortcuts:
        return made
    credits = {
        name: credits_of(gold, each, protocol=settings.protocol, measure=settings.measure)
        for name, each in zip(distinct_names(matched), matched, strict=True)
    }
    return with_shortcuts(
        made,
        opened,
        gold,
        credits,
        protocol=settings.protocol,
        unit=settings.unit,
        seed=settings.seed,
        draws=settings.draws,
        view=settings.view,
    )


def hard_subset(
    dataset: PathLike | Dataset,
    out: PathLike,
    *,
    split: str | None = None,
    files: Sequence[PathLike] = (),
    view: str | None = None,
    replace: bool = False,
) -> Dataset:
    """Write the instances of a split that no shortcut reader points at, as a dataset folder of its own.

    split: default the one that a `report` of these predictions files is on, test if there are none. view: "local"
    leaves out the readers that need an entity's identity. replace: another dataset may lie in `out`.
    """
    from anagnosis.datasets import store
    from anagnosis.datasets.gold import Gold
    from anagnosis.reports.shortcuts import hard_ids, shortcut_readers

    opened = load(dataset)
    store.refuse_itself(opened, out, "the hard subset")
    chosen = split or (_shown(_by_split(opened, files, None)) if files else "test")
    readers = shortcut_readers(opened, chosen, view=view or "global")
    gold = Gold.of(opened, chosen)
    wanted = set(hard_ids(gold, readers))
    kept = {key: opened.recipe[key] for key in ("dataset", "text_form", "numbering") if key in opened.recipe}
    return store.write(
        out,
        {chosen: (instance for instance in store.instances(opened, chosen) if instance.id in wanted)},
        {**kept, "hard_subset_of": gold.fingerprint},
        dropped={"answered_by_a_shortcut": len(gold) - len(wanted)},
        choices={"shortcut_readers": [reader.name for reader in readers if reader.credits is not None]},
        replace=replace,
    )


@dataclass(frozen=True, slots=True)
class _Scored:
    """What the files of one split are worth."""

    gold: Gold
    matched: list[Matched]
    scores: list[Score]


def _scored(dataset: Dataset, files: Sequence[PathLike], how: _How) -> dict[str, _Scored]:
    from anagnosis.datasets.gold import Gold
    from anagnosis.evaluation.scoring import score as worth

    found: dict[str, _Scored] = {}
    for name, own in _by_split(dataset, files, how.split).items():
        gold, matched = _matched(dataset, own, replace(how, split=name), tokens=True)
        known = dataset.numbering == "global" and name != "train" and "train" in dataset.rows
        train = Gold.of(dataset, "train") if known else None
        scores = [
            worth(gold, each, protocol=how.protocol, measure=how.measure, view=how.view, train=train)
            for each in matched
        ]
        found[name] = _Scored(gold, matched, scores)
    return found


def _compared(gold: Gold, matched: Sequence[Matched], how: _How) -> Comparison:
    from anagnosis.evaluation.comparison import compare as tests

    return tests(
        gold,
        matched,
        protocol=how.protocol,
        measure=how.measure,
        unit=how.unit,
        seed=how.seed,
        draws=how.draws,
        view=how.view,
    )


def _agreed(
    dataset: Dataset, people: Sequence[PathLike], systems: Sequence[PathLike], how: _How
) -> Agreement:
    from anagnosis.evaluation.agreement import agreement as figures

    gold, asked = _matched(dataset, people, how)
    beside = _matched(dataset, systems, replace(how, split=gold.split))[1] if systems else []
    return figures(gold, asked, beside, protocol=how.protocol, seed=how.seed, view=how.view)


def _matched(
    dataset: Dataset, files: Sequence[PathLike], how: _How, *, tokens: bool = False
) -> tuple[Gold, list[Matched]]:
    from anagnosis.predictions import match_files

    split = how.split or _one_split(dataset, files)
    return match_files(files, dataset, split, check_fingerprint=how.check_fingerprint, tokens=tokens)


def _by_split(dataset: Dataset, files: Sequence[PathLike], split: str | None) -> dict[str, list[PathLike]]:
    """The files of each split, in the order train, dev, test."""
    from anagnosis.datasets.gold import ids_of
    from anagnosis.predictions import split_of

    if not files:
        raise InputError("no predictions file", "", "name one or more; `anagnosis predict` writes them")
    if split is not None:
        return {split: list(files)}
    ids = {name: ids_of(dataset, name) for name in dataset.rows}
    found: dict[str, list[PathLike]] = {name: [] for name in dataset.rows}
    for path in files:
        found[split_of(path, ids)].append(path)
    return {name: own for name, own in found.items() if own}


def _facts(dataset: Dataset, splits: Sequence[str], how: _How) -> Listing:
    from anagnosis.datasets import store
    from anagnosis.reports.systems import facts

    prints = {split: store.fingerprint(dataset, split) for split in splits}
    told = {"protocol": how.protocol, "measure": how.measure, "unit": how.unit, "view": how.view or ""}
    return facts(dataset.name, dataset.rows, prints, **told)


def _name(dataset: Dataset) -> str:
    return dataset.folder.resolve().name


def _shown(splits: Iterable[str]) -> str:
    """The split that a report is on where its files are of several: test, else the last."""
    names = list(splits)
    return "test" if "test" in names else names[-1]


def _one_split(dataset: Dataset, files: Sequence[PathLike]) -> str:
    found = _by_split(dataset, files, None)
    if len(found) > 1:
        told = "; ".join(
            f"{split}: {', '.join(Path(file).name for file in own)}" for split, own in found.items()
        )
        raise InputError(
            f"the files are for different splits ({told})", "", "give those of one split, or --split"
        )
    return next(iter(found))
