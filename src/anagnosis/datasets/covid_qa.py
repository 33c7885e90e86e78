"""COVID-QA's articles as questions with sentences: those around the answer, and which of them hold it.

An article is cut into sentences, and these, in their order, into blocks of at most LONGEST as even as can be; where a
block begins does not depend on any question. An instance is a question with the block that holds its answer, or with
all the blocks that its answer touches. Its first line is the article's title.

The file has SQuAD's form: where an offset does not point at the answer's text, the place of that text next to it is
taken. Source: Möller et al. 2020.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from anagnosis.datasets.bioasq.parts import same_question
from anagnosis.datasets.definition import DatasetDefinition
from anagnosis.datasets.export.authors_files import JSON, authors_files, refuse_setting
from anagnosis.datasets.export.layouts import Imported, LayoutFaults
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.datasets.squad import Answer, Paragraph, Question, articles
from anagnosis.io.paths import PathLike
from anagnosis.language.sentences import splitter

DEFINITION = DatasetDefinition(
    title="COVID-QA's evidence",
    what="Experts' questions about COVID-19 with the sentences of a paper, and which of them hold the answer.",
    citation="The questions: Möller, T., Reina, A., Jayakumar, R., Pietsch, M. (2020). COVID-QA: A Question "
    "Answering Dataset for COVID-19. NLP COVID-19 Workshop at ACL 2020.",
)
INSTEAD = "keep them, or export with --layout jsonl"  # the articles are not kept whole

LONGEST = 40  # sentences of a block: some 1,000 words
SPLITTER = "nupunkt"
_LONGEST_TITLE = 300  # characters of a first line
_LINE = re.compile(r"[^\n]+")


def imported(
    path: PathLike | Sequence[PathLike], *, setting: str | None = None, split: str | None = None
) -> Imported:
    """The file, a folder's or an archive's files; all is `test`, or of the split that is named."""
    refuse_setting(setting, "covid-qa")
    files, counts = authors_files(path, JSON, split=split), LayoutFaults()
    found: dict[str, EvidenceInstance] = {}
    for where, _, number, article in articles(files, counts):
        for place, paragraph in enumerate(article.paragraphs):
            document = paragraph.document_id
            name = f"{number}.{place}" if document is None else str(document)
            for one in _of_paragraph(where, name, article.title, paragraph, counts):
                if found.setdefault(one.id, one) is not one:
                    counts.refuse(where, "repeated_id", one.id)
    recipe = {"dataset": "covid-qa", "kind": "evidence", "layout": "covid-qa"}
    recipe |= {"splitter": SPLITTER, "longest": LONGEST}
    return Imported({split or "test": iter(found.values())}, recipe, files.inputs, counts)


def _of_paragraph(
    where: str, document: str, title: str, paragraph: Paragraph, counts: LayoutFaults
) -> Iterator[EvidenceInstance]:
    text = paragraph.context
    spans = cut(text)
    line = text.lstrip().partition("\n")[0].strip()
    title = title or (line if len(line) <= _LONGEST_TITLE else "")  # a longer one is a paragraph
    # Words → the question, places of the sentences that answer.
    asked: dict[str, tuple[Question, set[int]]] = {}
    for one in paragraph.qas:
        found = () if one.is_impossible else (span_of(answer, text) for answer in one.answers)
        answers = [span for span in found if span[0] < span[1]]
        places = {
            place
            for place, (low, high) in enumerate(spans)
            if any(low < end and begin < high for begin, end in answers)
        }
        words = same_question(one.question)
        if not places or not one.question.strip():
            counts.refuse(where, "no_answer", f"{one.id} has no question, or no answer in its article")
        elif words in asked:
            counts.refuse(where, "merged_question", f"{one.id} asks what {asked[words][0].id} asks")
            asked[words][1].update(places)
        else:
            asked[words] = one, places
    for one, places in asked.values():
        sentences = tuple(
            SourceSentence(document, title, text[slice(*spans[place])], place in places)
            for place in block(places, len(spans))
        )
        yield EvidenceInstance(f"{one.id}:{document}", one.question, sentences)


def cut(text: str) -> list[tuple[int, int]]:
    """[begin, end) of every sentence, without the blanks around it; none goes over the end of a line."""
    spans: list[tuple[int, int]] = []
    for line in _LINE.finditer(text):
        for begin, end in splitter(SPLITTER)(line[0]):
            sentence = line[0][begin:end]
            if inner := sentence.strip():
                start = line.start() + begin + sentence.index(inner)
                spans.append((start, start + len(inner)))
    return spans


def block(places: set[int], sentences: int) -> list[int]:
    """The sentences of all blocks that hold one of these places."""
    blocks = -(-sentences // LONGEST)
    borders = [number * sentences // blocks for number in range(blocks + 1)]
    touched = sorted({bisect_right(borders, place) - 1 for place in places})
    return [place for number in touched for place in range(borders[number], borders[number + 1])]


def span_of(answer: Answer, context: str) -> tuple[int, int]:
    """[begin, end) of the answer's text without outer blanks: at its offset, in any case, else next to it.

    Its own spelling goes before other case; empty if it stands nowhere.
    """
    text, start, inner = answer.text, answer.answer_start, answer.text.strip()
    if start is None or start < 0 or _lower(context[start : start + len(text)]) != _lower(text):
        near = max(0, start or 0)
        start = _nearest(text, context, near)
        if start < 0:
            start = _nearest(_lower(text), _lower(context), near)
    if start < 0 or not inner:
        return 0, 0
    begin = start + text.index(inner)
    return begin, begin + len(inner)


def _nearest(text: str, context: str, near: int) -> int:
    """Where the text stands nearest to an offset, of two equally near places at the first; -1 if nowhere."""
    # `find` is linear in both texts and `rfind` is not, so what lies before the offset is searched backwards.
    end = min(near + len(text), len(context))
    back = context[:end][::-1].find(text[::-1])
    before = -1 if back < 0 else end - len(text) - back
    found = [place for place in (before, context.find(text, near)) if place >= 0]
    return min(found, key=lambda place: abs(place - near), default=-1)


def _lower(text: str) -> str:
    """In lower case, with a character for each character."""
    return "".join(sign.lower()[0] for sign in text)
