"""Files in SQuAD's form as questions with snippets: SQuAD 1.1 and 2.0, and BioASQ's factoid questions in that form.

A question's snippets are the contexts that it was asked of, in the order of the file. BioASQ's conversions ask a
question once for each snippet, under its id with a number ("56bc751eac7ad10019000013_002"): these instances are one
question here. All questions are factoids; the texts that answer, each once, are the synonyms of one entry. A file says
nothing of type, sections or addresses.

An answer "Dummy" without a start is a test set's, whose answers are withheld (`exact` is None). A question that none
of its contexts answers (SQuAD 2.0) has no entry (`exact` is empty). Sources: Rajpurkar et al. 2016, 2018; Khanna and
Mollá 2021 (BioASQ's test sets with "Dummy").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Any

from anagnosis.datasets.export.authors_files import JSON, AuthorsFiles, authors_files, refuse_setting
from anagnosis.datasets.export.layouts import FewPlaces, Imported, LayoutFaults
from anagnosis.datasets.kinds.question import FACTOID, QuestionInstance, Snippet
from anagnosis.datasets.squad.articles import Paragraph, Question, place_of, read_paragraphs
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike

TAKES_SEVERAL = True  # SQuAD's train and dev files, BioASQ's test sets
NOT_WRITTEN = "export with --layout bioasq"

DUMMY = "Dummy"
# Characters of a context, once for each of its questions, whose snippet it is. COVID-QA's most are 5 million.
LARGEST = 64_000_000
_OF_BIOASQ = re.compile(r"([0-9a-f]{24})_\d{1,6}", re.ASCII)


@dataclass(slots=True)
class _Joined:
    """The instances of a question so far. contexts: (document, context), answers: texts, each once, in their order.

    withheld: an instance neither answers nor says that its context does not.
    """

    question: str
    contexts: dict[tuple[str, str], None] = field(default_factory=dict[tuple[str, str], None])
    answers: dict[str, None] = field(default_factory=dict[str, None])
    withheld: bool = False

    def instance(self, ident: str, file: str, place: int) -> QuestionInstance:
        """The question; `exact` is None where no instance answers it and the answer of one is withheld."""
        snippets = tuple(Snippet(document, "", None, "", None, text) for document, text in self.contexts)
        documents = tuple(dict.fromkeys(document for document, _ in self.contexts if document))
        exact = (tuple(self.answers),) if self.answers else None if self.withheld else ()
        return QuestionInstance(
            ident, FACTOID, self.question, documents, snippets, exact, file=file, place=place
        )


def imported(
    path: PathLike | Sequence[PathLike], *, setting: str | None = None, split: str | None = None
) -> Imported:
    """The files at `path`, or at several; all is `train`, or of the split that is named. Memory: one file."""
    files = authors_files(path, JSON, split=split)
    refuse_setting(setting, "squad")
    findings = FewPlaces()
    recipe: dict[str, Any] = {"dataset": "squad", "kind": "question", "layout": "squad"}
    return Imported({split or "train": _questions(files, findings)}, recipe, files.inputs, findings)


def question_id(ident: int | str) -> str:
    """The id of the question that an instance belongs to: BioASQ's without the number of the instance."""
    of_bioasq = _OF_BIOASQ.fullmatch(str(ident))
    return of_bioasq[1] if of_bioasq else str(ident)


def _questions(files: AuthorsFiles, findings: LayoutFaults) -> Iterator[QuestionInstance]:
    """The questions file by file, in the order of their first instances."""
    names: set[str] = set()
    instances: set[str] = set()
    asked_in: dict[str, str] = {}  # id of a question → its file
    for file, paragraphs in groupby(read_paragraphs(files, findings), key=attrgetter("file")):
        name = file.rpartition("/")[2]
        if name in names:
            raise InputError(f"a second file called {name}", file, "import it apart from the first")
        names.add(name)
        joined: dict[str, _Joined] = {}
        for paragraph in paragraphs:
            too_large = len(paragraph.context) * len(paragraph.questions) > LARGEST
            for question in paragraph.questions:
                findings.instances += 1
                number, ident = str(question.id), question_id(question.id)
                fault = ""
                if too_large:
                    fault = "paragraph_too_large"
                elif not question.question.strip() or not ident:
                    fault = "empty_question"
                elif number in instances or asked_in.setdefault(ident, file) != file:
                    fault = "repeated_id"
                if fault:
                    where = f"{paragraph.where}, paragraph {paragraph.number}"
                    findings.refuse(where, fault, number)
                else:
                    instances.add(number)
                    _join(joined.setdefault(ident, _Joined(question.question)), question, paragraph, findings)
        for place, (ident, question) in enumerate(joined.items()):
            yield question.instance(ident, name, place)


def _join(joined: _Joined, question: Question, paragraph: Paragraph, findings: LayoutFaults) -> None:
    """One more instance of a question. Its faults are counted, and none leaves it out."""
    where = f"{paragraph.where}, paragraph {paragraph.number}"
    if question.question != joined.question:
        findings.note(where, "question_in_other_words", f"{question.id}: the first instance's are kept")
    context = (paragraph.document_id or "", paragraph.context)
    if not paragraph.context.strip():
        findings.note(where, "empty_context", f"{question.id}: no snippet")
    elif context in joined.contexts:
        findings.note(where, "context_repeated", f"{question.id}: kept once")
    else:
        joined.contexts[context] = None
    # A withheld answer is a dummy without a place.
    answers = [each for each in question.answers if each.text != DUMMY or each.answer_start is not None]
    if question.is_impossible:
        findings.note(where, "no_answer", f"{question.id}: its context does not answer")
        return
    joined.withheld |= not any(answer.text.strip() for answer in answers)
    if not answers:
        findings.note(where, "answer_withheld", f"{question.id}: without an exact answer")
    for answer in answers:
        if not answer.text.strip():
            findings.note(where, "answer_empty", f"{question.id}: left out")
            continue
        joined.answers[answer.text] = None
        start, fault = place_of(answer, paragraph.context)
        if fault:
            now = "nowhere" if start is None else start
            findings.note(where, fault, f"{question.id}: {answer.answer_start} is {now}")
        if answer.text != answer.text.strip():
            findings.note(where, "answer_text_outer_blanks", f"{question.id}: {answer.text[-20:]!r}")
