"""The authors' own files, in and out: one JSON object of four lists side by side, an item of each an instance.

    {"abstracts": [str, …], "titles": [str, …], "entities_list": [[str, …], …], "answers": [str, …]}

The names are those of the collection `biomrc_dataset` of the Internet Archive: `dataset_val_small_B.json` is dev of
LITE ("small") in Setting B; TINY is a test set only. Reading gives cloze instances in the form "replaced": the text
with its @entityN, the candidates and their names in the file's order (`items`). The files name no article, so

    document   text: + the first 16 hexadecimal digits of the SHA-256 of the passage as stored
    id         document : where XXXX stands in the question; the second instance of the same id gets -2

Writing takes any cloze dataset. Setting A spells numbers, identifiers, types and names, Setting B only local
numbers: the ranks of the global ones. What the layout has no place for (document, date, labels) is left behind. The
bytes are those of Python's `json.dumps`. LARGE's train has 1.25 GB: it is mapped, each item decoded in its turn.
"""

from __future__ import annotations

import json
import mmap
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from anagnosis.datasets.biomrc.items import SEPARATOR, Item, read_hidden, read_item, write_answer, write_item
from anagnosis.datasets.export.authors_files import (
    JSON,
    OTHER_LAYOUT,
    AuthorsFiles,
    authors_files,
    made_id,
    members,
    output,
)
from anagnosis.datasets.export.layouts import Exported, Imported, LayoutFaults
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import (
    PLACEHOLDER,
    PSEUDO,
    Candidate,
    ClozeInstance,
    PassageMention,
)
from anagnosis.datasets.kinds.cloze_views import view
from anagnosis.datasets.published_sets import PublishedSets, sets_of
from anagnosis.datasets.splits import SPLITS
from anagnosis.documents.io.whole import decoded_json
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.files import open_input
from anagnosis.io.paths import PathLike, open_file
from anagnosis.word_vectors.namespaces import candidate_key

NUMBERING = {"A": "global", "B": "local"}
KEYS = ("abstracts", "titles", "entities_list", "answers")
_NAME = re.compile(r"dataset_(?:(train|val|test)(_small)?|(tiny))(_B)?\.json(?:\.gz|\.zst)?")
_SPLIT_OF = {"train": "train", "val": "dev", "test": "test"}
_NUMBERED = re.compile(r"#[0-9]+\Z")
_HEAD = 64
LARGEST = 8 << 30  # bytes of a file, unpacked; LARGE's train has 1.25 billion
_Columns = list[list[msgspec.Raw]]


class Row(NamedTuple):
    """One instance as the file has it, line ends and all."""

    abstract: str
    title: str
    entities: list[str]
    answer: str


class _RowError(Exception):
    """A row that cannot be stored, shown in the local view, and written again; the name of its fault."""


def imported(
    path: PathLike | Sequence[PathLike], *, setting: str | None = None, split: str | None = None
) -> Imported:
    """The set at `path`: a file, or a folder with train, val and test. Plain or compressed.

    setting: A or B, which one to take where a folder holds both; the content says which one a file has.
    split: what a file is whose name does not say.
    """
    if setting not in (None, *NUMBERING):
        raise unknown_name("setting", str(setting), NUMBERING, "option setting")
    files, by_name = _chosen(authors_files(path, JSON, split=split), setting, split)
    columns = {each: _columns(file, name) for each, (name, file) in files.items()}
    known = {each: _setting(own, files[each][0]) for each, own in columns.items() if own[0]}
    if len({*known.values()}) > 1:
        listed = ", ".join(f"{files[each][0]} has setting {found}" for each, found in known.items())
        raise InputError(f"files of both settings side by side: {listed}", "", "choose the files of one")
    found = next(iter(known.values()), by_name)
    if setting not in (None, found):
        names = ", ".join(name for name, _ in files.values())
        raise InputError(f"the content is that of setting {found}", names, f"not of setting {setting}")
    counts, seen = LayoutFaults(), Counter[bytes]()
    recipe = {"dataset": "biomrc", "layout": "biomrc", "text_form": "replaced", "numbering": NUMBERING[found]}
    splits = {each: _instances(own, files[each][0], found, counts, seen) for each, own in columns.items()}
    return Imported(splits, recipe, AuthorsFiles([*files.values()], JSON).inputs, counts)


