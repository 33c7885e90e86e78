"""Files in SQuAD's form, paragraph by paragraph, and where a paragraph holds an answer.

    {"version": "…", "data": [{"title": "…", "paragraphs": [{"context": "…", "document_id": 630, "qas": [
        {"question": "…?", "id": "…", "answers": [{"text": "…", "answer_start": 370}], "is_impossible": false}, …]}]}]}

SQuAD 1.1 and 2.0, COVID-QA (`document_id`, numbers as ids) and BioASQ's conversions have this form. Memory is bounded
by one article. Sources: Rajpurkar et al. 2016, 2018.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple, TypeVar

import msgspec

from anagnosis.datasets.export.authors_files import AuthorsFiles, JsonList, converted
from anagnosis.datasets.export.layouts import LayoutFaults

# What `place_of` reports of an offset that does not point at its text.
OTHER_CASE = "answer_in_other_case"
WRONG_OFFSET = "answer_offset_mended"
NO_PLACE = "answer_not_in_context"

T = TypeVar("T")


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


class Paragraph(NamedTuple):
    """A passage with its questions. article, number: places in the file and in the article, from 0.

    where: the file and the article, for messages. title: of the article, empty for none.
    """

    where: str
    file: str
    article: int
    number: int
    title: str
    context: str
    document_id: str | None
    questions: list[Question]


class _Paragraph(msgspec.Struct):
    context: str
    qas: list[Any]
    document_id: int | str | None = None


class _Article(msgspec.Struct):
    paragraphs: list[Any]
    title: str = ""


def read_paragraphs(files: AuthorsFiles, findings: LayoutFaults) -> Generator[Paragraph]:
    """Every paragraph of the files, and of archives' members. What has another shape is refused by name."""
    for opened in files.opened(findings):
        for article, (_, value, _) in enumerate(JsonList(opened.stream, opened.name, "data").values()):
            where = f"{opened.name}, article {article}"
            whole = _read(_Article, value, where, "not_an_article", findings)
            if whole is None:
                continue
            for number, each in enumerate(whole.paragraphs):
                inside = f"{where}, paragraph {number}"
                paragraph = _read(_Paragraph, each, inside, "not_a_paragraph", findings)
                if paragraph is None:
                    continue
                questions = (
                    _read(Question, one, inside, "not_a_question", findings) for one in paragraph.qas
                )
                document = paragraph.document_id
                yield Paragraph(
                    where,
                    opened.name,
                    article,
                    number,
                    whole.title,
                    paragraph.context,
                    None if document is None else str(document),
                    [question for question in questions if question is not None],
                )


def place_of(answer: Answer, context: str) -> tuple[int | None, str]:
    """(where the answer begins in its context, the name of its offset's fault or "").

    The text at its offset in other case is taken; else the nearest occurrence of its spelling, else in other case.
    """
    text, start = answer.text, answer.answer_start or 0
    if answer.answer_start is not None and start >= 0:
        if context.startswith(text, start):
            return start, ""
        if _lower(context[start : start + len(text)]) == _lower(text):
            return start, OTHER_CASE
    near = _nearest(text, context, start)
    if near is None:
        near = _nearest(_lower(text), _lower(context), start)
    return near, NO_PLACE if near is None else WRONG_OFFSET


def _nearest(text: str, context: str, start: int) -> int | None:
    """The occurrence nearest to an offset; of two equally near ones the first."""
    # `find` is linear in both texts and `rfind` is not, so the text before the offset is searched backwards.
    end = min(max(0, start) + len(text), len(context))
    backwards = context[:end][::-1].find(text[::-1])
    before = end - len(text) - backwards if backwards >= 0 else -1
    behind = context.find(text, max(0, start))
    return min((at for at in (before, behind) if at >= 0), key=lambda at: abs(at - start), default=None)


def _lower(text: str) -> str:
    """In lower case, with a character for each character."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(sign.lower()[0] for sign in text)


def _read(wanted: type[T], value: Any, where: str, fault: str, findings: LayoutFaults) -> T | None:
    return converted(lambda value: msgspec.convert(value, wanted), value, where, fault, findings)
