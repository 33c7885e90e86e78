"""A dataset of each kind that a language model is asked about, and a model that replies by a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from anagnosis.datasets.folder import writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention
from anagnosis.datasets.kinds.decision import ContextSection, DecisionInstance
from anagnosis.datasets.kinds.question import QuestionInstance, Snippet
from anagnosis.language_models.calls import Call, Reply
from anagnosis.language_models.spending import Spending

T = TypeVar("T")
SNIPPETS = (
    "MECP2 causes Rett  syndrome.",
    "In girls,\nRett syndrome is severe.",
    "Mutations of mecp2, 9 mutations.",
)
PASSAGE = "Aspirin lowers fever.\nFever tires patients."


def question(number: int, type: str = "factoid", answers: Sequence[str] = ("MECP2",)) -> QuestionInstance:
    snippets = tuple(Snippet("d/1", "abstract", 0, "abstract", 1, text) for text in SNIPPETS)
    exact = tuple((text, f"{text} protein") for text in answers)
    return QuestionInstance(
        f"{number:024x}", type, f"Which gene is number {number}?", ("d/1",), snippets, exact
    )


def decision(number: int, label: str | None = "yes") -> DecisionInstance:
    context = (ContextSection("AIM", "Tea was open."), ContextSection("", "It helped."))
    return DecisionInstance(str(number), f"Does tea {number} help?", context, "Tea helps.", label)


def cloze(number: int) -> ClozeInstance:
    places = (((0, 7), 0), ((15, 20), 1), ((22, 27), 1), ((34, 42), 2))
    mentions = tuple(PassageMention((span,), candidate) for span, candidate in places)
    names = (("Aspirin",), ("fever", "Fever"), ("patients",))
    candidates = tuple(Candidate(f"x/{place}", "", place + 5, each) for place, each in enumerate(names))
    asked = f"XXXX was lowered in trial {number}."
    return ClozeInstance(
        f"{number}:0", str(number), "", PASSAGE, asked, mentions, (), candidates, 1, ("Fever",)
    )


def written(folder: Path, recipe: dict[str, str], make: Callable[[int], object], count: int = 12) -> Dataset:
    splits = {"train": map(make, range(100, 100 + count)), "test": map(make, range(count))}
    return writing.write(folder, splits, recipe)


def questions(folder: Path) -> Dataset:
    """Of twelve questions one in four is of each type; a list has two answers."""
    types = ("factoid", "list", "yesno", "summary")

    def made(number: int) -> QuestionInstance:
        answers = {"list": ("MECP2", "CDKL5"), "yesno": ("yes",), "summary": ()}.get(
            types[number % 4], ("MECP2",)
        )
        return question(number, types[number % 4], answers)

    return written(folder, {"dataset": "bioasq", "kind": "question"}, made)


def decisions(folder: Path) -> Dataset:
    return written(folder, {"dataset": "pubmedqa", "kind": "decision"}, decision)


def clozes(folder: Path) -> Dataset:
    return written(folder, {"dataset": "biomrc", "text_form": "original", "numbering": "global"}, cloze)


@dataclass
class Replying:
    """In place of a `LanguageModel`: its rule gives the text of a reply, or the reply. asked: all calls."""

    rule: Callable[[Call], str | Reply]
    asked: list[Call] = field(default_factory=list[Call])
    spending: Spending = field(default_factory=Spending)

    def replies(self, items: Iterable[tuple[T, Sequence[Call]]]) -> Iterator[tuple[T, list[Reply]]]:
        for item, calls in items:
            self.asked += calls
            made = map(self.rule, calls)
            yield item, [Reply(each) if isinstance(each, str) else each for each in made]
