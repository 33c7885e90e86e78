"""How sure systems are, and whether they are right to be: reliability diagram, calibration error, risk by coverage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anagnosis.evaluation.probabilities import Confidence
from anagnosis.reports.report import Block, Column, ColumnOf, Heading, Plot, Text, table
from anagnosis.reports.systems.measured import shown, within
from anagnosis.reports.systems.systems import Row, in_parts, on_split


def confidence_blocks(rows: Sequence[Row], split: str) -> Iterator[Block]:
    """Nothing where no system tells probabilities; the systems that do not are named."""
    here = on_split(rows, split)
    scored = [(name, score.confidence) for name, score in here if score.confidence is not None]
    if not scored:
        return
    silent = [name for name, score in here if score.confidence is None]
    signatures = [score.signature for _, score in here if score.confidence is not None]
    yield Heading("How sure systems are")
    yield table(
        f"Confidence on {split}",
        [
            ("system", lambda of: of[0]),
            ("mean confidence (%)", "percent", lambda of: of[1].confidence),
            ("accuracy (%)", "percent", lambda of: 1 - of[2].points[-1].risk),
            (Column("binned error (%)", "percent", "low"), lambda of: of[1].error),
            ("if calibrated (%)", "percent", lambda of: of[1].by_chance),
            (Column("AURC (%)", "percent", "low"), lambda of: of[2].area),
            ("best (%)", "percent", lambda of: of[2].best),
            ("blind (%)", "percent", lambda of: of[2].points[-1].risk),
        ],
        [(name, own.calibration, own.risk_coverage) for name, own in scored],
        notes=(
            "Confidence: the probability of the answer that was given. Binned error: the mean of |accuracy − "
            "confidence| over bins of equal mass; if calibrated: what perfect probabilities have by chance. AURC: the "
            "mean risk over all coverages; best: if every wrong answer ranked last; blind: with an uninformative "
            "confidence.",
        ),
        signatures=signatures,
    )
    if silent:
        yield Text(f"Not here, since not every answer has a probability: {', '.join(silent)}.", "note")
    for some, part in in_parts(scored):
        yield _reliability(some, split, part)
        yield _risk(some, split, part)


def _reliability(scored: Sequence[tuple[str, Confidence]], split: str, part: str) -> Plot:
    title = f"Reliability on {split}{part}"
    what = "Accuracy of answers of like confidence, with 95 % intervals; under the dashed line a system is too sure."
    columns: list[ColumnOf] = [
        ("system", lambda of: of[0]),
        ("answers", "count", lambda of: of[1].accuracy.n),
        ("confidence", "percent", lambda of: of[1].confidence),
        ("accuracy", "percent", lambda of: shown(of[1].accuracy)),
    ]
    bins = [(name, each) for name, own in scored for each in own.calibration.bins]
    return Plot(title, what, "reliability", table(f"{title}, the numbers", columns, bins))


def _risk(scored: Sequence[tuple[str, Confidence]], split: str, part: str) -> Plot:
    """The points of all systems have the same coverages."""
    title = f"Risk by coverage on {split}{part}"
    what = "The share of wrong answers if only the surest questions are answered, with 95 % intervals."

    def of_system(place: int) -> ColumnOf:
        return scored[place][0], "percent", lambda same: within(same[place].risk, same[place].interval)

    columns: list[ColumnOf] = [
        ("coverage", "percent", lambda same: same[0].coverage),
        ("answered", "count", lambda same: same[0].answered),
        *map(of_system, range(len(scored))),
    ]
    points = zip(*(own.risk_coverage.points for _, own in scored), strict=True)
    return Plot(title, what, "risk_by_coverage", table(f"{title}, the numbers", columns, points))
