"""A T5-like model that writes the answers to an expert's question (the thesis, section 4.4).

For each snippet the model writes one text, whose every word piece is the most probable one. The
answers in these texts (split at the delimiter) are ranked by the mean logit of their word pieces, without the
piece that ends the text (score = "mean-logit"), or in the order in which they came (score = "order"); similar ones are
grouped if `group` is set. Table 4.1 of the thesis is group and order, Table 4.2 order, Table 4.3 mean-logit.

The loss of a question is the mean over its inputs, that of an input the mean cross-entropy of its target's word pieces:
the model learns the answer alone, not question and context. The thesis names no size, rate, number of epochs and
delimiter; ours are marked in the recipes.

Shapes: q questions, n inputs, k pieces of the longest target, v pieces of the vocabulary.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from anagnosis.encoders import text_models
from anagnosis.encoders.generation import Written, most_probable, read
from anagnosis.encoders.load import keep
from anagnosis.encoders.run import groups
from anagnosis.encoders.text_models import TextModel, Writing
from anagnosis.encoders.trained import set_dropout, trained_parameters
from anagnosis.errors import InputError
from anagnosis.predictions import Answer
from anagnosis.readers.answers.prompts import Config, Prompted, Prompting
from anagnosis.readers.answers.ranking import placed, ranked
from anagnosis.readers.learning import (
    Learner,
    Output,
    Phase,
    TensorBatch,
    ViewedSplit,
    exact_output,
    over_encoder,
)
from anagnosis.readers.trained_encoder import ENCODER, OverEncoder

SAVES = (ENCODER,)
LOSS = "pieces"
_ENDLESS = 1 << 30  # more word pieces than any input has

# An answer, and the code point at which it begins in the written text.
Part = tuple[str, int]


@dataclass(frozen=True, slots=True)
class PromptBatch(TensorBatch):
    """inputs, targets: word pieces of the trained inputs. question: int64 [n], the question of each."""

    target: Tensor
    question: Tensor
    inputs: list[tuple[int, ...]]
    targets: list[tuple[int, ...]]


class TextToText(OverEncoder):
    """The model, with the loss of targets."""

    def __init__(self, config: Config, model: TextModel) -> None:
        super().__init__(config, model.model)
        self._writing = model.writing

    def forward(self, batch: PromptBatch) -> Output:
        count = len(batch.target)
        device = batch.target.device
        if not batch.inputs:
            return exact_output({LOSS: torch.zeros(count, device=device)})
        logits, pieces, inside = read(self.encoder, self._writing, batch.inputs, batch.targets, device)
        logits = logits.float()  # [n, k, v]
        each = cross_entropy(logits.transpose(1, 2), pieces, reduction="none") * inside  # [n, k]
        losses = each.sum(1) / inside.sum(1)  # [n]
        shares = nn.functional.one_hot(batch.question, count).to(losses.dtype)  # [n, q]
        return exact_output({LOSS: shares.T @ losses / shares.sum(0).clamp(min=1)})


class TextToTextLearner(Learner):
    """See learning.Learner."""

    example, exact = Prompted, True
    device: Any = torch.device("cpu")

    def __init__(self, config: Config, model: TextModel) -> None:
        limit = model.writing.limit
        longest = max(config.input_pieces, config.answer_pieces)
        if limit is not None and longest > limit:
            what = f"the model takes {limit:,} word pieces, fewer than {longest:,}"
            raise InputError(what, "input_pieces, answer_pieces", f"take at most {limit:,}")
        self.config, self.text_model = config, model
        set_dropout(model.model, config.dropout, config.attention_dropout)
        self._trained = _trained(model.model, config)

    def encode(self, split: ViewedSplit) -> Iterator[Prompted]:
        prompting = Prompting(self.text_model.writing, self.config)
        drawn = prompting.drawn(split.viewed())
        for asked in split.viewed():
            yield prompting(asked, drawn)
        prompting.counts.report(split.name)

    def collate(self, examples: Sequence[Prompted]) -> PromptBatch:
        trained = [
            (number, given, target)
            for number, example in enumerate(examples)
            for given, target in zip(example.inputs, example.targets, strict=True)
            if target
        ]
        return PromptBatch(
            torch.tensor([example.target for example in examples]),
            torch.tensor([number for number, _, _ in trained], dtype=torch.int64),
            [given for _, given, _ in trained],
            [target for _, _, target in trained],
        )

    def answers(self, model: nn.Module, examples: Sequence[Prompted]) -> list[list[Answer]]:
        inputs = [
            (number, place) for number, example in enumerate(examples) for place in range(len(example.inputs))
        ]
        given = [examples[number].inputs[place] for number, place in inputs]
        found: list[list[list[Answer]]] = [[[] for _ in example.inputs] for example in examples]
        for batch, _ in groups([len(each) for each in given], _ENDLESS, self.device):
            texts = self._texts(model, [given[number] for number in batch])
            for number, written in zip(batch, texts, strict=True):
                question, place = inputs[number]
                example = examples[question]
                found[question][place] = [
                    placed(text, score, example.snippets, example.places[place])
                    for text, score in self._scored(written)
                ]
        return [
            ranked([one for each in of_question for one in each], example.type, group=self.config.group)
            for example, of_question in zip(examples, found, strict=True)
        ]

    def _texts(self, model: nn.Module, given: Sequence[tuple[int, ...]]) -> list[Written]:
        """The text that the model writes for each input."""
        most = self.config.answer_pieces
        return most_probable(getattr(model, ENCODER), self.text_model.writing, given, most, self.device)

    def _scored(self, written: Written) -> list[tuple[str, float | None]]:
        """The answers in a text, in its order, with the mean logits of their pieces."""
        writing = self.text_model.writing
        found = parts(writing.text(list(written.pieces)), self.config.delimiter)
        if self.config.score == "order":
            return [(text, None) for text, _ in found]
        where = pieces_of(found, written.pieces, writing)
        return [
            (text, float(np.mean(written.logits[each]))) for (text, _), each in zip(found, where, strict=True)
        ]

    def model(self) -> nn.Module:
        return TextToText(self.config, self.text_model)

    def phases(self) -> Sequence[Phase]:
        return over_encoder(self._trained) if self._trained else ()

    def save(self, folder: Path) -> None:
        keep(self.text_model.model, self.text_model.writing.tokenizer, folder / ENCODER)


def _trained(model: Any, config: Config) -> tuple[str, ...]:
    """Prefixes of the trained parameters' names; the top layers are those of the part that writes."""
    if config.trained != "top":
        return trained_parameters(model, config.trained, config.layers, "encoder.")
    decoder = model.get_decoder()
    prefix = next(name for name, module in model.named_modules() if module is decoder)
    return trained_parameters(decoder, config.trained, config.layers, f"encoder.{prefix}.")


