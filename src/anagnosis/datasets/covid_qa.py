"""COVID-QA's articles as questions with sentences: those around the answer, and which of them hold it.

An article is cut into sentences, and these, in their order, into blocks of at most LONGEST as even as can be; where a
block begins does not depend on any question. An instance is a question with the block that holds its answer, or with
all the blocks that its answer touches. Its first line is the article's title. setting: the most sentences of a block.

The file has SQuAD's form, which `squad.articles` reads: where an offset does not point at the answer's text, the place
of that text next to it is taken. Source: Möller et al. 2020.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from anagnosis.datasets.bioasq.held_out import same_question
from anagnosis.datasets.definition import DatasetDefinition
from anagnosis.datasets.export.authors_files import JSON, AuthorsFiles, authors_files, with_dev
from anagnosis.datasets.export.layouts import FewPlaces, Imported, LayoutFaults
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.datasets.sampling import falls_in
from anagnosis.datasets.squad.articles import Paragraph, Question, place_of, read_paragraphs
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike
from anagnosis.language.sentences import splitter

DEFINITION = DatasetDefinition(
    title="COVID-QA's evidence",
    what="Experts' questions about COVID-19 with the sentences of a paper, and which of them hold the answer.",
    citation="The questions: Möller, T., Reina, A., Jayakumar, R., Pietsch, M. (2020). COVID-QA: A Question "
    "Answering Dataset for COVID-19. NLP COVID-19 Workshop at ACL 2020.",
)

TAKES_DEV_SHARE = True
NOT_WRITTEN = "keep them, or export with --layout jsonl"  # the articles are not kept whole

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
    path: PathLike, *, setting: str | None = None, split: str | None = None, dev_share: float = 0
) -> Imported:
    """The file, a folder's or an archive's files; all is `test`, or of the split that is named.

    setting: the most sentences of a block. dev_share: of the articles, where the split is train.
    """
    files = authors_files(path, JSON, split=split)
    if setting is not None and not (setting.isdecimal() and 0 < int(setting) < 10**6):
        raise InputError(f"{setting!r} is no number of sentences", "--setting", "give one from 1 on")
    longest = int(setting) if setting else LONGEST
    findings = FewPlaces()
    splits = {
        each: _instances(files, each, longest, dev_share, findings)
        for each in with_dev(split or "test", dev_share)
    }
    recipe: dict[str, Any] = {"dataset": "covid-qa", "kind": "evidence", "layout": "covid-qa"}
    recipe |= {"splitter": SPLITTER, "longest": longest}
    if dev_share:
        recipe["dev_share"] = dev_share
    return Imported(splits, recipe, files.inputs, findings)


def _instances(
    files: AuthorsFiles, wanted: str, longest: int, dev_share: float, findings: LayoutFaults
) -> Iterator[EvidenceInstance]:
    """The instances of a split, article by article; one that is not of it is passed over uncounted."""
    ids: set[str] = set()
    first = wanted != "dev" or not dev_share
    for paragraph in read_paragraphs(files, findings if first else LayoutFaults()):
        document = paragraph.document_id
        if document is None:
            document = f"{paragraph.article}.{paragraph.number}"
        if dev_share and falls_in(dev_share, document) != (wanted == "dev"):
            continue
        for found in _of_paragraph(document, paragraph, longest, findings):
            if found.id in ids:
                findings.refuse(paragraph.where, "repeated_id", found.id)
                continue
            ids.add(found.id)
            findings.instances += 1
            yield found


def _of_paragraph(
    document: str, paragraph: Paragraph, longest: int, findings: LayoutFaults
) -> Iterator[EvidenceInstance]:
    where, text = paragraph.where, paragraph.context
    spans = cut(text)
    line = text.lstrip().partition("\n")[0].strip()
    title = paragraph.title or (line if len(line) <= _LONGEST_TITLE else "")  # a longer one is a paragraph
    asked: dict[str, _Asked] = {}
    for one in paragraph.questions:
        places = _places(where, one, text, spans, findings)
        if not places:
            continue
        words = same_question(one.question)
        if words in asked:
            findings.refuse(where, "merged_question", f"{one.id} asks what {asked[words].id} asks")
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
    where: str, one: Question, text: str, spans: Sequence[tuple[int, int]], findings: LayoutFaults
) -> set[int]:
    """The sentences that hold an answer; none where the question is left out, which is counted."""
    if not one.question.strip():
        findings.refuse(where, "empty_question", str(one.id))
        return set()
    answers = [answer for answer in one.answers if answer.text.strip()]
    if not answers or one.is_impossible:
        findings.refuse(where, "no_answer", str(one.id))
        return set()
    places: set[int] = set()
    for answer in answers:
        start, fault = place_of(answer, text)
        if start is None:
            continue
        if fault:
            findings.note(where, fault, f"{one.id}: {answer.answer_start} is {start}")
        inner = answer.text.strip()
        begin = start + answer.text.index(inner)
        end = begin + len(inner)
        if len(inner) < len(answer.text):
            findings.note(where, "answer_text_outer_blanks", f"{one.id}: {answer.text[-20:]!r}")
        if text.count(inner) > 1:
            findings.note(where, "answer_stands_elsewhere_too", f"{one.id}: {inner[:40]!r}")
        places.update(place for place, (low, high) in enumerate(spans) if low < end and begin < high)
    if not places:
        findings.refuse(where, "answer_not_in_article", str(one.id))
    return places