def _chosen(
    files: AuthorsFiles, setting: str | None, split: str | None
) -> tuple[dict[str, tuple[str, Path]], str]:
    """(split → its file, the setting that the names say) of the one set that the files are."""
    named = [(each, _NAME.fullmatch(each[1].name)) for each in files.named]
    if len(named) == 1:
        [(file, known)] = named
        split = split or (known and _SPLIT_OF.get(known[1], "test"))
        if split is None:
            remedy = "add --split train, dev or test, or name another dataset's layout with --layout"
            raise InputError("the file's name does not say which split it is", file[0], remedy)
        return {split: file}, "B" if known and known[4] else "A"
    if split is not None:
        raise InputError("several files name their splits themselves", files.named[0][0], "leave --split out")
    found = [(file, known) for file, known in named if known and setting in (None, "B" if known[4] else "A")]
    chosen = {_SPLIT_OF.get(known[1], "test"): file for file, known in found}
    if not found:
        raise InputError("no file under one of the authors' names", files.named[0][0], "name the file itself")
    if len({known.group(2, 3, 4) for _, known in found}) > 1 or len(chosen) < len(found):
        names = ", ".join(file[0] for file, _ in found)
        remedy = "choose a setting, A or B, or name the files of one"
        raise InputError(f"files of several sets side by side: {names}", "", remedy)
    return {each: chosen[each] for each in SPLITS if each in chosen}, "B" if found[0][1][4] else "A"


def _columns(path: Path, name: str) -> _Columns:
    """The four lists, their items undecoded: they point into the file, which stays mapped as long as they are there."""
    with open_file(path) as stream:
        plain = stream.read(_HEAD).lstrip().startswith(b"{")
    with open_file(path) if plain else tempfile.TemporaryFile() as stream:
        if not plain:  # compressed, or with a byte order mark
            with open_input(path) as packed:
                for block in iter(partial(packed.read, 1 << 20), b""):
                    if stream.tell() > LARGEST:
                        raise InputError(f"is larger than {LARGEST >> 30} GiB, unpacked", name, OTHER_LAYOUT)
                    stream.write(block)
            stream.flush()
        try:
            data = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
        except ValueError as fault:
            raise InputError("the file is empty", name, OTHER_LAYOUT) from fault
    found = members(data, name)
    if {*found} != {*KEYS}:
        what = f"the layout is one object with the lists {', '.join(KEYS)}"
        raise InputError(what, name, "name another dataset's with --layout")
    columns: _Columns = [decoded_json(found[key], name, list[msgspec.Raw]) for key in KEYS]
    if len({*map(len, columns)}) > 1:
        sizes = ", ".join(f"{len(own)} {key}" for key, own in zip(KEYS, columns, strict=True))
        raise InputError(f"the lists are not equally long: {sizes}", name, OTHER_LAYOUT)
    return columns


def _rows(columns: _Columns, name: str) -> Iterator[Row]:
    kinds = (str, str, list[str], str)
    for row in zip(*columns, strict=True):
        yield Row(*[decoded_json(item, name, kind) for item, kind in zip(row, kinds, strict=True)])


def _setting(columns: _Columns, name: str) -> str:
    first = next(_rows(columns, name))
    return "A" if first.entities and SEPARATOR in first.entities[0] else "B"


def _instances(
    columns: _Columns, name: str, setting: str, counts: LayoutFaults, seen: Counter[bytes]
) -> Iterator[ClozeInstance]:
    for number, row in enumerate(_rows(columns, name)):
        counts.instances += 1
        try:
            yield _instance(row, setting, seen)
        except _RowError as fault:
            counts.refuse(f"{name}, instance {number}", *fault.args)


