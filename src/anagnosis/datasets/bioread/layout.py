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

Known from a user's converter (kiendang/bioread, commit b3622c5) and from a description of the files; nobody here has
seen them. Blank lines, white space around separators, a missing or doubled last separator, `@placeholder` and an answer
without its name are read as well.

Reading gives cloze instances in the form "replaced": the text with its @entityN, the candidates and their names in the
file's order. The files name no article, so

    document   text: + the first 16 hexadecimal digits of the SHA-256 of the passage
    id         document : where XXXX stands in the question; the second instance of the same id gets -2
    labels     file: + the name of the file, by which `exported` writes the same parts again

setting: "local" (the usual one) or "global", whose numbers the files have, or get.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby

from anagnosis.datasets.export.authors_files import AuthorsFiles, authors_files, made_id, output
from anagnosis.datasets.export.layouts import Exported, Imported, LayoutFaults, words_of
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
from anagnosis.datasets.published_sets import PublishedSets, sets_of
from anagnosis.errors import InputError, TruncatedError, unknown_name
from anagnosis.io.archives import Opened
from anagnosis.io.compression import without_compression
from anagnosis.io.paths import PathLike
from anagnosis.recipes.load import MOST

SEGMENT, INSTANCE = "-" * 30, "=" * 30
HIDDEN, _OTHER_HIDDEN = "XXXXXX", "@placeholder"
SETTINGS = ("local", "global")
PART = 50_000  # instances of a part that we name
LONGEST = 16 << 20  # bytes of an instance; a file of anything else would be gathered whole
_CANDIDATE = re.compile(r"@entity(0|[1-9][0-9]{0,9})(?::(.*))?\Z", re.DOTALL)
_SEGMENTS = ("passage", "question", "candidates", "answer")
_FILE = "file:"
_WHOLE, _LITE = "bioread", "bioread-lite"
_LONGEST_OF_LITE = 400  # tokens of a passage
MINIMUM = 5  # of a word of the vocabulary
_DIGIT = re.compile(r"[0-9]")


class _RowError(Exception):
    """An instance that no reader could use: the name of its fault, and what is wrong."""


def imported(
    path: PathLike | Sequence[PathLike], *, setting: str | None = None, split: str | None = None
) -> Imported:
    """See datasets/export/layouts.py. split: of files whose names don't say it."""
    _refuse_unknown(setting)
    files, counts, seen = authors_files(path, (".txt",)), LayoutFaults(), Counter[bytes]()
    recipe = {
        "dataset": "bioread",
        "layout": "bioread",
        "text_form": "replaced",
        "numbering": setting or "local",
    }
    splits = {each: _instances(own, counts, seen) for each, own in files.of_splits(split).items()}
    return Imported(splits, recipe, files.inputs, counts)


def _refuse_unknown(setting: str | None) -> None:
    if setting not in (None, *SETTINGS):
        raise unknown_name("setting", str(setting), SETTINGS)


def _instances(files: AuthorsFiles, counts: LayoutFaults, seen: Counter[bytes]) -> Iterator[ClozeInstance]:
    for opened in files.opened(counts):
        label = f"{_FILE}{without_compression(opened.name.rpartition('/')[2])}"
        for line, lines, ended in _records(opened):
            counts.instances += 1
            where = f"{opened.name}:{line}"
            try:
                yield _instance(lines, label, seen)
            except _RowError as fault:
                if not ended:
                    what = f"breaks off inside an instance ({fault.args[1]}), or is no file of BioRead's text form"
                    raise TruncatedError(what, where, "fetch the file again") from fault
                counts.refuse(where, *fault.args)


def _records(opened: Opened) -> Iterator[tuple[int, list[str], bool]]:
    """(number of its first line, its lines, whether a separator ends it) of each instance."""
    remedy = "give files of BioRead's text form, or name another --layout"
    lines: list[str] = []
    begin, size = 1, 0
    for number, raw in enumerate(opened.stream, 1):
        try:
            line = raw.decode().removesuffix("\n").removesuffix("\r")
        except UnicodeDecodeError as fault:
            raise InputError("not UTF-8", f"{opened.name}:{number}", remedy) from fault
        if line.strip() == INSTANCE:
            if lines:
                yield begin, lines, True
            lines, begin, size = [], number + 1, 0
        elif line.strip():
            lines.append(line)
            if (size := size + len(raw)) > LONGEST:
                what = f"no line of 30 equals signs in {LONGEST >> 20} MiB"
                raise InputError(what, f"{opened.name}:{begin}", remedy)
    if lines:
        yield begin, lines, False


