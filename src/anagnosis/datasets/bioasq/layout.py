"""The organisers' golden files and test sets, in and out, byte for byte; `rows` has the JSON.

Each question keeps its own JSON text, and the recipe what stands around the questions of each file.

A file, a folder's .json files, an archive's, or several of these together: all questions are `train`, or of the split
that is named. parts: the batches of each split. setting: the batches of `test`, the rest being train ("9B5,10B1").
Twins of test's questions are left out of dev and train, twins of dev's of train.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from anagnosis.datasets.bioasq.held_out import is_batch, same_question
from anagnosis.datasets.bioasq.parts import Parts, batches, named_parts, strictness
from anagnosis.datasets.bioasq.rows import QUESTIONS, instance_of, object_of
from anagnosis.datasets.export.authors_files import (
    JSON,
    OTHER_LAYOUT,
    AuthorsFiles,
    Framing,
    JsonList,
    authors_files,
    converted,
    output,
    packed_name,
)
from anagnosis.datasets.export.layouts import Exported, FewPlaces, Imported, LayoutFaults
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import TYPES, QuestionInstance, json_text
from anagnosis.datasets.splits import SPLITS
from anagnosis.errors import InputError
from anagnosis.io.compression import without_compression
from anagnosis.io.paths import PathLike

TAKES_SEVERAL = True  # several files are imported together
TAKES_PARTS = True

# Of members of an archive: the participants' test sets have no ending of their own.
_ENDINGS = (*JSON, *(f"-testset{number}" for number in range(1, 10)))
_USUAL = Framing('{\n  "questions": [\n    ', ",\n    ", "\n  ]\n}")
_Place = tuple[int, int]  # file and question, from 0


class _Found(NamedTuple):
    """A question of the first pass. words: what it asks (`same_question`).

    holds: whether it has answers, how many snippets, how many keys.
    """

    ident: str
    where: str
    words: str
    holds: tuple[bool, int, int]


@dataclass(slots=True)
class _Seen:
    """What the first pass finds. framings: name of a file → what stands around its questions; in order."""

    framings: dict[str, Framing] = field(default_factory=dict[str, Framing])
    questions: dict[_Place, _Found] = field(default_factory=dict[_Place, _Found])


def imported(
    path: PathLike | Sequence[PathLike],
    *,
    setting: str | None = None,
    split: str | None = None,
    parts: Mapping[str, str] | None = None,
) -> Imported:
    """The files at `path`, or at several. They are read once to see what they are, and once for each split.

    parts: split → its batches (`bioasq.parts`).
    """
    files = authors_files(path, _ENDINGS, split=split)
    wanted = _parts(setting, split, parts)
    findings = FewPlaces()
    seen = _looked_at(files, findings)
    if findings.refused and not seen.questions:
        where, _, what = findings.places[0]
        raise InputError(
            f"none of its {findings.instances:,} questions can be read ({what})", where, OTHER_LAYOUT
        )
    of_files = list(wanted.by_file([*seen.framings]).values())
    chosen = _splits(_each_id_once(seen, of_files, findings), of_files, findings)
    if empty := [split for split in wanted.batches if split not in chosen.values()]:
        raise InputError(f"no question is left for {empty[0]}", wanted.option, "name other batches")

    def of(wanted: str) -> Iterator[QuestionInstance]:
        return _instances(files, seen, {place for place, own in chosen.items() if own == wanted}, findings)

    recipe: dict[str, Any] = {"dataset": "bioasq", "kind": "question", "layout": "bioasq"}
    if parts:
        recipe["parts"] = {split: list(named) for split, named in wanted.batches.items()}
    elif wanted.batches:
        recipe["held_out"] = list(wanted.batches["test"])
    recipe["files"] = msgspec.to_builtins(seen.framings)
    return Imported({s: of(s) for s in SPLITS if s in chosen.values()}, recipe, files.inputs, findings)


def exported(
    dataset: store.Dataset, out: PathLike, *, setting: str | None = None, compress: bool = False
) -> list[Exported]:
    """The organisers' files that the dataset's questions come from, by their names, in `out`.

    setting: only the files of these batches. A question of no file goes into questions.json.
    """
    wanted = (setting or "").replace(",", " ").split()
    framings = msgspec.convert(dataset.recipe.get("files", {}), dict[str, Framing])
    order = {name: place for place, name in enumerate(framings)}
    parts = (store.instances(dataset, split, of=QuestionInstance) for split in dataset.sizes)
    # The order of the files is that of the import; inside a split they already follow it.
    together = heapq.merge(*parts, key=lambda each: (order.get(each.file, len(order)), each.place))
    written: list[Exported] = []
    for file, found in groupby(together, key=lambda each: each.file):
        if wanted and not any(is_batch(file, batch) for batch in wanted):
            continue
        framing = framings.get(file, _USUAL)
        name = without_compression(Path(file or "questions.json").name)
        path = Path(out) / packed_name(name, compress=compress)
        count = 0
        with output(path, compress=compress) as stream:
            for count, each in enumerate(found, 1):
                before = framing.before if count == 1 else framing.between
                stream.write(f"{before}{each.text or json_text(object_of(each))}".encode())
            stream.write(framing.behind.encode())
        written.append(Exported(path, count, {}))
    if wanted and not written:
        raise InputError(f"no file of {', '.join(wanted)}", str(dataset.folder), f"it has {', '.join(order)}")
    return written


def _looked_at(files: AuthorsFiles, findings: LayoutFaults) -> _Seen:
    """Every file once: which questions it holds, and what stands around them."""
    seen = _Seen()
    for number, opened in enumerate(files.opened(findings)):
        name = opened.name.rpartition("/")[2]
        if name in seen.framings:
            raise InputError(f"a second file called {name}", opened.name, "import it apart from the first")
        listed = JsonList(opened.stream, opened.name, QUESTIONS)
        for place, (line, value, text) in enumerate(listed.values()):
            where = f"{opened.name}:{line}"
            findings.instances += 1
            instance = _instance(where, value, text, findings)
            if instance is not None:
                words = same_question(instance.question)
                answered = instance.exact is not None or bool(instance.ideal)
                holds = (answered, len(instance.snippets), len(value))
                seen.questions[number, place] = _Found(instance.id, where, words, holds)
        for key, _ in listed.other_keys:
            findings.note(opened.name, "other_top_field", str(key))
        if listed.uneven:
            what = "between all questions stands what stands between the first two"
            findings.note(opened.name, "blanks_between_questions", what)
        framing = listed.framing()
        if listed.other_keys:
            framing = msgspec.structs.replace(_USUAL, between=framing.between or _USUAL.between)
        seen.framings[name] = framing
    return seen


def _parts(setting: str | None, split: str | None, parts: Mapping[str, str] | None) -> Parts:
    """The parts that were named one way or the other. setting: the batches of test."""
    given = {"--setting": setting is not None, "--split": split is not None, "--part": bool(parts)}
    if sum(given.values()) > 1:
        several = [option for option, is_given in given.items() if is_given]
        raise InputError("several ways to choose splits", ", ".join(several), "give one of them")
    if parts:
        return named_parts(parts)
    held_out = tuple(batches(setting or "", "--setting"))
    return Parts({"test": held_out} if held_out else {}, split or "train", "--setting")


def _each_id_once(
    seen: _Seen, of_files: Sequence[str | None], findings: LayoutFaults
) -> dict[_Place, _Found]:
    """Of the questions of one id that of the strictest split stays, else the first of those that hold the most.

    of_files: the split of each file.
    """
    stays: dict[str, _Place] = {}

    def weight(place: _Place) -> tuple[int, tuple[bool, int, int]]:
        return strictness(of_files[place[0]]), seen.questions[place].holds

    for place, found in seen.questions.items():
        if weight(place) > weight(stays.setdefault(found.ident, place)):
            stays[found.ident] = place
    for place, found in seen.questions.items():
        if stays[found.ident] != place:
            kept = seen.questions[stays[found.ident]].where
            findings.refuse(found.where, "repeated_id", f"{found.ident} is taken from {kept}")
    return {place: found for place, found in seen.questions.items() if stays[found.ident] == place}


def _splits(
    questions: Mapping[_Place, _Found], of_files: Sequence[str | None], findings: LayoutFaults
) -> dict[_Place, str]:
    """place → split. Twins of questions of a stricter split, and questions of no part, are left out and counted."""
    strictest: dict[str, _Place] = {}
    for place, found in questions.items():
        other = strictest.setdefault(found.words, place)
        if strictness(of_files[place[0]]) > strictness(of_files[other[0]]):
            strictest[found.words] = place
    chosen: dict[_Place, str] = {}
    asked: dict[str, str] = {}
    for place, found in questions.items():
        split = of_files[place[0]]
        if split is None:
            findings.refuse(found.where, "in_no_part", f"{found.ident} is of no part")
            continue
        other = strictest[found.words]
        if strictness(of_files[other[0]]) > strictness(split):
            what = f"{found.ident} asks what {questions[other].ident} asks"
            findings.refuse(found.where, "twin_of_held_out", what)
            continue
        chosen[place] = split
        if found.words in asked:
            findings.note(
                found.where, "repeated_question", f"{found.ident} asks what {asked[found.words]} asks"
            )
        asked.setdefault(found.words, found.ident)
    return chosen


def _instances(
    files: AuthorsFiles, seen: _Seen, wanted: set[_Place], findings: LayoutFaults
) -> Iterator[QuestionInstance]:
    """The questions at these places; an exact answer that cannot be read is counted."""
    for number, (name, opened) in enumerate(zip(seen.framings, files.opened(), strict=True)):
        for place, found in enumerate(JsonList(opened.stream, opened.name, QUESTIONS).values()):
            if (number, place) not in wanted:
                continue
            instance = instance_of(found.value, name, place, found.text)
            if instance.exact is None and (answer := found.value.get("exact_answer")) is not None:
                where = f"{opened.name}:{found.line}"
                findings.note(where, "answer_unreadable", f"{instance.id}: {repr(answer)[:60]}")
            yield instance


def _instance(where: str, value: Any, text: str, findings: LayoutFaults) -> QuestionInstance | None:
    made = converted(lambda value: instance_of(value, "", 0, text), value, where, "not_a_question", findings)
    if made is not None and made.type and made.type not in TYPES:
        return findings.refuse(where, "unknown_type", f"{made.id}: {made.type!r}")
    return made
