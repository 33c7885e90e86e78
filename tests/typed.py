"""Commands typed in process: the dataset and predictions they work on, and what they print."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from anagnosis import api
from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from tests.made_once import made_once

# Which question each person answers rightly or with null, counted from the first of test; the rest is wrong.
PEOPLE = {
    "Ann": ("expert", range(16), ()),
    "Bob": ("expert", range(12), (12, 13)),
    "Cy": ("lay", range(5), ()),
    "Di": ("lay", range(2, 20), (0, 1)),
}


READERS = ("BASE1", "BASE3+", "BASE4", "dev")  # "dev": BASE4 on dev


@dataclass(frozen=True, slots=True)
class World:
    """A dataset built from the carried corpus, predictions of readers (reader → file) and of people."""

    dataset: Path
    files: dict[str, Path]
    people: Path
    instances: list[ClozeInstance]

    def __getitem__(self, name: str) -> Path:
        return self.files[name]


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    at = made_once(tmp_path_factory, "world", _make)
    return World(
        at / "built",
        {name: at / f"{name}.jsonl" for name in READERS},
        at / "people.jsonl",
        list(store.instances(store.load(at / "built"), "test")),
    )


def _make(at: Path) -> None:
    dataset = api.build("biomrc", [carried()], at / "built", recipe="biomrc-demo", workers=1)
    for name in READERS:
        split = "dev" if name == "dev" else "test"
        api.predict("BASE4" if name == "dev" else name, dataset, at / f"{name}.jsonl", split=split)
    found = list(store.instances(dataset, "test"))
    with (at / "people.jsonl").open("w") as stream:
        for position, instance in enumerate(found[:20]):
            for person, (group, right, unanswered) in PEOPLE.items():
                answer = None if position in unanswered else answered(instance, position in right)
                line = {"id": instance.id, "answer": answer, "annotator": person, "group": group}
                stream.write(json.dumps({**line, "knowledge": "context", "seconds": 12}) + "\n")


def answered(instance: ClozeInstance, rightly: bool) -> str:
    gold = instance.candidates[instance.answer or 0].key
    return gold if rightly else next(each.key for each in instance.candidates if each.key != gold)


Said = Callable[..., str]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """Run a command that succeeds; what it printed on standard output."""

    def command(*words: object, code: int = 0) -> str:
        capsys.readouterr()
        try:
            got = run([*map(str, words)])
        except SystemExit as ended:  # `check` ends so when it found something
            got = ended.code
        printed = capsys.readouterr()
        assert got == code, printed.err
        return printed.out if code == 0 else printed.out + printed.err

    return command
