"""SciFact as questions for yes, no or maybe: does this abstract support the claim?

One instance for each claim and each abstract that it cites: support → yes, contradict → no, cited without evidence →
maybe (the authors' NOINFO). The question is the claim as it stands, what is read is the abstract. setting: which claims
("train,validation"), by the names of their files (`files.py`). Source: Wadden et al. 2020, section 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from anagnosis.datasets.export.layouts import LayoutFaults
from anagnosis.datasets.kinds.decision import ContextSection, DecisionInstance
from anagnosis.datasets.scifact import files
from anagnosis.datasets.scifact.files import CONTRADICT, SUPPORT, Claim, Files

INSTEAD = "keep them, or export with --layout jsonl"  # which sentences are evidence is not kept
# Some copies write REFUTE for CONTRADICT.
LABEL_OF = {SUPPORT: "yes", CONTRADICT: "no", "REFUTE": "no"}
_NO_EVIDENCE = "maybe"


def _instances(found: Files, split: str, findings: LayoutFaults) -> Iterator[DecisionInstance]:
    place = 0
    for where, claim in found.claims[split]:
        for document in claim.documents:
            instance = _instance(where, claim, document, found, findings, place)
            if instance is not None:
                findings.instances += 1
                place += 1
                yield instance


def _instance(
    where: str, claim: Claim, document: str, found: Files, findings: LayoutFaults, place: int
) -> DecisionInstance | None:
    abstract = found.abstracts.get(document)
    if abstract is None:
        return findings.refuse(where, "abstract_missing", f"{document} of claim {claim.id}")
    said = claim.labels(document)
    if len(said) > 1:
        return findings.refuse(where, "two_labels", f"{', '.join(sorted(said))} in {document}")
    label = LABEL_OF.get(next(iter(said)), "") if said else _NO_EVIDENCE
    if not label:
        return findings.refuse(where, "unknown_label", f"{next(iter(said))!r} in {document}")
    text = " ".join(sentence.strip() for sentence in abstract.abstract)
    return DecisionInstance(
        f"{claim.id}:{document}", claim.claim, (ContextSection("", text),), None, label, place=place
    )


imported = partial(
    files.imported,
    recipe={"dataset": "scifact", "kind": "decision", "layout": "scifact-verdicts"},
    instances=_instances,
)
