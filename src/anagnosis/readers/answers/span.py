"""Spans of snippets: where an answer begins and ends, over any BERT-like encoder (the thesis, 4.3; Devlin et al. 2019).

Two linear scores of each word piece say whether an answer begins, and whether one ends there; [CLS] stands for "no
answer here". In each window they become probabilities, so a span's score is the natural-log probability of its begin
and end. The loss of a window is the marginal likelihood of all right spans, every occurrence of every synonym, or of
[CLS] if it has none; that of a question is the mean over its windows.

Shapes: n questions, w windows, l word pieces, t targets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor, nn

from anagnosis.encoders import run
from anagnosis.encoders.pairs import QUESTIONS_CUT
from anagnosis.predictions import Answer
from anagnosis.progress import TextCounts
from anagnosis.readers.answers.ranking import ranked
from anagnosis.readers.answers.span_windows import WINDOWED, EncodedSnippets, Window, Windowing
from anagnosis.readers.learning import AnswerSettings, Output, TensorBatch, ViewedSplit, exact_output
from anagnosis.readers.trained_encoder import (
    EncoderLearner,
    EncoderSettings,
    OverEncoder,
    segmented,
)
from anagnosis.recipes.load import Count, Positive, Rate, WindowSize

LOSS = "span"
STEP = 16  # training on 155 windows of MiniLM took 13.6 s of one core with encoders.run.STEP (4), and 8.6 s with 16
SAVES = ("encoder",)


class Config(EncoderSettings, AnswerSettings, frozen=True, kw_only=True):
    """window: most word pieces of a sequence, at most the encoder's limit. longest: most pieces of an answer.

    spans: the best ones that a window gives. negatives: windows without an answer that a question trains with, drawn by
    seed. group: drop answers that are over 90 similar to a better one.
    """

    view: Literal["snippets"] = "snippets"
    stop: str = "factoid_mrr"
    window: WindowSize = 384
    longest: Positive = 30
    spans: Positive = 20
    negatives: Count = 8
    group: bool = True
    batch: Positive = 8
    rate: Rate = 3e-5
    epochs: Positive = 3


@dataclass(frozen=True, slots=True)
class WindowGroup(TensorBatch):
    """Windows of the same padded length. pieces, segments: int64 [w, l]; inside, begins, ends: bool [w, l]: no padding,
    places where an answer may begin and end, among them [CLS]. numbers: int64 [w], the windows in the batch's order."""

    pieces: Tensor
    inside: Tensor
    segments: Tensor
    begins: Tensor
    ends: Tensor
    numbers: Tensor


@dataclass(frozen=True, slots=True)
class SpanBatch(TensorBatch):
    """target: int64 [n]. groups: the windows that are trained on. question: int64 [w], of each window.

    first, last: int64 [w, t], the places of right spans, [CLS] for none, padding -1.
    """

    target: Tensor
    groups: tuple[WindowGroup, ...]
    question: Tensor
    first: Tensor
    last: Tensor


class SpanModel(OverEncoder):
    """The encoder with two scores of each piece."""

    def __init__(self, config: Config, encoder: Any, *, typed: bool) -> None:
        super().__init__(config, encoder, typed=typed)
        self.dropout = nn.Dropout(config.dropout)
        self.outer = nn.Linear(encoder.get_input_embeddings().weight.shape[1], 2)

    def log_probabilities(self, group: WindowGroup) -> tuple[Tensor, Tensor]:
        """(begin, end): float [w, l], of each place in its window; -inf where none is possible."""
        top = self.top(group.pieces, group.inside, group.segments)
        with torch.autocast(top.device.type, enabled=False):
            scores = self.outer(self.dropout(top.to(self.outer.weight.dtype)))
            begin = scores[..., 0].masked_fill(~group.begins, -torch.inf).log_softmax(-1)
            end = scores[..., 1].masked_fill(~group.ends, -torch.inf).log_softmax(-1)
        return begin, end

    def forward(self, batch: SpanBatch) -> Output:
        begin, end = self._in_order(batch)
        width = begin.shape[1]
        first, last = batch.first.clamp(0, width - 1), batch.last.clamp(0, width - 1)
        of_spans = (begin.gather(1, first) + end.gather(1, last)).masked_fill(batch.first < 0, -torch.inf)
        member = nn.functional.one_hot(batch.question, len(batch.target)).to(begin.dtype)  # [w, n]
        losses = -(member.T @ of_spans.logsumexp(1)) / member.sum(0).clamp(min=1)
        return exact_output({LOSS: losses})

    def _in_order(self, batch: SpanBatch) -> tuple[Tensor, Tensor]:
        """`log_probabilities` of all windows: float [w, longest], padding -inf."""
        width = max((group.pieces.shape[1] for group in batch.groups), default=1)
        columns: list[list[Tensor]] = [[], []]
        for group in batch.groups:
            for column, values in zip(columns, self.log_probabilities(group), strict=True):
                column.append(nn.functional.pad(values, (0, width - values.shape[1]), value=-torch.inf))
        back = torch.cat([group.numbers for group in batch.groups]).argsort()
        begin, end = (torch.cat(column)[back] for column in columns)
        return begin, end


