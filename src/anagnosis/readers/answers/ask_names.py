"""The names that `ask` gives, read from the snippets of experts' questions: a control for readers of exact answers.

A reader of names (`anagnosis readers make`) ranks the names in the sentences of the question's documents, of which only
the snippets are known here. `ask` shows a name if its confidence is high enough; here the best five answer a factoid
question and the best ten a list question, whatever their confidence. Fit the reader on other questions than these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated

from msgspec import Meta

from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.predictions import Answer
from anagnosis.readers.answers.ranking import ranked
from anagnosis.registry import referenced

EXACT_ANSWERS = True
READS_WHAT_IT_ANSWERS = True  # the snippets of all questions are the collection that is searched
# Opens the reader of names; it lies in a higher layer.
OPENED_BY = "anagnosis.searching.fit.snippet_names:opened"


def fit(
    instances: Iterable[QuestionInstance], *, readers: Annotated[str, Meta(examples=["FOLDER"])]
) -> Callable[[Sequence[QuestionInstance]], list[list[Answer]]]:
    """Answer with the names that `ask` finds in the snippets, the likeliest first.

    readers: a folder of readers, or the folder of one with names.json. instances: their snippets are the collection.
    """
    names: Callable[[QuestionInstance], list[Answer]] = referenced(OPENED_BY)(readers, instances)

    def answers(some: Sequence[QuestionInstance]) -> list[list[Answer]]:
        return [ranked(names(instance), instance.type, group=False) for instance in some]

    return answers
