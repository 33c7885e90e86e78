"""Files of BioRead's text form (`text_form`), in and out; a well-formed file comes back byte for byte.

Reading gives cloze instances in the form "replaced": the text with its @entityN, the candidates and their names in the
file's order. The files name no article, so

    document   text: + the first 16 hexadecimal digits of the SHA-256 of the passage
    id         document : where XXXX stands in the question; the second instance of the same id gets -2
    labels     file: + the name of the file, by which `exported` writes the same parts again

setting: "local" or "global", whose numbers the files have; without it, a number with two names shows local ones. On
the way out `-unk` behind it (`local-unk`) writes UNK for words that the vocabulary lacks (`vocabulary`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from itertools import groupby, islice
from pathlib import Path

from anagnosis.datasets.bioread.text_form import (
    HIDDEN,
    INSTANCE,
    SEGMENT,
    Row,
    RowError,
    chunks,
    parsed,
    spelled,
)
from anagnosis.datasets.bioread.vocabulary import KnownWords, WordCounts, vocabulary
from anagnosis.datasets.export.authors_files import (
    AuthorsFiles,
    authors_files,
    output,
    packed_name,
    refuse_repeated,
)
from anagnosis.datasets.export.layouts import Exported, FewPlaces, Imported, words_of
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import (
    PLACEHOLDER,
    PSEUDO,
    Candidate,
    ClozeInstance,
    PassageMention,
    outside,
)
from anagnosis.datasets.kinds.cloze_views import view
from anagnosis.datasets.published_sets import PublishedSets, sets_of
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.compression import without_compression
from anagnosis.io.paths import PathLike
from anagnosis.recipes.load import MOST

TAKES_SEVERAL = True  # the parts of all splits are imported together
NUMBERINGS = ("local", "global")
SETTINGS = (*NUMBERINGS, *(f"{name}-unk" for name in NUMBERINGS))
PART = 50_000  # instances of a part that we name
_FILE = "file:"
_REWRITTEN = "is accepted; export writes the usual form"
_ACCEPTED = {"name_with_colon": "is kept; other programs cut the name there"}
_SEVERAL_NAMES = "number_of_several_names"
_REPEATED = "repeated_instance"
_LOOKED_AT = 1_000  # instances in which two names of a number are looked for
_LITE_WORDS = {"lite", "bioreadlite"}
_WHOLE, _LITE = "bioread", "bioread-lite"
_LONGEST_OF_LITE = 400  # tokens of a passage


def imported(
    path: PathLike | Sequence[PathLike], *, setting: str | None = None, split: str | None = None
) -> Imported:
    """See datasets/export/layouts.py. setting: local or global. split: of files whose names don't say it."""
    if setting is not None and setting not in NUMBERINGS:
        raise unknown_name("setting", setting, NUMBERINGS)
    files = authors_files(path, (".txt",))
    refuse_repeated(files)
    of_split = files.of_splits(split)
    findings, seen = FewPlaces(), _Repeats()
    detected, where = _numbering(files)
    numbering = setting or detected
    if numbering == "global" and where:
        findings.note(where, _SEVERAL_NAMES, "use --setting local, unless the numbers are dataset-wide")
    recipe = {"dataset": "bioread", "layout": "bioread", "text_form": "replaced", "numbering": numbering}
    splits = {each: _instances(own, findings, seen) for each, own in of_split.items()}
    return Imported(splits, recipe, files.inputs, findings)


def exported(
    dataset: store.Dataset, out: PathLike, *, setting: str | None = None, compress: bool = False
) -> list[Exported]:
    """See datasets/export/layouts.py. setting: one of SETTINGS; by default the local numbers, or those imported."""
    if setting is not None and setting not in SETTINGS:
        raise unknown_name("setting", setting, SETTINGS)
    usual = dataset.numbering if dataset.text_form == "replaced" else "local"
    name, _, unknown_words = (setting or usual).partition("-")
    words = vocabulary(dataset, name) if unknown_words else None
    written: list[Exported] = []
    for split in dataset.sizes:
        found = store.instances(dataset, split, of=ClozeInstance)
        for part, instances in groupby(found, key=_part_of):
            for index, few in enumerate(_cut(instances, None if part else PART)):
                file = part or f"{split}_part_{index}.txt"
                path = Path(out) / packed_name(file, compress=compress)
                written.append(_write(path, few, dataset, name, words, compress=compress))
    return written


