"""How good exact answers are: names and lists, with and without a reader of cloze questions.

    python benchmarks/exact_answers.py GOLDEN.tar.gz|FOLDER … --reader RUN_FOLDER …

GOLDEN: BioASQ's golden files. The pool of all their snippets is the collection (benchmarks/search_bioasq.py). Weights
are fitted on the factoid and list questions of editions 2 to 8 without the twins of those that are tested, as
`anagnosis calibrate` does: rankings on the older three quarters, confidences on the newest.

9B5 and 10B1 are asked three times: as they stand, with their gold snippets in place of a search, and without the
documents of these snippets, as if they were not in the collection. Whether a reader helps is told by paired intervals.
"""

from __future__ import annotations

import argparse
import math
import re
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

import anagnosis
from anagnosis.datasets.bioasq.kept_apart import HELD_OUT, is_batch, questions_kept_apart
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import FACTOID, LIST, QuestionInstance
from anagnosis.evaluation.intervals import estimate
from anagnosis.evaluation.measures.free_answers import FIRST_FACTOID, FIRST_LIST, factoid, listed
from anagnosis.evaluation.probabilities.calibration_error import calibration, words
from anagnosis.evaluation.probabilities.risk_coverage import Point, risk_coverage
from anagnosis.searching.answers.asking import READ, highlighted
from anagnosis.searching.entities.cloze import NONE, statement
from anagnosis.searching.entities.naming import KnownNames, Namer, known, load_namer
from anagnosis.searching.entities.same_entity import plain
from anagnosis.searching.fit.name_fitting import entries, fit, gather, of_names, pool, retrieved, right_names
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.answers import Hit
from anagnosis.searching.records.passage import Passage

