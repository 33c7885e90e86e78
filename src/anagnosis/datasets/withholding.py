"""A public copy of a dataset: the answers of one split left out, so that systems can be ranked on it.

The other splits are the same bytes. What a kind withholds is in its `withholdings`; nothing that is written depends on
it, so two datasets that differ in these answers alone have the same copy, byte for byte. The rows of the split stand in
an order of their own, by a hash of their documents and ids: the order in which a source held them may tell something.
Fingerprints depend on ids and candidates alone, and are the same.

`visible` counts what the copy shows of the answers that it withholds, so that nobody has to believe that it hides all:

    id_names_paper                  the id names the paper, and anybody may read it
    hidden_text_in_other_question   another question of the paper is the same text with a gap elsewhere
    hidden_text_in_other_passage    a passage of another question of the paper has them
    same_question_in_other_split    a split with answers asks the same question

A kind names what counts for it (`Kind.shown_elsewhere`); the last is counted for every kind. Only what is in the copy
is read, never an answer: these are the instances that a reader of the copy could look up.
"""

from __future__ import annotations

import hashlib
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from anagnosis.datasets.arrays import from_numbers
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.card import WITHHELD as KEY
from anagnosis.datasets.folder.receipt import InstanceCounts, Receipt
from anagnosis.datasets.folder.store import Dataset, read_part
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER
from anagnosis.datasets.kinds.kind import Kind, Withholding
from anagnosis.datasets.question_keys import keys_of
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.folders import DATA
from anagnosis.io.paths import PathLike
from anagnosis.progress import Progress
from anagnosis.recipes import load as recipes
from anagnosis.registry import referenced

_TEST = "test"
_SEED = b"anagnosis withheld "
VISIBLE = {
    "id_names_paper": "questions whose id or document is that of the paper, where the answer can be read",
    "hidden_text_in_other_question": "questions whose hidden text another question of the same paper shows",
    "hidden_text_in_other_passage": "questions whose hidden text a passage of another question of the paper shows",
    "same_question_in_other_split": "questions that a split with answers asks, too",
}
_IMPORTED = "text:"  # begins the document of a question whose file names none: a digest of the passage
_FRAME = 40  # characters on each side of the gap that must stand around the hidden text in a passage
_LEAST = 10  # characters that must agree: titles have fifteen or more (BIOMRC, section 2)
_LONGEST = 200  # characters of a hidden text


@dataclass(frozen=True, slots=True)
class Withheld:
    """A public copy. what: by its name in the kind. instances: of the split.

    visible: instances whose answer, or source, the copy shows all the same, by name.
    """

    dataset: Dataset
    split: str
    what: str
    instances: int
    fingerprint: str
    visible: dict[str, int]


def withhold(
    dataset: Dataset, out: PathLike, *, split: str = _TEST, what: str | None = None, replace: bool = False
) -> Withheld:
    """split: of which the answers are left out. what: one of the kind's withholdings (default: the first).

    replace: overwrite another finished dataset in `out`.
    """
    kind = dataset.kind
    name, chosen = _chosen(kind, what, str(dataset.folder))
    if split not in dataset.sizes:
        raise unknown_name("split", split, dataset.sizes, str(dataset.folder))
    before: Mapping[str, str] = dataset.recipe.get(KEY, {})
    recipe = {**dataset.recipe, KEY: {**before, split: name}}
    counts = visible(dataset, split)
    said = dataset.receipt.choices
    choices = {**said, KEY: {**said.get(KEY, {}), split: {"instances": dataset.sizes[split], **counts}}}
    digest = recipes.digest(recipe)

    def same(receipt: Receipt) -> bool:
        return (receipt.recipe_sha256, receipt.inputs) == (digest, dataset.receipt.inputs)

    path = writing.claimed(out, None if replace else same)
    with writing.alone(path):
        with writing.replacing(path) as new:
            _copied(dataset, new, split)
            _written(dataset, new, split, chosen)
            writing.finish(
                new,
                recipe,
                inputs=dataset.receipt.inputs,
                documents=dataset.receipt.documents,
                instances=InstanceCounts(sum(dataset.sizes.values()), dataset.receipt.instances.dropped),
                repairs=dataset.receipt.repairs,
                places=((), ()),  # their reasons may quote an answer
                choices=choices,
            )
        shutil.rmtree(path / writing.WORK, ignore_errors=True)
    made = store.load(path)
    return Withheld(made, split, name, dataset.sizes[split], store.fingerprint(made, split), counts)


