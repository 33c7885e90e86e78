"""The figures of documents and snippets of the organisers' program for phase A, by the measures of `score`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa

from anagnosis.datasets.gold import Gold, from_batches
from anagnosis.datasets.kinds.question import RelevantItems, Snippet
from anagnosis.evaluation.measures.measure import named
from anagnosis.io.counts import Counts
from anagnosis.predictions import FoundSnippet, Matched, Prediction
from anagnosis.predictions.annotators import Matching

OURS = {"MPrec": "precision", "MRec": "recall", "MF1": "f1", "MAP": "map", "GMAP": "gmap"}
KINDS = ("documents", "snippets")
_NAN = math.nan
# What the program prints of no question at all, where our measures have no value; in the order of OURS.
OF_NONE = {
    "documents": (0.0, 0.0, _NAN, _NAN, _NAN),
    "snippets": (_NAN, _NAN, _NAN, _NAN, 0.0),
}


def matched_pairs(
    pairs: Sequence[tuple[RelevantItems, RelevantItems | None]],
) -> tuple[Gold, Matched]:
    """A split and a run, of (gold, retrieved) of each question; None for one without a line."""
    relevant = tuple(gold for gold, _ in pairs)
    batch = {
        "id": pa.array([str(n) for n in range(len(pairs))], pa.string()),
        "document": pa.array(["d"] * len(pairs), pa.string()),
        "candidates": pa.array([0] * len(pairs), pa.int32()),
        "answer": pa.array([-1] * len(pairs), pa.int32()),
        "key": pa.array([], pa.string()),
    }
    gold = replace(from_batches([batch], "bioasq", "test"), kind="question", relevant=lambda: relevant)
    matching = Matching(gold)
    for place, (_, items) in enumerate(pairs):
        if items is not None:
            line = Prediction(
                str(place),
                documents=list(items.documents),
                concepts=list(items.concepts),
                snippets=[_found(each) for each in items.snippets],
                triples=list(items.triples),
            )
            matching.add(place, line, [])
    return gold, matching.matched("system", Counts())


def _found(snippet: Snippet) -> FoundSnippet:
    return FoundSnippet(
        snippet.document,
        snippet.begin_section,
        snippet.begin,
        snippet.end_section,
        snippet.end,
        snippet.text,
    )


def figures(gold: Gold, run: Matched) -> dict[str, float]:
    """`MPrec documents` → the value of the measure, or what the program prints where no question counts."""
    found: dict[str, float] = {}
    for kind in KINDS:
        for (name, ours), of_none in zip(OURS.items(), OF_NONE[kind], strict=True):
            measure = named(f"{kind[:-1]}_{ours}")
            statistics = measure.of_run(gold, run, "organisers-9")
            value = float(statistics.value(statistics.of_instances.sum(axis=0)))
            assert math.isnan(value) == (not statistics.counted.any())
            found[f"{name} {kind}"] = value if statistics.counted.any() else of_none
    return found


def figures_of(pairs: Sequence[tuple[RelevantItems, RelevantItems | None]]) -> dict[str, float]:
    """The figures of (gold, retrieved) of each question; None for one without a line."""
    return figures(*matched_pairs(pairs))
