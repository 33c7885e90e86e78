"""A user's file of labels for instances, to take a dataset and its scores apart by.

    id,reasoning,numbers                                CSV; ; and tabs part columns too, # begins a comment above
    30000001,inter-group,interpreted

    {"id": "30000001", "reasoning": "inter-group"}      or one JSON object a line

    {"id": "bcr-1.2", "skills": ["bridging", "ellipsis"]}    several labels of one instance; in CSV bridging|ellipsis

A line that a person's page saved has `annotator` and further fields, which are no labels (PERSON_FIELDS). Of several
such lines of one person and instance the last is valid.

Every column but `id` is one way to take apart. Names and labels are compared without regard to capitals and blanks; an
empty cell, null or a missing field is no label; 3 is "3".
"""

from __future__ import annotations

import csv
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import msgspec

from anagnosis.errors import InputError
from anagnosis.io.decoding import decoded
from anagnosis.io.files import display_name, open_input
from anagnosis.io.paths import PathLike
from anagnosis.wording import reworded

ID = "id"
REMEDY = "give CSV with a header, or JSON objects, with an id and at least one column of labels"
LONGEST_LINE = 1 << 16
BETWEEN = "|"  # labels of one cell; commas, semicolons and tabs part columns
MOST_COLUMNS = 40
MOST_LABELS = 40  # of a column or a cell; more than that are no kinds
LONGEST_LABEL = 60
SHOWN = 3
ANNOTATOR = "annotator"
PERSON_FIELDS = frozenset((ANNOTATOR, "dataset", "group", "knowledge", "seconds", "place"))
"""Beside the labels on a line with an annotator."""


Labels = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LabelList:
    """The labels that a column may have, in their order. noun: what one is called. alone: the label beside which an
    instance has no other, "" for none.
    """

    noun: str
    labels: Labels
    alone: str = ""

    def check(self, given: Labels, where: str) -> None:
        """Refuse (InputError) a label that is not in the list, and `alone` beside others."""
        for label in given:
            if label not in self.labels:
                raise InputError(
                    f"{_shown(label)!r} is no {self.noun}", where, f"write {', '.join(self.labels)}"
                )
        if self.alone in given and len(given) > 1:
            what = f"{self.alone!r} stands beside another {self.noun}"
            raise InputError(what, where, f"leave {self.alone} or the others away")


@dataclass(slots=True)
class LabelFile:
    """columns: name → id → labels, of ids that are wanted and have any. strangers: ids that are not; first: some.

    lists: of the columns that may have certain labels alone.
    """

    name: str
    columns: dict[str, dict[str, Labels]]
    strangers: int = 0
    first: list[str] = field(default_factory=list[str])
    lists: dict[str, LabelList] = field(default_factory=dict[str, LabelList])

    def labelled(self) -> set[str]:
        """The ids that have a label in some column."""
        return {ident for column in self.columns.values() for ident in column}

    def described(self, instances: int) -> str:
        """What a report says of the file. instances: of the dataset or split that are labelled."""
        strange = (
            f"; {self.strangers:,} {'id is' if self.strangers == 1 else 'ids are'} not in the dataset "
            f"({', '.join(self.first)})"
            if self.strangers
            else ""
        )
        return f"{self.name}, {instances:,} instances labelled{strange}"


def read(path: PathLike, wanted: Container[str], lists: Mapping[str, LabelList] | None = None) -> LabelFile:
    """The labels of wanted ids, in any compression; memory is bounded by those and by one line.

    lists: column → the labels that it may have; the columns that are not named may have any.
    """
    name = display_name(path)
    found = LabelFile(name, {}, lists=dict(lists or {}))
    labels: dict[str, dict[str, str]] = {}
    seen: dict[str, str] = {}  # id → who gave the labels
    rows = 0
    for where, ident, cells, annotator in _rows(path, name):
        rows += 1
        if not ident:
            raise InputError("a row without an id", where, REMEDY)
        for column in cells:
            if column not in found.columns:
                _add(column, found, where)
                labels[column] = {}
        ident = _as_drawn(ident, wanted)
        if ident not in wanted:
            found.strangers += 1
            if len(found.first) < SHOWN:
                found.first.append(_shown(ident))
            continue
        if ident in seen:
            if not annotator or seen[ident] != annotator:
                raise InputError(f"the id {_shown(ident)} stands twice", where, "give each id one row")
            for given in found.columns.values():
                given.pop(ident, None)
        seen[ident] = annotator
        for column, given in cells.items():
            if given:
                if column in found.lists:
                    found.lists[column].check(given, where)
                known = (_known(label, labels[column], column, where) for label in given)
                found.columns[column][ident] = tuple(known)
    if not rows or not found.columns:
        raise InputError("no labels in it", name, REMEDY)
    if not seen:
        ids = f"none of its {rows:,} ids is in the dataset ({', '.join(found.first)})"
        raise InputError(ids, name, "give labels for this dataset")
    return found


def _add(column: str, found: LabelFile, where: str) -> None:
    if not column:
        raise InputError("a column without a name", where, REMEDY)
    if len(column) > LONGEST_LABEL:
        raise InputError(
            f"a column's name of {len(column):,} letters ({_shown(column)})", where, "shorten it"
        )
    if len(found.columns) == MOST_COLUMNS:
        raise InputError(f"more than {MOST_COLUMNS} columns of labels", where, "give fewer")
    found.columns[column] = {}


