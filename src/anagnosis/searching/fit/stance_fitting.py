"""Fit a reader of stances, and measure it on questions that it was not trained on.

Training: questions of PubMedQA's train part with yes or no, each with the best sentence of its conclusion, and
SciFact's train claims, each with a rationale. Yes and no count alike within a source; SciFact counts OF_CLAIMS. Each of
FOLDS parts of the questions is answered by a fit on the others, which chooses the margin: the smallest at which
ACCURACY of the decided ones is right. The figures come from as many questions with yes as with no:

- of the dataset's test part, each with its concluding sentence
- of BioASQ's newest editions, asked over the snippets of all editions that may train; a question has the stance of the
  first paper of its list that has one and counts. The reader fitted on abstracts sees single sentences here, and papers
  that the search ranks, as users' questions have them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import Literal, TypeVar

import msgspec
import numpy as np

from anagnosis.array_types import Floats, Longs
from anagnosis.datasets.bioasq.held_out import edition_of, may_train
from anagnosis.datasets.export.layouts import FewPlaces
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.datasets.kinds.question import YESNO, QuestionInstance
from anagnosis.datasets.scifact import files
from anagnosis.datasets.scifact.verdicts import LABEL_OF
from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError
from anagnosis.evaluation.calibration.newton import logistic, sigmoid
from anagnosis.evaluation.calibration.scaling import Model, cross_fitted
from anagnosis.io.paths import PathLike
from anagnosis.searching.conclusions.about import all_words_of_paper
from anagnosis.searching.conclusions.concluding import concluding_sentence
from anagnosis.searching.conclusions.listing import conclusions
from anagnosis.searching.conclusions.replaced_names import replaced_names
from anagnosis.searching.conclusions.stance import FORMAT, StanceReader, StanceWeights, TrainingData
from anagnosis.searching.conclusions.stance_features import stance_features
from anagnosis.searching.conclusions.stance_guard import forbidden
from anagnosis.searching.fit.held_out import (
    DIGITS,
    each_asked,
    newest_editions,
    scratch_index,
    share,
    snippet_collection,
    without_held_out,
)
from anagnosis.searching.passages import passages
from anagnosis.searching.records.conclusions import (
    OPPOSES,
    SUPPORTS,
    UNCLEAR,
    Conclusion,
    Stance,
    StanceFigures,
)
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.overlap import idf, topic_words
from anagnosis.searching.words import words_of

FOLDS = 10
RIDGE = 10.0
OF_CLAIMS = 0.15  # how much a claim with its rationale counts beside a question of PubMedQA
# Of the decided ones by cross-fitting: above the bar, since a margin chosen there flatters itself.
ACCURACY = 0.92
MARGINS = tuple(round(0.5 + 0.01 * step, 2) for step in range(46))
LEAST_SEEN = 5  # examples that a feature must have
FEWEST = 100  # questions to fit, and to measure
Posed = TypeVar("Posed")
NO_FIGURES = StanceFigures(0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, "", "")


@dataclass(frozen=True, slots=True)
class Example:
    """A question with a concluding sentence. supports: what people decided. counts: its weight in the fit.

    replaces: whether the sentence replaces a name of the question (replaced_names.py).
    """

    question: str
    sentence: str
    supports: bool
    counts: float = 1.0
    replaces: bool = False


def fit(
    questions: store.Dataset, claims: PathLike | Sequence[PathLike] | None = None, *, date: str
) -> StanceWeights:
    """Fit a reader on a dataset's train part and on claims, and measure it on the dataset's test part.

    questions: PubMedQA's labelled ones. claims: SciFact's files. date: of the measurement, ISO.
    InputError: too few questions to fit or to measure.
    """
    train, test = (examples(questions, split) for split in ("train", "test"))
    for split, every in (("train", train), ("test", test)):
        if len(every) < FEWEST:
            what = f"{len(every)} questions with yes or no and a conclusion in {split}, {FEWEST} are needed"
            raise InputError(what, str(questions.folder), "import PubMedQA's ori_pqal.json")
    proofs, digests = _claims(claims) if claims is not None else ([], "")
    mine, others = balanced(train), balanced(proofs, OF_CLAIMS)
    names = _names((*train, *proofs))
    weights = _fitted([*mine, *others], names)
    fingerprint = store.fingerprint(questions, "train")
    sources = [TrainingData(f"{questions.name}, train", fingerprint, len(train))]
    if proofs:
        sources.append(TrainingData("SciFact, train claims", digests, len(proofs)))
    made = StanceWeights(FORMAT, weights, _margin(mine, others, names), tuple(sources), NO_FIGURES)
    return msgspec.structs.replace(
        made, figures=measure(StanceReader(made), test, f"{questions.name}, test", date)
    )


def examples(
    questions: store.Dataset, split: str, labels: Sequence[Literal["yes", "no", "maybe"]] = ("yes", "no")
) -> list[Example]:
    """The questions of a split with one of these labels, each with its paper's best concluding sentence."""
    every = list(store.instances(questions, split, of=DecisionInstance)) if questions.size(split) else []
    papers = {one.id: paper_of(one) for one in every if one.long_answer}
    frequencies = Counter(
        word
        for paper in papers.values()
        for word in frozenset(word for passage in paper for word in words_of(passage.text))
    )
    chosen: list[Example] = []
    for one in every:
        if one.label in labels and one.id in papers:
            words = topic_words(one.question)
            weights = idf(words, [frequencies[word] for word in words], len(papers))
            if best := concluding_sentence(papers[one.id], weights):
                present = all_words_of_paper(papers[one.id])
                replaces = bool(replaced_names(one.question, best.text, present, weights))
                chosen.append(Example(one.question, best.text, one.label == "yes", replaces=replaces))
    return chosen


