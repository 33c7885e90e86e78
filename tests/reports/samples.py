"""One small report with every kind of block and every kind of column, for all renderers."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from anagnosis.reports.report import (
    Column,
    Estimate,
    Heading,
    Item,
    Kind,
    Listing,
    Plot,
    Report,
    Run,
    Table,
    Text,
)

NASTY = "<script>alert('x')</script>"

SYSTEMS = Table(
    "All systems",
    (
        Column("system"),
        Column("test", "percent", "high"),
        Column("to next", "difference"),
        Column("p", "p"),
        Column("parameters", "count", "low"),
        Column("time", "seconds"),
        Column("candidates", "number"),
    ),
    (
        (
            "first",
            Estimate(0.3763, 0.3643, 0.3884),
            Estimate(-0.012, -0.03, 0.006),
            0.0412,
            12_870_000,
            15768.0,
            6.7251,
        ),
        ("overlap", Estimate(0.565, 0.5526, 0.5772), None, None, 154_000, None, 2),
    ),
    ("Intervals: Wilson, 95 %.",),
    ("dataset:3fa92c|split:test|measure:accuracy", "dataset:77b1d0|split:dev|measure:accuracy"),
)


def by_group(*systems: str) -> Table:
    columns = (
        Column("candidates", "count"),
        Column("instances", "count"),
        *(Column(s, "percent") for s in systems),
    )
    empty = (None,) * len(systems)
    return Table(
        "By number of candidates",
        columns,
        (
            (2, 40, *(Estimate(0.5 + n / 100, 0.4, 0.7) for n in range(len(systems)))),
            (3, 0, *empty),
            (4, 1, *(Estimate(1.0, 0.2, 1.0) for _ in systems)),
            (5, 7, *(Estimate(0.2, 0.1, 0.4) for _ in systems)),
        ),
    )


def forest(kind: Kind) -> Table:
    rows = (("first", Estimate(0.1, -0.1, 0.3)), ("absent", None), ("overlap", Estimate(0.2, 0.1, 0.3)))
    return Table("Forest", (Column("system"), Column("value", kind)), rows)


def drops() -> Table:
    columns = (Column("rule"), Column("dropped", "count"), Column("left", "count"))
    return Table("Drops", columns, (("read", None, 1200), ("title_too_short", 200, 1000)))


def by_training_size(*readers: str) -> Table:
    columns = (
        Column("reader"),
        Column("training instances", "count"),
        Column("of the largest (%)", "percent"),
        Column("runs", "count"),
        Column("mean accuracy", "percent"),
        Column("deviation", "percent"),
        Column("run 1", "percent"),
        Column("run 2", "percent"),
    )
    rows = tuple(
        (name, 1000 * size, size / 4, 2 if size < 4 else 1, 0.3 + size / 20, 0.01, 0.29 + size / 20, None)
        for name in readers
        for size in (1, 2, 4)
    )
    return Table("By size", columns, rows)


def every_plot(name: str = "overlap") -> tuple[Plot, ...]:
    return (
        Plot("By candidates", "Accuracy falls.", "accuracy_by_candidates", by_group("first", name)),
        Plot("By group", "Points.", "accuracy_by_group", by_group("first", name)),
        Plot("Accuracies", "Points with intervals.", "accuracy_with_intervals", forest("percent")),
        Plot("Differences", "Points with intervals.", "difference_with_intervals", forest("difference")),
        Plot("Drops", "Bars.", "left_after_each_rule", drops()),
        Plot("Sizes", "Rises.", "score_by_training_size", by_training_size("first", name)),
    )


def every_block() -> Report:
    return Report(
        "A report",
        (
            Heading("Systems"),
            Text("The plain words."),
            Text("The aside.", "note"),
            Text("The warning.", "warning"),
            SYSTEMS,
            Heading("Pictures"),
            *every_plot(),
            Listing(
                (
                    Item("name", (Run("biomrc"),)),
                    Item(
                        "passage",
                        (
                            Run("Metastases from "),
                            Run("lung cancer", 1, "@entity1"),
                            Run(" in "),
                            Run("XXXX", strong=True),
                        ),
                    ),
                ),
                "An instance",
            ),
        ),
    )


def everywhere(text: str) -> Report:
    """A report that has the text in every place where a user's words can come."""
    table = Table(
        text,
        (Column(text), Column("instances", "count"), Column(text, "percent")),
        ((text, 3, 0.5), (f"{text} 2", 4, 0.25)),
        (text,),
        (text,),
    )
    plots = tuple(
        Plot(text, text, drawing, table)
        for drawing in ("accuracy_by_candidates", "accuracy_by_group", "accuracy_with_intervals")
    )
    listing = Listing((Item(text, (Run(text), Run(text, 3, text), Run(text, strong=True))),), text)
    return Report(text, (Heading(text), Text(text), Text(text, "warning"), table, *plots, listing))


def blocks_of(report: Report) -> list[dict[str, Any]]:
    """The blocks as plain data, each with its kind."""
    return [{"block": type(block).__name__.lower(), **asdict(block)} for block in report.whole]