class SpanLearner(EncoderLearner):
    """See learning.Learner."""

    example, exact = EncodedSnippets, True

    def encode(self, split: ViewedSplit) -> Iterator[EncodedSnippets]:
        config, counts = self.config, TextCounts(QUESTIONS_CUT, WINDOWED)
        shape = config.window, config.longest, config.negatives, config.seed
        yield from map(Windowing(self.encoder.pieces, *shape, counts), split.viewed())
        counts.report(split.name)

    def collate(self, examples: Sequence[EncodedSnippets]) -> SpanBatch:
        windows = [[window for window in example.windows if window.trains] for example in examples]
        flat = [window for each in windows for window in each]
        targets = [window.targets or ((0, 0),) for window in flat]
        most = max(map(len, targets), default=1)
        places = np.full((len(flat), most, 2), -1, np.int64)
        for row, spans in zip(places, targets, strict=True):
            row[: len(spans)] = spans
        return SpanBatch(
            torch.tensor([example.target for example in examples]),
            tuple(self._groups(flat)),
            torch.from_numpy(np.repeat(np.arange(len(examples)), [*map(len, windows)])),
            torch.from_numpy(places[..., 0]),
            torch.from_numpy(places[..., 1]),
        )

    def _groups(self, windows: Sequence[Window]) -> Iterator[WindowGroup]:
        lengths = [len(window.pieces) for window in windows]
        for numbers, length in run.groups(lengths, self.encoder.pieces.limit, self.device, step=STEP):
            members = [windows[number] for number in numbers]
            begins, ends = (np.zeros((len(members), length), np.bool_) for _ in range(2))
            for row, window in enumerate(members):
                begins[row, [0, *window.begins]] = True
                ends[row, [0, *window.ends]] = True
            rows, starts = [window.pieces for window in members], [window.first for window in members]
            yield WindowGroup(
                *segmented(rows, starts, self.encoder.pieces, length),
                torch.from_numpy(begins),
                torch.from_numpy(ends),
                torch.tensor(numbers),
            )

    def answers(self, model: nn.Module, examples: Sequence[EncodedSnippets]) -> list[list[Answer]]:
        assert isinstance(model, SpanModel)
        owners = [(number, window) for number, example in enumerate(examples) for window in example.windows]
        found: list[list[Answer]] = [[] for _ in owners]
        for group in self._groups([window for _, window in owners]):
            begin, end = model.log_probabilities(group.to(self.device))
            best = best_spans(begin, end, self.config.longest, self.config.spans)
            for number, spans in zip(group.numbers.tolist(), best, strict=True):
                question, window = owners[number]
                found[number] = [_answer(examples[question], window, *span) for span in spans]
        of_questions: list[list[Answer]] = [[] for _ in examples]
        for (question, _), answers in zip(owners, found, strict=True):
            of_questions[question] += answers
        return [
            ranked(_without_repeats(answers), example.type, group=self.config.group)
            for example, answers in zip(examples, of_questions, strict=True)
        ]

    def model(self) -> nn.Module:
        return SpanModel(self.config, self.encoder.model, typed=self.encoder.pieces.types > 1)


prepare, restore = SpanLearner.prepare, SpanLearner.restore


def best_spans(begin: Tensor, end: Tensor, longest: int, count: int) -> list[list[tuple[int, int, float]]]:
    """(first place, last place, score) of the best spans of each window, at most `count`, the best first.

    begin, end: float [w, l], natural-log probabilities, [CLS] at place 0. longest: most places of a span.
    """
    width = begin.shape[1]
    later = nn.functional.pad(end, (0, longest - 1), value=-torch.inf).unfold(1, longest, 1)
    scores = begin[:, 1:, None] + later[:, 1:]  # [w, l - 1, longest]
    values, places = scores.flatten(1).topk(min(count, (width - 1) * longest))
    return [
        [
            (1 + place // longest, 1 + place // longest + place % longest, value)
            for value, place in zip(*row, strict=True)
            if value > -torch.inf
        ]
        for row in zip(values.float().tolist(), places.tolist(), strict=True)
    ]


def _answer(example: EncodedSnippets, window: Window, first: int, last: int, score: float) -> Answer:
    """The answer whose pieces stand at these places of a window, without white space at its ends."""
    begin = window.offsets[first - window.first][0]
    end = window.offsets[last - window.first][1]
    text = example.snippets[window.snippet][begin:end]
    begin += len(text) - len(text.lstrip())
    text = text.strip()
    return Answer(text, score, window.snippet, begin, begin + len(text))


def _without_repeats(answers: Sequence[Answer]) -> list[Answer]:
    """The answers in their order; of a span that several windows hold, the most probable."""
    best: dict[tuple[int | None, int | None, int | None], Answer] = {}
    for answer in answers:
        place = answer.snippet, answer.begin, answer.end
        if place not in best or (answer.score or 0.0) > (best[place].score or 0.0):
            best[place] = answer
    return list(best.values())
