"""What systems are worth on a dataset, as one record: scores, comparisons, and what both are of.

    score      systems
    compare    comparisons, one for each view and measure
    report     both, and what can be had without reading where it was asked for

`anagnosis.score(…)` returns it, `--json` prints it (docs/schemas/results.json), and a report shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.table import every_view
from anagnosis.errors import InputError
from anagnosis.evaluation.breakdown import Factor, cut_off, seen_answers
from anagnosis.evaluation.comparison import Comparison, compare_every_pair
from anagnosis.evaluation.differences.paired import DRAWS
from anagnosis.evaluation.measures.measure import Measure, named
from anagnosis.evaluation.protocols import SCORING, protocol_of
from anagnosis.evaluation.retrieval.measures import is_of_rankings
from anagnosis.evaluation.scoring import Score, score
from anagnosis.evaluation.shortcuts import Shortcuts
from anagnosis.evaluation.signature import SCORE_COLUMNS, pair_rows, score_row
from anagnosis.evaluation.systems import System, distinct_names
from anagnosis.io.tables import WithTable
from anagnosis.predictions.notes import ModelNote
from anagnosis.word_vectors.answer_vectors import AnswerVectors


@dataclass(frozen=True, slots=True)
class Settings:
    """What changes numbers. view: what the user says that all systems saw. labels: the file they are taken apart by.

    seed, draws: of the tests between systems; None where nothing is compared. vectors: the file by which answers are
    compared, and the first digits of its SHA-256.
    """

    protocol: str
    measures: tuple[str, ...]
    unit: str = "document"
    view: str | None = None
    seed: int | None = 0
    draws: int | None = 10_000
    labels: str = ""
    vectors: str = ""

    @property
    def free(self) -> bool:
        """Whether a measure compares answers as texts."""
        return any(named(name).free for name in self.measures)

    @classmethod
    def on(
        cls,
        dataset: Dataset,
        *,
        protocol: str | None = None,
        measures: Sequence[str] = (),
        unit: str = "document",
        view: str | None = None,
        seed: int = 0,
        draws: int = 10_000,
        vectors: AnswerVectors | None = None,
    ) -> Settings:
        """With the protocol and the measures that the dataset's kind has where none was asked for.

        Refuses a measure that does not judge the dataset's kind.
        """
        chosen = tuple(dict.fromkeys(measures)) or SCORING[dataset.kind.name].measures
        for name in chosen:
            _of_answers(name).demand(dataset.kind.name, str(dataset.folder))
        _demand_vectors(chosen, vectors)
        dataset.demand_view(view, "--view")
        described = "" if vectors is None else vectors.described
        judging = [named(name) for name in chosen]
        return cls(
            protocol_of(dataset, protocol, judging), chosen, unit, view, seed, draws, vectors=described
        )


def _demand_vectors(measures: Sequence[str], vectors: AnswerVectors | None) -> None:
    """Refuse a measure by word vectors without a file of them, and a file that no measure reads."""
    by_vectors = [name for name in measures if named(name).vectors]
    if by_vectors and vectors is None:
        what = f"the measure {by_vectors[0]!r} compares word vectors, and no file of them is given"
        raise InputError(what, "--measure", "name a word2vec file with --vectors")
    if vectors is not None and not by_vectors:
        what = f"none of the measures {', '.join(measures)} compares word vectors"
        raise InputError(what, "--vectors", "leave it out, or add --measure embedding-average")


def _of_answers(name: str) -> Measure:
    """The measure of that name. InputError: there is none, or it judges a search's ranking."""
    if is_of_rankings(name):
        what = f"the measure {name!r} judges a search's ranking, not answers"
        raise InputError(what, "--measure", "give it to `anagnosis evaluate-search`")
    return named(name)


@dataclass(frozen=True, slots=True)
class ScoredDataset:
    """A dataset that predictions are held against. instances: split → how many; fingerprints: of the splits shown."""

    name: str
    folder: str
    kind: str
    instances: dict[str, int]
    fingerprints: dict[str, str]

    @classmethod
    def of(cls, dataset: Dataset, splits: Iterable[Gold]) -> ScoredDataset:
        """splits: the gold side of those shown."""
        fingerprints = {gold.split: gold.fingerprint for gold in splits}
        folder = dataset.folder.resolve().name
        return cls(dataset.name, folder, dataset.kind.name, dict(dataset.sizes), fingerprints)