def _chosen(kind: Kind, what: str | None, where: str) -> tuple[str, Withholding]:
    if not kind.withholdings:
        raise InputError(
            f"holds {kind.holds}, which do not say what to withhold", where, "choose another dataset"
        )
    name = what or next(iter(kind.withholdings))
    if name not in kind.withholdings:
        raise unknown_name("part of the gold", name, kind.withholdings, "--hide")
    return name, kind.withholdings[name]


def _copied(dataset: Dataset, new: Path, split: str) -> None:
    """The parts of the other splits and the files beside them, byte for byte."""
    for other in dataset.sizes:
        for part in dataset.parts(other) if other != split else ():
            shutil.copyfile(part, new / DATA / part.name)
    for name in writing.BESIDE:
        if (file := dataset.file(name)) is not None:
            shutil.copyfile(file, new / name)


def _written(dataset: Dataset, new: Path, split: str, withholding: Withholding) -> None:
    """The parts of the split, as many as before."""
    parts = dataset.parts(split)
    table = pa.concat_tables(map(read_part, parts))
    order = _order(table)
    with Progress("withhold", len(table), "instances") as progress:
        begin = 0
        for number, part in enumerate(parts):
            rows = pq.read_metadata(part).num_rows
            tables = _tables(dataset.kind, table, order[begin : begin + rows], withholding, progress)
            writing.write_part(new / DATA / writing.part_name(split, number, len(parts)), tables)
            begin += rows


def _order(table: pa.Table) -> list[int]:
    """The rows by a hash, those of a document beside each other."""
    ids: list[str] = table.column("id").to_pylist()
    documents: list[str] = table.column("document").to_pylist() if "document" in table.column_names else ids
    keys = [(_hash(document), _hash(ident)) for document, ident in zip(documents, ids, strict=True)]
    return sorted(range(len(keys)), key=keys.__getitem__)


def _hash(text: str) -> bytes:
    return hashlib.sha256(_SEED + text.encode()).digest()


def _tables(
    kind: Kind, table: pa.Table, order: list[int], withholding: Withholding, progress: Progress
) -> Iterator[pa.Table]:
    for start in range(0, len(order), writing.GROUP_ROWS):
        taken = table.take(from_numbers(np.array(order[start : start + writing.GROUP_ROWS], np.int64)))
        found = (withholding.of(instance) for instance in kind.instances(taken))
        for made in kind.tables(found, writing.GROUP_ROWS):
            yield _with_columns(made, table.schema)
            progress.advance(len(made))


def _with_columns(made: pa.Table, schema: pa.Schema) -> pa.Table:
    """The table with the columns that the split had: those that hold gold alone may be left out where it is gone."""
    columns: dict[str, Any] = {}
    for field in schema:
        if field.name in made.column_names:
            columns[field.name] = made.column(field.name)
        else:
            empty = [] if pa.types.is_list(field.type) and not field.nullable else None
            columns[field.name] = pa.array([empty] * len(made), field.type)
    return pa.table(columns, schema=schema)


def visible(dataset: Dataset, split: str) -> dict[str, int]:
    """Name of VISIBLE → instances of the split."""
    found = dict.fromkeys(VISIBLE, 0)
    if dataset.kind.shown_elsewhere:
        found |= referenced(dataset.kind.shown_elsewhere)(dataset, split)
    elsewhere = [keys_of(dataset, other) for other in dataset.sizes if other != split]
    if elsewhere:
        same = np.isin(keys_of(dataset, split), np.concatenate(elsewhere))
        found["same_question_in_other_split"] = int(same.sum())
    return {name: count for name, count in found.items() if count}


