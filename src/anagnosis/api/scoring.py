"""Verbs over predictions: score, compare, agreement, report, hard_subset.

A system is a predictions file, `NAME=FILE,FILE,…` of several runs, or the folder of a trained run (`systems.py`). The
verbs share their keyword arguments:

split: train, dev or test (default: the one that the ids lie in; of run folders test, for `report` all three).
protocol: of cloze questions "expected" (ties by expectation; the default) or "answer" (the answer field), of decisions
"fixed" (the default) or "official" (evaluation/protocols.py). measure: a name of `anagnosis measures`.
view: what the systems saw, for the signature (default: what is known of each; it may not contradict that; systems of
different views are shown and tested apart). check_fingerprint: refuse lines made for another dataset. unit: what is
independent, swapped and resampled as one: "document" (instances of one abstract are no independent evidence) or
"instance", as the paper did. seed, draws: of randomisation and bootstrap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from anagnosis.api import submissions
from anagnosis.api.datasets import load
from anagnosis.api.scored_systems import (
    How,
    compared,
    credits_by_name,
    labels_of,
    matched,
    notes_of,
    parts_of_views,
    scored,
    shown_split,
    trained_on_notes,
)
from anagnosis.errors import InputError
from anagnosis.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.datasets.gold import Gold
    from anagnosis.datasets.label_file import LabelFile
    from anagnosis.evaluation.agreement import Agreement
    from anagnosis.evaluation.comparison import Comparison
    from anagnosis.evaluation.scoring import Score
    from anagnosis.predictions import Matched
    from anagnosis.reports.report import Listing, Report

EVERY = ("train", "dev", "test")


class Scoring(TypedDict, total=False):
    """How predictions are matched with a dataset and turned into credits; see the module."""

    split: str | None
    protocol: str | None
    measure: str
    view: str | None
    check_fingerprint: bool


class Testing(Scoring, total=False):
    """And how differences are tested."""

    unit: str
    seed: int
    draws: int


def score(
    dataset: PathLike | Dataset,
    files: Sequence[PathLike],
    *,
    labels: PathLike | None = None,
    **how: Unpack[Scoring],
) -> dict[str, list[Score]]:
    """split → scores of the systems that answered it, in the order given; a file of several people gives several.

    labels: a file of labels for instances, to take the scores apart by (datasets/label_file.py). Predictions are
    streamed: memory is a few dozen bytes an instance and run.
    """
    opened = load(dataset)
    found = scored(opened, files, How(**how).on(opened), labels=labels_of(opened, labels))
    return {name: each.scores for name, each in found.items()}


def compare(dataset: PathLike | Dataset, files: Sequence[PathLike], **how: Unpack[Testing]) -> Comparison:
    """Rank systems and test each against the next best and against the first; two views are refused."""
    from anagnosis.reports.systems.views import by_view, parts_of

    opened = load(dataset)
    settings = How(**how).on(opened)
    found = matched(opened, files, settings)
    view, *others = parts_of(found.views)
    if others:
        raise InputError(
            f"the systems saw different views ({by_view(found.called)})",
            "",
            "compare those of one view; `compare_report` has a part for each",
        )
    return compared(found.gold, found.systems, settings, view)


def agreement(
    dataset: PathLike | Dataset,
    people: Sequence[PathLike] = (),
    systems: Sequence[PathLike] = (),
    *,
    stored: bool = False,
    seed: int = 0,
    **how: Unpack[Scoring],
) -> Agreement:
    """How far people agree, how often they are right, and systems on the same instances (Tables 4 and 5).

    stored: the people whose labels lie in the dataset answer too.
    """
    opened = load(dataset)
    return _agreed(opened, people, systems, How(**how, seed=seed).on(opened), stored=stored)


def score_report(
    dataset: PathLike | Dataset,
    files: Sequence[PathLike],
    *,
    unit: str = "document",
    labels: PathLike | None = None,
    **how: Unpack[Scoring],
) -> Report:
    """What `score` finds as tables and break-downs. labels: as for `score`."""
    from anagnosis.reports.systems import views

    opened = load(dataset)
    if not opened.kind.protocols:
        from anagnosis.api.highlighting import score_report as of_sentences

        return of_sentences(opened, files, labels=labels, unit=unit, **how)
    settings = How(**how, unit=unit).on(opened)
    given = labels_of(opened, labels)
    found = scored(opened, files, settings, labels=given)
    return views.report(
        f"Scores on {_name(opened)}",
        _facts(opened, list(found), settings, given),
        parts_of_views(found, settings, tests=False),
        unit=settings.unit,
        notes=notes_of(found),
    )


def compare_report(dataset: PathLike | Dataset, files: Sequence[PathLike], **how: Unpack[Testing]) -> Report:
    """What `compare` finds: the ranking, the verdicts in words, and all tests."""
    from anagnosis.reports.systems import views

    opened = load(dataset)
    if not opened.kind.protocols:
        from anagnosis.api.highlighting import compare_report as of_sentences

        return of_sentences(opened, files, **how)
    settings = How(**how).on(opened)
    found = matched(opened, files, settings)
    parts = {view: found.of(view) for view in views.parts_of(found.views)}
    if len(parts) > 1:
        parts = {view: own for view, own in parts.items() if len(own) > 1}
    if not parts:
        what = f"nothing to compare within a view ({views.by_view(found.called)})"
        raise InputError(what, "", "give two or more systems of one view")
    return views.compare_report(
        f"Comparison on {_name(opened)}",
        _facts(opened, [found.gold.split], settings),
        {view: compared(found.gold, own, settings, view) for view, own in parts.items()},
        found.called,
        split=found.gold.split,
        notes=[
            *(
                f"What {given.called} saw is not known: {fault}."
                for given, known in dict(zip(found.given, found.known, strict=True)).items()
                for fault in known.unread
                if known.view is None
            ),
            *trained_on_notes(found.systems),
        ],
    )


def agreement_report(
    dataset: PathLike | Dataset,
    people: Sequence[PathLike] = (),
    systems: Sequence[PathLike] = (),
    *,
    stored: bool = False,
    seed: int = 0,
    **how: Unpack[Scoring],
) -> Report:
    """What `agreement` finds, in the shape of Tables 4 and 5."""
    from anagnosis.reports.systems.agreement import agreement_report as made

    opened = load(dataset)
    settings = How(**how, seed=seed).on(opened)
    chosen = settings.split or _split_of_people(opened, people)
    found = _agreed(opened, people, systems, replace(settings, split=chosen), stored=stored)
    return made(f"Agreement on {_name(opened)}", _facts(opened, [chosen], settings), found)


def report(
    dataset: PathLike | Dataset, files: Sequence[PathLike], *, shortcuts: bool = False, **how: Unpack[Testing]
) -> Report:
    """Everything about some predictions: Table 3, ranking and tests, break-downs (Figure 3), what did not fit.

    Files of several splits of one system are one row, and a run folder is shown on all splits; the tests are on test
    where there is any. shortcuts: add what the heuristics and the readers that only count reach there, and each
    system's gain over the best of them.
    """
    from anagnosis.reports.datasets.shortcuts import with_shortcuts
    from anagnosis.reports.systems import views

    opened = load(dataset)
    settings = How(**how).on(opened)
    found = scored(opened, files, settings, of_folders=EVERY)
    parts = parts_of_views(found, settings, tests=True)
    made = views.report(
        f"Report on {_name(opened)}",
        _facts(opened, list(found), settings),
        parts,
        unit=settings.unit,
        notes=notes_of(found),
    )
    if not shortcuts:
        return made
    shown = found[shown_split(found)]
    views_here = [part.view for part in parts if len(parts) == 1 or part.view in shown.views]
    credits = {
        part.view: credits_by_name(shown, settings, part.view) if part.view in views_here else {}
        for part in parts
    }
    return with_shortcuts(
        made,
        opened,
        shown.gold,
        credits,
        protocol=settings.counted,
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
    leaves out the readers that need an entity's identity. replace: overwrite an existing dataset in `out`.
    """
    from anagnosis import outputs
    from anagnosis.datasets.folder import store, writing
    from anagnosis.datasets.gold import Gold
    from anagnosis.reports.datasets.shortcuts import hard_ids, shortcut_readers

    opened = load(dataset)
    outputs.output_folder(out, "dataset", inputs=(opened.folder, *files))
    chosen = split or (
        shown_split(submissions.by_split(opened, files, None, of_folders=EVERY)) if files else "test"
    )
    readers = shortcut_readers(opened, chosen, view=view or "global")
    gold = Gold.of(opened, chosen)
    wanted = set(hard_ids(gold, readers))
    kept = {key: opened.recipe[key] for key in ("dataset", "text_form", "numbering") if key in opened.recipe}
    return writing.write(
        out,
        {chosen: (instance for instance in store.instances(opened, chosen) if instance.id in wanted)},
        {**kept, "hard_subset_of": gold.fingerprint},
        dropped={"answered_by_a_shortcut": len(gold) - len(wanted)},
        choices={"shortcut_readers": [reader.name for reader in readers if reader.credits is not None]},
        replace=replace,
    )


