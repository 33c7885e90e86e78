"""Text from a model, piece by piece: the most probable piece each time, or beams of several groups that differ.

Diverse beam search (Vijayakumar et al. 2018, "Diverse Beam Search: Decoding Diverse Solutions from Neural Sequence
Models", section 3): the beams form groups. In each step the groups choose in turn, and a piece loses `penalty` for
each beam of the groups before that took it in the same step (Hamming diversity). As in fairseq and transformers, what
a beam lost stays in its sum. A beam that has ended keeps its sum, and its place until larger sums displace it.

Shapes: r rows (sequences that are being written), v pieces of the vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor


class Writer(Protocol):
    """A model that writes on from its inputs."""

    @property
    def first(self) -> Tensor:
        """The log probabilities of each input's first piece: float [inputs, v]."""
        ...

    def following(self, rows: Tensor, pieces: Tensor) -> Tensor:
        """The log probabilities of the next pieces: float [r, v].

        rows: int64 [r], the row of the call before (the input, in the first call) that each row continues. pieces:
        int64 [r], with which it does.
        """
        ...


@dataclass(frozen=True, slots=True)
class Written:
    """A text. pieces: without the one that ends it. log_probability: natural, of pieces and end. ended: not cut."""

    pieces: tuple[int, ...]
    log_probability: float
    ended: bool


@dataclass(frozen=True, slots=True)
class _Beam:
    """score: the log probability less the penalties. row: in the last call of the model."""

    pieces: tuple[int, ...]
    score: float
    log_probability: float
    row: int
    ended: bool = False


def most_probable(writer: Writer, end: int, most: int) -> list[Written]:
    """The text of each input whose every piece is the most probable one. end: ends a text. most: pieces."""
    log_probabilities = writer.first
    count = len(log_probabilities)
    pieces: list[list[int]] = [[] for _ in range(count)]
    sums = [0.0] * count
    ended = [False] * count
    rows = list(range(count))  # the input of each row
    for step in range(most):
        best, chosen = (values.tolist() for values in log_probabilities.max(1))
        going: list[int] = []
        for place, (number, value, piece) in enumerate(zip(rows, best, chosen, strict=True)):
            sums[number] += value
            if piece == end:
                ended[number] = True
            else:
                pieces[number].append(piece)
                going.append(place)
        if not going or step + 1 == most:
            break
        log_probabilities = writer.following(_whole(going), _whole([chosen[place] for place in going]))
        rows = [rows[place] for place in going]
    return [Written(tuple(each), total, over) for each, total, over in zip(pieces, sums, ended, strict=True)]


def diverse(writer: Writer, end: int, most: int, *, groups: int, beams: int, penalty: float) -> list[Written]:
    """The best text of each group, for one input, in the order of the groups.

    end: the piece that ends a text. most: pieces. beams: of each group. penalty: in natural-log units.
    """
    states = [[_Beam((), 0.0, 0.0, 0)] for _ in range(groups)]
    log_probabilities = writer.first
    for step in range(most):
        taken: dict[int, int] = {}
        for group, state in enumerate(states):
            states[group] = chosen = _chosen(state, log_probabilities, end, beams, penalty, taken)
            for beam in chosen:
                if len(beam.pieces) + beam.ended == step + 1:
                    piece = end if beam.ended else beam.pieces[-1]
                    taken[piece] = taken.get(piece, 0) + 1
        going = [beam for state in states for beam in state if not beam.ended]
        if not going or step + 1 == most:
            break
        log_probabilities = writer.following(
            _whole([beam.row for beam in going]), _whole([beam.pieces[-1] for beam in going])
        )
        places = iter(range(len(going)))
        states = [
            [
                beam if beam.ended else _Beam(beam.pieces, beam.score, beam.log_probability, next(places))
                for beam in state
            ]
            for state in states
        ]
    return [Written(state[0].pieces, state[0].log_probability, state[0].ended) for state in states]


def _chosen(
    state: Sequence[_Beam],
    log_probabilities: Tensor,
    end: int,
    beams: int,
    penalty: float,
    taken: dict[int, int],
) -> list[_Beam]:
    """The best continuations of a group's beams, best first; equal ones in the order of beams and pieces."""
    found = [(-beam.score, place, -1, beam) for place, beam in enumerate(state) if beam.ended]
    going = [(place, beam) for place, beam in enumerate(state) if not beam.ended]
    rows = log_probabilities[[beam.row for _, beam in going]].double()
    lowered = rows.clone()
    for piece, count in taken.items():
        lowered[:, piece] -= penalty * count
    values, best = lowered.topk(min(beams, lowered.shape[1]))
    columns = zip(going, best.tolist(), values.tolist(), rows.gather(1, best).tolist(), strict=True)
    for (place, beam), *of_beam in columns:
        for piece, reduced, full in zip(*of_beam, strict=True):
            score, total = beam.score + reduced, beam.log_probability + full
            pieces = beam.pieces if piece == end else (*beam.pieces, piece)
            found.append((-score, place, piece, _Beam(pieces, score, total, beam.row, piece == end)))
    return [beam for *_, beam in sorted(found, key=lambda each: each[:3])[:beams]]


def _whole(numbers: Sequence[int]) -> Tensor:
    return torch.tensor(numbers, dtype=torch.int64)
