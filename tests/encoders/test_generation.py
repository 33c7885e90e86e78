"""Beam search on models whose every probability is known, beside a count of all texts in plain Python."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
import torch
from tests.encoders.tiny_text import tiny_text_model
from tests.rows import each_row
from torch import Tensor

from anagnosis.encoders.generation import ModelWriter, Written, diverse, most_probable, read
from anagnosis.encoders.text_models import TextModel, load

END = 0


class KnownModel(ModelWriter):
    """A writer over a table: the probabilities of the next piece depend on the input and the pieces so far."""

    def __init__(self, tables: Sequence[Mapping[tuple[int, ...], Sequence[float]]]) -> None:
        self.tables = tables
        self.prefixes: list[tuple[int, tuple[int, ...]]] = [(number, ()) for number in range(len(tables))]
        self.first = self._values()

    def following(self, rows: Tensor, pieces: Tensor) -> Tensor:
        self.prefixes = [
            (self.prefixes[row][0], (*self.prefixes[row][1], piece))
            for row, piece in zip(rows.tolist(), pieces.tolist(), strict=True)
        ]
        return self._values()

    def _values(self) -> Tensor:
        return torch.tensor([self.tables[number][prefix] for number, prefix in self.prefixes]).log()


# 1 is the likeliest first piece, but every text that begins with 2 ends at once: 2 is the likeliest text.
SHORT = {
    (): [0.0625, 0.5, 0.375, 0.0625],
    (1,): [0.25, 0.25, 0.25, 0.25],
    (2,): [1 - 3e-9, 1e-9, 1e-9, 1e-9],
    (3,): [0.5, 0.25, 0.125, 0.125],
}


def of_random(seed: int, *, pieces: int, most: int) -> dict[tuple[int, ...], list[float]]:
    """A table with probabilities for every text of less than `most` pieces."""
    draw = np.random.default_rng(seed)
    table: dict[tuple[int, ...], list[float]] = {}
    going: list[tuple[int, ...]] = [()]
    while going:
        prefix = going.pop()
        table[prefix] = draw.dirichlet(np.full(pieces, 0.6)).tolist()
        if len(prefix) + 1 < most:
            going += [(*prefix, piece) for piece in range(pieces) if piece != END]
    return table


def counted(
    table: Mapping[tuple[int, ...], Sequence[float]], most: int, groups: int, beams: int, penalty: float
) -> list[tuple[int, ...]]:
    """Diverse beam search as the paper writes it, over whole texts: the pieces of each group's best, with the end."""
    state: list[list[tuple[tuple[int, ...], float]]] = [[((), 0.0)] for _ in range(groups)]
    for step in range(most):
        chosen: list[list[tuple[tuple[int, ...], float]]] = []
        for group in range(groups):
            used = Counter(text[step] for before in chosen for text, _ in before if len(text) == step + 1)
            options: list[tuple[tuple[int, ...], float]] = []
            for text, score in state[group]:
                if text and text[-1] == END:
                    options.append((text, score))
                    continue
                for piece, probability in enumerate(table[text]):
                    options.append(((*text, piece), score + math.log(probability) - penalty * used[piece]))
            chosen.append(sorted(options, key=lambda each: -each[1])[:beams])
        state = chosen
    return [best[0] for best, *_ in state]


def test_one_beam_takes_the_likeliest_piece_and_two_find_the_likeliest_text() -> None:
    (greedy,) = most_probable(KnownModel([SHORT]), END, 2)
    assert greedy == Written((1,), (pytest.approx(math.log(0.5)),))
    (wide,) = diverse(KnownModel([SHORT]), END, 2, groups=1, beams=2, penalty=0.0)
    assert wide == Written((2,), (pytest.approx(math.log(0.375)),))


def test_a_second_group_takes_another_piece_where_the_penalty_outweighs_the_loss() -> None:
    # The first group takes 1 at .5. The second loses ln(.5 / .375) = .288 by taking 2 in its place.
    for penalty, pieces in ((0.28, (1,)), (0.29, (2,))):
        _, second = diverse(KnownModel([SHORT]), END, 2, groups=2, beams=1, penalty=penalty)
        assert second.pieces[:1] == pieces


