"""What the verbs over predictions share: systems held against a dataset and scored, by split and by view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from anagnosis.api import submissions
from anagnosis.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.datasets.gold import Gold
    from anagnosis.datasets.label_file import LabelFile
    from anagnosis.evaluation.breakdown import Factor
    from anagnosis.evaluation.comparison import Comparison
    from anagnosis.evaluation.intervals import Floats
    from anagnosis.evaluation.scoring import Score
    from anagnosis.evaluation.systems import System
    from anagnosis.reports.systems.systems import System as Row
    from anagnosis.reports.systems.views import Part


@dataclass(frozen=True, slots=True)
class How:
    """The keyword arguments of the verbs, with their defaults; see scoring.py."""

    split: str | None = None
    protocol: str | None = None
    measure: str = "accuracy"
    view: str | None = None
    check_fingerprint: bool = True
    unit: str = "document"
    seed: int = 0
    draws: int = 10_000

    def on(self, dataset: Dataset) -> How:
        """The same with the protocol that the dataset's kind has where none was asked for.

        Refuses a measure that does not judge the dataset's kind.
        """
        from anagnosis.datasets.kinds.table import view_of
        from anagnosis.evaluation.measures.measure import named
        from anagnosis.evaluation.protocols import protocol_of

        if self.view is not None:
            view_of(dataset.kind, self.view)
        named(self.measure).demand(dataset.kind.name, str(dataset.folder))
        return replace(self, protocol=protocol_of(dataset, self.protocol))

    @property
    def counted(self) -> str:
        """The protocol, which `on` has set."""
        if self.protocol is None:
            raise ValueError("no dataset has said which protocol is meant")
        return self.protocol


@dataclass(frozen=True, slots=True)
class Matched:
    """The systems of one split. given, known: what the user gave for each of them, and what is known of it."""

    gold: Gold
    given: list[submissions.Given]
    known: list[submissions.Known]
    systems: list[System]

    @property
    def views(self) -> list[str | None]:
        return [known.view for known in self.known]

    @property
    def called(self) -> list[tuple[str, str | None]]:
        """The name and view of each."""
        return [(system.name, known.view) for system, known in zip(self.systems, self.known, strict=True)]

    def of(self, view: str | None) -> list[System]:
        """Those of a view, with those of which none is known."""
        return [
            system for system, saw in zip(self.systems, self.views, strict=True) if saw is None or saw == view
        ]


@dataclass(frozen=True, slots=True)
class Scored(Matched):
    """And what they are worth."""

    scores: list[Score]


def matched(dataset: Dataset, files: Sequence[PathLike], how: How) -> Matched:
    """The systems of one split."""
    if how.split is None:
        split, own = submissions.one_split(dataset, files)
    else:
        ((split, own),) = submissions.by_split(dataset, files, how.split, of_folders=()).items()
    known = submissions.known_of(own, how.view)
    gold, found = submissions.matched(dataset, own, split, check_fingerprint=how.check_fingerprint)
    given = [each for each, _ in found]
    return Matched(gold, given, [known[each] for each in given], [system for _, system in found])


def scored(
    dataset: Dataset,
    files: Sequence[PathLike],
    how: How,
    *,
    of_folders: Sequence[str] = ("test",),
    labels: LabelFile | None = None,
) -> dict[str, Scored]:
    """The systems that have answers for each split; of_folders: the splits for which run folders are taken to.

    labels: to take the scores apart by; those of decisions are by the type of the question too.
    """
    from anagnosis.datasets.gold import Gold
    from anagnosis.evaluation.scoring import score as worth

    given = submissions.by_split(dataset, files, how.split, of_folders=of_folders)
    known = submissions.known_of((each for own in given.values() for each in own), how.view)
    found: dict[str, Scored] = {}
    for name, own in given.items():
        # Where train is one of the splits that are shown of every system, its name says it.
        taught = how.split is not None or name != "train" or name not in of_folders
        gold, held = submissions.matched(
            dataset, own, name, check_fingerprint=how.check_fingerprint, tokens=True, taught=taught
        )
        familiar = dataset.numbering == "global" and name != "train" and "train" in dataset.rows
        train = Gold.of(dataset, "train") if familiar else None
        told = factors_told(dataset, name, labels)
        scores = [
            worth(
                gold,
                system,
                protocol=how.counted,
                measure=how.measure,
                view=known[each].view,
                train=train,
                told=told,
            )
            for each, system in held
        ]
        systems = [system for _, system in held]
        found[name] = Scored(
            gold, [each for each, _ in held], [known[each] for each, _ in held], systems, scores
        )
    return found


def labels_of(dataset: Dataset, path: PathLike | None) -> LabelFile | None:
    """A user's label file, held against all ids of the dataset."""
    if path is None:
        return None
    from anagnosis.datasets import label_file
    from anagnosis.datasets.folder import store
    from anagnosis.datasets.pubmedqa.characteristics import in_short

    return in_short(label_file.read(path, {ident for ident, _ in store.ids_and_keys(dataset, store.ALL)}))


