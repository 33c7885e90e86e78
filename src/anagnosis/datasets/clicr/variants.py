"""The variants of the builder: from a document to the passage and the queries of its report.

paper           what CliCR's text says; never stops
as-published    the published program, with the letters that it loses; refuses a report at which the program stops
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from anagnosis.datasets.build.screening import Screening
from anagnosis.datasets.clicr import paper, published_report
from anagnosis.datasets.clicr.questions import Marked, Query
from anagnosis.datasets.clicr.recipe import CliCRRecipe
from anagnosis.datasets.clicr.report import Sizes
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.documents.document import Document


class Variant(NamedTuple):
    """cloze: the passage and the queries of a report, or the rule that drops it; it counts the queries that it drops.

    rules: those that drop a report, in order. sizes: of the report's parts, for --explain.
    """

    cloze: Callable[[Document, CliCRRecipe, Screening[ClozeColumns]], tuple[Marked, list[Query]] | str]
    rules: tuple[str, ...]
    sizes: Callable[[Document, CliCRRecipe], Sizes]


VARIANTS = {
    "paper": Variant(paper.cloze, paper.RULES, paper.sizes),
    "as-published": Variant(published_report.cloze, published_report.RULES, published_report.sizes),
}
