"""SciFact's claims and abstracts as questions with sentences: those of an abstract, and which of them are evidence.

An instance is a claim and a cited abstract that has evidence, for or against; a sentence is held where any rationale
has it. setting: which claims ("train,validation"), by the names of their files (`files.py`). Source: Wadden et al.
2020, section 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from anagnosis.datasets.export.layouts import Imported, LayoutFaults
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.datasets.scifact.files import Files, read
from anagnosis.datasets.splits import SPLITS
from anagnosis.io.paths import PathLike

# Which rationale a sentence is of, and whether it is for or against, is not kept.
INSTEAD = "keep them, or export with --layout jsonl"


def imported(
    path: PathLike | Sequence[PathLike],
    *,
    setting: str | None = None,
    split: str | None = None,
    dev_share: float = 0,
) -> Imported:
    """The claims at `path`, or at several, with their abstracts. dev_share: of train, by what is cited."""
    counts, wanted = LayoutFaults(), (setting or "").replace(",", " ").split()
    found = read(path, counts, wanted=wanted, split=split, dev_share=dev_share)
    recipe: dict[str, Any] = {"dataset": "scifact", "kind": "evidence", "layout": "scifact"}
    recipe |= {"claims": wanted} if wanted else {}
    recipe |= {"dev_share": dev_share} if dev_share else {}
    splits = {name: _instances(found, name, counts) for name in SPLITS if name in found.claims}
    return Imported(splits, recipe, found.inputs, counts)


def _instances(found: Files, split: str, counts: LayoutFaults) -> Iterator[EvidenceInstance]:
    """The instances of a split, claim by claim."""
    for where, claim in found.claims[split]:
        proved = [document for document in claim.evidence if claim.evidence[document]]
        if not proved:
            counts.refused["no_evidence"] += 1
        for document in proved:
            abstract, held = found.abstracts.get(document), claim.proving(document)
            if abstract is None:
                counts.refuse(where, "abstract_missing", f"{document} of claim {claim.id}")
                continue
            sentences = tuple(
                SourceSentence(document, abstract.title, text, place in held)
                for place, text in enumerate(abstract.abstract)
                if text.strip()
            )
            if any(sentence.held for sentence in sentences):
                counts.instances += 1
                yield EvidenceInstance(f"{claim.id}:{document}", claim.claim, sentences)
            else:
                counts.refuse(where, "evidence_not_there", f"{document} of claim {claim.id}")
