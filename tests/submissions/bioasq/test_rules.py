"""What the task does not allow in an answer is named; what it allows has no fault."""

from __future__ import annotations

from typing import Any

from tests.rows import each_row

from anagnosis.datasets.kinds.question import FACTOID, LIST, SUMMARY, YESNO, QuestionInstance
from anagnosis.predictions import FoundSnippet, Prediction
from anagnosis.submissions.bioasq.rules import ADDRESS, faults, pmid_of

SEVEN = ADDRESS.format(7)
TEXT = "Salt water stops it. Sweet water does not."


def found(kind: str, **given: Any) -> list[tuple[str, str]]:
    return [*faults(QuestionInstance("q", kind, "?"), Prediction("q", **given))]


def snippet(begin: int | None = 0, end: int | None = 20, **other: Any) -> FoundSnippet:
    fields = {"document": SEVEN, "begin_section": "abstract", "end_section": "abstract", "text": TEXT[:20]}
    return FoundSnippet(begin=begin, end=end, **(fields | other))


@each_row(
    ("kind", "given", "name", "what"),
    [
        # What the task allows has no fault.
        (YESNO, {"answer": "yes"}, "", ""),
        (YESNO, {"answer": "No"}, "", ""),
        (FACTOID, {"answer": ["a", "b", "c", "d", "e"]}, "", ""),
        (FACTOID, {"answer": []}, "", ""),
        (LIST, {"answer": [f"{n}" for n in range(100)]}, "", ""),
        (LIST, {"answer": ["a" * 100]}, "", ""),
        (FACTOID, {"answer": "a" * 101}, "", ""),
        (SUMMARY, {"ideal": "word " * 200}, "", ""),
        (SUMMARY, {"answer": []}, "", ""),
        (SUMMARY, {"documents": [ADDRESS.format(n) for n in range(1, 11)]}, "", ""),
        (SUMMARY, {"snippets": [snippet(), snippet(21, 42, text=TEXT[21:])]}, "", ""),
        ("", {"ideal": "of a question without a type"}, "", ""),
        # What it does not allow is named.
        (YESNO, {"answer": "maybe"}, "type", "the answer 'maybe' to a yes/no question"),
        (YESNO, {"answer": ["yes", "no"]}, "type", "the answer 'yes; no' to a yes/no question"),
        (FACTOID, {"answer": [*"abcdef"]}, "answers", "6 answers to a factoid question, of at most 5"),
        (FACTOID, {"answer": ["a", " "]}, "answers", "an empty answer"),
        (LIST, {"answer": ["a"] * 101}, "answers", "101 answers to a list question, of at most 100"),
        (LIST, {"answer": ["a" * 101]}, "answers", "an answer of 101 characters, of at most 100"),
        (SUMMARY, {"answer": "a"}, "type", "an exact answer to a question for a summary, which has none"),
        ("", {"answer": "a"}, "type", "an exact answer, and the dataset lacks the question's type"),
        (SUMMARY, {"ideal": "word " * 201}, "ideal", "an ideal answer of 201 words, of at most 200"),
        (SUMMARY, {"documents": [*map(ADDRESS.format, range(1, 12))]}, "documents", "11 documents, of at most 10"),
        (SUMMARY, {"documents": [SEVEN, "https://pubmed.ncbi.nlm.nih.gov/7/"]}, "documents", "the document 7 twice"),
        (SUMMARY, {"documents": ["7"]}, "address", "'7' is no address such as http"),
        (SUMMARY, {"snippets": [snippet(document="x/7")]}, "address", "'x/7' is no address"),
        (SUMMARY, {"snippets": [snippet(n, n + 1, text="a") for n in range(11)]}, "snippets", "11 snippets"),
        (SUMMARY, {"snippets": [snippet(), snippet()]}, "snippets", "snippet 2 is there twice"),
        (SUMMARY, {"snippets": [snippet(0, 19)]}, "offsets", "snippet 1 has 20 characters, and its offsets"),
        (SUMMARY, {"snippets": [snippet(20, 0)]}, "offsets", "snippet 1 has the offsets 20 to 0"),
        (SUMMARY, {"snippets": [snippet(-1, 19)]}, "offsets", "snippet 1 has the offsets -1 to 19"),
        (SUMMARY, {"snippets": [snippet(None, None)]}, "offsets", "snippet 1 has the offsets None to None"),
        (SUMMARY, {"snippets": [snippet(end_section="title")]}, "offsets", "snippet 1 lies in 'abstract' to 'title'"),
        (SUMMARY, {"snippets": [snippet(begin_section="x", end_section="x")]}, "offsets", "snippet 1 lies in 'x'"),
    ],
)  # fmt: skip
def test_the_rules_of_the_task(kind: str, given: dict[str, Any], name: str, what: str) -> None:
    faults_found = found(kind, **given)
    assert [fault for fault, _ in faults_found] == ([name] if name else [])
    assert all(said.startswith(what) for _, said in faults_found)


@each_row(
    ("address", "pmid"),
    [
        ("http://www.ncbi.nlm.nih.gov/pubmed/18094723", "18094723"),
        ("https://www.ncbi.nlm.nih.gov/pubmed/18094723", "18094723"),
        ("https://pubmed.ncbi.nlm.nih.gov/18094723/", "18094723"),
        ("18094723", None),
        ("http://www.ncbi.nlm.nih.gov/pubmed/018", None),
        ("http://www.ncbi.nlm.nih.gov/pubmed/18x", None),
        ("http://www.ncbi.nlm.nih.gov/pubmed/18\n", None),
        ("http://www.ncbi.nlm.nih.gov/pubmed/١٨", None),
    ],
)
def test_addresses_of_pubmed(address: str, pmid: str | None) -> None:
    assert pmid_of(address) == pmid
