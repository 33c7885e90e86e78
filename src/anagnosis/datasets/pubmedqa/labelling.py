"""Labels by two people, as PQA-L was made (PubMedQA, Algorithm 1), on sheets that any spreadsheet opens.

    SHEETS/annotator-1.csv   question, context and long answer: reasoning-free
    SHEETS/annotator-2.csv   question and context: reasoning-required
    SHEETS/discussion.csv    what the two answered differently, and what they agreed on

Each sheet begins with the criteria, in lines that begin with "#". Annotator 1 may answer that yes, no and maybe do not
fit; such a question is removed, as is one that both cannot agree on.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from anagnosis.datasets import store
from anagnosis.datasets.decision import LABELS, DecisionInstance
from anagnosis.errors import InputError
from anagnosis.files import write_text

FIRST, SECOND, DISCUSSION = "annotator-1.csv", "annotator-2.csv", "discussion.csv"
UNFIT = "unfit"
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
    f"{UNFIT}: the question cannot be answered so, because it asks what, which or how, or for a choice."
)
# A cell that begins so is a formula to a spreadsheet.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Labelled:
    """What the sheets say. agreed: id → (first's, second's, final label). to_discuss: ids without a final label yet.

    unfit: removed by annotator 1. unsettled: removed for want of agreement. unlabelled: by either, not looked at yet.
    """

    agreed: dict[str, tuple[str, str, str]]
    to_discuss: list[str]
    unfit: list[str]
    unsettled: list[str]
    unlabelled: list[str]


def draw(dataset: store.Dataset, count: int, seed: int) -> list[DecisionInstance]:
    """So many unlabelled instances with a long answer, by a seeded draw for each id, in the order of the draw."""
    found = (i for i in store.decisions(dataset, store.ALL) if i.label is None and i.long_answer)
    chosen = sorted((_drawn(seed, instance.id), instance.id) for instance in found)[:count]
    if len(chosen) < count:
        what = f"{count:,} instances are asked for, {len(chosen):,} have no label and a long answer"
        raise InputError(what, str(dataset.folder), "draw fewer")
    order = {ident: place for place, (_, ident) in enumerate(chosen)}
    drawn = [i for i in store.decisions(dataset, store.ALL) if i.id in order]
    return sorted(drawn, key=lambda instance: order[instance.id])


def write_sheets(instances: Sequence[DecisionInstance], sheets: Path) -> None:
    """Both annotators' sheets; those that are there already are not touched."""
    for name in (FIRST, SECOND, DISCUSSION):
        if (sheets / name).exists():
            raise InputError(
                "there are sheets already", str(sheets / name), "choose another folder for new ones"
            )
    read = ("long answer",)
    rows = [(i.id, i.question, _context(i), i.long_answer or "", "") for i in instances]
    _write(sheets / FIRST, (*CRITERIA, _UNFIT_LINE), ("id", "question", "context", *read, "label"), rows)
    _write(
        sheets / SECOND,
        CRITERIA,
        ("id", "question", "context", "label"),
        ((*row[:3], row[4]) for row in rows),
    )


def refuse_other(dataset: store.Dataset, labelled: Labelled, sheets: Path) -> None:
    """Refuse a dataset that does not hold the questions of the sheets, before anything is written."""
    asked = {
        *labelled.agreed,
        *labelled.to_discuss,
        *labelled.unfit,
        *labelled.unsettled,
        *labelled.unlabelled,
    }
    here = {ident for ident, _ in store.ids_and_keys(dataset, store.ALL)}
    if odd := sorted(asked - here):
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
    settled: dict[str, str] = {}
    if (sheets / DISCUSSION).exists():
        settled = _labels(sheets / DISCUSSION, (*LABELS, "none"), "agreed")
    agreed: dict[str, tuple[str, str, str]] = {}
    found = Labelled(agreed, [], [], [], [])
    for ident, one in first.items():
        other = second[ident]
        if one == UNFIT:
            found.unfit.append(ident)
        elif not one or not other:
            found.unlabelled.append(ident)
        elif one == other:
            agreed[ident] = (one, other, one)
        elif not (final := settled.get(ident, "")):
            found.to_discuss.append(ident)
        elif final == "none":
            found.unsettled.append(ident)
        else:
            agreed[ident] = (one, other, final)
    return found


def write_discussion(dataset: store.Dataset, sheets: Path, labelled: Labelled) -> int:
    """List what is to be discussed; what has been agreed on stays. Gives how many are open."""
    first = _labels(sheets / FIRST, (*LABELS, UNFIT), "label")
    second = _labels(sheets / SECOND, LABELS, "label")
    differ = [
        ident for ident, one in first.items() if one not in ("", UNFIT, second[ident]) and second[ident]
    ]
    open_ = set(labelled.to_discuss)
    wanted = set(differ)
    instances = {i.id: i for i in store.decisions(dataset, store.ALL) if i.id in wanted}
    told = (
        "The two annotators answered these differently. Discuss each, and write into the column agreed",
        "yes, no or maybe; none where you cannot agree, which removes the question.",
    )
    rows = [
        (ident, instances[ident].question, _context(instances[ident]), first[ident], second[ident], final)
        for ident in differ
        for final in ["" if ident in open_ else labelled.agreed.get(ident, ("", "", "none"))[2]]
    ]
    header = ("id", "question", "context", "annotator 1", "annotator 2", "agreed")
    _write(sheets / DISCUSSION, told, header, rows)
    return len(open_)


def instances(dataset: store.Dataset, labelled: Labelled) -> Iterator[DecisionInstance]:
    """The agreed ones, of subset L, with all three labels, in the dataset's order."""
    place = 0
    for instance in store.decisions(dataset, store.ALL):
        if instance.id in labelled.agreed:
            one, other, final = labelled.agreed[instance.id]
            yield msgspec.structs.replace(
                instance,
                label=final,
                annotators=(("reasoning_required", other), ("reasoning_free", one)),
                subset="L",
                place=place,
                fields=(),
            )
            place += 1


def dropped(labelled: Labelled) -> dict[str, int]:
    """Why the others are not among them."""
    counts = {"not_answerable": len(labelled.unfit), "no_agreement": len(labelled.unsettled)}
    return {name: count for name, count in counts.items() if count}


def _context(instance: DecisionInstance) -> str:
    parts = (
        f"{section.label}: {section.text}" if section.label else section.text for section in instance.context
    )
    return "\n".join(parts)


def _drawn(seed: int, ident: str) -> bytes:
    return hashlib.blake2b(f"{seed} {ident}".encode(), digest_size=16).digest()


def _write(path: Path, said: Iterable[str], header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerows([f"# {line}"] for line in said)
    writer.writerow(header)
    writer.writerows([_no_formula(cell) for cell in row] for row in rows)
    write_text(path, _MARK + stream.getvalue())


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


def labels_of(labelled: Mapping[str, tuple[str, str, str]]) -> Counter[str]:
    """How many of each final label."""
    return Counter(final for _, _, final in labelled.values())
