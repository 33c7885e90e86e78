"""BioASQ's questions with the sentences of their gold snippets, and of the best-ranking ones of other questions.

A question's own snippets hold the answer, sentence by sentence. Beside them stand the sentences of the snippets that
rank best for it (bm25.py) among those that experts marked for other questions. No snippet of a question that is
tested is seen by one that is not.

Not taken as such: a snippet that the question's own contain or that contains one of them, one of a question that asks
the same, and a sentence that stands in a gold snippet too. A snippet's document has no title here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Literal

import msgspec

from anagnosis.datasets.bioasq import layout
from anagnosis.datasets.bioasq.bm25 import Pool
from anagnosis.datasets.bioasq.parts import parts_of, same_question
from anagnosis.datasets.definition import Builder
from anagnosis.datasets.export.layouts import Imported
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.datasets.kinds.question import QuestionInstance, Snippet
from anagnosis.datasets.sampling import rank
from anagnosis.io.counts import Counts
from anagnosis.io.paths import PathLike
from anagnosis.language.sentences import splitter
from anagnosis.progress import Progress

_SECTIONS = {"title": 0, "abstract": 1}


class EvidenceRecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """recipes/evidence.toml says what each is."""

    kind: Literal["evidence"] = "evidence"
    train: str = ""
    dev: str = ""
    test: str = ""
    negatives: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 20
    k1: Annotated[float, msgspec.Meta(ge=0, le=100)] = 1.5
    b: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.75
    splitter: str = "fast"


@dataclass(slots=True, eq=False)
class _Pooled:
    """A snippet that differs from the others by its document or text. plain: the text as it is compared.

    asked: the questions, by their words (`same_question`), that it is gold for; untested: whether one of them is not
    tested.
    """

    document: str
    text: str
    plain: str
    order: tuple[int, int]
    asked: set[str] = field(default_factory=set[str])
    untested: bool = False


@dataclass(slots=True)
class _Question:
    instance: QuestionInstance
    words: str
    split: str
    gold: list[_Pooled]


def make(paths: Sequence[PathLike], recipe: EvidenceRecipe) -> Imported:
    """The instances, from golden files, folders or archives of them. Memory: all of their snippets."""
    found = layout.imported(paths, parts=parts_of(recipe))
    cut = splitter(recipe.splitter)

    @cache
    def sentences(text: str) -> list[tuple[str, str]]:
        """(text, as it is compared) of every sentence that holds a word."""
        each = (text[begin:end].strip() for begin, end in cut(text))
        return [(one, plain) for one in each if any(map(str.isalnum, plain := _plain(one)))]

    counts = found.findings
    pool: dict[tuple[str, str], _Pooled] = {}
    asked: list[_Question] = []
    for split, instances in found.splits.items():
        for instance in instances:
            one = _Question(instance, same_question(instance.question), split, [])
            for snippet in instance.snippets:
                if snippet.text.strip():
                    own = _pooled(snippet, pool)
                    own.asked.add(one.words)
                    own.untested |= split != "test"
                    one.gold += [] if own in one.gold else [own]
            asked.append(one)
            if not one.gold:
                counts.refuse(instance.id, "no_snippets", "nothing holds its answer")
    pooled = [*pool.values()]
    ranking = Pool((one.text for one in pooled), k1=recipe.k1, b=recipe.b)

    def of(split: str) -> Iterator[EvidenceInstance]:
        chosen = [one for one in asked if one.split == split and one.gold]
        with Progress(f"evidence of {split}", len(chosen), "questions") as bar:
            for one in chosen:
                others = _others(one, pooled, ranking, recipe.negatives, counts)
                yield _instance(one, others, sentences, counts)
                bar.advance()

    splits = {split: of(split) for split in found.splits}
    return Imported(splits, {}, found.inputs, counts, choices={"pool": len(pooled)})


def _pooled(snippet: Snippet, pool: dict[tuple[str, str], _Pooled]) -> _Pooled:
    """The snippet in the pool, which gets it if it is new."""
    plain = _plain(snippet.text)
    order = _SECTIONS.get(snippet.begin_section, 2), snippet.begin or 0
    return pool.setdefault((snippet.pmid, plain), _Pooled(snippet.pmid, snippet.text, plain, order))


def _others(
    one: _Question, pooled: Sequence[_Pooled], ranking: Pool, wanted: int, counts: Counts
) -> list[_Pooled]:
    """The snippets of other questions that rank best."""
    gold = [each.plain for each in one.gold]
    found: list[_Pooled] = []
    for place, _ in ranking.scored(one.instance.question):
        if len(found) == wanted:
            break
        other = pooled[place]
        if one.words in other.asked or (one.split != "test" and not other.untested):
            continue
        if any(other.plain in text or text in other.plain for text in gold):
            counts.add("snippet_overlaps_gold")
            continue
        found.append(other)
    return found


def _instance(
    one: _Question,
    others: Sequence[_Pooled],
    sentences_of: Callable[[str], list[tuple[str, str]]],
    counts: Counts,
) -> EvidenceInstance:
    """Documents in an order that says nothing, the sentences of each in the document's."""
    held = {plain for snippet in one.gold for _, plain in sentences_of(snippet.text)}
    by_document: dict[str, list[tuple[tuple[int, int], int, bool, _Pooled]]] = {}
    for is_gold, snippets in ((True, one.gold), (False, others)):
        for number, snippet in enumerate(snippets):
            own = by_document.setdefault(snippet.document, [])
            own.append((snippet.order, number, is_gold, snippet))
    sentences: list[SourceSentence] = []
    for document in sorted(by_document, key=lambda name: rank(0, f"{one.instance.id} {name}")):
        own = sorted(by_document[document], key=lambda each: each[:3])
        of_gold = [plain for *_, is_gold, each in own if is_gold for _, plain in sentences_of(each.text)]
        seen: set[str] = set()
        for *_, is_gold, snippet in own:
            for text, plain in sentences_of(snippet.text):
                copied = plain in held or any(plain in each or each in plain for each in of_gold)
                if not is_gold and copied:
                    counts.add("sentence_of_gold")
                elif plain in seen:
                    counts.add("sentence_repeated")
                else:
                    seen.add(plain)
                    sentences.append(SourceSentence(document, "", text, is_gold))
    return EvidenceInstance(one.instance.id, one.instance.question, tuple(sentences))


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


BUILDER = Builder(recipe=EvidenceRecipe, make=make)
