"""Commands typed in process: the dataset and predictions they work on, and what they print."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from anagnosis import api
from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.evaluation.agreement import Agreement
from anagnosis.evaluation.results import Results
from anagnosis.reports.records import report
from tests.made_once import made_once
from tests.reports.samples import blocks_of

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
    half: Path
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
        at / "half.jsonl",
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
    documents = sorted({instance.document for instance in found})
    with (at / "half.jsonl").open("w") as stream:
        for instance in found:
            right = documents.index(instance.document) % 2 == 0
            stream.write(json.dumps({"id": instance.id, "answer": answered(instance, right)}) + "\n")


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


def json_table(text: str, caption: str) -> list[dict[str, Any]]:
    """The rows of the table of that caption in the report of a record as JSON."""
    data: dict[str, Any] = json.loads(text)
    kinds = {"results": Results, "agreement": Agreement}
    record = msgspec.convert(
        {key: value for key, value in data.items() if key != "record"}, kinds[data["record"]]
    )
    blocks = blocks_of(report(record))
    for block in blocks:
        if block["block"] == "table" and block["caption"] == caption:
            names = [column["name"] for column in block["columns"]]
            return [dict(zip(names, row, strict=True)) for row in block["rows"]]
    raise AssertionError(f"no table {caption!r}")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def build(*words: object) -> list[object]:
    return ["build", "biomrc", carried(), "--workers", 1, *words]


def accuracy(text: str) -> dict[str, dict[str, float]]:
    """system → value, low, high of its accuracy on test."""
    return {row["system"]: row["test accuracy (%)"] for row in json_table(text, "Accuracy of all systems")}
