"""BioASQ's questions with the sentences of their gold snippets, and of the best-ranking ones of other questions.

A question's own snippets hold the answer, sentence by sentence. Beside them stand the sentences of the snippets that
rank best for it (collection.py) among those that experts marked for other questions. No snippet of a question that is
tested is seen by one that is not.

Not taken as such: a snippet that the question's own contain or that contains one of them, one of a question that asks
the same, and a sentence that stands in a gold snippet too. A snippet's document has no title here.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

import msgspec

from anagnosis.datasets.bioasq import layout
from anagnosis.datasets.bioasq.held_out import HELD_OUT, is_batch, same_question
from anagnosis.datasets.bioasq.parts import batches
from anagnosis.datasets.collection import Pool
from anagnosis.datasets.definition import Builder
from anagnosis.datasets.export.layouts import Imported
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.datasets.kinds.question import QuestionInstance, Snippet
from anagnosis.datasets.sampling import rank
from anagnosis.datasets.splits import SPLITS
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike
from anagnosis.language.sentences import Splitter, splitter
from anagnosis.progress import Progress

KEPT_APART = "kept-apart"  # HELD_OUT, as far as it is among the files
NONE = "none"
_SECTIONS = {"title": 0, "abstract": 1}


class EvidenceRecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """recipes/evidence.toml says what each is."""

    kind: Literal["evidence"] = "evidence"
    held_out: str = KEPT_APART
    dev: str = ""
    train: str = ""
    negatives: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 20
    k1: Annotated[float, msgspec.Meta(ge=0, le=100)] = 1.5
    b: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.75
    splitter: str = "fast"

    def __post_init__(self) -> None:
        if shared := set(self.batches_held_out) & set(batches(self.dev, "dev")):
            raise ValueError(f"{', '.join(sorted(shared))} cannot be both dev and held out")

    @property
    def batches_held_out(self) -> tuple[str, ...]:
        """Those that are named; of the usual ones those that neither dev nor train names."""
        if self.held_out == KEPT_APART:
            other = {*batches(self.dev, "dev"), *batches(self.train, "train")}
            return tuple(batch for batch in HELD_OUT if batch not in other)
        return () if self.held_out == NONE else tuple(batches(self.held_out, "held_out"))


@dataclass(slots=True)
class _Pooled:
    """A snippet that differs from the others by its document or text. plain: the text as it is compared.

    asked: the questions, by their words (`same_question`), that it is gold for; untested: whether one of them is not
    tested. sentences: (text, as it is compared), cut when they are first needed.
    """

    document: str
    text: str
    plain: str
    order: tuple[int, int]
    asked: set[str] = field(default_factory=set[str])
    untested: bool = False
    sentences: list[tuple[str, str]] | None = None


@dataclass(slots=True)
class _Question:
    """split: None where it is asked of no split, and only its snippets are there. gold: places in the pool."""

    instance: QuestionInstance
    words: str
    split: str | None
    gold: list[int]


def make(paths: Sequence[PathLike], recipe: EvidenceRecipe) -> Imported:
    """The instances, from golden files, folders or archives of them. Memory: all of their snippets."""
    found, held_out = _read(paths, recipe)
    cut = splitter(recipe.splitter)
    counts, dropped = found.findings.broken, found.findings.refused
    pool: dict[tuple[str, str], int] = {}
    pooled: list[_Pooled] = []
    asked: list[_Question] = []
    for split, instances in found.splits.items():
        for instance in instances:
            words = same_question(instance.question)
            gold = [_place(snippet, pool, pooled) for snippet in instance.snippets if snippet.text.strip()]
            for place in gold:
                pooled[place].asked.add(words)
                pooled[place].untested |= split != "test"
            part = "test" if split == "test" else _split_of(instance.file, recipe)
            asked.append(_Question(instance, words, part, list(dict.fromkeys(gold))))
    _demand_batches(recipe, {one.instance.file for one in asked})
    ranking = Pool((one.text for one in pooled), k1=recipe.k1, b=recipe.b)
    for one in asked:
        if one.split is None:
            dropped["in_no_split"] += 1
        elif not one.gold:
            found.findings.refuse(one.instance.id, "no_snippets", "nothing holds its answer")

    def of(split: str) -> Iterator[EvidenceInstance]:
        chosen = [one for one in asked if one.split == split and one.gold]
        with Progress(f"evidence of {split}", len(chosen), "questions") as bar:
            for one in chosen:
                others = _others(one, pooled, ranking, recipe.negatives, counts)
                yield _instance(one, [pooled[place] for place in one.gold], others, cut, counts)
                bar.advance()

    there = {one.split for one in asked}
    splits = {split: of(split) for split in SPLITS if split in there}
    choices = {"pool": len(pooled), "held_out": list(held_out)}
    return Imported(splits, {}, found.inputs, found.findings, choices=choices)


def _read(paths: Sequence[PathLike], recipe: EvidenceRecipe) -> tuple[Imported, tuple[str, ...]]:
    """The questions, and the batches that are held out."""
    wanted = recipe.batches_held_out
    if recipe.held_out == KEPT_APART and wanted:
        found = layout.imported(paths)
        wanted = tuple(
            batch for batch in wanted if any(is_batch(file, batch) for file in found.recipe["files"])
        )
        if not wanted:
            return found, ()
    return layout.imported(paths, setting=",".join(wanted) or None), wanted


def _place(snippet: Snippet, pool: dict[tuple[str, str], int], pooled: list[_Pooled]) -> int:
    """Where a snippet lies in the pool, new ones at its end."""
    plain = _plain(snippet.text)
    place = pool.setdefault((snippet.pmid, plain), len(pooled))
    if place == len(pooled):
        order = _SECTIONS.get(snippet.begin_section, 2), snippet.begin or 0
        pooled.append(_Pooled(snippet.pmid, snippet.text, plain, order))
    return place


def _others(
    one: _Question, pooled: Sequence[_Pooled], ranking: Pool, wanted: int, counts: Counter[str]
) -> list[_Pooled]:
    """The snippets of other questions that rank best."""
    gold = [pooled[place].plain for place in one.gold]
    found: list[_Pooled] = []
    for place in ranking.ranked(one.instance.question):
        if len(found) == wanted:
            break
        other = pooled[place]
        if one.words in other.asked or (one.split != "test" and not other.untested):
            continue
        if any(other.plain in text or text in other.plain for text in gold):
            counts["snippet_overlaps_gold"] += 1
            continue
        found.append(other)
    return found


def _instance(
    one: _Question,
    gold: Sequence[_Pooled],
    others: Sequence[_Pooled],
    cut: Splitter,
    counts: Counter[str],
) -> EvidenceInstance:
    """Documents in an order that says nothing, the sentences of each in the document's."""
    held = {plain for snippet in gold for _, plain in _sentences(snippet, cut)}
    by_document: dict[str, list[tuple[tuple[int, int], int, bool, _Pooled]]] = {}
    for is_gold, snippets in ((True, gold), (False, others)):
        for number, snippet in enumerate(snippets):
            own = by_document.setdefault(snippet.document, [])
            own.append((snippet.order, number, is_gold, snippet))
    sentences: list[SourceSentence] = []
    for document in sorted(by_document, key=lambda name: rank(0, f"{one.instance.id} {name}")):
        own = sorted(by_document[document], key=lambda each: each[:3])
        of_gold = [plain for *_, is_gold, each in own if is_gold for _, plain in _sentences(each, cut)]
        seen: set[str] = set()
        for *_, is_gold, snippet in own:
            for text, plain in _sentences(snippet, cut):
                copied = plain in held or any(plain in one or one in plain for one in of_gold)
                if not is_gold and copied:
                    counts["sentence_of_gold"] += 1
                    continue
                if plain in seen:
                    counts["sentence_repeated"] += 1
                    continue
                seen.add(plain)
                sentences.append(SourceSentence(document, "", text, is_gold))
    return EvidenceInstance(one.instance.id, one.instance.question, tuple(sentences))


def _sentences(snippet: _Pooled, cut: Splitter) -> list[tuple[str, str]]:
    """(text, as it is compared) of every sentence that holds a word."""
    if snippet.sentences is None:
        found = ((text := snippet.text[begin:end].strip(), _plain(text)) for begin, end in cut(snippet.text))
        snippet.sentences = [(text, plain) for text, plain in found if any(map(str.isalnum, plain))]
    return snippet.sentences


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _split_of(file: str, recipe: EvidenceRecipe) -> str | None:
    if any(is_batch(file, batch) for batch in batches(recipe.dev, "dev")):
        return "dev"
    named = batches(recipe.train, "train")
    return "train" if not named or any(is_batch(file, batch) for batch in named) else None


def _demand_batches(recipe: EvidenceRecipe, files: set[str]) -> None:
    for key in ("dev", "train"):
        for batch in batches(getattr(recipe, key), key):
            if not any(is_batch(file, batch) for file in files):
                there = ", ".join(sorted(files))
                raise InputError(f"no file of {batch}", f"--set {key}", f"there are {there}")


BUILDER = Builder(recipe=EvidenceRecipe, make=make)
