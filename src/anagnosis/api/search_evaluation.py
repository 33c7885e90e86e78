"""The verb over rankings of documents: evaluate_search."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from dataclasses import replace as replaced
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from anagnosis.api import shared
from anagnosis.api.options import Option
from anagnosis.errors import InputError
from anagnosis.io.compression import without_compression
from anagnosis.io.files import STANDARD_INPUT, display_name
from anagnosis.io.paths import PathLike
from anagnosis.showing import masked_line

if TYPE_CHECKING:
    from anagnosis.evaluation.retrieval.runs import Run
    from anagnosis.evaluation.retrieval.scoring import Evaluation
    from anagnosis.searching.index.index import Index

_ENDINGS = (".run", ".txt", ".trec", ".res")


@dataclass(frozen=True, slots=True)
class _System:
    """A system as it was given. path: an index folder or a run file. ranking: of an index, None: what suits it."""

    name: str
    path: Path
    ranking: str | None = None


def evaluate_search(
    systems: Annotated[Sequence[PathLike], Option(metavar="INDEX_FOLDER|RUN_FILE...")],
    *,
    judgements: shared.Judgements,
    topics: Annotated[
        PathLike | None,
        Option("For an index: queries as ID<tab>QUERY or BEIR's JSON lines.", metavar="FILE"),
    ] = None,
    field: shared.TopicField = None,
    measures: Annotated[
        Sequence[str] | None,
        Option(
            "ndcg, ndcg_exp, map, recall, precision, reciprocal_rank, judged; repeatable "
            "(default: ndcg@10 map reciprocal_rank@10 recall@100 judged@10).",
            flag="--measure",
            metavar="NAME[@K]",
        ),
    ] = None,
    depth: Annotated[int, Option("Number of documents to request from an index.", 1, 1_000_000)] = 1000,
    ties: Annotated[
        Literal["trec", "rank"], Option("Equal scores: the greater id first, or as ranked.")
    ] = "trec",
    rankings: Annotated[
        Sequence[str],
        Option("For an index: lexical, dense or hybrid. Repeatable.", flag="--ranking", metavar="NAME"),
    ] = (),
    no_synonyms: shared.NoSynonyms = False,
    without: shared.WithoutNames = (),
    runs: Annotated[PathLike | None, Option("Write a run file of each index.", metavar="FOLDER")] = None,
    replace: shared.Replace = False,
    seed: shared.Seed = 0,
    draws: shared.Draws = 10_000,
) -> Evaluation:
    """Score rankings against judgements: means over queries with 95 % intervals, and paired tests.

    The command asks an index each topic, and reads run files in TREC's form; NAME=PATH names either. Each system is
    tested against the best and the next one, by query, with Holm's correction for all pairs.

    Queries without judgements or results, and relevant documents in no result, are counted by name. The data have
    the values of every query.
    \f
    Where topics are given, only queries among them count. Without run files only the queries that count are asked.
    """
    from anagnosis.api.searching import expanding, open_collection
    from anagnosis.evaluation.retrieval import DEFAULT_MEASURES, scoring
    from anagnosis.evaluation.retrieval.judgements import read_judgements, read_topics
    from anagnosis.evaluation.retrieval.measures import requested_measure
    from anagnosis.evaluation.retrieval.runs import read
    from anagnosis.io import outputs

    wanted = [requested_measure(text) for text in measures or DEFAULT_MEASURES]
    given = _given(systems, rankings)
    indexes = [system for system in given if system.path.is_dir()]
    if indexes:
        if topics is None:
            raise InputError(
                "no topics to ask the index", display_name(indexes[0].path), "name them with --topics"
            )
        if deeper := [measure for measure in wanted if (measure.k or 0) > depth]:
            raise InputError(f"{deeper[0]} looks at more than {depth:,} documents", "--depth", "ask for more")
    elif rankings:
        raise InputError("no index to rank with", "--ranking", "leave it out, or name an index")
    elif runs is not None:
        raise InputError("no index to write a run file of", str(runs), "leave --runs out, or name an index")
    files: dict[str, Path] = {}
    if runs is not None:
        inputs = (*systems, judgements, topics)
        for system in indexes:
            path = Path(runs) / f"{system.name}.run"
            files[system.name] = outputs.output_file(path, inputs=inputs, replace=replace)
    gold = read_judgements(judgements)
    queries = {} if topics is None else read_topics(topics, field)
    among = queries if topics is not None else None
    scored, _ = scoring.scored_queries(gold, among)
    found: list[Run] = []
    used: dict[str, None] = {}
    with ExitStack() as closed:
        # An index of several rankings is opened once, and says once that it is unfinished.
        opened = {
            path: closed.enter_context(closing(open_collection(path)))
            for path in dict.fromkeys(one.path for one in indexes)
        }
        for system in given:
            if system.path in opened:
                # A run file is for others too, so it has every topic.
                to_ask = queries if runs is not None else {query: queries[query] for query in scored}
                file = files.get(system.name)
                index = expanding(opened[system.path], no_synonyms=no_synonyms, without=without)
                run, chosen = _asked(system, index, to_ask, scored, depth, ties, file)
                found.append(run)
                used[chosen] = None
            else:
                found.append(read(system.path, system.name, ties=ties))
    settings = (("depth", str(depth)), ("ranking", "+".join(used))) if indexes else ()
    made = scoring.evaluate(
        gold, found, wanted, topics=among, seed=seed, draws=draws, ties=ties, settings=settings
    )
    return replaced(made, file=display_name(judgements), topics=queries)


def _asked(
    system: _System,
    index: Index,
    queries: Mapping[str, str],
    scored: Collection[str],
    depth: int,
    ties: str,
    file: Path | None,
) -> tuple[Run, str]:
    """The run of an index, written where a file is named, and its ranking."""
    from anagnosis.evaluation.retrieval.runs import of_results, write
    from anagnosis.progress import Progress

    chosen = index.ranking(system.ranking)
    results: dict[str, list[tuple[str, float]]] = {}
    with Progress(f"asking {system.name}", total=len(queries), unit="queries") as progress:
        for query, text in queries.items():
            results[query] = index.documents(text, depth, ranking=chosen)
            progress.advance()
    if file is not None:
        write(file, system.name, results.items())
    # Topics that nobody judged were asked for the file alone.
    return of_results(system.name, {query: results[query] for query in scored}, ties=ties), chosen


def _given(systems: Sequence[PathLike], rankings: Sequence[str]) -> list[_System]:
    """The systems with names of their own; each index in each of the rankings, whose names tell them apart."""
    if not systems:
        raise InputError("no system", "", "name an index folder or a run file, or several")
    found = [_system(argument) for argument in systems]
    names = [system.name for system in found]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two systems are called {name!r}", "", "write NAME=PATH")
    several = [*dict.fromkeys(rankings)] or [None]
    return [
        replaced(one, name=f"{one.name}-{ranking}" if len(rankings) > 1 else one.name, ranking=ranking)
        if one.path.is_dir()
        else one
        for one in found
        for ranking in (several if one.path.is_dir() else [None])
    ]


def _system(argument: PathLike) -> _System:
    """A path, or NAME=PATH; a path that exists is taken as that path."""
    name, equals, rest = str(argument).partition("=")
    if isinstance(argument, str) and equals and not Path(argument).exists() and "/" not in name:
        if not name.strip() or not rest or len(name.split()) > 1:
            raise InputError("no name or no path", argument, "write NAME=PATH, the name without blanks")
        return _System(name, Path(rest))
    path = Path(argument)
    called = path.resolve().name if path.is_dir() else without_compression(display_name(path))
    for ending in _ENDINGS:
        called = called.removesuffix(ending)
    if str(argument) == STANDARD_INPUT:
        called = "standard-input"
    return _System("-".join(masked_line(called).split()) or "system", path)
