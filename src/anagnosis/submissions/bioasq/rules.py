"""What BioASQ's task B allows in an answer to a question. Sources: the task's guidelines (Task 13b), reference in
design/bioasq.md.

    documents      at most 10 addresses of PubMed, each once
    snippets       at most 10 of title or abstract; offsets are code points, end exclusive, as many as the text has
    yes/no         "yes" or "no"
    factoid        at most 5 names
    list           at most 100 names of at most 100 characters
    summary        no exact answer
    ideal answer   at most 200 words
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from anagnosis.datasets.kinds.question import FACTOID, LIST, SUMMARY, TYPES, YESNO, QuestionInstance, Snippet
from anagnosis.predictions import Prediction
from anagnosis.wording import counted, shortened

ITEMS = 10  # documents, and snippets, of a question
MOST_NAMES = {FACTOID: 5, LIST: 100}
LONGEST_NAME = 100  # characters of a list's
LONGEST_IDEAL = 200  # words
SECTIONS = ("title", "abstract")
ADDRESS = "http://www.ncbi.nlm.nih.gov/pubmed/{}"
_ADDRESS = re.compile(
    r"https?://(?:(?:www\.)?ncbi\.nlm\.nih\.gov/pubmed|pubmed\.ncbi\.nlm\.nih\.gov)/([1-9][0-9]{0,8})/?"
)


def pmid_of(address: str) -> str | None:
    """The PMID of an address of PubMed, None of any other text."""
    match = _ADDRESS.fullmatch(address)
    return match[1] if match else None


def faults(question: QuestionInstance, prediction: Prediction) -> Iterator[tuple[str, str]]:
    """(name, words) of every fault of the answer to a question.

    type: an exact answer that does not fit the question's type. answers: more than allowed, an empty or too long one.
    ideal: more than 200 words. documents, snippets: more than allowed, or one twice. address: none of a citation of
    PubMed. offsets: a snippet of another section, or whose offsets do not fit its text.
    """
    documents, snippets = prediction.documents or (), prediction.snippets or ()
    if len(documents) > ITEMS:
        yield "documents", f"{len(documents):,} documents, of at most {ITEMS}"
    seen = set[Any]()
    for address in documents:
        pmid = pmid_of(address)
        if pmid is None:
            yield _no_address(address)
        elif pmid in seen:
            yield "documents", f"the document {pmid} twice"
        seen.add(pmid)
    if len(snippets) > ITEMS:
        yield "snippets", f"{len(snippets):,} snippets, of at most {ITEMS}"
    for number, snippet in enumerate(snippets, 1):
        pmid = pmid_of(snippet.document)
        if pmid is None:
            yield _no_address(snippet.document)
            continue
        place = pmid, snippet.begin_section, snippet.begin, snippet.end
        if place in seen:
            yield "snippets", f"snippet {number} is there twice"
        seen.add(place)
        if why := _misplaced(snippet):
            yield "offsets", f"snippet {number} {why}"
    if prediction.any_answer is not None:
        yield from _of_answers(question.type, prediction.texts)
    words = len((prediction.ideal or "").split())
    if words > LONGEST_IDEAL:
        yield "ideal", f"an ideal answer of {words:,} words, of at most {LONGEST_IDEAL}"


def _misplaced(snippet: Snippet) -> str:
    """Why a snippet's place cannot be that of its text; "" if it can."""
    if snippet.begin_section not in SECTIONS or snippet.end_section != snippet.begin_section:
        return f"lies in {_quoted(snippet.begin_section)} to {_quoted(snippet.end_section)}, not in title or abstract"
    begin, end = snippet.begin, snippet.end
    if begin is None or end is None or not 0 <= begin < end:
        return f"has the offsets {begin} to {end}"
    if end - begin != len(snippet.text):
        return f"has {counted(len(snippet.text), 'character')}, and its offsets {begin} to {end} have {end - begin:,}"
    return ""


def _of_answers(kind: str, answers: Sequence[str]) -> Iterator[tuple[str, str]]:
    if kind == SUMMARY and answers:
        yield "type", "an exact answer to a question for a summary, which has none"
    elif kind == YESNO and answers and [answer.lower() for answer in answers] not in (["yes"], ["no"]):
        yield "type", f"the answer {_quoted('; '.join(answers))} to a yes/no question"
    elif kind in MOST_NAMES:
        if len(answers) > MOST_NAMES[kind]:
            yield "answers", f"{len(answers):,} answers to a {kind} question, of at most {MOST_NAMES[kind]}"
        if too_long := [each for each in answers if kind == LIST and len(each) > LONGEST_NAME]:
            what = f"an answer of {len(too_long[0]):,} characters, of at most {LONGEST_NAME}"
            yield "answers", f"{what}, to a list question: {_quoted(too_long[0])}"
        if not all(answer.strip() for answer in answers):
            yield "answers", "an empty answer"
    elif kind not in TYPES:
        yield "type", "an exact answer, and the dataset lacks the question's type"


def _no_address(address: str) -> tuple[str, str]:
    return "address", f"{_quoted(address)} is no address such as {ADDRESS.format('18094723')}"


def _quoted(text: str) -> str:
    return repr(shortened(text))
