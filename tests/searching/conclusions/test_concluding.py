"""Which sentence of a paper concludes for a question, and the list of what papers conclude."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rows import each_row
from tests.searching.conclusions.papers import paper
from tests.searching.engines.contract_trial import index_of

from anagnosis.documents.document import Document, Section
from anagnosis.searching.answers.asking import READ, highlighted
from anagnosis.searching.conclusions.concluding import concluding_sentence, conclusions
from anagnosis.searching.filters import Filters
from anagnosis.searching.sentences.overlap import AskedWords

ASKED = AskedWords({"tea": 2.0, "fever": 3.0})
AIM = "The aim was to learn whether tea shortens fever."
METHOD = "We measured the fever of all adults with tea."
RESULT = "Fever was shorter with tea in 12% of them."
LAST = "Tea helps."
OUTLOOK = "Further studies of tea in fever are needed."
NO_FINDINGS = (
    "Does tea shorten fever?",
    "This study will determine whether tea shortens fever.",
    "Trial registration of tea for fever: NCT02444715.",
)
CITATION = "Shen M, Li X, Wu P. Does tea shorten fever in adults?"


@each_row(
    ("parts", "expected"),
    [
        # A section of conclusions comes before everything, and in it the sentence with most of the question.
        ((("RESULTS", RESULT), ("CONCLUSIONS", f"Sleep is good. {LAST}")), LAST),
        ((("RESULTS", RESULT), ("CONCLUSIONS", f"{LAST} {OUTLOOK}")), LAST),
        ((("CONCLUSION", f"{CITATION} {LAST}"),), LAST),
        # Without headings the end of the abstract, or what says that it concludes.
        ((("", f"{AIM} {METHOD} {RESULT} Salt was given to nobody here. All of them slept at home. {LAST}"),), LAST),
        ((("", f"{AIM} Our results suggest that tea shortens fever. {METHOD} Salt. Rest. Sleep."),),
         "Our results suggest that tea shortens fever."),
        # Headings without a conclusion: the results end it.
        ((("METHODS", METHOD), ("RESULTS", f"{LAST} {RESULT}")), RESULT),
        # Aims, methods and calls for research never conclude.
        ((("", f"{AIM} {METHOD} {OUTLOOK}"),), None),
        ((("METHODS", METHOD),), None),
        # Nor do questions, promises of protocols and registration lines, whatever their section.
        ((("CONCLUSIONS", f"{LAST} {' '.join(NO_FINDINGS)}"),), LAST),
        ((("CONCLUSIONS", " ".join(NO_FINDINGS)),), None),
    ],
)  # fmt: skip
def test_the_best_concluding_sentence(parts: tuple[tuple[str, str], ...], expected: str | None) -> None:
    found = concluding_sentence(paper(*parts), ASKED)
    assert (found.text if found else None) == expected


def test_the_sentence_is_verbatim_with_its_passage_and_share() -> None:
    every = paper(("RESULTS", RESULT), ("CONCLUSIONS", f"Nobody slept badly. {LAST}"))
    found = concluding_sentence(every, ASKED)
    assert found is not None
    assert found.passage is every[1]
    assert every[1].text[found.begin : found.end] == LAST
    assert found.score == pytest.approx(2 / 5)


def test_of_equal_sentences_the_first_concludes() -> None:
    found = concluding_sentence(paper(("CONCLUSIONS", "Tea is good. Tea is bad.")), ASKED)
    assert found is not None
    assert found.text == "Tea is good."


def test_no_paper_has_no_conclusion() -> None:
    assert concluding_sentence([], ASKED) is None


IMPROVES = "Does metformin improve oocyte maturation?"
# document → (title, conclusion, whether it is listed)
PAPERS = {
    "plain": ("Metformin and oocytes", "Metformin improved oocyte maturation.", True),
    "denied": ("Metformin and mice", "Metformin did not improve oocyte maturation.", True),
    "other-drug": ("Letrozole", "Letrozole improved oocyte maturation.", False),
}


OTHERS = [Document(f"else-{n}", (Section("abstract", f"Sheep ate hay {n}."),)) for n in range(20)]


def test_each_paper_about_the_question_is_listed_with_its_conclusion(tmp_path: Path) -> None:
    papers = [
        Document(name, (Section("title", title), Section("abstract", text, "CONCLUSIONS")))
        for name, (title, text, _) in PAPERS.items()
    ]
    index = index_of(tmp_path / "index", *papers, *OTHERS)
    read = index.read(IMPROVES)
    hits = highlighted(index, read.topic, index.search(read, Filters(), READ))
    listed = conclusions(index, read.topic, hits)
    assert {one.document: one.evidence and one.evidence.text for one in listed.papers} == {
        name: text for name, (_, text, is_listed) in PAPERS.items() if is_listed
    }
