"""What holds for every measure of answers, ours and other packages', beside a count by hand of its definition."""

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
from tests.evidence_sets import evidence, stored
from tests.golds import Row, gold_of, instance
from tests.packages import installed

from anagnosis import api, registry
from anagnosis.cli import cli
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.datasets.kinds.question import TYPES
from anagnosis.datasets.kinds.table import kind_names
from anagnosis.datasets.kinds.table import named as kind_named
from anagnosis.errors import InputError
from anagnosis.evaluation.measures import GROUP, MEASURES
from anagnosis.evaluation.measures.measure import Measure, described, named
from anagnosis.evaluation.scoring import score, scored_rows
from anagnosis.evaluation.systems import System
from anagnosis.predictions import match

TOY = """
import numpy as np
from anagnosis.evaluation.measures.measure import Measure, Statistics

def values(gold, matched, protocol):
    return np.where(matched.choice == gold.answer, 0.75, 0.25)

TOY = Measure(
    name="toy", what="Three quarters for the right answer.", kinds=("cloze",), values=values, unit="number",
    lowest=0.25, highest=0.75, ties="by the answer on the line", missing="0.25", withheld="left out", source="none",
)

def signs(gold, matched, protocol):
    return np.where(matched.choice == gold.answer, 1.0, -1.0)

def ratio(gold, matched, protocol):
    right, counted = matched.choice == gold.answer, gold.answer >= 0
    columns = np.stack([right & counted, counted], axis=1).astype(float)
    return Statistics(columns, lambda sums: -2 * (1 - sums[..., 0] / sums[..., 1]) ** 2, counted)

SHARED = dict(kinds=("cloze",), unit="number", ties="-", missing="-", withheld="left out", source="none")
SIGNS = Measure(name="signs", what="1 or -1.", values=signs, lowest=-1.0, **SHARED)
LOSS = Measure(name="loss", what="A squared share.", statistics=ratio, lowest=-2.0, highest=0.0, **SHARED)
ERRORS = Measure(
    name="errors", what="Errors.", values=lambda *given: (1 - signs(*given)) / 2, higher_is_better=False, **SHARED
)
"""


@dataclass(frozen=True)
class Line:
    """A line of a predictions file; None: there is no line."""

    answer: str | list[str] | None
    scores: Sequence[float] | None = None


@dataclass(frozen=True)
class Asked:
    """An instance. right: the place of the right candidate, None where it is withheld."""

    keys: Sequence[str]
    right: int | None


PROTOCOLS = {kind: kind_named(kind).protocols for kind in kind_names()}


def of_kind(
    kind: str, right: Sequence[int | None], folder: Path, measure: Measure
) -> tuple[Gold, list[Asked]]:
    """Instances of three candidates each; of evidence: of three sentences, of which one holds the answer or none.

    Of a measure of free answers: questions of the type that it judges, with two synonyms each.
    """
    if measure.free:
        return questions(right, measure.name.partition("_")[0])
    if kind == "evidence":
        signs = ["".join("+" if n == place else "-" for n in range(3)) for place in right]
        made = stored(folder / "evidence", test=[evidence(f"d{n}:0", own) for n, own in enumerate(signs)])
        return Gold.of(made, "test"), [Asked(("0", "1", "2"), place) for place in right]
    keys = {"cloze": ("a", "b", "c"), "decision": LABELS, "question": TYPES[:3]}[kind]
    gold = gold_of([Row(f"d{n}:0", keys, place) for n, place in enumerate(right)])
    return replace(gold, labels=() if kind == "cloze" else keys), [Asked(keys, place) for place in right]


def questions(right: Sequence[int | None], type: str) -> tuple[Gold, list[Asked]]:
    """Questions of one type, each with one gold entry of two synonyms."""
    keys = ("Yes", "no") if type == "yesno" else ("a", "b", "c")
    places = [None if place is None else place % len(keys) for place in right]
    of = TYPES.index(type)
    gold = gold_of([Row(f"d{n}:0", TYPES, of) for n in range(len(right))])
    exact = tuple(None if place is None else ((keys[place].lower(), "synonym"),) for place in places)
    return replace(gold, labels=TYPES, exact=exact), [Asked(keys, place) for place in places]


