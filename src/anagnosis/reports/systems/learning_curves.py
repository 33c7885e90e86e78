"""Scores by training size: runs of one reader with the same settings, trained on more and more instances.

BioRead's Table 4 as a figure: the mean at each size, and every run. A curve is of one reader, one recipe (but for its
seed) and one view; runs of one size stand together, whether they were given as one system or as several.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, stdev

from anagnosis.reports.report import Block, ColumnOf, Plot, Text, table
from anagnosis.reports.systems.measured import cell_kind, signed
from anagnosis.reports.systems.systems import Row, measures_of

Curve = Mapping[int, Sequence[Row]]  # training instances → the systems of that size


def curve_blocks(rows: Sequence[Row], split: str) -> Iterator[Block]:
    """A picture of all curves by the first measure with its numbers, and which trained systems are in none."""
    scored = [row for row in rows if split in row.scores]
    if found := _curves(scored):
        yield _plot(found, scored, split)
    lacking = [row.name for row in scored if row.training.epochs is not None and _key(row) is None]
    if lacking and (found or len(lacking) > 1):
        yield Text(
            f"In no curve by training size: {', '.join(lacking)}. Nobody recorded one number of training instances and "
            "the reader of their runs; predict again from the run folders, and give the runs of each size as a system "
            "of its own.",
            "note",
        )


def _key(row: Row) -> tuple[str, str | None, str | None] | None:
    training = row.training
    if not training.instances or training.reader is None:
        return None
    return training.reader, training.settings, row.view


def _curves(rows: Sequence[Row]) -> dict[str, Curve]:
    """Name → curve of at least two sizes. Where two curves are of one reader, their names have a system each."""
    grouped: dict[tuple[str, str | None, str | None], dict[int, list[Row]]] = {}
    for row in rows:
        if (key := _key(row)) is not None:
            grouped.setdefault(key, {}).setdefault(row.training.instances or 0, []).append(row)
    several = {key: dict(sorted(sizes.items())) for key, sizes in grouped.items() if len(sizes) > 1}
    names = [key[0] for key in several]
    return {
        key[0] if names.count(key[0]) == 1 else f"{key[0]} ({curve[max(curve)][0].name})": curve
        for key, curve in several.items()
    }


def _plot(curves: Mapping[str, Curve], rows: Sequence[Row], split: str) -> Plot:
    measure = measures_of(rows)[0]
    kind = cell_kind(measure)
    points = [
        (name, size, size / max(curve), [value for row in own for value in row.scores[split].estimate.runs])
        for name, curve in curves.items()
        for size, own in curve.items()
    ]

    def of_run(place: int) -> ColumnOf:
        return f"run {place + 1}", kind, lambda of: of[3][place] if place < len(of[3]) else None

    title = f"{measure.heading} by training size on {split}"
    deviation = "deviation (points)" if kind == "percent" else "deviation"
    data = table(
        f"{title}, the numbers",
        [
            ("reader", lambda of: of[0]),
            ("training instances", "count", lambda of: of[1]),
            ("of the largest (%)", "percent", lambda of: of[2]),
            ("runs", "count", lambda of: len(of[3])),
            (f"mean {measure.called}", kind, lambda of: fmean(of[3])),
            (deviation, kind, lambda of: stdev(of[3]) if len(of[3]) > 1 else None),
            *map(of_run, range(max(len(values) for *_, values in points))),
        ],
        points,
        notes=(
            "Runs of one curve have the same recipe but for the seed. That a smaller sample is part of a larger one is "
            "not checked; `sample` draws shares so.",
        ),
        signatures=signed(
            (row.name, row.scores[split].signature)
            for curve in curves.values()
            for own in curve.values()
            for row in own
        ),
    )
    what = (
        "A line through the means, and a point for each run. Twice the instances are one step to the right."
    )
    return Plot(title, what, "score_by_training_size", data)
