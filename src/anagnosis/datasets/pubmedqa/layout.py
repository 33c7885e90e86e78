"""The authors' files ori_pqal.json, ori_pqau.json and ori_pqaa.json, in and out, byte for byte; `rows` has the JSON.

A file's subset is detected from the keys of its first instance: annotators' labels are in L alone, a final decision
in L and A. A labelled set of people's (L) is split into train (the half for cross validation) and test as the authors
do; one with labels by rule (A) into their train and dev; one without labels (U) is all train. A named split takes all,
and so does that of train_set.json, dev_set.json and test_set.json.
"""

from __future__ import annotations

import hashlib
import heapq
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from anagnosis.datasets.export.authors_files import (
    JSON,
    OTHER_LAYOUT,
    authors_files,
    converted,
    output,
    packed_name,
)
from anagnosis.datasets.export.layouts import Exported, Imported, LayoutFaults
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import LABELS, SUBSETS, ContextSection, DecisionInstance, Subset
from anagnosis.datasets.pubmedqa import rows
from anagnosis.datasets.pubmedqa.folds import artificial_split, official_split
from anagnosis.datasets.splits import SPLITS
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.archives import is_archive, open_each, open_member
from anagnosis.io.compression import without_compression
from anagnosis.io.files import display_name, open_input
from anagnosis.io.paths import PathLike

# The files of the authors' split, by name.
_SPLIT_OF = {"train_set": "train", "dev_set": "dev", "test_set": "test"}

# What stands in the object of an instance of each subset, as the authors write it.
KEYS_OF: dict[Subset, tuple[str, ...]] = {
    "L": rows.KEYS,
    "U": tuple(key for key in rows.KEYS if not key.endswith(("_pred", "decision"))),
    "A": tuple(key for key in rows.KEYS if not key.endswith("_pred") and key != "YEAR"),
}
_YEAR = re.compile(r"[0-9]{4}")
_OWN = re.compile(r"ori_pqa[lua]\.json")
_SHOWN = 5  # members of an archive
_ANNOTATORS = {"reasoning_required_pred": "reasoning_required", "reasoning_free_pred": "reasoning_free"}
_NAMES = {
    "question": "QUESTION",
    "contexts": "CONTEXTS",
    "labels": "LABELS",
    "meshes": "MESHES",
    "year": "YEAR",
    "long_answer": "LONG_ANSWER",
}
_PUBLISHED = {
    "8b3276be8942ebbd77f3ddcda12c1749bf0e490045a736fd8438ee40cf37a41d": "ori_pqal.json",
    "ad31a03851e7ee232dc4b7bf2f6853f50685d27abe4924d0215c54884596d7fa": "ori_pqau.json",
    "d4a2234356e5a68321de65303d45f2d2b15dfbe22ba73d71d6d933d5f92570f9": "ori_pqaa.json",
    "f420f49d97516329d81f62d7d454055e3a063dbd0913ebaff915993bb321cbab": "test_set.json",
}


class Row(msgspec.Struct, rename=_NAMES):
    """An instance as the authors write it."""

    question: str
    contexts: list[str]
    labels: list[str]
    meshes: list[str] = []
    year: str | None = None
    reasoning_required_pred: str | None = None
    reasoning_free_pred: str | None = None
    final_decision: str | None = None
    long_answer: str | None = None


