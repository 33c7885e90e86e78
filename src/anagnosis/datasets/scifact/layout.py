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
from anagnosis.datasets.scifact.files import Claim, Files

TAKES_SEVERAL = True  # claims and corpus, or several files of claims
TAKES_DEV_SHARE = True
# Which rationale a sentence is of, and whether it is for or against, is not kept.
NOT_WRITTEN = "keep them, or export with --layout jsonl"


def _instances(found: Files, split: str, findings: LayoutFaults) -> Iterator[EvidenceInstance]:
    """The instances of a split, claim by claim."""
    for where, claim in found.of(split):
        proved = [document for document in claim.evidence if claim.evidence[document]]
        if not proved:
            findings.refused["no_evidence"] += 1
        for document in proved:
            instance = _instance(where, claim, document, found, findings)
            if instance is not None:
                findings.instances += 1
                yield instance


def _instance(
    where: str, claim: Claim, document: str, found: Files, findings: LayoutFaults
) -> EvidenceInstance | None:
    abstract = found.abstracts.get(document)
    if abstract is None:
        return findings.refuse(where, "abstract_missing", f"{document} of claim {claim.id}")
    held = claim.proving(document)
    if outside := sorted(place for place in held if place >= len(abstract.abstract)):
        what = f"sentence {outside[0]} of {len(abstract.abstract)} in {document}"
        findings.note(where, "evidence_outside", what)
    sentences: list[SourceSentence] = []
    for place, text in enumerate(abstract.abstract):
        if text.strip():
            sentences.append(SourceSentence(document, abstract.title, text, place in held))
        else:
            findings.note(where, "empty_sentence", f"sentence {place} of {document}")
    if not any(sentence.held for sentence in sentences):
        return findings.refuse(where, "evidence_not_there", f"{document} of claim {claim.id}")
    return EvidenceInstance(f"{claim.id}:{document}", claim.claim, tuple(sentences))


imported = partial(
    files.imported,
    recipe={"dataset": "scifact", "kind": "evidence", "layout": "scifact"},
    instances=_instances,
)
