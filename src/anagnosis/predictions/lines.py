"""A predictions file: one JSON object a line, one line an instance.

    {"id": "12345:0", "answer": "disease/MESH:D003693", "scores": {"gene/9606": 0.2, …}, "dataset": "3f0c…"}

`scores` (by candidate key, any finite numbers, the highest wins) and `dataset` (the split's fingerprint) may
be missing; `answer` may not: null says "could not answer". To a question with free answers it may be any text, or a
list of texts, the best first. A line about an expert's question has `answer` or at least one of `answers`, `ideal` (a
paragraph), `documents`, `snippets`, `concepts` and `triples` (`prediction.py`):

    {"id": "5c72…", "answers": [{"text": "BRCA1", "score": 0.8, "snippet": 0, "begin": 12, "end": 17}], "ideal": "…"}

A person's line may carry `annotator`, `group`, `knowledge`, `seconds` and `place`. Other fields are counted and passed
over; a line that is no prediction is refused. Also read are a submission to BioASQ (`submission.py`), a JSON list of
predictions, a CSV table with the columns id and answer, whose empty cells are null, and one object from id to answer,
as PubMedQA's and CliCR's own programs take it:

    {"12377809": "yes", "26163474": "no", …}        on one line or on many, a number being its text
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, cast

import msgspec

from anagnosis.datasets.export.authors_files import in_lines, members
from anagnosis.documents.io.whole import decoded_json, demand_single_keys, whole, whole_text
from anagnosis.errors import InputError
from anagnosis.io.counts import Counts
from anagnosis.io.decoding import csv_rows
from anagnosis.io.files import atomic_write, display_name, open_input, open_output
from anagnosis.io.paths import PathLike
from anagnosis.predictions import submission
from anagnosis.predictions.prediction import Prediction
from anagnosis.wording import shortened

LONGEST_LINE = 1 << 24
_HEAD = 1 << 12
# Of an object from id to answer. Objects of one prediction a line begin with a field's name. No field is a number, nor
# ends in one behind a point or a colon, as ids do: a document's name with the number of the question, or with the place
# of the hidden mention.
_BY_ID = re.compile(rb'\s*\{\s*(?:\n|$|\}|"(?:(?:[^"\\]|\\.)+[.:])?\d+"\s*:)')
_LIST = re.compile(rb"\s*\[")
_TABLE = re.compile(rb"(?=[^\n{]*[,;\t])[^\n{]*\bid\b")
# Texts and numbers of numpy are written as Python's.
_ENCODER = msgspec.json.Encoder(enc_hook=lambda value: str(value) if isinstance(value, str) else value.item())
_decode = msgspec.json.Decoder().decode
_FIELDS = frozenset(Prediction.__struct_fields__)
REMEDY = (
    'a line is {"id": …, "answer": … or null, "scores": {candidate key: number}}, scores may be missing; '
    "or give CSV with columns id and answer"
)


def write(path: PathLike, predictions: Iterable[Prediction]) -> int:
    """Write predictions, all or nothing; gives how many. A score that is no finite number is refused.

    A name that ends in .gz or .zst makes a compressed file.
    """
    count = 0
    with open_output(path) as stream:
        for prediction in predictions:
            of_answers = ((answer.text, answer.score) for answer in prediction.answers or ())
            for key, score in (*(prediction.scores or {}).items(), *of_answers):
                if score is not None and not math.isfinite(score):
                    where = f"{display_name(path)}: {prediction.id}"
                    raise InputError(f"the score of {key} is {score}", where, "a score is a finite number")
            stream.write(encoded(prediction) + b"\n")
            count += 1
    return count


def write_by_id(path: PathLike, predictions: Iterable[Prediction]) -> int:
    """Write one object from id to answer, all or nothing; gives how many. Of several answers it has the first.

    It has no blanks and escapes what is not ASCII, as CliCR's program writes it; what was not answered is left out.
    InputError: an id that stands twice, or by which it would not be known again.
    """
    first = dict[str, str]()
    for each in (one for one in predictions if one.texts):
        if each.id in first:
            raise InputError("two answers have this id", each.id, "write one prediction a line")
        first[each.id] = each.texts[0]
    entries = [f"{json.dumps(ident)}:{json.dumps(text)}" for ident, text in first.items()]
    if entries and not _BY_ID.match(f"{{{entries[0]}".encode()):
        what = "an object from id to answer is known by an id that is a number or ends in one"
        raise InputError(what, next(iter(first)), "write one prediction a line")
    with atomic_write(path) as stream:
        stream.write(f"{{{','.join(entries)}}}".encode())
    return len(entries)


def encoded(prediction: Prediction) -> bytes:
    """The line of a prediction, without its end. `answer` is null where nothing is answered, not left out."""
    line = _ENCODER.encode(prediction)
    if prediction.answer is None and not prediction.of_a_question:
        head = b'{"id":' + _ENCODER.encode(prediction.id)
        return head + b',"answer":null' + line[len(head) :]
    return line


def read(path: PathLike) -> Iterator[Prediction]:
    """The predictions of a file in any compression, streamed."""
    return (prediction for _, prediction in numbered(path, Counts()))


def numbered(
    path: PathLike, problems: Counts, called: str = "", on_fault: Callable[[InputError], None] | None = None
) -> Iterator[tuple[int, Prediction]]:
    """(line, or place in an object or a list, from 1; prediction). problems: counts empty lines and unknown fields.

    called: the file in messages (default: its name). on_fault: takes the fault of a line that is no prediction, which
    is then passed over (default: it is raised). What ends the file, such as broken compression, is raised.
    """
    name = called or display_name(path)
    with open_input(path) as stream:
        head = stream.peek(_HEAD)[:_HEAD]
        if submission.sniff(head):
            yield from submission.questions(stream, name, problems)
            return
        if _BY_ID.match(head):
            yield from _by_id(stream, name)
            return
        for number, line in _lines(stream, head, name):
            where = f"{name}:{number}"
            if len(line) == LONGEST_LINE:
                raise InputError("the line is longer than 16 MiB", where, REMEDY)
            if line.isspace():
                problems.add("blank", f"line {number}")
                continue
            try:
                prediction = _prediction(line, where, problems)
            except InputError as fault:
                if on_fault is None:
                    raise
                on_fault(fault)
                continue
            yield number, prediction


def _lines(stream: BinaryIO, head: bytes, name: str) -> Iterator[tuple[int, bytes]]:
    """(line, or place, from 1; JSON): the lines, or a list's items, or a table's rows."""
    if _LIST.match(head):
        yield from enumerate(map(bytes, decoded_json(whole(stream, name), name, list[msgspec.Raw])), 1)
    elif _TABLE.match(head):
        for number, row in csv_rows(whole_text(stream, name), name):
            yield number, msgspec.json.encode({column: cell or None for column, cell in row.items()})
    else:
        yield from enumerate(iter(lambda: stream.readline(LONGEST_LINE), b""), 1)


def _by_id(stream: BinaryIO, name: str) -> Iterator[tuple[int, Prediction]]:
    """(line, prediction) of each entry of an object from id to answer. InputError: an id stands twice."""
    data = whole(stream, name)
    found = members(data, name)
    for ident, (line, text) in zip(found, in_lines(data, found.values()), strict=True):
        answer = decoded_json(text, f"{name}:{line}", str | int | float | bool | None)
        yield line, Prediction(str(ident), answer if answer is None else str(answer))


def _prediction(line: bytes, where: str, problems: Counts) -> Prediction:
    """The prediction of a line. Fields that are none of ours are counted and passed over."""
    try:
        value = _decode(line)
        demand_single_keys(line, value)
        fields = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        prediction = msgspec.convert(value, Prediction)
    except UnicodeDecodeError as fault:
        raise InputError("not UTF-8", where, REMEDY) from fault
    except (msgspec.ValidationError, RecursionError) as fault:
        raise InputError(str(fault), where, REMEDY) from fault
    except ValueError as fault:
        shown = shortened(" ".join(line.decode(errors="replace").split()), 40)
        raise InputError(f"not JSON, which has no NaN or Infinity ({shown})", where, REMEDY) from fault
    # Whoever answers nothing says so, with null.
    if prediction.answer is None and not prediction.of_a_question and "answer" not in fields:
        raise InputError("the field 'answer' is missing", where, REMEDY)
    if not fields.keys() <= _FIELDS:
        for number, name in enumerate(name for name in fields if name not in _FIELDS):
            problems.add("unknown_fields", name, count=int(not number))
    return prediction
