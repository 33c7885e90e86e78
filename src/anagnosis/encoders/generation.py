"""Text from a model, piece by piece, or its reading of given answers.

The most probable piece each time, or beams of several groups that differ.

Diverse beam search (Vijayakumar et al. 2018, "Diverse Beam Search: Decoding Diverse Solutions from Neural Sequence
Models", section 3): the beams form groups. In each step the groups choose in turn, and a piece loses `penalty` for
each beam of the groups before that took it in the same step (Hamming diversity). As in fairseq and transformers, what
a beam lost stays in its sum. A beam that has ended keeps its sum, and its place until larger sums displace it.

Inputs of a causal model are padded in front, so that all their answers end at the same place; its positions are counted
without padding. A decoder's inputs are padded behind. Either way the attention mask hides padding.

Shapes: n inputs, l pieces of the longest, k pieces of the longest answer, r rows (sequences that are being written), v
pieces of the vocabulary.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor, nn

from anagnosis.encoders.run import padded
from anagnosis.encoders.text_models import Writing


class Writer(Protocol):
    """A model that writes on from its inputs."""

    @property
    def first(self) -> Tensor:
        """The logits of each input's first piece: float [inputs, v]."""
        ...

    def following(self, rows: Tensor, pieces: Tensor) -> Tensor:
        """The logits of the next pieces: float [r, v].

        rows: int64 [r], the row of the call before (the input, in the first call) that each row continues. pieces:
        int64 [r], with which it does.
        """
        ...


@dataclass(frozen=True, slots=True)
class Written:
    """A text. pieces: without the one that ends it. log_probability: natural, of pieces and end. ended: not cut.

    logits: of the pieces.
    """

    pieces: tuple[int, ...]
    log_probability: float
    ended: bool
    logits: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Beam:
    """score: the log probability less the penalties. logits: of the pieces. row: in the last call of the model."""

    pieces: tuple[int, ...]
    score: float
    log_probability: float
    logits: tuple[float, ...]
    row: int
    ended: bool = False


def most_probable(writer: Writer, end: int, most: int) -> list[Written]:
    """The text of each input whose every piece is the most probable one. end: ends a text. most: pieces."""
    logits = writer.first
    count = len(logits)
    pieces: list[list[int]] = [[] for _ in range(count)]
    of_pieces: list[list[float]] = [[] for _ in range(count)]
    sums = [0.0] * count
    ended = [False] * count
    rows = list(range(count))  # the input of each row
    for step in range(most):
        best, chosen = (values.tolist() for values in logits.max(1))
        norms = logits.logsumexp(1).tolist()
        going: list[int] = []
        for place, (number, value, piece, norm) in enumerate(zip(rows, best, chosen, norms, strict=True)):
            sums[number] += value - norm
            if piece == end:
                ended[number] = True
            else:
                pieces[number].append(piece)
                of_pieces[number].append(value)
                going.append(place)
        if not going or step + 1 == most:
            break
        logits = writer.following(_whole(going), _whole([chosen[place] for place in going]))
        rows = [rows[place] for place in going]
    return [
        Written(tuple(each), total, over, tuple(values))
        for each, total, over, values in zip(pieces, sums, ended, of_pieces, strict=True)
    ]


def diverse(writer: Writer, end: int, most: int, *, groups: int, beams: int, penalty: float) -> list[Written]:
    """The best text of each group, for one input, in the order of the groups.

    end: the piece that ends a text. most: pieces. beams: of each group. penalty: in natural-log units.
    """
    states = [[_Beam((), 0.0, 0.0, (), 0)] for _ in range(groups)]
    logits = writer.first
    for step in range(most):
        chosen_before: dict[int, int] = {}
        for group, state in enumerate(states):
            states[group] = chosen = _chosen(state, logits, end, beams, penalty, chosen_before)
            for beam in chosen:
                if len(beam.pieces) + beam.ended == step + 1:
                    piece = end if beam.ended else beam.pieces[-1]
                    chosen_before[piece] = chosen_before.get(piece, 0) + 1
        going = [beam for state in states for beam in state if not beam.ended]
        if not going or step + 1 == most:
            break
        logits = writer.following(
            _whole([beam.row for beam in going]), _whole([beam.pieces[-1] for beam in going])
        )
        places = iter(range(len(going)))
        states = [
            [beam if beam.ended else replace(beam, row=next(places)) for beam in state] for state in states
        ]
    best = [state[0] for state in states]
    return [Written(beam.pieces, beam.log_probability, beam.ended, beam.logits) for beam in best]


def _chosen(
    state: Sequence[_Beam],
    logits: Tensor,
    end: int,
    beams: int,
    penalty: float,
    chosen_before: dict[int, int],
) -> list[_Beam]:
    """The best continuations of a group's beams, best first; equal ones in the order of beams and pieces."""
    found = [(-beam.score, place, -1, beam) for place, beam in enumerate(state) if beam.ended]
    going = [(place, beam) for place, beam in enumerate(state) if not beam.ended]
    raw = logits[[beam.row for _, beam in going]].double()
    rows = raw.log_softmax(-1)
    lowered = rows.clone()
    for piece, count in chosen_before.items():
        lowered[:, piece] -= penalty * count
    values, best = lowered.topk(min(beams, lowered.shape[1]))
    of_best = (each.gather(1, best).tolist() for each in (rows, raw))
    for (place, beam), *of_beam in zip(going, best.tolist(), values.tolist(), *of_best, strict=True):
        for piece, reduced, full, logit in zip(*of_beam, strict=True):
            ends = piece == end
            longer = _Beam(
                beam.pieces if ends else (*beam.pieces, piece),
                beam.score + reduced,
                beam.log_probability + full,
                beam.logits if ends else (*beam.logits, logit),
                beam.row,
                ends,
            )
            found.append((-longer.score, place, piece, longer))
    return [beam for *_, beam in sorted(found, key=lambda each: each[:3])[:beams]]


