"""Cloze questions for people: drawn from a split, as a question page shows them (CliCR, sections 4.1 and 7.1).

A draw by one seed is the same for every kind of sheet, and a smaller one is part of a larger: people answer the
questions whose skills others label. `drawn.json` records the draw:

    {"kind": "answers", "dataset": "3f0c…", "split": "dev", "view": "names", "seed": 0, "ids": ["bcr-2012-1.2", …]}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from pathlib import Path

import msgspec

from anagnosis import outputs
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance, Place
from anagnosis.datasets.kinds.cloze_tokens import PSEUDO
from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.datasets.sampling import rank
from anagnosis.errors import InputError
from anagnosis.labelling import Draw
from anagnosis.labelling.question_page import Entity, Piece, Question
from anagnosis.paths import PathLike

PAGE = "questions.html"
RECORD = "drawn.json"
SPLITS = ("dev", "test", "train")  # CliCR's people answered questions of dev
_GAP = -1  # in place of an entity


class Drawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A draw. dataset: the split's fingerprint. ids: in the order of the draw."""

    kind: str
    dataset: str
    split: str
    view: str
    seed: int
    ids: tuple[str, ...]

    def encoded(self) -> bytes:
        """As RECORD holds it."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"


def opened(source: PathLike | store.Dataset, sheets: Path) -> store.Dataset:
    """The dataset, whose folder the sheets must not fill."""
    if not isinstance(source, store.Dataset) and Path(source).is_file():
        what = "is a file, and questions are those of a dataset folder"
        raise InputError(what, str(source), "to judge the entities of papers, add --kind entities")
    dataset = source if isinstance(source, store.Dataset) else store.load(source)
    outputs.output_folder(sheets, inputs=(dataset.folder,))
    return dataset


def draw_questions(kind: str, dataset: store.Dataset, how: Draw) -> tuple[Drawn, list[ClozeInstance]]:
    """The questions in the order of the draw. kind: of the sheets."""
    split = how.split or next((name for name in SPLITS if dataset.rows.get(name)), SPLITS[0])
    dataset.parts(split)  # refuses a split that is not there
    every = (ident for ident, _ in store.ids_and_keys(dataset, split))
    ids = [ident for _, ident in nsmallest(how.count, ((rank(how.seed, ident), ident) for ident in every))]
    if len(ids) < how.count:
        what = f"{how.count:,} questions are asked for, {split} has {len(ids):,}"
        raise InputError(what, str(dataset.folder), "draw fewer, or name another --split")
    shown = dataset.kind.shown_view
    view = how.view or (shown(dataset.text_form, dataset.numbering) if shown else dataset.kind.usual_view)
    wanted = set(ids)
    each = {i.id: i for i in store.instances(dataset, split, of=ClozeInstance) if i.id in wanted}
    record = Drawn(kind, store.fingerprint(dataset, split), split, view, how.seed, tuple(ids))
    return record, [each[ident] for ident in ids]


def read_draw(kind: str, dataset: store.Dataset, sheets: Path) -> Drawn:
    """The draw of a folder of sheets. InputError: none, one of another kind, or from another dataset."""
    path = sheets / RECORD
    try:
        drawn = msgspec.json.decode(path.read_bytes(), type=Drawn)
    except FileNotFoundError as fault:
        raise InputError("no such sheets", str(path), f"draw them with --kind {kind} --draw") from fault
    except (OSError, ValueError) as fault:
        raise InputError(f"is no record of a draw ({fault})", str(path), "draw the sheets again") from fault
    if drawn.kind != kind:
        raise InputError(f"the sheets are of the kind {drawn.kind}", str(path), f"add --kind {drawn.kind}")
    if drawn.split not in dataset.rows or store.fingerprint(dataset, drawn.split) != drawn.dataset:
        what = "the sheets were drawn from another dataset"
        raise InputError(what, str(sheets), "name the dataset that they were drawn from")
    return drawn


def question(instance: ClozeInstance, viewed: Viewed, known: Sequence[tuple[str, str]] = ()) -> Question:
    """An instance as a page shows it. known: what stands below the question.

    Where the view does not number entities itself, they are numbered by their first place in passage and question.
    """
    places = (*viewed.mentions, *sorted((*viewed.question_mentions, *viewed.outside)))
    order = {candidate: number for number, candidate in enumerate(dict.fromkeys(each[2] for each in places))}
    shown = {place[2]: viewed.question[place[0] : place[1]] for place in reversed(viewed.outside)}
    written = {
        m.candidate: instance.question[m.spans[0][0] : m.spans[-1][1]] for m in instance.question_mentions
    }
    entities = tuple(
        _outside(shown[candidate], written[candidate], number)
        if candidate < 0
        else _entity(instance, viewed, candidate, number)
        for candidate, number in order.items()
    )
    asked = sorted(
        [
            *((start, end, order[candidate]) for start, end, candidate in viewed.question_mentions),
            *((start, end, order[candidate]) for start, end, candidate in viewed.outside),
            (*viewed.placeholder, _GAP),
        ]
    )
    read = [(start, end, order[candidate]) for start, end, candidate in viewed.mentions]
    passage = _lines(_pieces(viewed.passage, read))
    return Question(instance.id, passage, tuple(_pieces(viewed.question, asked)), entities, tuple(known))


def _entity(instance: ClozeInstance, viewed: Viewed, candidate: int, number: int) -> Entity:
    key, token = instance.candidates[candidate].key, viewed.candidates[candidate]
    if PSEUDO.fullmatch(token):
        return Entity(token, (), key)
    return Entity(f"@entity{number}", viewed.names[candidate] or (token,), key)


def _outside(shown: str, written: str, number: int) -> Entity:
    """An entity of the question that the passage lacks. written: as the instance has it, with the dataset's numbers.

    A view's number must not be saved as an answer: in the dataset it may be another entity's.
    """
    if PSEUDO.fullmatch(shown):
        return Entity(shown, (), written)
    return Entity(f"@entity{number}", (shown,), written)


def _pieces(text: str, places: Iterable[Place]) -> Iterator[Piece]:
    """The text in plain and marked pieces. places: (start, end, number of the entity or _GAP), in order."""
    done = 0
    for start, end, entity in places:
        if done < start:
            yield Piece(text[done:start])
        yield Piece(text[start:end], gap=True) if entity == _GAP else Piece(text[start:end], entity)
        done = end
    if done < len(text):
        yield Piece(text[done:])


def _lines(pieces: Iterable[Piece]) -> tuple[tuple[Piece, ...], ...]:
    """The pieces by line, without empty lines; an entity that crosses a line stays whole."""
    lines: list[list[Piece]] = [[]]
    for piece in pieces:
        if piece.entity is not None:
            lines[-1].append(piece)
            continue
        for number, part in enumerate(piece.text.split("\n")):
            if number:
                lines.append([])
            if part:
                lines[-1].append(Piece(part))
    return tuple(tuple(line) for line in lines if line)
