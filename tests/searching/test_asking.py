"""Evidence: verbatim sentences, scored by hand here, and said to be uncalibrated."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anagnosis.cli import run
from anagnosis.reports.found import CUT, ask_report, shown
from anagnosis.reports.report import Heading
from anagnosis.searching import overlap
from anagnosis.searching.asking import ask, highlighted
from anagnosis.searching.engines import Engine
from anagnosis.searching.highlighting import Marks, Scorer
from anagnosis.searching.index import Index
from anagnosis.searching.passages import Passage
from anagnosis.searching.readers import Readers
from anagnosis.searching.sentences import Sentence, best, cut

MARKS = Marks(weak=0.3, fair=0.5, strong=0.75)
WORDS = st.text(st.sampled_from("ab ?.!\n<&\"β'"), min_size=1, max_size=120)


def scored(passage: Passage, score: Callable[[str], float]) -> list[Sentence]:
    """Its sentences with their scores by hand."""
    values = [(begin, end, score(passage.text[begin:end])) for begin, end in cut(passage)]
    return [Sentence(*value, MARKS.strength(value[2])) for value in values]


def test_the_best_sentence_is_quoted_as_it_stands(index: Index) -> None:
    found = ask(index, "Does cold tea change sleep?")
    assert (found.kind, found.off) == ("yesno", "yes, no or maybe")
    first = found.evidence[0]
    assert first.text == "Cold tea does not change sleep."
    assert first.passage.id == "1#1"
    assert "uncalibrated" in found.scorer.name
    assert not found.scorer.calibrated
    assert found.in_collection


def test_a_score_is_the_share_of_the_weights(index: Index) -> None:
    score = overlap.scorer(index.engine, "cold tea in fever")
    passages = index.count().passages
    weight = {
        word: math.log((passages + 1) / (df + 0.5)) for word, df in (("cold", 2), ("tea", 2), ("fever", 1))
    }
    assert score("The tea was cold.") == pytest.approx(
        (weight["cold"] + weight["tea"]) / math.fsum(weight.values())
    )
    assert score("Nothing.") == 0
    assert overlap.scorer(index.engine, "the of")("Nothing.") == 0
    what = overlap.scorer(index.engine, "What is cold tea?")
    assert (what("Cold tea."), what("What is it?")) == (1, 0)


def test_what_is_not_there_is_said(index: Index) -> None:
    nothing = ask(index, "Which planet has rings?")
    assert (nothing.evidence, nothing.in_collection) == ([], False)
    near = ask(index, "Does cold tea change the rings of planets?")
    assert near.evidence
    assert not near.in_collection
    headings = [block.text for block in ask_report(near, index.count()).blocks if isinstance(block, Heading)]
    assert headings == ["What comes nearest"]


def test_a_sentence_that_stands_twice_is_given_once() -> None:
    one, two = (Passage(ident, 0, "abstract", "", "", "Tea  helps.") for ident in "12")
    same = Passage("3", 0, "abstract", "", "", "tea helps.")
    found = best([(each, scored(each, lambda _: 0.5)) for each in (one, two, same)], 5)
    assert [evidence.passage.document for evidence in found] == ["1"]


def test_a_better_passage_goes_before_a_slightly_better_sentence() -> None:
    passages = [Passage(str(n), 0, "abstract", "", "", f"Tea {n} helps.") for n in range(4)]
    scores = (0.5, 0.6, 0.95, 0.2)
    found = [
        (each, [Sentence(0, len(each.text), score, MARKS.strength(score))])
        for each, score in zip(passages, scores, strict=True)
    ]
    # .5 / 1, .6 / √2, .95 / √3; below the weakest mark nothing is quoted.
    assert [one.passage.document for one in best(found, 5)] == ["2", "0", "1"]


class Sure:
    """Is sure of everything."""

    about = Scorer("sure", "always one", calibrated=True)
    marks = MARKS

    def highlight(self, engine: Engine, question: str, passages: Sequence[Passage]) -> list[list[Sentence]]:
        return [[Sentence(*place, 1.0, 3) for place in cut(passage)] for passage in passages]


def test_a_trained_reader_does_not_find_what_is_not_there(index: Index) -> None:
    readers = Readers(highlighter=Sure())
    assert ask(index, "Does cold tea change sleep?", readers=readers).in_collection
    near = ask(index, "Does cold tea change the rings of planets?", readers=readers)
    assert (near.in_collection, near.scorer.name) == (False, "sure")
    assert near.evidence


@given(WORDS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_every_quoted_and_shown_piece_stands_in_its_source(text: str) -> None:
    passage = Passage("1", 0, "abstract", "", "", text)
    sentences = scored(passage, lambda one: min(1.0, len(one) / 20))
    for evidence in best([(passage, sentences)], 3):
        assert evidence.text in text
    for longest in (900, 20):
        runs = [run.text for run in shown(text, sentences, longest)]
        pieces = [run for run in runs if run.strip() != CUT]
        assert "".join(pieces) in text
        assert (len(pieces) == len(runs)) <= ("".join(pieces) == text)


def test_a_long_passage_is_shown_around_its_best_sentence() -> None:
    text = " ".join(f"Sentence number {n} stands here." for n in range(60))
    passage = Passage("1", 0, "abstract", "", "", text)
    sentences = scored(passage, lambda one: 1.0 if " 30 " in one else 0.0)
    runs = list(shown(text, sentences))
    assert [run.text for run in runs if run.strong] == ["Sentence number 30 stands here."]
    assert runs[0].text.startswith(CUT)
    assert sum(len(run.text) for run in runs) < 920


def test_highlights_are_of_every_passage(index: Index) -> None:
    (found, *_) = highlighted(index, "cold tea", index.search("cold tea"))
    assert [isinstance(one, Sentence) for one in found.sentences] == [True] * len(found.sentences)
    assert max(one.strength for one in found.sentences) > 0


def test_what_filters_leave_out_is_told(index: Index, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("search", "ask"):
        asked = [command, str(index.folder), "cold tea", "--since", "2019", "--journal", "Tea Journal"]
        assert run(asked) == 0
        told = capsys.readouterr().out
        assert "No such journal here: Tea Journal; for example Journal of Tea." in told
        assert "1 document without a date are left out" not in told
        assert "1 document without a date is left out by the filter of dates." in told
        assert run([command, str(index.folder), "cold tea", "--journal", "journal of tea"]) == 0
        told = capsys.readouterr().out
        assert "No such journal" not in told
        assert "without a date" not in told


def test_what_is_off_is_told_with_the_command_that_turns_it_on(
    index: Index, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ask", str(index.folder), "Does cold tea change sleep?"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "An exact answer (yes, no or maybe) is off: no trained reader for it was named." in told
    assert "`anagnosis train pubmedqa-shallow-features --data DATASET --out readers/decision`" in told