def _instance(lines: Sequence[str], label: str, seen: Counter[bytes]) -> ClozeInstance:
    groups = groupby(lines, key=lambda line: line.strip() == SEGMENT)
    segments = [list(own) for is_separator, own in groups if not is_separator]
    if len(segments) != len(_SEGMENTS):
        what = f"{len(segments)} parts between 30 hyphens, not {', '.join(_SEGMENTS)}"
        raise _RowError("segments", what)
    passage, question = map("\n".join, segments[:2])
    question = question if HIDDEN in question else question.replace(_OTHER_HIDDEN, HIDDEN)
    if question.count(HIDDEN) != 1 or question.replace(HIDDEN, "").count(PLACEHOLDER):
        raise _RowError("placeholder", f"the question holds {question.count(HIDDEN)} {HIDDEN}, not one alone")
    question = question.replace(HIDDEN, PLACEHOLDER)
    candidates = [*map(_candidate, segments[2])]
    place = {candidate.number: index for index, candidate in enumerate(candidates)}
    if len(place) < len(candidates):
        raise _RowError("candidates_repeat", "an @entityN stands twice")
    if len(segments[3]) != 1 or (answer := _candidate(segments[3][0]).number) not in place:
        raise _RowError("answer", f"the answer {segments[3][0][:40]!r} is no candidate")
    if len(candidates) < 2:
        raise _RowError("too_few_candidates", "it has one candidate, so there is nothing to choose")
    mentions = _mentions(passage, place)
    if any(mention.candidate < 0 for mention in mentions):
        raise _RowError("token_without_candidate", "the passage holds an @entityN that is no candidate")
    if len({mention.candidate for mention in mentions}) < len(place):
        raise _RowError("candidate_not_in_passage", "a candidate is not in the passage")
    ident, document = made_id(passage, question, seen)
    return ClozeInstance(
        id=ident,
        document=document,
        date="",
        passage=passage,
        question=question,
        mentions=mentions,
        question_mentions=_mentions(question, place),
        candidates=tuple(candidates),
        answer=place[answer],
        answers=candidates[place[answer]].names,
        labels=(label,),
    )


def _candidate(line: str) -> Candidate:
    found = _CANDIDATE.match(line)
    if found is None or int(found[1]) > MOST:
        raise _RowError("candidate_line", f"{line[:40]!r} is not @entityN:name")
    names = () if found[2] is None else (found[2],)
    return Candidate(f"@entity{found[1]}", "", int(found[1]), names)


def _mentions(text: str, place: dict[int, int]) -> tuple[PassageMention, ...]:
    found: list[PassageMention] = []
    for token in PSEUDO.finditer(text):
        digits = token[1]
        if str(int(digits)) != digits or int(digits) >= MOST:
            raise _RowError("token_number", f"{token[0][:40]} is no number of an entity")
        found.append(PassageMention((token.span(),), place.get(int(digits), outside(int(digits)))))
    return tuple(found)


def exported(
    dataset: store.Dataset, out: PathLike, *, setting: str | None = None, compress: bool = False
) -> list[Exported]:
    """See datasets/export/layouts.py. setting: by default the local numbers, or those imported."""
    _refuse_unknown(setting)
    numbers = setting or (dataset.numbering if dataset.text_form == "replaced" else "local")
    written: list[Exported] = []
    for split in dataset.sizes:
        found = store.instances(dataset, split, of=ClozeInstance)
        for name, own in groupby(_named(found, split), key=lambda each: each[0]):
            notes, rows = Counter[str](), 0
            with output(out, name, compress=compress) as (path, stream):
                for _, instance in own:
                    stream.write(_spelled(instance, dataset, numbers, notes).encode())
                    rows += 1
            written.append(Exported(path, rows, dict(notes)))
    return written


def _named(found: Iterable[ClozeInstance], split: str) -> Iterator[tuple[str, ClozeInstance]]:
    """Each instance with the name of its part: the file that it was read from, else a part that we name."""
    for place, instance in enumerate(found):
        own = (label.removeprefix(_FILE) for label in instance.labels if label.startswith(_FILE))
        yield next(own, f"{split}_part_{place // PART}.txt"), instance


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


class WordCounts:
    """BioRead's vocabulary (section 2) while it is counted: words of train."""

    rule = "Words of train that occur at least 5 times once digits are D."

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def add(self, words: Iterable[str]) -> None:
        """The white-space tokens of a passage or a question; one of several instances counts in each."""
        self._counts.update(words)

    def size(self) -> int:
        """Words of the vocabulary so far, with pseudo-tokens."""
        merged: Counter[str] = Counter()
        for word, count in self._counts.items():
            if word != PLACEHOLDER:
                merged[word if PSEUDO.fullmatch(word) else _DIGIT.sub("D", word)] += count
        return sum(count >= MINIMUM for count in merged.values())


# BioRead and BioReadLite, each with the columns "train", "dev", "test" and "total".
_table1 = partial(sets_of, "anagnosis.datasets.bioread")


def _usual(dataset: store.Dataset) -> str:
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
    return _LITE if words & {"lite", "bioreadlite"} else _WHOLE


PUBLISHED = PublishedSets(_table1, _usual, WordCounts)