def _agreed(
    dataset: Dataset, people: Sequence[PathLike], systems: Sequence[PathLike], how: How, *, stored: bool
) -> Agreement:
    from anagnosis.datasets.gold import Gold
    from anagnosis.evaluation.agreement import agreement as figures
    from anagnosis.predictions import match_files

    split = how.split or _split_of_people(dataset, people)
    gold, asked = (
        match_files(people, dataset, split, check_fingerprint=how.check_fingerprint)
        if people
        else (Gold.of(dataset, split), [])
    )
    if stored:
        asked = [*_stored_people(dataset, gold), *asked]
    beside = (
        match_files(systems, dataset, split, check_fingerprint=how.check_fingerprint)[1] if systems else []
    )
    return figures(gold, asked, beside, protocol=how.counted, seed=how.seed, view=how.view)


def _stored_people(dataset: Dataset, gold: Gold) -> list[Matched]:
    """The annotators whose labels lie in the dataset."""
    from anagnosis.datasets.folder import store
    from anagnosis.predictions import match_told

    found = match_told(
        (
            (instance.id, name, label)
            for instance in store.decisions(dataset, gold.split)
            for name, label in instance.annotators
        ),
        gold,
    )
    if not found:
        raise InputError("holds no labels of people", str(dataset.folder), "give predictions files of people")
    return found


def _split_of_people(dataset: Dataset, files: Sequence[PathLike]) -> str:
    if files:
        return submissions.one_split(dataset, [Path(file) for file in files])[0]
    return shown_split(dataset.rows)


def _facts(dataset: Dataset, splits: Sequence[str], how: How, labels: LabelFile | None = None) -> Listing:
    from anagnosis.datasets.folder import store
    from anagnosis.reports.systems.systems import facts

    prints = {split: store.fingerprint(dataset, split) for split in splits}
    told = {"protocol": how.counted, "measure": how.measure, "unit": how.unit, "view": how.view or ""}
    if labels is not None:
        told["labels"] = labels.told(len(labels.labelled()))
    return facts(dataset.name, dataset.rows, prints, **told)


def _name(dataset: Dataset) -> str:
    return dataset.folder.resolve().name
