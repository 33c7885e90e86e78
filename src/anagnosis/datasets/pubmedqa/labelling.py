"""Labels by two people, as PQA-L was made (PubMedQA, Algorithm 1), on sheets that any spreadsheet opens.

    SHEETS/annotator-1.csv   question, context and long answer: reasoning-free
    SHEETS/annotator-2.csv   question and context: reasoning-required
    SHEETS/discussion.csv    what the two answered differently, and what they agreed on

Each sheet begins with the criteria, in lines that begin with "#". Annotator 1 may answer that yes, no and maybe do not
fit; such a question is removed, as is one that both cannot agree on.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import LABELS, DecisionInstance
from anagnosis.datasets.sampling import rank
from anagnosis.errors import InputError
from anagnosis.files import write_bytes

FIRST, SECOND, DISCUSSION = "annotator-1.csv", "annotator-2.csv", "discussion.csv"
UNFIT = "unfit"
NONE = "none"  # in the discussion: no agreement
_DISCUSSED: tuple[str, ...] = ("id", "question", "context", "annotator 1", "annotator 2", "agreed")
# Appendix C, in our words.
CRITERIA = (
    "Read the question and what stands beside it, and write yes, no or maybe into the column label.",
    "Answer what this paper found under its conditions: nearly everything is maybe if all conditions count.",
    "yes: what was done and found here speaks for it, as where the groups differ significantly in the outcome.",
    "no: it speaks against it, or the groups do not differ.",
    "maybe: the paper shows conditions where it holds and conditions where it does not;",
    "or several things are asked after, and it holds for some of them and not for the others.",
)
_UNFIT_LINE = (
    f"{UNFIT}: yes, no and maybe do not fit, because the question asks what, which or how, or for a choice."
)
# A cell that begins so is a formula to a spreadsheet.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Labelled:
    """What the sheets say. answers: id → (first's, second's), "" where there is none. discussed: id → what was written
    into the discussion.
    """

    answers: dict[str, tuple[str, str]]
    discussed: dict[str, str]

    @property
    def unfit(self) -> list[str]:
        """Removed by annotator 1."""
        return [ident for ident, (first, _) in self.answers.items() if first == UNFIT]

    @property
    def unlabelled(self) -> list[str]:
        """By either, not looked at yet."""
        return [ident for ident, both in self.answers.items() if both[0] != UNFIT and not all(both)]

    @property
    def differing(self) -> list[str]:
        """Answered by both, differently."""
        return [
            ident
            for ident, (first, second) in self.answers.items()
            if first not in ("", UNFIT, second) and second
        ]

    @property
    def to_discuss(self) -> list[str]:
        """Of these, what has no final label yet."""
        return [ident for ident in self.differing if not self.discussed.get(ident)]

    @property
    def no_agreement(self) -> list[str]:
        """Of these, what is removed for want of agreement."""
        return [ident for ident in self.differing if self.discussed.get(ident) == NONE]

    @property
    def agreed(self) -> dict[str, tuple[str, str, str]]:
        """id → (first's, second's, final label)."""
        differing = set(self.differing)
        gone = {*self.unfit, *self.unlabelled, *self.to_discuss, *self.no_agreement}
        return {
            ident: (first, second, self.discussed[ident] if ident in differing else first)
            for ident, (first, second) in self.answers.items()
            if ident not in gone
        }


def draw(dataset: store.Dataset, count: int, seed: int) -> list[DecisionInstance]:
    """So many unlabelled instances with a long answer, by a seeded draw for each id, in the order of the draw."""
    every = store.instances(dataset, store.ALL, of=DecisionInstance)
    usable = (instance.id for instance in every if instance.label is None and instance.long_answer)
    chosen = sorted((rank(seed, ident), ident) for ident in usable)[:count]
    if len(chosen) < count:
        what = f"{count:,} instances are asked for, {len(chosen):,} have no label and a long answer"
        raise InputError(what, str(dataset.folder), "draw fewer")
    order = {ident: place for place, (_, ident) in enumerate(chosen)}
    drawn = [i for i in store.instances(dataset, store.ALL, of=DecisionInstance) if i.id in order]
    return sorted(drawn, key=lambda instance: order[instance.id])


def write_sheets(instances: Sequence[DecisionInstance], sheets: Path) -> None:
    """Both annotators' sheets; others that are there already are not touched.

    One that is there as it would be written comes from the same draw, which may have been killed: it stays.
    """
    asked = [(i.id, i.question, _context(i)) for i in instances]
    answers = [i.long_answer or "" for i in instances]
    header = ("id", "question", "context")
    seen = [(*row, answer, "") for row, answer in zip(asked, answers, strict=True)]
    drawn = {
        FIRST: _sheet((*CRITERIA, _UNFIT_LINE), (*header, "long answer", "label"), seen),
        SECOND: _sheet(CRITERIA, (*header, "label"), [(*row, "") for row in asked]),
    }
    for name in (FIRST, SECOND, DISCUSSION):
        path = sheets / name
        if path.exists() and (name not in drawn or path.read_bytes() != drawn[name]):
            raise InputError("there are sheets already", str(path), "choose another folder for new ones")
    for name, data in drawn.items():
        write_bytes(sheets / name, data)


def refuse_other(dataset: store.Dataset, labelled: Labelled, sheets: Path) -> None:
    """Refuse a dataset that does not hold the questions of the sheets, before anything is written."""
    here = {ident for ident, _ in store.ids_and_keys(dataset, store.ALL)}
    if odd := sorted(labelled.answers.keys() - here):
        what = f"{len(odd):,} questions of the sheets are not in this dataset ({odd[0]})"
        raise InputError(what, str(sheets), "name the dataset that they were drawn from")


def read_sheets(sheets: Path) -> Labelled:
    """Both sheets, and the discussion where there is one."""
    first = _labels(sheets / FIRST, (*LABELS, UNFIT), "label")
    second = _labels(sheets / SECOND, LABELS, "label")
    if first.keys() != second.keys():
        odd = next(iter(first.keys() ^ second.keys()))
        raise InputError(
            f"the two sheets hold different questions ({odd})", str(sheets), "draw them together"
        )
    talked = sheets / DISCUSSION
    discussed = _labels(talked, (*LABELS, NONE), "agreed") if talked.exists() else {}
    return Labelled({ident: (label, second[ident]) for ident, label in first.items()}, discussed)


def write_discussion(dataset: store.Dataset, sheets: Path, labelled: Labelled) -> None:
    """List what was answered differently. In a sheet that is there, what people wrote stays to the byte."""
    path = sheets / DISCUSSION
    there = path.exists()
    listed = [ident for ident in labelled.differing if not (there and ident in labelled.discussed)]
    if there and not listed:
        return
    wanted = set(listed)
    asked = {i.id: i for i in store.instances(dataset, store.ALL, of=DecisionInstance) if i.id in wanted}
    instructions = (
        "The two annotators answered these differently. Discuss each, and write into the column agreed",
        f"yes, no or maybe; {NONE} where you cannot agree, which removes the question.",
    )
    rows = [
        (ident, asked[ident].question, _context(asked[ident]), *labelled.answers[ident], "")
        for ident in listed
    ]
    if there:
        _append(path, rows)
    else:
        write_bytes(path, _sheet(instructions, _DISCUSSED, rows))


def instances(dataset: store.Dataset, labelled: Labelled) -> Iterator[DecisionInstance]:
    """The agreed ones, of subset L, with all three labels, in the dataset's order."""
    agreed = labelled.agreed
    every = store.instances(dataset, store.ALL, of=DecisionInstance)
    for place, instance in enumerate(instance for instance in every if instance.id in agreed):
        first, second, final = agreed[instance.id]
        yield msgspec.structs.replace(
            instance,
            label=final,
            annotators=(("reasoning_required", second), ("reasoning_free", first)),
            subset="L",
            place=place,
            fields=(),
        )


