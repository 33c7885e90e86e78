"""The draw of cloze questions for people: of a split, or of its questions with a label (BIOMRC, section 3.3).

A draw by one seed is the same for every kind of sheet, and a smaller one is part of a larger: people answer the
questions whose skills others label.

BIOMRC makes a question of each entity of a title, and CliCR of each of a learning point. Two such siblings, as "Fever
with XXXX" and "XXXX with cough", show the answers of each other, so only the first by rank is drawn. Sentences are
compared with one word in place of every entity; the right answer is not looked at, so that what is drawn tells nothing
of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import nsmallest

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance, asked_sentence
from anagnosis.datasets.kinds.cloze_views import people_view
from anagnosis.datasets.kinds.table import demand_record
from anagnosis.datasets.sampling import rank
from anagnosis.errors import InputError
from anagnosis.labelling.drawn import Draw, Drawn, first_split, instances_by_id
from anagnosis.labelling.people import check_people
from anagnosis.progress import print_note
from anagnosis.wording import counted

_NAMED = 8  # labels in a message


def draw_questions(kind: str, dataset: store.Dataset, how: Draw) -> Drawn:
    """The questions in the order of the draw. kind: of the sheets."""
    demand_record(dataset.kind, ClozeInstance, str(dataset.folder))
    check_people(how.people)
    if how.count is None and not how.only:
        raise InputError("which questions?", "--draw", "draw some with --draw N, or name a label with --only")
    split = how.split or (_split_of(dataset, how.only) if how.only else first_split(dataset))
    dataset.parts(split)  # refuses a split that is not there
    view = how.view or people_view(dataset.text_form, dataset.numbering)
    dataset.viewer(view)  # and this a view
    instances, left_out = _apart(dataset, split, how)
    if left_out:
        print_note(f"{counted(left_out, 'question')} left out, which would show the answer of a drawn one")
    ids = [instance.id for instance in instances]
    return how.record(kind, store.fingerprint(dataset, split), ids, split=split, view=view)


def _apart(dataset: store.Dataset, split: str, how: Draw) -> tuple[list[ClozeInstance], int]:
    """The first questions by rank of which none shows another's answer, and how many were left out for it.

    InputError: too few are left.
    """
    left_out: set[str] = set()
    while True:
        ranked = (
            (rank(how.seed, ident), ident)
            for ident in _listed(dataset, split, how.only)
            if ident not in left_out
        )
        chosen = sorted(ranked) if how.count is None else nsmallest(how.count, ranked)
        instances = instances_by_id(dataset, split, [ident for _, ident in chosen], ClozeInstance)
        shown = {*showing(instances)}
        if not shown:
            break
        left_out |= shown
    if how.only and not instances:
        raise _no_such_label(dataset, how.only, split)
    if how.count is None or len(instances) == how.count:
        return instances, len(left_out)
    label = f" with the label {how.only!r}" if how.only else ""
    siblings = " that show no answer of others" if left_out else ""
    what = f"{how.count:,} questions are asked for, {split}{label} has {len(instances):,}{siblings}"
    raise InputError(what, str(dataset.folder), "draw fewer, or name another --split")


def _split_of(dataset: store.Dataset, label: str) -> str:
    """The one split with instances of a label. InputError: none has any, or several have."""
    splits = [split for split in dataset.sizes if any(True for _ in _listed(dataset, split, label))]
    if len(splits) > 1:
        what = f"the label {label!r} stands in several splits ({', '.join(splits)})"
        raise InputError(what, str(dataset.folder), "name one with --split")
    if not splits:
        raise _no_such_label(dataset, label, "the dataset")
    return splits[0]


def _listed(dataset: store.Dataset, split: str, label: str) -> Iterator[str]:
    """The id of each question that carries a label, or of every one where it is ""."""
    return (ident for ident, labels in _columns(dataset, split) if not label or label in labels)


def _columns(dataset: store.Dataset, split: str) -> Iterator[tuple[str, list[str]]]:
    for batch in store.batches(dataset, split, 8192, ["id", "labels"]):
        yield from zip(batch.column("id").to_pylist(), batch.column("labels").to_pylist(), strict=True)


def _no_such_label(dataset: store.Dataset, label: str, where: str) -> InputError:
    known = dict.fromkeys(
        each for split in dataset.sizes for _, labels in _columns(dataset, split) for each in labels
    )
    named = ", ".join(list(known)[:_NAMED]) + (", …" if len(known) > _NAMED else "")
    remedy = f"its labels: {named}" if known else "no question has one; make groups with `anagnosis sample`"
    return InputError(f"no question of {where} has the label {label!r}", str(dataset.folder), remedy)


def showing(instances: Sequence[ClozeInstance]) -> Iterator[str]:
    """The ids of questions with another gap in the sentence of an earlier one."""
    asked: dict[tuple[str, str], str] = {}
    for each in instances:
        if asked.setdefault((each.document, asked_sentence(each)), each.question) != each.question:
            yield each.id
