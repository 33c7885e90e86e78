"""The authors' files ori_pqal.json, ori_pqau.json and ori_pqaa.json, in and out: an object from PMID to instance.

    {"21645374": {"QUESTION": "…?", "CONTEXTS": ["…", "…"], "LABELS": ["BACKGROUND", "RESULTS"], "MESHES": […],
                  "YEAR": "2011", "reasoning_required_pred": "yes", "reasoning_free_pred": "yes",
                  "final_decision": "yes", "LONG_ANSWER": "…"}, …}

A file's subset is detected from the keys of its first instance: annotators' labels are in L alone, a final decision
in L and A. A labelled set of people's (L) is split into train (the half for cross validation) and test as the authors
do; one with labels by rule (A) into their train and dev; one without labels (U) is all train. A named split takes all,
and so does that of train_set.json, dev_set.json and test_set.json. The bytes are those of `json.dumps`, indented by 4.
"""

from __future__ import annotations

import heapq
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, BinaryIO

import msgspec

from anagnosis.datasets.export.authors_files import (
    JSON,
    AuthorsFiles,
    authors_files,
    converted,
    members,
    output,
)
from anagnosis.datasets.export.layouts import Exported, Imported, LayoutFaults
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import LABELS, SUBSETS, ContextSection, DecisionInstance, Subset
from anagnosis.datasets.pubmedqa.folds import artificial_split, official_split
from anagnosis.datasets.splits import SPLITS
from anagnosis.documents.io.whole import whole
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.paths import PathLike

# The files of the authors' split, by name.
_SPLIT_OF = {"train_set": "train", "dev_set": "dev", "test_set": "test"}
_YEAR = re.compile(r"[0-9]{4}")
_OWN = re.compile(r"(?:.*/)?ori_pqa[lua]\.json(?:\.\w+)?")
_ANNOTATORS = {"reasoning_required_pred": "reasoning_required", "reasoning_free_pred": "reasoning_free"}


class Row(msgspec.Struct, rename=str.upper):
    """An instance as the authors write it."""

    question: str
    contexts: list[str]
    labels: list[str]
    meshes: list[str] = []
    year: str | None = None
    reasoning_required_pred: str | None = msgspec.field(name="reasoning_required_pred", default=None)
    reasoning_free_pred: str | None = msgspec.field(name="reasoning_free_pred", default=None)
    final_decision: str | None = msgspec.field(name="final_decision", default=None)
    long_answer: str | None = None


_FIELDS = {field.encode_name: field.name for field in msgspec.structs.fields(Row)}
# What stands in the object of an instance of each subset, as the authors write it.
_KEYS_OF: dict[Subset, tuple[str, ...]] = {
    "L": tuple(_FIELDS),
    "U": tuple(key for key in _FIELDS if not key.endswith(("_pred", "decision"))),
    "A": tuple(key for key in _FIELDS if not key.endswith("_pred") and key != "YEAR"),
}


def imported(
    path: PathLike | Sequence[PathLike], *, setting: str | None = None, split: str | None = None
) -> Imported:
    """The file at `path`, plain, compressed or the only one of an archive. Memory: the file. setting: the subset."""
    _refuse_unknown(setting)
    files, counts = authors_files(path, JSON, split=split), LayoutFaults()
    name, rows = _read(files)
    first = bytes(next(iter(rows.values()), b""))
    of: Subset = "L" if re.search(rb'_pred"\s*:', first) else "A" if b'"final_decision"' in first else "U"
    if of == "L" and setting not in (None, "L"):
        what = f"holds labels of people, so it is of subset L, not {setting}"
        raise InputError(what, name, "leave --setting away")
    of = SUBSETS[SUBSETS.index(setting)] if setting else of
    labels = {instance.id: instance.label for instance in _instances(rows, name, of, counts)}
    split = split or _SPLIT_OF.get(name.rpartition("/")[2].partition(".")[0])
    chosen = dict.fromkeys(labels, split) if split else _splits(labels, of)

    def part(wanted: str) -> Iterator[DecisionInstance]:
        return (i for i in _instances(rows, name, of, LayoutFaults()) if chosen[i.id] == wanted)

    found = {each: part(each) for each in SPLITS if each in chosen.values()}
    recipe = {"dataset": "pubmedqa", "kind": "decision", "layout": "pubmedqa", "subset": of}
    return Imported(found, recipe, files.inputs, counts)


def _refuse_unknown(subset: str | None) -> None:
    if subset not in (None, *SUBSETS):
        raise unknown_name("subset", str(subset), SUBSETS, "option setting")


