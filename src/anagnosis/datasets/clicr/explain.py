"""What happened to one report, rule by rule: for `anagnosis build clicr … --explain ID`."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.datasets.build.explanation import Explanation
from anagnosis.datasets.build.inputs import InputFiles
from anagnosis.datasets.build.screening import Screening, Shard
from anagnosis.datasets.build.sources import documents_called
from anagnosis.datasets.clicr import build
from anagnosis.datasets.clicr.questions import RefusedReportError
from anagnosis.datasets.clicr.recipe import CliCRRecipe
from anagnosis.datasets.clicr.variants import VARIANTS
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.documents.document import Document
from anagnosis.errors import InputError


def explain(inputs: InputFiles, ident: str, recipe: CliCRRecipe) -> Iterator[Explanation]:
    """Every document of that id, in the order of the input. InputError: the variant can't take it."""
    for document, shard in documents_called(ident, inputs):
        yield _explained(document, shard, recipe)


def _explained(document: Document, shard: Shard, recipe: CliCRRecipe) -> Explanation:
    facts = VARIANTS[recipe.variant].sizes(document, recipe)._asdict()
    screening = Screening(ClozeColumns(answer_columns=True))
    dropped = screening.questions_dropped = []
    try:
        verdict = build.screen_document(document, recipe, screening)
    except RefusedReportError as fault:
        raise InputError(
            str(fault), f"{shard.name}: {document.id}", "build it with --set variant=paper"
        ) from fault
    rules = (*VARIANTS[recipe.variant].rules, build.NO_QUERY_LEFT)
    passed = rules if verdict is None else rules[: rules.index(verdict)]
    verdicts = [(rule, False) for rule in passed] + ([(verdict, True)] if verdict is not None else [])
    return Explanation(
        document.id,
        shard.name,
        facts,
        verdicts,
        screening.columns.questions,
        dict(screening.instances_dropped),
        dict(screening.repairs.counts),
        dropped,
    )
