"""Questions with sentences: how many are held, what scores are worth, and one question with its sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.datasets.kinds.evidence_statistics import Statistics
from anagnosis.evaluation.highlighting import Difference, Figure, Highlighting
from anagnosis.evaluation.highlighting_breakdown import HighlightingBreakdown
from anagnosis.predictions import Problem
from anagnosis.reports.datasets.dataset import facts, repairs
from anagnosis.reports.report import (
    Block,
    Cell,
    Column,
    Estimate,
    Heading,
    Item,
    Listing,
    Report,
    Run,
    Table,
    item,
)
from anagnosis.reports.systems.systems import UNFIT, problems, unfit

SAYS = {
    "AUC pooled": "the chance that a sentence that holds an answer scores above one that does not, over all sentences",
    "AUC mean": "the same inside each instance, averaged over those that have both kinds",
    "best sentence (%)": "instances whose best sentence holds the answer",
}


def evidence_report(
    dataset: Dataset, found: Mapping[str, Statistics], fingerprints: Mapping[str, str]
) -> Report:
    """What `show` shows. found: split → its statistics; fingerprints: split → its own."""
    return Report(
        f"The dataset {dataset.folder.resolve().name}",
        (
            Heading("Facts"),
            Listing(tuple(item(name, text) for name, text in facts(dataset, fingerprints) if text)),
            Heading("Size"),
            _sizes(found),
            *_dropped(dataset),
            *repairs(dataset.receipt),
        ),
    )


def instance_report(
    instance: EvidenceInstance, given: Sequence[tuple[str, Sequence[float | None]]], *, split: str
) -> Report:
    """One question with its sentences. given: of each system its name and scores, one a sentence."""
    listed: list[Item] = []
    for place, sentence in enumerate(instance.sentences):
        told = [_SAID[sentence.held]] if sentence.held is not False else []
        for name, scores in given:
            score = scores[place]
            told.append(f"{name} {'–' if score is None else f'{score:.3f}'}")
        label = f"{place} ({', '.join(told)})" if told else str(place)
        listed.append(Item(label, (Run(sentence.text, strong=bool(sentence.held)),)))
    documents = [own[0] for own in instance.documents()]
    titles = [item(f"document {each.document}", each.title) for each in documents if each.title]
    blocks: tuple[Block, ...] = (
        Listing((item("split", split), item("documents", str(len(documents))), *titles)),
        Listing((Item("question", (Run(instance.question, strong=True),)),)),
        Listing(tuple(listed), "Sentences"),
    )
    return Report(f"Instance {instance.id}", blocks)


def score_report(
    title: str,
    facts: Listing,
    splits: Mapping[str, Sequence[tuple[Highlighting, Mapping[str, Problem], str]]],
    taken_apart: Mapping[str, Mapping[str, Sequence[HighlightingBreakdown]]] | None = None,
) -> Report:
    """splits: split → of each system what it is worth, what did not fit, and the signature.

    taken_apart: split → system → its figures by factor.
    """
    files = [(one.name, split, faults) for split, own in splits.items() for one, faults, _ in own]
    blocks: list[Block] = [Heading("Dataset"), facts, *problems(files)]
    for split, own in splits.items():
        blocks += [Heading(f"On {split}"), _scores(split, own)]
        blocks += _breakdowns(split, (taken_apart or {}).get(split, {}))
    return Report(title, tuple(blocks))


def compare_report(
    title: str,
    facts: Listing,
    scores: Sequence[tuple[Highlighting, Mapping[str, Problem], str]],
    differences: Sequence[Difference],
    split: str,
) -> Report:
    """scores: best first; differences: of each pair, the better first."""
    rows: list[tuple[Cell, ...]] = []
    for one in differences:
        row: list[Cell] = [f"{one.first} − {one.second}"]
        for name, figure in (("pooled", one.pooled), ("mean", one.mean), ("best", one.best)):
            row += [_cell(figure), one.p.get(name), one.holm.get(name)]
        rows.append(tuple(row))
    columns = (
        Column("difference"),
        Column("AUC pooled", "gain"),
        *_P,
        Column("AUC mean", "gain"),
        *_P,
        Column("best sentence (points)", "difference"),
        *_P,
    )
    blocks: list[Block] = [
        Heading("Dataset"),
        facts,
        *problems([(one.name, split, faults) for one, faults, _ in scores]),
        Heading(f"On {split}"),
        _scores(split, scores),
        Heading("Differences"),
        Table(
            "Systems against each other",
            columns,
            tuple(rows),
            (_TESTED.format(len(scores) * (len(scores) - 1) // 2),),
        ),
    ]
    return Report(title, tuple(blocks))


_P = (Column("p", "p"), Column("Holm", "p"))
_TESTED = (
    "Intervals and p (two-tailed) are of the same draws of whole questions; of systems of several runs p is the larger "
    "one of that and of a t-test over runs and questions. Holm: corrected for all {} pairs of the ranking."
)
_APART = "Intervals are of draws of a group's questions alone. Groups without a sentence that is held are left out."
_SAID = {True: "holds it", None: "nobody has said"}


def _scores(split: str, scores: Sequence[tuple[Highlighting, Mapping[str, Problem], str]]) -> Table:
    kinds = ("fraction", "fraction", "percent")
    columns = (
        Column("system"),
        *(Column(name, kind, "high") for name, kind in zip(SAYS, kinds, strict=True)),
        Column("unanswered", "count"),
        UNFIT,
    )
    rows = [
        (
            one.name,
            _cell(one.pooled),
            _cell(one.mean),
            _cell(one.best),
            one.unanswered or None,
            unfit(faults),
        )
        for one, faults, _ in scores
    ]
    first = scores[0][0]
    counted = (
        f"{first.pooled.n:,} sentences, {first.best.n:,} instances with one that is held, of them {first.mean.n:,} "
        f"with both kinds, {first.questions:,} questions; 95 % intervals by bootstrap over questions."
    )
    notes = (counted, *(f"{name}: {says}." for name, says in SAYS.items()))
    return Table(
        f"Sentences that hold the answer, {split}",
        columns,
        tuple(rows),
        notes,
        tuple(dict.fromkeys(line for *_, line in scores)),
    )


def _breakdowns(split: str, found: Mapping[str, Sequence[HighlightingBreakdown]]) -> Iterator[Table]:
    """A table for each factor: its groups, in each the systems."""
    names = list(dict.fromkeys(each.factor for own in found.values() for each in own))
    kinds = ("fraction", "fraction", "percent")
    for factor in names:
        columns = (
            Column(factor),
            Column("instances", "count"),
            Column("system"),
            *(Column(name, kind) for name, kind in zip(SAYS, kinds, strict=True)),
        )
        of = {
            system: {one.label: one for each in own if each.factor == factor for one in each.slices}
            for system, own in found.items()
        }
        labels = dict.fromkeys(label for own in of.values() for label in own)
        rows = tuple(
            (
                label,
                one.instances,
                system,
                *(_cell(figure) for figure in (one.worth.pooled, one.worth.mean, one.worth.best)),
            )
            for label in labels
            for system, own in of.items()
            if (one := own.get(label)) is not None
        )
        yield Table(f"By {factor}, {split}", columns, rows, (_APART,))


def _cell(figure: Figure) -> Cell:
    if figure.value is None:
        return None
    if figure.interval is None:
        return figure.value
    return Estimate(figure.value, figure.interval.low, figure.interval.high)


def _dropped(dataset: Dataset) -> Iterator[Block]:
    dropped = dataset.receipt.instances.dropped
    if dropped:
        yield Heading("Left out")
        yield Table(
            "Questions and claims that were read and are not there",
            (Column("why"), Column("times", "count")),
            tuple(dropped.items()),
        )


def _sizes(found: Mapping[str, Statistics]) -> Table:
    def share(part: int, whole: int) -> float | None:
        return part / whole if whole else None

    each = list(found.values())
    train = found.get("train")
    others = [None if train is None or own is train else len(own.documents & train.documents) for own in each]
    rows: tuple[tuple[Cell, ...], ...] = (
        ("instances", *(own.instances for own in each)),
        ("questions that differ", *(len(own.questions) for own in each)),
        ("documents that differ", *(len(own.documents) for own in each)),
        *([("documents that train has too", *others)] if any(n is not None for n in others) else []),
        ("sentences", *(own.sentences for own in each)),
        ("sentences an instance, mean", *(share(own.sentences, own.instances) for own in each)),
        ("sentences an instance, median", *(own.median for own in each)),
        ("words a sentence, mean", *(share(own.words, own.sentences) for own in each)),
        ("sentences that are held", *(own.held for own in each)),
        ("share held (%)", *(None if own.sentences == 0 else 100 * own.held / own.sentences for own in each)),
        ("instances with one kind of sentence", *(own.one_kind for own in each)),
        *(
            (("sentences of which nobody said", *(own.unsaid for own in each)),)
            if any(o.unsaid for o in each)
            else ()
        ),
    )
    columns = (Column(""), *(Column(split, "number") for split in found))
    return Table("Questions and their sentences", columns, rows)
