"""The public verbs. The command line calls these and nothing else; whatever it can do, three lines of Python can.

    import anagnosis
    dataset = anagnosis.build("biomrc", ["corpus.pubtator.gz"], out="built/mine")
    anagnosis.predict("neighbour-overlap", dataset, "base4.jsonl", split="test")
    print(anagnosis.score("built/mine", ["base4.jsonl"]).systems[0].measures["accuracy"])

A dataset is given as its folder or as what `load` returned. Faults of the user are `anagnosis.errors.InputError`.
Verbs are loaded on first use, and wrapped by `anagnosis.api.options.verb`.
"""

import importlib
from typing import Any

from anagnosis.api.options import verb
from anagnosis.showing import show_by

VERBS = {
    "annotating": "annotate",
    "building": "build",
    "datasets": "export import_dataset load sample",
    "documents": "convert read write",
    "indexing": "index",
    "labelling": "collect label",
    "leaderboard": "build_leaderboard withhold",
    "predicting": "predict",
    "quoting": "check_quote check_quotes",
    "scoring": "agreement compare evaluate protocols score",
    "search_evaluation": "evaluate_search",
    "searching": "ask export_results filters related search",
    "showing": "check described recipe recipe_text report show show_index show_instance",
    "submitting": "submit",
    "training": "phases train tune",
    "vectors": "train_vectors",
    "vocabularies": "show_terms store_terms",
}
_MODULES = {name: module for module, names in VERBS.items() for name in names.split()}


def _html_of(result: object) -> str:
    from anagnosis.reports.records import html_of

    return html_of(result)


show_by(_html_of)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'anagnosis.api' has no attribute {name!r}")
    made = verb(getattr(importlib.import_module(f"anagnosis.api.{_MODULES[name]}"), name))
    globals()[name] = made
    return made
