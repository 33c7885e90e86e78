"""The names that a reader of `ask` finds in the snippets of experts' questions, as exact answers.

The collection has a document for each paper: its distinct snippets, a line each (held_out.py). A question is
asked of the documents of its snippets, in which the snippets of other questions stand too; names are ranked as for
`ask`, before the threshold of confidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from anagnosis.datasets.kinds.question import FACTOID, LIST, QuestionInstance
from anagnosis.predictions import Answer
from anagnosis.readers.answers.ranking import placed
from anagnosis.searching.answers.asking import READ, highlighted, with_fitting_sentence
from anagnosis.searching.entities.naming import NamesReader, known, load_names_reader
from anagnosis.searching.entities.ranking import FILE
from anagnosis.searching.filters import Filters
from anagnosis.searching.fit.held_out import snippet_collection
from anagnosis.searching.index.index import Index

NAMES = "names"  # the folder of the reader among those of `ask`


def opened(readers: str, questions: Iterable[QuestionInstance]) -> Callable[[QuestionInstance], list[Answer]]:
    """A function from a question to its names, the likeliest first; none for other types than factoid and list.

    readers: a folder of readers, or that of the reader of names. InputError: there is no such reader, or a damaged one.
    """
    folder = Path(readers)
    place = folder if (folder / FILE).exists() else folder / NAMES
    reader = load_names_reader(place)
    scratch = TemporaryDirectory(prefix="anagnosis-")
    return SnippetNames(reader, snippet_collection(questions, Path(scratch.name) / "index"), scratch)


@dataclass(frozen=True, slots=True)
class SnippetNames:
    """A reader of names over a collection of snippets. scratch: the collection's folder, removed with this object."""

    reader: NamesReader
    index: Index
    scratch: TemporaryDirectory[str]

    def __call__(self, question: QuestionInstance) -> list[Answer]:
        papers = tuple(dict.fromkeys(snippet.pmid for snippet in question.snippets))
        if question.type not in (FACTOID, LIST) or not papers:
            return []
        asked = self.index.read(question.question)
        found = self.index.search(asked, Filters(documents=papers), READ)
        hits = with_fitting_sentence(highlighted(self.index, asked.topic, found))
        ranked = self.reader.rank(known(self.index.engine, asked.topic, hits))
        texts = [snippet.text for snippet in question.snippets]
        return [
            placed(name.text, float(score), texts)
            for name, score in zip(ranked.names, ranked.scores, strict=True)
        ]
