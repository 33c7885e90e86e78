"""COVID-QA's articles as questions with sentences: those around the answer, and which of them hold it.

An article is cut into sentences, and these, in their order, into blocks of at most LONGEST as even as can be; where a
block begins does not depend on any question. An instance is a question with the block that holds its answer, or with
all the blocks that its answer touches. Its first line is the article's title. setting: the most sentences of a block.

The file has SQuAD's form: where an offset does not point at the answer's text, the place of that text next to it is
taken. Source: Möller et al. 2020.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from anagnosis.datasets.bioasq.held_out import same_question
from anagnosis.datasets.definition import DatasetDefinition
from anagnosis.datasets.export.authors_files import JSON, authors_files
from anagnosis.datasets.export.layouts import Imported, LayoutFaults
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.datasets.sampling import falls_in
from anagnosis.datasets.squad import Answer, Paragraph, Question, articles
from anagnosis.errors import InputError
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


class _Asked(msgspec.Struct):
    """A question of an article. places: of the sentences that hold its answers."""

    id: str
    question: str
    places: set[int]


def imported(
    path: PathLike | Sequence[PathLike],
    *,
    setting: str | None = None,
    split: str | None = None,
    dev_share: float = 0,
) -> Imported:
    """The file, a folder's or an archive's files; all is `test`, or of the split that is named.

    setting: the most sentences of a block. dev_share: of the articles, where the split is train.
    """
    files, counts, usual = authors_files(path, JSON, split=split), LayoutFaults(), split or "test"
    if setting is not None and not (setting.isdecimal() and 0 < int(setting) < 10**6):
        raise InputError(f"{setting!r} is no number of sentences", "--setting", "give one from 1 on")
    if dev_share and usual != "train":
        raise InputError("a share for dev is taken of train", "--dev-share", "add --split train")
    longest = int(setting) if setting else LONGEST
    found: dict[str, dict[str, EvidenceInstance]] = {usual: {}, **({"dev": {}} if dev_share else {})}
    for file, of_file in articles(files, counts):
        for number, article in of_file.items():
            where = f"{file}, article {number}"
            for place, paragraph in enumerate(article.paragraphs):
                document = paragraph.document_id
                name = f"{number}.{place}" if document is None else str(document)
                into = found["dev" if dev_share and falls_in(dev_share, name) else usual]
                for one in _of_paragraph(where, name, article.title, paragraph, longest, counts):
                    if one.id in into:
                        counts.refuse(where, "repeated_id", one.id)
                    else:
                        counts.instances += 1
                        into[one.id] = one
    recipe: dict[str, Any] = {"dataset": "covid-qa", "kind": "evidence", "layout": "covid-qa"}
    recipe |= {"splitter": SPLITTER, "longest": longest} | ({"dev_share": dev_share} if dev_share else {})
    return Imported({each: iter(own.values()) for each, own in found.items()}, recipe, files.inputs, counts)


def _of_paragraph(
    where: str, document: str, title: str, paragraph: Paragraph, longest: int, counts: LayoutFaults
) -> Iterator[EvidenceInstance]:
    text = paragraph.context
    spans = cut(text)
    line = text.lstrip().partition("\n")[0].strip()
    title = title or (line if len(line) <= _LONGEST_TITLE else "")  # a longer one is a paragraph
    asked: dict[str, _Asked] = {}
    for one in paragraph.qas:
        places = _places(where, one, text, spans, counts)
        if not places:
            continue
        words = same_question(one.question)
        if words in asked:
            counts.refuse(where, "merged_question", f"{one.id} asks what {asked[words].id} asks")
            asked[words].places |= places
        else:
            asked[words] = _Asked(str(one.id), one.question, places)
    for one in asked.values():
        chosen = block(one.places, len(spans), longest)
        sentences = tuple(
            SourceSentence(document, title, text[slice(*spans[place])], place in one.places)
            for place in chosen
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


def block(places: set[int], sentences: int, longest: int) -> list[int]:
    """The sentences of all blocks that hold one of these places. longest: sentences of a block at most."""
    blocks = -(-sentences // longest)
    borders = [number * sentences // blocks for number in range(blocks + 1)]
    touched = sorted({bisect_right(borders, place) - 1 for place in places})
    return [place for number in touched for place in range(borders[number], borders[number + 1])]


def _places(
    where: str, one: Question, text: str, spans: Sequence[tuple[int, int]], counts: LayoutFaults
) -> set[int]:
    """The sentences that hold an answer; none where the question is left out, which is counted."""
    if not one.question.strip():
        counts.refuse(where, "empty_question", str(one.id))
        return set()
    answers = [answer for answer in one.answers if answer.text.strip()]
    if not answers or one.is_impossible:
        counts.refuse(where, "no_answer", str(one.id))
        return set()
    places: set[int] = set()
    for answer in answers:
        start = place_of(answer, text)
        if start is not None:
            inner = answer.text.strip()
            begin = start + answer.text.index(inner)
            end = begin + len(inner)
            places.update(place for place, (low, high) in enumerate(spans) if low < end and begin < high)
    if not places:
        counts.refuse(where, "answer_not_in_article", str(one.id))
    return places


def place_of(answer: Answer, context: str) -> int | None:
    """Where the answer begins in its context: at its offset, in any case; else the nearest occurrence of its spelling,
    else in other case.
    """
    text, start = answer.text, answer.answer_start or 0
    if answer.answer_start is not None and start >= 0:
        there = context[start : start + len(text)]
        if there == text or _lower(there) == _lower(text):
            return start
    near = _nearest(text, context, start)
    return _nearest(_lower(text), _lower(context), start) if near is None else near


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