def dropped(labelled: Labelled) -> dict[str, int]:
    """Why the others are not among them."""
    counts = {"not_answerable": len(labelled.unfit), "no_agreement": len(labelled.no_agreement)}
    return {name: count for name, count in counts.items() if count}


def _context(instance: DecisionInstance) -> str:
    parts = (
        f"{section.label}: {section.text}" if section.label else section.text for section in instance.context
    )
    return "\n".join(parts)


def _sheet(said: Iterable[str], header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerows([f"# {line}"] for line in said)
    writer.writerow(header)
    writer.writerows([_no_formula(cell) for cell in row] for row in rows)
    return (_MARK + stream.getvalue()).encode()


def _append(path: Path, rows: Iterable[Sequence[str]]) -> None:
    """Rows of the discussion behind those of a sheet, in its columns."""
    text = path.read_bytes().decode("utf-8-sig")
    delimiter = _delimiter(text)
    given = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    header = next(row for row in given if any(row) and not row[0].startswith("#"))
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\r\n")
    for row in rows:
        cells = dict(zip(_DISCUSSED, map(_no_formula, row), strict=True))
        writer.writerow([cells.get(name.strip().lower(), "") for name in header])
    end = "" if text.endswith("\n") else "\r\n"
    write_bytes(path, path.read_bytes() + (end + stream.getvalue()).encode())


def _no_formula(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _labels(path: Path, known: Sequence[str], column: str) -> dict[str, str]:
    """id → label, "" where there is none yet. Blanks and capitals around a label are nothing."""
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError as fault:
        raise InputError("no such sheet", str(path), "draw them with --draw") from fault
    except (OSError, UnicodeDecodeError) as fault:
        raise InputError(
            f"cannot be read as UTF-8 ({fault})", str(path), "save it as CSV in UTF-8"
        ) from fault
    found: dict[str, str] = {}
    header: list[str] | None = None
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    for row in reader:
        where = f"{path.name}:{reader.line_num}"
        if not any(cell.strip() for cell in row) or (header is None and row[0].startswith("#")):
            continue
        if header is None:
            header = [cell.strip().lower() for cell in row]
            if "id" not in header or column not in header:
                raise InputError(f"no columns id and {column}", where, "keep the sheet's header")
            continue
        cells = dict(zip(header, row))
        ident, label = cells.get("id", "").strip(), cells.get(column, "").strip().lower()
        if not ident or ident in found:
            what = f"the id {ident} stands twice" if ident else "a row without id"
            raise InputError(what, where, "mend it")
        if label and label not in known:
            raise InputError(f"{label!r} is no answer", where, f"write {', '.join(known)}")
        found[ident] = label
    return found


def _delimiter(text: str) -> str:
    """What parts the columns of the header: spreadsheets of some countries write semicolons."""
    header = next((line for line in text.splitlines() if line and not line.lstrip('"').startswith("#")), "")
    return max(",;\t", key=header.count)
