"""Measure readers outside their training, beside what `ask` does without them.

A reader of question types is measured beside the rules, on BioASQ's newest editions; older ones train it. Editions from
FIRST_HELD_OUT on, and files whose name has no edition, do neither. A reader of sentences is measured beside the order
by words:

- SciFact's other claims with evidence, asked over all abstracts that the release cites; gold are the sentences of a
  rationale.
- Questions of BioASQ's newest editions, at most SAMPLE, asked over the joined snippets of all editions but those that
  stay apart; gold are the snippets.

A quoted sentence is gold if it lies in a gold text of the same document, or has one in it. Titles are none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from anagnosis.datasets.bioasq.held_out import edition_of, may_train
from anagnosis.datasets.export.layouts import FewPlaces
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.datasets.scifact import files
from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike
from anagnosis.language.question_kinds import kind_of_question
from anagnosis.progress import Progress
from anagnosis.searching.answers.asking import SHOWN, ask
from anagnosis.searching.answers.readers import NONE, Readers
from anagnosis.searching.fit.collection_fitting import plain
from anagnosis.searching.fit.held_out import (
    DIGITS,
    difference,
    newest_editions,
    scratch_index,
    snippet_collection,
)
from anagnosis.searching.index.index import Index, create_index
from anagnosis.searching.records.passage import Evidence
from anagnosis.searching.records.reader_figures import EvidenceFigures, QuestionTypeFigures
from anagnosis.searching.sentences.highlighting import Highlighter

TRAIN = "train"
FEWEST = 50  # claims or questions with evidence
SAMPLE = 500  # questions of BioASQ


FEWEST_TYPED = 100  # questions with a type


class Parts(NamedTuple):
    """Names of files. newest: measure the reader. apart: stay outside. All others train it."""

    newest: frozenset[str]
    apart: frozenset[str]

    @property
    def data(self) -> str:
        """The newest files, as one phrase."""
        return f"BioASQ ({min(self.newest)} to {max(self.newest)})"


def parts(questions: Iterable[QuestionInstance]) -> Parts:
    """The parts of the questions' files: the newest editions measure (held_out.py)."""
    every = list(questions)
    apart = frozenset(one.file for one in every if not may_train(one.file))
    editions = newest_editions(one for one in every if one.file not in apart)
    newest = frozenset(one.file for one in every if edition_of(one.file) in editions)
    return Parts(newest - apart, apart)


def measured_types(
    questions: Sequence[QuestionInstance], reader: Callable[[str], str], data: str, date: str
) -> QuestionTypeFigures:
    """The figures of a reader. InputError: fewer than FEWEST_TYPED questions have a type."""
    typed = [one for one in questions if one.type]
    if len(typed) < FEWEST_TYPED:
        what = f"{len(typed)} questions outside the training have a type, and {FEWEST_TYPED} are needed to measure"
        raise InputError(what, "BioASQ", "add more of its golden files")
    right = [float(reader(one.question) == one.type) for one in typed]
    by_rules = [float(kind_of_question(one.question) == one.type) for one in typed]
    low, high = difference(right, by_rules)
    return QuestionTypeFigures(
        questions=len(typed),
        accuracy=round(sum(right) / len(typed), DIGITS),
        by_rules=round(sum(by_rules) / len(typed), DIGITS),
        low=round(low, DIGITS),
        high=round(high, DIGITS),
        data=data,
        date=date,
    )


class Posed(NamedTuple):
    """A claim. gold: abstract → its gold sentences, in lower case."""

    claim: str
    gold: Mapping[str, Sequence[str]]


def measure(claims: PathLike | Sequence[PathLike], reader: Highlighter, *, date: str) -> EvidenceFigures:
    """The figures of a reader that was trained on the claims of train. claims: SciFact's files. date: ISO.

    InputError: fewer than FEWEST other claims have evidence.
    """
    found = files.read(claims, FewPlaces())
    names = [name for name in found.splits if name != TRAIN]
    posed = [one for name in names for one in _posed(found, name)]
    if len(posed) < FEWEST:
        what = f"{len(posed)} claims outside train have evidence, and {FEWEST} are needed to measure a reader"
        raise InputError(what, found.inputs[0].name, "add the claims of SciFact's development part")
    with scratch_index(partial(_index, found)) as index:
        return measured(index, posed, reader, f"SciFact, {' and '.join(names)} claims", date)


