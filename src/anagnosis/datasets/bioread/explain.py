"""What happened to one document, rule by rule: for `anagnosis build bioread … --explain ID`."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.datasets.bioread import build, rules
from anagnosis.datasets.bioread.article import article
from anagnosis.datasets.bioread.recipe import BioReadRecipe
from anagnosis.datasets.build.explanation import Explanation
from anagnosis.datasets.build.inputs import InputFiles
from anagnosis.datasets.build.screening import Screening, Shard
from anagnosis.datasets.build.sources import documents_called
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.documents.document import Document
from anagnosis.documents.repairs import Repairs


def explain(inputs: InputFiles, ident: str, recipe: BioReadRecipe) -> Iterator[Explanation]:
    """Every document of that id, in the order of the input."""
    for document, shard in documents_called(ident, inputs):
        yield _explained(document, shard, recipe)


def _explained(document: Document, shard: Shard, recipe: BioReadRecipe) -> Explanation:
    repairs = Repairs()
    whole = article(document, recipe, repairs)
    entities = [entity for group in whole.entities for entity in group]
    facts = {
        "sentences": len(whole.sentences),
        "positions": max(0, len(whole.sentences) - recipe.passage_sentences),
        "mentions": len(entities),
        "distinct_entities": len({entity.key for entity in entities}),
    }
    verdicts = [("not_drawn", rules.not_drawn(document, recipe))]
    if not verdicts[-1][1]:
        verdicts.append(("too_few_sentences", rules.too_few_sentences(whole, recipe)))
    screening = Screening(ClozeColumns())
    if not verdicts[-1][1]:
        build.screen_document(document, recipe, screening)
        verdicts.append(("no_instance_left", not screening.columns.questions))
    return Explanation(
        document.id,
        shard.name,
        facts,
        verdicts,
        screening.columns.questions,
        dict(screening.instances_dropped),
        dict(repairs.counts),
    )
