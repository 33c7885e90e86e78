"""Labels by two people, as PQA-L was made (PubMedQA, Algorithm 1), on sheets that any spreadsheet opens.

    SHEETS/annotator-1.csv   question, context and long answer: reasoning-free
    SHEETS/annotator-2.csv   question and context: reasoning-required
    SHEETS/discussion.csv    what the two answered differently, and what they agreed on

Each sheet begins with the criteria, in lines that begin with "#". Annotator 1 may answer that yes, no and maybe do not
fit; such a question is removed, as is one that both cannot agree on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec

from anagnosis.datasets import sheets as sheet_files
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import LABELS, DecisionInstance
from anagnosis.datasets.sampling import rank
from anagnosis.errors import InputError
from anagnosis.io.files import write_bytes

FIRST, SECOND, DISCUSSION = "annotator-1.csv", "annotator-2.csv", "discussion.csv"
UNFIT = "unfit"
NONE = "none"  # in the discussion: no agreement
_DISCUSSED: tuple[str, ...] = ("id", "question", "context", "annotator 1", "annotator 2", "agreed")
# Appendix C, in our words; of "maybe" in two lines.
CONDITIONS = (
    "Answer what this paper found under its conditions: nearly everything is maybe if all conditions count."
)
MEANINGS: dict[str, tuple[str, ...]] = {
    "yes": (
        "what was done and found here speaks for it, as where the groups differ significantly in the outcome.",
    ),
    "no": ("it speaks against it, or the groups do not differ.",),
    "maybe": (
        "the paper shows conditions where it holds and conditions where it does not;",
        "or several things are asked after, and it holds for some of them and not for the others.",
    ),
}
UNFIT_MEANING = "yes, no and maybe do not fit, because the question asks what, which or how, or for a choice."
CRITERIA = (
    "Read the question and what stands beside it, and write yes, no or maybe into the column label.",
    CONDITIONS,
    *(line for label, lines in MEANINGS.items() for line in (f"{label}: {lines[0]}", *lines[1:])),
)
_UNFIT_LINE = f"{UNFIT}: {UNFIT_MEANING}"


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
        """Labelled by both, differently."""
        return [
            ident
            for ident, (first, second) in self.answers.items()
            if first not in ("", UNFIT, second) and second
        ]

    @property
    def to_discuss(self) -> list[str]:
        """The questions without a final label."""
        return [ident for ident in self.differing if not self.discussed.get(ident)]

    @property
    def no_agreement(self) -> list[str]:
        """The questions that are removed for want of agreement."""
        return [ident for ident in self.differing if self.discussed.get(ident) == NONE]

    @property
    def agreed(self) -> dict[str, tuple[str, str, str]]:
        """id → (first's, second's, final label)."""
        return {
            ident: (first, second, final)
            for ident, (first, second) in self.answers.items()
            if {first, second, final := first if first == second else self.discussed.get(ident, "")}
            <= {*LABELS}
        }


def draw(dataset: store.Dataset, count: int, seed: int) -> list[DecisionInstance]:
    """So many unlabelled instances with a long answer, by a seeded draw for each id, in the order of the draw."""
    try:
        every = store.instances(dataset, store.ALL, of=DecisionInstance)
    except InputError as fault:
        remedy = "to have people answer other questions, add --kind answers"
        raise InputError(fault.what, fault.where, remedy) from fault
    usable = ((rank(seed, one.id), one) for one in every if one.label is None and one.long_answer)
    chosen = nsmallest(count, usable, key=itemgetter(0))
    if len(chosen) < count:
        have = "1 has" if len(chosen) == 1 else f"{len(chosen):,} have"
        what = f"{count:,} questions are asked for, {have} no label and a long answer"
        raise InputError(what, str(dataset.folder), "draw fewer, of a dataset with questions without labels")
    return [instance for _, instance in chosen]


def write_sheets(instances: Sequence[DecisionInstance], sheets: Path) -> None:
    """Both annotators' sheets; others that are there already are not touched.

    One that is there as it would be written comes from the same draw, which may have been killed: it stays.
    """
    asked = [(i.id, i.question, _context(i)) for i in instances]
    header = ("id", "question", "context")
    seen = [(*row, instance.long_answer or "", "") for row, instance in zip(asked, instances, strict=True)]
    drawn = {
        FIRST: sheet_files.sheet((*CRITERIA, _UNFIT_LINE), (*header, "long answer", "label"), seen),
        SECOND: sheet_files.sheet(CRITERIA, (*header, "label"), [(*row, "") for row in asked]),
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
    first = sheet_files.labels(sheets / FIRST, (*LABELS, UNFIT), "label")
    second = sheet_files.labels(sheets / SECOND, LABELS, "label")
    if first.keys() != second.keys():
        odd = next(iter(first.keys() ^ second.keys()))
        raise InputError(
            f"the two sheets hold different questions ({odd})", str(sheets), "draw them together"
        )
    talked = sheets / DISCUSSION
    discussed = sheet_files.labels(talked, (*LABELS, NONE), "agreed") if talked.exists() else {}
    return Labelled({ident: (label, second[ident]) for ident, label in first.items()}, discussed)


def write_discussion(dataset: store.Dataset, sheets: Path, labelled: Labelled) -> None:
    """List what both labelled differently, once both have labelled everything. InputError: as of `refuse_missing`."""
    path = sheets / DISCUSSION
    if path.exists():
        refuse_missing(labelled, labelled.discussed, path)
        return
    wanted = set(labelled.differing)
    if labelled.unlabelled or not wanted:
        return
    asked = {i.id: i for i in store.instances(dataset, store.ALL, of=DecisionInstance) if i.id in wanted}
    instructions = (
        "The two annotators answered these differently. Discuss each, and write into the column agreed",
        f"yes, no or maybe; {NONE} where you cannot agree, which removes the question.",
    )
    rows = [
        (ident, asked[ident].question, _context(asked[ident]), *labelled.answers[ident], "")
        for ident in labelled.differing
    ]
    write_bytes(path, sheet_files.sheet(instructions, _DISCUSSED, rows))


def refuse_missing(labelled: Labelled, listed: Mapping[str, Any], where: Path) -> None:
    """Refuse (InputError) a discussion that lacks questions, since somebody changed a label after it was written."""
    if missing := [ident for ident in labelled.differing if ident not in listed]:
        what = f"the discussion lacks {len(missing):,} questions that are labelled differently ({missing[0]})"
        raise InputError(what, str(where), "take it away, and run the command again for another")


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