def judged(
    measure: Measure,
    protocol: str,
    folder: Path,
    gold: Gold,
    lines: Sequence[Line | None],
    seed: int = 0,
    drawn: Sequence[int] | None = None,
) -> float:
    """The value of the scored instances. seed: of the order of the lines in the file, 0 for that of the split.

    drawn: how often each scored instance counts (default: once).
    """
    rows: list[dict[str, Any]] = []
    for n, line in enumerate(lines):
        if line is None:
            continue
        told: dict[str, Any] = {"id": f"d{n}:0", "answer": line.answer}
        if line.scores is not None and not measure.free:
            keys = gold.keys(np.array([n]))[0]
            told["scores"] = dict(zip(keys, line.scores, strict=True))
        rows.append(told)
    if seed:
        random.Random(seed).shuffle(rows)
    path = folder / "system.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    scored = scored_rows(gold)
    counted = np.ones(len(scored)) if drawn is None else np.array(drawn, np.float64)
    found = measure.of_run(gold, match(path, gold), protocol)
    return float(found.value(np.asarray(counted @ found.of_instances[scored])))


def told(asked: Sequence[Asked], off: int) -> list[Line]:
    """Lines whose answer lies so many places beside the right one: 0 for a perfect system."""
    found: list[Line] = []
    for one in asked:
        if one.right is None:  # of sentences, none of which holds the answer, the best score is the worst
            found.append(Line(one.keys[0], [9.0 if off else -9.0] * len(one.keys)))
            continue
        place = (one.right + off) % len(one.keys)
        found.append(
            Line(
                one.keys[place], [float(n == place) - float(n == one.right) / 2 for n in range(len(one.keys))]
            )
        )
    return found


def mixed(asked: Sequence[Asked], seed: int, strays: bool = True, free: bool = False) -> list[Line | None]:
    """Lines of all sorts: right, wrong, tied, null, no candidate's, none at all; of free answers several, too."""
    drawn = random.Random(seed)
    found: list[Line | None] = []
    for one in asked:
        answers: list[str | list[str] | None] = [*one.keys, None]
        if free:
            answers += [drawn.choices([*one.keys, "Synonym", "x"], k=count) for count in (2, 6, 12)]
        if strays and one.right is not None:
            answers.append("stranger")
        answer = drawn.choice(answers)
        scores = drawn.choice([None, [float(drawn.randrange(2)) for _ in one.keys]])
        found.append(drawn.choice([None, Line(answer, scores), Line(answer, scores), Line(answer, scores)]))
    return found


Pairs = Sequence[tuple[Asked, Line | None]]  # with a right answer


def accuracy(pairs: Pairs, protocol: str) -> float:
    """BIOMRC, section 3.2: an equal share for each of the best candidates; else whether the answer is the right one."""

    def credit(asked: Asked, line: Line | None) -> float:
        if line is None:
            return 0.0
        if protocol == "expected" and line.scores is not None:
            best = [n for n, each in enumerate(line.scores) if each == max(line.scores)]
            return 1 / len(best) if asked.right in best else 0.0
        return float(line.answer == asked.keys[asked.right or 0])

    return sum(credit(*each) for each in pairs) / len(pairs)


def macro_f1(pairs: Pairs, protocol: str) -> float:
    """PubMedQA, section 4: the mean of the labels' F1; its program takes every label that it meets."""
    right = [asked.keys[asked.right or 0] for asked, _ in pairs]
    answers = [line.answer if line is not None else None for _, line in pairs]
    met = {one for one in (*right, *answers) if isinstance(one, str)}
    labels = met if protocol == "official" else set(pairs[0][0].keys)
    total = 0.0
    for label in labels:
        both = sum(one == other == label for one, other in zip(right, answers, strict=True))
        if both:
            precision, recall = both / answers.count(label), both / right.count(str(label))
            total += 2 * precision * recall / (precision + recall)
    return total / len(labels)


def auc(pairs: Pairs, protocol: str) -> float:
    """Mann and Whitney 1947: the share of the pairs of sentences that are won, a tie counting half."""

    def won(right: int, scores: Sequence[float]) -> float:
        others = [score for n, score in enumerate(scores) if n != right]
        return sum((scores[right] > one) + (scores[right] == one) / 2 for one in others) / len(others)

    given = [(asked.right or 0, line.scores if line and line.scores else [0.0] * 3) for asked, line in pairs]
    return sum(won(*each) for each in given) / len(pairs)


def pooled_auc(pairs: Pairs, protocol: str) -> float:
    """The same over the sentences of all instances, those without one that holds the answer too."""
    every = [
        (score, n == asked.right)
        for asked, line in pairs
        for n, score in enumerate(line.scores if line and line.scores else [-math.inf] * 3)
    ]
    held, others = ([score for score, holds in every if holds == wanted] for wanted in (True, False))
    won = sum((one > other) + (one == other) / 2 for one in held for other in others)
    return won / (len(held) * len(others))


def best_sentence(pairs: Pairs, protocol: str) -> float:
    """The first sentence with the highest score."""
    scored = [(asked.right, line.scores) for asked, line in pairs if line and line.scores]
    return sum(scores.index(max(scores)) == right for right, scores in scored) / len(pairs)


