"""The authors' own files, in and out: one JSON object of four lists side by side, an item of each an instance.

    {"abstracts": [str, …], "titles": [str, …], "entities_list": [[str, …], …], "answers": [str, …]}

A candidate in `entities_list` and an answer, whose pair and list are Python's `repr`, and may hold " :: ":

    Setting A   @entity65 :: ('MESH:D006816', 'Disease') :: ["Huntington's Disease", 'HD']
                @entity65 :: (MESH:D006816,Disease) :: ['HD']\\n          (the answer: one surface, no quotes)
    Setting B   @entity3                                                  (both)

The names are those of the collection `biomrc_dataset` of the Internet Archive: `dataset_val_small_B.json` is dev of
LITE ("small") in Setting B; TINY is a test set only. Instances read have the form "replaced", with @entityN in their
texts, and an id and document made of their texts (`made_id`), since the files name no article. Setting B has local
numbers, the ranks of the global ones. What the layout has no place for (document, date, labels) is left behind. The
bytes are those of Python's `json.dumps`. LARGE's train has 1.25 GB: it is mapped, each item decoded in its turn.
"""

from __future__ import annotations

import ast
import json
import mmap
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

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
from anagnosis.datasets.published_sets import biomrc_size
from anagnosis.datasets.splits import SPLITS
from anagnosis.documents.io.whole import decoded_json
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.files import open_input
from anagnosis.io.paths import PathLike, open_file
from anagnosis.word_vectors.namespaces import candidate_key

NUMBERING = {"A": "global", "B": "local"}
KEYS = ("abstracts", "titles", "entities_list", "answers")
_KINDS = (str, str, list[str], str)
_NAME = re.compile(r"dataset_(?:(train|val|test)(_small)?|(tiny))(_B)?\.json(?:\.gz|\.zst)?")
_SPLIT_OF = {"train": "train", "val": "dev", "test": "test"}
_ITEM = re.compile(r"@entity(0|[1-9][0-9]{0,9})(?: :: (.*))?", re.DOTALL)
_JOINT = re.compile(r"\) :: \[")
LARGEST = 8 << 30  # bytes of a file, unpacked; LARGE's train has 1.25 billion
_Columns = list[list[msgspec.Raw]]


def read_candidate(text: str, setting: str) -> Candidate:
    """The candidate that `text` spells. ValueError: it spells none."""
    found = _ITEM.fullmatch(text)
    if found and (number := int(found[1])) < 1 << 31 and (setting == "B") == (found[2] is None):
        if setting == "B":
            return Candidate(text, "", number, ())
        for joint in _JOINT.finditer(found[2]):
            pair, names = _texts(found[2][: joint.start() + 1]), _texts(found[2][joint.end() - 1 :])
            if isinstance(pair, tuple) and len(pair) == 2 and isinstance(names, list):
                return Candidate(candidate_key(pair[1], pair[0]), pair[1], number, tuple(names))
    raise ValueError(f"{text!r} is no candidate of setting {setting}")


def write_candidate(candidate: Candidate, identifier: str) -> str:
    """The candidate as the authors write it in Setting A."""
    return f"@entity{candidate.number} :: {(identifier, candidate.type)!r} :: {list(candidate.names)!r}"


def read_hidden(text: str, candidate: Candidate) -> str:
    """The surface in an answer of Setting A. ValueError: it does not spell the candidate, and one surface."""
    head = _answer_head(candidate, identifier_of(candidate))
    names = _texts(text[len(head) :].removesuffix("\n")) if text.startswith(head) else None
    if not isinstance(names, list) or len(names) != 1:
        raise ValueError(f"the answer {text!r} is not its candidate with one surface")
    return names[0]


def write_answer(candidate: Candidate, identifier: str, hidden: str) -> str:
    """The answer as the authors write it in Setting A, with a newline."""
    return f"{_answer_head(candidate, identifier)}{[hidden]!r}\n"


def _answer_head(candidate: Candidate, identifier: str) -> str:
    return f"@entity{candidate.number} :: ({identifier},{candidate.type}) :: "


def identifier_of(candidate: Candidate) -> str:
    """The identifier in a key, without the namespace. InputError: the key has none."""
    head = candidate_key(candidate.type, "")
    if not candidate.key.startswith(head):
        remedy = "export setting B" if candidate.key.startswith("@entity") else "export as parquet or jsonl"
        raise InputError("Setting A needs identifiers with a type", f"candidate {candidate.key}", remedy)
    return candidate.key[len(head) :]


@lru_cache(1 << 17)
def _texts(text: str) -> Any:
    """The tuple or list of strings that a `repr` spells, None of anything else, and of half a surrogate pair."""
    try:
        found = ast.literal_eval(text)
        "".join(found).encode()
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return found