@dataclass(frozen=True, slots=True, repr=False)
class Results(WithTable):
    """systems: the score of each system on each of its splits. comparisons: on one split, by view and measure.

    The table has a row for each measure of each system, then two for each tested pair: difference, and p.

    views: of each system, by name, None where it is not known. notes: what else must be reported of the systems.
    language_models: how the runs of those systems were asked that are such, by name.
    """

    dataset: ScoredDataset
    settings: Settings
    systems: tuple[Score, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    shortcuts: Shortcuts | None = None
    views: dict[str, str | None] = field(default_factory=dict[str, "str | None"])
    notes: tuple[str, ...] = ()
    language_models: dict[str, tuple[ModelNote, ...]] = field(
        default_factory=dict[str, tuple[ModelNote, ...]]
    )

    _COLUMNS: ClassVar[Mapping[str, str]] = SCORE_COLUMNS

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        for each in self.systems:
            for own in each.measures.values():
                yield score_row(own.signature, each.name, own.value, own.interval)
        for comparison in self.comparisons:
            for ranked in comparison.ranking if not self.systems else ():
                own = ranked.estimate
                yield score_row(own.signature, ranked.name, own.value, own.interval)
            yield from pair_rows(comparison.signature, comparison.measure, comparison.differences)

    def on(self, split: str) -> list[Score]:
        """The scores on a split, in the order in which the systems were given."""
        return [each for each in self.systems if each.split == split]


@dataclass(frozen=True, slots=True)
class SplitSystems:
    """The systems that have answers for a split."""

    gold: Gold
    systems: tuple[System, ...]

    @property
    def views(self) -> list[str | None]:
        return [system.view for system in self.systems]

    def of(self, view: str | None) -> list[System]:
        """The systems of a view, with those whose view is not known."""
        return [system for system in self.systems if system.view in (None, view)]


def scored(
    dataset: Dataset,
    entered: Mapping[str, SplitSystems],
    settings: Settings,
    *,
    factors: Mapping[str, Sequence[Factor]] | None = None,
    compared: bool = False,
) -> Results:
    """The scores of all systems. entered: split → those that answered it.

    factors: split → what to take its scores apart by, besides what its gold side says. compared: test the systems
    too, each view on test where one of its systems has answers there.
    """
    scores: list[Score] = []
    for name, own in entered.items():
        texts = settings.free and not own.gold.labels
        familiar = dataset.numbering == "global"
        beside_train = name != "train" and "train" in dataset.sizes and (familiar or texts)
        train = Gold.of(dataset, "train", free=texts) if beside_train else None
        further = [*(factors or {}).get(name, ())]
        if texts and train is not None:
            further.append(seen_answers(own.gold, train, settings.protocol))
        dates = {note.cut_off for system in own.systems for note in system.language_models} - {""}
        further += (cut_off(dataset, name, date) for date in sorted(dates))
        scores += (
            score(
                own.gold,
                system,
                protocol=settings.protocol,
                measures=settings.measures,
                unit=settings.unit,
                train=train if familiar else None,
                further_factors=further,
            )
            for system in own.systems
        )
    found: list[Comparison] = []
    for view, own in shown_by_view(entered).items() if compared else ():
        if len(own.of(view)) > 1:
            found += _compared(own, view, settings)
    systems = [system for own in entered.values() for system in own.systems]
    return Results(
        ScoredDataset.of(dataset, [own.gold for own in entered.values()]),
        settings,
        tuple(scores),
        tuple(found),
        views=_views(systems),
        notes=tuple(dict.fromkeys(fault for system in systems for fault in system.faults)),
        language_models=_language_models(systems),
    )


def compared(dataset: Dataset, entered: SplitSystems, settings: Settings) -> Results:
    """The systems of one split ranked and tested within each view that has two."""
    views = views_of(entered.views)
    parts = [view for view in views if len(views) == 1 or len(entered.of(view)) > 1]
    if not parts:
        what = f"nothing to compare within a view ({by_view(_views(entered.systems))})"
        raise InputError(what, "", "give two or more systems of one view")
    return Results(
        ScoredDataset.of(dataset, [entered.gold]),
        settings,
        comparisons=tuple(each for view in parts for each in _compared(entered, view, settings)),
        views=_views(entered.systems),
        notes=tuple(_unknown_views(entered.systems)),
        language_models=_language_models(entered.systems),
    )


def views_of(views: Iterable[str | None]) -> list[str | None]:
    """The parts that systems of these views need: one a view, a single one where no two differ; None: not known."""
    known = {view for view in views if view is not None}
    return [view for view in every_view() if view in known] if known else [None]


def by_view(systems: Mapping[str, str | None]) -> str:
    """The systems of known views: `local: as, aoa; names: max`."""
    if all(view is None for view in systems.values()):
        return ""
    each = {view: ", ".join(name for name, saw in systems.items() if saw == view) for view in every_view()}
    return "; ".join(f"{view}: {names}" for view, names in each.items() if names)


def shown_by_view(entered: Mapping[str, SplitSystems]) -> dict[str | None, SplitSystems]:
    """View → what a report is on: test where a system of that view has answers there, else the last split."""
    views = views_of(view for own in entered.values() for view in own.views)
    return {
        view: entered[
            shown_split(split for split, own in entered.items() if len(views) == 1 or view in own.views)
        ]
        for view in views
    }


def shown_split(splits: Iterable[str]) -> str:
    """The split that a report is on where its files are of several: test, else the last."""
    names = list(splits)
    return "test" if "test" in names else names[-1]


def _compared(entered: SplitSystems, view: str | None, settings: Settings) -> list[Comparison]:
    return [
        compare_every_pair(
            entered.gold,
            entered.of(view),
            protocol=settings.protocol,
            measure=measure,
            unit=settings.unit,
            seed=settings.seed or 0,
            draws=settings.draws or DRAWS,
            view=view,
        )
        for measure in settings.measures
    ]


def _views(systems: Sequence[System]) -> dict[str, str | None]:
    return {name: system.view for name, system in zip(distinct_names(systems), systems, strict=True)}


def _language_models(systems: Sequence[System]) -> dict[str, tuple[ModelNote, ...]]:
    named_apart = zip(distinct_names(systems), systems, strict=True)
    return {name: system.language_models for name, system in named_apart if system.language_models}


def _unknown_views(systems: Sequence[System]) -> list[str]:
    return [
        f"What {system.name} saw is not known: {fault}."
        for system in systems
        if system.view is None
        for fault in system.unread
    ]
