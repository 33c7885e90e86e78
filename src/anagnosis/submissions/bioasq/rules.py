"""What BioASQ's task B allows in an answer to a question. Sources: the task's guidelines (Task 13b), reference in
design/bioasq.md.

    documents      at most 10 addresses of PubMed, each once
    snippets       at most 10 of title or abstract; offsets are code points, end exclusive, of a text of that length
    yes/no         "yes" or "no"
    factoid        at most 5 names
    list           at most 100 names of at most 100 characters
    summary        no exact answer
    ideal answer   at most 200 words
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from anagnosis.datasets.kinds.question import FACTOID, LIST, SUMMARY, YESNO, QuestionInstance, Snippet
from anagnosis.predictions import Prediction
from anagnosis.wording import counted, shortened

ITEMS = 10  # documents, and snippets, of a question
NAMES_OF_FACTOID = 5
NAMES_OF_LIST = 100
LONGEST_NAME = 100  # characters of a list's
LONGEST_IDEAL = 200  # words
SECTIONS = ("title", "abstract")
ADDRESS = "http://www.ncbi.nlm.nih.gov/pubmed/{}"
_ADDRESS = re.compile(
    r"https?://(?:(?:www\.)?ncbi\.nlm\.nih\.gov/pubmed|pubmed\.ncbi\.nlm\.nih\.gov)/([1-9][0-9]{0,8})/?"
)

# What is counted under a name; docs/receipts.md has them.
FAULTS = {
    "foreign_id": "the question is not in the split",
    "repeated_id": "a question has two lines",
    "type": "an exact answer that does not fit the question's type",
    "answers": "more answers than allowed, an empty or too long one",
    "ideal": "an ideal answer of more than 200 words",
    "documents": "more documents than allowed, or one twice",
    "address": "an address that is none of a citation of PubMed",
    "snippets": "more snippets than allowed, or one twice",
    "offsets": "a snippet whose section or offsets do not give its text",
}


class Fault(NamedTuple):
    """name: of FAULTS. what: in words."""

    name: str
    what: str


# (document's PMID, section) → its text; None where nobody has it.
Texts = Callable[[str, str], str | None]


def pmid_of(address: str) -> str | None:
    """The PMID of an address of PubMed, None of any other text."""
    match = _ADDRESS.fullmatch(address)
    return match[1] if match else None


def faults(question: QuestionInstance, prediction: Prediction, texts: Texts | None = None) -> Iterator[Fault]:
    """Every fault of the answer to a question. texts: of documents, to compare snippets with."""
    yield from _of_documents(prediction.documents or ())
    yield from _of_snippets(prediction.snippets or (), texts)
    if prediction.any_answer is not None:
        yield from _of_answers(question.type, prediction.texts)
    words = len((prediction.ideal or "").split())
    if words > LONGEST_IDEAL:
        yield Fault("ideal", f"an ideal answer of {words:,} words, of at most {LONGEST_IDEAL}")


def _of_documents(documents: Sequence[str]) -> Iterator[Fault]:
    if len(documents) > ITEMS:
        yield Fault("documents", f"{len(documents):,} documents, of at most {ITEMS}")
    seen = set[str]()
    for address in documents:
        pmid = pmid_of(address)
        if pmid is None:
            yield _no_address(address)
        elif pmid in seen:
            yield Fault("documents", f"the document {pmid} twice")
        seen.add(pmid or address)


def _of_snippets(snippets: Sequence[Snippet], texts: Texts | None) -> Iterator[Fault]:
    if len(snippets) > ITEMS:
        yield Fault("snippets", f"{len(snippets):,} snippets, of at most {ITEMS}")
    seen = set[tuple[str, str, int | None, int | None]]()
    for number, snippet in enumerate(snippets, 1):
        pmid = pmid_of(snippet.document)
        if pmid is None:
            yield _no_address(snippet.document)
            continue
        place = pmid, snippet.begin_section, snippet.begin, snippet.end
        if place in seen:
            yield Fault("snippets", f"snippet {number} is there twice")
        seen.add(place)
        if why := _misplaced(snippet, None if texts is None else texts(pmid, snippet.begin_section)):
            yield Fault("offsets", f"snippet {number} {why}")


def _misplaced(snippet: Snippet, text: str | None) -> str:
    """Why a snippet's place does not give its text; "" if it does. text: of its section, None where nobody has it."""
    if snippet.begin_section not in SECTIONS or snippet.end_section != snippet.begin_section:
        return f"lies in {_quoted(snippet.begin_section)} to {_quoted(snippet.end_section)}, not in title or abstract"
    begin, end = snippet.begin, snippet.end
    if begin is None or end is None or not 0 <= begin < end:
        return f"has the offsets {begin} to {end}"
    if end - begin != len(snippet.text):
        return f"has {counted(len(snippet.text), 'character')}, and its offsets {begin} to {end} have {end - begin:,}"
    if text is not None and text[begin:end] != snippet.text:
        return f"is not what stands at {begin} to {end} of the {snippet.begin_section} of {snippet.document}"
    return ""


def _of_answers(kind: str, answers: Sequence[str]) -> Iterator[Fault]:
    if kind not in _OF_TYPE:
        yield Fault("type", "an exact answer, and the dataset lacks the question's type")
        return
    yield from _OF_TYPE[kind](answers)
    if kind != YESNO and any(not answer.strip() for answer in answers):
        yield Fault("answers", "an empty answer")


def _yesno(answers: Sequence[str]) -> Iterator[Fault]:
    if len(answers) > 1 or (answers and answers[0].lower() not in ("yes", "no")):
        yield Fault("type", f"the answer {_quoted('; '.join(answers))} to a yes/no question")


def _factoid(answers: Sequence[str]) -> Iterator[Fault]:
    if len(answers) > NAMES_OF_FACTOID:
        yield Fault(
            "answers", f"{len(answers):,} answers to a factoid question, of at most {NAMES_OF_FACTOID}"
        )


def _list(answers: Sequence[str]) -> Iterator[Fault]:
    if len(answers) > NAMES_OF_LIST:
        yield Fault("answers", f"{len(answers):,} answers to a list question, of at most {NAMES_OF_LIST}")
    if too_long := next((answer for answer in answers if len(answer) > LONGEST_NAME), None):
        what = f"an answer of {len(too_long):,} characters, of at most {LONGEST_NAME}"
        yield Fault("answers", f"{what}, to a list question: {_quoted(too_long)}")


def _summary(answers: Sequence[str]) -> Iterator[Fault]:
    if answers:
        yield Fault("type", "an exact answer to a question for a summary, which has none")


_OF_TYPE: dict[str, Callable[[Sequence[str]], Iterator[Fault]]] = {
    YESNO: _yesno,
    FACTOID: _factoid,
    LIST: _list,
    SUMMARY: _summary,
}


def _no_address(address: str) -> Fault:
    return Fault("address", f"{_quoted(address)} is no address such as {ADDRESS.format('18094723')}")


def _quoted(text: str) -> str:
    return repr(shortened(text))