def imported(
    path: PathLike | Sequence[PathLike], *, setting: str | None = None, split: str | None = None
) -> Imported:
    """The set at `path`: a file, or a folder with train, val and test. Plain or compressed.

    setting: A or B, which one to take where a folder holds both. split: what a file is whose name does not say.
    """
    if setting not in (None, *NUMBERING):
        raise unknown_name("setting", str(setting), NUMBERING, "option setting")
    files, by_name = _chosen(authors_files(path, JSON, split=split), setting, split)
    columns = {each: _columns(file, name) for each, (name, file) in files.items()}
    of_content = {"A" if b" :: " in bytes(own[2][0]) else "B" for own in columns.values() if own[2]}
    if len(of_content) > 1 or setting not in (None, *(of_content or NUMBERING)):
        what = f"the content is that of setting {' and '.join(sorted(of_content))}"
        raise InputError(what, ", ".join(name for name, _ in files.values()), "choose files of one setting")
    found = next(iter(of_content), by_name)
    counts, seen = LayoutFaults(), Counter[bytes]()
    recipe = {"dataset": "biomrc", "layout": "biomrc", "text_form": "replaced", "numbering": NUMBERING[found]}
    splits = {each: _instances(own, files[each][0], found, counts, seen) for each, own in columns.items()}
    return Imported(splits, recipe, AuthorsFiles([*files.values()], JSON).inputs, counts)


def _chosen(
    files: AuthorsFiles, setting: str | None, split: str | None
) -> tuple[dict[str, tuple[str, Path]], str]:
    """(split → its file, the setting that the names say) of the one set that the files are."""
    named = [(each, _NAME.fullmatch(each[1].name)) for each in files.named]
    if len(named) > 1:
        named = [(each, known) for each, known in named if known and setting in (None, _setting(known))]
        if not named:
            what = "no file under one of the authors' names"
            raise InputError(what, files.named[0][0], "name the file itself")
    chosen: dict[str, tuple[str, Path]] = {}
    for each, known in named:
        of = split or (known and _SPLIT_OF.get(known[1], "test"))
        if of is None:
            remedy = "add --split train, dev or test, or name another dataset's layout with --layout"
            raise InputError("the file's name does not say which split it is", each[0], remedy)
        chosen[of] = each
    if len(chosen) < len(named) or len({known.group(2, 3, 4) for _, known in named if known}) > 1:
        names = ", ".join(each[0] for each, _ in named)
        remedy = "choose a setting, A or B, or name the files of one"
        raise InputError(f"files of several sets side by side: {names}", "", remedy)
    return {each: chosen[each] for each in SPLITS if each in chosen}, _setting(named[0][1])


def _setting(known: re.Match[str] | None) -> str:
    return "B" if known and known[4] else "A"


def _columns(path: Path, name: str) -> _Columns:
    """The four lists, their items undecoded: they point into the file, which stays mapped as long as they are there."""
    with open_file(path) as stream:
        plain = stream.read(64).lstrip().startswith(b"{")
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


def _instances(
    columns: _Columns, name: str, setting: str, counts: LayoutFaults, seen: Counter[bytes]
) -> Iterator[ClozeInstance]:
    for number, row in enumerate(zip(*columns, strict=True)):
        passage, question, entities, answer = [
            decoded_json(item, name, kind) for item, kind in zip(row, _KINDS, strict=True)
        ]
        try:
            yield _instance(passage, question, entities, answer, setting, seen)
        except ValueError as fault:
            counts.refuse(f"{name}, instance {number}", "not_an_instance", str(fault))


def _instance(
    passage: str, question: str, entities: list[str], answer: str, setting: str, seen: Counter[bytes]
) -> ClozeInstance:
    """The instance that a row spells. ValueError: one that cannot be stored and written again."""
    candidates = [read_candidate(text, setting) for text in entities]
    place = {f"@entity{candidate.number}": index for index, candidate in enumerate(candidates)}
    if len(place) < len(candidates):
        raise ValueError(f"{len(candidates)} candidates have {len(place)} numbers")
    if question.count(PLACEHOLDER) != 1:
        raise ValueError(f"the title holds {question.count(PLACEHOLDER)} {PLACEHOLDER}, not one")
    mentions, asked = _mentions(passage, place), _mentions(question, place)
    right = place.get(answer if setting == "B" else answer.partition(" :: ")[0])
    if right is None:
        raise ValueError(f"the answer {answer!r} is no candidate")
    answers = (read_hidden(answer, candidates[right]),) if setting == "A" else ()
    passage, question = passage.removesuffix("\n"), question.removesuffix("\n")
    ident, document = made_id(passage, question, seen)
    keys = Counter([candidate.key for candidate in candidates])
    told_apart = tuple(
        [
            msgspec.structs.replace(each, key=f"{each.key}#{each.number}") if keys[each.key] > 1 else each
            for each in candidates
        ]
    )
    return ClozeInstance(ident, document, "", passage, question, mentions, asked, told_apart, right, answers)