def _numbering(files: AuthorsFiles) -> tuple[str, str]:
    """(local where a number has two names in the first instances, or where only one instance could show it; the place
    of a number's second name, "" if there is none).
    """
    names: dict[int, str | None] = {}
    looked_at = 0
    for opened in islice(files.opened(), 1):
        for chunk in islice(chunks(opened.stream, opened.name, Counter()), _LOOKED_AT):
            try:
                row = parsed(chunk, opened.name, Counter())
            except RowError:
                continue
            looked_at += 1
            if any(names.setdefault(number, called) != called for number, called in row.candidates.items()):
                return "local", f"{opened.name}:{chunk.line}"
    return "global" if looked_at > 1 else "local", ""


def _instances(files: AuthorsFiles, findings: FewPlaces, seen: _Repeats) -> Iterator[ClozeInstance]:
    for opened in files.opened(findings):
        name = opened.name
        label = f"{_FILE}{without_compression(name.rpartition('/')[2])}"
        before = findings.instances
        ended = Counter[str]()
        for chunk in chunks(opened.stream, name, ended):
            findings.instances += 1
            where = f"{name}:{chunk.line}"
            deviations = Counter[str]()
            try:
                instance, is_repeated = _instance(parsed(chunk, name, deviations), label, seen)
            except RowError as fault:
                findings.refuse(where, fault.name, str(fault))
                continue
            for deviation in deviations:
                findings.note(where, deviation, _ACCEPTED.get(deviation, _REWRITTEN))
            if is_repeated:
                findings.note(where, _REPEATED, "is kept; an equal instance came before")
            yield instance
        for deviation in ended.elements():
            findings.note(name, deviation, _REWRITTEN)
        if findings.instances == before:
            raise InputError("the file holds no instance", name, "check how it was made, or leave it out")


def _instance(row: Row, label: str, seen: _Repeats) -> tuple[ClozeInstance, bool]:
    """The instance, and whether an equal one came before. RowError: what a reader of the dataset couldn't use."""
    if row.question.count(HIDDEN) != 1 or row.question.replace(HIDDEN, PLACEHOLDER).count(PLACEHOLDER) != 1:
        raise RowError(
            "placeholder", f"the question holds {row.question.count(HIDDEN)} {HIDDEN}, not one alone"
        )
    if len(row.candidates) < 2:
        raise RowError("too_few_candidates", "it has one candidate, so there is nothing to choose")
    question = row.question.replace(HIDDEN, PLACEHOLDER)
    place = {number: index for index, number in enumerate(row.candidates)}
    mentions = _mentions(row.passage, place)
    if any(mention.candidate < 0 for mention in mentions):
        raise RowError("token_without_candidate", "the passage holds an @entityN that is no candidate")
    if {mention.candidate for mention in mentions} != set(place.values()):
        raise RowError("candidate_not_in_passage", "a candidate is not in the passage")
    document = f"text:{sha256(row.passage.encode()).hexdigest()[:16]}"
    name = f"{document}:{question.index(PLACEHOLDER)}"
    count, is_repeated = seen.add(name, row)
    called = row.candidates[row.answer]
    instance = ClozeInstance(
        id=name if count == 1 else f"{name}-{count}",
        document=document,
        date="",
        passage=row.passage,
        question=question,
        mentions=mentions,
        question_mentions=_mentions(question, place),
        candidates=tuple(
            Candidate(f"@entity{number}", "", number, () if name is None else (name,))
            for number, name in row.candidates.items()
        ),
        answer=place[row.answer],
        answers=() if called is None else (called,),
        labels=(label,),
    )
    return instance, is_repeated


def _mentions(text: str, place: dict[int, int]) -> tuple[PassageMention, ...]:
    found: list[PassageMention] = []
    for token in PSEUDO.finditer(text):
        digits = token[1]
        if str(int(digits)) != digits or int(digits) >= MOST:
            raise RowError("token_number", f"{token[0][:40]} is no number of an entity")
        found.append(PassageMention((token.span(),), place.get(int(digits), outside(int(digits)))))
    return tuple(found)


