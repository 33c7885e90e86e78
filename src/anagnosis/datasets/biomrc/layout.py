"""The authors' own files, in and out, byte for byte.

Reading gives cloze instances in the form "replaced": the text with its @entityN, the candidates and their
names in the file's order, all of which the same bytes depend on. The files name no article, so

    document   text: + the first 16 hexadecimal digits of the SHA-256 of the passage as stored
    id         document : where XXXX stands in the question; the second instance of the same id gets -2

Writing takes any cloze dataset. Setting A spells numbers, identifiers, types and names, Setting B only local
numbers: the ranks of the global ones. What the layout has no place for (document, date, labels) is left
behind. `rows` has the JSON, `items` one candidate, `invariants` the checks, `published` names and hashes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, cast

from anagnosis.datasets.biomrc import invariants
from anagnosis.datasets.biomrc.authors_spelling import SEPARATOR, Item, write_answer, write_item
from anagnosis.datasets.biomrc.invariants import BiomrcFaults, Reading
from anagnosis.datasets.biomrc.published import file_name, identify, sources
from anagnosis.datasets.biomrc.rows import Row, first_entities, read_rows, write_rows
from anagnosis.datasets.export.authors_files import JSON, AuthorsFiles, output, packed_name
from anagnosis.datasets.export.layouts import Exported, Imported
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER, Candidate, ClozeInstance, PassageMention
from anagnosis.datasets.kinds.cloze_views import view
from anagnosis.datasets.published_sets import PublishedSets, sets_of
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike
from anagnosis.word_vectors.namespaces import candidate_key

NUMBERING = {"A": "global", "B": "local"}
_NUMBERED = re.compile(r"#[0-9]+\Z")


def imported(path: PathLike, *, setting: str | None = None, split: str | None = None) -> Imported:
    """The set at `path`: a file, or a folder with train, val and test. Plain or compressed.

    setting: A or B, which one to take where a folder holds both; the content says which one a file has.
    split: what a file is whose name does not say.
    """
    found = sources(path, setting=setting, split=split)
    entities = [first_entities(source.path) for source in found]
    settings = [None if not each else "A" if SEPARATOR in each[0] else "B" for each in entities]
    known = {setting for setting in settings if setting is not None}
    if len(known) > 1:
        listed = ", ".join(f"{s.path.name} has setting {found}" for s, found in zip(found, settings) if found)
        raise InputError(
            f"files of both settings side by side: {listed}", str(path), "choose the files of one"
        )
    chosen = known.pop() if known else found[0].setting
    if setting is not None and chosen != setting:
        raise InputError(f"the content is that of setting {chosen}", str(path), f"not of setting {setting}")
    findings = BiomrcFaults()
    seen: Counter[bytes] = Counter()
    recipe = {
        "dataset": "biomrc",
        "layout": "biomrc",
        "text_form": "replaced",
        "numbering": NUMBERING[chosen],
    }
    return Imported(
        {source.split: _instances(source.path, chosen, findings, seen) for source in found},
        recipe,
        AuthorsFiles([(source.path.name, source.path) for source in found], JSON).inputs,
        findings,
        {source.path.name: known.name if (known := identify(source.path)) else "" for source in found},
    )


def exported(
    dataset: store.Dataset, out: PathLike, *, setting: str | None = None, compress: bool = False
) -> list[Exported]:
    """The authors' files, by their names. setting: A (the usual one) or B; of a dataset with groups those alone."""
    setting = setting or "A"
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
        path = Path(out) / packed_name(file_name(split, size, setting), compress=compress)
        with output(path, compress=compress) as stream:
            count, notes = write(
                instances,
                stream,
                setting,
                text_form=dataset.text_form,
                numbering=dataset.numbering,
                spool=path.parent,
            )
        written.append(Exported(path, count, notes))
    return written


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
    spool: PathLike | None = None,
) -> tuple[int, dict[str, int]]:
    """Write one file in the authors' layout; how many instances it has, and notes by name.

    text_form, numbering: facts of the dataset (`views`). spool: folder for temporary files.
    Notes: `surface_holds_separator` (programs that split at " :: " will break), `text_holds_pseudo_token` (a
    literal @entity or XXXX besides those written).
    """
    notes: Counter[str] = Counter()
    rows = (_row(instance, setting, text_form, numbering, notes) for instance in instances)
    count = write_rows(rows, stream, spool=spool)
    return count, dict(sorted(notes.items()))


