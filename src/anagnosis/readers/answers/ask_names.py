"""The names that `ask` gives, read from the snippets of experts' questions: a control for readers of exact answers.

A reader of names (`anagnosis readers make`) ranks the names in the sentences of the question's documents, of which only
the snippets are known here. `ask` shows a name if its confidence is high enough; here the best five answer a factoid
question and the best ten a list question, whatever their confidence. Fit the reader on other questions than these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, NamedTuple

from msgspec import Meta

from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.predictions import Answer, Prediction
from anagnosis.readers.answers.ranking import ranked
from anagnosis.readers.predict import prediction
from anagnosis.registry import referenced

# Opens the reader of names; it lies in a higher layer.
OPENED_BY = "anagnosis.searching.fit.snippet_names:opened"


def fit(asked: Iterable[QuestionInstance], *, readers: Annotated[str, Meta(examples=["FOLDER"])]) -> AskNames:
    """The names that `ask` gives, read from the snippets of experts' questions: a control for readers of exact answers.

    readers: a folder of readers, or the folder of one with names.json. asked: their snippets are the collection.
    """
    return AskNames(referenced(OPENED_BY)(readers, asked))


class AskNames(NamedTuple):
    """The reader. names: gives the names that `ask` finds in the snippets of a question, the likeliest first."""

    names: Callable[[QuestionInstance], list[Answer]]

    def predict(self, instances: Iterable[QuestionInstance]) -> Iterator[Prediction]:
        """Answer with the best names."""
        for instance in instances:
            names = ranked(self.names(instance), instance.type, group=False)
            yield prediction(instance.id, tuple(names), ())
