"""Verbs that teach an index to put its best passages into a better order: fit_reranking."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from anagnosis.api import shared
from anagnosis.api.options import Option
from anagnosis.errors import InputError
from anagnosis.io.files import display_name
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.searching.fit.reranking_fitting import RerankingFit


def fit_reranking(
    folder: Annotated[PathLike, Option(metavar="INDEX_FOLDER")],
    *,
    topics: Annotated[PathLike, Option("Questions, as evaluate-search takes them.", metavar="FILE")],
    judgements: shared.Judgements,
    field: shared.TopicField = None,
    features_only: Annotated[
        bool, Option("Fit the six features alone, without a weight for each dimension of the vectors.")
    ] = False,
    seed: shared.Seed = 0,
    draws: shared.Draws = 10_000,
) -> RerankingFit:
    """Fit the order in which `--ranking reranked` shows the best passages, on questions with judgements.

    The twenty best passages of a question are read sentence by sentence. The weights of their features are kept in
    the index (reranking.json). The gain is measured on questions that the fit did not see. Fit on other questions than
    those you report.
    \f
    Refused (InputError): too few questions to learn from, or too many that hang together; before anything is read, an
    index that cannot be written.
    """
    from anagnosis.api.searching import open_collection
    from anagnosis.evaluation.retrieval.judgements import read_judgements, read_topics
    from anagnosis.evaluation.retrieval.scoring import scored_queries
    from anagnosis.io.checksums import write_checked_json
    from anagnosis.progress import Progress
    from anagnosis.searching.filters import Filters
    from anagnosis.searching.fit.reranking_fitting import AT, Question, fit
    from anagnosis.searching.queries.asked import read_query
    from anagnosis.searching.rank.ranking import HYBRID, read
    from anagnosis.searching.rank.reranking import FILE

    gold = read_judgements(judgements)
    asked, problems = read_topics(topics, field)
    queries, left_out = scored_queries(gold, asked)
    index = open_collection(folder)
    try:
        _writable(Path(folder))
        first = index.ranking()
        if index.settings.encoder and first != HYBRID:
            raise InputError(
                "has vectors, which need torch", display_name(folder), 'pip install "anagnosis[train]"'
            )
        dense = index.dense if first == HYBRID else None
        questions: list[Question] = []
        with Progress("reading", total=len(queries), unit="queries") as progress:
            for query in queries:
                # Some documents have several passages.
                seen = read(index.engine, dense, read_query(asked[query]), Filters(), 10 * AT)
                questions.append(Question.of(seen, gold.grades[query]))
                progress.advance()
        found = fit(
            questions,
            dense.digest if dense is not None else "",
            vectors=not features_only,
            seed=seed,
            draws=draws,
        )
    finally:
        index.close()
    write_checked_json(Path(folder) / FILE, found.weights)
    return replace(found, problems={**problems, **left_out})


def _writable(folder: Path) -> None:
    """Refuse (InputError) a folder that takes no file or has links, before all the reading."""
    from tempfile import TemporaryFile

    from anagnosis.io.folders import refuse_links

    refuse_links(folder)
    try:
        with TemporaryFile(dir=folder):
            pass
    except OSError as fault:
        what = f"cannot be written ({fault.strerror})"
        raise InputError(what, display_name(folder), "give yourself the right to, or copy it") from fault
