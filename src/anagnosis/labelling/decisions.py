"""Yes, no or maybe for unlabelled questions, by two people (PubMedQA, Algorithm 1).

SHEETS/annotator-1.csv   SHEETS/annotator-2.csv   SHEETS/discussion.csv      sheets, without --people
SHEETS/ann.html          SHEETS/bea.html          SHEETS/discussion.html     pages (decision_pages.py)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.pubmedqa import labelling
from anagnosis.errors import InputError
from anagnosis.io import outputs
from anagnosis.io.paths import PathLike
from anagnosis.labelling import OF_QUESTIONS, Draw, Summary
from anagnosis.labelling import decision_pages as pages
from anagnosis.labelling.drawn import RECORD, Drawn, loaded, opened, read_drawn
from anagnosis.labelling.opened_study import write_study
from anagnosis.labelling.people import Person, check_people
from anagnosis.labelling.study import Study
from anagnosis.progress import print_note

KIND = "decisions"
COLLECTED = "anagnosis label read {source} --kind decisions --sheets {sheets}"
"""What says what people's lines come to."""
DISCUSSIONS = "the discussion"
DRAWN = "{drawn:,} questions drawn; give annotator-1.csv and annotator-2.csv to one person each"


@dataclass(frozen=True, slots=True)
class Sheets:
    """How far the labelling is. drawn: instances on the sheets. labels: how many are agreed on, by label.

    unlabelled: by either annotator. to_discuss: answered differently, not discussed yet. unfit, no_agreement: removed.
    discussion: the sheet or page on which what is left is discussed, "" where nothing is, or where both must label
    first. dataset: what was written, None where nothing was.
    """

    drawn: int
    labels: dict[str, int]
    unlabelled: int
    to_discuss: int
    unfit: int
    no_agreement: int
    discussion: str = ""
    dataset: store.Dataset | None = None


def draw(source: PathLike | store.Dataset, sheets: Path, how: Draw) -> Sheets:
    """Write sheets for so many unlabelled questions, or a page for each of two people."""
    how.refuse(KIND, "--split", "--view", *OF_QUESTIONS)
    count = how.demand_count()
    dataset = opened(source, sheets)
    if not how.people:
        how.refuse(KIND, "--idle")
        drawn = labelling.draw(dataset, count, how.seed)
        labelling.write_sheets(drawn, sheets)
        return Sheets(len(drawn), {}, len(drawn), 0, 0, 0)
    check_people(how.people)
    pages.refuse_other_people(how.people)
    ids = tuple(instance.id for instance in labelling.draw(dataset, count, how.seed))
    fingerprint = store.fingerprint(dataset, store.ALL)
    record = how.record(KIND, fingerprint, ids, documents=tuple(sorted(ids)))
    drawn_for = {
        person: study for person, study in studies(dataset, record, sheets).items() if person in how.people
    }
    write_study(sheets, record, drawn_for)
    first, second = (person.name for person in how.people)
    print_note(f"{first} sees the conclusion of each paper, {second} does not")
    return Sheets(len(ids), {}, len(ids), 0, 0, 0)


def studies(source: PathLike | store.Dataset, drawn: Drawn, sheets: Path) -> dict[Person, Study]:
    """What each of the two is asked, and, once both have labelled, what both are asked in a discussion."""
    return pages.studies(loaded(source), drawn, sheets)


def read(
    source: PathLike | store.Dataset, sheets: Path, out: PathLike | None, *, replace: bool = False
) -> Sheets:
    """Read both sheets or the files of both pages, and list what was labelled differently for a discussion.

    out: write what is agreed on as a dataset of PQA-L's kind; all must be labelled and, where labels differ, discussed.
    """
    dataset = opened(source, sheets)
    if out is not None:
        outputs.output_folder(out, "dataset", inputs=(dataset.folder, sheets))
    if (sheets / RECORD).exists():
        read_drawn(KIND, sheets)
        labelled = pages.read_labels(dataset, sheets)
        discussion = pages.write_discussion(dataset, sheets, labelled)
    else:
        labelled = labelling.read_sheets(sheets)
        labelling.refuse_other(dataset, labelled, sheets)
        labelling.write_discussion(dataset, sheets, labelled)
        discussion = labelling.DISCUSSION
    differ = len(labelled.to_discuss)
    made = None
    if out is not None:
        if labelled.unlabelled or differ:
            what = (
                f"{len(labelled.unlabelled):,} questions are not labelled by both, {differ:,} not discussed"
            )
            raise InputError(what, str(sheets), f"finish the sheets and {discussion or DISCUSSIONS} first")
        made = writing.write(
            out,
            {"train": labelling.instances(dataset, labelled)},
            {
                "dataset": "pubmedqa",
                "kind": "decision",
                "labelled_from": store.fingerprint(dataset, store.ALL),
            },
            dropped=labelling.dropped(labelled),
            replace=replace,
        )
    return Sheets(
        len(labelled.answers),
        dict(sorted(Counter(final for _, _, final in labelled.agreed.values()).items())),
        len(labelled.unlabelled),
        differ,
        len(labelled.unfit),
        len(labelled.no_agreement),
        discussion if differ else "",
        made,
    )


def summary(record: Sheets, source: PathLike, sheets: PathLike, out: PathLike | None) -> Summary:
    """How many labels are agreed on, and what is left."""
    left = {"not labelled by both": record.unlabelled, "to discuss": record.to_discuss}
    gone = {"not answerable by yes, no or maybe": record.unfit, "no agreement": record.no_agreement}
    then: tuple[str, ...] = ()
    if out is not None:
        then = (f"anagnosis agreement {quote(str(out))} --people", f"anagnosis show {quote(str(out))}")
    elif record.discussion:
        then = (f"fill in {Path(sheets) / record.discussion} together, then run this command again",)
    elif not record.unlabelled:
        then = (f"anagnosis label read {quote(str(source))} --sheets {quote(str(sheets))} --out FOLDER",)
    return Summary(
        (f"{record.drawn:,} questions, {sum(record.labels.values()):,} agreed on",),
        {
            "agreed on": record.labels,
            "open": {name: count for name, count in left.items() if count},
            "removed": {name: count for name, count in gone.items() if count},
        },
        then,
    )
