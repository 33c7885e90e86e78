"""Yes, no or maybe for unlabelled questions, by two people (PubMedQA, Algorithm 1).

SHEETS/annotator-1.csv   SHEETS/annotator-2.csv   SHEETS/discussion.csv
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from anagnosis import outputs
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.pubmedqa import labelling
from anagnosis.errors import InputError
from anagnosis.labelling import OF_PAGES, Draw, Summary
from anagnosis.paths import PathLike

DRAWN = "{drawn:,} questions drawn; give annotator-1.csv and annotator-2.csv to one person each"


@dataclass(frozen=True, slots=True)
class Sheets:
    """How far the labelling is. drawn: instances on the sheets. labels: how many are agreed on, by label.

    unlabelled: by either annotator. to_discuss: answered differently, not discussed yet. unfit, no_agreement: removed.
    dataset: what was written, None where nothing was.
    """

    drawn: int
    labels: dict[str, int]
    unlabelled: int
    to_discuss: int
    unfit: int
    no_agreement: int
    dataset: store.Dataset | None = None


def draw(source: PathLike | store.Dataset, sheets: Path, how: Draw) -> Sheets:
    """Write sheets for so many unlabelled questions."""
    how.refuse("decisions", "--split", "--view", *OF_PAGES)
    count = how.demand_count()
    opened = _opened(source, sheets)
    drawn = labelling.draw(opened, count, how.seed)
    labelling.write_sheets(drawn, sheets)
    return Sheets(len(drawn), {}, len(drawn), 0, 0, 0)


def read(
    source: PathLike | store.Dataset, sheets: Path, out: PathLike | None, *, replace: bool = False
) -> Sheets:
    """Read both sheets, and list what was answered differently in discussion.csv.

    out: write what is agreed on as a dataset of PQA-L's kind; all must be labelled and, where labels differ, discussed.
    """
    opened = _opened(source, sheets)
    if out is not None:
        outputs.output_folder(out, "dataset", inputs=(opened.folder, sheets))
    labelled = labelling.read_sheets(sheets)
    labelling.refuse_other(opened, labelled, sheets)
    labelling.write_discussion(opened, sheets, labelled)
    differ = len(labelled.to_discuss)
    made = None
    if out is not None:
        if labelled.unlabelled or differ:
            what = (
                f"{len(labelled.unlabelled):,} questions are not labelled by both, {differ:,} not discussed"
            )
            raise InputError(what, str(sheets), "finish the sheets and discussion.csv first")
        made = writing.write(
            out,
            {"train": labelling.instances(opened, labelled)},
            {
                "dataset": "pubmedqa",
                "kind": "decision",
                "labelled_from": store.fingerprint(opened, store.ALL),
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
        made,
    )


def summary(record: Sheets, source: PathLike, sheets: PathLike, out: PathLike | None) -> Summary:
    """How many labels are agreed on, and what is left."""
    left = {"not labelled by both": record.unlabelled, "to discuss": record.to_discuss}
    gone = {"not answerable by yes, no or maybe": record.unfit, "no agreement": record.no_agreement}
    then: tuple[str, ...] = ()
    if out is not None:
        then = (f"anagnosis agreement {out} --people", f"anagnosis show {out}")
    elif record.to_discuss:
        then = (f"fill in {sheets}/discussion.csv, then run this command again",)
    elif not record.unlabelled:
        then = (f"anagnosis label {source} --sheets {sheets} --out FOLDER",)
    return Summary(
        (f"{record.drawn:,} questions, {sum(record.labels.values()):,} agreed on",),
        {
            "agreed on": record.labels,
            "open": {name: count for name, count in left.items() if count},
            "removed": {name: count for name, count in gone.items() if count},
        },
        then,
    )


def _opened(source: PathLike | store.Dataset, sheets: Path) -> store.Dataset:
    if not isinstance(source, store.Dataset) and Path(source).is_file():
        what = "is a file, and questions are those of a dataset folder"
        raise InputError(what, str(source), "to judge the entities of papers, add --kind entities")
    opened = source if isinstance(source, store.Dataset) else store.load(source)
    outputs.output_folder(sheets, inputs=(opened.folder,))
    return opened
