"""Evidence: verbatim sentences, scored by hand here."""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs
from tests.rows import each_row
from tests.searching.engines.contract_trial import index_of

from anagnosis import api
from anagnosis.cli import run
from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError
from anagnosis.reports import render
from anagnosis.reports.report import Heading
from anagnosis.reports.search.results import (
    CUT,
    NO_SENTENCE_FITS,
    NOTHING_FITS,
    SENTENCES,
    STATES,
    ask_report,
    search_report,
    shown,
)
from anagnosis.searching.answers.asking import READ, ask, search
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index, create_index
from anagnosis.searching.records.hits import ANSWERED, CLOSEST, NOTHING, Hit, Sentence, Topic
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences import evidence_order, overlap
from anagnosis.searching.sentences.highlighting import (
    Scorer,
    StrengthThresholds,
    ToScore,
)
from anagnosis.searching.sentences.overlap import AskedWords
from anagnosis.searching.sentences.sentences import STRONG, best, cut

MARKS = StrengthThresholds(weak=0.3, fair=0.5, strong=0.75)
WORDS = st.text(st.sampled_from("ab ?.!\n<&\"β'"), min_size=1, max_size=120)


def scored(passage: Passage, score: Callable[[str], float]) -> list[Sentence]:
    """Its sentences with their scores by hand."""
    values = [(begin, end, score(passage.text[begin:end])) for begin, end in cut(passage)]
    return [Sentence(*value, MARKS.strength(value[2])) for value in values]


def test_the_best_sentence_is_quoted_as_it_stands(index: Index) -> None:
    found = ask(index, "Does cold tea change sleep?")
    assert found.kind == "yesno"
    assert found.conclusions is not None
    assert [one.document for one in found.conclusions.papers] == ["1"]
    first = found.evidence[0]
    assert first.text == "Cold tea does not change sleep."
    assert first.passage.id == "1#1"
    assert found.scorer == evidence_order.ABOUT.name
    assert found.hits[0].rank == 1
    assert [hit.rank for hit in api.search(index, "tea", highlight=False).found] == [1]
    assert found.state == ANSWERED


def test_a_search_by_identifier_alone_ranks_nothing(index: Index) -> None:
    assert "5 passages.\n" in render(search_report(search(index, "1[pmid]")), ".txt")
    assert "passages, ranked by their words.\n" in render(search_report(search(index, "1[pmid] tea")), ".txt")
    unscored = search(index, "cold tea and sleep", scorer=None)
    assert (unscored.scorer, unscored.scorer_says) == ("", "")


def test_a_score_is_the_share_of_the_weights(index: Index) -> None:
    score = overlap.asked_words(index.engine, Topic("cold tea in sleep")).score
    # Of four papers with five passages one has all three words in its title, and another one sleep.
    in_passages = 5 / 4, 5 / 4 + 5 * (1 - (1 - 1 / 4) ** 0.8)
    tea, sleep = (math.log(6 / (count + 0.5)) for count in in_passages)
    assert score("The tea was cold.") == pytest.approx(2 * tea / (2 * tea + sleep))
    assert score("Nothing.") == 0
    assert overlap.asked_words(index.engine, Topic("the of")).score("Nothing.") == 0
    what = overlap.asked_words(index.engine, Topic("What is cold tea?")).score
    assert (what("Cold tea."), what("What is it?")) == (1, 0)
    kind = overlap.asked_words(index.engine, Topic("What kind of tea is cold?")).score
    assert (kind("Cold tea."), kind("A kind of music.")) == (1, 0)
    assert overlap.asked_words(index.engine, Topic("Is tea a kind of drink?")).score("A kind.") > 0