EDITIONS = range(2, 9)
SEARCHED, GOLD, GONE = "searched", "gold snippets", "taken out"
WAYS = (SEARCHED, GOLD, GONE)
COVERAGES = (0.5, 0.8, 1.0)
Asked = tuple[QuestionInstance, KnownNames]
Given = list[tuple[str, float]]  # (answer, confidence), the best first


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("golden", nargs="+")
    parser.add_argument("--reader", action="append", default=[], help="A run folder of a cloze reader.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        dataset = anagnosis.import_dataset(options.golden, Path(scratch) / "questions", layout="bioasq")
        questions = list(store.instances(dataset, store.ALL))
        index = pool(questions, Path(scratch) / "index")
        apart = questions_kept_apart(questions, HELD_OUT)
        named = [one for one in of_names(questions) if one.id not in apart.twins]
        dev = [one for one in named if edition(one) in EDITIONS]
        test = [one for one in named if any(is_batch(one.file, batch) for batch in HELD_OUT)]
        later = [one for one in named if edition(one) > max(EDITIONS) and one not in test]
        print(f"{count(dev)} to fit on, {count(test)} to test, {count(later)} later ones")
        report_rules(dev)
        asked = {
            way: [(one, known(index.engine, one.question, FOUND[way](index, one))) for one in test]
            for way in WAYS
        }
        others = [(one, known(index.engine, one.question, retrieved(index, one.question))) for one in later]
        report_ceiling(dev, asked)
        gathered = gather(index, dev)
        systems = {"untrained, by hand": Namer(), "untrained, fitted": Namer()}
        for folder in options.reader:
            namer = load_namer(Path(folder))
            systems[f"{namer.reader}, fitted"] = replace(namer, fitted=None)
        reports: dict[str, dict[str, list[float]]] = {}
        for name, namer in systems.items():
            if name.endswith("fitted"):
                fitted = fit(index.engine, gathered, namer)
                namer = replace(namer, fitted=fitted)
                print(
                    f"{name}: reading {fitted.reading}, enough {fitted.enough}, confidence {fitted.confidence}"
                )
            newest = [(one.question, one.likeliest) for one in gathered[-round(len(gathered) / 4) :]]
            reports[name] = report_system(name, index, namer, newest, asked, others)
        report_difference(reports)
        index.close()


def edition(question: QuestionInstance) -> int:
    found = re.match(r"\d+", question.file)
    return int(found[0]) if found else 0


def count(questions: Sequence[QuestionInstance]) -> str:
    factoids = sum(one.type == FACTOID for one in questions)
    return f"{factoids} factoid and {len(questions) - factoids} list questions"


def by_gold(index: Index, question: QuestionInstance) -> list[Hit]:
    texts = dict.fromkeys((one.pmid, one.text) for one in question.snippets)
    hits = [
        Hit(Passage(f"{pmid}/{n}", 0, "abstract", "", "", text), 0.0) for n, (pmid, text) in enumerate(texts)
    ]
    return highlighted(index, question.question, hits)


def by_others(index: Index, question: QuestionInstance) -> list[Hit]:
    gold = {one.pmid for one in question.snippets}
    hits = index.search(question.question, limit=READ + 100)
    left = [hit for hit in hits if hit.passage.document.partition("/")[0] not in gold][:READ]
    found = highlighted(index, question.question, left)
    return [each for each in found if any(one.strength for one in each.sentences)]


FOUND = {SEARCHED: lambda index, one: retrieved(index, one.question), GOLD: by_gold, GONE: by_others}


def report_rules(questions: Sequence[QuestionInstance]) -> None:
    rules = [statement(one.question).rule for one in questions]
    print(f"a rule makes a statement of {1 - rules.count(NONE) / len(rules):.1%} of the questions")


def report_ceiling(dev: Sequence[QuestionInstance], asked: dict[str, list[Asked]]) -> None:
    """The share of gold entries among all names, of a factoid by question, of a list the mean over questions."""
    for way, own in asked.items():
        for kind in (FACTOID, LIST):
            same, equal = [], []
            for question, had in own:
                if question.type == kind:
                    found = right_names(question, had.every)
                    texts = {surface.lower() for name in had.every for surface in name.surfaces}
                    same.append(sum(bool(one) for one in found) / len(found))
                    equal.append(
                        sum(any(name.lower() in texts for name in entry) for entry in entries(question))
                        / len(found)
                    )
            print(f"ceiling, {way}, {kind}: same name {np.mean(same):.4f}, same text {np.mean(equal):.4f}")


def given(namer: Namer, index: Index, question: QuestionInstance, had: KnownNames) -> Given:
    if not had.every:
        return []
    return [(one.text, one.confidence) for one in namer.answers(index.engine, question.type, had)]


def report_system(
    name: str,
    index: Index,
    namer: Namer,
    newest: Sequence[Asked],
    asked: dict[str, list[Asked]],
    others: Sequence[Asked],
) -> dict[str, list[float]]:
    """Prints all measures; gives the credits by which systems are compared."""
    print(f"\n## {name}")
    credits: dict[str, list[float]] = {}
    every: dict[str, list[tuple[QuestionInstance, Given]]] = {}
    for way, own in {"newest quarter": newest, **asked, "10B2-6, 11B2": others}.items():
        begun = time.process_time()
        answers = [(question, given(namer, index, question, had)) for question, had in own]
        spent = (time.process_time() - begun) / max(1, len(own))
        every[way] = answers
        if way != GONE:
            factoids = [
                factoid(entries(one), [text for text, _ in told])
                for one, told in answers
                if one.type == FACTOID
            ]
            lists = [
                listed(entries(one), [text for text, _ in told]) for one, told in answers if one.type == LIST
            ]
            loose = [first_same(one, told) for one, told in answers if one.type == FACTOID]
            row = [
                *(
                    [getattr(one, field) for one in factoids]
                    for field in ("strict", "lenient", "reciprocal_rank")
                ),
                loose,
                *([getattr(one, field) for one in lists] for field in ("precision", "recall", "f1")),
            ]
            print(
                f"| {way} | " + " | ".join(interval(values) for values in row) + f" | {spent * 1000:.0f} ms"
            )
            credits[f"{way}, factoid MRR"], credits[f"{way}, list F1"] = row[2], row[6]
    if namer.fitted is None:
        return credits
    for way in (SEARCHED, "10B2-6, 11B2"):
        report_calibration(way, every[way])
    report_calibration(f"{SEARCHED} and 10B2-6, 11B2", [*every[SEARCHED], *every["10B2-6, 11B2"]])
    report_abstention(SEARCHED, every[SEARCHED])
    report_abstention(
        f"{SEARCHED} and {GONE}", [*every[SEARCHED], *((one, told) for one, told in every[GONE])]
    )
    return credits


def interval(values: Sequence[float]) -> str:
    found = estimate(np.array(values, np.float64))
    return f"{found.value:.4f} [{found.interval.low:.3f}, {found.interval.high:.3f}]"


def first_same(question: QuestionInstance, told: Given) -> float:
    """The reciprocal rank where names that are the same are right."""
    gold = {plain(name) for name in entries(question)[0]}
    return next((1 / rank for rank, (text, _) in enumerate(told, 1) if plain(text) in gold), 0.0)


def report_calibration(way: str, answers: Sequence[tuple[QuestionInstance, Given]]) -> None:
    for kind in (FACTOID, LIST):
        for said, most in (
            ("first answers", 1),
            ("all answers", FIRST_LIST if kind == LIST else FIRST_FACTOID),
        ):
            sure, right, units = list[float](), list[float](), list[int]()
            for number, (question, told) in enumerate(answers):
                if question.type == kind:
                    gold = {name.lower() for entry in entries(question) for name in entry}
                    for text, value in told[:most]:
                        sure.append(value)
                        right.append(float(text.lower() in gold))
                        units.append(number)
            found = calibration(np.array(sure), np.array(right), np.array(units))
            print(
                f"ECE, {way}, {kind}, {said} ({len(sure)}): {words(found)}; "
                f"mean confidence {np.mean(sure):.3f}, right {np.mean(right):.3f}"
            )


def report_abstention(way: str, answers: Sequence[tuple[QuestionInstance, Given]]) -> None:
    """Risk of the surest questions. A factoid is right if its first answer is; a list's risk is 1 - F1.

    Where the documents were taken out nothing that is told is right, even where another document says it too.
    """
    for kind in (FACTOID, LIST):
        own = [(one, told) for one, told in answers if one.type == kind]
        half = len(own) // 2 if GONE in way else len(own)
        sure = [told[0][1] if told else 0.0 for _, told in own]
        right = [
            0.0
            if place >= half
            else factoid(entries(one), [text for text, _ in told]).strict
            if kind == FACTOID
            else listed(entries(one), [text for text, _ in told]).f1
            for place, (one, told) in enumerate(own)
        ]
        found = risk_coverage(np.array([sure]), np.array([right]))
        points = {round(point.coverage, 2): point for point in found.points}
        told = ", ".join(f"{coverage:.0%}: {nearest(points, coverage).risk:.3f}" for coverage in COVERAGES)
        print(f"risk, {way}, {kind} ({len(own)}): {told}; area {found.area:.3f}, best {found.best:.3f}")


def nearest(points: dict[float, Point], coverage: float) -> Point:
    return points[min(points, key=lambda one: abs(one - coverage))]


def report_difference(reports: dict[str, dict[str, list[float]]]) -> None:
    """Every system less the fitted one without a reader, question by question."""
    base = reports["untrained, fitted"]
    print("\n## beside untrained, fitted")
    for name, credits in reports.items():
        for what, values in credits.items():
            gap = np.array(values) - np.array(base[what])
            half = 1.96 * gap.std(ddof=1) / math.sqrt(len(gap))
            if name != "untrained, fitted":
                print(f"{name}, {what}: {gap.mean():+.4f} ± {half:.4f} ({len(gap)})")


if __name__ == "__main__":
    main()