def hits(asked: Asked, line: Line | None) -> list[bool]:
    """Whether each answer of a line is the right key or its synonym."""
    given = line.answer if line is not None and line.answer is not None else []
    right = (asked.keys[asked.right or 0].lower(), "synonym")
    return [one.lower() in right for one in (given if isinstance(given, list) else [given])]


def first_right(most: int) -> Callable[[Pairs, str], float]:
    """The share of questions with a right answer among so many."""
    return lambda pairs, protocol: sum(any(hits(*each)[:most]) for each in pairs) / len(pairs)


def mrr(pairs: Pairs, protocol: str) -> float:
    """Tsatsaronis et al. 2015."""
    ranks = [[*hits(*each)[:5], True].index(True) + 1 for each in pairs]
    return sum(1 / rank for rank, each in zip(ranks, pairs, strict=True) if any(hits(*each)[:5])) / len(pairs)


def list_measure(value: Callable[[int, int], float]) -> Callable[[Pairs, str], float]:
    """The mean over lists of a value of (1 if the one entry is named, answers); the entry counts once."""

    def mean(pairs: Pairs, protocol: str) -> float:
        given = [hits(*each)[:10] for each in pairs]
        return sum(value(int(any(own)), len(own)) if own else 0.0 for own in given) / len(pairs)

    return mean


def yes_no(asked: Asked, line: Line | None) -> tuple[str, str]:
    """The right label and that of the first answer."""
    given = line.answer if line is not None else None
    text = (given[0] if isinstance(given, list) else given or "").lower()
    return asked.keys[asked.right or 0].lower(), next((label for label in ("yes", "no") if label in text), "")


def yesno_accuracy(pairs: Pairs, protocol: str) -> float:
    return sum(right == answer for right, answer in (yes_no(*each) for each in pairs)) / len(pairs)


def yesno_macro_f1(pairs: Pairs, protocol: str) -> float:
    """BioASQ/Evaluation-Measures: every wrong answer counts against both labels."""
    found = [yes_no(*each) for each in pairs]
    wrong = sum(right != answer for right, answer in found)
    both = [found.count((label, label)) for label in ("yes", "no")]
    return sum(2 * own / (2 * own + wrong) if own else 0.0 for own in both) / 2


def toy(pairs: Pairs, protocol: str) -> float:
    right = sum(line is not None and line.answer == asked.keys[asked.right or 0] for asked, line in pairs)
    return 0.25 + right / len(pairs) / 2


BY_HAND: dict[str, Callable[[Pairs, str], float]] = {
    "accuracy": accuracy,
    "macro_f1": macro_f1,
    "auc": auc,
    "pooled_auc": pooled_auc,
    "best_sentence": best_sentence,
    "factoid_strict": first_right(1),
    "factoid_lenient": first_right(5),
    "factoid_mrr": mrr,
    "list_precision": list_measure(lambda right, answers: right / answers),
    "list_recall": list_measure(lambda right, answers: right),
    "list_f1": list_measure(lambda right, answers: 2 * right / (1 + answers)),
    "yesno_accuracy": yesno_accuracy,
    "yesno_macro_f1": yesno_macro_f1,
    "toy": toy,
}


def by_hand(measure: Measure, protocol: str, asked: Sequence[Asked], lines: Sequence[Line | None]) -> float:
    every = measure.name == "pooled_auc"
    pairs = [(one, line) for one, line in zip(asked, lines, strict=True) if every or one.right is not None]
    return BY_HAND[measure.name](pairs, protocol)


