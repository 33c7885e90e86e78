"""Files of BioRead's text form, in and out: instances as lines, with separators of 30 hyphens and 30 equals signs.

    we gave @entity0 to @entity1 .      the passage, one line or several
    ------------------------------
    then XXXXXX slept .                 the question
    ------------------------------
    @entity0:l-dopa                     the candidates, one a line
    @entity1:rats
    ------------------------------
    @entity1:rats                       the answer
    ==============================

Known from a user's converter (kiendang/bioread, commit b3622c5) and from a description of the files. Instances read
have the form "replaced", with @entityN in their texts, an id and document made of their texts (`made_id`), and the
label "file:" with the name of their file, by which `exported` writes the same parts again.

setting: "local" (the usual one) or "global", whose numbers the files have, or get.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby

from anagnosis.datasets.export.authors_files import AuthorsFiles, authors_files, made_id, output
from anagnosis.datasets.export.layouts import Exported, Imported, LayoutFaults
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import (
    PLACEHOLDER,
    PSEUDO,
    Candidate,
    ClozeInstance,
    PassageMention,
    outside,
)
from anagnosis.datasets.kinds.cloze_views import view
from anagnosis.documents.io.whole import whole
from anagnosis.errors import InputError, TruncatedError, unknown_name
from anagnosis.io.compression import without_compression
from anagnosis.io.paths import PathLike
from anagnosis.recipes.load import MOST

SEGMENT, INSTANCE = "-" * 30, "=" * 30
HIDDEN = "XXXXXX"
SETTINGS = ("local", "global")
PART = 50_000  # instances of a part that we name
_CANDIDATE = re.compile(r"@entity(0|[1-9][0-9]{0,9})(?::(.*))?")
_FILE = "file:"


def imported(
    path: PathLike | Sequence[PathLike], *, setting: str | None = None, split: str | None = None
) -> Imported:
    """See datasets/export/layouts.py. split: of files whose names don't say it. Memory: one file."""
    _demand_known(setting)
    files, counts, seen = authors_files(path, (".txt",)), LayoutFaults(), Counter[bytes]()
    recipe = {"dataset": "bioread", "layout": "bioread", "text_form": "replaced"}
    splits = {each: _instances(own, counts, seen) for each, own in files.of_splits(split).items()}
    return Imported(splits, {**recipe, "numbering": setting or "local"}, files.inputs, counts)


def _instances(files: AuthorsFiles, counts: LayoutFaults, seen: Counter[bytes]) -> Iterator[ClozeInstance]:
    for opened in files.opened(counts):
        label = f"{_FILE}{without_compression(opened.name.rpartition('/')[2])}"
        try:
            text = whole(opened.stream, opened.name).decode().replace("\r\n", "\n")
        except UnicodeDecodeError as fault:
            raise InputError("not UTF-8", opened.name, "name another --layout") from fault
        *records, rest = f"{text.rstrip()}\n".split(f"{INSTANCE}\n")
        if rest.strip():
            what = "breaks off inside an instance, or is no file of BioRead's text form"
            raise TruncatedError(what, opened.name, "fetch the file again")
        for number, record in enumerate(records, 1):
            try:
                yield _instance(record.removesuffix("\n"), label, seen)
            except ValueError as fault:
                counts.refuse(f"{opened.name}, instance {number}", "not_an_instance", str(fault))


def _instance(record: str, label: str, seen: Counter[bytes]) -> ClozeInstance:
    """The instance that a record spells. ValueError: one that no reader could use."""
    segments = record.split(f"\n{SEGMENT}\n")
    if len(segments) != 4:
        raise ValueError(
            f"{len(segments)} parts between 30 hyphens, not passage, question, candidates, answer"
        )
    passage, question, listed, answer = segments
    if question.count(HIDDEN) != 1 or question.replace(HIDDEN, "").count(PLACEHOLDER):
        raise ValueError(f"the question holds {question.count(HIDDEN)} {HIDDEN}, not one alone")
    question = question.replace(HIDDEN, PLACEHOLDER)
    candidates = [*map(_candidate, listed.split("\n"))]
    place = {candidate.number: index for index, candidate in enumerate(candidates)}
    right = place.get(_candidate(answer).number)
    if right is None or len(place) < len(candidates) or len(candidates) < 2:
        raise ValueError("the answer is no candidate, an @entityN stands twice, or there is one candidate")
    mentions = _mentions(passage, place)
    if {mention.candidate for mention in mentions} != {*place.values()}:
        raise ValueError("the passage holds an @entityN that is no candidate, or lacks a candidate")
    ident, document = made_id(passage, question, seen)
    asked, names = _mentions(question, place), candidates[right].names
    return ClozeInstance(
        ident, document, "", passage, question, mentions, asked, tuple(candidates), right, names, (label,)
    )


