"""How many of a question's gold snippets a ranked list of passages holds (BioASQ's snippets, counted as found or not).

A passage holds a snippet of the same document if their spans overlap, where both have offsets in the same section;
elsewhere if one text holds the other (NFKC, case folded, each run of blanks as one). A snippet that stands twice counts
once. Documents are compared by the last part of their address: "http://www.ncbi.nlm.nih.gov/pubmed/18094723" is
"18094723".

The organisers score characters instead, and joined snippets; parity with them is another measure.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from anagnosis.datasets.kinds.question import QuestionInstance, document_id
from anagnosis.documents.document import Document, Section
from anagnosis.searching.index.index import Index, create_index


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a document: a gold snippet or a passage that was found.

    document: its id or address. section: in which the offsets count. begin, end: code points, end exclusive; None where
    they are not known, or not to be trusted.
    """

    document: str
    text: str = ""
    section: str = ""
    begin: int | None = None
    end: int | None = None


def gold_spans(instance: QuestionInstance, *, offsets: bool = True) -> list[Span]:
    """A question's gold snippets, each once. offsets: take them where they fit the text; else texts alone decide."""
    found: list[Span] = []
    for snippet in instance.snippets:
        begin, end = snippet.begin, snippet.end
        fits = begin is not None and end is not None and end - begin == len(snippet.text)
        if not (offsets and fits and snippet.begin_section == snippet.end_section):
            begin = end = None
        found.append(Span(snippet.pmid, snippet.text, snippet.begin_section, begin, end))
    return list(dict.fromkeys(found))


def snippet_ranks(gold: Sequence[Span], passages: Sequence[Span], *, whole: bool = False) -> list[int | None]:
    """Of each gold snippet that differs, the rank (from 1) of the first passage that holds it; None for none.

    whole: only a passage of the very same text does, as in a pool that is made of snippets.
    """
    by_document: dict[str, list[tuple[int, Span, str]]] = {}
    for rank, passage in enumerate(passages, 1):
        entry = (rank, passage, normalised(passage.text))
        by_document.setdefault(document_id(passage.document), []).append(entry)
    found: list[int | None] = []
    for snippet in dict.fromkeys(gold):
        text = normalised(snippet.text)
        near = by_document.get(document_id(snippet.document), [])
        ranks = (
            rank
            for rank, passage, of in near
            if (text == of if whole else _holds(snippet, text, passage, of))
        )
        found.append(next(ranks, None))
    return found


def snippet_recall(
    gold: Sequence[Span],
    passages: Sequence[Span],
    *,
    first: int | None = None,
    capped: bool = False,
    whole: bool = False,
) -> float | None:
    """The share of the gold snippets that the first passages hold; None where there is no gold snippet.

    first: how many passages are looked at, None for all. capped: of min(first, gold snippets), at most 1, since no more
    can be found where a passage holds one each. whole: as in `snippet_ranks`.
    """
    ranks = snippet_ranks(gold, passages if first is None else passages[:first], whole=whole)
    if not ranks:
        return None
    found = sum(rank is not None for rank in ranks)
    return min(1.0, found / (min(first, len(ranks)) if capped and first else len(ranks)))


def normalised(text: str) -> str:
    """What is compared of a text."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _holds(snippet: Span, text: str, passage: Span, of: str) -> bool:
    begin, end, start, stop = snippet.begin, snippet.end, passage.begin, passage.end
    if begin is None or end is None or start is None or stop is None or snippet.section != passage.section:
        return bool(text) and bool(of) and (text in of or of in text)
    return max(begin, start) < min(end, stop)


def plain(text: str) -> str:
    """The text with single blanks."""
    return " ".join(text.split())


def snippet_collection(questions: Iterable[QuestionInstance], folder: Path) -> Index:
    """An index in a new folder with one document for each PMID: its distinct snippets, a line each.

    White space is collapsed, and a snippet that another one of the document contains is left out.
    """
    texts: dict[str, dict[str, None]] = {}
    for question in questions:
        for snippet in question.snippets:
            texts.setdefault(snippet.pmid, {})[plain(snippet.text)] = None
    index, counts = create_index(folder), Counter[str]()
    for pmid, snippets in texts.items():
        kept = [one for one in snippets if not any(one != other and one in other for other in snippets)]
        index.add(Document(pmid, (Section("abstract", "\n".join(kept)),)), counts)
    index.commit()
    return index
