"""Questions as inputs and targets of a text-to-text model (the thesis, section 4.4).

    input     question: Which gene causes Rett syndrome? context: Rett syndrome is caused by MECP2 mutations.
    target    MECP2; CDKL5                                     the answers in their order, joined by a delimiter

Each snippet gives an input. The context is cut at the limit, and such contexts are counted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from heapq import nsmallest
from typing import Literal

import msgspec

from anagnosis.datasets.kinds.question import EXACT_TYPES, SnippetQuestion, distinct
from anagnosis.encoders.text_models import Writing
from anagnosis.progress import TextCounts
from anagnosis.readers.answers.ranking import occurrences
from anagnosis.readers.learning import AnswerSettings
from anagnosis.readers.trained_encoder import EncoderSettings
from anagnosis.recipes.load import Count, Positive, Rate, Share

INPUTS = "contexts were cut at the most pieces of an input (--set input_pieces=…)"
QUESTIONS = "questions were cut at the most pieces of an input"
ANSWERS = "targets were cut at the most pieces of an answer (--set answer_pieces=…)"


class Config(EncoderSettings, AnswerSettings, frozen=True, kw_only=True):
    """encoder: a folder. trained: all of it, the top `layers` of what writes, or nothing.

    input_pieces, answer_pieces: most word pieces of an input and of a text that the model writes. targets: the answers
    that occur in an input, or all of the question. delimiter: between answers; a blank alone joins them without one.
    pairs: most inputs of a part to train on, drawn by seed, 0 for all.
    """

    view: Literal["snippets"] = "snippets"
    score: Literal["mean-logit", "order"] = "mean-logit"
    group: bool = False
    targets: Literal["occurring", "all"] = "occurring"
    delimiter: str = ";"
    input_pieces: Positive = 1024
    answer_pieces: Positive = 32
    pairs: Count = 0
    dropout: Share = 0.0
    batch: Positive = 8
    rate: Rate = 5e-5
    epochs: Positive = 3
    stop: str = "factoid_mrr"


class Prompted(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A question with its inputs, none if it is of another type than the reader answers.

    target: 0, -1 for no training. snippets: their texts. places: of each input the index of its snippet.
    inputs: word pieces of each. targets: word pieces that each input is trained to be followed by,
    () for those that the training does not use.
    """

    id: str
    type: str
    target: int
    snippets: tuple[str, ...]
    places: tuple[int, ...]
    inputs: tuple[tuple[int, ...], ...]
    targets: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        """The number of word pieces, at least one."""
        return max(1, sum(map(len, self.inputs)) + sum(map(len, self.targets)))


class Prompting:
    """A maker of inputs and targets. writing: the model's tokenizer."""

    def __init__(self, writing: Writing, config: Config) -> None:
        self.writing, self.config = writing, config
        self.counts = TextCounts(INPUTS, QUESTIONS, ANSWERS)

    def drawn(self, questions: Iterable[SnippetQuestion]) -> frozenset[tuple[str, int]] | None:
        """(question, snippet) of the inputs that the training uses; None for all."""
        if not self.config.pairs:
            return None
        keys = (
            (hashlib.sha256(f"{self.config.seed} {asked.id} {place}".encode()).digest()[:16], asked.id, place)
            for asked in questions
            if asked.trains()
            for place, context in self._contexts(asked)
            if self._answers(asked, context)
        )
        return frozenset((ident, place) for _, ident, place in nsmallest(self.config.pairs, keys))

    def __call__(self, asked: SnippetQuestion, drawn: frozenset[tuple[str, int]] | None = None) -> Prompted:
        """The inputs of a question, and the targets of those that are drawn."""
        if asked.type not in EXACT_TYPES:
            return Prompted(asked.id, asked.type, -1, (), (), (), ())
        contexts = self._contexts(asked)
        targets: list[tuple[int, ...]] = []
        trains = asked.trains()
        for place, context in contexts:
            answers = self._answers(asked, context) if trains else []
            used = bool(answers) and (drawn is None or (asked.id, place) in drawn)
            targets.append(self._target(answers) if used else ())
        return Prompted(
            asked.id,
            asked.type,
            0 if any(targets) else -1,
            asked.snippets,
            tuple(place for place, _ in contexts),
            tuple(self._input(asked.question, context) for _, context in contexts),
            tuple(targets),
        )

    def _contexts(self, asked: SnippetQuestion) -> list[tuple[int, str]]:
        """(index, text) of each snippet."""
        return [(place, " ".join(text.split())) for place, text in distinct(asked.snippets)]

    def _answers(self, asked: SnippetQuestion, context: str) -> list[str]:
        """One text of each right answer: as it occurs in the context, or by its first synonym (targets = "all")."""
        texts: list[tuple[int, str]] = []
        for number, synonyms in enumerate(asked.exact or ()):
            places = occurrences(context, synonyms)
            if places:
                # Of the occurrences that begin first, the longest.
                begin, end = min(places, key=lambda place: (place[0], -place[1]))
                texts.append((number, context[begin:end]))
            elif self.config.targets == "all" and (synonyms := [text for text in synonyms if text.strip()]):
                texts.append((number, " ".join(synonyms[0].split())))
        return list(dict.fromkeys(text for _, text in texts))

    def _target(self, answers: list[str]) -> tuple[int, ...]:
        joint = " " if self.config.delimiter.isspace() else f"{self.config.delimiter} "
        pieces = self.writing.pieces(joint.join(answers))
        self.counts[ANSWERS] += len(pieces) >= self.config.answer_pieces
        return (*pieces[: self.config.answer_pieces - 1], self.writing.end)

    def _input(self, question: str, context: str) -> tuple[int, ...]:
        """The pieces of an input. Of a long one the context is cut behind, then the question."""
        before, after = self.writing.around
        head = self.writing.pieces(f"question: {' '.join(question.split())} context:")
        read = self.writing.pieces(f" {context}")
        room = max(0, self.config.input_pieces - len(before) - len(after))
        self.counts[QUESTIONS] += len(head) > room
        head = head[:room]
        room -= len(head)
        self.counts[INPUTS] += len(read) > room
        return (*before, *head, *read[:room], *after)