def test_the_penalty_grows_with_the_beams_that_took_a_piece() -> None:
    # Groups one and two take 1 and 2; the third loses .5 once for each, so 1 stays the best; 3 costs ln 8.
    table = {(): [0.05, 0.5, 0.4, 0.05]}
    firsts = [each.pieces for each in diverse(KnownModel([table]), END, 1, groups=4, beams=1, penalty=0.5)]
    assert firsts == [(1,), (2,), (1,), (2,)]


def test_a_beam_that_ended_is_no_longer_counted_and_keeps_its_sum() -> None:
    # Both groups end at once with penalty 0; a long text whose first piece is likelier never overtakes.
    table = {(): [0.6, 0.4], (1,): [0.99, 0.01]}
    both = diverse(KnownModel([table]), END, 2, groups=2, beams=2, penalty=0.0)
    assert both == [Written()] * 2


@each_row("seed", range(60))
def test_every_group_gives_the_text_of_a_count_over_all_texts(seed: int) -> None:
    draw = np.random.default_rng((7, seed))
    pieces, most, groups, beams = (int(draw.integers(*bounds)) for bounds in ((2, 5), (1, 5), (1, 5), (1, 4)))
    penalty = float(draw.choice([0.0, 0.2, 1.0, 5.0]))
    table = of_random(seed, pieces=pieces, most=most)
    given = diverse(KnownModel([table]), END, most, groups=groups, beams=beams, penalty=penalty)
    known = counted(table, most, groups, beams, penalty)
    assert [each.pieces for each in given] == [
        tuple(piece for piece in text if piece != END) for text in known
    ]
    for each in given:
        logits = [math.log(table[each.pieces[:n]][piece]) for n, piece in enumerate(each.pieces)]
        assert list(each.logits) == pytest.approx(logits, abs=1e-5)


@each_row("seed", range(10))
def test_as_many_beams_as_texts_find_the_likeliest_of_all_texts(seed: int) -> None:
    table = of_random(seed, pieces=3, most=4)
    texts: dict[tuple[int, ...], float] = {}
    going = [((), 0.0)]
    while going:
        text, total = going.pop()
        for piece, probability in enumerate(table[text]):
            longer, value = (*text, piece), total + math.log(probability)
            if piece == END or len(longer) == 4:
                texts[longer] = value
            else:
                going.append((longer, value))
    (best,) = diverse(KnownModel([table]), END, 4, groups=1, beams=len(texts), penalty=0.0)
    assert best.pieces == tuple(piece for piece in max(texts, key=texts.__getitem__) if piece != END)


def test_inputs_are_written_on_side_by_side_and_end_apart() -> None:
    long = {(): [0.1, 0.2, 0.3, 0.4], (3,): [0.1, 0.2, 0.4, 0.3], (3, 2): [0.2, 0.3, 0.3, 0.2][::-1]}
    long[(3, 2)] = [0.2, 0.5, 0.2, 0.1]
    ends = {(): [0.9, 0.05, 0.03, 0.02]}
    table = {**SHORT, (1,): [0.1, 0.2, 0.6, 0.1], (1, 2): [0.7, 0.1, 0.1, 0.1]}
    three = most_probable(KnownModel([table, ends, long]), END, 3)
    assert [each.pieces for each in three] == [(1, 2), (), (3, 2, 1)]
    assert [most_probable(KnownModel([one]), END, 3)[0].pieces for one in (table, ends, long)] == [
        (1, 2),
        (),
        (3, 2, 1),
    ]


INPUTS = ["question: which gene causes cancer context: brca1", "question: tp53", "is in mice the disease ."]
CPU = torch.device("cpu")


