"""Spans of snippets: windows, targets, the loss and the best spans, each by hand on a tiny encoder."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.encoders.tiny import tiny_encoder
from tests.readers.tiny_readers import CONTRARY, CUE, WORDS
from tests.readers.viewed import snippet_question as asked
from tests.readers.viewed import viewed_split

from anagnosis.datasets.kinds.question import SnippetQuestion
from anagnosis.predictions import Answer
from anagnosis.readers.answers import span
from anagnosis.readers.answers.span_windows import EncodedSnippets

LIMIT = 24


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    words = [*WORDS, CUE, CONTRARY, "which", "?", "tea", "salt"]
    return tiny_encoder(tmp_path_factory.mktemp("spans") / "tiny", words=words, limit=LIMIT)


def learner(tiny: Path, **settings: Any) -> span.SpanLearner:
    config = span.Config(encoder=str(tiny), precision="float32", dropout=0.0, **settings)
    return span.prepare(config, viewed_split())


def encoded(reader: span.SpanLearner, *questions: SnippetQuestion) -> list[EncodedSnippets]:
    return list(reader.encode(viewed_split(*questions)))


def target_texts(example: EncodedSnippets) -> list[list[str]]:
    """The texts of each window's targets."""
    return [
        [
            example.snippets[w.snippet][w.offsets[first - w.first][0] : w.offsets[last - w.first][1]]
            for first, last in w.targets
        ]
        for w in example.windows
    ]


def test_question_and_snippet_are_one_sequence_whose_targets_are_all_occurrences(tiny: Path) -> None:
    reader = learner(tiny)
    entries = (("Tea", "salt tea"), ("cells",))
    (example,) = encoded(reader, asked("salt tea and tea", "no cell of cells", answers=entries, type="list"))
    first, second = example.windows
    pieces = reader.encoder.pieces.tokenizer.convert_ids_to_tokens(first.pieces)
    assert pieces == ["[CLS]", "which", "cells", "?", "[SEP]", "salt", "tea", "and", "tea", "[SEP]"]
    assert [first.snippet, second.snippet] == [0, 1]
    assert target_texts(example) == [["salt tea", "tea", "tea"], ["cells"]]
    assert first.targets == ((5, 6), (6, 6), (8, 8))


def test_an_answer_begins_and_ends_at_the_bounds_of_words(tiny: Path) -> None:
    """`no` falls into two pieces, so only the first may begin an answer and only the second may end one."""
    (example,) = encoded(learner(tiny), asked("no tea-salt", answers=(("no",),)))
    (window,) = example.windows
    assert window.offsets == ((0, 1), (1, 2), (3, 6), (6, 7), (7, 11))
    assert window.begins == tuple(window.first + place for place in (0, 2, 3, 4))
    assert window.ends == tuple(window.first + place for place in (1, 2, 3, 4))
    assert window.targets == ((window.first, window.first + 1),)


