"""The parts of reports and pages on searches: other passages, highlights, and where a sentence is quoted."""

from __future__ import annotations

import msgspec
import pytest
from tests.rows import each_row

from anagnosis.reports import render
from anagnosis.reports.search.results import (
    ASKS_NOTHING,
    CONCLUDE,
    SENTENCES,
    STATES,
    ask_report,
    highlights,
    index_papers,
    more_passages,
    quoted_places,
)
from anagnosis.searching.records.hits import (
    CLOSEST,
    AskAnswer,
    Conclusion,
    Conclusions,
    Counts,
    Hit,
    OtherSection,
    PaperKind,
    Sentence,
)
from anagnosis.searching.records.passage import Evidence, IndexPapers, ListedPaper, Passage


@pytest.mark.parametrize(
    ("sections", "line"),
    [
        (["results"], "1 more passage, in results"),
        (["methods", "results", "methods"], "3 more passages, in methods, results"),
    ],
)
def test_other_passages_are_counted_and_their_sections_named_once(sections: list[str], line: str) -> None:
    assert more_passages([OtherSection(number, name, "") for number, name in enumerate(sections)]) == line


@each_row(
    ("scores", "highlighted"),
    [
        ((0.4, 0.9, 0.5, 0.8), "1 3"),
        ((0.6, 0.6, 0.6), "0 1"),  # of equal ones the first
        ((0.9, 0.2, 0.1), "0"),  # not one that does not fit
        ((0.1, 0.2), ""),
    ],
)
def test_the_best_two_sentences_that_fit_are_highlighted(scores: tuple[float, ...], highlighted: str) -> None:
    sentences = [Sentence(n, n + 1, score, int(score >= 0.3)) for n, score in enumerate(scores)]
    every = highlights(sentences, 0, len(scores))
    assert " ".join(str(one.begin) for one in every) == highlighted
    assert [one.begin for one in highlights(sentences, 1, len(scores)) if not one.begin] == []


def answer(question: str = "Does tea help?") -> AskAnswer:
    """One whose sentences stand in several lists."""

    def quoted(text: str, document: str = "1") -> Evidence:
        return Evidence(text, 0, len(text), 0.9, 3, 1, Passage(document, 0, "abstract", "", "On tea", text))

    def concluded(evidence: Evidence | None) -> Conclusion:
        return Conclusion("1", "On tea", PaperKind("trial"), "2020", 1.0, evidence)

    evidence = [quoted("Tea helps."), quoted("Milk does not.")]
    papers = [concluded(one) for one in (quoted("Tea helps."), None, quoted("Gin harms."))]
    return AskAnswer(
        question=question,
        kind="yesno",
        conclusions=Conclusions(papers, 3),
        evidence=evidence,
        state=CLOSEST,
        scorer="words",
        scorer_says="",
        hits=[Hit(one.passage, 1.0) for one in evidence],
        ranking="lexical",
        collection=Counts(1, 1),
    )


def test_a_sentence_is_quoted_in_one_place_to_which_the_others_refer() -> None:
    assert quoted_places(answer()) == {
        "tea helps.": "sentence 1",
        "milk does not.": "sentence 2",
        "gin harms.": "conclusion 3",
    }
    report = render(ask_report(answer()), ".txt")
    for text in ("Tea helps.", "Milk does not.", "Gin harms."):
        assert report.count(text) == 1
    for line in ("concludes: sentence 1\n", "concludes: Gin harms.\n"):
        assert line in report
    assert report.index(SENTENCES) < report.index(CONCLUDE), "the first sentence comes first"


def test_a_topic_gets_no_verdict_and_the_corrected_question_stands_before_one() -> None:
    verdict = STATES[CLOSEST].heading
    asked = render(ask_report(msgspec.structs.replace(answer(), did_you_mean="Does TEA help?")), ".txt")
    assert asked.index("Does TEA help?") < asked.index(verdict)
    topic = render(ask_report(answer("tea")), ".txt")
    assert verdict not in topic
    assert " ".join(topic.split()).count(ASKS_NOTHING) == 1


def test_a_list_of_an_index_that_lacks_papers_says_so() -> None:
    one = ListedPaper("1", "Tea", "2020", ["jsonl"], [])
    for documents, said in ((1, "(1)"), (1234, "(the first 1 of 1,234)")):
        listed = IndexPapers(documents=documents, passages=1, joined=0, joins_none=[], papers=[one])
        assert f"Papers, the latest first {said}\n" in render(index_papers(listed), ".txt")
