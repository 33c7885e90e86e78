"""Verbs over readers and their predictions: predict, tune, score, compare, agreement, report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anagnosis.api.datasets import load
from anagnosis.errors import InputError

if TYPE_CHECKING:
    from anagnosis.datasets.gold import Gold
    from anagnosis.datasets.store import Dataset
    from anagnosis.evaluation.agreement import Agreement
    from anagnosis.evaluation.comparison import Comparison
    from anagnosis.evaluation.scoring import Score
    from anagnosis.predictions import Matched
    from anagnosis.readers.tune import Tried
    from anagnosis.reports.report import Listing, Report

PathLike = str | Path


def predict(
    reader: str,
    dataset: PathLike | Dataset,
    out: PathLike,
    *,
    split: str = "test",
    seed: int = 0,
    view: str = "global",
    recipe: PathLike | None = None,
    settings: Mapping[str, Any] | None = None,
    train_on: PathLike | Dataset | None = None,
    limit: int | None = None,
) -> int:
    """Run a reader over a split and write its predictions; gives the number of lines.

    settings: the reader's own options. train_on: the dataset on whose train part a reader that counts is fitted.
    """
    from anagnosis import predictions
    from anagnosis.readers.predict import predict as run

    options = {**_reader_recipe(recipe), **(settings or {})}
    training = load(train_on) if train_on is not None else None
    lines = run(
        load(dataset),
        reader,
        split=split,
        seed=seed,
        options=options,
        view=view,
        training=training,
        limit=limit,
    )
    return predictions.write(out, lines)


def tune(
    reader: str,
    dataset: PathLike | Dataset,
    *,
    split: str = "dev",
    recipe: PathLike | None = None,
    settings: Mapping[str, Any] | None = None,
) -> list[Tried]:
    """Try n = 2 … 6 on the development part, as both papers did; recipe and settings say the reader's other options."""
    from anagnosis.datasets import store
    from anagnosis.readers.tune import tune as run

    options = {**_reader_recipe(recipe), **(settings or {})}
    return run(store.instances(load(dataset), split), reader, options=options)


def score(
    dataset: PathLike | Dataset,
    files: Sequence[PathLike],
    *,
    split: str | None = None,
    protocol: str = "expected",
    measure: str = "accuracy",
    view: str | None = None,
    check_fingerprint: bool = True,
) -> dict[str, list[Score]]:
    """split → scores of the files whose ids lie in it, in the order given; a file of several people gives several.

    protocol: "expected" (ties by expectation) or "answer" (the answer field). view: what the systems saw, for the
    signature. Predictions are streamed: memory is a few dozen bytes an instance.
    """
    return {
        name: each.scores
        for name, each in _scored(
            load(dataset), files, split, protocol, measure, view, check_fingerprint
        ).items()
    }


def compare(
    dataset: PathLike | Dataset,
    files: Sequence[PathLike],
    *,
    split: str | None = None,
    protocol: str = "expected",
    measure: str = "accuracy",
    unit: str = "document",
    seed: int = 0,
    draws: int = 10_000,
    view: str | None = None,
    check_fingerprint: bool = True,
) -> Comparison:
    """Rank systems and test each against the next best and against the first.

    unit: what is swapped and resampled as one: "document" (instances of one abstract are no independent evidence)
    or "instance", as the paper did.
    """
    from anagnosis.evaluation.comparison import compare as tests

    gold, matched = _matched(load(dataset), files, split, check_fingerprint)
    return tests(
        gold, matched, protocol=protocol, measure=measure, unit=unit, seed=seed, draws=draws, view=view
    )


def agreement(
    dataset: PathLike | Dataset,
    people: Sequence[PathLike],
    systems: Sequence[PathLike] = (),
    *,
    split: str | None = None,
    protocol: str = "expected",
    seed: int = 0,
    view: str | None = None,
    check_fingerprint: bool = True,
) -> Agreement:
    """How far people agree, how often they are right, and systems on the same instances (Tables 4 and 5)."""
    from anagnosis.evaluation.agreement import agreement as figures

    opened = load(dataset)
    gold, asked = _matched(opened, people, split, check_fingerprint)
    beside = _matched(opened, systems, gold.split, check_fingerprint)[1] if systems else []
    return figures(gold, asked, beside, protocol=protocol, seed=seed, view=view)


def score_report(
    dataset: PathLike | Dataset,
    files: Sequence[PathLike],
    *,
    split: str | None = None,
    protocol: str = "expected",
    measure: str = "accuracy",
    unit: str = "document",
    view: str | None = None,
    check_fingerprint: bool = True,
) -> Report:
    """What `score` finds as tables and break-downs. unit: what the intervals take as independent."""
    from anagnosis.reports.comparison import systems_report
    from anagnosis.reports.systems import systems

    opened = load(dataset)
    scores = score(
        opened,
        files,
        split=split,
        protocol=protocol,
        measure=measure,
        view=view,
        check_fingerprint=check_fingerprint,
    )
    facts = _facts(opened, list(scores), protocol=protocol)
    return systems_report(
        f"Scores on {_name(opened)}", facts, systems(scores), None, split=_shown(scores), unit=unit
    )


