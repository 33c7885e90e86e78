"""A small dataset with a cue to be learnt, and a reader that learns it in milliseconds (bags.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.readers.tiny_readers import dataset

from anagnosis import readers
from anagnosis.datasets.folder.store import Dataset

BAGS = "tests.training.bags"


@pytest.fixture(scope="session")
def cues(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """300 train, 80 dev and 90 test instances."""
    return dataset(tmp_path_factory.mktemp("cues"), signal=True, train=300, dev=80, test=90)


@pytest.fixture(autouse=True)
def bags(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader can be found by its name, `bags`; nothing is shown."""
    monkeypatch.setitem(readers.READERS, "bags", BAGS)
    monkeypatch.setenv("ANAGNOSIS_QUIET", "1")


def recipe(**changed: Any) -> dict[str, Any]:
    """A recipe of the reader, with some values changed."""
    return {"reader": "bags", "rate": 0.02, "batch": 16, "epochs": 3, "tokens": 400, **changed}


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
