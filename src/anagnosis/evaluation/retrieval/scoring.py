"""What runs are worth: every measure for every query, means with intervals and tests, and what did not fit.

Two systems are tested as single runs are (`tested_pairs.py`): the values of a query are swapped (Smucker, Allan and
Carterette, CIKM 2007, find it as good as the t-test for retrieval). The two-tailed p-value decides, corrected by Holm
for all pairs of that measure's ranking. What is not shown to differ is tied.

The queries that count are the same for all systems: judged, with a relevant document, and among the topics where topics
are given. A query for which a system gave nothing counts as 0, as trec_eval has it with -c. The unit of every interval
and test is the query; a mean has Wilson's interval with an effective size, since nDCG's values are no right-or-wrong
answers.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.datasets.folder.store import short
from anagnosis.errors import InputError
from anagnosis.evaluation.differences.paired import ALPHA, DRAWS
from anagnosis.evaluation.differences.ranked_pairs import RankedPairs
from anagnosis.evaluation.intervals import Estimate, estimate
from anagnosis.evaluation.measures.measure import Measure
from anagnosis.evaluation.retrieval import OF_JUDGEMENTS
from anagnosis.evaluation.retrieval.judgements import RETRIEVAL_PROBLEMS, Judgements
from anagnosis.evaluation.retrieval.measures import RequestedMeasure
from anagnosis.evaluation.retrieval.runs import Run
from anagnosis.evaluation.run_measurements import RunMeasurements
from anagnosis.evaluation.signature import SCORE_COLUMNS, Signature, pair_rows, score_row
from anagnosis.evaluation.systems import System as SingleRun
from anagnosis.evaluation.tested_pairs import Drawing, Pair, tested_pairs
from anagnosis.io.counts import Counts
from anagnosis.io.tables import WithTable
from anagnosis.predictions.problems import Problem, problems_found

# As the pairs of other measures have it: higher is better, values are in [0, 1].
_RANKING = Measure(name="ranking", what="A measure of rankings.", kinds=(), unit="number", source="trec_eval")


@dataclass(frozen=True, slots=True)
class Comparison(RankedPairs[Pair]):
    """ranking: names from best to worst. family: the pairs of the ranking, all corrected for. differences: the first
    system beside each other one, then each beside the one ranked below it; every pair once.
    """

    ranking: tuple[str, ...]
    alpha: float
    family: int
    differences: tuple[Pair, ...]


def compare(names: Sequence[str], values: Sequence[Floats], *, seed: int, draws: int) -> Comparison:
    """values: of one measure, float64 [queries] for each of two or more systems. Equal means keep their order."""
    means = [math.fsum(own.tolist()) / len(own) for own in values]
    order = sorted(range(len(names)), key=lambda place: -means[place])
    differences, _ = tested_pairs(
        [SingleRun(names[place], (), untrained=True) for place in order],
        [RunMeasurements(_RANKING, values[place][None], ()) for place in order],
        [means[place] for place in order],
        Drawing(np.arange(len(values[0])), None, draws, seed),
    )
    return Comparison(tuple(names[place] for place in order), ALPHA, math.comb(len(names), 2), differences)


@dataclass(frozen=True, slots=True)
class System:
    """A run and what it is worth. values: measure → one value a query, in the order of `Evaluation.queries`.

    estimates: measure → mean and interval. retrieved: documents in all results of the queries that count.
    """

    name: str
    values: Mapping[str, tuple[float, ...]]
    estimates: Mapping[str, Estimate]
    retrieved: int
    problems: Mapping[str, Problem]


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation(WithTable):
    """queries: those that count. judgements, relevant: documents judged, and relevant, for them.

    comparisons: measure → ranking and tests; of one system, and of `judged`, there are none. problems: of topics
    and judgements. file: of the judgements. topics: id → query, as far as they are known.
    """

    queries: tuple[str, ...]
    judgements: int
    relevant: int
    measures: tuple[str, ...]
    systems: tuple[System, ...]
    comparisons: Mapping[str, Comparison]
    problems: Mapping[str, Problem]
    signatures: Mapping[str, str]
    file: str = ""
    topics: Mapping[str, str] = field(default_factory=dict[str, str])
    _COLUMNS: ClassVar[Mapping[str, str]] = SCORE_COLUMNS

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        """As those of `Results`."""
        for system in self.systems:
            for name, own in system.estimates.items():
                yield score_row(self.signatures[name], system.name, own.value, own.interval)
        for name, comparison in self.comparisons.items():
            yield from pair_rows(self.signatures[name], name, comparison.differences)


def scored_queries(
    judgements: Judgements, topics: Collection[str] | None = None
) -> tuple[tuple[str, ...], dict[str, Problem]]:
    """(the queries that count, in the order of the judgements; those that do not, by reason)."""
    problems = Counts()
    found: list[str] = []
    for query in judgements.grades:
        if not judgements.relevant(query):
            problems.add("no_relevant", query)
        elif topics is not None and query not in topics:
            problems.add("no_topic", query)
        else:
            found.append(query)
    for query in topics or ():
        if query not in judgements.grades:
            problems.add("unjudged_query", query)
    if not found:
        remedy = "do the ids of topics and judgements agree?" if topics else "name other judgements"
        raise InputError("no query with a relevant document", judgements.name, remedy)
    return tuple(found), problems_found(problems, RETRIEVAL_PROBLEMS)


def evaluate(
    judgements: Judgements,
    runs: Sequence[Run],
    measures: Sequence[RequestedMeasure],
    *,
    topics: Collection[str] | None = None,
    seed: int,
    draws: int = DRAWS,
    ties: str = "trec",
    settings: Sequence[tuple[str, str]] = (),
) -> Evaluation:
    """Score runs with names of their own. topics: the ids that were asked, None where nobody said.

    ties, settings: how the runs were ordered, and what else could change a number, for the signatures.
    """
    queries, left_out = scored_queries(judgements, topics)
    names = list(dict.fromkeys(map(str, measures)))
    by_name = {str(measure): measure for measure in measures}
    values = [_values(run, judgements, queries, [by_name[name] for name in names]) for run in runs]
    systems: list[System] = []
    for run, own in zip(runs, values, strict=True):
        estimates = {name: estimate(own[name]) for name in names}
        per_query = {name: tuple(own[name].tolist()) for name in names}
        retrieved = sum(len(run.ranked.get(query, ())) for query in queries)
        systems.append(System(run.name, per_query, estimates, retrieved, _problems(run, queries)))
    called = [run.name for run in runs]
    compared = {
        name: compare(called, [own[name] for own in values], seed=seed, draws=draws)
        for name in names
        if len(runs) > 1 and by_name[name].name not in OF_JUDGEMENTS
    }
    judged = [judgements.grades[query] for query in queries]
    extra = (("draws", str(draws)), ("unit", "query"), ("ties", ties), *settings)
    of = (judgements.name, short(judgements.fingerprint), "all", None, "retrieval")
    signatures = {name: str(Signature(*of, name, len(queries), seed, extra)) for name in names}
    return Evaluation(
        queries=queries,
        judgements=sum(map(len, judged)),
        relevant=sum(len(judgements.relevant(query)) for query in queries),
        measures=tuple(names),
        systems=tuple(systems),
        comparisons=compared,
        problems=left_out,
        signatures=signatures,
    )


def _values(
    run: Run, judgements: Judgements, queries: Sequence[str], measures: Sequence[RequestedMeasure]
) -> dict[str, Floats]:
    """measure → float64 [queries]."""
    found = {str(measure): np.zeros(len(queries)) for measure in measures}
    for place, query in enumerate(queries):
        known = judgements.grades[query]
        grades = [known.get(document) for document in run.ranked.get(query, ())]
        relevant = judgements.relevant(query)
        for measure in measures:
            found[str(measure)][place] = measure.measure(grades, relevant, measure.k)
    return found


def _problems(run: Run, queries: Sequence[str]) -> dict[str, Problem]:
    problems = Counts()
    scored = set(queries)
    for query in queries:
        if not run.ranked.get(query):
            problems.add("no_results", query)
    for query in [query for query in run.ranked if query not in scored]:
        problems.add("unknown_query", query)
    return problems_found(problems, RETRIEVAL_PROBLEMS)
