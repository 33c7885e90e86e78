"""BioASQ's questions as cloze questions: statements with a gap, XXXX, that rules make (thesis, section 4.5).

An instance is a question of BioASQ whose `question` is the statement; statements.py says where its origin stands. The
rules are those of language/statements.py. The result is not the thesis's BioASQ MOD, which people wrote and nobody
published.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from anagnosis.datasets.bioasq import layout
from anagnosis.datasets.bioasq.parts import parts_of
from anagnosis.datasets.bioasq.statements import Origin, origin, with_statement
from anagnosis.datasets.definition import Builder
from anagnosis.datasets.export.layouts import Imported
from anagnosis.datasets.folder.receipt import Refusal
from anagnosis.datasets.kinds.question import FACTOID, LIST, QuestionInstance
from anagnosis.io.paths import PathLike
from anagnosis.language.statements import NONE, Statement, statement
from anagnosis.wording import shortened

# Why a question makes no instance.
OTHER_TYPE = "other_type"
NO_RULE = "no_rule"
RULES = (OTHER_TYPE, NO_RULE)
LISTED = 1_000  # questions without a rule that the receipt names
LONGEST_SHOWN = 200  # characters of each


class ClozeRecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """recipes/bioasq-cloze.toml says what each is."""

    kind: Literal["question"] = "question"
    types: tuple[Literal["yesno", "factoid", "list", "summary"], ...] = (FACTOID, LIST)
    nouns: Literal["drop", "keep"] = "drop"
    no_rule: Literal["drop", "gap-at-end"] = "drop"
    train: str = ""
    dev: str = ""
    test: str = ""

    def __post_init__(self) -> None:
        parts_of(self)


def make(paths: Sequence[PathLike], recipe: ClozeRecipe) -> Imported:
    """The instances, from golden files, folders or archives of them. Memory: a block of questions."""
    source = layout.imported(paths, parts=parts_of(recipe) or None)
    dropped, counts = source.findings.refused, source.findings.broken
    uncovered: list[Refusal] = []

    def of(split: str) -> Iterator[QuestionInstance]:
        for instance in source.splits[split]:
            if instance.type not in recipe.types:
                dropped[OTHER_TYPE] += 1
                continue
            made = statement(instance.question, nouns=recipe.nouns)
            if made.rule == NONE and len(uncovered) < LISTED:
                asked = shortened(" ".join(instance.question.split()), LONGEST_SHOWN)
                uncovered.append(Refusal(f"{instance.file}: {instance.id}", f"no rule covers: {asked}"))
            if is_dropped(made, recipe):
                dropped[NO_RULE] += 1
                continue
            counts[f"rule_{made.rule.replace(' ', '_')}"] += 1
            made_of = origin(instance) or Origin(instance.question, made.rule)
            yield with_statement(instance, made.text, made_of)

    splits = {split: of(split) for split in source.splits}
    files = {"files": source.recipe["files"]}
    listed: tuple[list[Refusal], list[Refusal]] = ([], uncovered)
    unlisted = (listed[1], listed[0]) if recipe.no_rule == "drop" else listed
    return Imported(splits, files, source.inputs, source.findings, unlisted=unlisted)


def is_dropped(made: Statement, recipe: ClozeRecipe) -> bool:
    """Whether the recipe leaves out a question because no rule covers it."""
    return made.rule == NONE and recipe.no_rule == "drop"


BUILDER = Builder(recipe=ClozeRecipe, make=make)