def imported(path: PathLike, *, setting: str | None = None, split: str | None = None) -> Imported:
    """The file at `path`, plain, compressed or the only one of an archive, or the hub's Parquet copy.

    setting: the subset L, U or A. It is read twice to see what it is, and once for each split.
    """
    if setting is not None and setting not in SUBSETS:
        raise unknown_name("subset", setting, SUBSETS, "option setting")
    files, given = authors_files(path, JSON, split=split), Path(path)
    if given.is_dir():
        raise InputError("is a folder", str(path), "name one of its files")
    findings = LayoutFaults()
    source = _source(given)
    name = source.name
    detected = _subset(source)
    if detected == "L" and setting not in (None, "L"):
        what = f"holds labels of people, so it is of subset L, not {setting}"
        raise InputError(what, name, "leave --setting away")
    subset: Subset = setting or detected
    labels: dict[str, str | None] = {}
    for instance in _instances(source, subset, findings):
        labels[instance.id] = instance.label
    if findings.refused and not labels:
        where, _, what = findings.places[0]
        raise InputError(
            f"none of its {findings.instances:,} instances can be read ({what})", where, OTHER_LAYOUT
        )
    split = split or _SPLIT_OF.get(name.rpartition("/")[2].partition(".")[0])
    chosen = _splits(labels, subset) if split is None else dict.fromkeys(labels, split)

    def of(wanted: str) -> Iterator[DecisionInstance]:
        return (i for i in _instances(source, subset, LayoutFaults()) if chosen[i.id] == wanted)

    found = {each: of(each) for each in SPLITS if each in chosen.values()}
    recipe = {"dataset": "pubmedqa", "kind": "decision", "layout": "pubmedqa", "subset": subset}
    with source.open() as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    published = {display_name(path): _PUBLISHED.get(digest, "")}
    return Imported(found, recipe, files.inputs, findings, published)


def exported(
    dataset: store.Dataset, out: PathLike, *, setting: str | None = None, compress: bool = False
) -> list[Exported]:
    """ori_pqal.json, ori_pqau.json and ori_pqaa.json, those of which the dataset has instances, in `out`.

    setting: only that subset.
    """
    if setting is not None and setting not in SUBSETS:
        raise unknown_name("subset", setting, SUBSETS, "option setting")
    wanted = SUBSETS if setting is None else (setting,)
    counts = Counter(instance.subset for instance in in_order(dataset))
    written: list[Exported] = []
    for subset in wanted:
        if not counts[subset]:
            continue
        path = Path(out) / packed_name(f"ori_pqa{subset.lower()}.json", compress=compress)
        with output(path, compress=compress) as stream:
            own = (instance for instance in in_order(dataset) if instance.subset == subset)
            count = rows.write(((instance.id, row_of(instance)) for instance in own), stream)
        written.append(Exported(path, count, {}))
    return written


def in_order(dataset: store.Dataset) -> Iterator[DecisionInstance]:
    """All instances of all splits, in the order of the file or build that they come from."""
    return heapq.merge(
        *(store.instances(dataset, split, of=DecisionInstance) for split in dataset.sizes),
        key=lambda instance: instance.place,
    )


def row_of(instance: DecisionInstance) -> dict[str, Any]:
    """The authors' object for an instance, with the keys that it had."""
    annotators = dict(instance.annotators)
    values: dict[str, Any] = {
        "QUESTION": instance.question,
        "CONTEXTS": [section.text for section in instance.context],
        "LABELS": [section.label for section in instance.context],
        "MESHES": list(instance.mesh),
        "YEAR": instance.year,
        **{key: annotators.get(name) for key, name in _ANNOTATORS.items()},
        "final_decision": instance.label,
        "LONG_ANSWER": instance.long_answer,
    }
    return {key: values[key] for key in instance.fields or KEYS_OF[instance.subset]}


class _Source(NamedTuple):
    """A file of the authors', or the one in an archive; name: as it is reported, "archive/member" in an archive."""

    path: Path
    name: str
    is_member: bool

    def open(self) -> AbstractContextManager[io.BufferedReader]:
        """Its bytes, unpacked."""
        return open_member(self.path, self.name) if self.is_member else open_input(self.path)


def _source(path: Path) -> _Source:
    if not is_archive(path):
        return _Source(path, display_name(path), is_member=False)
    members = [each.name for each in open_each(path, (".json",))]
    own = [name for name in members if _OWN.fullmatch(without_compression(name).rpartition("/")[2])]
    if len(own) == 1:
        return _Source(path, own[0], is_member=True)
    held = ", ".join((own or members)[:_SHOWN]) + (", …" if len(own or members) > _SHOWN else "")
    what = f"of ori_pqal.json, ori_pqau.json, ori_pqaa.json it holds {'several' if own else 'none'}"
    raise InputError(what, display_name(path), f"unpack it, and name a file: it holds {held}")


