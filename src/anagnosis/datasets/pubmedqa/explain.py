"""What happened to one document, rule by rule: for `anagnosis build pubmedqa … --explain ID`."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.datasets.explanation import Explanation
from anagnosis.datasets.inputs import InputFiles
from anagnosis.datasets.pubmedqa import build, sections
from anagnosis.datasets.pubmedqa.recipe import PubMedQARecipe
from anagnosis.datasets.sources import documents
from anagnosis.documents.document import Document
from anagnosis.documents.repairs import Repairs


def explain(inputs: InputFiles, ident: str, recipe: PubMedQARecipe) -> Iterator[Explanation]:
    """Every document of that id, in the order of the input."""
    for shard in inputs.shards():
        if ident.encode() in shard.data:
            for document in documents(shard, Repairs()):
                if document.id == ident and not document.facts.get("deleted"):
                    yield _explained(document, shard.name, recipe)


def _explained(document: Document, where: str, recipe: PubMedQARecipe) -> Explanation:
    abstract = build.abstract_of(document)
    parts = sections.split(abstract)
    facts = {
        "abstract_sections": len(abstract),
        "labelled": sum(bool(section.title.strip()) for section in abstract),
        "in_context": len(parts.context),
        "in_long_answer": len(parts.long_answer),
        "left_out": len(parts.left_out),
    }
    found = build.judged(document, recipe)
    if isinstance(found, str):
        return Explanation(document.id, where, facts, [(found, True)])
    return Explanation(document.id, where, facts, [], [f"{found.question} ({found.label or 'no label'})"])
