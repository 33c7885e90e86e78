from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.encoders.tiny_text import plain_logits, tiny_text_model
from tests.readers.viewed import viewed_split
from torch.nn.functional import cross_entropy

from anagnosis.datasets.kinds.question import SnippetQuestion
from anagnosis.encoders import text_models
from anagnosis.encoders.generation import Written
from anagnosis.errors import InputError
from anagnosis.readers.answers.prompts import Config, Prompted
from anagnosis.readers.answers.text_to_text import TextToTextLearner, prepare

QUESTIONS = [
    SnippetQuestion(
        "q",
        "factoid",
        "which gene causes cancer",
        ("the gene brca1 .", "mice", "tp53 is in brca1"),
        (("brca1",),),
    ),
    SnippetQuestion("y", "yesno", "is it", ("mice",), (("yes",),)),
    SnippetQuestion("l", "list", "which gene is", ("tp53 is in il-2", "a b c"), (("tp53",), ("il-2",))),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_text_model(tmp_path_factory.mktemp("models") / "tiny", words=["yes", "no"])


def config(folder: Path, **changed: Any) -> Config:
    return Config(encoder=str(folder), **{"input_pieces": 64, "answer_pieces": 6, **changed})


def learner(folder: Path, **changed: Any) -> TextToTextLearner:
    return prepare(config(folder, **changed), viewed_split(*QUESTIONS))


class Texts(TextToTextLearner):
    """A learner whose model writes known texts, each again for the next input."""

    def __init__(self, config: Config, texts: Sequence[str]) -> None:
        super().__init__(config, text_models.load(config.encoder))
        self.texts = texts

    def _texts(self, model: Any, given: Sequence[tuple[int, ...]]) -> list[Written]:
        order = {pieces: number for number, pieces in enumerate(self.order)}
        return [self._written(pieces, self.texts[order[pieces]]) for pieces in given]

    def _written(self, given: Sequence[int], text: str) -> Written:
        logits = piece_logits(self, given, text)
        return Written(tuple(self.text_model.writing.pieces(text)), tuple(logits))

    def told(self, questions: Sequence[SnippetQuestion]) -> list[list[tuple[str, float | None, int | None]]]:
        examples = list(self.encode(viewed_split(*questions)))
        self.order = [pieces for example in examples for pieces in example.inputs]
        with torch.inference_mode():
            answers = self.answers(self.model().eval(), examples)
        return [[(one.text, one.score, one.snippet) for one in some] for some in answers]


def mean_logit(learner: TextToTextLearner, given: Sequence[int], text: str, of: slice) -> float:
    """The mean logit of some pieces of a text."""
    some = piece_logits(learner, given, text)[of]
    return sum(some) / len(some)


def piece_logits(learner: TextToTextLearner, given: Sequence[int], text: str) -> list[float]:
    """The logit of each piece of a text."""
    pieces = learner.text_model.writing.pieces(text)
    return plain_logits(learner.text_model, given, pieces)[range(len(pieces)), pieces].tolist()


@torch.inference_mode()
def test_the_loss_is_that_of_the_answer_s_pieces_alone(folder: Path) -> None:
    reader = learner(folder)
    examples: list[Prompted] = list(reader.encode(viewed_split(*QUESTIONS)))
    model = reader.model().eval()
    batch = reader.collate(examples)
    assert batch.question.tolist() == [0, 0, 2]
    output = model(batch)
    expected: list[float] = []
    for example in examples:
        losses: list[float] = []
        for given, target in zip(example.inputs, example.targets, strict=True):
            if not target:
                continue
            logits = plain_logits(reader.text_model, given, target[:-1])
            losses.append(cross_entropy(logits, torch.tensor(target)).item())
        expected.append(sum(losses) / len(losses) if losses else 0.0)
    assert output.losses["pieces"].tolist() == pytest.approx(expected, abs=1e-3)


def test_answers_come_in_the_order_of_snippets_or_by_their_mean_logit(folder: Path) -> None:
    written = ["brca1", "mice ; tp53", "the disease"]
    (first,) = Texts(config(folder, score="order"), written).told(QUESTIONS[:1])
    assert first == [("brca1", None, 0), ("mice", None, 1), ("tp53", None, 1), ("the disease", None, 2)]
    reader = Texts(config(folder), written)
    (by_score,) = reader.told(QUESTIONS[:1])
    places = {
        "brca1": (0, "brca1", slice(0, 1)),
        "mice": (1, "mice ; tp53", slice(0, 1)),
        "tp53": (1, "mice ; tp53", slice(2, 3)),
        "the disease": (2, "the disease", slice(0, 2)),
    }
    for text, score, snippet in by_score:
        place, whole, of = places[text]
        assert (score, snippet) == (
            pytest.approx(mean_logit(reader, reader.order[place], whole, of), abs=1e-3),
            place,
        )
    assert len(by_score) == 4
    assert [score for _, score, _ in by_score] == sorted((score for _, score, _ in by_score), reverse=True)


def test_similar_answers_are_grouped_where_it_is_asked_for_and_five_answers_are_kept(folder: Path) -> None:
    written = ["brca1 ; brca1 gene", "gene brca1 ; mice ; cancer ; disease", "tp53"]
    (whole,) = Texts(config(folder, score="order"), written).told(QUESTIONS[:1])
    assert [text for text, _, _ in whole] == ["brca1", "brca1 gene", "gene brca1", "mice", "cancer"]
    (grouped,) = Texts(config(folder, score="order", group=True), written).told(QUESTIONS[:1])
    assert [text for text, _, _ in grouped] == ["brca1", "brca1 gene", "mice", "cancer", "disease"]


@pytest.mark.parametrize(("trained", "moves"), [("all", "all"), ("top", "top"), ("none", "")])
def test_what_is_trained_is_all_of_it_the_top_of_the_part_that_writes_or_nothing(
    folder: Path, trained: str, moves: str
) -> None:
    reader = learner(folder, trained=trained, layers=1)
    names = [name for name, _ in reader.model().named_parameters()]
    phases = reader.phases()
    chosen = [name for name in names if any(phase.trained(name) for phase in phases)]
    top = [name for name in names if name.startswith("encoder.decoder.block.3.")]
    expected = {"all": names, "top": top, "": []}[moves]
    assert chosen == expected
    assert bool(chosen) == (trained != "none")


def test_pieces_beyond_the_model_s_limit_are_refused(folder: Path) -> None:
    assert learner(folder, input_pieces=5000).config.input_pieces == 5000
    model = text_models.load(folder)
    limited = replace(model, writing=replace(model.writing, limit=256))
    TextToTextLearner(config(folder, input_pieces=256), limited)
    for changed in ({"input_pieces": 257}, {"answer_pieces": 257}):
        with pytest.raises(InputError, match="takes 256 word pieces, fewer than 257") as fault:
            TextToTextLearner(config(folder, **changed), limited)
        assert fault.value.remedy == "take at most 256"
