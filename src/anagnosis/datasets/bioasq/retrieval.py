"""BioASQ's questions with the documents that rank best for them in a pool.

The pool is no collection: its documents are those with a snippet of any question of the splits, and the text of a
document is its snippets, joined. So figures on it say nothing of retrieval from PubMed.

Snippets that no submission may have are left out: of other sections than title and abstract, or without a place.
Sentences stand in the order of their section and place; one that another of the document contains, or that is another
spelling of the same place, is left out. A sentence is gold where it contains, or is contained in, a gold snippet of its
document, both cleaned (lower case, only letters and digits): the rule of Pappas and Androutsopoulos 2021.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from anagnosis.datasets.bioasq import layout
from anagnosis.datasets.bioasq.parts import parts_of
from anagnosis.datasets.collection import (
    Collection,
    PlacedSentence,
    RankingRecipe,
    SentenceDocument,
    not_retrieved,
)
from anagnosis.datasets.definition import Builder
from anagnosis.datasets.export.layouts import Imported
from anagnosis.datasets.kinds.evidence import ABSTRACT, TITLE, EvidenceInstance
from anagnosis.datasets.kinds.question import QuestionInstance, RelevantItems, Snippet
from anagnosis.io.paths import PathLike
from anagnosis.language.sentences import Splitter, splitter
from anagnosis.progress import Progress

_ADDRESS = "http://www.ncbi.nlm.nih.gov/pubmed/{}"
_SECTIONS = {TITLE: 0, ABSTRACT: 1}  # that a submission may have, in their order
_NO_WORD = re.compile(r"[\W_]+")


class PoolRecipe(RankingRecipe, frozen=True, forbid_unknown_fields=True):
    """recipes/bioasq-retrieval.toml says what each is."""

    kind: Literal["evidence"] = "evidence"
    train: str = ""
    dev: str = ""
    test: str = ""
    splitter: str = "fast"


def make(paths: Sequence[PathLike], recipe: PoolRecipe) -> Imported:
    """The instances, from golden files, folders or archives of them. Memory: all of their snippets."""
    source = layout.imported(paths, parts=parts_of(recipe))
    findings = source.findings
    questions = {split: list(instances) for split, instances in source.splits.items()}
    snippets = [snippet for each in questions.values() for one in each for snippet in one.snippets]
    if outside := sum(not is_placed(snippet) for snippet in snippets):
        findings.add("snippet_outside_pool", count=outside)
    documents = pooled(snippets, splitter(recipe.splitter))
    collection = Collection(documents, k1=recipe.k1, b=recipe.b)
    plain = {one.text: cleaned(one.text) for each in documents for one in each.sentences}

    def of(split: str) -> Iterator[EvidenceInstance]:
        with Progress(f"documents for {split}", len(questions[split]), "questions") as bar:
            for question in questions[split]:
                instance = _instance(question, collection, plain, recipe.depth)
                if instance is not None:
                    if lacking := not_retrieved(instance):
                        findings.add("relevant_not_retrieved", count=lacking)
                    yield instance
                else:
                    findings.refuse(question.id, "nothing_retrieved", "no document shares a word with it")
                bar.advance()

    splits = {split: of(split) for split in questions}
    return Imported(splits, {}, source.inputs, findings, choices={"documents": len(documents)})


def pooled(snippets: Iterable[Snippet], cut: Splitter) -> list[SentenceDocument]:
    """The documents of the snippets that have a place, by first appearance."""
    of_document: dict[str, dict[tuple[int, int, str], Snippet]] = {}
    for snippet in snippets:
        if snippet.text.strip() and is_placed(snippet):
            place = _SECTIONS[snippet.begin_section], snippet.begin or 0, snippet.text
            of_document.setdefault(snippet.pmid, {}).setdefault(place, snippet)
    return [
        SentenceDocument(
            _ADDRESS.format(pmid), "", tuple(_sentences([snippets_at[at] for at in sorted(snippets_at)], cut))
        )
        for pmid, snippets_at in of_document.items()
    ]


def is_placed(snippet: Snippet) -> bool:
    """Whether a snippet lies in the title or in the abstract, at a place."""
    section = snippet.begin_section
    begin = -1 if snippet.begin is None else snippet.begin
    return section in _SECTIONS and section == snippet.end_section and begin >= 0


def cleaned(text: str) -> str:
    """The text as sentences and gold snippets are compared: letters and digits, in lower case."""
    return _NO_WORD.sub("", text.lower())


def _sentences(snippets: Sequence[Snippet], cut: Splitter) -> Iterator[PlacedSentence]:
    """Sentences of a document's snippets; of two, one in the other, the longer.

    One at the place of another is the same in another spelling ("α", "alpha").
    """
    kept: dict[str, PlacedSentence] = {}
    for snippet in snippets:
        for begin, end in cut(snippet.text):
            text = snippet.text[begin:end]
            start = (snippet.begin or 0) + begin + len(text) - len(text.lstrip())
            plain, text = cleaned(text), text.strip()
            there = {(one.section, one.begin, len(one.text)) for one in kept.values()}
            is_there = (snippet.begin_section, start, len(text)) in there
            if plain and not is_there and not any(plain in other for other in kept):
                kept = {other: one for other, one in kept.items() if other not in plain}
                kept[plain] = PlacedSentence(snippet.begin_section, start, text)
    return iter(kept.values())


def _instance(
    question: QuestionInstance, collection: Collection, plain: Mapping[str, str], depth: int
) -> EvidenceInstance | None:
    gold: dict[str, set[str]] = {}
    for snippet in question.snippets:
        if text := cleaned(snippet.text):
            gold.setdefault(_ADDRESS.format(snippet.pmid), set()).add(text)

    def holds_answer(document: SentenceDocument, place: int) -> bool:
        text = plain[document.sentences[place].text]
        return any(text in other or other in text for other in gold.get(document.address, ()))

    relevant = RelevantItems(tuple(gold), snippets=question.snippets)
    return collection.instance(question.id, question.question, relevant, holds_answer, depth=depth)


BUILDER = Builder(recipe=PoolRecipe, make=make)