def compare_report(
    dataset: PathLike | Dataset,
    files: Sequence[PathLike],
    *,
    split: str | None = None,
    protocol: str = "expected",
    measure: str = "accuracy",
    unit: str = "document",
    seed: int = 0,
    draws: int = 10_000,
    view: str | None = None,
    check_fingerprint: bool = True,
) -> Report:
    """What `compare` finds: the ranking, the verdicts in words, and all tests."""
    from anagnosis.reports.comparison import compare_report as made

    opened = load(dataset)
    chosen = split or _one_split(opened, files)
    found = compare(
        opened,
        files,
        split=chosen,
        protocol=protocol,
        measure=measure,
        unit=unit,
        seed=seed,
        draws=draws,
        view=view,
        check_fingerprint=check_fingerprint,
    )
    return made(
        f"Comparison on {_name(opened)}", _facts(opened, [chosen], protocol=protocol, unit=unit), found
    )


def agreement_report(
    dataset: PathLike | Dataset,
    people: Sequence[PathLike],
    systems: Sequence[PathLike] = (),
    *,
    split: str | None = None,
    protocol: str = "expected",
    seed: int = 0,
    view: str | None = None,
    check_fingerprint: bool = True,
) -> Report:
    """What `agreement` finds, in the shape of Tables 4 and 5."""
    from anagnosis.reports.agreement import agreement_report as made

    opened = load(dataset)
    chosen = split or _one_split(opened, people)
    found = agreement(
        opened,
        people,
        systems,
        split=chosen,
        protocol=protocol,
        seed=seed,
        view=view,
        check_fingerprint=check_fingerprint,
    )
    return made(f"Agreement on {_name(opened)}", _facts(opened, [chosen], protocol=protocol), found)


def report(
    dataset: PathLike | Dataset,
    files: Sequence[PathLike],
    *,
    split: str | None = None,
    protocol: str = "expected",
    measure: str = "accuracy",
    unit: str = "document",
    seed: int = 0,
    draws: int = 10_000,
    view: str | None = None,
    check_fingerprint: bool = True,
    shortcuts: bool = False,
) -> Report:
    """Everything about some predictions: Table 3, ranking and tests, break-downs (Figure 3), what did not fit.

    Files of several splits of one system are one row; the tests are on test where there is any. shortcuts: add what
    the heuristics and the readers that only count reach there, and each system's gain over the best of them.
    """
    from anagnosis.evaluation.comparison import compare as tests
    from anagnosis.reports.comparison import systems_report
    from anagnosis.reports.shortcuts import with_shortcuts
    from anagnosis.reports.systems import systems

    opened = load(dataset)
    scored = _scored(opened, files, split, protocol, measure, view, check_fingerprint)
    shown = _shown(scored)
    gold, matched = scored[shown].gold, scored[shown].matched
    comparison = None
    if len(matched) > 1:
        comparison = tests(
            gold, matched, protocol=protocol, unit=unit, seed=seed, measure=measure, draws=draws, view=view
        )
    rows = systems({name: each.scores for name, each in scored.items()})
    facts = _facts(opened, list(scored), protocol=protocol, measure=measure, unit=unit, view=view or "")
    made = systems_report(f"Report on {_name(opened)}", facts, rows, comparison, split=shown, unit=unit)
    if not shortcuts:
        return made
    from anagnosis.evaluation.comparison import distinct_names
    from anagnosis.evaluation.scoring import credits_of

    credits = {
        name: credits_of(gold, each, protocol=protocol, measure=measure)
        for name, each in zip(distinct_names(matched), matched, strict=True)
    }
    return with_shortcuts(
        made, opened, gold, credits, protocol=protocol, unit=unit, seed=seed, draws=draws, view=view
    )


def hard_subset(
    dataset: PathLike | Dataset,
    out: PathLike,
    *,
    split: str | None = None,
    files: Sequence[PathLike] = (),
    view: str | None = None,
) -> Dataset:
    """Write the instances of a split that no shortcut reader has on top, as a dataset folder of its own.

    split: default the one that a `report` of these predictions files is on, test if there are none. view: "local"
    leaves out the readers that need an entity's identity.
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
    )


@dataclass(frozen=True, slots=True)
class _Scored:
    """What the files of one split are worth."""

    gold: Gold
    matched: list[Matched]
    scores: list[Score]


def _scored(
    dataset: Dataset,
    files: Sequence[PathLike],
    split: str | None,
    protocol: str,
    measure: str,
    view: str | None,
    check_fingerprint: bool,
) -> dict[str, _Scored]:
    from anagnosis.datasets.gold import Gold
    from anagnosis.evaluation.scoring import score as worth

    found: dict[str, _Scored] = {}
    for name, own in _by_split(dataset, files, split).items():
        gold, matched = _matched(dataset, own, name, check_fingerprint, tokens=True)
        known = dataset.numbering == "global" and name != "train" and "train" in dataset.rows
        train = Gold.of(dataset, "train") if known else None
        scores = [
            worth(gold, each, protocol=protocol, measure=measure, view=view, train=train) for each in matched
        ]
        found[name] = _Scored(gold, matched, scores)
    return found


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


def _matched(
    dataset: Dataset,
    files: Sequence[PathLike],
    split: str | None,
    check_fingerprint: bool,
    *,
    tokens: bool = False,
) -> tuple[Gold, list[Matched]]:
    from anagnosis.predictions import match_files

    return match_files(files, dataset, split, check_fingerprint=check_fingerprint, tokens=tokens)


def _facts(dataset: Dataset, splits: Sequence[str], **settings: str) -> Listing:
    from anagnosis.datasets import store
    from anagnosis.reports.systems import facts

    prints = {split: store.fingerprint(dataset, split) for split in splits}
    return facts(dataset.name, dataset.rows, prints, **settings)


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


def _reader_recipe(recipe: PathLike | None) -> dict[str, Any]:
    from anagnosis.recipes import load as recipes

    return recipes.load(recipe) if recipe is not None else {}
