"""The organisers' golden files and test sets, in and out, byte for byte; `rows` has the JSON, `spelling` its looks.

A file, a folder's .json files, an archive's, or several of these together: all questions are `train`, or of the split
that is named. parts: the batches of each split. setting: the batches of `test`, the rest being train ("9B5,10B1").
Twins of test's questions are left out of dev and train, twins of dev's of train.
"""

from __future__ import annotations

import gzip
import hashlib
import heapq
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

import msgspec

from anagnosis.datasets.bioasq.input_faults import dirt
from anagnosis.datasets.bioasq.kept_apart import is_batch, same_question
from anagnosis.datasets.bioasq.parts import Parts, batches, named_parts, strictness
from anagnosis.datasets.bioasq.rows import QuestionFile, instance_of, object_of
from anagnosis.datasets.bioasq.spelling import SpelledFile, Spelling
from anagnosis.datasets.export.layouts import Exported, FewPlaces, Imported, LayoutFaults
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.receipt import Input
from anagnosis.datasets.kinds.question import TYPES, QuestionInstance
from anagnosis.datasets.splits import SPLITS
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.archives import Opened, open_each
from anagnosis.io.compression import without_compression
from anagnosis.io.files import STANDARD_INPUT, atomic_write, sha256
from anagnosis.io.input_files import input_files
from anagnosis.io.paths import PathLike
from anagnosis.wording import reworded

TAKES_SEVERAL = True  # several files are imported together
TAKES_PARTS = True
LEVEL = 2  # how deep a question lies in its file

# Of members of an archive: the participants' test sets have no ending of their own.
_ENDINGS = (".json", *(f"-testset{number}" for number in range(1, 10)))
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
    """What the first pass finds. names: of the files, in order. uneven: those whose other blanks are reported."""

    names: list[str] = field(default_factory=list[str])
    spellings: dict[str, Spelling] = field(default_factory=dict[str, Spelling])
    questions: dict[_Place, _Found] = field(default_factory=dict[_Place, _Found])
    uneven: set[str] = field(default_factory=set[str])


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
    if split is not None and split not in SPLITS:
        raise unknown_name("split", split, SPLITS, "option split")
    wanted = _parts(setting, split, parts)
    given: Sequence[PathLike] = (path,) if isinstance(path, PathLike) else path
    if any(str(each) == STANDARD_INPUT for each in given):
        raise InputError("the layout cannot be read from standard input: it is read several times", "-")
    files = input_files(given, (".json",))
    findings = FewPlaces()
    seen = _looked_at(files, findings)
    if findings.refused and not seen.questions:
        where, _, what = findings.places[0]
        raise InputError(
            f"none of its {findings.instances:,} questions can be read ({what})", where, "check the file"
        )
    of_files = list(wanted.by_file(seen.names).values())
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
    recipe["files"] = {name: msgspec.to_builtins(seen.spellings[name]) for name in seen.names}
    inputs = tuple(Input(name, file.stat().st_size, sha256(file)) for name, file in files)
    return Imported({s: of(s) for s in SPLITS if s in chosen.values()}, recipe, inputs, {}, findings)


def exported(
    dataset: store.Dataset, out: PathLike, *, setting: str | None = None, compress: bool = False
) -> list[Exported]:
    """The organisers' files that the dataset's questions come from, by their names, in `out`.

    setting: only the files of these batches. A question of no file goes into questions.json.
    """
    wanted = (setting or "").replace(",", " ").split()
    spellings = dataset.recipe.get("files", {})
    order = {name: place for place, name in enumerate(spellings)}
    parts = (store.instances(dataset, split, of=QuestionInstance) for split in dataset.rows)
    # The order of the files is that of the import; inside a split they already follow it.
    together = heapq.merge(*parts, key=lambda each: (order.get(each.file, len(order)), each.place))
    written: list[Exported] = []
    for file, found in groupby(together, key=lambda each: each.file):
        if wanted and not any(is_batch(file, batch) for batch in wanted):
            continue
        spelling = msgspec.convert(spellings[file], Spelling) if file in spellings else Spelling()
        name = Path(file or "questions.json").name
        path = Path(out) / f"{without_compression(name)}{'.gz' if compress else ''}"
        with ExitStack() as stack:
            stream = stack.enter_context(atomic_write(path))
            if compress:
                stream = cast(BinaryIO, stack.enter_context(gzip.GzipFile("", "wb", fileobj=stream, mtime=0)))
            made = SpelledFile(spelling, stream.write)
            for each in found:
                made.add(text_of(each, spelling))
            made.close()
        written.append(Exported(path, made.questions, {}))
    if wanted and not written:
        raise InputError(f"no file of {', '.join(wanted)}", str(dataset.folder), f"it has {', '.join(order)}")
    return written