def test_a_long_snippet_is_read_whole_in_windows_that_share_the_longest_answer(
    tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = " ".join(["of", "in", "was"] * 12 + ["salt", "tea"] + ["and"] * 5)
    reader = learner(tiny, longest=3)
    (example,) = encoded(reader, asked(text, answers=(("salt tea",),)))
    room = LIMIT - 6
    assert [len(window.offsets) for window in example.windows[:-1]] == [room] * (len(example.windows) - 1)
    for one, following in zip(example.windows, example.windows[1:], strict=False):
        assert one.offsets[-3:] == following.offsets[:3]
    assert {offset for window in example.windows for offset in window.offsets} == {
        offset for encoding in reader.encoder.pieces.split([text]) for offset in encoding.offsets
    }
    assert ["salt tea"] in target_texts(example)
    assert "1 snippets over the encoder's limit were read in several windows" in capsys.readouterr().err


def test_a_repeated_snippet_is_read_once(tiny: Path) -> None:
    (example,) = encoded(learner(tiny), asked("in tea", "salt", "in tea"))
    assert [window.snippet for window in example.windows] == [0, 1]


def test_a_long_question_is_cut_and_counted(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    long = SnippetQuestion("1", "factoid", "of " * 40, ("in tea",), (("tea",),))
    (example,) = encoded(learner(tiny), long)
    assert len(example.windows[0].pieces) <= LIMIT
    assert target_texts(example) == [["tea"]]
    assert "1 questions over three fourths of the encoder's limit were cut there" in capsys.readouterr().err


def test_what_trains_nothing_has_no_target(tiny: Path) -> None:
    questions = (
        asked("tea"),
        asked("tea", type="yesno", answers=(("yes",),)),
        asked("tea", type="summary", answers=None),
        asked("tea", answers=None),
        asked(),
        asked("salt"),
        asked("of " * 9 + "tea", answers=(("of " * 9 + "tea",),)),
    )
    examples = encoded(learner(tiny, longest=4), *questions)
    assert [example.target for example in examples] == [0, -1, -1, -1, -1, -1, -1]
    assert [len(example.windows) for example in examples] == [1, 0, 0, 1, 0, 1, 1]


def test_windows_without_an_answer_are_drawn_by_seed(tiny: Path) -> None:
    question = asked("tea", *(f"salt {number}" for number in range(9)))
    for negatives in (0, 3, 99):
        (example,) = encoded(learner(tiny, negatives=negatives), question)
        assert sum(window.trains for window in example.windows) == 1 + min(9, negatives)
        assert example.windows[0].trains
    draws = {
        tuple(w.trains for w in encoded(learner(tiny, negatives=3, seed=seed), question)[0].windows)
        for seed in range(5)
    }
    assert len(draws) > 1


def test_the_loss_is_the_marginal_likelihood_of_all_targets_averaged_over_windows(tiny: Path) -> None:
    reader = learner(tiny)
    examples = encoded(reader, asked("salt tea and tea", "salt of cells"), asked("of tea"))
    model = reader.model().double().eval()
    assert isinstance(model, span.SpanModel)
    output = model(reader.collate(examples))
    for example, loss in zip(examples, output.losses["span"].tolist(), strict=True):
        by_hand: list[float] = []
        for window in example.windows:
            (group,) = reader._groups([window])  # pyright: ignore[reportPrivateUsage]
            begin, end = (row[0].exp().tolist() for row in model.log_probabilities(group))
            assert sum(begin) == pytest.approx(1)
            assert sum(end) == pytest.approx(1)
            right = window.targets or ((0, 0),)
            by_hand.append(-math.log(sum(begin[first] * end[last] for first, last in right)))
        assert loss == pytest.approx(sum(by_hand) / len(by_hand))


def test_the_best_spans_are_those_of_a_count_over_all_of_them() -> None:
    generator = torch.Generator().manual_seed(3)
    begin, end = (torch.randn(3, 9, generator=generator).log_softmax(-1) for _ in range(2))
    begin[:, 4] = end[1, 5:] = -torch.inf
    for longest, count in ((1, 4), (3, 5), (30, 200)):
        for row, found in enumerate(span.best_spans(begin, end, longest, count)):
            every = sorted(
                (
                    (float(begin[row, first] + end[row, last]), first, last)
                    for first in range(1, 9)
                    for last in range(first, min(9, first + longest))
                    if begin[row, first] + end[row, last] > -torch.inf
                ),
                reverse=True,
            )
            assert [[first, last] for first, last, _ in found] == [place for _, *place in every[:count]]
            assert [score for *_, score in found] == pytest.approx([score for score, *_ in every[:count]])


def test_answers_name_their_snippet_and_place(tiny: Path) -> None:
    reader = learner(tiny, spans=6, longest=3, group=False)
    texts = ("salt ,  tea", " ", "no in " * 20)
    examples = encoded(reader, asked(*texts, type="list"), asked("tea", type="yesno"))
    model = reader.model().eval()
    with torch.inference_mode():
        answers, none = reader.answers(model, examples)
    assert none == []
    assert len(answers) == 10
    for answer in answers:
        assert answer.snippet in (0, 2)
        assert texts[answer.snippet or 0][answer.begin : answer.end] == answer.text == answer.text.strip()
    assert [a.score for a in answers] == sorted((a.score for a in answers), reverse=True)  # type: ignore[type-var]
    places = [(a.snippet, a.begin, a.end) for a in answers]
    assert len(set(places)) == len(places), "a span that two windows hold is one answer"


def test_of_a_span_in_two_windows_the_more_probable_counts() -> None:
    scores = [(0, -3.0), (1, -2.0), (0, -1.0), (1, -4.0)]
    answers = [Answer("tea", score, 0, place, place + 3) for place, score in scores]
    kept = span._without_repeats(answers)  # pyright: ignore[reportPrivateUsage]
    assert [(answer.begin, answer.score) for answer in kept] == [(0, -1.0), (1, -2.0)]
