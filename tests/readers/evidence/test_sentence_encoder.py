"""Pairs of question and sentence: what is read, what is cut, and that neighbours change nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.rows import each_row

pytest.importorskip("transformers", reason="the extra train is not installed")

import torch
from tests.encoders.tiny import tiny_encoder
from tests.readers.evidence.questions import ODD, asked, viewed_split
from tests.readers.evidence.test_sentence_loss import finite

from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.readers.evidence import sentence_encoder


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("pairs") / "tiny", words=["cold", "tea", "help"], limit=32)


def learner(tiny: Path, *found: EvidenceInstance, **given: Any) -> sentence_encoder.SentenceEncoderLearner:
    config = sentence_encoder.Config(encoder=str(tiny), precision="float32", **given)
    return sentence_encoder.prepare(config, viewed_split(*found))


def test_question_and_sentence_are_one_sequence_with_two_segments(tiny: Path) -> None:
    found = asked("cold tea", "help", "tea help")
    own = learner(tiny, found)
    batch = own.collate(list(own.encode(viewed_split(found))))
    (group,) = batch.groups  # lengths 6 and 7 are read as 8
    tokens = [own.encoder.pieces.tokenizer.convert_ids_to_tokens(row) for row in group[0].tolist()]
    assert tokens[0] == ["[CLS]", "cold", "tea", "[SEP]", "help", "[SEP]", "[PAD]", "[PAD]"]
    assert tokens[1] == ["[CLS]", "cold", "tea", "[SEP]", "tea", "help", "[SEP]", "[PAD]"]
    assert group[2].tolist()[0] == [0, 0, 0, 0, 1, 1, 0, 0]


def test_what_does_not_fit_is_cut_and_told(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = asked("tea " * 50, "help " * 50, "help")
    own = learner(tiny, found)
    (example,) = own.encode(viewed_split(found))
    numbers = own.encoder.pieces.tokenizer.convert_tokens_to_ids(["tea", "help"])
    assert [[row.count(piece) for piece in numbers] for row in example.pieces] == [[21, 8], [21, 1]]
    told = capsys.readouterr().err
    assert "1 sentences over the encoder's limit were cut there" in told
    assert "1 questions over three fourths of the encoder's limit were cut there" in told


def test_sentences_in_groups_of_like_length_keep_their_places(tiny: Path) -> None:
    found = asked("cold tea", "help " * 20, "tea", "help " * 9, "cold")
    own = learner(tiny, found)
    model = own.model().double().eval()
    batch = own.collate(list(own.encode(viewed_split(found))))
    assert len(batch.groups) > 1
    together = model(batch).log_probabilities[0].tolist()
    for place, sentence in enumerate(found.sentences):
        alone = asked("cold tea", sentence.text)
        (score,) = model(own.collate(list(own.encode(viewed_split(alone))))).log_probabilities[0].tolist()
        assert together[place] == pytest.approx(score, abs=1e-9)


@pytest.mark.parametrize(("trained", "moved"), [("none", 0), ("top", 1), ("all", 2)])
def test_what_is_trained_is_what_was_named(tiny: Path, trained: str, moved: int) -> None:
    own = learner(tiny, asked("cold tea", "help"), trained=trained, layers=1)
    (phase,) = own.phases()
    names = [name for name, _ in own.model().named_parameters() if phase.trained(name)]
    assert {name for name in names if name.startswith("outer.")} == {"outer.weight", "outer.bias"}
    layers = {name.split("layer.")[1].split(".")[0] for name in names if "layer." in name}
    assert len(layers) == moved


@each_row("case", ODD)
def test_every_sentence_of_odd_input_has_a_probability(tiny: Path, case: str) -> None:
    own = learner(tiny, ODD[case])
    with torch.inference_mode():
        output = own.model().eval()(own.collate(list(own.encode(viewed_split(ODD[case])))))
    finite(output, ODD[case])
