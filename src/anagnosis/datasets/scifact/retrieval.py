"""SciFact's claims with the abstracts that rank best for them, among all of the corpus.

An instance is a claim with the sentences of its best abstracts by BM25, titles included. Relevant documents are those
that the claim cites, as in BEIR; relevant snippets are the sentences of its rationales, for or against, with their
places in the abstract (its sentences, joined by blanks). Claims without evidence have relevant documents alone.
Source: Wadden et al. 2020, section 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from anagnosis.datasets.collection import (
    Collection,
    PlacedSentence,
    RankingRecipe,
    SentenceDocument,
    not_retrieved,
    placed,
)
from anagnosis.datasets.definition import Builder
from anagnosis.datasets.export.layouts import Imported, LayoutFaults
from anagnosis.datasets.kinds.evidence import ABSTRACT, TITLE, EvidenceInstance
from anagnosis.datasets.kinds.question import RelevantItems
from anagnosis.datasets.scifact.layout import Claim, read
from anagnosis.datasets.splits import SPLITS
from anagnosis.io.paths import PathLike
from anagnosis.progress import Progress
from anagnosis.recipes.load import Share


class ClaimRetrievalRecipe(RankingRecipe, frozen=True, forbid_unknown_fields=True):
    """recipes/scifact-retrieval.toml says what each is."""

    kind: Literal["evidence"] = "evidence"
    claims: str = ""
    dev_share: Share = 0.0


def make(paths: Sequence[PathLike], recipe: ClaimRetrievalRecipe) -> Imported:
    """The instances, from the authors' files. Memory: the corpus."""
    findings = LayoutFaults()
    wanted = recipe.claims.replace(",", " ").split()
    source = read(paths, findings, wanted=wanted, dev_share=recipe.dev_share)
    documents = {
        name: SentenceDocument(
            name, each.title.strip(), (*placed(TITLE, [each.title]), *placed(ABSTRACT, each.abstract))
        )
        for name, each in source.abstracts.items()
    }
    collection = Collection([*documents.values()], k1=recipe.k1, b=recipe.b)

    def proving(claim: Claim, name: str) -> list[PlacedSentence]:
        """The sentences of a cited document that stand in a rationale."""
        abstract = source.abstracts[name].abstract
        texts = {abstract[place].strip() for place in claim.proving(name) if place < len(abstract)}
        return [one for one in documents[name].sentences if one.section == ABSTRACT and one.text in texts]

    def instance_of(claim: Claim) -> EvidenceInstance | None:
        evidence = {name: proving(claim, name) for name in claim.documents if name in documents}
        if missing := len(claim.documents) - len(evidence):
            findings.add("abstract_missing", count=missing)
        snippets = tuple(one.snippet(name) for name, own in evidence.items() for one in own)
        return collection.instance(
            str(claim.id),
            claim.claim,
            RelevantItems(tuple(evidence), snippets=snippets),
            lambda document, place: document.sentences[place] in evidence.get(document.address, ()),
            depth=recipe.depth,
        )

    def of(split: str) -> Iterator[EvidenceInstance]:
        claims = [claim for _, claim in source.claims[split]]
        with Progress(f"abstracts for {split}", len(claims), "claims") as bar:
            for claim in claims:
                if instance := instance_of(claim):
                    findings.add("relevant_not_retrieved", count=not_retrieved(instance))
                    yield instance
                else:
                    findings.refuse(str(claim.id), "nothing_retrieved", "no abstract shares a word with it")
                bar.advance()

    splits = {split: of(split) for split in SPLITS if split in source.claims}
    return Imported(splits, {}, source.inputs, findings, choices={"documents": len(documents)})


BUILDER = Builder(recipe=ClaimRetrievalRecipe, make=make)
