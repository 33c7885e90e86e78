"""Cloze questions to look at: their size beside the paper's and their shortcuts; and one instance.

A dataset's report is made of its receipt, the statistics of its instances (BIOMRC, Table 2) and the structural shortcut
card. An instance is shown with gold, people's and systems' answers (BIOMRC, Figures 1 and 4).

In the names view the passage is the original text, every mention marked and numbered; in the global and the
local view it is what a reader gets, and the local view hides the names, as Setting B does from people.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from anagnosis.datasets.biomrc import statistics
from anagnosis.datasets.biomrc.layout import published_size
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER, ClozeInstance, PassageMention
from anagnosis.datasets.kinds.cloze_views import PSEUDO, placeholder_start, view
from anagnosis.datasets.shortcuts import Shortcut, card
from anagnosis.reports.datasets.dataset import drops, repairs, sized_report
from anagnosis.reports.datasets.shortcuts import shortcut_table
from anagnosis.reports.datasets.shown import (
    NO_ANSWER,
    SYSTEMS,
    Asked,
    Chosen,
    GivenAnswer,
    Shown,
    fingerprints,
)
from anagnosis.reports.report import Cell, Column, Heading, Item, Listing, Report, Run, Table, Text, item

_TOKEN = re.compile(rf"{PSEUDO.pattern}|{PLACEHOLDER}")


def dataset_report(
    dataset: Dataset,
    columns: Mapping[str, statistics.Column],
    shortcuts: Sequence[Shortcut],
    fingerprints: Mapping[str, str],
    *,
    beside: str = "large",
) -> Report:
    """What `show` shows. columns: of `statistics.statistics`; fingerprints: split → its own;
    beside: which published dataset stands beside it ("large", "lite", "tiny", or "" for none).
    """
    receipt = dataset.receipt
    return sized_report(
        dataset,
        size_table(columns, beside),
        *drops(receipt),
        *repairs(receipt),
        Heading("Shortcuts"),
        Text(
            "Instances that can be answered without reading: counts of the dataset, independent of readers."
        ),
        shortcut_table(shortcuts),
        splits=fingerprints,
    )


def size_table(columns: Mapping[str, statistics.Column], beside: str) -> Table:
    """Table 2: our splits and their total, and beside them the published figures."""
    own = statistics.table(columns)
    theirs = statistics.published()[beside] if beside else ()
    names = list(theirs[0].values) if theirs else []
    rows: list[tuple[Cell, ...]] = []
    for number, line in enumerate(own):
        published = [theirs[number].values[name] for name in names]
        rows.append((line.label, *line.values.values(), *published))
    label = f"{beside.upper()} " if beside else ""
    return Table(
        f"Table 2 of BIOMRC for this dataset{f', beside the published {beside.upper()}' if beside else ''}",
        (
            Column(""),
            *(Column(split, "number") for split in columns),
            *(Column(label + name, "number") for name in names),
        ),
        tuple(rows),
        ("Lengths are in white-space tokens of the text with @entityN and XXXX in it.",),
    )


def instance_report(
    instance: ClozeInstance,
    answers: Iterable[GivenAnswer] = (),
    *,
    split: str,
    view_name: str,
    text_form: str,
    numbering: str = "global",
) -> Report:
    """Facts, passage, question, candidates and answers of one instance, as the view shows them."""
    given = sorted(answers, key=lambda answer: answer.group == SYSTEMS)  # people first, as in Figure 4
    viewed = view(instance, view_name, text_form, numbering=numbering)
    if view_name == "names":
        tokens = tuple(f"@entity{candidate.number}" for candidate in instance.candidates)
        passage = _marked(instance.passage, instance.mentions, tokens)
        question = _asked(instance, tokens)
        shown = [Run(name, place, tokens[place]) for place, name in enumerate(viewed.candidates)]
    else:
        tokens = viewed.candidates
        passage = _found(viewed.passage, tokens)
        question = _found(viewed.question, tokens)
        shown = [Run(token, place) for place, token in enumerate(tokens)]
    gold = Item("answer", _gold(instance, shown, view_name))
    asked = (Item("passage", passage), Item("question", question), gold)
    return Report(
        f"Instance {instance.id}",
        (
            Listing(_facts(instance, split, view_name)),
            Listing((*asked, *_answers(given, shown, instance.answer)), "Passage and question"),
            _candidates(instance, tokens, given, view_name),
        ),
    )


def document_report(document: str, instances: Sequence[tuple[str, ClozeInstance]]) -> Report:
    """The questions made of one document, each with its id, by which it can be shown. instances: (split, instance)."""
    rows = tuple(
        (
            instance.id,
            split,
            instance.question,
            None if instance.answer is None else "; ".join(instance.candidates[instance.answer].names),
        )
        for split, instance in instances
    )
    columns = (Column("id"), Column("split"), Column("question"), Column("answer"))
    return Report(f"Document {document}", (Table("Its instances", columns, rows),))


def _facts(instance: ClozeInstance, split: str, view_name: str) -> tuple[Item, ...]:
    facts = {"document": instance.document, "date": instance.date, "split": split, "view": view_name}
    facts["labels"] = ", ".join(instance.labels)
    return tuple(item(name, text) for name, text in facts.items() if text)


def _marked(text: str, mentions: Sequence[PassageMention], tokens: Sequence[str]) -> tuple[Run, ...]:
    """The text with each mention's spans marked; what overlaps an earlier span stays as it is."""
    runs: list[Run] = []
    place = 0
    spans = sorted((start, end, mention.candidate) for mention in mentions for start, end in mention.spans)
    for start, end, candidate in spans:
        if start >= place:
            runs += [Run(text[place:start]), Run(text[start:end], candidate, tokens[candidate])]
            place = end
    return tuple(run for run in (*runs, Run(text[place:])) if run.text)