def _instances(
    path: Path, setting: str, findings: BiomrcFaults, seen: Counter[bytes]
) -> Iterator[ClozeInstance]:
    def otherwise(reason: str) -> None:
        findings.note(path.name, "other_json", reason)

    for number, row in enumerate(read_rows(path, otherwise)):
        where = f"{path.name}, instance {number}"
        reading = invariants.read(row, setting)
        if findings.check(reading, where):
            yield _instance(reading, where, findings, seen)


def _instance(reading: Reading, where: str, findings: BiomrcFaults, seen: Counter[bytes]) -> ClozeInstance:
    items = cast("list[Item]", reading.items)
    candidates = _candidates(items, reading.setting, where, findings)
    place = {f"@entity{item.number}": index for index, item in enumerate(items)}
    passage, question = reading.row.abstract.removesuffix("\n"), reading.row.title.removesuffix("\n")
    document = f"text:{sha256(passage.encode()).hexdigest()[:16]}"
    return ClozeInstance(
        id=_id(document, question.index(PLACEHOLDER), seen),
        document=document,
        date="",
        passage=passage,
        question=question,
        mentions=_mentions(reading.abstract, place),
        question_mentions=_mentions(reading.title, place),
        candidates=candidates,
        answer=reading.answer,
        answers=() if reading.hidden is None else (reading.hidden,),
    )


def _mentions(tokens: list[re.Match[str]], place: dict[str, int]) -> tuple[PassageMention, ...]:
    return tuple([PassageMention((found.span(),), place[found[0]]) for found in tokens])


def _id(document: str, start: int, seen: Counter[bytes]) -> str:
    name = f"{document}:{start}"
    digest = sha256(name.encode()).digest()[:8]
    seen[digest] += 1
    return name if seen[digest] == 1 else f"{name}-{seen[digest]}"


def _candidates(items: list[Item], setting: str, where: str, findings: BiomrcFaults) -> tuple[Candidate, ...]:
    if setting == "B":
        return tuple([Candidate(f"@entity{item.number}", "", item.number, ()) for item in items])
    keys = [candidate_key(item.type, item.identifier) for item in items]
    if len(set(keys)) < len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        findings.note(where, "key_twice", twice)
    return tuple(
        [
            Candidate(_told_apart(key, keys, item), item.type, item.number, item.names)
            for key, item in zip(keys, items)
        ]
    )


def _told_apart(key: str, keys: list[str], item: Item) -> str:
    """The key, with the number behind it where another candidate has the same (or it looks so numbered)."""
    return f"{key}#{item.number}" if keys.count(key) > 1 or _NUMBERED.search(key) else key


def _identifier(candidate: Candidate, text_form: str) -> str:
    """The identifier in a key, without the namespace and without what `_told_apart` added."""
    head = candidate_key(candidate.type, "")
    if not candidate.key.startswith(head):
        remedy = "export setting B" if candidate.key.startswith("@entity") else "export as parquet or jsonl"
        raise InputError("Setting A needs identifiers with a type", f"candidate {candidate.key}", remedy)
    identifier = candidate.key[len(head) :]
    return identifier.removesuffix(f"#{candidate.number}") if text_form == "replaced" else identifier


def _row(instance: ClozeInstance, setting: str, text_form: str, numbering: str, notes: Counter[str]) -> Row:
    viewed = view(instance, NUMBERING[setting], text_form, numbering=numbering)
    if instance.answer is None:
        what = "the layout has no place for an instance without an answer"
        raise InputError(what, instance.id, "export a view of it: --layout jsonl or parquet")
    if setting == "A":
        if not instance.answers:
            raise InputError(
                "Setting A needs the surface that the title hides", instance.id, "export setting B"
            )
        items = [Item(c.number, _identifier(c, text_form), c.type, c.names) for c in instance.candidates]
        entities = [write_item(item) for item in items]
        answer = write_answer(items[instance.answer], instance.answers[0])
        if any(entity.count(SEPARATOR) > 2 for entity in entities) or answer.count(SEPARATOR) > 2:
            notes["surface_holds_separator"] += 1
    else:
        entities = list(viewed.candidates)
        answer = viewed.candidates[instance.answer]
    passage, question = viewed.passage, viewed.question
    if (
        question.count(PLACEHOLDER) > 1
        or PLACEHOLDER in passage
        or passage.count("@entity") > len(instance.mentions)
        or question.count("@entity") > len(instance.question_mentions)
    ):
        notes["text_holds_pseudo_token"] += 1
    return Row(f"{passage}\n", f"{question}\n", entities, answer)


# TINY has the columns "setting-a", "setting-b" and "total", the others "train", "dev", "test" and "total".
PUBLISHED = PublishedSets(partial(sets_of, "anagnosis.datasets.biomrc"), published_size)
