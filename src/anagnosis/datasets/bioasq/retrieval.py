"""BioASQ's questions with the documents that rank best for them in a pool.

The pool is no collection: its documents are those with a snippet of any question of the splits, and the text of a
document is its snippets, joined. So figures on it say nothing of retrieval from PubMed.

Snippets that no submission may have are left out: of other sections than title and abstract, or without a place.
Sentences stand in the order of their section and place; one that another of the document contains, or that is another
spelling of the same place, is left out. A sentence is gold where it contains, or is contained in, a gold snippet of its
document, both cleaned (lower case, only letters and digits): the rule of Pappas and Androutsopoulos 2021, whose model
(JPDRMM) reads the 100 best documents of BM25.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Annotated, Literal, NamedTuple

import msgspec

from anagnosis.datasets.bioasq import layout
from anagnosis.datasets.bioasq.bm25 import Pool
from anagnosis.datasets.bioasq.parts import parts_of
from anagnosis.datasets.definition import Builder
from anagnosis.datasets.export.layouts import Imported
from anagnosis.datasets.kinds.evidence import ABSTRACT, TITLE, EvidenceInstance, Retrieval, SourceSentence
from anagnosis.datasets.kinds.question import QuestionInstance, Snippet
from anagnosis.io.paths import PathLike
from anagnosis.language.sentences import Splitter, splitter
from anagnosis.progress import Progress

_ADDRESS = "http://www.ncbi.nlm.nih.gov/pubmed/{}"
_SECTIONS = {TITLE: 0, ABSTRACT: 1}  # that a submission may have, in their order
_NO_WORD = re.compile(r"[\W_]+")


class PlacedSentence(NamedTuple):
    """A sentence of a document. begin: where it begins in its section, in code points. plain: its text `cleaned`."""

    section: str
    begin: int
    text: str
    plain: str


class PoolRecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """recipes/bioasq-retrieval.toml says what each is."""

    kind: Literal["evidence"] = "evidence"
    train: str = ""
    dev: str = ""
    test: str = ""
    splitter: str = "fast"
    depth: Annotated[int, msgspec.Meta(ge=2, le=1000)] = 100
    k1: Annotated[float, msgspec.Meta(ge=0, le=100)] = 1.2
    b: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.75


def make(paths: Sequence[PathLike], recipe: PoolRecipe) -> Imported:
    """The instances, from golden files, folders or archives of them. Memory: all of their snippets."""
    source = layout.imported(paths, parts=parts_of(recipe))
    findings = source.findings
    questions = {split: list(instances) for split, instances in source.splits.items()}
    snippets = [snippet for each in questions.values() for one in each for snippet in one.snippets]
    if outside := sum(not is_placed(snippet) for snippet in snippets):
        findings.add("snippet_outside_pool", count=outside)
    documents = pooled(snippets, splitter(recipe.splitter))
    addresses = [*documents]
    texts = (" ".join(one.text for one in own) for own in documents.values())
    ranking = Pool(texts, k1=recipe.k1, b=recipe.b)

    def of(split: str) -> Iterator[EvidenceInstance]:
        with Progress(f"documents for {split}", len(questions[split]), "questions") as bar:
            for question in questions[split]:
                best = [*islice(ranking.scored(question.question), recipe.depth)]
                if best:
                    scores = {addresses[at]: score for at, score in best}
                    instance, lacking = _instance(question, documents, scores)
                    if lacking:
                        findings.add("relevant_not_retrieved", count=lacking)
                    yield instance
                else:
                    findings.refuse(question.id, "nothing_retrieved", "no document shares a word with it")
                bar.advance()

    splits = {split: of(split) for split in questions}
    return Imported(splits, {}, source.inputs, findings, choices={"documents": len(documents)})


def pooled(snippets: Iterable[Snippet], cut: Splitter) -> dict[str, list[PlacedSentence]]:
    """Address → sentences of the documents of the snippets that have a place, by first appearance."""
    of_document: dict[str, dict[tuple[int, int, str], Snippet]] = {}
    for snippet in snippets:
        if snippet.text.strip() and is_placed(snippet):
            place = _SECTIONS[snippet.begin_section], snippet.begin or 0, snippet.text
            of_document.setdefault(snippet.pmid, {}).setdefault(place, snippet)
    return {
        _ADDRESS.format(pmid): [*_sentences([own[place] for place in sorted(own)], cut)]
        for pmid, own in of_document.items()
    }


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
                kept[plain] = PlacedSentence(snippet.begin_section, start, text, plain)
    return iter(kept.values())


def _instance(
    question: QuestionInstance, documents: Mapping[str, Sequence[PlacedSentence]], scores: Mapping[str, float]
) -> tuple[EvidenceInstance, int]:
    """The question with its best documents, and how many relevant ones are not among these. scores: by address."""
    gold: dict[str, set[str]] = {}
    for snippet in question.snippets:
        if text := cleaned(snippet.text):
            gold.setdefault(_ADDRESS.format(snippet.pmid), set()).add(text)
    placed = [(address, one) for address in scores for one in documents[address]]
    sentences = tuple(
        SourceSentence(
            address,
            "",
            one.text,
            any(one.plain in text or text in one.plain for text in gold.get(address, ())),
        )
        for address, one in placed
    )
    retrieval = Retrieval(
        tuple(scores.values()),
        tuple(one.section for _, one in placed),
        tuple(one.begin for _, one in placed),
        tuple(gold),
        question.snippets,
    )
    return EvidenceInstance(question.id, question.question, sentences, retrieval), len(gold.keys() - scores)


BUILDER = Builder(recipe=PoolRecipe, make=make)