def _as_drawn(ident: str, wanted: Container[str]) -> str:
    """The id without the apostrophe that keeps spreadsheets from taking it for a formula (`sheets.sheet`)."""
    return ident[1:] if ident.startswith("'") and ident not in wanted and ident[1:] in wanted else ident


def _known(label: str, labels: dict[str, str], column: str, where: str) -> str:
    """The label, one object for all that are alike."""
    if label not in labels:
        if len(label) > LONGEST_LABEL:
            what = f"a label of {len(label):,} letters in column {column} ({_shown(label)})"
            raise InputError(what, where, "leave columns of text away")
        if len(labels) == MOST_LABELS:
            what = f"more than {MOST_LABELS} different labels in column {column}"
            raise InputError(what, where, "give kinds, not texts or numbers")
    return labels.setdefault(label, label)


def _rows(path: PathLike, name: str) -> Iterator[tuple[str, str, dict[str, Labels], str]]:
    """(where, id, labels by column, annotator or "") of each row that is not empty."""
    header: list[str] | None = None
    delimiter = ","
    for number, line in _lines(path, name):
        where = f"{name}:{number}"
        if header is None and line.startswith("{"):
            header = []
        if header == []:
            yield where, *_object(line, where)
            continue
        if header is None and line.lstrip('"').startswith("#"):
            continue
        if header is None:
            delimiter = max(",;\t", key=line.count)
            header = [_plain(cell) for cell in _cells(line, delimiter, where)]
            if header.count(ID) != 1:
                raise InputError("no column id" if ID not in header else "two columns id", where, REMEDY)
            if repeated := next((column for column in header if header.count(column) > 1), None):
                raise InputError(f"the column {_shown(repeated)!r} stands twice", where, "name each once")
            continue
        cells = _cells(line, delimiter, where)
        if len(cells) != len(header):
            what = f"{len(cells)} cells under a header of {len(header)}"
            raise InputError(what, where, "put cells with a separator in them in quotation marks")
        row = dict(zip(header, cells, strict=True))
        ident = row.pop(ID).strip()
        yield where, ident, {column: _labels(cell.split(BETWEEN), where) for column, cell in row.items()}, ""


def _lines(path: PathLike, name: str) -> Iterator[tuple[int, str]]:
    """(number, line) of those that are not empty."""
    with open_input(path) as stream:
        number = 0
        while line := stream.readline(LONGEST_LINE):
            number += 1
            if len(line) == LONGEST_LINE:
                raise InputError("the line is longer than 64 KiB", f"{name}:{number}", REMEDY)
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip("\r\n")
            except UnicodeDecodeError as fault:
                raise InputError("not UTF-8", f"{name}:{number}", "save it as UTF-8") from fault
            if text.strip(" ,;\t"):
                yield number, text


def _cells(line: str, delimiter: str, where: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True))
    except csv.Error as fault:
        raise InputError(f"not a row of CSV ({fault})", where, "a row is one line") from fault


def _object(line: str, where: str) -> tuple[str, dict[str, Labels], str]:
    """(id, labels by column, annotator or "")."""
    ident: str | None = None
    row: dict[str, Labels] = {}
    fields = decoded(line, dict[str, msgspec.Raw], where, REMEDY)
    annotator = _annotator(fields, where)
    for key, value in fields.items():
        if annotator and key in PERSON_FIELDS:
            continue
        column = _plain(key)
        if column in row or (column == ID and ident is not None):
            raise InputError(f"the field {_shown(column)!r} stands twice", where, "name each once")
        try:
            if column == ID:
                ident = _cell(msgspec.json.decode(value, type=str | int | None)).strip()
                continue
            given = msgspec.json.decode(value, type=str | int | list[str | int] | None)
        except msgspec.ValidationError as fault:
            raise InputError(f"{_shown(column)}: {reworded(fault)}", where, REMEDY) from fault
        row[column] = _labels(map(_cell, given if isinstance(given, list) else [given]), where)
    return ident or "", row, annotator


def _annotator(fields: Mapping[str, msgspec.Raw], where: str) -> str:
    """Who gave the labels; "" for a line that does not say so, which may have any labels."""
    if ANNOTATOR not in fields or not {*fields, "knowledge"} >= PERSON_FIELDS:
        return ""
    return decoded(bytes(fields[ANNOTATOR]), str, where, REMEDY)


def _cell(value: str | int | None) -> str:
    return "" if value is None else str(value)


def _labels(cells: Iterable[str], where: str) -> Labels:
    """The labels of a cell, each once."""
    found = tuple(dict.fromkeys(label for cell in cells if (label := _plain(cell))))
    if len(found) > MOST_LABELS:
        raise InputError(f"more than {MOST_LABELS} labels of one instance", where, "give kinds, not texts")
    return found


def _plain(text: str) -> str:
    return " ".join(text.split()).lower()


def _shown(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_LABEL // 2 else f"{text[: LONGEST_LABEL // 2]}…"
