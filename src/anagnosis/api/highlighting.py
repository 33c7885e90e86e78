"""Verbs over predictions for sentences: what their scores are worth, and whether one system's are better.

Systems are given as to `score` (systems.py). Sentences have no views and no protocols.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from anagnosis.api import submissions
from anagnosis.api.datasets import load
from anagnosis.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.datasets.gold import Gold
    from anagnosis.evaluation.highlighting import Highlighting
    from anagnosis.evaluation.systems import System
    from anagnosis.predictions import Problem
    from anagnosis.reports.report import Listing, Report

_Row = tuple["Highlighting", "dict[str, Problem]", str]


def score_highlighting(
    dataset: PathLike | Dataset,
    files: Sequence[PathLike],
    *,
    split: str | None = None,
    check_fingerprint: bool = True,
) -> dict[str, list[Highlighting]]:
    """split → what each system's scores are worth there, in the order given."""
    opened = load(dataset)
    found = _matched(opened, files, split, check_fingerprint=check_fingerprint)
    return {name: [row[0] for row in own.rows()] for name, own in found.items()}


def score_report(
    dataset: Dataset, files: Sequence[PathLike], *, labels: PathLike | None = None, **how: Any
) -> Report:
    """What `score_highlighting` finds as a page, and the same by groups of instances.

    labels: a file of labels for instances, to take the figures apart by too (datasets/label_file.py).
    """
    from anagnosis.api.scored_systems import factors_told, labels_of
    from anagnosis.datasets.folder import store
    from anagnosis.evaluation.highlighting_breakdown import breakdowns, factors
    from anagnosis.reports.datasets.evidence import score_report as made

    _refuse_unit(how.pop("unit", None))
    given = labels_of(dataset, labels)
    found = _matched(dataset, files, **_own(how))
    splits = {name: own.rows() for name, own in found.items()}
    taken_apart = {
        name: {
            system.name: breakdowns(
                own.gold,
                system,
                [
                    *factors(own.gold, (question for _, question in store.questions(dataset, name))),
                    *factors_told(dataset, name, given),
                ],
            )
            for system in own.systems
        }
        for name, own in found.items()
    }
    told = {} if given is None else {"labels": given.told(len(given.labelled()))}
    return made(f"Scores on {_name(dataset)}", _facts(dataset, list(found), **told), splits, taken_apart)


def compare_report(dataset: Dataset, files: Sequence[PathLike], **how: Any) -> Report:
    """The systems, best first by the mean AUC, and each against the next best and against the first."""
    from anagnosis.errors import InputError
    from anagnosis.evaluation.highlighting import DRAWS, differences
    from anagnosis.reports.datasets.evidence import compare_report as made

    seed, draws = how.pop("seed", 0), how.pop("draws", DRAWS)
    _refuse_unit(how.pop("unit", None))
    found = _matched(dataset, files, **_own(how))
    if len(found) > 1:
        raise InputError(f"the files are for {', '.join(found)}", "", "give those of one split, or --split")
    ((split, own),) = found.items()
    if len(own.systems) < 2:
        raise InputError("one system alone", "", "name two or more to compare")
    ranked = sorted(
        zip(own.rows(seed, draws), own.systems, strict=True), key=lambda each: -(each[0][0].mean.value or 0.0)
    )
    apart = differences(own.gold, [system for _, system in ranked], seed=seed, draws=draws)
    return made(
        f"Comparison on {_name(dataset)}",
        _facts(dataset, [split]),
        [row for row, _ in ranked],
        apart,
        split,
    )


@dataclass(frozen=True, slots=True)
class _Matched:
    """The systems of one split."""

    gold: Gold
    systems: list[System]

    def rows(self, seed: int = 0, draws: int | None = None) -> list[_Row]:
        """draws: None for as many as `score` takes."""
        from anagnosis.evaluation.highlighting import DRAWS, PROTOCOL, highlighting
        from anagnosis.evaluation.scoring import runs_setting, signature
        from anagnosis.evaluation.systems import problems_of

        found: list[_Row] = []
        number = DRAWS if draws is None else draws
        for system in self.systems:
            own = highlighting(self.gold, system, seed=seed, draws=number)
            line = signature(
                self.gold,
                n=own.best.n,
                protocol=PROTOCOL,
                measure="auc",
                seed=seed,
                settings=(("draws", str(number)), *runs_setting([system])),
            )
            found.append((own, problems_of(system), str(line)))
        return found


def _matched(
    dataset: Dataset, files: Sequence[PathLike], split: str | None, *, check_fingerprint: bool
) -> dict[str, _Matched]:
    from anagnosis.evaluation.systems import distinct_names

    given = submissions.by_split(dataset, files, split, of_folders=("test",))
    found: dict[str, _Matched] = {}
    for name, own in given.items():
        _refuse_unsaid(dataset, name)
        gold, held = submissions.matched(dataset, own, name, check_fingerprint=check_fingerprint)
        systems = [system for _, system in held]
        named = [replace(one, name=name) for name, one in zip(distinct_names(systems), systems, strict=True)]
        found[name] = _Matched(gold, named)
    return found


def _own(how: dict[str, Any]) -> dict[str, Any]:
    """Of the options of all kinds those that sentences have; others are refused where they say something."""
    from anagnosis.api.arguments import refuse_options

    split, check = how.pop("split", None), how.pop("check_fingerprint", True)
    refuse_options("scores of sentences", **how)
    return {"split": split, "check_fingerprint": check}


def _refuse_unit(unit: str | None) -> None:
    """Questions are drawn as one, whatever else is independent of cloze questions."""
    from anagnosis.api.arguments import refuse_options

    refuse_options("scores of sentences", unit=None if unit == "document" else unit)


def _refuse_unsaid(dataset: Dataset, split: str) -> None:
    """Refuse a split with sentences of which nobody has said whether they are held: they are no negatives."""
    from anagnosis.datasets.folder import store
    from anagnosis.datasets.kinds import evidence
    from anagnosis.errors import InputError

    open_ones = [
        (found.id, count)
        for found in store.evidence_instances(dataset, split)
        if (count := evidence.unsaid(found))
    ]
    if open_ones:
        sentences = sum(count for _, count in open_ones)
        first = open_ones[0][0]
        raise InputError(
            f"of {sentences:,} sentences of {len(open_ones):,} instances nobody has said whether they hold the answer",
            f"{dataset.name} {split}, first {first}",
            "score a split of which all is said",
        )


def _facts(dataset: Dataset, splits: Sequence[str], **told: str) -> Listing:
    from anagnosis.datasets.folder import store
    from anagnosis.reports.systems.systems import facts

    prints = {split: store.fingerprint(dataset, split) for split in splits}
    return facts(dataset.name, dataset.rows, prints, **told)


def _name(dataset: Dataset) -> str:
    return dataset.folder.resolve().name