def _read(files: AuthorsFiles) -> tuple[str, dict[str, msgspec.Raw]]:
    """(name, PMID → JSON) of the one file; of an archive's those called as the authors' count."""
    found = {
        opened.name: whole(opened.stream, opened.name)
        for opened in files.opened(LayoutFaults())
        if not opened.is_member or _OWN.fullmatch(opened.name)
    }
    if len(found) != 1:
        what = f"there are {len(found)} files, and one is imported"
        remedy = "name one, or an archive with one of ori_pqal.json, ori_pqau.json, ori_pqaa.json"
        raise InputError(what, files.named[0][0], remedy)
    [(name, data)] = found.items()
    return name, members(data, name)


def _splits(labels: Mapping[str, str | None], subset: Subset) -> dict[str, str]:
    """id → split."""
    if subset == "A":
        train, dev = artificial_split(labels)
        return {**dict.fromkeys(train, "train"), **dict.fromkeys(dev, "dev")}
    labelled = {ident: label for ident, label in labels.items() if label is not None and subset == "L"}
    test = official_split(labelled).test if labelled else ()
    return {**dict.fromkeys(labels, "train"), **dict.fromkeys(test, "test")}


def _instances(
    rows: Mapping[str, msgspec.Raw], name: str, subset: Subset, counts: LayoutFaults
) -> Iterator[DecisionInstance]:
    """The instances that can be read."""
    for place, (ident, raw) in enumerate(rows.items()):
        make = partial(_instance, str(ident), place, subset)
        if instance := converted(make, bytes(raw), f"{name}, {ident}", "not_an_instance", counts):
            yield instance


def _instance(ident: str, place: int, subset: Subset, value: Any) -> DecisionInstance:
    row = msgspec.convert(value, Row)
    if len(row.contexts) != len(row.labels):
        raise msgspec.ValidationError(f"{len(row.contexts)} CONTEXTS, {len(row.labels)} LABELS")
    annotators = [(key, getattr(row, key)) for key in value if key in _ANNOTATORS]
    for key, label in (*annotators, ("final_decision", row.final_decision)):
        if label not in (None, *LABELS):
            raise msgspec.ValidationError(f"{key} {label!r} is none of {', '.join(LABELS)}")
    return DecisionInstance(
        ident,
        row.question,
        tuple(ContextSection(label, text) for label, text in zip(row.labels, row.contexts, strict=True)),
        row.long_answer,
        row.final_decision,
        tuple((_ANNOTATORS[key], label) for key, label in annotators if label is not None),
        tuple(row.meshes),
        row.year,
        row.year if row.year and _YEAR.fullmatch(row.year) else "",
        subset,
        place,
        tuple(key for key in value if key in _FIELDS),
    )


def exported(
    dataset: store.Dataset, out: PathLike, *, setting: str | None = None, compress: bool = False
) -> list[Exported]:
    """ori_pqal.json, ori_pqau.json and ori_pqaa.json, those of which the dataset has instances. setting: the one."""
    _refuse_unknown(setting)
    there = Counter(instance.subset for instance in in_order(dataset))
    written: list[Exported] = []
    for subset in SUBSETS if setting is None else (setting,):
        if there[subset]:
            with output(out, f"ori_pqa{subset.lower()}.json", compress=compress) as (path, stream):
                write((each for each in in_order(dataset) if each.subset == subset), stream)
            written.append(Exported(path, there[subset], {}))
    return written


def in_order(dataset: store.Dataset) -> Iterator[DecisionInstance]:
    """All instances of all splits, in the order of the file or build that they come from."""
    splits = (store.instances(dataset, split, of=DecisionInstance) for split in dataset.sizes)
    return heapq.merge(*splits, key=lambda instance: instance.place)


def write(instances: Iterable[DecisionInstance], stream: BinaryIO) -> None:
    """Write instances as the authors' program does."""
    before = "{\n"
    for instance in instances:
        text = json.dumps({instance.id: _row(instance)}, indent=4)
        stream.write(f"{before}{text[2:-2]}".encode())
        before = ",\n"
    stream.write(b"{}" if before == "{\n" else b"\n}")


def _row(instance: DecisionInstance) -> dict[str, Any]:
    """The authors' object for an instance, with the keys that it had."""
    annotators = dict(instance.annotators)
    values = {
        "QUESTION": instance.question,
        "CONTEXTS": [section.text for section in instance.context],
        "LABELS": [section.label for section in instance.context],
        "MESHES": list(instance.mesh),
        "YEAR": instance.year,
        **{key: annotators.get(name) for key, name in _ANNOTATORS.items()},
        "final_decision": instance.label,
        "LONG_ANSWER": instance.long_answer,
    }
    return {key: values[key] for key in instance.fields or _KEYS_OF[instance.subset]}
