"""What holds for every measure of answers, ours and other packages', beside a count by hand from its definition."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from tests.golds import Row, gold_of, instance
from tests.packages import installed

from anagnosis import api, registry
from anagnosis.cli import cli
from anagnosis.datasets.folder import store
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.datasets.kinds.question import TYPES
from anagnosis.datasets.kinds.table import KINDS
from anagnosis.errors import InputError
from anagnosis.evaluation.measures import GROUP, MEASURES
from anagnosis.evaluation.measures.measure import Measure, described, named
from anagnosis.evaluation.protocols import PROTOCOLS
from anagnosis.evaluation.scoring import score, scored_rows
from anagnosis.evaluation.systems import System
from anagnosis.predictions import match

TOY = """
import numpy as np
from anagnosis.evaluation.measures.measure import Measure

def values(gold, matched, protocol):
    return np.where(matched.choice == gold.answer, 0.75, 0.25)

TOY = Measure(
    name="toy", what="Three quarters for the right answer.", kinds=("cloze",), values=values, unit="number",
    lowest=0.25, highest=0.75, ties="by the answer on the line", missing="0.25", withheld="left out", source="none",
)
"""


@dataclass(frozen=True)
class Line:
    """A line of a predictions file; None: there is no line."""

    answer: str | None
    scores: Sequence[float] | None = None


@dataclass(frozen=True)
class Asked:
    """An instance. right: the place of the right candidate, None where it is withheld."""

    keys: Sequence[str]
    right: int | None


def of_kind(kind: str, right: Sequence[int | None]) -> tuple[Gold, list[Asked]]:
    keys = {"cloze": ("a", "b", "c"), "decision": LABELS, "question": TYPES[:3]}[kind]
    gold = gold_of([Row(f"d{n}:0", keys, place) for n, place in enumerate(right)])
    return replace(gold, labels=() if kind == "cloze" else keys), [Asked(keys, place) for place in right]


def judged(
    measure: Measure, protocol: str, folder: Path, gold: Gold, lines: Sequence[Line | None], seed: int = 0
) -> np.ndarray[Any, Any]:
    """The values of the scored instances. seed: of the order of the lines in the file, 0 for that of the split."""
    rows: list[dict[str, Any]] = []
    for n, line in enumerate(lines):
        if line is None:
            continue
        told: dict[str, Any] = {"id": f"d{n}:0", "answer": line.answer}
        if line.scores is not None:
            keys = gold.keys(np.array([n]))[0]
            told["scores"] = dict(zip(keys, line.scores, strict=True))
        rows.append(told)
    if seed:
        random.Random(seed).shuffle(rows)
    path = folder / "system.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return measure.values(gold, match(path, gold), protocol)[scored_rows(gold)]


def told(asked: Sequence[Asked], off: int) -> list[Line]:
    """Lines whose answer lies so many places beside the right one: 0 for a perfect system."""
    found: list[Line] = []
    for one in asked:
        place = ((one.right or 0) + off) % len(one.keys)
        found.append(Line(one.keys[place], [float(n == place) for n in range(len(one.keys))]))
    return found


def mixed(asked: Sequence[Asked], seed: int) -> list[Line | None]:
    """Lines of all sorts: right, wrong, tied, null, stray scores, none at all."""
    drawn = random.Random(seed)
    found: list[Line | None] = []
    for one in asked:
        answer = drawn.choice([*one.keys, None])
        scores = drawn.choice([None, [float(drawn.randrange(2)) for _ in one.keys]])
        found.append(drawn.choice([None, Line(answer, scores), Line(answer, scores), Line(answer, scores)]))
    return found


def accuracy(asked: Asked, line: Line | None, protocol: str) -> float:
    """BIOMRC, section 3.2: an equal share for each of the best candidates; else whether the answer is the right one."""
    if line is None or asked.right is None:
        return 0.0
    if protocol == "expected" and line.scores is not None:
        best = [n for n, each in enumerate(line.scores) if each == max(line.scores)]
        return 1 / len(best) if asked.right in best else 0.0
    return float(line.answer == asked.keys[asked.right])


def toy(asked: Asked, line: Line | None, protocol: str) -> float:
    return 0.75 if line is not None and line.answer == asked.keys[asked.right or 0] else 0.25


BY_HAND: dict[str, Callable[[Asked, Line | None, str], float]] = {"accuracy": accuracy, "toy": toy}


@pytest.fixture(autouse=True)
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that is installed beside ours and brings the measure `toy`, and one that brings what is none."""
    entries = "toy = toy_measures:TOY\nfunction = toy_measures:values\nlost = toy_measures:LOST"
    packages = installed(tmp_path / "packages", "toy_measures", TOY, {GROUP: entries})
    monkeypatch.syspath_prepend(packages)


# Each measure with each kind that it judges.
PAIRS = [*((name, kind) for name in MEASURES for kind in named(name).kinds), ("toy", "cloze")]


@pytest.fixture(params=PAIRS, ids="-".join)
def pair(request: pytest.FixtureRequest) -> tuple[str, str]:
    return request.param


@pytest.fixture
def measure(pair: tuple[str, str]) -> Measure:
    return named(pair[0])


@pytest.fixture
def kind(pair: tuple[str, str]) -> str:
    return pair[1]


RIGHT = [0, 1, 2, 2, 1, None, 0]


def test_it_declares_itself(measure: Measure) -> None:
    assert measure.name in registry.names(MEASURES, GROUP)
    assert set(measure.kinds) <= set(KINDS)
    assert measure.lowest < measure.highest
    assert measure.unit in ("percent", "number")
    assert all((measure.what, measure.ties, measure.missing, measure.withheld, measure.source))


