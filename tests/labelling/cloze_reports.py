"""A made-up cloze dataset shaped as CliCR's: a report as passage, one sentence a line, an answer with several names."""

from __future__ import annotations

import re
from pathlib import Path

from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.cloze_instance import (
    PLACEHOLDER,
    Candidate,
    ClozeInstance,
    PassageMention,
    outside,
)

REPORT = """A man with [fever] after [amitriptyline]
Case presentation
A 72-year-old man took 30 tablets of [amitriptyline] .
He had [fever] , [tachycardia] and a [QRS complex] of 140 ms .
[Sodium bicarbonate] was given , and the [fever] went away .
A [phosphate enema] removed the rest of the tablets ."""
QUERY = "After an overdose of [amitriptyline] consider @ and [whole bowel irrigation] ."
_MARK = re.compile(r"\[([^]]*)\]")


def marked(text: str, keys: dict[str, int], lacking: int) -> tuple[str, list[PassageMention]]:
    """The text without brackets, and its mentions. keys: surface in small letters → candidate, grown here.

    lacking: the number of an entity that is no candidate; 0 lets every entity be one.
    """
    pieces, mentions, length, done = list[str](), list[PassageMention](), 0, 0
    for match in _MARK.finditer(text):
        pieces += [text[done : match.start()], match[1]]
        start = length + match.start() - done
        length = start + len(match[1])
        key = match[1].lower()
        place = outside(lacking) if lacking and key not in keys else keys.setdefault(key, len(keys))
        mentions.append(PassageMention(((start, length),), place))
        done = match.end()
    return "".join([*pieces, text[done:]]), mentions


def instance(
    ident: str, report: str = REPORT, query: str = QUERY, answer: str = "phosphate enema"
) -> ClozeInstance:
    """The gap of a query is @."""
    keys: dict[str, int] = {}
    passage, mentions = marked(report, keys, 0)
    question, asked = marked(query.replace("@", PLACEHOLDER), keys, 99)
    names = {
        place: passage[m.spans[0][0] : m.spans[0][1]] for m in reversed(mentions) for place in [m.candidate]
    }
    candidates = tuple(Candidate(key, "", place, (names[place],)) for key, place in keys.items())
    right = keys.get(answer)
    names_of_answer = (answer, "phosphate clyster", "sodium phosphate enema")
    return ClozeInstance(
        ident, ident.partition(".")[0], "", passage, question, tuple(mentions), tuple(asked), candidates, right,
        names_of_answer,
    )  # fmt: skip


def dataset(folder: Path, instances: list[ClozeInstance], split: str = "dev") -> Path:
    """A dataset folder with these instances in a split."""
    recipe = {"dataset": "clicr", "kind": "cloze", "text_form": "original", "numbering": "first-appearance"}
    writing.write(folder, {"train": [instance("train.1")], split: instances}, recipe)
    return folder


def reports(folder: Path, count: int = 4) -> Path:
    """A dataset folder with `count` questions in dev, two a report."""
    return dataset(folder, [instance(f"bcr-{n // 2}.{n % 2 + 1}") for n in range(count)])
