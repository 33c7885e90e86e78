"""Looking at a dataset or at one of its instances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from anagnosis.api.datasets import load
from anagnosis.errors import InputError
from anagnosis.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
    from anagnosis.datasets.kinds.decision import DecisionInstance, Subset
    from anagnosis.datasets.pubmedqa.statistics import Statistics
    from anagnosis.evaluation.over_represented import Topic
    from anagnosis.reports.datasets.instance import GivenAnswer
    from anagnosis.reports.report import Report


def show(
    dataset: PathLike | Dataset,
    *,
    beside: str | None = None,
    against: Sequence[PathLike] = (),
    labels: PathLike | None = None,
    samples: int = 0,
    seed: int = 0,
) -> Report:
    """Size beside the paper's, drops per rule, repairs; of cloze questions structural shortcuts, of decisions topics
    and question types.

    beside: which published set stands beside it ("large", "lite", "tiny"; default: the one it resembles by name).
    against: of decisions, files of documents with MeSH headings; topics are listed that the dataset has more often.
    labels: of decisions, a file of labels for instances, such as Table 3's (datasets/label_file.py). samples: of
    decisions, how many instances of each subset to show, drawn by seed.
    """
    from anagnosis.datasets import shortcuts
    from anagnosis.datasets.biomrc import statistics
    from anagnosis.datasets.biomrc.layout import published_size
    from anagnosis.datasets.folder import store
    from anagnosis.datasets.kinds.table import DECISION, EVIDENCE, QUESTION
    from anagnosis.reports.datasets.dataset import dataset_report

    opened = load(dataset)
    if opened.kind.name == DECISION:
        return _show_decisions(opened, against, labels, samples, seed)
    if against:
        raise InputError("has no topics to compare", str(opened.folder), "leave --against away")
    if labels is not None or samples:
        what = "labels and samples are shown of questions for yes, no or maybe"
        raise InputError(what, str(opened.folder), "leave --labels and --samples away")
    if opened.kind.name == QUESTION:
        return _show_questions(opened)
    if opened.kind.name == EVIDENCE:
        return _show_evidence(opened)
    forms = {"text_form": opened.text_form, "numbering": opened.numbering}

    def splits() -> dict[str, Iterator[ClozeInstance]]:
        return {split: store.instances(opened, split) for split in opened.rows}

    columns = statistics.statistics(splits(), **forms)
    found = shortcuts.card(splits())
    prints = {split: store.fingerprint(opened, split) for split in opened.rows}
    return dataset_report(opened, columns, found, prints, beside=beside or published_size(opened))


def _show_questions(dataset: Dataset) -> Report:
    from anagnosis.datasets.bioasq.statistics import statistics
    from anagnosis.datasets.folder import store
    from anagnosis.reports.datasets.questions import questions_report

    found = {split: statistics(store.question_instances(dataset, split)) for split in dataset.rows}
    prints = {split: store.fingerprint(dataset, split) for split in dataset.rows}
    return questions_report(dataset, found, prints)


def _show_evidence(dataset: Dataset) -> Report:
    from anagnosis.datasets.folder import store
    from anagnosis.datasets.kinds.evidence_statistics import statistics
    from anagnosis.reports.datasets.evidence import evidence_report

    found = {split: statistics(store.evidence_instances(dataset, split)) for split in dataset.rows}
    prints = {split: store.fingerprint(dataset, split) for split in dataset.rows}
    return evidence_report(dataset, found, prints)


def _show_decisions(
    dataset: Dataset, against: Sequence[PathLike], labels: PathLike | None, samples: int, seed: int
) -> Report:
    from anagnosis.api.scored_systems import labels_of
    from anagnosis.datasets.folder import store
    from anagnosis.datasets.pubmedqa.characteristics import Characteristics
    from anagnosis.datasets.pubmedqa.samples import Samples
    from anagnosis.datasets.pubmedqa.statistics import statistics
    from anagnosis.language.words import counter
    from anagnosis.reports.datasets.decisions import decisions_report

    name, count = counter()
    given = labels_of(dataset, labels)
    told = None if given is None else Characteristics(given)
    drawn = Samples(samples, seed)

    def watched() -> Iterator[DecisionInstance]:
        for split in dataset.rows:
            for instance in store.decisions(dataset, split):
                drawn.add(instance)
                if told is not None:
                    told.add(instance)
                yield instance

    found = statistics(watched(), count)
    prints = {split: store.fingerprint(dataset, split) for split in dataset.rows}
    topics = _over_represented(dataset, found, against) if against else None
    return decisions_report(dataset, found, name, prints, topics, told, drawn.drawn())


def _over_represented(
    dataset: Dataset, found: Mapping[Subset, Statistics], against: Sequence[PathLike]
) -> tuple[int, list[Topic]]:
    """(documents with topics that are not in the dataset, the topics that the dataset has more often)."""
    from collections import Counter

    from anagnosis.api.documents import read
    from anagnosis.datasets.folder import store
    from anagnosis.documents.formats.detect import suffixes
    from anagnosis.evaluation.over_represented import over_represented
    from anagnosis.input_files import input_files

    own = {ident for ident, _ in store.ids_and_keys(dataset, store.ALL)}
    there: Counter[str] = Counter()
    documents = 0
    for _, path in input_files(against, suffixes()):
        for document in read(path):
            if document.id in own:
                continue
            topics = {topic for topic in document.facts.get("mesh", "").split("; ") if topic}
            there.update(topics)
            documents += bool(topics)
    here: Counter[str] = Counter()
    for subset in found.values():
        here.update(subset.topics)
    instances = sum(subset.with_topics for subset in found.values())
    if not documents or not instances:
        raise InputError(
            "there are no MeSH headings on one side", "--against", "name MEDLINE files that have them"
        )
    return documents, over_represented(here, instances, there, documents)


def show_instance(
    dataset: PathLike | Dataset, ident: str, files: Sequence[PathLike] = (), *, view: str | None = None
) -> Report:
    """One instance as BIOMRC's Figures 1 and 4 show it, with gold's, people's and systems' answers from files.

    An id of a document lists the instances that were made of it.
    """
    from anagnosis.datasets.folder import store
    from anagnosis.datasets.gold import ids_of
    from anagnosis.datasets.kinds.table import DECISION, EVIDENCE, QUESTION, lacking
    from anagnosis.files import display_name
    from anagnosis.predictions import fingerprints, match_files, split_of
    from anagnosis.reports.datasets.decision import decision_report
    from anagnosis.reports.datasets.evidence import instance_report as sentences_report
    from anagnosis.reports.datasets.instance import document_report, given_answers, instance_report
    from anagnosis.reports.datasets.questions import question_report

    opened = load(dataset)
    try:
        split, instance = store.find(opened, ident)
    except InputError:
        if files or view or not (instances := store.of_document(opened, ident)):
            raise
        return document_report(ident, instances)
    answers: list[GivenAnswer] = []
    of_sentences: list[tuple[str, list[float | None]]] = []
    if files and opened.kind.name == QUESTION:
        raise lacking(opened.kind, "answers in files", str(opened.folder))
    ids = {name: ids_of(opened, name) for name in opened.rows} if files else {}
    for path in files:
        found = split_of(path, ids, partial(fingerprints, opened))
        if found != split:
            what = f"its answers are for {found}, and {ident} is in {split}"
            raise InputError(what, display_name(path), f"give the file for {split}")
    if files:
        gold, matched = match_files(files, opened, split)
        row = int(gold.ids.rows([ident])[0])
        if opened.kind.name == EVIDENCE:
            of_sentences = [(system.name, gold.scores_of(system.scores, row)) for system in matched]
        else:
            answers = given_answers(matched, row)
    if opened.kind.name in (DECISION, QUESTION, EVIDENCE):
        if view is not None:
            raise InputError("has no views", str(opened.folder), "leave --view away")
        if opened.kind.name == EVIDENCE:
            return sentences_report(instance, of_sentences, split=split)
        if opened.kind.name == QUESTION:
            return question_report(instance, split=split)
        return decision_report(instance, answers, split=split)
    shown = view or ("names" if opened.text_form == "original" else opened.numbering)
    return instance_report(
        instance,
        answers,
        split=split,
        view_name=shown,
        text_form=opened.text_form,
        numbering=opened.numbering,
    )
