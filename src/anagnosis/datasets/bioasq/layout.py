"""The organisers' golden files and test sets, in and out; `rows` has a question's JSON, which an instance keeps.

A file, a folder's .json files, an archive's, or several of these together: all questions are `train`, or of the split
that is named. parts: the batches of each split. Twins of test's questions are left out of dev and train, twins of dev's
of train.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec

from anagnosis.datasets.bioasq.parts import PART, named_parts, same_question, splits_of
from anagnosis.datasets.bioasq.rows import QUESTIONS, instance_of, object_of
from anagnosis.datasets.export.authors_files import (
    JSON,
    authors_files,
    converted,
    listed,
    output,
    refuse_setting,
)
from anagnosis.datasets.export.layouts import Exported, Imported, LayoutFaults
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import TYPES, QuestionInstance, json_text
from anagnosis.datasets.splits import SPLITS
from anagnosis.errors import InputError
from anagnosis.io.compression import without_compression
from anagnosis.io.paths import PathLike

# Of members of an archive: the participants' test sets have no ending of their own.
_ENDINGS = (*JSON, *(f"-testset{number}" for number in range(1, 10)))


class _Read(NamedTuple):
    """A question of a file.

    words: what it asks. holds: whether it has answers, how many snippets, how many keys. has_exact: whether its object
    has an exact answer, be it one that we can read or not.
    """

    where: str
    instance: QuestionInstance
    words: str
    holds: tuple[bool, int, int]
    has_exact: bool


def imported(
    path: PathLike | Sequence[PathLike],
    *,
    setting: str | None = None,
    split: str | None = None,
    parts: Mapping[str, str] | None = None,
) -> Imported:
    """The files at `path`, or at several. Memory: all of them.

    parts: split → its batches (`bioasq.parts`).
    """
    refuse_setting(setting, "bioasq")
    if split and parts:
        raise InputError("two ways to choose splits", "--split, --part", "give one of them")
    named = named_parts(parts or {})
    files, counts = authors_files(path, _ENDINGS, split=split), LayoutFaults()
    names: list[str] = []
    read: list[_Read] = []
    for opened in files.opened(counts):
        name = opened.name.rpartition("/")[2]
        if name in names:
            raise InputError(f"a second file called {name}", opened.name, "import it apart from the first")
        names.append(name)
        for place, (line, text) in enumerate(listed(opened.stream, opened.name, QUESTIONS)):
            where = f"{opened.name}:{line}"
            make = partial(_read, where, name, place, text)
            if one := converted(make, text, where, "not_a_question", counts):
                read.append(one)
    rest = None if "train" in named else split or "train"
    found = _splits(read, splits_of(names, named, rest), counts)
    if empty := [each for each in named if read and not found[each]]:
        raise InputError(f"no question is left for {empty[0]}", PART, "name other batches")
    recipe: dict[str, Any] = {"dataset": "bioasq", "kind": "question", "layout": "bioasq", "files": names}
    if parts:
        recipe["parts"] = named
    return Imported({each: iter(own) for each, own in found.items() if own}, recipe, files.inputs, counts)


def _read(where: str, name: str, place: int, text: bytes, value: Any) -> _Read:
    instance = instance_of(value, name, place, text.decode())
    if instance.type not in ("", *TYPES):
        raise msgspec.ValidationError(f"{instance.id}: the type {instance.type!r} is unknown")
    answered = instance.exact is not None or bool(instance.ideal)
    holds = answered, len(instance.snippets), len(value)
    has_exact = value.get("exact_answer") is not None
    return _Read(where, instance, same_question(instance.question), holds, has_exact)


def _splits(
    read: Sequence[_Read], of_file: Mapping[str, str | None], counts: LayoutFaults
) -> dict[str, list[QuestionInstance]]:
    """Split → its questions. What is left out is counted.

    Of the questions of one id that of the strictest split stays, else the first of those that hold the most. Questions
    of no part, and twins of questions of a stricter split, are left out.
    """

    def strictness(one: _Read) -> int:
        split = of_file[one.instance.file]
        return -1 if split is None else SPLITS.index(split)

    of_id: dict[str, _Read] = {}
    for one in read:
        other = of_id.setdefault(one.instance.id, one)
        if (strictness(one), one.holds) > (strictness(other), other.holds):
            of_id[one.instance.id] = one
    strictest: dict[str, _Read] = {}
    for one in filter(lambda each: each is of_id[each.instance.id], read):
        if strictness(one) > strictness(strictest.setdefault(one.words, one)):
            strictest[one.words] = one
    found: dict[str, list[QuestionInstance]] = {split: [] for split in SPLITS}
    for one in read:
        ident, split = one.instance.id, of_file[one.instance.file]
        if (taken := of_id[ident]) is not one:
            counts.refuse(one.where, "repeated_id", f"{ident} is taken from {taken.where}")
        elif split is None:
            counts.refuse("", "in_no_part", "")
        elif strictness(other := strictest[one.words]) > strictness(one):
            counts.refuse(one.where, "twin_of_held_out", f"{ident} asks what {other.instance.id} asks")
        else:
            if one.instance.exact is None and one.has_exact:
                counts.note(one.where, "answer_unreadable", ident)
            found[split].append(one.instance)
    return found


def exported(
    dataset: store.Dataset, out: PathLike, *, setting: str | None = None, compress: bool = False
) -> list[Exported]:
    """The organisers' files that the dataset's questions come from, by their names, in `out`.

    A question of no file goes into questions.json.
    """
    refuse_setting(setting, "bioasq")
    found: dict[str, list[QuestionInstance]] = {name: [] for name in dataset.recipe.get("files", ())}
    for split in dataset.sizes:
        for instance in store.instances(dataset, split, of=QuestionInstance):
            found.setdefault(instance.file, []).append(instance)
    written: list[Exported] = []
    for file, own in found.items():
        if own:
            name = without_compression(file.rpartition("/")[2] or "questions.json")
            with output(out, name, compress=compress) as (path, stream):
                before = '{\n  "questions": [\n    '
                for each in sorted(own, key=lambda one: one.place):
                    stream.write(f"{before}{each.text or json_text(object_of(each))}".encode())
                    before = ",\n    "
                stream.write(b"\n  ]\n}")
            written.append(Exported(path, len(own), {}))
    return written