def _mentions(text: str, place: dict[str, int]) -> tuple[PassageMention, ...]:
    found = list(PSEUDO.finditer(text))
    if others := [each[0] for each in found if each[0] not in place]:
        raise ValueError(f"{others[0]} is no candidate")
    return tuple([PassageMention((each.span(),), place[each[0]]) for each in found])


def exported(
    dataset: store.Dataset, out: PathLike, *, setting: str | None = None, compress: bool = False
) -> list[Exported]:
    """The authors' files, by their names. setting: A or B (by default the dataset's); of groups those alone."""
    setting = setting or ("B" if dataset.numbering == "local" else "A")
    group = f"tiny-{setting.lower()}"
    grouped = group in dataset.recipe.get("groups", {})
    size = "tiny" if grouped else biomrc_size(dataset)
    if size == "tiny" and [*dataset.sizes] != ["test"]:
        what = f"splits {', '.join(dataset.sizes)}"
        raise InputError("TINY is a test set only", what, "export its test split")
    written: list[Exported] = []
    for split in dataset.sizes:
        found = store.instances(dataset, split, of=ClozeInstance)
        instances = (instance for instance in found if not grouped or group in instance.labels)
        forms = {"text_form": dataset.text_form, "numbering": dataset.numbering}
        with output(out, file_name(split, size, setting), compress=compress) as (path, stream):
            written.append(Exported(path, write(instances, stream, setting, **forms), {}))
    return written


def file_name(split: str, size: str, setting: str) -> str:
    """What the authors call such a file: `dataset_val_small_B.json`. size: large, lite or tiny."""
    if setting not in NUMBERING:
        raise unknown_name("setting", setting, NUMBERING)
    word = "val" if split == "dev" else split
    stem = "tiny" if size == "tiny" else f"{word}_small" if size == "lite" else word
    return f"dataset_{stem}{'_B' if setting == 'B' else ''}.json"


def write(
    instances: Iterable[ClozeInstance],
    stream: BinaryIO,
    setting: str,
    *,
    text_form: str,
    numbering: str = "global",
) -> int:
    """Write one file in the authors' layout; how many instances it has.

    text_form, numbering: facts of the dataset (`views`). Titles, candidates and answers wait in temporary files.
    """
    count, encode = 0, json.JSONEncoder().encode
    folder = Path(stream.name).parent if isinstance(getattr(stream, "name", None), str) else None
    temporary = partial(tempfile.TemporaryFile, dir=folder)
    with temporary() as titles, temporary() as entities, temporary() as answers:
        columns: tuple[BinaryIO, ...] = (stream, titles, entities, answers)
        stream.write(b'{"abstracts": [')
        for instance in instances:
            row = _row(instance, setting, text_form, numbering)
            for column, item in zip(columns, row, strict=True):
                column.write(f"{', ' if count else ''}{encode(item)}".encode())
            count += 1
        for key, column in zip(KEYS[1:], columns[1:], strict=True):
            stream.write(f'], "{key}": ['.encode())
            column.seek(0)
            shutil.copyfileobj(column, stream, 1 << 20)
        stream.write(b"]}")
    return count


def _row(
    instance: ClozeInstance, setting: str, text_form: str, numbering: str
) -> tuple[str, str, list[str], str]:
    """Abstract, title, candidates and answer as the file has them."""
    viewed = view(instance, NUMBERING[setting], text_form, numbering=numbering)
    if instance.answer is None or (setting == "A" and not instance.answers):
        what = "the layout needs an answer, in setting A with the surface that the title hides"
        raise InputError(what, instance.id, "export setting B, or a view: --layout jsonl or parquet")
    entities, answer = list(viewed.candidates), viewed.candidates[instance.answer]
    if setting == "A":
        candidates = instance.candidates
        identifiers = [identifier_of(candidate) for candidate in candidates]
        if text_form == "replaced":  # those of one key were told apart by their numbers
            numbered = zip(identifiers, candidates, strict=True)
            identifiers = [identifier.removesuffix(f"#{each.number}") for identifier, each in numbered]
        entities = [*map(write_candidate, candidates, identifiers)]
        right = instance.answer
        answer = write_answer(candidates[right], identifiers[right], instance.answers[0])
    return f"{viewed.passage}\n", f"{viewed.question}\n", entities, answer
