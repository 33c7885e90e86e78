"""SciFact's claims with the abstracts that rank best for them, among all of the corpus.

An instance is a claim with the sentences of its best abstracts by BM25, titles included. Relevant documents are those
that the claim cites, as in BEIR; relevant snippets are the sentences of its rationales, for or against, with their
places in the abstract (its sentences, joined by blanks). Claims without evidence have relevant documents alone.
Source: Wadden et al. 2020, section 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
from anagnosis.datasets.kinds.relevant_items import RelevantItems
from anagnosis.datasets.scifact import files
from anagnosis.datasets.scifact.files import Abstract, Claim, Files
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
    source = files.read(paths, findings, wanted=wanted, dev_share=recipe.dev_share)
    documents = {name: _document(name, abstract) for name, abstract in source.abstracts.items()}
    collection = Collection([*documents.values()], k1=recipe.k1, b=recipe.b)
    counts = findings.broken

    def of(split: str) -> Iterator[EvidenceInstance]:
        claims = [claim for _, claim in source.claims[split]]
        with Progress(f"abstracts for {split}", len(claims), "claims") as bar:
            for claim in claims:
                instance = _instance(claim, source, documents, collection, recipe.depth, counts)
                if instance is None:
                    findings.refuse(str(claim.id), "nothing_retrieved", "no abstract shares a word with it")
                else:
                    yield instance
                bar.advance()

    splits = {split: of(split) for split in SPLITS if split in source.claims}
    return Imported(splits, {}, source.inputs, findings, choices={"documents": len(documents)})


def _document(name: str, abstract: Abstract) -> SentenceDocument:
    return SentenceDocument(
        name,
        abstract.title.strip(),
        (*placed(TITLE, [abstract.title]), *placed(ABSTRACT, abstract.abstract)),
    )


def _instance(
    claim: Claim,
    source: Files,
    documents: Mapping[str, SentenceDocument],
    collection: Collection,
    depth: int,
    counts: Counter[str],
) -> EvidenceInstance | None:
    evidence: dict[str, frozenset[PlacedSentence]] = {}
    for name in claim.documents:
        if name not in documents:
            counts["abstract_missing"] += 1
            continue
        abstract = source.abstracts[name].abstract
        texts = {abstract[place].strip() for place in claim.proving(name) if place < len(abstract)}
        evidence[name] = frozenset(
            one for one in documents[name].sentences if one.section == ABSTRACT and one.text in texts
        )
    snippets = tuple(
        one.snippet(name)
        for name, proving in evidence.items()
        for one in documents[name].sentences
        if one in proving
    )
    instance = collection.instance(
        str(claim.id),
        claim.claim,
        RelevantItems(tuple(evidence), snippets=snippets),
        lambda document, place: document.sentences[place] in evidence.get(document.address, ()),
        depth=depth,
    )
    if instance is not None:
        counts["relevant_not_retrieved"] += not_retrieved(instance)
    return instance


BUILDER = Builder(recipe=ClaimRetrievalRecipe, make=make)
