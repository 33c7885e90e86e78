"""PQA-L, PQA-U and PQA-A out of one or more datasets, as the phases of a training take them.

Where an id stands twice the first counts. What people labelled is left out of the other two: a builder that reads all
of PubMed finds those questions again, and a reader would be taught what it is examined on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.datasets.pubmedqa.folds import ARTIFICIAL_TRAIN, artificial_split

ARTIFICIAL, UNLABELLED, LABELLED = "A", "U", "L"
# Of 211,269 instances with labels by rule the authors train on 200,000; of fewer or more we take the same share.
_SHARE = ARTIFICIAL_TRAIN / 211_269


@dataclass(frozen=True, slots=True)
class Subsets:
    """ids: of each subset, in the order of the authors' file, of what was built in that of the dataset.

    numbers: (id, subset) → which of the datasets has it. left_out: why → how many.
    """

    datasets: tuple[store.Dataset, ...]
    ids: Mapping[str, tuple[str, ...]]
    numbers: Mapping[tuple[str, str], int]
    left_out: Mapping[str, int]

    def parts(self, subset: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """(train, dev) as the authors divide PQA-A; they say nothing of PQA-U, which is divided alike here."""
        return divided(self.ids[subset])

    def sources(self, ids: Mapping[str, Iterable[str]]) -> list[store.Dataset]:
        """The datasets that have one of these instances (ids by subset), in their order."""
        numbers = {self.numbers[ident, subset] for subset, own in ids.items() for ident in own}
        return [self.datasets[number] for number in sorted(numbers)]

    def instances(self, subset: str, labels: Mapping[str, str | None]) -> Iterator[DecisionInstance]:
        """The questions of a subset that `labels` names, in the order of the datasets; a label given there counts."""
        left = dict(labels)
        for number in sorted({self.numbers[ident, subset] for ident in labels}):
            for instance in store.instances(self.datasets[number], store.ALL, of=DecisionInstance):
                if not left:
                    return
                if instance.subset == subset and instance.id in left:
                    label = left.pop(instance.id)
                    yield instance if label is None else msgspec.structs.replace(instance, label=label)


def subsets(datasets: Sequence[store.Dataset]) -> Subsets:
    """What the datasets hold of each subset. What cannot be used is counted."""
    places: dict[str, dict[str, tuple[int, int]]] = {ARTIFICIAL: {}, UNLABELLED: {}, LABELLED: {}}
    left_out: Counter[str] = Counter()
    for number, dataset in enumerate(datasets):
        for instance in store.instances(dataset, store.ALL, of=DecisionInstance):
            own = places[instance.subset]
            if instance.id in own:
                left_out[f"stand twice in PQA-{instance.subset}"] += 1
            else:
                own[instance.id] = (number, instance.place)
    for subset in (ARTIFICIAL, UNLABELLED):
        both = places[subset].keys() & places[LABELLED].keys()
        for ident in both:
            del places[subset][ident]
        if both:
            left_out[f"of PQA-{subset} are in PQA-L too"] = len(both)
    ordered = {subset: tuple(sorted(own, key=own.__getitem__)) for subset, own in places.items()}
    numbers = {(ident, subset): place[0] for subset, own in places.items() for ident, place in own.items()}
    return Subsets(tuple(datasets), ordered, numbers, left_out)


def divided(ids: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(train, dev): shuffled with the authors' seed; the share for training is theirs, 200,000 of 211,269."""
    train, dev = artificial_split(ids, round(len(ids) * _SHARE))
    return tuple(train), tuple(dev)
