"""The verb over people's judgements: draw sheets, and read what people wrote into them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict, Unpack, overload

from anagnosis.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.labelling import SheetRecord
    from anagnosis.labelling.answers import AnswerSheets
    from anagnosis.labelling.decisions import Sheets
    from anagnosis.labelling.entities import JudgedEntities
    from anagnosis.labelling.similar_answers import JudgedSimilarAnswers
    from anagnosis.labelling.skills import SkillSheets
    from anagnosis.labelling.statements import JudgedStatements


class Labelling(TypedDict, total=False):
    """What `label` takes of every kind."""

    draw: int | None
    seed: int
    split: str | None
    view: str | None
    out: PathLike | None
    replace: bool


@overload
def label(
    dataset: PathLike | Dataset,
    sheets: PathLike,
    *,
    kind: Literal["decisions"] = "decisions",
    **how: Unpack[Labelling],
) -> Sheets: ...
@overload
def label(
    dataset: PathLike | Dataset,
    sheets: PathLike,
    *,
    kind: Literal["entities"],
    **how: Unpack[Labelling],
) -> JudgedEntities: ...
@overload
def label(
    dataset: PathLike | Dataset,
    sheets: PathLike,
    *,
    kind: Literal["answers"],
    **how: Unpack[Labelling],
) -> AnswerSheets: ...
@overload
def label(
    dataset: PathLike | Dataset,
    sheets: PathLike,
    *,
    kind: Literal["similar-answers"],
    **how: Unpack[Labelling],
) -> JudgedSimilarAnswers: ...
@overload
def label(
    dataset: PathLike | Dataset,
    sheets: PathLike,
    *,
    kind: Literal["skills"],
    **how: Unpack[Labelling],
) -> SkillSheets: ...
@overload
def label(
    dataset: PathLike | Dataset,
    sheets: PathLike,
    *,
    kind: Literal["statements"],
    **how: Unpack[Labelling],
) -> JudgedStatements: ...
@overload
def label(
    dataset: PathLike | Dataset,
    sheets: PathLike,
    *,
    kind: str,
    **how: Unpack[Labelling],
) -> SheetRecord: ...


def label(
    dataset: PathLike | Dataset,
    sheets: PathLike,
    *,
    kind: str = "decisions",
    draw: int | None = None,
    seed: int = 0,
    split: str | None = None,
    view: str | None = None,
    out: PathLike | None = None,
    replace: bool = False,
) -> SheetRecord:
    """Have people judge what a dataset or papers hold, on sheets of a kind.

    dataset: a dataset folder, a file of papers, or a record of `protocols`. kind: "decisions" labels a dataset's
    unlabelled questions (PubMedQA, Algorithm 1), "entities" judges the entities of papers (CliCR, section 3); on a page
    in the browser, "answers" has cloze questions answered (CliCR, section 7.1) and "skills" labels the skills that they
    require (section 4.1);
    "statements" has the statements of `bioasq-cloze` judged and corrected, and "similar-answers" the answers that are
    right by similarity alone, of a record (`protocols(…, similar=True)`, saved as .json).
    draw: write sheets for so many by `seed`. Without, the sheets are read. split, view: of the cloze questions
    (default: dev, and the view that `show` takes). Either way the kind's record is returned, such as `Sheets`.
    out: write the labels (decisions) or the corrected statements as a dataset.
    """
    from pathlib import Path

    from anagnosis import labelling

    entry = labelling.find(kind)
    if draw is not None:
        return entry.draw(dataset, Path(sheets), labelling.Draw(draw, seed, split, view))
    return entry.read(dataset, Path(sheets), out, replace=replace)