def _instance(row: Row, setting: str, seen: Counter[bytes]) -> ClozeInstance:
    items: list[Item] = []
    for text in row.entities:
        if (item := read_item(text, setting)) is None:
            raise _RowError("candidate_unreadable", repr(text))
        items.append(item)
    place = {f"@entity{item.number}": index for index, item in enumerate(items)}
    if len(place) < len(items):
        raise _RowError("candidate_twice", f"{len(items)} candidates, {len(place)} numbers")
    if row.title.count(PLACEHOLDER) != 1:
        raise _RowError("title_without_one_placeholder", repr(row.title))
    mentions, asked = _mentions(row.abstract, place), _mentions(row.title, place)
    answer = place.get(row.answer.partition(SEPARATOR)[0])
    if answer is None:
        raise _RowError("answer_no_candidate", repr(row.answer))
    if (hidden := read_hidden(row.answer, items[answer], setting)) is None:
        raise _RowError("answer_unreadable", repr(row.answer))
    passage, question = row.abstract.removesuffix("\n"), row.title.removesuffix("\n")
    ident, document = made_id(passage, question, seen)
    return ClozeInstance(
        id=ident,
        document=document,
        date="",
        passage=passage,
        question=question,
        mentions=mentions,
        question_mentions=asked,
        candidates=_candidates(items, setting),
        answer=answer,
        answers=(hidden,) if setting == "A" else (),
    )


def _mentions(text: str, place: dict[str, int]) -> tuple[PassageMention, ...]:
    try:
        return tuple([PassageMention((found.span(),), place[found[0]]) for found in PSEUDO.finditer(text)])
    except KeyError as fault:
        raise _RowError("entity_no_candidate", fault.args[0]) from fault


def _candidates(items: list[Item], setting: str) -> tuple[Candidate, ...]:
    if setting == "B":
        return tuple([Candidate(f"@entity{item.number}", "", item.number, ()) for item in items])
    keys = [candidate_key(item.type, item.identifier) for item in items]
    return tuple(
        [
            Candidate(_told_apart(key, keys, item), item.type, item.number, item.names)
            for key, item in zip(keys, items, strict=True)
        ]
    )


def _told_apart(key: str, keys: list[str], item: Item) -> str:
    """The key, with the number behind it where another candidate has the same (or it looks so numbered)."""
    return f"{key}#{item.number}" if keys.count(key) > 1 or _NUMBERED.search(key) else key


def exported(
    dataset: store.Dataset, out: PathLike, *, setting: str | None = None, compress: bool = False
) -> list[Exported]:
    """The authors' files, by their names. setting: A or B (by default the dataset's); of groups those alone."""
    setting = setting or ("B" if dataset.numbering == "local" else "A")
    group = f"tiny-{setting.lower()}"
    grouped = group in dataset.recipe.get("groups", {})
    size = "tiny" if grouped else published_size(dataset)
    if size == "tiny" and [*dataset.sizes] != ["test"]:
        what = f"splits {', '.join(dataset.sizes)}"
        raise InputError("TINY is a test set only", what, "export its test split")
    written: list[Exported] = []
    for split in dataset.sizes:
        found = store.instances(dataset, split, of=ClozeInstance)
        instances = (instance for instance in found if not grouped or group in instance.labels)
        forms = {"text_form": dataset.text_form, "numbering": dataset.numbering}
        with output(out, file_name(split, size, setting), compress=compress) as (path, stream):
            written.append(Exported(path, *write(instances, stream, setting, **forms)))
    return written


def file_name(split: str, size: str, setting: str) -> str:
    """What the authors call such a file: `dataset_val_small_B.json`. size: large, lite or tiny."""
    if setting not in NUMBERING:
        raise unknown_name("setting", setting, NUMBERING)
    word = next(word for word, own in _SPLIT_OF.items() if own == split) + (
        "_small" if size == "lite" else ""
    )
    return f"dataset_{'tiny' if size == 'tiny' else word}{'_B' if setting == 'B' else ''}.json"