@pytest.fixture(autouse=True)
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that is installed beside ours and brings the measure `toy`, and one that brings what is none."""
    found = {
        "function": "values",
        "lost": "LOST",
        **{name: name.upper() for name in ("toy", "signs", "loss", "errors")},
    }
    entries = "\n".join(f"{name} = toy_measures:{attribute}" for name, attribute in found.items())
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
    assert set(measure.kinds) <= set(kind_names())
    assert measure.lowest < measure.highest
    assert measure.unit in ("percent", "number")
    assert all((measure.what, measure.ties, measure.missing, measure.withheld, measure.source))


def test_a_perfect_system_has_the_best_value_and_a_wrong_one_the_worst(
    measure: Measure, kind: str, tmp_path: Path
) -> None:
    gold, asked = of_kind(kind, RIGHT, tmp_path, measure)
    best, worst = measure.highest, measure.lowest
    if not measure.higher_is_better:
        best, worst = worst, best
    for protocol in PROTOCOLS[kind]:
        assert judged(measure, protocol, tmp_path, gold, told(asked, 0)) == pytest.approx(best, abs=1e-12)
        assert judged(measure, protocol, tmp_path, gold, told(asked, 1)) == pytest.approx(worst, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_any_lines_have_the_value_that_is_counted_by_hand(
    measure: Measure, kind: str, tmp_path: Path, seed: int
) -> None:
    gold, asked = of_kind(kind, RIGHT * 5, tmp_path, measure)
    lines = mixed(asked, seed, free=measure.free)
    for protocol in PROTOCOLS[kind]:
        found = judged(measure, protocol, tmp_path, gold, lines)
        assert found == pytest.approx(by_hand(measure, protocol, asked, lines))
        assert measure.lowest <= found <= measure.highest


def test_a_draw_of_instances_has_the_value_of_those_that_were_drawn(
    measure: Measure, kind: str, tmp_path: Path
) -> None:
    right = [0, 1, 2, 2, 1, 0] * 3
    gold, asked = of_kind(kind, right, tmp_path, measure)
    lines = mixed(asked, 3, strays=False, free=measure.free)
    drawn = random.Random(5).choices(range(3), k=len(right))
    repeated = [n for n, times in enumerate(drawn) for _ in range(times)]
    for protocol in PROTOCOLS[kind]:
        counted = by_hand(measure, protocol, [asked[n] for n in repeated], [lines[n] for n in repeated])
        assert judged(measure, protocol, tmp_path, gold, lines, drawn=drawn) == pytest.approx(counted)


def test_the_order_of_the_lines_changes_nothing(measure: Measure, kind: str, tmp_path: Path) -> None:
    gold, asked = of_kind(kind, RIGHT * 3, tmp_path, measure)
    lines = mixed(asked, 7, free=measure.free)
    for protocol in PROTOCOLS[kind]:
        first, other = (judged(measure, protocol, tmp_path, gold, lines, seed) for seed in (0, 1))
        assert first == other


def test_all_candidates_tied_are_worth_what_the_measure_says_of_ties(
    measure: Measure, kind: str, tmp_path: Path
) -> None:
    gold, asked = of_kind(kind, RIGHT, tmp_path, measure)
    lines = [Line(one.keys[0], [1.0] * len(one.keys)) for one in asked]
    for protocol in PROTOCOLS[kind]:
        counted = by_hand(measure, protocol, asked, lines)
        assert judged(measure, protocol, tmp_path, gold, lines) == pytest.approx(counted)


def test_nothing_answered_is_worth_what_the_measure_says_of_missing_answers(
    measure: Measure, kind: str, tmp_path: Path
) -> None:
    gold, asked = of_kind(kind, RIGHT, tmp_path, measure)
    silent = [Line(None)] * len(asked)
    for protocol in PROTOCOLS[kind]:
        found = judged(measure, protocol, tmp_path, gold, silent)
        assert found == pytest.approx(by_hand(measure, protocol, asked, silent))
        assert found < measure.highest


def test_an_instance_without_gold_answer_counts_nowhere(measure: Measure, kind: str, tmp_path: Path) -> None:
    gold, asked = of_kind(kind, RIGHT, tmp_path, measure)
    some = [Line(one.keys[0], [3.0, 2.0, 1.0]) for one in asked]
    other = [
        Line(one.keys[-1], [0.0, 0.0, 9.0]) if one.right is None else line
        for one, line in zip(asked, some, strict=True)
    ]
    for protocol in PROTOCOLS[kind]:
        first, second = (judged(measure, protocol, tmp_path, gold, lines) for lines in (some, other))
        assert (first == second) == measure.withheld.startswith("left out")


# --- another package's measure ----------------------------------------------------------------------


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
    said = "cannot judge any instance" if math.isnan(value) else r"gave .*, which is not in \[0.25, 0.75\]"
    with pytest.raises(InputError, match=f"the measure 'toy' {said}"):
        score(gold, System.alone(match(path, gold)), protocol="expected", measures=["toy"])


@pytest.mark.parametrize(
    ("name", "better", "worse"), [("signs", 0.5, -0.5), ("loss", -0.125, -1.125), ("errors", 0.25, 0.75)]
)
def test_a_foreign_measure_of_any_range_and_direction_is_scored_and_compared(
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
        (pair,) = one["against_next"]
        assert [ranked["name"] for ranked in one["ranking"]] == ["high", "low"]
        assert (pair["first"], pair["verdict"]) == ("high", "better")
    gained = compared[0]["against_next"][0]
    assert gained["difference"] == pytest.approx(abs(better - worse))
    assert gained["interval"]["low"] < gained["difference"] < gained["interval"]["high"]
    assert (
        run("report", made.folder, *files, "--measure", name, "--out", tmp_path / "page.html").exit_code == 0
    )
