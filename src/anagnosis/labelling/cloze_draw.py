"""The draw of cloze questions for people: of a split, or of its questions with a label (BIOMRC, section 3.3).

A draw by one seed is the same for every kind of sheet, and a smaller one is part of a larger: people answer the
questions whose skills others label.

BIOMRC makes a question of each entity of a title, and CliCR of each of a learning point. Two such siblings show the
answers of each other, so only the first by rank is drawn. The same holds of BioRead's overlapping windows:

    Fever with XXXX .  /  XXXX with cough .       BIOMRC, CliCR: two gaps in one sentence
    passage: … Fever with cough . …               BioRead: windows of a text overlap, so that the sentence of one
                                                  question stands whole in the passage of another

Sentences are compared by their words: those of the text, with each candidate in turn in the gap, and those with one
word in place of every entity, since each question may number entities anew. The right answer is not looked at, so that
what is drawn tells nothing of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from heapq import nsmallest
from itertools import islice
from pathlib import Path

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import ENTITY, PLACEHOLDER, ClozeInstance, asked_sentence
from anagnosis.datasets.kinds.cloze_views import people_view
from anagnosis.datasets.kinds.table import demand_record
from anagnosis.datasets.sampling import rank
from anagnosis.errors import InputError
from anagnosis.labelling import Draw
from anagnosis.labelling.drawn import Drawn, any_drawn, first_split, instances_by_id
from anagnosis.labelling.people import check_people
from anagnosis.progress import print_note

_NAMED = 8  # labels in a message
_BLOCK = 65_536  # ids ranked at once
_ANCHOR = 6  # words by which sentences are looked up in passages
_FEWEST = 5  # words that are no entities, with which a sentence is known without its entities
_Words = tuple[str, ...]


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
    others = [(folder, any_drawn(folder)) for folder in how.apart_from]
    instances, siblings = _apart(dataset, split, how, others)
    if siblings:
        left_out = "1 question is" if siblings == 1 else f"{siblings:,} questions are"
        print_note(
            f"{left_out} left out, which would show the answer of a drawn one, or the other way round; "
            "--keep-siblings leaves nothing out"
        )
    return how.record(
        kind,
        store.fingerprint(dataset, split),
        [instance.id for instance in instances],
        split=split,
        view=view,
        siblings=siblings,
        documents=tuple(sorted({instance.document for instance in instances})),
        passages=tuple(sorted({_passage(instance) for instance in instances})),
    )


def _apart(
    dataset: store.Dataset, split: str, how: Draw, others: Sequence[tuple[Path, Drawn]]
) -> tuple[list[ClozeInstance], int]:
    """The first questions by rank that share no document with another study and show no other's answer.

    Gives them, and how many were left out as siblings. InputError: too few are left.
    """
    documents = {document for _, drawn in others for document in drawn.documents}
    passages = {passage for _, drawn in others for passage in drawn.passages}
    same_text: set[str] = set()  # of another document, but of the same text, as in the two files of TINY
    siblings: set[str] = set()
    while True:
        total = free = 0
        ranked: list[tuple[bytes, str]] = []
        listed = _listed(dataset, split, how.only)
        while block := list(islice(listed, _BLOCK)):
            left = [ident for ident, document in block if document not in documents]
            left = [ident for ident in left if ident not in same_text and ident not in siblings]
            total, free = total + len(block), free + len(left)
            ranked += ((rank(how.seed, ident), ident) for ident in left)
            ranked = sorted(ranked) if how.count is None else nsmallest(how.count, ranked)
        instances = instances_by_id(dataset, split, [ident for _, ident in ranked], ClozeInstance)
        same = {each.id for each in instances if passages and _passage(each) in passages}
        shown = set[str]() if how.siblings else {*showing(instances)} - same
        if not same and not shown:
            break
        same_text |= same
        siblings |= shown
    if how.only and not total:
        raise _no_such_label(dataset, how.only, split)
    shared = total - free - len(siblings)
    if total and (shared == 0 if how.count is None else len(instances) == how.count):
        return instances, len(siblings)
    label = f" with the label {how.only!r}" if how.only else ""
    what = f"{how.count or total:,} questions are asked for, {split}{label} has {total:,}"
    reasons: list[str] = []
    if shared:
        folders = ", ".join(str(folder) for folder, _ in others)
        reasons.append(f"{shared:,} {'shares' if shared == 1 else 'share'} a document with {folders}")
    if siblings:
        shows = "1 shows the answer" if len(siblings) == 1 else f"{len(siblings):,} show the answers"
        reasons.append(f"{shows} of others")
    if reasons:
        what += f"; of these {' and '.join(reasons)}"
    if free == total:
        raise InputError(what, str(dataset.folder), "draw fewer, or name another --split")
    remedy = f"draw the others with --draw {free}" if free else "draw from another dataset"
    if siblings:
        remedy += ", or add --keep-siblings"
    raise InputError(what, str(dataset.folder), remedy)


def _passage(instance: ClozeInstance) -> str:
    """A hash of the passage's words without its entities, which are the same in every file of a text."""
    words = " ".join(instance.key_texts[1].split())
    return hashlib.blake2b(words.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _split_of(dataset: store.Dataset, label: str) -> str:
    """The one split with instances of a label. InputError: none has any, or several have."""
    splits = [split for split in dataset.sizes if any(True for _ in _listed(dataset, split, label))]
    if len(splits) > 1:
        what = f"the label {label!r} stands in several splits ({', '.join(splits)})"
        raise InputError(what, str(dataset.folder), "name one with --split")
    if not splits:
        raise _no_such_label(dataset, label, "the dataset")
    return splits[0]


def _listed(dataset: store.Dataset, split: str, label: str) -> Iterator[tuple[str, str]]:
    """(id, document) of each question that carries a label, or of every one where it is ""."""
    for ident, document, labels in _columns(dataset, split):
        if not label or label in labels:
            yield ident, document


def _columns(dataset: store.Dataset, split: str) -> Iterator[tuple[str, str, list[str]]]:
    for part in dataset.parts(split):
        for batch in store.batches(part, 8192, ["id", "document", "labels"]):
            yield from zip(
                *(batch.column(name).to_pylist() for name in ("id", "document", "labels")), strict=True
            )


def _no_such_label(dataset: store.Dataset, label: str, where: str) -> InputError:
    known = dict.fromkeys(
        each for split in dataset.sizes for _, _, labels in _columns(dataset, split) for each in labels
    )
    named = ", ".join(list(known)[:_NAMED]) + (", …" if len(known) > _NAMED else "")
    remedy = f"its labels: {named}" if known else "no question has one; make groups with `anagnosis sample`"
    return InputError(f"no question of {where} has the label {label!r}", str(dataset.folder), remedy)


def showing(instances: Sequence[ClozeInstance]) -> Iterator[str]:
    """The ids of questions that show the answer of an earlier one, or whose answer an earlier one shows."""
    asked: dict[tuple[str, str], str] = {}
    overlapping = _overlapping(instances)
    kept = set[int]()
    for place, each in enumerate(instances):
        other_gap = asked.setdefault((each.document, asked_sentence(each)), each.question) != each.question
        if other_gap or not kept.isdisjoint(overlapping[place]):
            yield each.id
        else:
            kept.add(place)


def _overlapping(instances: Sequence[ClozeInstance]) -> list[set[int]]:
    """Of each question those in whose passage its sentence stands, or whose sentence stands in its passage."""
    found = [set[int]() for _ in instances]
    sentences: dict[_Words, list[tuple[int, _Words]]] = {}
    for place, each in enumerate(instances):
        for words in _sentences(each):
            sentences.setdefault(words[:_ANCHOR], []).append((place, words))
    lengths = sorted({len(anchor) for anchor in sentences})
    for place, each in enumerate(instances):
        for text in (each.passage, each.key_texts[1]):
            words = tuple(text.split())
            for start in range(len(words)):
                for length in lengths:
                    for other, sentence in sentences.get(words[start : start + length], ()):
                        if other != place and words[start : start + len(sentence)] == sentence:
                            found[place].add(other)
                            found[other].add(place)
    return found


def _sentences(instance: ClozeInstance) -> Iterator[_Words]:
    """The question with each candidate in its gap, and without entities where enough is left of it."""
    names = (name for each in instance.candidates for name in (*each.names, f"{ENTITY}{each.number}"))
    for name in dict.fromkeys(names):
        if words := tuple(instance.question.replace(PLACEHOLDER, name).split()):
            yield words
    plain = tuple(asked_sentence(instance).split())
    if sum(word != "entity" and any(map(str.isalnum, word)) for word in plain) >= _FEWEST:
        yield plain