def test_a_question_that_no_paper_is_about_is_not_answered_here(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("anagnosis.searching.conclusions.concluding.covered", lambda *_: None)
    found = ask(index, "Does cold tea change sleep?")
    assert found.conclusions is not None
    assert (list(found.conclusions.papers), found.state) == ([], CLOSEST)


def test_all_sections_of_the_best_abstract_are_read(tmp_path: Path) -> None:
    sections = (
        Section("title", "Nausea in women"),
        Section("abstract", "Ginger is a root, and ginger has been tried.", title="Background"),
        Section("abstract", "Nausea fell in 40 of 50 women.", title="Results"),
        Section("body", "Women walked.", title="Walks"),
    )
    other = (Section("title", "Tea"), Section("abstract", "Nobody wanted any of the ginger.", title="Aims"))
    with closing(index_of(tmp_path / "index", Document("1", sections), Document("2", other))) as index:
        answer = ask(index, "Does ginger help?")
        assert [hit.passage.heading for hit in answer.hits] == ["Background", "Results", "Aims"]
        filtered = ask(index, "Does ginger help?", Filters(sections=("background",)))
        assert [hit.passage.heading for hit in filtered.hits] == ["Background"]


def test_a_long_text_without_parts_is_no_abstract_to_read(tmp_path: Path) -> None:
    rest = tuple(Section("abstract", f"Women walked {each} hours.") for each in range(READ))
    book = Document("1", (Section("title", "Nausea"), Section("abstract", "Ginger is a root."), *rest))
    with closing(index_of(tmp_path / "index", book)) as index:
        assert [hit.passage.number for hit in ask(index, "Does ginger help?").hits] == [0]


def test_a_name_of_the_question_that_is_not_there_is_not_answered(index: Index) -> None:
    assert ask(index, "Does cold tea change sleep in COVID-19?").state == CLOSEST


def test_nothing_is_never_said_above_a_sentence_that_fits_strongly(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("anagnosis.searching.answers.states.state", lambda *_: NOTHING)
    strong = ask(index, "Does cold tea change sleep?")
    assert (strong.evidence[0].strength, strong.state) == (STRONG, CLOSEST)
    weak = ask(index, "Which breakfast menus were served aboard Polish merchant ships?")
    assert (weak.evidence[0].strength < STRONG, weak.state) == (True, NOTHING)


def test_what_is_not_there_is_said(index: Index) -> None:
    nothing = ask(index, "Which planet has rings?")
    assert (nothing.evidence, nothing.state) == ([], NOTHING)
    near = ask(index, "Does cold tea change the rings of planets?")
    assert near.evidence
    assert near.state == CLOSEST
    headings = [block.text for block in ask_report(near).blocks if isinstance(block, Heading)]
    assert headings == [STATES[CLOSEST].heading, SENTENCES]
    text = render(ask_report(near), ".txt")
    assert near.evidence[0].text in text
    text = render(ask_report(nothing), ".txt")
    assert NOTHING_FITS in text
    assert STATES[CLOSEST].heading not in text


def test_what_comes_closest_is_quoted_even_where_no_sentence_is_marked(index: Index) -> None:
    question = "Which breakfast menus were served aboard Polish merchant ships between those wars?"
    found = ask(index, question)
    assert found.state == NOTHING
    assert not any(one.strength for each in found.hits for one in each.sentences)
    assert found.evidence[0].text == "A walk before breakfast helps sleep."
    assert STATES[NOTHING].heading in render(ask_report(found), ".txt")


def test_passages_without_a_word_of_the_question_are_said_to_be_below(index: Index) -> None:
    """Dense vectors find such passages."""
    found = structs.replace(ask(index, "Which planet has rings?"), hits=ask(index, "cold tea").hits)
    text = " ".join(render(ask_report(found), ".txt").split())
    assert NO_SENTENCE_FITS in text
    assert NOTHING_FITS not in text


@each_row(
    ("facts", "quoted"),
    [
        ([{"retracted": "9"}, {}], "1"),
        ([{"withdrawn": "9"}, {"retraction_notice": "9"}, {"erratum": "9"}], "2"),
        ([{"partly_retracted": "9"}, {}], "1"),
        ([{"retracted": "9"}, {"retraction_notice": "9"}], "1"),
        ([{}, {}], "0"),
        ([{"retracted": "9"}], "0"),
    ],
)
def test_a_sentence_of_several_papers_is_quoted_from_one_that_stands(
    facts: list[dict[str, str]], quoted: str
) -> None:
    spelled = ("Tea helps.", "tea  helps.", "Tea\nhelps.")  # a sentence that stands twice is given once
    papers = [Passage(str(n), 0, "abstract", "", "", spelled[n], each) for n, each in enumerate(facts)]
    other = Passage("other", 0, "abstract", "", "", "It was cold.")
    score = {"other": 0.5, **{each.document: 0.9 / (1 + 2 * n) for n, each in enumerate(papers)}}
    hits = [
        Hit(each, 0.0, sentences=scored(each, lambda _, each=each: score[each.document]), rank=1)
        for each in (*papers, other)
    ]
    found = best(hits, 5)
    assert sorted(one.passage.document for one in found) == [quoted, "other"]
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


@each_row(("text", "is_quoted"), [("x", False), ("5 \u00b0C.", False), ("No.", True), ("\u8336.", False)])
def test_a_text_without_a_word_of_two_letters_is_never_quoted(text: str, is_quoted: bool) -> None:
    passage = Passage("1", 0, "other", "", "Tea", text)
    assert bool(best([Hit(passage, 0.0, sentences=scored(passage, lambda _: 0.9))], 5)) == is_quoted


def test_a_better_passage_goes_before_a_slightly_better_sentence() -> None:
    passages = [Passage(str(n), 0, "abstract", "", "", f"Tea {n} helps.") for n in range(4)]
    scores = (0.5, 0.6, 0.95, 0.2)
    found = [
        Hit(each, 0.0, sentences=[Sentence(0, len(each.text), score, MARKS.strength(score))])
        for each, score in zip(passages, scores, strict=True)
    ]
    # .5 / 1, .6 / √2, .95 / √3, and .2 / √4 below the weakest threshold: a reader does not shorten the list.
    quoted = best(found, 5)
    assert [one.passage.document for one in quoted] == ["2", "0", "1", "3"]
    assert [one.score for one in quoted] == pytest.approx([0.95 / 3**0.5, 0.5, 0.6 / 2**0.5, 0.1])


class Sure:
    """Is sure of everything."""

    about = Scorer("sure", "always one")
    thresholds = MARKS

    def scores(self, asked: AskedWords, groups: Sequence[Sequence[ToScore]]) -> list[list[float]]:
        return [[1.0] * len(group) for group in groups]


def test_a_trained_reader_does_not_find_what_is_not_there(index: Index) -> None:
    assert ask(index, "Does cold tea change sleep?", scorer=Sure()).state == ANSWERED
    near = ask(index, "Does cold tea change the rings of planets?", scorer=Sure())
    assert (near.state, near.scorer) == (CLOSEST, "sure")
    assert near.evidence


@each_row("first, state", [("CTS", CLOSEST), ("Carpal", ANSWERED)])
def test_a_name_is_spelled_out_by_the_first_sentence_or_not_at_all(
    first: str, state: str, tmp_path: Path
) -> None:
    class Chosen(Sure):
        def scores(self, asked: AskedWords, groups: Sequence[Sequence[ToScore]]) -> list[list[float]]:
            return [[0.9 if one.text.startswith(first) else 0.5 for one in group] for group in groups]

    text = "CTS is a common cause of pain. Carpal tunnel syndrome (CTS) is seen in adults."
    made = create_index(tmp_path / "index")
    made.add(Document("1", (Section("title", "Pain"), Section("abstract", text))), Counter())
    made.commit()
    found = ask(made, "What does CTS stand for?", scorer=Chosen())
    assert (len(found.evidence) > 1, found.evidence[0].text[: len(first)], found.state) == (
        True,
        first,
        state,
    )
    made.close()


@given(WORDS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_quoted_and_shown_piece_stands_in_its_source(text: str) -> None:
    passage = Passage("1", 0, "abstract", "", "", text)
    sentences = scored(passage, lambda one: min(1.0, len(one) / 20))
    for evidence in best([Hit(passage, 0.0, sentences=sentences)], 3):
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


def test_what_filters_leave_out_is_told(index: Index, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("search", "ask"):
        asked = [command, str(index.folder), "cold tea", "--since", "2019", "--journal", "Tea Journal"]
        assert run([*asked, "--type", "Clinical Trials"]) == 0
        told = " ".join(capsys.readouterr().out.split())
        assert "No such journal here: Tea Journal; for example Journal of Tea." in told
        assert "No such type of publication here: Clinical Trials; for example Clinical Trial." in told
        assert "Left out by the filter of dates: 1 paper without a date of publication." in told
        assert run([command, str(index.folder), "cold tea", "--journal", "journal of tea"]) == 0
        told = " ".join(capsys.readouterr().out.split())
        assert "No such" not in told
        assert "without a date" not in told


@pytest.mark.parametrize("command", ["search", "ask"])
def test_json_needs_no_server(
    index: Index, command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("uvicorn", "starlette"):
        monkeypatch.setitem(sys.modules, name, None)
    assert run([command, str(index.folder), "Does cold tea change sleep?", "--json", "--limit", "1"]) == 0
    answer = json.loads(capsys.readouterr().out)
    first = (answer.get("evidence") or answer["found"])[0]
    assert first["passage"]["title"] == "Cold tea and sleep"
    assert answer.get("more", True)


@each_row(
    ("question", "message"),
    [
        ("", "question: there is no word in it; add words for what the question is about"),
        ("?!", "question: there is no word in it"),
        ("the of and", "question: all of these words stand in nearly every paper"),
    ],
)
def test_a_question_without_a_word_is_refused(index: Index, question: str, message: str) -> None:
    for asked in (api.ask, api.search)[: None if question else 1]:
        with pytest.raises(InputError, match=re.escape(message)):
            asked(index, question)


def test_a_question_is_answered_only_by_a_sentence_with_the_wanted_kind_of_answer(index: Index) -> None:
    found = ask(index, "What dose of cold tea does not change sleep?")
    assert found.evidence[0].text == "Cold tea does not change sleep."
    assert found.state == CLOSEST


CITED = Document(
    "27",
    (Section("title", "Does tea help?"), Section("abstract", "Tea helped\nagainst salt.", "Findings")),
    facts={
        "date": "2016-03", "journal": "J Tea", "authors": "Nemo, Ana; Bo, B", "volume": "3", "pages": "7-9",
        "doi": "10.1/Tea", "retracted": "31",
    },
)  # fmt: skip


def test_each_sentence_comes_with_its_citation(tmp_path: Path) -> None:
    made = create_index(tmp_path / "index")
    made.add(CITED, Counter())
    made.commit()
    cited = {one.text: one.citation for one in ask(made, "tea against salt").evidence}
    line = "[RETRACTED (31)] Nemo A, Bo B. Does tea help? J Tea 2016;3:7-9. PMID 27. doi:10.1/Tea"
    assert cited == {"Tea helped\nagainst salt.": f"“Tea helped against salt.” (Findings) {line}"}
    made.close()
