"""What changes over the order in which people answer: values and times by third, and trends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.people.order import SECONDS, STEP, Order, Third, Trend
from anagnosis.reports.report import Block, Cell, Column, Estimate, Heading, Kind, Plot, Table, Text
from anagnosis.reports.systems.measured import measured_column, sentences, shown
from anagnosis.reports.systems.people.comparisons import TESTS
from anagnosis.reports.systems.people.times import mean_time


def order_blocks(order: Order | None, signature: str) -> Iterator[Block]:
    """Trends in words, pictures and a table of thirds, the tests of the trends."""
    if order is None:
        return
    yield Heading("Over the order")
    if order.same_order:
        yield Text(
            "Everybody had the questions in one order, so that what changes over it may be the questions.",
            "warning",
        )
    yield sentences((trend.who, _words(trend, order.alpha)) for trend in order.trends)
    yield from _pictures(order.thirds)
    yield _thirds(order, signature)
    for of in dict.fromkeys(trend.of for trend in order.trends):
        yield _trends(of, [trend for trend in order.trends if trend.of == of], order.alpha, signature)


def _pictures(thirds: Sequence[Third]) -> Iterator[Plot]:
    """Of the first measure, and of mean seconds."""
    measure = next((named(name) for own in thirds for name in own.measures), None)
    if measure is not None:
        values = [(own, _value(own, measure.name)) for own in thirds]
        yield _picture(measure.heading, measured_column(measure).kind, values)
    if any(own.spent for own in thirds):
        yield _picture("Mean seconds", "seconds", [(own, mean_time(own.spent)) for own in thirds])


def _picture(what: str, kind: Kind, cells: Sequence[tuple[Third, Cell]]) -> Plot:
    names = list(dict.fromkeys(own.who for own, _ in cells))
    rows: list[tuple[Cell, ...]] = []
    for first, last in dict.fromkeys((own.first, own.last) for own, _ in cells):
        here = {own.who: (own.answers, cell) for own, cell in cells if own.first == first}
        answers = sum(number for number, _ in here.values())
        rows.append(
            (f"{first}–{last}", answers, *(here[name][1] if name in here else None for name in names))
        )
    columns = (
        Column("place in the order"),
        Column("answers", "count"),
        *(Column(name, kind) for name in names),
    )
    title = f"{what} by place in the order"
    return Plot(
        title,
        "By third of the study, with 95 % intervals by document, and how many answers there are.",
        "accuracy_by_candidates",
        Table(f"{title}, the numbers", columns, tuple(rows)),
        repeated=True,
    )


def _thirds(order: Order, signature: str) -> Table:
    measures = [named(name) for name in dict.fromkeys(name for own in order.thirds for name in own.measures)]
    rows: list[tuple[Cell, ...]] = []
    zones: list[int] = []
    for place, own in enumerate(order.thirds):
        if place and own.who != order.thirds[place - 1].who:
            zones.append(place)
        seconds = own.spent and own.spent.median
        values = (_value(own, measure.name) for measure in measures)
        rows.append((own.who, f"{own.first}–{own.last}", own.answers, *values, seconds, mean_time(own.spent)))
    columns = (
        Column("who"),
        Column("places"),
        Column("answers", "count"),
        *(Column(measured_column(measure).name, measured_column(measure).kind) for measure in measures),
        Column("median time", "seconds"),
        Column("mean time", "seconds"),
    )
    notes = ["All answers of a group count alike. In brackets: 95 % intervals by document."]
    notes += (
        [f"Answers whose lines do not say their place: {order.without_place:,}."]
        if order.without_place
        else []
    )
    return Table("By place in the order", columns, tuple(rows), tuple(notes), (signature,), tuple(zones))


def _value(own: Third, measure: str) -> Cell:
    return shown(own.measures[measure]) if measure in own.measures else None


def _trends(of: str, trends: Sequence[Trend], alpha: float, signature: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for own in trends:
        less = 1 if of == SECONDS else 0
        change = Estimate(own.change - less, own.interval.low - less, own.interval.high - less)
        verdict = "a trend" if own.holm <= alpha else "no trend shown"
        rows.append((own.who, own.answers, change, own.p_these, own.p_others, own.holm, verdict))
    percent = of == SECONDS or named(of).unit == "percent"
    what = "time, %" if of == SECONDS else named(of).called + (", percentage points" if percent else "")
    columns = (
        Column("who"),
        Column("answers", "count"),
        Column(f"{what} over {STEP} places", "difference" if percent else "gain"),
        *TESTS,
        Column("verdict"),
    )
    note = (
        "The slope inside people over their own order, with a 95 % interval for these people. The errors are those of "
        "the jackknife of documents (these people) and of people (other people); the larger p decides, corrected for "
        "the groups."
    )
    caption = f"Trend of {'time' if of == SECONDS else named(of).called}"
    return Table(caption, columns, tuple(rows), (note,), (signature,))


def _words(trend: Trend, alpha: float) -> str:
    what = "time" if trend.of == SECONDS else named(trend.of).called
    if trend.holm_these > alpha:
        return f"no trend shown in {what}"
    if trend.of == SECONDS:
        change = f"{'slower' if trend.change > 1 else 'faster'} by {100 * abs(trend.change - 1):.1f} %"
    else:
        by = named(trend.of).difference_text(abs(trend.change))
        change = f"{what} {'rises' if trend.change > 0 else 'falls'} by {by}"
    if trend.holm > alpha:
        alone = "these people" if trend.people > 1 else "this person"
        return f"{change} over {STEP} places; {alone} alone, no trend shown for others"
    return f"{change} over {STEP} places" + ("" if trend.people > 1 else "; this holds for this person")
