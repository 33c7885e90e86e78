"""anagnosis: machine reading of biomedical papers.

This module has the verbs of `anagnosis.api` under the same names and loads them on first use.
"""

# ruff: noqa: F403, F405  (type checkers take the names of `__all__` from api)

import importlib
from typing import TYPE_CHECKING, Any

from anagnosis.version import __version__

if TYPE_CHECKING:
    from anagnosis.api import *
    from anagnosis.errors import InputError

__all__ = [
    "InputError",
    "__version__",
    "agreement",
    "annotate",
    "ask",
    "build",
    "build_leaderboard",
    "calibrate",
    "calibrate_over_collection",
    "check",
    "check_layout",
    "check_submission",
    "collect",
    "compare",
    "convert",
    "decide",
    "described",
    "diff",
    "evaluate",
    "evaluate_search",
    "explain",
    "export",
    "export_results",
    "filters",
    "fit_reranking",
    "generate",
    "hard_subset",
    "harnesses",
    "import_dataset",
    "index",
    "label",
    "load",
    "look_up",
    "make_readers",
    "phases",
    "predict",
    "protocols",
    "read",
    "reader_cards",
    "recipe",
    "recipe_text",
    "related",
    "report",
    "sample",
    "score",
    "search",
    "show",
    "show_index",
    "show_instance",
    "show_terms",
    "store_terms",
    "submit",
    "train",
    "train_tagger",
    "train_vectors",
    "tune",
    "withhold",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'anagnosis' has no attribute {name!r}")
    return getattr(
        importlib.import_module("anagnosis.errors" if name == "InputError" else "anagnosis.api"), name
    )


def __dir__() -> list[str]:
    return sorted(__all__)
