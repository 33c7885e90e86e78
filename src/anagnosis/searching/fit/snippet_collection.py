"""A collection made of the snippets of questions, for fits and benchmarks on questions whose papers are not at hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.documents.document import Document, Section
from anagnosis.searching.index.index import Index, create_index


def snippet_collection(questions: Iterable[QuestionInstance], folder: Path) -> Index:
    """An index in a new folder with one document for each PMID: its distinct snippets, a line each.

    White space is collapsed, and a snippet that another one of the document contains is left out.
    """
    texts: dict[str, dict[str, None]] = {}
    for question in questions:
        for snippet in question.snippets:
            texts.setdefault(snippet.pmid, {})[" ".join(snippet.text.split())] = None
    index, counts = create_index(folder), Counter[str]()
    for pmid, snippets in texts.items():
        kept = [one for one in snippets if not any(one != other and one in other for other in snippets)]
        index.add(Document(pmid, (Section("abstract", "\n".join(kept)),)), counts)
    index.commit()
    return index
