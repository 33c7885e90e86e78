"""What `fit-reranking` fitted, and what it brings on questions that the fit did not see."""

from __future__ import annotations

from anagnosis.evaluation.calibration.scaling import FOLDS
from anagnosis.evaluation.retrieval.judgements import RETRIEVAL_PROBLEMS
from anagnosis.reports.report import Column, Estimate, Report, Table
from anagnosis.searching.fit.reranking_fitting import FIRST, RerankingFit
from anagnosis.searching.rank.reranking import FEATURES


def report(made: RerankingFit) -> Report:
    """Two tables, and what did not fit."""
    sign = -1 if made.pair.first == FIRST else 1
    low, high = sorted((sign * made.pair.interval.low, sign * made.pair.interval.high))
    worth = Table(
        "Gain of the reranking",
        (
            Column("ranking"),
            Column("questions", "count"),
            Column("nDCG@10", "fraction", "high"),
            Column("difference", "gain"),
            Column("p", "p"),
        ),
        (
            ("as it was", made.questions, made.before, None, None),
            (
                "reranked",
                made.questions,
                made.after,
                Estimate(made.after - made.before, low, high),
                made.pair.p_two_tailed,
            ),
        ),
        (
            f"Each question was ranked by weights fitted on the others, in {FOLDS} parts; questions that share "
            "a relevant document are in one part.",
        ),
    )
    numbers = len(made.weights.vector)
    rows = tuple((feature, weight) for feature, weight in zip(FEATURES, made.weights.features, strict=True))
    notes = (
        f"Fitted on {made.used:,} questions that have a relevant passage among those that are read. "
        + (
            f"Besides, {numbers:,} weights of the vectors' numbers."
            if numbers
            else "Vectors have no weights."
        ),
    )
    weights = Table("Weights", (Column("feature"), Column("weight", "number")), rows, notes)
    blocks = [worth, weights]
    if made.problems:
        columns = (Column("name"), Column("count", "count"), Column("what it is"))
        found = tuple((name, own.count, RETRIEVAL_PROBLEMS[name]) for name, own in made.problems.items())
        blocks.append(Table("Left out or missing", columns, found))
    return Report("Reranking", tuple(blocks))