def test_a_perfect_system_has_the_best_value_and_a_wrong_one_the_worst(
    measure: Measure, kind: str, tmp_path: Path
) -> None:
    gold, asked = of_kind(kind, RIGHT)
    best, worst = measure.highest, measure.lowest
    if not measure.higher_is_better:
        best, worst = worst, best
    for protocol in PROTOCOLS[kind]:
        assert judged(measure, protocol, tmp_path, gold, told(asked, 0)).tolist() == [best] * 6
        assert judged(measure, protocol, tmp_path, gold, told(asked, 1)).tolist() == [worst] * 6


@pytest.mark.parametrize("seed", range(5))
def test_any_lines_have_the_value_that_is_counted_by_hand(
    measure: Measure, kind: str, tmp_path: Path, seed: int
) -> None:
    gold, asked = of_kind(kind, RIGHT * 5)
    lines = mixed(asked, seed)
    for protocol in PROTOCOLS[kind]:
        found = judged(measure, protocol, tmp_path, gold, lines)
        by_hand = [
            BY_HAND[measure.name](one, line, protocol)
            for one, line in zip(asked, lines, strict=True)
            if one.right is not None
        ]
        assert found.tolist() == pytest.approx(by_hand)
        assert measure.checked(found) is found


def test_the_order_of_the_lines_changes_nothing(measure: Measure, kind: str, tmp_path: Path) -> None:
    gold, asked = of_kind(kind, RIGHT * 3)
    lines = mixed(asked, 7)
    for protocol in PROTOCOLS[kind]:
        first, other = (judged(measure, protocol, tmp_path, gold, lines, seed) for seed in (0, 1))
        assert first.tolist() == other.tolist()


def test_all_candidates_tied_are_worth_what_the_measure_says_of_ties(
    measure: Measure, kind: str, tmp_path: Path
) -> None:
    gold, asked = of_kind(kind, RIGHT)
    lines = [Line(one.keys[0], [1.0] * len(one.keys)) for one in asked]
    for protocol in PROTOCOLS[kind]:
        by_hand = [
            BY_HAND[measure.name](one, line, protocol)
            for one, line in zip(asked, lines, strict=True)
            if one.right is not None
        ]
        assert judged(measure, protocol, tmp_path, gold, lines).tolist() == pytest.approx(by_hand)


def test_nothing_answered_is_worth_no_more_than_the_worst(
    measure: Measure, kind: str, tmp_path: Path
) -> None:
    gold, asked = of_kind(kind, RIGHT)
    worst = measure.lowest if measure.higher_is_better else measure.highest
    silent = [Line(None)] * len(asked)
    for protocol in PROTOCOLS[kind]:
        assert judged(measure, protocol, tmp_path, gold, silent).tolist() == [worst] * 6


def test_an_instance_without_gold_answer_counts_nowhere(measure: Measure, kind: str, tmp_path: Path) -> None:
    gold, asked = of_kind(kind, RIGHT)
    some = [Line(one.keys[0], [3.0, 2.0, 1.0]) for one in asked]
    other = [
        Line(one.keys[2], [0.0, 0.0, 9.0]) if one.right is None else line
        for one, line in zip(asked, some, strict=True)
    ]
    for protocol in PROTOCOLS[kind]:
        first, second = (judged(measure, protocol, tmp_path, gold, lines) for lines in (some, other))
        assert first.tolist() == second.tolist()
        assert len(first) == 6


# --- another package's measure ----------------------------------------------------------------------


def cloze(folder: Path) -> tuple[Path, Path]:
    """A dataset folder of four questions, and predictions of which three are right."""
    keys = ("a", "b", "c")
    rows = [instance(Row(f"d{n}:0", keys, 0)) for n in range(4)]
    made = store.write(folder / "made", {"test": rows}, {"dataset": "made"})
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
    (found,) = api.score(folder, [path], measure="toy")["test"]
    assert found.estimate.value == pytest.approx(0.625)
    assert "|measure:toy|" in found.signature
    ended = run("score", folder, path, "--measure", "toy", "--json")
    assert ended.exit_code == 0, ended.output
    shown = json.loads(ended.output)
    tables = [block for block in shown["blocks"] if "columns" in block]
    assert tables[0]["caption"] == "Toy of all systems"
    names = [column["name"] for column in tables[0]["columns"]]
    value = tables[0]["rows"][0][names.index("test toy")]
    assert value["value"] == pytest.approx(0.625)
    assert "ccuracy" not in " ".join([*names, *(table["caption"] for table in tables)])


def test_accuracy_is_what_score_takes_where_nobody_says(tmp_path: Path) -> None:
    folder, path = cloze(tmp_path)
    plain = run("score", folder, path)
    assert plain.output == run("score", folder, path, "--measure", "accuracy").output
    assert "test accuracy (%)" in plain.output


def test_what_is_no_measure_is_refused_by_name_and_breaks_no_list(tmp_path: Path) -> None:
    folder, path = cloze(tmp_path)
    with pytest.raises(InputError, match="the measure 'function' is no Measure"):
        named("function")
    assert "is no Measure" in described()["function"]
    assert "does not load" in described()["lost"]
    with pytest.raises(InputError, match="unknown measure 'toi'; did you mean toy"):
        api.score(folder, [path], measure="toi")


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
    with pytest.raises(InputError, match=r"the measure 'toy' gave .* which is not in \[0.25, 0.75\]"):
        score(gold, System.alone(match(path, gold)), protocol="expected", measure="toy")