def paper_of(one: DecisionInstance) -> list[Passage]:
    """The passages of a question's paper with its conclusion, without its title, which is the question."""
    sections = [Section("abstract", part.text, part.label) for part in one.context]
    sections.append(Section("abstract", one.long_answer or "", "CONCLUSIONS"))
    return passages(Document(one.id, tuple(sections)))


def balanced(every: Sequence[Example], whole: float = 1.0) -> list[Example]:
    """The examples, weighted so that both answers count alike and an example counts `whole` on average."""
    yes = sum(one.supports for one in every)
    sizes = {True: yes, False: len(every) - yes}
    return [replace(one, counts=whole * len(every) / (2 * sizes[one.supports])) for one in every]


def measure(reader: StanceReader, test: Sequence[Example], data: str, date: str) -> StanceFigures:
    """The figures over as many examples with yes as with no."""
    drawn = as_many_of_both(test, lambda one: one.supports, lambda one: one.question)
    stances: list[Stance] = [
        UNCLEAR if one.replaces else reader.stance(one.question, one.sentence) for one in drawn
    ]
    return figures_of(stances, [one.supports for one in drawn], data, date)


def measure_over_collection(
    reader: StanceReader, questions: store.Dataset, date: str
) -> StanceFigures | None:
    """The figures over a collection; None if there are too few questions of the newest editions.

    questions: of BioASQ's golden files. date: of the measurement, ISO.
    """
    every = list(store.instances(questions, store.ALL, of=QuestionInstance))
    drawn = drawn_questions(without_held_out(every))
    if len(drawn) < FEWEST:
        return None
    old = [one for one in every if may_train(one.file)]
    stances = list[Stance]()
    with scratch_index(partial(snippet_collection, old)) as index:
        for topic, hits in each_asked(index, [one.question for one in drawn], "stances"):
            listed = conclusions(index, topic, hits, reader, unearned=True).papers
            stances.append(_first_stance(listed))
    editions = sorted({edition_of(one.file) for one in drawn})
    numbers = f"edition{'s' if len(editions) > 1 else ''} {' and '.join(map(str, editions))}"
    data = f"{questions.name}, {numbers}, asked over their snippets"
    return figures_of(stances, [_is_yes(one) for one in drawn], data, date)


def drawn_questions(every: Sequence[QuestionInstance]) -> list[QuestionInstance]:
    """The newest questions with yes or no and a snippet, as many with yes as with no."""
    newest = newest_editions(every)
    asked = [
        one
        for one in every
        if edition_of(one.file) in newest
        and one.type == YESNO
        and one.snippets
        and one.exact
        and one.exact[0][0].lower() in ("yes", "no")
    ]
    return as_many_of_both(asked, _is_yes, lambda one: one.question)


def _is_yes(one: QuestionInstance) -> bool:
    return bool(one.exact) and one.exact[0][0].lower() == "yes"


def _first_stance(papers: Sequence[Conclusion]) -> Stance:
    """The stance of the first paper that counts and has a clear one."""
    for paper in papers:
        if paper.counted and paper.stance is not None and paper.stance != UNCLEAR:
            return paper.stance
    return UNCLEAR


def as_many_of_both(
    every: Iterable[Posed], is_yes: Callable[[Posed], bool], question: Callable[[Posed], str]
) -> list[Posed]:
    """As many with yes as with no: of the commoner answer those whose questions have the least digests."""
    ordered = sorted(every, key=lambda one: sha256(question(one).encode()).hexdigest())
    sides = [[one for one in ordered if is_yes(one) is side] for side in (True, False)]
    return [one for side in sides for one in side[: min(map(len, sides))]]


