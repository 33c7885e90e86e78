"""A small dataset with a cue to be learnt, and a reader that learns it in milliseconds (bags.py)."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from anagnosis import readers
from anagnosis.datasets.folder import writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention

BAGS = "tests.training.bags"


def instance(number: int, draw: random.Random, *, answered: bool = True) -> ClozeInstance:
    """The right candidate stands beside "cue" four times in five; the others beside it one time in ten."""
    count = draw.randint(2, 6)
    answer = draw.randrange(count)
    text, mentions = "", []
    for place in draw.choices(range(count), k=draw.randint(0, 6)) + list(range(count)):
        beside = "cue" if draw.random() < (0.8 if place == answer else 0.1) else draw.choice("abcdefg")
        text += f"{beside} "
        mentions.append(PassageMention(((len(text), len(text) + 3),), place))
        text += f"n{place:02d} {draw.choice('hijk')}. "
    return ClozeInstance(
        id=f"{number}:0",
        document=str(number),
        date="",
        passage=text.strip(),
        question="XXXX is meant.",
        mentions=tuple(mentions),
        question_mentions=(),
        candidates=tuple(Candidate(f"gene/{p}", "Gene", 10 * p + 3, (f"n{p:02d}",)) for p in range(count)),
        answer=answer if answered else None,
        answers=(f"n{answer:02d}",) if answered else (),
    )


def dataset(folder: Path, *, withheld: int = 0, **rows: int) -> Dataset:
    """A dataset folder with so many instances of each split. withheld: train instances without an answer."""
    draw = random.Random(7)
    splits: dict[str, list[ClozeInstance]] = {}
    number = 0
    for split, count in rows.items():
        splits[split] = []
        for _ in range(count):
            number += 1
            answered = split != "train" or number > withheld
            splits[split].append(instance(number, draw, answered=answered))
    return writing.write(folder, splits, {"dataset": "cues"})


@pytest.fixture(scope="session")
def cues(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """300 train, 80 dev and 90 test instances."""
    return dataset(tmp_path_factory.mktemp("cues"), train=300, dev=80, test=90)


@pytest.fixture(autouse=True)
def bags(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader can be found by its name, `bags`; nothing is shown."""
    monkeypatch.setitem(readers.READERS, "bags", BAGS)
    monkeypatch.setenv("ANAGNOSIS_QUIET", "1")


Recipe = Callable[..., dict[str, Any]]


@pytest.fixture
def recipe() -> Recipe:
    """A recipe of the reader, with some values changed."""

    def make(**changed: Any) -> dict[str, Any]:
        return {"reader": "bags", "rate": 0.02, "batch": 16, "epochs": 3, "tokens": 400, **changed}

    return make


Interrupt = Callable[[int], list[int]]


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch) -> Interrupt:
    """Raise KeyboardInterrupt within the nth forward pass of a training step, once; gives the running count."""
    from tests.training.bags import Bags  # brings torch, which not every test beside it needs

    def at(step: int) -> list[int]:
        real, count = Bags.forward, [0]

        def forward(self: Bags, batch: Any) -> Any:
            count[0] += self.training
            if count[0] == step and self.training:
                raise KeyboardInterrupt
            return real(self, batch)

        monkeypatch.setattr(Bags, "forward", forward)
        return count

    return at
