from __future__ import annotations

import math

import pytest
import torch
from tests.rows import each_row

from anagnosis.readers.mention_scoring import candidate_scores, log_probabilities, losses
from anagnosis.readers.recurrent.attention import FLOOR

# Two instances: three candidates of which one is never mentioned; one candidate only.
SCORES = torch.tensor([[1.0, -2.0, 3.0, 0.5], [2.0, 0.0, 0.0, 0.0]])
MEMBERS = torch.zeros(2, 3, 4, dtype=torch.bool)
MEMBERS[0, 0, 0] = MEMBERS[0, 0, 1] = MEMBERS[0, 2, 2] = MEMBERS[0, 2, 3] = MEMBERS[1, 0, 0] = True


def test_a_candidate_has_the_largest_or_the_sum_of_its_mentions_scores() -> None:
    nothing = -math.inf
    assert candidate_scores(SCORES, MEMBERS, "max").tolist() == [[1, nothing, 3], [2, nothing, nothing]]
    assert candidate_scores(SCORES, MEMBERS, "sum").tolist() == [[-1, nothing, 3.5], [2, nothing, nothing]]


def test_probabilities_are_shared_by_the_candidates_that_are_mentioned() -> None:
    found = log_probabilities(candidate_scores(SCORES, MEMBERS, "max"))
    share = 1 / (1 + math.exp(2))
    assert found[0].exp().tolist() == pytest.approx([share, 1e-30, 1 - share])
    assert found[1].tolist() == pytest.approx([0, math.log(1e-30), math.log(1e-30)])


def test_an_instance_without_mentions_has_the_floor_everywhere_and_no_loss() -> None:
    scores = torch.full((1, 3), -math.inf, requires_grad=True)
    found = log_probabilities(scores)
    assert found.tolist() == [[pytest.approx(FLOOR)] * 3]
    lost = losses(scores, torch.tensor([1]), first_for_unmentioned=True)
    assert lost.tolist() == [0]
    (found.sum() + lost.sum()).backward()
    assert not scores.grad.isnan().any()


@each_row(
    ("target", "first", "place"),
    [(2, False, 2), (2, True, 2), (0, True, 0), (1, False, None), (1, True, 0), (-1, True, None)],
)
def test_the_loss_is_that_of_the_answer_or_of_the_first_candidate_where_the_program_takes_it(
    target: int, first: bool, place: int | None
) -> None:
    scores = candidate_scores(SCORES[:1], MEMBERS[:1], "max")
    (lost,) = losses(scores, torch.tensor([target]), first_for_unmentioned=first).tolist()
    assert lost == pytest.approx(0 if place is None else -log_probabilities(scores)[0, place].item())
