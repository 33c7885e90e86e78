"""Cloze questions to look at: their size beside the paper's and their shortcuts; and one instance.

A dataset's report has the statistics of its instances (BIOMRC, Table 2; BioRead, Table 1) and the structural shortcut
card. An instance is shown with gold, people's and systems' answers (BIOMRC, Figures 1 and 4): in the names view every
mention is marked in the original text, in others the text is what a reader gets; the local view hides the names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from anagnosis.datasets.cloze_statistics import ClozeStatistics, table
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER, PSEUDO, ClozeInstance, PassageMention
from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.evaluation.dataset_statistics import SYSTEMS, GivenAnswer, InstanceWithAnswers
from anagnosis.reports.datasets.dataset import NO_ANSWER, shortcut_table
from anagnosis.reports.report import Block, Cell, ColumnOf, Heading, Report, Run, Table, Text, listing
from anagnosis.reports.report import table as table_of

_TOKEN = re.compile(rf"{PSEUDO.pattern}|{PLACEHOLDER}")
_GAP = -1  # in place of a candidate
_PLACEHOLDER = Run(PLACEHOLDER, strong=True)


def statistics_blocks(record: ClozeStatistics) -> Iterator[Block]:
    """The size and the shortcuts of a dataset."""
    yield size_table(record)
    yield Heading("Shortcuts")
    yield Text(
        "Instances that can be answered without reading: counts of the dataset, independent of readers."
    )
    yield shortcut_table(record.shortcuts)


def size_table(record: ClozeStatistics) -> Table:
    """The splits and their total, and beside them a published set, if any, under the names of its paper."""
    beside = record.beside
    words = (beside.passage, beside.question) if beside else ("passage", "question")
    names, title = [*record.splits], "Size of the dataset"
    rows = [(label, [*figures]) for label, figures in table(record.splits, *words)]
    if beside is not None:
        title = f"This dataset beside the published {beside.name}, {beside.table}"
        names += [f"{beside.name} {column}" for column in beside.columns]
        for (label, cells), (_, figures) in zip(rows, table(beside.columns, *words), strict=True):
            cells += [
                _published(figure, rounded=beside.rounded and label == "Instances") for figure in figures
            ]

    def of_split(place: int) -> ColumnOf:
        return names[place], "number", lambda row: row[1][place]

    note = "Lengths are in white-space tokens of the text with @entityN and XXXX in it."
    columns: list[ColumnOf] = [("", lambda row: row[0]), *map(of_split, range(len(names)))]
    return table_of(title, columns, rows, notes=(note,))


def _published(figure: float | None, *, rounded: bool) -> Cell:
    """The figure, with a tilde where the paper rounds it."""
    return f"~{figure:,}" if rounded and figure is not None else figure


def instance_report(record: InstanceWithAnswers[ClozeInstance]) -> Report:
    """Facts, passage, question, candidates and answers of one instance, as the view shows them."""
    instance, view_name = record.instance, str(record.view)
    viewed: Viewed = record.viewed
    # People first, as in Figure 4.
    given = sorted(record.answers, key=lambda answer: answer.group == SYSTEMS)
    facts = {"document": instance.document, "date": instance.date, "split": record.split, "view": view_name}
    facts["labels"] = ", ".join(instance.labels)
    if view_name == "names":
        tokens = [f"@entity{candidate.number}" for candidate in instance.candidates]
        passage, question = _named(instance, viewed, tokens)
        shown = [Run(name, place, tokens[place]) for place, name in enumerate(viewed.candidates)]
    else:
        both = view_name == "both"
        tokens = [token.partition(" ")[0] if both else token for token in viewed.candidates]
        passage, question = _found(viewed.passage, tokens), _found(viewed.question, tokens)
        shown = [Run(token, place) for place, token in enumerate(viewed.candidates)]
    gold = _gold(instance, shown, view_name)
    asked = [("passage", passage), ("question", question), ("answer", gold)]
    answers = _answers(given, shown, instance.answer)
    blocks = (
        listing(facts.items()),
        listing([*asked, *answers], "Passage and question"),
        _candidates(instance, tokens, given, view_name),
    )
    return Report(f"Instance {instance.id}", blocks)


def _marked(
    text: str, mentions: Iterable[PassageMention], tokens: Sequence[str], gap: int | None = None
) -> tuple[Run, ...]:
    """The text with the spans of each candidate's mentions marked; what overlaps an earlier span stays as it is.

    gap: where the placeholder begins, which is strong.
    """
    spans = [
        (start, end, each.candidate) for each in mentions for start, end in each.spans if each.candidate >= 0
    ]
    if gap is not None:
        spans.append((gap, gap + len(PLACEHOLDER), _GAP))
    runs: list[Run] = []
    place = 0
    for start, end, candidate in sorted(spans):
        if start >= place:
            found = Run(text[start:end], candidate, tokens[candidate]) if candidate != _GAP else _PLACEHOLDER
            runs += [Run(text[place:start]), found]
            place = end
    return tuple(run for run in (*runs, Run(text[place:])) if run.text)


def _named(
    instance: ClozeInstance, viewed: Viewed, tokens: Sequence[str]
) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """Passage and question with their mentions marked; the spans of a mention are apart in an original text."""
    if viewed.passage == instance.passage:
        mentions, asked = instance.mentions, instance.question_mentions
    else:
        mentions, asked = (
            tuple(PassageMention(((start, end),), candidate) for start, end, candidate in places)
            for places in (viewed.mentions, viewed.question_mentions)
        )
    question = _marked(viewed.question, asked, tokens, viewed.placeholder[0])
    return _marked(viewed.passage, mentions, tokens), question


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


def _answers(
    given: Iterable[GivenAnswer], shown: Sequence[Run], gold: int | None
) -> Iterator[tuple[str, list[Run]]]:
    """A line for each group, in order of appearance."""
    groups: dict[str, list[Run]] = {}
    for answer in given:
        runs = groups.setdefault(answer.group, [])
        runs.append(Run(f"{'; ' if runs else ''}{answer.name}: "))
        runs.append(Run(answer.note or NO_ANSWER) if answer.candidate is None else shown[answer.candidate])
        if answer.candidate is not None and gold is not None:
            runs.append(Run(" ✓" if answer.candidate == gold else " ✗"))
    return ((f"answers of {group}", runs) for group, runs in groups.items())


def _candidates(
    instance: ClozeInstance, tokens: Sequence[str], given: Sequence[GivenAnswer], view_name: str
) -> Table:
    """A row for each candidate; the local view hides what Setting B hides: names, types and keys."""
    candidates = instance.candidates
    mentions = Counter(mention.candidate for mention in instance.mentions)
    hidden: list[ColumnOf] = [
        ("names", lambda place: "; ".join(candidates[place].names)),
        ("type", lambda place: candidates[place].type),
        ("key", lambda place: candidates[place].key),
    ]
    chosen: list[ColumnOf] = [
        ("chosen by", lambda place: ", ".join(each.name for each in given if each.candidate == place))
    ]
    return table_of(
        "Candidates",
        [
            ("candidate", lambda place: str(tokens[place])),
            *(hidden if view_name != "local" else []),
            ("mentions", "count", lambda place: mentions[place]),
            ("gold", lambda place: "answer" if place == instance.answer else None),
            *(chosen if given else []),
        ],
        range(len(tokens)),
    )