def ids_of_papers(dataset: Dataset, split: str) -> dict[str, int]:
    """Of kinds whose ids are those of papers."""
    return {"id_names_paper": dataset.size(split)}


def hidden_mentions(dataset: Dataset, split: str) -> dict[str, int]:
    """Of cloze questions: the text that the gap hides, in other questions and passages of the same document.

    BioMRC asks a question for each mention of a title, so that the title of one shows what another hides.
    """
    questions: defaultdict[str, set[str]] = defaultdict(set)
    passages: defaultdict[str, set[str]] = defaultdict(set)
    asked = {document for document, _, _ in _texts(dataset, split)}
    for document, question, passage in _texts(dataset, store.ALL):
        if document in asked:
            questions[document].add(question)
            passages[document].add(passage)
    counts = dict.fromkeys(("id_names_paper", *VISIBLE), 0)
    for document, question, passage in _texts(dataset, split):
        before, gap, after = question.partition(PLACEHOLDER)
        counts["id_names_paper"] += not document.startswith(_IMPORTED)
        if not gap:
            continue
        if any(fills(other, question) for other in questions[document]):
            counts["hidden_text_in_other_question"] += 1
        elif any(surrounds(other, before, after) for other in passages[document] if other != passage):
            counts["hidden_text_in_other_passage"] += 1
    return {name: count for name, count in counts.items() if count}


def fills(other: str, question: str) -> bool:
    """Whether another question is the same text with a gap elsewhere, so that it shows what this one hides.

    `XXXX or aspirin in asthma` and `Heparin or XXXX in asthma`: behind this gap stands ` or `, then what the other one
    hides. Two questions are taken for one text if half of what stands in this one, and LEAST characters, agree.
    """
    before, _, after = question.partition(PLACEHOLDER)
    before_other, gap, after_other = other.partition(PLACEHOLDER)
    if not gap or other == question:
        return False
    if len(before) <= len(before_other):
        first, last = before_other.removeprefix(before), after.removesuffix(after_other)
        agreeing = before_other.startswith(before) and after.endswith(after_other)
    else:  # the other gap stands before this one
        first, last = before.removeprefix(before_other), after_other.removesuffix(after)
        agreeing = before.startswith(before_other) and after_other.endswith(after)
    if not agreeing:
        return False
    between = _overlap(first, last)
    hidden_by_other = len(last) - between if len(before) <= len(before_other) else len(first) - between
    fixed = len(before) + len(after)
    matched = fixed - hidden_by_other
    return matched >= _LEAST and 2 * matched >= fixed


def _overlap(first: str, last: str) -> int:
    """The length of the longest end of one text that begins the other, without all of either."""
    longest = min(len(first), len(last)) - 1
    return next((size for size in range(longest, 0, -1) if first.endswith(last[:size])), 0)


def surrounds(passage: str, before: str, after: str) -> bool:
    """Whether the words next to the gap stand in a passage around something short."""
    first, last = before[-_FRAME:], after[:_FRAME]
    if len(first.strip()) + len(last.strip()) < _LEAST or not (first.strip() and last.strip()):
        return False
    place = passage.find(first)
    while place >= 0:
        begin = place + len(first)
        end = passage.find(last, begin, begin + _LONGEST + len(last))
        if end > begin:
            return True
        place = passage.find(first, place + 1)
    return False


def _texts(dataset: Dataset, split: str) -> Iterator[tuple[str, str, str]]:
    """(document, question, passage) of each cloze question."""
    columns: Sequence[str] = ("document", "question", "passage")
    for part in dataset.parts(split):
        for batch in store.batches(part, 2048, [*columns]):
            yield from zip(*(batch.column(name).to_pylist() for name in columns), strict=True)