def published_size(dataset: store.Dataset) -> str:
    """Whether the files should be called as LARGE's or LITE's: by the name of what was read, or what it samples."""
    names = " ".join(entry.name for entry in dataset.receipt.inputs)
    if "_tiny" in names or dataset.recipe.get("groups"):
        return "tiny"
    return "lite" if "_small" in names or "sample_of" in dataset.recipe else "large"


def write(
    instances: Iterable[ClozeInstance],
    stream: BinaryIO,
    setting: str,
    *,
    text_form: str,
    numbering: str = "global",
) -> tuple[int, dict[str, int]]:
    """Write one file in the authors' layout; how many instances it has, and notes by name.

    text_form, numbering: facts of the dataset (`views`). Titles, candidates and answers wait in temporary files.
    Notes: `surface_holds_separator` (programs that split at " :: " will break), `text_holds_pseudo_token` (a
    literal @entity or XXXX besides those written).
    """
    notes, count, encode = Counter[str](), 0, json.JSONEncoder().encode
    folder = Path(stream.name).parent if isinstance(getattr(stream, "name", None), str) else None
    temporary = partial(tempfile.TemporaryFile, dir=folder)
    with temporary() as titles, temporary() as entities, temporary() as answers:
        columns: tuple[BinaryIO, ...] = (stream, titles, entities, answers)
        stream.write(b'{"abstracts": [')
        for instance in instances:
            for column, item in zip(
                columns, _row(instance, setting, text_form, numbering, notes), strict=True
            ):
                column.write(f"{', ' if count else ''}{encode(item)}".encode())
            count += 1
        for key, column in zip(KEYS[1:], columns[1:], strict=True):
            stream.write(f'], "{key}": ['.encode())
            column.seek(0)
            shutil.copyfileobj(column, stream, 1 << 20)
        stream.write(b"]}")
    return count, dict(sorted((+notes).items()))


def _row(instance: ClozeInstance, setting: str, text_form: str, numbering: str, notes: Counter[str]) -> Row:
    viewed = view(instance, NUMBERING[setting], text_form, numbering=numbering)
    if instance.answer is None:
        what = "the layout has no place for an instance without an answer"
        raise InputError(what, instance.id, "export a view of it: --layout jsonl or parquet")
    entities, answer = list(viewed.candidates), viewed.candidates[instance.answer]
    if setting == "A":
        if not instance.answers:
            what = "Setting A needs the surface that the title hides"
            raise InputError(what, instance.id, "export setting B")
        items = [Item(c.number, _identifier(c, text_form), c.type, c.names) for c in instance.candidates]
        entities = [write_item(item) for item in items]
        answer = write_answer(items[instance.answer], instance.answers[0])
        notes["surface_holds_separator"] += any(text.count(SEPARATOR) > 2 for text in (*entities, answer))
    passage, question = viewed.passage, viewed.question
    notes["text_holds_pseudo_token"] += (
        question.count(PLACEHOLDER) > 1
        or PLACEHOLDER in passage
        or passage.count("@entity") > len(instance.mentions)
        or question.count("@entity") > len(instance.question_mentions)
    )
    return Row(f"{passage}\n", f"{question}\n", entities, answer)


def _identifier(candidate: Candidate, text_form: str) -> str:
    """The identifier in a key, without the namespace and without what `_told_apart` added."""
    head = candidate_key(candidate.type, "")
    if not candidate.key.startswith(head):
        remedy = "export setting B" if candidate.key.startswith("@entity") else "export as parquet or jsonl"
        raise InputError("Setting A needs identifiers with a type", f"candidate {candidate.key}", remedy)
    identifier = candidate.key[len(head) :]
    return identifier.removesuffix(f"#{candidate.number}") if text_form == "replaced" else identifier


# TINY has the columns "setting-a", "setting-b" and "total", the others "train", "dev", "test" and "total".
PUBLISHED = PublishedSets(partial(sets_of, "anagnosis.datasets.biomrc"), published_size)