def prepare(config: Config, training: ViewedSplit) -> TextToTextLearner:
    """Load the model."""
    return TextToTextLearner(config, text_models.load(config.encoder))


def restore(config: Config, folder: Path) -> TextToTextLearner:
    """Restore the learner from a run folder, which contains everything."""
    return TextToTextLearner(config, text_models.skeleton(folder / ENCODER))


def parts(text: str, delimiter: str) -> list[Part]:
    """The answers of a written text, in its order; an answer that comes twice is given once.

    delimiter: a blank alone splits nothing.
    """
    given: dict[str, Part] = {}
    sign, at = delimiter.strip(), 0
    for answer in text.split(sign) if sign else [text]:
        if stripped := answer.strip().removesuffix(".").rstrip():
            begin = at + len(answer) - len(answer.lstrip())
            given.setdefault(stripped.casefold(), (stripped, begin))
        at += len(answer) + len(sign)
    return list(given.values())


def pieces_of(answers: Sequence[Part], pieces: Sequence[int], writing: Writing) -> list[slice]:
    """The word pieces of each answer. pieces: of the written text."""
    ends = [len(writing.text(list(pieces[: number + 1]))) for number in range(len(pieces))]
    return [
        slice(bisect_right(ends, begin), bisect_right(ends, begin + len(text) - 1) + 1)
        for text, begin in answers
    ]