def _asked(instance: ClozeInstance, tokens: Sequence[str]) -> tuple[Run, ...]:
    """The question with its visible mentions marked and its placeholder strong."""
    start = placeholder_start(instance)
    runs: list[Run] = []
    place = 0
    for run in _marked(instance.question, instance.question_mentions, tokens):
        inside = start - place
        if run.entity is None and 0 <= inside < len(run.text):
            after = run.text[inside + len(PLACEHOLDER) :]
            runs += [Run(run.text[:inside]), Run(PLACEHOLDER, strong=True), Run(after)]
        else:
            runs.append(run)
        place += len(run.text)
    return tuple(run for run in runs if run.text)


def _found(text: str, tokens: Sequence[str]) -> tuple[Run, ...]:
    """A text that holds tokens already: the candidates' are marked, the placeholder is strong."""
    places = {token: place for place, token in enumerate(tokens)}
    runs: list[Run] = []
    place = 0
    for found in _TOKEN.finditer(text):
        runs.append(Run(text[place : found.start()]))
        runs.append(Run(found[0], places.get(found[0]), strong=found[0] == PLACEHOLDER))
        place = found.end()
    return tuple(run for run in (*runs, Run(text[place:])) if run.text)


def _gold(instance: ClozeInstance, shown: Sequence[Run], view_name: str) -> tuple[Run, ...]:
    if instance.answer is None:
        return (Run("withheld, or no candidate fits"),)
    if view_name == "local" or not instance.answers:
        return (shown[instance.answer],)
    return (shown[instance.answer], Run(f" (hidden: {', '.join(instance.answers)})"))


def _answers(given: Iterable[GivenAnswer], shown: Sequence[Run], gold: int | None) -> list[Item]:
    """A line for each group, in order of appearance."""
    groups: dict[str, list[Run]] = {}
    for answer in given:
        runs = groups.setdefault(answer.group, [])
        runs.append(Run(f"{'; ' if runs else ''}{answer.who}: "))
        runs.append(Run(answer.note or NO_ANSWER) if answer.candidate is None else shown[answer.candidate])
        if answer.candidate is not None and gold is not None:
            runs.append(Run(" ✓" if answer.candidate == gold else " ✗"))
    return [Item(f"answers of {group}", tuple(runs)) for group, runs in groups.items()]


def _candidates(
    instance: ClozeInstance, tokens: Sequence[str], given: Sequence[GivenAnswer], view_name: str
) -> Table:
    """A row for each candidate; the local view hides what Setting B hides: names, types and keys."""
    places = range(len(tokens))
    columns: list[tuple[Column, Sequence[Cell]]] = [(Column("candidate"), tokens)]
    if view_name != "local":
        columns.append((Column("names"), ["; ".join(candidate.names) for candidate in instance.candidates]))
        columns.append((Column("type"), [candidate.type for candidate in instance.candidates]))
        columns.append((Column("key"), [candidate.key for candidate in instance.candidates]))
    mentions = Counter(mention.candidate for mention in instance.mentions)
    columns.append((Column("mentions", "count"), [mentions[place] for place in places]))
    columns.append((Column("gold"), ["answer" if place == instance.answer else None for place in places]))
    if given:
        chosen = [", ".join(answer.who for answer in given if answer.candidate == place) for place in places]
        columns.append((Column("chosen by"), chosen))
    rows = zip(*(cells for _, cells in columns), strict=True)
    return Table("Candidates", tuple(column for column, _ in columns), tuple(rows))


def _dataset(dataset: Dataset, asked: Asked) -> Report:
    asked.refuse_topics(dataset)

    def splits() -> dict[str, Iterator[ClozeInstance]]:
        return {split: store.instances(dataset, split, of=ClozeInstance) for split in dataset.rows}

    columns = statistics.statistics(splits(), text_form=dataset.text_form, numbering=dataset.numbering)
    return dataset_report(
        dataset,
        columns,
        card(splits()),
        fingerprints(dataset),
        beside=asked.beside or published_size(dataset),
    )


def _instance(chosen: Chosen) -> Report:
    dataset = chosen.dataset
    return instance_report(
        chosen.instance,
        chosen.answers(),
        split=chosen.split,
        view_name=chosen.view or ("names" if dataset.text_form == "original" else dataset.numbering),
        text_form=dataset.text_form,
        numbering=dataset.numbering,
    )


SHOWN = Shown(_dataset, _instance, document_report)
