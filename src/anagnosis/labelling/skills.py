"""The skills that cloze questions require, by one person or several (CliCR, section 4.1: 100 questions of dev).

    SHEETS/NAME.html           the page of each person, on which the answers stand
    SHEETS/drawn.json          what was drawn
    SHEETS/skills-NAME.jsonl   what each person saved on the page

What is saved or collected is a file of labels: `score --labels` and `agreement --labels` break figures down by it.

The names of the skills are the papers' (Sugawara et al. 2017; CliCR, section 4.1 and Appendix B), the meanings are in
our words. A question may require several skills: 2.85 on average in CliCR, where about 16 % require "none" because the
passage does not answer them. Figure 4 shows the other shares as bars without numbers, so no published ones stand beside
ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

import numpy as np

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.datasets.label_file import Labels
from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import Estimate, estimate
from anagnosis.evaluation.kappa import NO_ANSWER, Kappa, mean_kappa
from anagnosis.io.paths import PathLike
from anagnosis.labelling.cloze_draw import draw_questions
from anagnosis.labelling.cloze_questions import question
from anagnosis.labelling.drawn import Draw, Drawn, instances_of
from anagnosis.labelling.opened_study import OpenedStudy
from anagnosis.labelling.people import Person
from anagnosis.labelling.returned import returned
from anagnosis.labelling.study import Choice, Field, Study
from anagnosis.progress import print_note

KIND = "skills"
GROWS = True
SHOWN_NAMES = 6  # further right answers that the page shows
NONE = "none"
INSTRUCTIONS = (
    "Read each passage, the question below it and its answer. Choose every skill that somebody needs to find the "
    f"answer in the passage; a question may need several. Choose “{NONE}” alone where the passage does "
    "not give the answer.",
)
_COLUMN = "skills"  # of a label file

# In the order of Appendix B.
SKILLS: dict[str, str] = {
    "object tracking": "keep several things apart, such as the items of a list or the members of a group",
    "mathematical reasoning": "count, calculate or compare numbers",
    "coreference resolution": "see that two expressions mean the same thing, such as a pronoun and a name",
    "logical reasoning": "follow if, not, all or some, or a chain of such statements",
    "analogy": "understand a metaphor, or a word that stands for something related",
    "causal relation": "follow a cause or reason that the text states",
    "spatio-temporal relation": "follow where something is, or what happens when",
    "ellipsis": "supply what the text implies or leaves out",
    "bridging": "join two statements by what words mean: synonyms, kinds and parts, medical terms",
    "elaboration": "join two statements by everyday knowledge that no dictionary or terminology holds",
    "meta-knowledge": "use what you know of the kind of text, of its topic, or of how the questions are made",
    "schematic clause relation": "take apart a sentence with coordinated or subordinate clauses",
    "punctuation": "understand brackets, dashes, quotation marks or colons",
    NONE: "the passage does not answer the question",
}


@dataclass(frozen=True, slots=True)
class SkillLabels:
    """The labels of one file. labelled: questions. mean: skills of a question, those with "none" counting as 0.

    shares: skill → its share of the labelled questions, with its interval by question.
    """

    file: str
    labelled: int
    mean: float
    shares: dict[str, Estimate]


@dataclass(frozen=True, slots=True)
class SkillSheets:
    """drawn: questions on the page. split: of the dataset, from which they are. files: with a label, by name.

    kappas: skill → Cohen's kappa of "required" and "not required", the mean over the pairs of files, on the questions
    that both labelled; empty where no two files share one.
    """

    drawn: int
    split: str
    files: tuple[SkillLabels, ...] = ()
    kappas: dict[str, Kappa] = field(default_factory=dict[str, Kappa])


def draw(dataset: store.Dataset, how: Draw) -> Drawn:
    """Draw a study."""
    how.refuse(KIND, "knowledge", "texts")
    drawn = draw_questions(KIND, dataset, how)
    print_note("the pages show the right answers: give them only to people who have answered these questions")
    return drawn


def studies(dataset: store.Dataset, drawn: Drawn, sheets: Path) -> Mapping[Person, Study]:
    """The same study for everybody."""
    del sheets
    instances = instances_of(dataset, drawn, ClozeInstance)
    view = dataset.viewer(drawn.view)
    choices = tuple(Choice(name, meaning=meaning, alone=name == NONE) for name, meaning in SKILLS.items())
    study = Study(
        kind=KIND,
        title=f"Which skills does the question require? {len(instances):,} questions",
        instructions=INSTRUCTIONS,
        questions=tuple(question(each, view(each), _answers(each)) for each in instances),
        fields=(Field(_COLUMN, "Skills that the question requires", choices, several=True),),
        constants={"dataset": drawn.dataset},
        idle=drawn.idle,
    )
    return dict.fromkeys(drawn.people, study)


def read(study: OpenedStudy, out: PathLike | None, *, replace: bool) -> SkillSheets:
    """The shares of the skills, by file."""
    del replace
    if out is not None:
        raise InputError("labels of skills make no dataset", "--out", "leave it out, or take --json")
    drawn = study.drawn
    given = {
        each.path.name: {ident: tuple(line[_COLUMN]) for ident, line in each.last.items()}
        for each in returned(study).files
    }
    files = tuple(_labels(name, labels) for name, labels in given.items())
    return SkillSheets(len(drawn.ids), drawn.split, files, _kappas(list(given.values()), drawn.ids))


def summary(record: SkillSheets) -> list[str]:
    """The shares of each file, with 95 % intervals by question, and kappa of the skills that somebody chose."""
    lines = [f"{record.drawn:,} questions of {record.split}"]
    for each in record.files:
        lines.append(f"{each.file}: {each.labelled:,} labelled, {each.mean:.2f} skills a question")
        for name, share in each.shares.items():
            low, high = share.ends
            lines.append(f"  {name.ljust(25)} {share.value:6.1%}  [{low:.1%}, {high:.1%}]")
    chosen = {name for each in record.files for name, share in each.shares.items() if share.value}
    kappas = {name: kappa for name, kappa in record.kappas.items() if name in chosen}
    if kappas:
        lines.append("Cohen's kappa of each skill, required or not:")
    for name, kappa in kappas.items():
        low, high = kappa.bootstrap.low, kappa.bootstrap.high
        lines.append(f"  {name.ljust(25)} {kappa.value:6.3f}  [{low:.3f}, {high:.3f}]")
    return lines


def _answers(instance: ClozeInstance) -> list[tuple[str, str]]:
    """The hidden text, and other right answers."""
    names = list(dict.fromkeys(instance.answers))
    if not names and instance.answer is not None:
        names = list(instance.candidates[instance.answer].names)
    others = "; ".join(names[1 : 1 + SHOWN_NAMES])
    more = "" if len(names) <= 1 + SHOWN_NAMES else f" and {len(names) - 1 - SHOWN_NAMES:,} more"
    shown = [("Answer:", names[0] if names else "not known")]
    return [*shown, ("Also right:", others + more)] if others else shown


def _kappas(files: Sequence[Mapping[str, Labels]], ids: Sequence[str]) -> dict[str, Kappa]:
    if len(files) < 2:
        return {}
    found = {
        skill: mean_kappa(
            [
                np.array([skill in given[ident] if ident in given else NO_ANSWER for ident in ids], np.int64)
                for given in files
            ],
            "left out",
            seed=0,
        )
        for skill in SKILLS
    }
    return {skill: kappa for skill, kappa in found.items() if kappa is not None}


def _labels(name: str, given: Mapping[str, Labels]) -> SkillLabels:
    return SkillLabels(
        file=name,
        labelled=len(given),
        mean=fmean(len(labels) - (NONE in labels) for labels in given.values()),
        shares={
            skill: estimate(np.array([skill in labels for labels in given.values()], np.float64))
            for skill in SKILLS
        },
    )
