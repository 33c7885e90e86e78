"""SciFact's claims and abstracts as questions with sentences: those of an abstract, and which of them are evidence.

An instance is a claim and a cited abstract that has evidence, for or against; a sentence is held where any rationale
has it. setting: which claims ("train,validation"), by the names of their files (`files.py`). Source: Wadden et al.
2020, section 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from anagnosis.datasets.export.layouts import LayoutFaults
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.datasets.scifact import files
from anagnosis.datasets.scifact.files import Files

# Which rationale a sentence is of, and whether it is for or against, is not kept.
INSTEAD = "keep them, or export with --layout jsonl"


def _instances(found: Files, split: str, counts: LayoutFaults) -> Iterator[EvidenceInstance]:
    """The instances of a split, claim by claim."""
    for where, claim in found.claims[split]:
        proved = [document for document in claim.evidence if claim.evidence[document]]
        if not proved:
            counts.refused["no_evidence"] += 1
        for document in proved:
            abstract = found.abstracts.get(document)
            if abstract is None:
                counts.refuse(where, "abstract_missing", f"{document} of claim {claim.id}")
                continue
            held = claim.proving(document)
            sentences = tuple(
                SourceSentence(document, abstract.title, text, place in held)
                for place, text in enumerate(abstract.abstract)
                if text.strip()
            )
            if not any(sentence.held for sentence in sentences):
                counts.refuse(where, "evidence_not_there", f"{document} of claim {claim.id}")
                continue
            counts.instances += 1
            yield EvidenceInstance(f"{claim.id}:{document}", claim.claim, sentences)


imported = partial(
    files.imported,
    recipe={"dataset": "scifact", "kind": "evidence", "layout": "scifact"},
    instances=_instances,
)