def _subset(source: _Source) -> Subset:
    for _, _, value in _rows(source):
        keys = set(value) if isinstance(value, dict) else set[str]()
        if keys & _ANNOTATORS.keys():
            return "L"
        return "A" if "final_decision" in keys else "U"
    return "U"


def _splits(labels: Mapping[str, str | None], subset: Subset) -> dict[str, str]:
    """id → split."""
    if subset == "U":
        return dict.fromkeys(labels, "train")
    if subset == "A":
        train, dev = artificial_split(labels)
        return {**dict.fromkeys(train, "train"), **dict.fromkeys(dev, "dev")}
    labelled = {ident: label for ident, label in labels.items() if label is not None}
    test = official_split(labelled).test if labelled else ()
    return {**dict.fromkeys(labels, "train"), **dict.fromkeys(test, "test")}


def _instances(source: _Source, subset: Subset, findings: LayoutFaults) -> Iterator[DecisionInstance]:
    """The instances that can be read; each id once."""
    seen: set[str] = set()
    for place, (where, ident, value) in enumerate(_rows(source)):
        findings.instances += 1
        if ident in seen:
            findings.refuse(where, "repeated_id", ident)
            continue
        seen.add(ident)
        instance = _instance(where, ident, value, place, subset, findings)
        if instance is not None:
            yield instance


def _instance(
    where: str, ident: str, value: Any, place: int, subset: Subset, findings: LayoutFaults
) -> DecisionInstance | None:
    if isinstance(value, dict):
        spelled = {key: of for key, of in value.items() if key in _ANNOTATORS and rows.letters(of)}  # pyright: ignore[reportUnknownVariableType]  (decoded JSON)
        if spelled:
            findings.note(where, "label_as_letters", ", ".join(spelled))
            value = {**value, **{key: "".join(of) for key, of in spelled.items()}}
        if strange := [key for key in value if key not in rows.KEYS]:
            findings.note(where, "unknown_field", ", ".join(map(str, strange)))
    row = converted(
        lambda value: msgspec.convert(value, Row), value, where, "not_an_instance", findings, f"{ident}: "
    )
    if row is None:
        return None
    if len(row.contexts) != len(row.labels):
        what = f"{ident}: {len(row.contexts)} CONTEXTS, {len(row.labels)} LABELS"
        return findings.refuse(where, "contexts_and_labels", what)
    annotators = {key: getattr(row, key) for key in value if key in _ANNOTATORS}
    for key, label in (*annotators.items(), ("final_decision", row.final_decision)):
        if label is not None and label not in LABELS:
            return findings.refuse(where, "unknown_label", f"{ident}: {key} {label!r}")
    if not row.question.endswith("?"):
        findings.note(where, "question_without_mark", ident)
    if not row.contexts:
        findings.note(where, "no_context", ident)
    return DecisionInstance(
        ident,
        row.question,
        tuple(ContextSection(label, text) for label, text in zip(row.labels, row.contexts, strict=True)),
        row.long_answer,
        row.final_decision,
        tuple((_ANNOTATORS[key], label) for key, label in annotators.items() if label is not None),
        tuple(row.meshes),
        row.year,
        row.year if row.year and _YEAR.fullmatch(row.year) else "",
        subset,
        place,
        tuple(key for key in value if key in rows.KEYS),
    )


def _rows(source: _Source) -> Iterator[tuple[str, str, Any]]:
    with source.open() as stream:
        if not source.is_member and stream.peek(4)[:4] == rows.PARQUET_MAGIC:
            yield from rows.read_parquet(source.path, source.name)
            return
        yield from rows.read_json(stream, source.name)
