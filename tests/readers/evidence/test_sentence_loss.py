"""From logits to what the loop takes: losses by hand, padding, sentences without a label."""

from __future__ import annotations

import math

import pytest
import torch

from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.readers.evidence.sentence_loss import LOSS, read_together, rows, summed_output


def test_each_sentence_has_its_own_probability_and_those_with_a_label_a_loss() -> None:
    output = summed_output(torch.tensor([0.0, 2.0, 9.0, -1.0, 3.0]), rows([(1, 0, -1), (0, 1)], [0, 1]))
    said = math.log1p
    first = said(1) + said(math.exp(2))
    second = said(math.exp(-1)) + said(math.exp(-3))
    assert output.losses[LOSS].tolist() == pytest.approx([first, second])
    found = output.log_probabilities.exp()
    assert found[0].tolist() == pytest.approx([0.5, 1 / (1 + math.exp(-2)), 1 / (1 + math.exp(-9))])
    assert found[1].tolist()[2] == 0
    assert output.log_probabilities[1, 2] == -math.inf
    assert output.hits(torch.tensor([0, 1])).tolist() == [False, True]


def test_an_instance_where_nothing_is_held_teaches_nothing() -> None:
    output = summed_output(torch.tensor([1.0, 2.0]), rows([(0, 0)], [-1]))
    assert output.losses[LOSS].tolist() == [0]
    assert output.hits(torch.tensor([-1])).tolist() == [False]


def test_sentences_are_read_together_where_the_document_has_a_title() -> None:
    sentences = [("a", "A"), ("a", "A"), ("b", ""), ("b", ""), ("c", "C")]
    given = EvidenceInstance("1", "?", tuple(SourceSentence(name, title, "") for name, title in sentences))
    assert [len(own) for own in read_together(given)] == [2, 1, 1, 1]


def test_any_of_several_held_sentences_is_right() -> None:
    output = summed_output(torch.tensor([1.0, 2.0, 3.0]), rows([(1, 0, 1)], [0]))
    assert output.hits(torch.tensor([0])).tolist() == [True]