def factors_told(dataset: Dataset, split: str, labels: LabelFile | None) -> list[Factor]:
    """What the instances of a split can be taken apart by besides what their gold side tells."""
    from anagnosis.datasets.folder import store
    from anagnosis.evaluation.breakdown import labelled

    factors = dataset.kind.factors
    if not factors and labels is None:
        return []
    # Their patterns take a tenth of a second to compile.
    from anagnosis.datasets.pubmedqa.characteristics import PUBLISHED, QUESTION_TYPE
    from anagnosis.datasets.pubmedqa.question_types import QUESTION_TYPES, question_type

    columns = labels.columns if labels is not None else {}
    found: list[Factor] = []
    if QUESTION_TYPE in factors and QUESTION_TYPE not in columns:
        types = (question_type(question) for _, question in store.questions(dataset, split))
        found.append(labelled(QUESTION_TYPE, types, (*QUESTION_TYPES,)))
    if columns:
        ids = [ident for ident, _ in store.ids_and_keys(dataset, split)]
        for column, of in columns.items():
            factor = labelled(column, (of.get(ident, "") for ident in ids), (*PUBLISHED.get(column, ()),))
            found += [factor] if factor.labels else []
    return found


def _rows(scored: Mapping[str, Scored]) -> list[Row]:
    """The rows of Table 3."""
    from anagnosis.reports.systems.systems import systems

    return systems(
        {split: own.scores for split, own in scored.items()},
        {split: [known.training for known in own.known] for split, own in scored.items()},
        {split: [each.place for each in own.given] for split, own in scored.items()},
        {split: own.views for split, own in scored.items()},
    )


def notes_of(scored: Mapping[str, Scored]) -> list[str]:
    """What must be told of the systems' training, in the order given within each split."""
    faults = (fault for own in scored.values() for known in own.known for fault in known.faults)
    return list(dict.fromkeys(faults))


def trained_on_notes(systems: Iterable[System]) -> list[str]:
    """What must be told of systems that were trained on what they are compared on."""
    from anagnosis.evaluation.systems import problems_of

    return [
        f"{system.name} was trained on {_times(told.count, len(system.runs))}, by their words, such as {told.first[0]}."
        for system in systems
        if (told := problems_of(system).get("trained_on")) is not None
    ]


def _times(count: int, runs: int) -> str:
    if runs == 1:
        return f"{count:,} of these instances"
    return f"{count / runs:,.0f} of these instances in the mean of its {runs} runs"


def parts_of_views(scored: Mapping[str, Scored], how: How, *, tests: bool) -> list[Part]:
    """The systems by view; a view's part is on test where a system of that view has answers there."""
    from anagnosis.reports.systems.views import Part, parts_of

    rows = _rows(scored)
    views = parts_of(view for own in scored.values() for view in own.views)
    parts: list[Part] = []
    for view in views:
        lies_in = [split for split, own in scored.items() if len(views) == 1 or view in own.views]
        shown = scored[shown_split(lies_in)]
        own = shown.of(view)
        comparison = compared(shown.gold, own, how, view) if tests and len(own) > 1 else None
        of_view = [row for row in rows if row.view is None or row.view == view]
        parts.append(Part(view, of_view, comparison, shown.gold.split))
    return parts


def credits_by_name(scored: Scored, how: How, view: str | None) -> dict[str, Floats]:
    """Name → credits of the runs, float64 [runs, m], of the systems that a view's part holds."""
    from anagnosis.evaluation.scoring import credits_of_runs
    from anagnosis.evaluation.systems import distinct_names

    systems = scored.of(view)
    return {
        name: credits_of_runs(scored.gold, each, protocol=how.counted, measure=how.measure)
        for name, each in zip(distinct_names(systems), systems, strict=True)
    }


def compared(gold: Gold, systems: Sequence[System], how: How, view: str | None) -> Comparison:
    """The systems ranked and tested, signed with the view."""
    from anagnosis.evaluation.comparison import compare as tests

    return tests(
        gold,
        systems,
        protocol=how.counted,
        measure=how.measure,
        unit=how.unit,
        seed=how.seed,
        draws=how.draws,
        view=view,
    )


def shown_split(splits: Iterable[str]) -> str:
    """The split that a report is on where its files are of several: test, else the last."""
    names = list(splits)
    return "test" if "test" in names else names[-1]
