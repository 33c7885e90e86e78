"""The files that CliCR's programs write for readers: of the Gated-Attention and the Stanford reader, and in CNN's form.

All texts are in lower case, on one line, the title first. In the view `marked` an entity is one token, `@entityw1_w2`;
in `plain` the marks are left out. Candidates are sorted: the programs write them in an arbitrary order.

    ga-reader   {training,validation,test}/ID.question   id, passage, query, answer, each with an empty line; candidates
    sa-reader   {training,validation,test}               query, answer, passage, id, an empty line
    cnn         {train,dev,test}/ID.question             as ga-reader, entities by number, @entityN:name in the end

Training filter: an instance stays where its hidden text is a candidate, else where another of its answers is, and then
the last that is one becomes the answer. It applies to train, in CNN's form to every split.

Source: CliCR's json_to_plain, as its output shows it.

Passage and question have entities between marks, and `@placeholder` for the answer. A mention that touches a letter or
a sign is set apart by a blank, without which no reader of marks finds it. A mention of several spans reaches from the
start of the first to the end of the last.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from anagnosis.datasets.clicr.marks import BEGIN, END, entity_name, entity_tokens
from anagnosis.datasets.clicr.marks import PLACEHOLDER as HIDDEN
from anagnosis.datasets.export.layouts import Exported
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import (
    ENTITY,
    PLACEHOLDER,
    ClozeInstance,
    PassageMention,
    entity_token,
    placeholder_start,
)
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.files import atomic_write
from anagnosis.progress import Progress

Span = tuple[int, int]  # characters, end exclusive
MARKED, PLAIN = "marked", "plain"
_LONGEST_NAME = 240  # bytes of a file's name
_UNSAFE = re.compile(r"[/\\%\x00-\x1f]")
_FOLDERS = {"train": "training", "dev": "validation", "test": "test"}


def marked_passage(instance: ClozeInstance, notes: Counter[str]) -> str:
    """The passage with its entities marked.

    notes: counts texts in which an entity had to be set apart, or which hold the letters of a mark.
    """
    return _marked(instance.passage, _spans(instance.mentions), notes)


def marked_query(instance: ClozeInstance, notes: Counter[str]) -> str:
    """The question with its entities marked. notes: as of `marked_passage`."""
    start = placeholder_start(instance)
    end = start + len(PLACEHOLDER)
    spans = _spans(instance.question_mentions)
    before = [span for span in spans if span[0] < start]
    behind = [(first - end, last - end) for first, last in spans if first >= end]
    left, right = (
        _marked(instance.question[:start], before, notes),
        _marked(instance.question[end:], behind, notes),
    )
    touches_left, touches_right = bool(before) and before[-1][1] == start, bool(behind) and behind[0][0] == 0
    notes["entity_set_apart"] += touches_left or touches_right
    return f"{left}{' ' * touches_left}{HIDDEN}{' ' * touches_right}{right}"


def _spans(mentions: Iterable[PassageMention]) -> list[Span]:
    return [(mention.spans[0][0], mention.spans[-1][1]) for mention in mentions]


def _marked(text: str, spans: Sequence[Span], notes: Counter[str]) -> str:
    pieces: list[str] = []
    done, is_set_apart = 0, False
    for start, end in spans:
        gap = "" if not start or text[start - 1].isspace() else " "
        gap_behind = "" if end == len(text) or text[end].isspace() else " "
        pieces += (text[done:start], gap, BEGIN, text[start:end], END, gap_behind)
        done, is_set_apart = end, is_set_apart or bool(gap or gap_behind)
    notes["entity_set_apart"] += is_set_apart
    notes["text_holds_mark"] += BEGIN in text or END in text
    return "".join((*pieces, text[done:]))


class ReaderInstance(NamedTuple):
    """An instance as the files have it. candidates: sorted; of the passage, then perhaps those of the query."""

    id: str
    passage: str
    query: str
    answer: str
    candidates: list[str]


def reader_instances(
    instances: Iterable[ClozeInstance],
    view: str,
    notes: Counter[str],
    *,
    training_filter: bool = False,
    query_candidates: bool = False,
) -> Iterator[ReaderInstance]:
    """The instances in a view, `marked` or `plain`; neighbours of one passage share the work on it.

    notes: counts what other programs stumble over, and `left_out` of the training filter. query_candidates: the
    entities of the query are candidates too, a second time where the passage has them.
    """
    shown = _VIEWS[view]
    for _, found in groupby(instances, key=lambda each: (each.document, each.passage, each.mentions)):
        passage = ""
        of_passage: list[str] = []
        for place, instance in enumerate(found):
            if not place:
                marked = marked_passage(instance, notes)
                passage, of_passage = shown.text(marked), shown.entities(marked)
            marked = marked_query(instance, notes)
            candidates = of_passage + shown.entities(marked) if query_candidates else of_passage
            if not instance.answers:
                raise InputError(
                    "the layout needs the answer's text", instance.id, "export as parquet or jsonl"
                )
            answers = [shown.answer(answer) for answer in instance.answers]
            answer = answers[0]
            if training_filter and answer not in candidates:
                named = [each for each in answers[1:] if each in candidates]
                if not named:
                    notes["left_out"] += 1
                    continue
                answer = named[-1]
            yield ReaderInstance(instance.id, passage, shown.text(marked), answer, candidates)


def ga_reader(dataset: store.Dataset, out: Path, view: str | None) -> list[Exported]:
    """Write OUT/{training,validation,test}/ID.question. view: `marked` (None) or `plain`."""
    return _questions(dataset, out, view, _FOLDERS, _ga_file)


def cnn(dataset: store.Dataset, out: Path, view: str | None) -> list[Exported]:
    """Write OUT/{train,dev,test}/ID.question. view: `marked`, the only one that the form has."""
    if view not in (None, MARKED):
        raise InputError(f"cnn has marked entities only, not {view!r}", "--view", "leave --view out")
    folders = {split: split for split in _FOLDERS}
    return _questions(dataset, out, view, folders, _cnn_file, of_cnn=True)


def sa_reader(dataset: store.Dataset, out: Path, view: str | None) -> list[Exported]:
    """Write OUT/{training,validation,test}. view: `marked` (None) or `plain`."""
    written: list[Exported] = []
    for split, instances, notes in _splits(dataset, view):
        path, count = out / _FOLDERS[split], 0
        with atomic_write(path) as stream:
            for each in instances:
                lines = (each.query, entity_token(each.answer), each.passage, each.id, "")
                stream.write("".join(f"{line}\n" for line in lines).encode())
                count += 1
        written.append(Exported(path, count, _noted(notes)))
    return written


def _questions(
    dataset: store.Dataset,
    out: Path,
    view: str | None,
    folders: dict[str, str],
    spelled: Callable[[ReaderInstance], str],
    *,
    of_cnn: bool = False,
) -> list[Exported]:
    """Folders with a file for each instance."""
    written: list[Exported] = []
    for split, instances, notes in _splits(dataset, view, of_cnn=of_cnn):
        folder, count = out / folders[split], 0
        folder.mkdir(parents=True)
        for each in instances:
            (folder / _file_name(each.id)).write_bytes(spelled(each).encode())
            count += 1
        written.append(Exported(folder, count, _noted(notes)))
    return written


def _splits(
    dataset: store.Dataset, view: str | None, *, of_cnn: bool = False
) -> Iterator[tuple[str, Iterator[ReaderInstance], Counter[str]]]:
    """Split, its instances and their notes. of_cnn: every split is filtered, and queries have candidates."""
    if view is not None and view not in _VIEWS:
        raise unknown_name("view", view, _VIEWS)
    if dataset.text_form != "original":
        what = "the layout needs the original text, and this dataset was read with @entityN in it"
        raise InputError(what, str(dataset.folder), "export it as parquet or jsonl")
    with Progress("export", sum(dataset.sizes.values()), "instances") as progress:

        def counted(split: str) -> Iterator[ClozeInstance]:
            for instance in store.instances(dataset, split, of=ClozeInstance):
                yield instance
                progress.advance()

        for split in dataset.sizes:
            notes = Counter[str]()
            shown, filtered = view or MARKED, of_cnn or split == "train"
            found = counted(split)
            made = reader_instances(found, shown, notes, training_filter=filtered, query_candidates=of_cnn)
            yield split, made, notes


def _ga_file(instance: ReaderInstance) -> str:
    parts = (instance.id, instance.passage, instance.query, instance.answer, "\n".join(instance.candidates))
    return "\n\n".join(parts) + "\n"


def _cnn_file(instance: ReaderInstance) -> str:
    """Entities are numbered from 0 in the order of the candidates; the answer, where it is none, comes last."""
    numbers: dict[str, str] = {}
    for name in (*instance.candidates, instance.answer):
        numbers.setdefault(name, f"{ENTITY}{len(numbers)}")

    def numbered(text: str) -> str:
        return " ".join([numbers.get(word, word) for word in text.split(" ")])

    listed = "\n".join(f"{numbers[name]}:{name.removeprefix(ENTITY)}" for name in sorted(instance.candidates))
    texts = (instance.id, numbered(instance.passage), numbered(instance.query), numbers[instance.answer])
    return "\n\n".join((*texts, listed)) + "\n"


def _file_name(ident: str) -> str:
    """ID.question, with %XX for what separates folders."""
    name = _UNSAFE.sub(lambda found: f"%{ord(found[0]):02X}", ident) + ".question"
    if len(name.encode()) > _LONGEST_NAME:
        raise InputError(
            "the id is too long for the name of a file", ident[:60], "export as parquet or jsonl"
        )
    return name


def _noted(notes: Counter[str]) -> dict[str, int]:
    return {name: count for name, count in sorted(notes.items()) if count}


class _View(NamedTuple):
    """Of a marked text what the files have, and its distinct entities, sorted; of an answer's text what they have."""

    text: Callable[[str], str]
    entities: Callable[[str], list[str]]
    answer: Callable[[str], str]


def as_tokens(text: str) -> str:
    """A marked text with its entities as tokens; white space collapses."""
    return entity_tokens(text).lower()


def tokens(text: str) -> list[str]:
    """The distinct tokens of a marked text's entities, sorted."""
    return sorted({word for word in as_tokens(text).split(" ") if word.startswith(ENTITY)})


def _without_marks(text: str) -> str:
    """Only marks go; each line break becomes a blank."""
    return text.replace(BEGIN, "").replace(END, "").replace("\n", " ").lower()


def _names(text: str) -> list[str]:
    return sorted({entity_name(token) for token in tokens(text)})


_VIEWS = {
    MARKED: _View(as_tokens, tokens, entity_token),
    PLAIN: _View(_without_marks, _names, str.lower),
}


def refuse_other_instances(out: Path, part: Path) -> None:
    """InputError: `out` has files of instances that an export into `part` doesn't replace; a reader would mix them."""
    if not any(part.glob("*/*.question")):
        return
    for folder in ("train", "training", "dev", "validation", "test"):
        for file in sorted((out / folder).glob("*.question")):
            if not (part / folder / file.name).exists():
                what = f"holds an instance of another export, {folder}/{file.name}"
                raise InputError(what, str(out), "choose another --out, or remove the earlier export")