@pytest.fixture(scope="module", params=[True, False], ids=["causal", "t5"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> TextModel:
    return load(tiny_text_model(tmp_path_factory.mktemp("models") / "tiny", causal=request.param))


def given(model: TextModel) -> list[list[int]]:
    return [model.writing.pieces(text) for text in INPUTS]


def logits(model: TextModel, pieces: list[int], answer: list[int]) -> torch.Tensor:
    """The logits of each piece of an answer and of the one behind it, by one plain call: [k + 1, v]."""
    if model.writing.causal:
        return model.model(torch.tensor([[*pieces, *answer]])).logits[0, len(pieces) - 1 :]
    decoder = torch.tensor([[model.writing.start, *answer]])
    return model.model(input_ids=torch.tensor([pieces]), decoder_input_ids=decoder).logits[0]


def of_pieces(model: TextModel, pieces: list[int], answer: tuple[int, ...]) -> Any:
    """The logit of each piece of an answer, by one plain call."""
    plain = logits(model, pieces, [*answer])[range(len(answer)), answer]
    return pytest.approx(plain.tolist(), abs=1e-3)


@torch.inference_mode()
def test_writing_on_gives_what_a_call_without_kept_keys_gives(model: TextModel) -> None:
    inputs = given(model)
    writer = ModelWriter(model.model, model.writing, inputs, CPU)
    for row, pieces in enumerate(inputs):
        assert torch.allclose(writer.first[row], logits(model, pieces, [])[-1], atol=1e-3)
    # The rows change their order, and one is doubled.
    after = writer.following(torch.tensor([2, 0, 2]), torch.tensor([5, 6, 7]))
    for values, pieces, piece in zip(after, (inputs[2], inputs[0], inputs[2]), (5, 6, 7), strict=True):
        assert torch.allclose(values, logits(model, pieces, [piece])[-1], atol=1e-3)
    last = writer.following(torch.tensor([1]), torch.tensor([8]))
    assert torch.allclose(last[0], logits(model, inputs[0], [6, 8])[-1], atol=1e-3)


@torch.inference_mode()
def test_read_answers_have_the_logits_of_a_plain_call(model: TextModel) -> None:
    inputs, answers = given(model), [[5, 6, 7], [8], [9, 10]]
    found, read_pieces, inside = read(model.model, model.writing, inputs, answers, CPU)
    for row, (pieces, answer) in enumerate(zip(inputs, answers, strict=True)):
        plain = logits(model, pieces, answer)[range(len(answer)), answer]
        of_pieces = found[row][inside[row]][range(len(answer)), answer]
        assert of_pieces.tolist() == pytest.approx(plain.tolist(), abs=1e-3)
        assert read_pieces[row][inside[row]].tolist() == answer


@torch.inference_mode()
def test_texts_are_the_same_alone_and_in_company(model: TextModel) -> None:
    inputs, end = given(model), model.writing.end
    together = most_probable(ModelWriter(model.model, model.writing, inputs, CPU), end, 6)
    alone = [most_probable(ModelWriter(model.model, model.writing, [one], CPU), end, 6)[0] for one in inputs]
    assert [each.pieces for each in together] == [each.pieces for each in alone]
    for one, pieces in zip(together, inputs, strict=True):
        assert one.logits == of_pieces(model, pieces, one.pieces)


@torch.inference_mode()
def test_the_best_of_one_group_with_one_beam_is_the_likeliest_text_and_groups_differ(
    model: TextModel,
) -> None:
    pieces, end = given(model)[0], model.writing.end
    (greedy,) = most_probable(ModelWriter(model.model, model.writing, [pieces], CPU), end, 5)
    (single,) = diverse(
        ModelWriter(model.model, model.writing, [pieces], CPU), end, 5, groups=1, beams=1, penalty=9
    )
    assert single.pieces == greedy.pieces
    several = diverse(
        ModelWriter(model.model, model.writing, [pieces], CPU), end, 5, groups=3, beams=2, penalty=50.0
    )
    for each in (single, *several):
        assert each.logits == of_pieces(model, pieces, each.pieces)
    assert len({each.pieces[:1] for each in several}) == 3