def measure_on_snippets(
    questions: store.Dataset, reader: Highlighter, *, date: str
) -> EvidenceFigures | None:
    """The figures of a reader on BioASQ's newest questions; None if fewer than FEWEST have snippets. date: ISO."""
    every = [one for one in store.instances(questions, store.ALL, of=QuestionInstance) if one.snippets]
    chosen = parts(every)
    asked = sorted((one for one in every if one.file in chosen.newest), key=_drawn)[:SAMPLE]
    if len(asked) < FEWEST:
        return None
    kept = [one for one in every if one.file not in chosen.apart]
    with scratch_index(partial(snippet_collection, kept)) as index:
        return measured(index, [of_snippets(one) for one in asked], reader, chosen.data, date)


def _drawn(question: QuestionInstance) -> str:
    return sha256(question.id.encode()).hexdigest()


def of_snippets(question: QuestionInstance) -> Posed:
    """The question with the texts of its snippets as gold sentences."""
    gold = dict[str, list[str]]()
    for snippet in question.snippets:
        gold.setdefault(snippet.pmid, []).append(plain(snippet.text).casefold())
    return Posed(question.question, gold)


def measured(
    index: Index, posed: Sequence[Posed], reader: Highlighter, data: str, date: str
) -> EvidenceFigures:
    """The figures of a reader on claims asked of an index."""
    trained = Readers(highlighter=reader)
    here, words = list[tuple[float, float]](), list[tuple[float, float]]()
    with Progress("evidence", len(posed), "questions") as bar:
        for one in posed:
            for credits, readers in ((words, NONE), (here, trained)):
                credits.append(credit(ask(index, one.claim, readers=readers).evidence, one.gold))
            bar.advance()
    low, high = difference([first for first, _ in here], [first for first, _ in words])
    shares = [sum(column) / len(posed) for rows in (here, words) for column in zip(*rows, strict=True)]
    first, recall, first_by_words, recall_by_words = (round(share, DIGITS) for share in shares)
    return EvidenceFigures(
        questions=len(posed),
        documents=index.count().documents,
        first=first,
        first_by_words=first_by_words,
        low=round(low, DIGITS),
        high=round(high, DIGITS),
        recall=recall,
        recall_by_words=recall_by_words,
        data=data,
        date=date,
    )


def credit(quoted: Sequence[Evidence], gold: Mapping[str, Sequence[str]]) -> tuple[float, float]:
    """(whether the first sentence is gold, the share of at most SHOWN gold sentences among the quoted ones)."""
    matches = [[*_gold_of(one, gold)] for one in quoted]
    given = {match for of_one in matches for match in of_one}
    wanted = sum(len(set(sentences)) for sentences in gold.values())
    return float(bool(matches and matches[0])), min(1.0, len(given) / min(SHOWN, wanted))


def _gold_of(one: Evidence, gold: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """The gold sentences, each with its abstract, that a quotation of the text is."""
    if one.stands_in != "text":
        return
    text, document = plain(one.text).casefold(), one.passage.document
    for sentence in gold.get(document, ()):
        if text in sentence or sentence in text:
            yield document, sentence


def _posed(found: files.Files, split: str) -> Iterator[Posed]:
    for _, claim in found.of(split):
        gold = dict[str, list[str]]()
        for document in claim.evidence:
            if abstract := found.abstracts.get(document):
                sentences = [place for place in claim.proving(document) if place < len(abstract.abstract)]
                gold[document] = [plain(abstract.abstract[place]).casefold() for place in sorted(sentences)]
        if any(gold.values()):
            yield Posed(claim.claim, gold)


def _index(found: files.Files, folder: Path) -> Index:
    index, counts = create_index(folder), Counter[str]()
    for ident, abstract in sorted(found.abstracts.items()):
        sections = (
            Section("title", abstract.title),
            Section("abstract", " ".join(map(str.strip, abstract.abstract))),
        )
        index.add(Document(ident, sections), counts)
    index.commit()
    return index
