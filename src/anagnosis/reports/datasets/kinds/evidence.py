"""Questions with sentences to look at: how many hold the answer; and one question with its sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.datasets.kinds.evidence_statistics import Statistics, statistics
from anagnosis.reports.datasets.dataset import left_out, repairs, sized_report
from anagnosis.reports.datasets.shown import Asked, Chosen, Shown, fingerprints
from anagnosis.reports.report import Block, Cell, Column, Item, Listing, Report, Run, Table, item

_GOLD = {True: "holds it", None: "unjudged"}


def instance_report(
    instance: EvidenceInstance, given: Sequence[tuple[str, Sequence[float | None]]], *, split: str
) -> Report:
    """One question with its sentences. given: of each system its name and scores, one a sentence."""
    listed: list[Item] = []
    for place, sentence in enumerate(instance.sentences):
        notes = [_GOLD[sentence.held]] if sentence.held is not False else []
        for name, scores in given:
            score = scores[place]
            notes.append(f"{name} {'–' if score is None else f'{score:.3f}'}")
        label = f"{place} ({', '.join(notes)})" if notes else str(place)
        listed.append(Item(label, (Run(sentence.text, strong=bool(sentence.held)),)))
    documents = [own[0] for own in instance.documents()]
    titles = [item(f"document {each.document}", each.title) for each in documents if each.title]
    blocks: tuple[Block, ...] = (
        Listing((item("split", split), item("documents", str(len(documents))), *titles)),
        Listing((Item("question", (Run(instance.question, strong=True),)),)),
        Listing(tuple(listed), "Sentences"),
    )
    return Report(f"Instance {instance.id}", blocks)


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
        *((("unjudged sentences", *(own.unsaid for own in each)),) if any(o.unsaid for o in each) else ()),
    )
    columns = (Column(""), *(Column(split, "number") for split in found))
    return Table("Questions and their sentences", columns, rows)


def _dataset(dataset: Dataset, asked: Asked) -> Report:
    asked.refuse_topics(dataset)
    found = {
        split: statistics(store.instances(dataset, split, of=EvidenceInstance)) for split in dataset.rows
    }
    blocks = (_sizes(found), *left_out(dataset.receipt), *repairs(dataset.receipt))
    return sized_report(dataset, *blocks, splits=fingerprints(dataset))


def _instance(chosen: Chosen) -> Report:
    chosen.refuse_view()
    gold, row = chosen.gold, chosen.row
    given = [] if gold is None else [(one.name, gold.scores_of(one.scores, row)) for one in chosen.matched]
    return instance_report(chosen.instance, given, split=chosen.split)


SHOWN = Shown(_dataset, _instance)
