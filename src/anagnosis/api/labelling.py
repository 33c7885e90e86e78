"""The verbs over people's judgements: draw sheets, read what people wrote into them, collect what pages saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack, overload

from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.labelling import SheetRecord
    from anagnosis.labelling.collecting import Collected
    from anagnosis.labelling.decisions import Sheets
    from anagnosis.labelling.judging import Judged
    from anagnosis.labelling.skills import SkillSheets


class Labelling(TypedDict, total=False):
    """What `label` takes of every kind."""

    draw: int | None
    only: str
    apart_from: Sequence[PathLike]
    siblings: bool
    seed: int
    split: str | None
    view: str | None
    people: Sequence[str]
    knowledge: bool | None
    texts: bool | None
    idle: int
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
    kind: Literal["entities", "similar-answers", "statements"],
    **how: Unpack[Labelling],
) -> Judged: ...
@overload
def label(
    dataset: PathLike | Dataset,
    sheets: PathLike,
    *,
    kind: Literal["answers"],
    **how: Unpack[Labelling],
) -> Collected: ...
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
    kind: str,
    **how: Unpack[Labelling],
) -> SheetRecord: ...


def label(
    dataset: PathLike | Dataset,
    sheets: PathLike,
    *,
    kind: str = "decisions",
    draw: int | None = None,
    only: str = "",
    apart_from: Sequence[PathLike] = (),
    siblings: bool = False,
    seed: int = 0,
    split: str | None = None,
    view: str | None = None,
    people: Sequence[str] = (),
    knowledge: bool | None = None,
    texts: bool | None = None,
    idle: int = 60,
    out: PathLike | None = None,
    replace: bool = False,
) -> SheetRecord:
    """Have people judge what a dataset or papers hold, on sheets of a kind.

    dataset: a dataset folder, a file of papers, or a record of `protocols`. kind: "decisions" labels a dataset's
    unlabelled questions (PubMedQA, Algorithm 1), "entities" judges the entities of papers (CliCR, section 3); on pages
    in browsers, "answers" has cloze questions answered (BIOMRC, section 3.3; CliCR, section 7.1) and "skills" labels
    the skills that they require (CliCR, section 4.1);
    "statements" has the statements of `bioasq-cloze` judged and corrected, and "similar-answers" the answers that are
    right by similarity alone, of a record (`protocols(…, similar=True)`, saved as .json).
    draw: write sheets for so many by `seed`. Without, and without `only` and `people`, the sheets are read. only: draw
    questions with this label, all of them without `draw`. apart_from: folders of other studies, with which the
    questions share no document. siblings: also draw questions that hide another entity of the same sentence, and so
    show the answers of each other. split, view: of the cloze questions (default: dev, and the view with names).
    people: NAME,NAME or GROUP=NAME,NAME, each of whom gets a page. knowledge, texts: whether the page asks what an
    answer is from, and takes any words (None: where some right answer is no candidate). idle: seconds without input
    after which a page counts no time. Either way the kind's record is returned, such as `Sheets`.
    out: write the labels (decisions) or the corrected statements as a dataset. replace: overwrite one. A draw
    takes neither.
    """
    from pathlib import Path

    from anagnosis import labelling
    from anagnosis.errors import InputError
    from anagnosis.labelling.people import people_of

    entry = labelling.page_kind(kind) if people else labelling.find(kind)
    if draw is not None or only or people:
        if replace:
            what = "a draw replaces no sheets, since they may hold answers"
            raise InputError(what, "--replace", "leave it out, and name another folder with --sheets")
        if out is not None:
            remedy = "leave it out, and give it when the sheets are filled in"
            raise InputError("a draw writes sheets", "--out", remedy)
        how = labelling.Draw(
            draw,
            seed,
            split,
            view,
            only=only,
            apart_from=tuple(map(Path, apart_from)),
            siblings=siblings,
            people=people_of(people),
            knowledge=knowledge,
            texts=texts,
            idle=idle,
        )
        return entry.draw(dataset, Path(sheets), how)
    return entry.read(dataset, Path(sheets), out, replace=replace)


def collect(
    dataset: PathLike | Dataset, folder: PathLike, out: PathLike | None = None, *, replace: bool = False
) -> Collected:
    """Collect what people saved on the pages of a study into one file, a line a person and question.

    dataset: what the study was drawn from, as for `label`. folder: of the study, with one file of each person; the kind
    of sheets stands there. out: predictions for `agreement` and `score`, or judgements; None writes nothing. Refused
    (InputError): a file that no page of the study saved, such as one of another fingerprint or edited by hand, and a
    second file of a person, with the newer of the two.
    """
    from pathlib import Path

    from anagnosis.labelling import collecting

    return collecting.collect(dataset, Path(folder), out, replace=replace)
