"""What holds for every measure, ours and other packages'."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from tests.golds import Row, instance
from tests.packages import installed
from tests.predictions.matched import match

from anagnosis import api
from anagnosis.cli import cli
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds import KINDS
from anagnosis.errors import InputError
from anagnosis.evaluation.measures import GROUP, MEASURES
from anagnosis.evaluation.measures.measure import described, named
from anagnosis.evaluation.scoring import score
from anagnosis.evaluation.systems import System

TOY = """
import numpy as np
from anagnosis.evaluation.measures.measure import Measure, Statistics

def values(gold, matched, protocol):
    return np.where(matched.choice == gold.answer, 0.75, 0.25)

TOY = Measure(
    name="toy", what="Three quarters for the right answer.", kinds=("cloze",), values=values, unit="number",
    lowest=0.25, highest=0.75, source="none",
)

def signs(gold, matched, protocol):
    return np.where(matched.choice == gold.answer, 1.0, -1.0)

def ratio(gold, matched, protocol):
    right, counted = matched.choice == gold.answer, gold.answer >= 0
    columns = np.stack([right & counted, counted], axis=1).astype(float)
    return Statistics(columns, lambda sums: -2 * (1 - sums[..., 0] / sums[..., 1]) ** 2, counted)

SHARED = dict(kinds=("cloze",), unit="number", source="none")
SIGNS = Measure(name="signs", what="1 or -1.", values=signs, lowest=-1.0, **SHARED)
LOSS = Measure(name="loss", what="A squared share.", statistics=ratio, lowest=-2.0, highest=0.0, **SHARED)
"""


@pytest.fixture(autouse=True)
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that is installed beside ours and brings the measure `toy`, and one that brings what is none."""
    found = {
        "function": "values",
        "lost": "LOST",
        **{name: name.upper() for name in ("toy", "signs", "loss")},
    }
    entries = "\n".join(f"{name} = toy_measures:{attribute}" for name, attribute in found.items())
    packages = installed(tmp_path / "packages", "toy_measures", TOY, {GROUP: entries})
    monkeypatch.syspath_prepend(packages)


def test_every_measure_declares_what_it_is() -> None:
    for name in MEASURES:
        measure = named(name)
        assert measure.name == name
        assert measure.what.strip()
        assert measure.source.strip()
        assert {*measure.kinds} <= {*KINDS}
        assert measure.kinds
        assert measure.lowest < measure.highest
        assert (measure.values is None) != (measure.statistics is None)


def cloze(folder: Path) -> tuple[Path, Path]:
    """A dataset folder of four questions, and predictions of which three are right."""
    keys = ("a", "b", "c")
    rows = [instance(Row(f"d{n}:0", keys, 0)) for n in range(4)]
    made = writing.write(folder / "made", {"test": rows}, {"dataset": "made"})
    path = folder / "own.jsonl"
    answers = ("a", "a", "a", "b")
    path.write_text(
        "".join(json.dumps({"id": f"d{n}:0", "answer": of}) + "\n" for n, of in enumerate(answers))
    )
    return made.folder, path


def run(*arguments: object) -> Any:
    return CliRunner().invoke(cli, [*map(str, arguments)])


def test_it_is_listed_with_its_kinds_and_unit() -> None:
    assert described()["toy"] == "Three quarters for the right answer. (cloze; number)"
    assert api.described("measures")["accuracy"].endswith("(cloze, decision, question; percent)")
    ended = run("measures")
    assert "Three quarters for the right answer. (cloze; number)" in ended.output, ended.output


def test_score_takes_it_by_name(tmp_path: Path) -> None:
    folder, path = cloze(tmp_path)
    (found,) = api.score(folder, [path], measures=["toy"]).on("test")
    assert found.estimate.value == pytest.approx(0.625)
    assert "|measure:toy|" in found.signature
    ended = run("score", folder, path, "--measure", "toy", "--json")
    assert ended.exit_code == 0, ended.output
    value = json.loads(ended.output)["systems"][0]["measures"]["toy"]
    assert value["value"] == pytest.approx(0.625)
    text = run("score", folder, path, "--measure", "toy").output
    assert "Toy of all systems" in text
    assert "test toy" in text
    assert "ccuracy" not in text


def test_what_is_no_measure_is_refused_by_name_and_breaks_no_list(tmp_path: Path) -> None:
    folder, path = cloze(tmp_path)
    with pytest.raises(InputError, match="the measure 'function' is no Measure"):
        named("function")
    assert "is no Measure" in described()["function"]
    assert "does not load" in described()["lost"]
    with pytest.raises(InputError, match="unknown measure 'toi'; did you mean toy"):
        api.score(folder, [path], measures=["toi"])


def test_a_dataset_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the measure 'toy' judges cloze, and this dataset holds decision"):
        named("toy").demand("decision", "folder")
    named("toy").demand("cloze", "folder")


@pytest.mark.parametrize("value", [0.8, -0.1, math.nan])
def test_a_value_outside_the_declared_range_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: float
) -> None:
    folder, path = cloze(tmp_path)
    wrong = replace(named("toy"), values=lambda gold, matched, protocol: np.full(len(gold), value))
    monkeypatch.setattr("toy_measures.TOY", wrong)
    gold = Gold.of(store.load(folder), "test")
    with pytest.raises(InputError, match=r"the measure 'toy' gave .*, which is not in \[0.25, 0.75\]"):
        score(gold, System.alone(match(path, gold)), protocol="expected", measures=["toy"])


@pytest.mark.parametrize(("name", "better", "worse"), [("signs", 0.5, -0.5), ("loss", -0.125, -1.125)])
def test_a_foreign_measure_of_any_range_is_scored_and_compared(
    tmp_path: Path, name: str, better: float, worse: float
) -> None:
    keys = ("a", "b", "c")
    made = writing.write(
        tmp_path / "made",
        {"test": [instance(Row(f"d{n}:0", keys, 0)) for n in range(40)]},
        {"dataset": "made"},
    )
    files = [tmp_path / "low.jsonl", tmp_path / "high.jsonl"]
    for path, right in zip(files, (10, 30), strict=True):
        rows = ({"id": f"d{n}:0", "answer": "a" if n < right else "b"} for n in range(40))
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    chosen = ("--measure", name, "--measure", "accuracy", "--json")
    scored = json.loads(run("score", made.folder, *files, *chosen).output)["systems"]
    for system, value in zip(scored, (worse, better), strict=True):
        found = system["measures"][name]
        assert found["value"] == pytest.approx(value)
        assert found["interval"]["low"] < value < found["interval"]["high"]
    compared = json.loads(run("compare", made.folder, *files, *chosen, "--draws", 999).output)["comparisons"]
    assert [one["measure"] for one in compared] == [name, "accuracy"]
    for one in compared:
        (pair,) = one["differences"]
        assert [ranked["name"] for ranked in one["ranking"]] == ["high", "low"]
        assert (pair["first"], pair["verdict"]) == ("high", "better")
    gained = compared[0]["differences"][0]
    assert gained["difference"] == pytest.approx(abs(better - worse))
    assert gained["interval"]["low"] < gained["difference"] < gained["interval"]["high"]
    assert (
        run("report", made.folder, *files, "--measure", name, "--out", tmp_path / "page.html").exit_code == 0
    )
