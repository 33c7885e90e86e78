"""Files in SQuAD's form, 1.1 and 2.0, and BioASQ's factoid questions in that form.

    {"version": "…", "data": [{"title": "…", "paragraphs": [{"context": "…", "document_id": 630, "qas": [
        {"question": "…?", "id": "…", "answers": [{"text": "…", "answer_start": 370}], "is_impossible": false}, …]}]}]}

A question's snippets are the contexts that it was asked of. BioASQ's conversions ask a question once for each snippet,
under its id with a number ("56bc751eac7ad10019000013_002"): these instances are one question here. All are factoids;
the texts that answer, each once, are the synonyms of one entry.

An answer "Dummy" without a start is a test set's, whose answers are withheld (`exact` is None). A question that none
of its contexts answers (SQuAD 2.0) has no entry (`exact` is empty). Sources: Rajpurkar et al. 2016, 2018; Khanna and
Mollá 2021 (BioASQ's test sets with "Dummy").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import msgspec

from anagnosis.datasets.definition import DatasetDefinition
from anagnosis.datasets.export.authors_files import (
    JSON,
    AuthorsFiles,
    authors_files,
    converted,
    listed,
    refuse_setting,
)
from anagnosis.datasets.export.layouts import Imported, LayoutFaults
from anagnosis.datasets.kinds.question import FACTOID, QuestionInstance, Snippet
from anagnosis.io.paths import PathLike

DEFINITION = DatasetDefinition(
    title="Questions in SQuAD's form",
    what="Questions with passages and the texts in them that answer, of SQuAD and of files in its form.",
    citation="The form: Rajpurkar, P., Zhang, J., Lopyrev, K., Liang, P. (2016). SQuAD: 100,000+ Questions for Machine "
    "Comprehension of Text. EMNLP 2016; Rajpurkar, P., Jia, R., Liang, P. (2018). Know What You Don't Know: "
    "Unanswerable Questions for SQuAD. ACL 2018. Cite the questions' authors too.",
)
INSTEAD = "export with --layout bioasq"

_OF_BIOASQ = re.compile(r"([0-9a-f]{24})_\d{1,6}", re.ASCII)


class Answer(msgspec.Struct):
    """answer_start: code points before the text in its context, from 0."""

    text: str
    answer_start: int | None = None


class Question(msgspec.Struct):
    """A question of a paragraph."""

    id: int | str
    question: str
    answers: list[Answer] = []
    is_impossible: bool = False


class Paragraph(msgspec.Struct):
    """A passage with its questions."""

    context: str
    qas: list[Question]
    document_id: int | str | None = None


class Article(msgspec.Struct):
    """Passages of one title."""

    paragraphs: list[Paragraph]
    title: str = ""


@dataclass(slots=True)
class _Joined:
    """The instances of a question so far. contexts: (document, context), answers: texts, each once, in their order.

    withheld: an instance neither answers nor says that its context does not.
    """

    question: str
    file: str
    place: int
    contexts: dict[tuple[str, str], None] = field(default_factory=dict[tuple[str, str], None])
    answers: dict[str, None] = field(default_factory=dict[str, None])
    withheld: bool = False


def imported(
    path: PathLike | Sequence[PathLike], *, setting: str | None = None, split: str | None = None
) -> Imported:
    """The files at `path`, or at several; all is `train`, or of the split that is named. Memory: all of them."""
    files, counts = authors_files(path, JSON, split=split), LayoutFaults()
    refuse_setting(setting, "squad")
    recipe = {"dataset": "squad", "kind": "question", "layout": "squad"}
    return Imported({split or "train": _questions(files, counts)}, recipe, files.inputs, counts)


def articles(files: AuthorsFiles, counts: LayoutFaults) -> Iterator[tuple[str, str, int, Article]]:
    """(where, file, place, article) of every article that can be read."""
    for opened in files.opened(counts):
        for place, (_, text) in enumerate(listed(opened.stream, opened.name, "data")):
            where = f"{opened.name}, article {place}"
            article = converted(partial(msgspec.convert, type=Article), text, where, "not_an_article", counts)
            if article is not None:
                yield where, opened.name, place, article


def _questions(files: AuthorsFiles, counts: LayoutFaults) -> Iterator[QuestionInstance]:
    """The questions file by file, in the order of their first instances."""
    joined: dict[str, _Joined] = {}
    numbers: set[str] = set()  # of instances
    places = Counter[str]()  # file → its questions so far
    for where, path, _, article in articles(files, counts):
        for paragraph, question in ((each, one) for each in article.paragraphs for one in each.qas):
            number = str(question.id)
            of_bioasq = _OF_BIOASQ.fullmatch(number)
            ident = of_bioasq[1] if of_bioasq else number
            if not question.question.strip() or not ident:
                counts.refuse(where, "empty_question", number)
            elif number in numbers or (ident in joined and joined[ident].file != path):
                counts.refuse(where, "repeated_id", number)
            else:
                numbers.add(number)
                if ident not in joined:
                    joined[ident] = _Joined(question.question, path, places[path])
                    places[path] += 1
                _add(joined[ident], question, paragraph)
    for ident, one in joined.items():
        snippets = tuple(Snippet(document, "", None, "", None, text) for document, text in one.contexts)
        documents = tuple(dict.fromkeys(document for document, _ in one.contexts if document))
        exact = (tuple(one.answers),) if one.answers else None if one.withheld else ()
        file = one.file.rpartition("/")[2]
        yield QuestionInstance(
            ident, FACTOID, one.question, documents, snippets, exact, file=file, place=one.place
        )


def _add(joined: _Joined, question: Question, paragraph: Paragraph) -> None:
    document = "" if paragraph.document_id is None else str(paragraph.document_id)
    if paragraph.context.strip():
        joined.contexts[document, paragraph.context] = None
    if not question.is_impossible:
        # A withheld answer is a dummy without a place.
        given = [a.text for a in question.answers if a.text != "Dummy" or a.answer_start is not None]
        texts = [text for text in given if text.strip()]
        joined.withheld |= not texts
        joined.answers |= dict.fromkeys(texts)
