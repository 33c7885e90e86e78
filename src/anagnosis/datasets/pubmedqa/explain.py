"""What happened to one document, rule by rule: for `anagnosis build pubmedqa … --explain ID`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from anagnosis.datasets.build.explanation import Explanation
from anagnosis.datasets.build.inputs import InputFiles
from anagnosis.datasets.build.resolving import overruled
from anagnosis.datasets.build.sources import documents
from anagnosis.datasets.pubmedqa import build, sections
from anagnosis.datasets.pubmedqa.recipe import PubMedQARecipe
from anagnosis.documents.document import Document
from anagnosis.documents.repairs import Repairs


def explain(inputs: InputFiles, ident: str, recipe: PubMedQARecipe) -> Iterator[Explanation]:
    """Every document of that id, in the order of the input; also which a deletion or another version overrules."""
    found = [
        (document, shard.name)
        for shard in inputs.shards()
        if ident.encode() in shard.data
        for document in documents(shard, Repairs())
        if document.id == ident
    ]
    versions = np.array([build.version_read(document) for document, _ in found], np.int64)
    deleted, superseded = overruled(np.zeros(len(found), np.uint64), versions)
    for place, (document, where) in enumerate(found):
        if versions[place]:
            late = {"deleted_citation": deleted[place], "superseded_citation": superseded[place]}
            yield _explained(document, where, recipe, next((rule for rule, says in late.items() if says), ""))


def _explained(document: Document, where: str, recipe: PubMedQARecipe, overruled_by: str) -> Explanation:
    """overruled_by: the rule that drops it once the whole input is known, "" for none."""
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
    if overruled_by:
        return Explanation(document.id, where, facts, [(overruled_by, True)])
    return Explanation(document.id, where, facts, [], [f"{found.question} ({found.label or 'no label'})"])
