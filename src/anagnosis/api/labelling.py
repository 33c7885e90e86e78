"""The verbs over people's answers: draw sheets, read what people wrote into them, collect what pages saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from anagnosis.api import shared
from anagnosis.api.options import MANY, Option
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.labelling.collecting import Collected
    from anagnosis.labelling.decisions import Sheets
    from anagnosis.labelling.drawn import Drawn
    from anagnosis.labelling.skills import SkillSheets


def label(
    dataset: shared.DatasetFolder,
    sheets: Annotated[
        PathLike,
        Option(
            "The folder of the pages (of a draw: pages, unless it is named).",
            flag="--sheets",
            metavar="FOLDER",
        ),
    ],
    *,
    kind: Annotated[
        str | None,
        Option(
            "answers: to a dataset's questions; decisions: yes, no or maybe for unlabelled questions, by two people; "
            "skills: which cloze questions require. Without it the draw decides, or the dataset: decisions for "
            "questions of yes, no or maybe, answers for others."
        ),
    ] = None,
    draw: Annotated[
        int | None,
        Option("Draw this many questions (default: all with the label of --only).", 1, MANY),
    ] = None,
    only: Annotated[str, Option("Draw questions with this label, such as tiny-a.", metavar="LABEL")] = "",
    seed: Annotated[shared.Seed, Option("Seed of the draw.")] = 0,
    split: Annotated[
        str | None,
        Option("Of answers and skills: the split to draw from (default: dev, or that of --only)."),
    ] = None,
    view: Annotated[
        str | None,
        Option(
            "Of answers and skills: the view to show, such as both, local, reasoning-free (default: names, or "
            "reasoning-required)."
        ),
    ] = None,
    people: Annotated[
        Sequence[str],
        Option(
            "A page for each of these people, such as ann,bea or experts=ann,bea; repeatable. Of decisions two: the "
            "first sees the conclusion.",
            metavar="[GROUP=]NAME,…",
        ),
    ] = (),
    knowledge: Annotated[
        bool | None,
        Option(
            "Of answers: ask whether each is from prior knowledge or from the context (default: to cloze questions).",
            flag="--ask-knowledge/--no-knowledge",
        ),
    ] = None,
    texts: Annotated[
        bool | None,
        Option(
            "Of answers: let people write any words (default: where some right answer is no candidate).",
            flag="--free-answers/--entities-only",
        ),
    ] = None,
    idle: Annotated[
        int,
        Option("Of pages: count no time after so many seconds without input.", 1, 86_400, metavar="SECONDS"),
    ] = 60,
    out: Annotated[PathLike | None, Option("Write the agreed labels as a dataset folder.")] = None,
    replace: shared.Replace = False,
) -> Drawn | Collected | Sheets | SkillSheets:
    """Have people answer or label questions.

    The kinds are those of the papers: "decisions" is PubMedQA's Algorithm 1, "answers" BIOMRC's section 3.3 and CliCR's
    section 7.1, "skills" CliCR's section 4.1.
    With `draw`, `only` or `people` pages are written and the draw is returned, else what people saved is read, and the
    kind's record returned, such as `Sheets`. A draw takes neither `out` nor `replace`.
    """
    from pathlib import Path

    from anagnosis import labelling
    from anagnosis.errors import InputError
    from anagnosis.labelling.drawn import Draw, usual_kind
    from anagnosis.labelling.opened_study import draw_study, open_study
    from anagnosis.labelling.people import people_of

    if draw is None and not only and not people:
        study = open_study(dataset, Path(sheets))
        if kind not in (None, study.drawn.kind):
            what = f"the sheets are of the kind {study.drawn.kind}, not {kind}"
            raise InputError(what, str(sheets), "leave the kind out")
        return labelling.find(study.drawn.kind).read(study, out, replace=replace)
    if replace:
        what = "a draw replaces no sheets, since they may hold answers"
        raise InputError(what, "--replace", "leave it out, and name another folder with --sheets")
    if out is not None:
        remedy = "leave it out, and give it when the sheets are filled in"
        raise InputError("a draw writes sheets", "--out", remedy)
    how = Draw(
        draw,
        seed,
        split,
        view,
        only=only,
        people=people_of(people),
        knowledge=knowledge,
        texts=texts,
        idle=idle,
    )
    return draw_study(kind or usual_kind(dataset, Path(sheets)), dataset, Path(sheets), how)


def collect(
    dataset: shared.DatasetFolder,
    folder: Annotated[PathLike, Option(metavar="STUDY_FOLDER")],
    out: Annotated[
        PathLike | None,
        Option("Write people's lines: predictions for `agreement` and `score`, or labels.", flag="--out"),
    ] = None,
    *,
    replace: shared.Replace = False,
) -> Collected:
    """Collect what people saved on the pages of a study into one file, a line a person and question.

    STUDY_FOLDER has one file of each person, and the kind of sheets. Refused are a file that no page of the study
    saved, such as one of another dataset or edited by hand, and a second file of a person.
    """
    from pathlib import Path

    from anagnosis.labelling import collecting

    return collecting.collect(dataset, Path(folder), out, replace=replace)
