"""Decisions to look at: Tables 1 to 3 of PubMedQA beside the published figures, topics (Figure 3), what the receipt
counts; samples; and one instance with the labels of gold, people and systems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.decision import LABELS, DecisionInstance, Subset
from anagnosis.datasets.pubmedqa.characteristics import QUESTION_TYPE, Characteristics
from anagnosis.datasets.pubmedqa.samples import Samples
from anagnosis.datasets.pubmedqa.statistics import PUBLISHED, Statistics, statistics
from anagnosis.documents.formats.detect import suffixes
from anagnosis.documents.reading import documents
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.evaluation.over_represented import Topic, over_represented
from anagnosis.input_files import input_files
from anagnosis.language.words import counter
from anagnosis.paths import PathLike
from anagnosis.reports.datasets.dataset import drops, repairs, sized_report
from anagnosis.reports.datasets.question_types import label_blocks, type_blocks
from anagnosis.reports.datasets.shown import (
    NO_ANSWER,
    SYSTEMS,
    Asked,
    Chosen,
    GivenAnswer,
    Shown,
    fingerprints,
)
from anagnosis.reports.report import (
    Block,
    Cell,
    Column,
    Heading,
    Item,
    Listing,
    Plot,
    Report,
    Run,
    Table,
    Text,
    item,
)

TOPICS = 20
_ROWS = {
    "instances": "Number of QA pairs",
    "yes": "Prop. of yes (%)",
    "no": "Prop. of no (%)",
    "maybe": "Prop. of maybe (%)",
    "question": "Avg. question length",
    "context": "Avg. context length",
    "long": "Avg. long answer length",
}


def decisions_report(
    dataset: Dataset,
    found: Mapping[Subset, Statistics],
    counted: str,
    fingerprints: Mapping[str, str],
    topics: tuple[int, Sequence[Topic]] | None = None,
    labels: Characteristics | None = None,
    samples: Mapping[Subset, Sequence[DecisionInstance]] | None = None,
) -> Report:
    """What `show` shows. counted: the way in which words were counted (language/words.py).

    topics: those over-represented against so many other documents, None where there was nothing to compare with.
    labels: of a user's file. samples: of each subset, to be shown.
    """
    labelled = [("labels", labels.file.described(labels.instances))] if labels is not None else []
    return sized_report(
        dataset,
        size_table(found, counted),
        *sample_blocks(samples or {}),
        *(() if labels is not None and QUESTION_TYPE in labels.file.columns else type_blocks(found)),
        *(label_blocks(labels) if labels is not None else ()),
        *(block for subset, own in found.items() if own.topics for block in _topics(subset, own)),
        *(_over_represented(*topics) if topics is not None else ()),
        *drops(dataset.receipt),
        *repairs(dataset.receipt),
        further=(*_dates(found), *labelled),
        splits=fingerprints,
    )


def size_table(found: Mapping[Subset, Statistics], counted: str) -> Table:
    """Table 1: each subset here, and the published one beside it."""
    columns = [Column("")]
    cells: list[Sequence[float | None]] = []
    for subset, own in found.items():
        columns += [Column(f"PQA-{subset} here", "number"), Column(f"PQA-{subset} published", "number")]
        cells.append([*own.figures().values()])
        cells.append([PUBLISHED[subset].get(name) for name in _ROWS])
    rows: list[tuple[Cell, ...]] = [
        (label, *(values[number] for values in cells)) for number, label in enumerate(_ROWS.values())
    ]
    how = (
        "Lengths are in words as NLTK's word_tokenize counts them, as in the paper."
        if counted == "treebank"
        else "Lengths are in words that blanks separate, which are fewer than the paper's: for its way of counting, "
        'pip install "anagnosis[punkt]".'
    )
    return Table("Table 1 of PubMedQA for this dataset", tuple(columns), tuple(rows), (how,))


def _topics(subset: Subset, own: Statistics) -> Iterator[Block]:
    # Of topics that are as frequent the first by name, so that each run shows the same ones.
    most = sorted(own.topics.items(), key=lambda topic: (-topic[1], topic[0]))[:TOPICS]
    rows: list[tuple[Cell, ...]] = [(name, count, count / own.instances) for name, count in most]
    yield Heading(f"Topics of PQA-{subset}")
    columns = (Column("descriptor"), Column("instances", "count"), Column("share (%)", "percent"))
    yield Plot(
        f"The most frequent topics of PQA-{subset}",
        f"MeSH descriptors, of {len(own.topics):,} different ones; Figure 3 of PubMedQA.",
        "share_of_each",
        Table(f"Topics of PQA-{subset}, the numbers", columns, tuple(rows)),
        open=True,
    )


def _over_represented(documents: int, topics: Sequence[Topic]) -> Iterator[Block]:
    yield Heading("Over-represented topics")
    yield Table(
        f"Topics more frequent here than in {documents:,} other documents",
        (
            Column("descriptor"),
            Column("here (%)", "percent"),
            Column("there (%)", "percent"),
            Column("z", "number"),
            Column("p, two-tailed", "p"),
            Column("Holm", "p"),
        ),
        tuple((t.name, t.here, t.there, t.z, t.p, t.holm) for t in topics),
        (
            "Two-proportion z-tests at .05, Holm's correction over all descriptors of which five or more are "
            "expected on each side (PubMedQA, appendix B). Only what has descriptors counts.",
        ),
    )


def _dates(found: Mapping[Subset, Statistics]) -> Iterator[tuple[str, str]]:
    for subset, own in found.items():
        without = f" ({own.instances - own.dated:,} without)" if own.dated < own.instances else ""
        yield f"dates, PQA-{subset}", f"{own.first_date} to {own.last_date}{without}" if own.dated else ""


_SAW = {"reasoning_free": "with the long answer", "reasoning_required": "without the long answer"}


LONGEST_SAMPLE = 280  # letters of a section; Figure 1 of the paper cuts about there
CUT = " […]"


def decision_report(instance: DecisionInstance, answers: Iterable[GivenAnswer] = (), *, split: str) -> Report:
    """Facts, question, context by section, long answer; who answered what."""
    facts = {
        "document": instance.id,
        "subset": f"PQA-{instance.subset}",
        "date": instance.date,
        "split": split,
        "mesh": ", ".join(instance.mesh),
    }
    asked = [
        *_title(instance),
        Item("question", (Run(instance.question, strong=True),)),
        *(item(section.label or "context", section.text) for section in instance.context),
        item("long answer", instance.long_answer or "withheld"),
    ]
    labels = [item("label", instance.label or "none")]
    labels += [
        item(f"{name} ({_SAW[name]})" if name in _SAW else name, of) for name, of in instance.annotators
    ]
    for given in sorted(answers, key=lambda answer: answer.group == SYSTEMS):
        label = given.note or NO_ANSWER if given.candidate is None else LABELS[given.candidate]
        labels.append(item(given.who, f"{label}, right" if instance.label == label else label))
    return Report(
        f"Instance {instance.id}",
        (
            Listing(tuple(item(name, text) for name, text in facts.items() if text)),
            Listing(tuple(asked), "Question and context"),
            Listing(tuple(labels), "Yes, no or maybe"),
        ),
    )


def sample_blocks(samples: Mapping[Subset, Sequence[DecisionInstance]]) -> Iterator[Block]:
    """Some instances of each subset with their sections cut, as Figure 1 and Table 2 have them."""
    if not any(samples.values()):
        return
    yield Heading("Samples")
    yield Text(
        f"Drawn at random by the seed. Sections of more than {LONGEST_SAMPLE} letters end in{CUT}.", "note"
    )
    for subset, instances in samples.items():
        for instance in instances:
            yield Listing(tuple(_sampled(instance)), f"PQA-{subset}: {instance.id}")


def _sampled(instance: DecisionInstance) -> Iterator[Item]:
    yield from _title(instance)
    yield Item("question", (Run(cut(instance.question), strong=True),))
    for section in instance.context:
        yield item(cut(section.label or "context", 40), cut(section.text))
    yield item("long answer", "withheld" if instance.long_answer is None else cut(instance.long_answer))
    yield item("label", instance.label or "none")


def _title(instance: DecisionInstance) -> list[Item]:
    """The statement that became the question, as Table 2 has it."""
    return [] if instance.title is None else [item("title", cut(instance.title))]


def cut(text: str, longest: int = LONGEST_SAMPLE) -> str:
    """The text, or its beginning up to a blank and a mark that more follows."""
    text = " ".join(text.split())
    if len(text) <= longest:
        return text
    return text[:longest].rsplit(" ", 1)[0] + CUT


def _dataset(dataset: Dataset, asked: Asked) -> Report:
    name, count = counter()
    characteristics = None if asked.labels is None else Characteristics(asked.labels)
    drawn = Samples(asked.samples, asked.seed)

    def watched() -> Iterator[DecisionInstance]:
        for split in dataset.rows:
            for instance in store.instances(dataset, split, of=DecisionInstance):
                drawn.add(instance)
                if characteristics is not None:
                    characteristics.add(instance)
                yield instance

    found = statistics(watched(), count)
    topics = _compared_topics(dataset, found, asked.against) if asked.against else None
    return decisions_report(
        dataset, found, name, fingerprints(dataset), topics, characteristics, drawn.drawn()
    )


def _compared_topics(
    dataset: Dataset, found: Mapping[Subset, Statistics], against: Sequence[PathLike]
) -> tuple[int, list[Topic]]:
    """(documents with topics that are not in the dataset, the topics that the dataset has more often)."""
    own = {ident for ident, _ in store.ids_and_keys(dataset, store.ALL)}
    there: Counter[str] = Counter()
    read = 0
    for _, path in input_files(against, suffixes()):
        for document in documents(path, Repairs()):
            if document.id in own:
                continue
            topics = {topic for topic in document.facts.get("mesh", "").split("; ") if topic}
            there.update(topics)
            read += bool(topics)
    here: Counter[str] = Counter()
    for subset in found.values():
        here.update(subset.topics)
    instances = sum(subset.with_topics for subset in found.values())
    if not read or not instances:
        raise InputError(
            "there are no MeSH headings on one side", "--against", "name MEDLINE files that have them"
        )
    return read, over_represented(here, instances, there, read)


def _instance(chosen: Chosen) -> Report:
    chosen.refuse_view()
    return decision_report(chosen.instance, chosen.answers(), split=chosen.split)


SHOWN = Shown(_dataset, _instance, samples=3)  # as Table 2 and Figure 1 of PubMedQA show a few