def text_of(instance: QuestionInstance, spelling: Spelling) -> str:
    """A question's object as its file spells it."""
    return spelling.text(object_of(instance), LEVEL) if instance.spelled is None else instance.spelled


def _looked_at(files: Sequence[tuple[str, Path]], findings: LayoutFaults) -> _Seen:
    """Every file once: which questions it holds, and how it is spelled."""
    seen = _Seen()
    for number, opened in enumerate(_opened(files, findings)):
        name = opened.name.rpartition("/")[2]
        if name in seen.spellings:
            raise InputError(f"a second file called {name}", opened.name, "import it apart from the first")
        seen.names.append(name)
        file = QuestionFile(opened.stream, opened.name)
        for place, (line, value, _) in enumerate(file.rows()):
            where = f"{opened.name}:{line}"
            findings.instances += 1
            instance = _instance(where, value, name, place, findings)
            if instance is not None:
                words = same_question(instance.question)
                answered = instance.exact is not None or bool(instance.ideal)
                holds = (answered, len(instance.snippets), len(value))
                seen.questions[number, place] = _Found(instance.id, where, words, holds)
        for key in file.other_keys:
            findings.note(opened.name, "other_top_field", str(key))
        seen.spellings[name] = file.spelling
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
    kept_apart: dict[str, _Place] = {}
    for place, found in questions.items():
        other = kept_apart.setdefault(found.words, place)
        if strictness(of_files[place[0]]) > strictness(of_files[other[0]]):
            kept_apart[found.words] = place
    chosen: dict[_Place, str] = {}
    asked: dict[str, str] = {}
    for place, found in questions.items():
        split = of_files[place[0]]
        if split is None:
            findings.refuse(found.where, "in_no_part", f"{found.ident} is of no part")
            continue
        other = kept_apart[found.words]
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
    files: Sequence[tuple[str, Path]], seen: _Seen, wanted: set[_Place], findings: LayoutFaults
) -> Iterator[QuestionInstance]:
    """The questions at these places, each with its text where its file's spelling is another.

    Their input faults are counted.
    """
    for number, opened in enumerate(_opened(files, LayoutFaults())):
        name = seen.names[number]
        spelling = seen.spellings[name]
        file = QuestionFile(opened.stream, opened.name)
        whole = hashlib.sha256()
        again = SpelledFile(spelling, whole.update)
        for place, (line, value, text) in enumerate(file.rows()):
            where = f"{opened.name}:{line}"
            again.add(text)
            if (number, place) not in wanted:
                continue
            instance = instance_of(value, name, place)
            for fault, what in dirt(value, instance):
                findings.note(where, fault, f"{instance.id}: {what}")
            if text_of(instance, spelling) != text:
                findings.note(where, "spelled_otherwise", f"{instance.id}: kept as its text")
                instance = msgspec.structs.replace(instance, spelled=text)
            yield instance
        again.close()
        if whole.digest() != file.sha256 and name not in seen.uneven:
            seen.uneven.add(name)
            findings.note(opened.name, "blanks_between_questions", "they come back as the rest is spelled")


def _instance(
    where: str, value: Any, file: str, place: int, findings: LayoutFaults
) -> QuestionInstance | None:
    try:
        instance = instance_of(value, file, place)
    except msgspec.ValidationError as fault:
        return findings.refuse(where, "not_a_question", reworded(fault))
    except UnicodeError:
        return findings.refuse(where, "half_a_character", "a surrogate without its other half")
    if instance.type and instance.type not in TYPES:
        return findings.refuse(where, "unknown_type", f"{instance.id}: {instance.type!r}")
    return instance


def _opened(files: Iterable[tuple[str, Path]], findings: LayoutFaults) -> Generator[Opened]:
    """Every file and every member of an archive, one after the other."""

    def left_out(fault: str, where: str, why: str) -> None:
        findings.note(where, fault, why)

    for name, path in files:

        def marked(mark: str, name: str = name) -> None:
            findings.note(name, "byte_order_mark", f"{mark}; it comes back as UTF-8 without")

        with closing(open_each(path, _ENDINGS, name=name, on_mark=marked, on_left_out=left_out)) as each:
            yield from each
