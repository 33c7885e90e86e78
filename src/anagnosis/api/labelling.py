"""The verb over people's labels: draw sheets, list disagreements, make a labelled dataset of what was agreed on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from anagnosis.api.datasets import load
from anagnosis.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset


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
    dataset: Dataset | None = None


def label(
    dataset: PathLike | Dataset,
    sheets: PathLike,
    *,
    draw: int | None = None,
    seed: int = 0,
    out: PathLike | None = None,
    replace: bool = False,
) -> Sheets:
    """Have two people label a dataset's unlabelled instances (PubMedQA, Algorithm 1).

    draw: write sheets for so many, by `seed`. Without, the sheets are read, and what was answered differently is listed
    in discussion.csv. out: write what is agreed on as a dataset of PQA-L's kind; all must be labelled and, where
    labels differ, discussed.
    """
    from collections import Counter

    from anagnosis import outputs
    from anagnosis.datasets.folder import store, writing
    from anagnosis.datasets.pubmedqa import labelling
    from anagnosis.errors import InputError

    opened = load(dataset)
    folder = outputs.output_folder(sheets, inputs=(opened.folder,))
    if out is not None:
        outputs.output_folder(out, "dataset", inputs=(opened.folder, folder))
    if draw is not None:
        drawn = labelling.draw(opened, draw, seed)
        labelling.write_sheets(drawn, folder)
        return Sheets(len(drawn), {}, len(drawn), 0, 0, 0)
    found = labelling.read_sheets(folder)
    labelling.refuse_other(opened, found, folder)
    labelling.write_discussion(opened, folder, found)
    differ, agreed = len(found.to_discuss), found.agreed
    made = None
    if out is not None:
        if found.unlabelled or differ:
            what = f"{len(found.unlabelled):,} questions are not labelled by both, {differ:,} not discussed"
            raise InputError(what, str(folder), "finish the sheets and discussion.csv first")
        made = writing.write(
            out,
            {"train": labelling.instances(opened, found)},
            {
                "dataset": "pubmedqa",
                "kind": "decision",
                "labelled_from": store.fingerprint(opened, store.ALL),
            },
            dropped=labelling.dropped(found),
            replace=replace,
        )
    return Sheets(
        len(found.answers),
        dict(sorted(Counter(final for _, _, final in agreed.values()).items())),
        len(found.unlabelled),
        differ,
        len(found.unfit),
        len(found.no_agreement),
        made,
    )
