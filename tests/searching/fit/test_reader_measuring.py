"""The figures of readers of sentences and of question types beside the order by words and the rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import pytest
from tests.evidence_sets import claim, lines

from anagnosis.datasets.kinds.question import FACTOID, SUMMARY, QuestionInstance, Snippet
from anagnosis.errors import InputError
from anagnosis.searching.engines import Engine
from anagnosis.searching.fit.reader_measuring import (
    FEWEST,
    FEWEST_TYPED,
    Posed,
    credit,
    measure,
    measured_types,
    of_snippets,
    parts,
)
from anagnosis.searching.records.expansion import Topic
from anagnosis.searching.records.hits import Sentence
from anagnosis.searching.records.passage import TITLE, Evidence, Passage
from anagnosis.searching.sentences.highlighting import UNTRAINED, Overlap

COLOURS = ("red", "blue", "green", "white", "black")


class Backwards(Overlap):
    """A highlighter whose best sentences share the fewest words."""

    def highlight(self, engine: Engine, topic: Topic, passages: Sequence[Passage]) -> list[list[Sentence]]:
        return [
            [Sentence(one.begin, one.end, 1.01 - one.score, 1) for one in each]
            for each in super().highlight(engine, topic, passages)
        ]


def quoted(text: str, document: str, stands_in: Literal["text", "title"] = "text") -> Evidence:
    passage = Passage(document=document, number=0, section="abstract", heading="", title=text, text=text)
    return Evidence(text, 0, len(text), 0.5, 1, 1, passage, stands_in)


def test_gold_sentences_are_counted_by_hand() -> None:
    gold = {"1": ["tea helps.", "tea is warm."], "2": ["salt stops fish."]}
    assert credit([quoted("Tea helps.", "1"), quoted("Salt stops fish.", "2")], gold) == (1.0, 2 / 3)
    # The same words in another abstract, and a title, are no gold sentence.
    assert credit([quoted("Tea helps.", "2"), quoted("Tea helps.", "1", TITLE)], gold) == (0.0, 0.0)
    # A part of a gold sentence is one.
    assert credit([quoted("no", "1"), quoted("tea helps", "1")], gold) == (0.0, 1 / 3)
    assert credit([], gold) == (0.0, 0.0)


def test_the_snippets_of_a_question_are_gold_by_their_document() -> None:
    snippets = [
        Snippet(f"http://www.ncbi.nlm.nih.gov/pubmed/{pmid}", "abstract", 0, "abstract", 9, text)
        for pmid, text in (("1", "Tea Helps."), ("2", "Salt."), ("1", "No."))
    ]
    question = QuestionInstance("q", FACTOID, "Does tea help?", snippets=tuple(snippets))
    assert of_snippets(question) == Posed("Does tea help?", {"1": ["tea helps.", "no."], "2": ["salt."]})


def release(folder: Path, number: int) -> Path:
    """Claims outside train, each with the abstract that has its words in its last sentence."""
    words = [f"{colour}{place}" for place in range(number) for colour in COLOURS]
    abstracts = [
        {
            "doc_id": place,
            "title": f"Study {place}",
            "abstract": [f"We studied {word}.", "Nothing else was done.", f"The {word} mixture cured mice."],
        }
        for place, word in enumerate(words[:number])
    ]
    lines(folder / "corpus.jsonl", abstracts)
    lines(folder / "claims_train.jsonl", [claim(10_000, "Red mixtures cure.", {"0": [[2]]})])
    asked = [
        claim(place, f"A {word} mixture cured mice", {str(place): [[2]]})
        for place, word in enumerate(words[:number])
    ]
    lines(folder / "claims_dev.jsonl", asked)
    return folder


def test_the_order_by_words_stands_beside_that_of_a_reader(tmp_path: Path) -> None:
    figures = measure(release(tmp_path, FEWEST), Backwards(), date="2026-01-02")
    assert (figures.questions, figures.documents) == (FEWEST, FEWEST)
    assert figures.first_by_words > 0.9 > 0.1 > figures.first
    assert not figures.earned
    assert figures.high < 0
    assert f"{FEWEST} questions of SciFact, dev claims over {FEWEST} documents (2026-01-02)" in figures.says
    same = measure(tmp_path, UNTRAINED, date="2026-01-02")
    assert (same.first, same.recall, same.low, same.high) == (
        same.first_by_words,
        same.recall_by_words,
        0.0,
        0.0,
    )
    assert not same.earned


def test_too_few_claims_outside_train_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"claims outside train have evidence, and {FEWEST} are needed"):
        measure(release(tmp_path, FEWEST - 1), UNTRAINED, date="2026-01-02")


def questions(sizes: dict[str, int]) -> list[QuestionInstance]:
    return [
        QuestionInstance(f"{file}{place}", FACTOID, "Which gene?", file=file)
        for file, size in sizes.items()
        for place in range(size)
    ]


def test_whole_newest_editions_measure_and_later_ones_stay_outside() -> None:
    sizes = {"6B1_golden.json": 70, "7B1_golden.json": 5, "7B2_golden.json": 5, "8B1_golden.json": 20}
    chosen = parts(questions({**sizes, "9B5_golden.json": 100, "10B1_golden.json": 3}))
    assert chosen.apart == {"9B5_golden.json", "10B1_golden.json"}
    assert chosen.newest == {
        "8B1_golden.json",
        "7B1_golden.json",
        "7B2_golden.json",
    }  # 20 of 100 are fewer than 28


def test_the_rules_stand_beside_and_a_reader_must_beat_them() -> None:
    posed = [
        QuestionInstance(str(place), FACTOID if place % 2 else SUMMARY, "Which gene is it?")
        for place in range(FEWEST_TYPED)
    ]
    figures = measured_types(posed, lambda question: FACTOID, "invented", "2026-01-02")
    assert (figures.accuracy, figures.by_rules, figures.low, figures.earned) == (0.5, 0.5, 0.0, False)
    worse = measured_types(posed, lambda question: "list", "invented", "2026-01-02")
    assert (worse.accuracy, worse.earned) == (0.0, False)
    assert worse.high < 0
    right = iter([one.type for one in posed])
    better = measured_types(posed, lambda question: next(right), "invented", "2026-01-02")
    assert (better.accuracy, better.earned) == (1.0, True)
    assert "right for 100.0%, rules 50.0%" in better.says
    with pytest.raises(InputError, match=f"and {FEWEST_TYPED} are needed"):
        measured_types(posed[1:], lambda question: FACTOID, "invented", "2026-01-02")
