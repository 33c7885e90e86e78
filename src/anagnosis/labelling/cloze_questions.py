"""A cloze question as a page shows it: text in pieces, entities as links, no sign of the right answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from anagnosis.datasets.kinds.cloze_instance import PSEUDO, ClozeInstance, MentionPlace
from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.labelling.study import Entity, Piece, Question

_SHOWN = "shown:"  # before a view's number, so that nobody takes it for one of the dataset
_GAP = -1  # in place of an entity


def question(instance: ClozeInstance, viewed: Viewed, known: Sequence[tuple[str, str]] = ()) -> Question:
    """An instance as a page shows it. known: what stands below the question.

    Entities stand in the order of their first place in passage and question. Where neither the view nor the text
    numbers them, their numbers are those of that order.
    """
    places = (*viewed.mentions, *sorted((*viewed.question_mentions, *viewed.outside)))
    # By key, those that no mention shows: their stored order might tell something.
    unseen = sorted(range(len(instance.candidates)), key=lambda place: instance.candidates[place].key)
    found = dict.fromkeys([*(each[2] for each in places), *unseen])
    order = {candidate: number for number, candidate in enumerate(found)}
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
    stored, token = instance.candidates[candidate], viewed.candidates[candidate]
    if PSEUDO.fullmatch(token):
        return Entity(token, (), f"{_SHOWN}{token}", stored.key)
    place = next((m for m in instance.mentions if m.candidate == candidate), None)
    text = "" if place is None else instance.passage[place.spans[0][0] : place.spans[-1][1]]
    label = next((t for t in (token.partition(" ")[0], text) if PSEUDO.fullmatch(t)), f"@entity{number}")
    return Entity(label, viewed.names[candidate] or (token,), stored.key)


def _outside(shown: str, written: str, number: int) -> Entity:
    """An entity of the question that the passage lacks. written: as the instance has it, with the dataset's numbers.

    A view's number must not be saved as an answer: in the dataset it may be another entity's.
    """
    if PSEUDO.fullmatch(shown):
        return Entity(shown, (), f"{_SHOWN}{shown}", written)
    return Entity(f"@entity{number}", (shown,), written)


def _pieces(text: str, places: Iterable[MentionPlace]) -> Iterator[Piece]:
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