def _whole(numbers: Sequence[int]) -> Tensor:
    return torch.tensor(numbers, dtype=torch.int64)


Pieces = Sequence[int]


class ModelWriter:
    """A text model and the inputs from which it writes. The keys and values of pieces that it has read are kept."""

    def __init__(self, model: nn.Module, writing: Writing, inputs: Sequence[Pieces], device: Any) -> None:
        self._model: Any = model
        self._causal, self._device = writing.causal, device
        self._options = _named(model)
        pieces, self._inside = _batch(inputs, writing, device)  # [n, l]
        if self._causal:
            self._keys: Any = None
            self.first = self._causal_step(pieces)
        else:
            self._encoded = self._model.get_encoder()(input_ids=pieces, attention_mask=self._inside.long())[0]
            self._keys = None
            begin = torch.full((len(inputs), 1), writing.start or 0, dtype=torch.int64, device=device)
            self.first = self._decoder_step(begin)

    def following(self, rows: Tensor, pieces: Tensor) -> Tensor:
        """See Writer."""
        rows, pieces = rows.to(self._device), pieces.to(self._device)[:, None]  # [r], [r, 1]
        self._keys.reorder_cache(rows)
        self._inside = self._inside[rows]
        if self._causal:
            return self._causal_step(pieces)
        self._encoded = self._encoded[rows]
        return self._decoder_step(pieces)

    def _causal_step(self, pieces: Tensor) -> Tensor:
        if self._keys is not None:
            more = torch.ones_like(pieces, dtype=torch.bool)
            self._inside = torch.cat([self._inside, more], 1)
        places = _places(self._inside)[:, -pieces.shape[1] :]
        output = self._model(
            input_ids=pieces,
            attention_mask=self._inside.long(),
            past_key_values=self._keys,
            use_cache=True,
            **_only(self._options, position_ids=places, logits_to_keep=1),
        )
        self._keys = output.past_key_values
        return output.logits[:, -1].float()

    def _decoder_step(self, pieces: Tensor) -> Tensor:
        output = self._model(
            encoder_outputs=(self._encoded,),
            attention_mask=self._inside.long(),
            decoder_input_ids=pieces,
            past_key_values=self._keys,
            use_cache=True,
        )
        self._keys = output.past_key_values
        return output.logits[:, -1].float()


class Read(NamedTuple):
    """Logits for answers that were read. logits: float [n, k, v]; pieces: int64 [n, k]; inside: bool [n, k]."""

    logits: Tensor
    pieces: Tensor
    inside: Tensor


def read(
    model: nn.Module, writing: Writing, inputs: Sequence[Pieces], answers: Sequence[Pieces], device: Any
) -> Read:
    """The logits of every piece of the answers, given the pieces before it. An answer has at least one piece."""
    longest = max(len(answer) for answer in answers)
    module: Any = model
    if writing.causal:
        whole = [(*given, *answer) for given, answer in zip(inputs, answers, strict=True)]
        pieces, inside = _batch(whole, writing, device)
        output = module(
            input_ids=pieces,
            attention_mask=inside.long(),
            use_cache=False,
            **_only(_named(model), position_ids=_places(inside), logits_to_keep=longest + 1),
        )
        logits = output.logits[:, -longest - 1 : -1]
        wanted, asked = _batch(answers, writing, device)
        return Read(logits, wanted, asked)
    pieces, inside = _batch(inputs, writing, device)
    wanted, asked = _batch(answers, writing, device)
    begin = torch.full((len(answers), 1), writing.start or 0, dtype=torch.int64, device=device)
    output = module(
        input_ids=pieces,
        attention_mask=inside.long(),
        decoder_input_ids=torch.cat([begin, wanted[:, :-1]], 1),
        use_cache=False,
    )
    return Read(output.logits, wanted, asked)


def _batch(sequences: Sequence[Pieces], writing: Writing, device: Any) -> tuple[Tensor, Tensor]:
    """(pieces, mask of no padding): int64 and bool [n, l]; padded in front for a causal model."""
    if not writing.causal:
        pieces, inside = padded(sequences, writing.padding)
        return pieces.to(device), inside.to(device)
    pieces, inside = padded([sequence[::-1] for sequence in sequences], writing.padding)
    return pieces.flip(1).to(device), inside.flip(1).to(device)


def _places(inside: Tensor) -> Tensor:
    """The position of each piece, counted without padding: int64 [n, l]."""
    return (inside.long().cumsum(1) - 1).clamp(min=0)


def _named(model: nn.Module) -> frozenset[str]:
    """The names of what a model's forward takes; architectures differ."""
    return frozenset(inspect.signature(model.forward).parameters)


def _only(known: frozenset[str], **options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name in known}