def _part_of(instance: ClozeInstance) -> str:
    """The file that an imported instance stood in, else ""."""
    return next((label[len(_FILE) :] for label in instance.labels if label.startswith(_FILE)), "")


def _cut(instances: Iterable[ClozeInstance], size: int | None) -> Iterator[Iterator[ClozeInstance]]:
    """Runs of at most `size` instances, each read before the next is taken; None: all in one."""
    if size is None:
        yield iter(instances)
        return
    waiting = iter(instances)
    for first in waiting:
        yield iter((first, *islice(waiting, size - 1)))


def _write(
    path: Path,
    instances: Iterable[ClozeInstance],
    dataset: store.Dataset,
    numbering: str,
    words: KnownWords | None,
    *,
    compress: bool,
) -> Exported:
    notes: Counter[str] = Counter()
    count = 0
    with output(path, compress=compress) as stream:
        for instance in instances:
            count += 1
            row = _row(instance, dataset, numbering, notes)
            stream.write(spelled(words.applied(row) if words else row).encode())
    return Exported(path, count, dict(sorted(notes.items())))


def _row(instance: ClozeInstance, dataset: store.Dataset, numbering: str, notes: Counter[str]) -> Row:
    if instance.answer is None:
        what = "the layout has no place for an instance without an answer"
        raise InputError(what, instance.id, "export a view of it: --layout jsonl or parquet")
    viewed = view(instance, numbering, dataset.text_form, numbering=dataset.numbering)
    start, end = viewed.placeholder
    question = viewed.question[:start] + HIDDEN + viewed.question[end:]
    numbers = [int(token.removeprefix("@entity")) for token in viewed.candidates]
    candidates = {
        number: names[0].replace("\n", " ") if names else None
        for number, names in zip(numbers, viewed.names, strict=True)
    }
    return Row(
        _in_lines(viewed.passage, notes), _in_lines(question, notes), candidates, numbers[instance.answer]
    )


def _in_lines(text: str, notes: Counter[str]) -> str:
    """The text without blank lines, and without a line that looks like a separator."""
    lines = [line for line in text.split("\n") if line.strip()]
    if any(line.strip() in (SEGMENT, INSTANCE) for line in lines):
        notes["separator_in_text"] += 1
        return " ".join(lines)
    return "\n".join(lines)


# BioRead and BioReadLite, each with the columns "train", "dev", "test" and "total".
_table1 = partial(sets_of, "anagnosis.datasets.bioread")


def _usual(dataset: Dataset) -> str:
    """BioReadLite for passages no longer than Lite's, for files named after it, and for a sample of Lite's size.

    A sample does not know the limits of what it was drawn from: any other is compared with none.
    """
    lite = _table1()[_LITE].columns
    if "sample_of" in dataset.recipe:
        return _LITE if dataset.recipe.get("train") == lite["train"].instances else ""
    longest = dataset.recipe.get("maximum_passage_tokens")
    if longest is not None:
        return _LITE if longest <= _LONGEST_OF_LITE else _WHOLE
    words = {word for entry in dataset.receipt.inputs for word in words_of(entry.name)}
    return _WHOLE if _LITE_WORDS.isdisjoint(words) else _LITE


PUBLISHED = PublishedSets(_table1, _usual, WordCounts)


class _Repeats:
    """What was read so far, in about 150 bytes an instance: the files of BioRead hold 16 million.

    Instances of one passage and one place of the placeholder share a name. Only those are compared whole, by 30 bits of
    a hash.
    """

    def __init__(self) -> None:
        self._first: dict[bytes, int] = {}
        self._further: dict[bytes, list[int]] = {}

    def add(self, name: str, row: Row) -> tuple[int, bool]:
        """How many instances have this name, with this one, and whether an equal one came before."""
        key = sha256(name.encode()).digest()[:8]
        whole = _whole(row)
        if key not in self._first:
            self._first[key] = whole
            return 1, False
        further = self._further.setdefault(key, [])
        is_repeated = whole == self._first[key] or whole in further
        further.append(whole)
        return len(further) + 1, is_repeated


def _whole(row: Row) -> int:
    """30 bits, which Python holds in one digit of an int."""
    content = repr((row.passage, row.question, sorted(row.candidates.items()), row.answer))
    return int.from_bytes(sha256(content.encode()).digest()[:4], "big") >> 2
