"""The public verbs. The command line calls these and nothing else; whatever it can do, three lines of Python can.

    import anagnosis
    dataset = anagnosis.build("biomrc", ["corpus.pubtator.gz"], out="built/mine")
    anagnosis.predict("neighbour-overlap", dataset, "base4.jsonl", split="test")
    print(anagnosis.score("built/mine", ["base4.jsonl"]).systems[0].measures["accuracy"])

A dataset is given as its folder or as what `load` returned. Faults of the user are `anagnosis.errors.InputError`.
"""

from anagnosis.api.annotating import annotate
from anagnosis.api.arguments import checked
from anagnosis.api.calibrating import calibrate, calibrate_over_collection
from anagnosis.api.checking import check
from anagnosis.api.datasets import build, check_layout, diff, explain, export, import_dataset, load, sample
from anagnosis.api.deciding import decide
from anagnosis.api.documents import convert, generate, read, write
from anagnosis.api.exporting import export_results
from anagnosis.api.indexing import index
from anagnosis.api.labelling import collect, label
from anagnosis.api.leaderboard import build_leaderboard, check_submission, withhold
from anagnosis.api.predicting import predict
from anagnosis.api.reader_making import make_readers, reader_cards
from anagnosis.api.reports import report
from anagnosis.api.reranking import fit_reranking
from anagnosis.api.scoring import agreement, compare, evaluate, hard_subset, harnesses, protocols, score
from anagnosis.api.search_evaluation import evaluate_search
from anagnosis.api.searching import ask, filters, related, search
from anagnosis.api.showing import show, show_index, show_instance
from anagnosis.api.submitting import submit
from anagnosis.api.tables import described, recipe, recipe_text
from anagnosis.api.taggers import train_tagger
from anagnosis.api.training import phases, train, tune
from anagnosis.api.vectors import train_vectors
from anagnosis.api.vocabularies import look_up, show_terms, store_terms
from anagnosis.showing import show_by

__all__ = [
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


def _html_of(result: object) -> str:
    from anagnosis.reports.records import html_of

    return html_of(result)


show_by(_html_of)
for _name in __all__:
    globals()[_name] = checked(globals()[_name])
