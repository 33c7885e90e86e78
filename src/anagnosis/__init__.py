"""anagnosis: machine reading of biomedical papers.

This module has the verbs of `anagnosis.api` under the same names and loads them on first use.
"""

import importlib
from typing import TYPE_CHECKING, Any

from anagnosis.version import __version__

if TYPE_CHECKING:
    from anagnosis.api.annotating import annotate
    from anagnosis.api.building import build
    from anagnosis.api.datasets import export, import_dataset, load, sample
    from anagnosis.api.documents import convert, read, write
    from anagnosis.api.indexing import index
    from anagnosis.api.labelling import collect, label
    from anagnosis.api.leaderboard import build_leaderboard, withhold
    from anagnosis.api.predicting import predict
    from anagnosis.api.quoting import check_quote, check_quotes
    from anagnosis.api.scoring import agreement, compare, evaluate, protocols, score
    from anagnosis.api.search_evaluation import evaluate_search
    from anagnosis.api.searching import ask, export_results, filters, related, search
    from anagnosis.api.showing import (
        check,
        described,
        recipe,
        recipe_text,
        report,
        show,
        show_index,
        show_instance,
    )
    from anagnosis.api.submitting import submit
    from anagnosis.api.training import phases, train, tune
    from anagnosis.api.vectors import train_vectors
    from anagnosis.api.vocabularies import show_terms, store_terms
    from anagnosis.errors import InputError

__all__ = [
    "InputError", "__version__", "agreement", "annotate", "ask", "build", "build_leaderboard", "check",
    "check_quote", "check_quotes", "collect", "compare", "convert", "described", "evaluate",
    "evaluate_search", "export", "export_results", "filters", "import_dataset", "index", "label", "load", "phases",
    "predict", "protocols", "read", "recipe", "recipe_text", "related", "report", "sample", "score",
    "search", "show", "show_index", "show_instance", "show_terms", "store_terms", "submit", "train",
    "train_vectors", "tune", "withhold", "write",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'anagnosis' has no attribute {name!r}")
    return getattr(
        importlib.import_module("anagnosis.errors" if name == "InputError" else "anagnosis.api"), name
    )


def __dir__() -> list[str]:
    return sorted(__all__)