def figures_of(stances: Sequence[Stance], supports: Sequence[bool], data: str, date: str) -> StanceFigures:
    """The figures of stances. supports: of each question whether people decided yes; as many as not."""
    gold: list[Stance] = [SUPPORTS if one else OPPOSES for one in supports]
    decided = [
        (stance, right) for stance, right in zip(stances, gold, strict=True) if stance in (SUPPORTS, OPPOSES)
    ]
    accuracy, low, high = share([stance == right for stance, right in decided])
    return StanceFigures(
        questions=len(gold),
        decided=round(len(decided) / len(gold), DIGITS) if gold else 0.0,
        accuracy=accuracy,
        low=low,
        high=high,
        majority=0.5,
        f1_of_no=round(_f1(stances, gold, OPPOSES), DIGITS),
        f1_of_yes=round(_f1(stances, gold, SUPPORTS), DIGITS),
        data=data,
        date=date,
    )


def _f1(stances: Sequence[Stance], gold: Sequence[Stance], of: Stance) -> float:
    right = sum(stance == of == truth for stance, truth in zip(stances, gold, strict=True))
    return 2 * right / max(1, stances.count(of) + gold.count(of))


def _claims(path: PathLike | Sequence[PathLike]) -> tuple[list[Example], str]:
    """SciFact's train claims, each with each of its rationales, and the SHA-256 over their files' digests."""
    found = files.read(path, FewPlaces(), wanted=("train",))
    proofs = list(_proofs(found))
    return proofs, sha256("".join(sorted(each.sha256 for each in found.inputs)).encode()).hexdigest()


def _proofs(found: files.Files) -> Iterator[Example]:
    for _, claim in found.of("train"):
        for document, rationales in claim.evidence.items():
            abstract = found.abstracts.get(document)
            for one in rationales if abstract is not None else ():
                if abstract is not None and (label := LABEL_OF.get(one.label)):
                    sentences = [abstract.abstract[place].strip() for place in one.sentences]
                    yield Example(claim.claim, " ".join(sentences), label == "yes")


def _names(every: Iterable[Example]) -> list[str]:
    """The features that enough examples have, in order; "" is the constant."""
    seen = Counter(name for one in every for name in stance_features(one.question, one.sentence))
    return ["", *sorted(name for name, count in seen.items() if count >= LEAST_SEEN)]


def _rows(every: Sequence[Example], names: Sequence[str]) -> Floats:
    """float64 [examples, names]"""
    values = [stance_features(one.question, one.sentence) | {"": 1.0} for one in every]
    return np.array([[row.get(name, 0.0) for name in names] for row in values])


def _fitted(every: Sequence[Example], names: Sequence[str]) -> dict[str, float]:
    found = _solved(_rows(every, names), every)
    return {name: round(float(value), DIGITS) for name, value in zip(names, found, strict=True)}


def _solved(rows: Floats, every: Sequence[Example]) -> Floats:
    right = np.array([float(one.supports) for one in every])
    counts = np.array([one.counts for one in every])
    return logistic(rows, right, RIDGE, counts=counts)


def _margin(mine: Sequence[Example], others: Sequence[Example], names: Sequence[str]) -> float:
    """The least probability of a stance at which ACCURACY of the decided ones is right, with the guard of stance.py."""
    rows, extra = _rows(mine, names), _rows(others, names) if others else np.zeros((0, len(names)))

    def fit_on(kept: Longs) -> Model:
        weights = _solved(np.concatenate([rows[kept], extra]), [*(mine[place] for place in kept), *others])
        return lambda left: sigmoid(rows[left] @ weights)

    probabilities = cross_fitted(np.arange(len(mine)) % FOLDS, fit_on)
    right = (probabilities >= 0.5) == np.array([one.supports for one in mine])
    counts = np.array([one.counts for one in mine])
    likelier = [SUPPORTS if probability >= 0.5 else OPPOSES for probability in probabilities]
    barred = [
        one.replaces or stance in forbidden(one.question, one.sentence)
        for one, stance in zip(mine, likelier, strict=True)
    ]
    sure = np.where(barred, 0.0, np.maximum(probabilities, 1 - probabilities))
    for margin in MARGINS:
        decided = sure >= margin
        if decided.any() and counts[decided] @ right[decided] >= ACCURACY * counts[decided].sum():
            return margin
    return MARGINS[-1]