def _candidate(line: str) -> Candidate:
    found = _CANDIDATE.fullmatch(line)
    if found is None or int(found[1]) > MOST:
        raise ValueError(f"{line[:40]!r} is not @entityN:name")
    names = () if found[2] is None else (found[2],)
    return Candidate(f"@entity{found[1]}", "", int(found[1]), names)


def _mentions(text: str, place: dict[int, int]) -> tuple[PassageMention, ...]:
    found: list[PassageMention] = []
    for token in PSEUDO.finditer(text):
        number = int(token[1])
        if str(number) != token[1] or number >= MOST:
            raise ValueError(f"{token[0][:40]} is no number of an entity")
        found.append(PassageMention((token.span(),), place.get(number, outside(number))))
    return tuple(found)


def exported(
    dataset: store.Dataset, out: PathLike, *, setting: str | None = None, compress: bool = False
) -> list[Exported]:
    """See datasets/export/layouts.py. setting: by default the local numbers, or those imported."""
    _demand_known(setting)
    numbers = setting or (dataset.numbering if dataset.text_form == "replaced" else "local")
    written: list[Exported] = []
    for split in dataset.sizes:
        found = enumerate(store.instances(dataset, split, of=ClozeInstance))
        for name, own in groupby(found, key=partial(_part, split)):
            notes, rows = Counter[str](), 0
            with output(out, name, compress=compress) as (path, stream):
                for _, instance in own:
                    stream.write(_spelled(instance, dataset, numbers, notes).encode())
                    rows += 1
            written.append(Exported(path, rows, dict(notes)))
    return written


def _demand_known(setting: str | None) -> None:
    if setting not in (None, *SETTINGS):
        raise unknown_name("setting", str(setting), SETTINGS)


def _part(split: str, placed: tuple[int, ClozeInstance]) -> str:
    """The file that an instance was read from, else a part that we name. placed: its place in the split, and it."""
    place, instance = placed
    own = (label.removeprefix(_FILE) for label in instance.labels if label.startswith(_FILE))
    return next(own, f"{split}_part_{place // PART}.txt")


def _spelled(instance: ClozeInstance, dataset: store.Dataset, numbers: str, notes: Counter[str]) -> str:
    if instance.answer is None:
        what = "the layout has no place for an instance without an answer"
        raise InputError(what, instance.id, "export a view of it: --layout jsonl or parquet")
    viewed = view(instance, numbers, dataset.text_form, numbering=dataset.numbering)
    start, end = viewed.placeholder
    question = viewed.question[:start] + HIDDEN + viewed.question[end:]
    lines = [
        f"{token}:{names[0]}".replace("\n", " ") if names else token
        for token, names in zip(viewed.candidates, viewed.names, strict=True)
    ]
    texts = (_in_lines(viewed.passage, notes), _in_lines(question, notes))
    parts = (*texts, "\n".join(lines), lines[instance.answer])
    return f"\n{SEGMENT}\n".join(parts) + f"\n{INSTANCE}\n"


def _in_lines(text: str, notes: Counter[str]) -> str:
    """The text without blank lines, and without a line that looks like a separator."""
    lines = [line for line in text.split("\n") if line.strip()]
    if any(line.strip() in (SEGMENT, INSTANCE) for line in lines):
        notes["separator_in_text"] += 1
        return " ".join(lines)
    return "\n".join(lines)
