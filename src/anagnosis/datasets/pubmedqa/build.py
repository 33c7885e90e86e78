"""Documents in, decisions out: PubMedQA's section 3.1 from its first sentence to its last.

An abstract with labelled sections and a conclusion gives one instance: of PQA-U where its title asks, of PQA-A where
its title states something in the present tense. The rules are in sections.py, questions.py and statements.py, the
choices in recipes/pubmedqa.toml, what the paper leaves open in design/pubmedqa.md.
"""

from __future__ import annotations

from functools import partial
from typing import Literal

import msgspec

from anagnosis.datasets.arrays import InstanceRows
from anagnosis.datasets.build.resolving import RULES_OF_THE_WHOLE
from anagnosis.datasets.build.screening import Screening, text_hash
from anagnosis.datasets.definition import Builder
from anagnosis.datasets.kinds.decision import DECISION_SCHEMA, ContextSection, DecisionInstance, row
from anagnosis.datasets.pubmedqa import questions, sections, statements
from anagnosis.datasets.pubmedqa.conversion import Conversion, convert
from anagnosis.datasets.splits import Since, SplitWeights, refuse_other_than_dates
from anagnosis.documents.document import Document, Section
from anagnosis.documents.states import NOT_VALID, STATES
from anagnosis.recipes.load import Seed

# In the order in which they are asked; those of a title that asks, then those of one that states.
RULES = (
    "no_title",
    *sections.RULES,
    "not_english",
    "retracted",
    "questions_not_wanted",
    *questions.RULES,
    "statements_not_wanted",
    *statements.RULES,
    "deleted_citation",
    "superseded_citation",
    *RULES_OF_THE_WHOLE,
)
LONGEST_VERSION = 6  # digits


class PubMedQARecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: Literal["decision"] = "decision"
    questions: bool = True
    statements: bool = True
    english_only: bool = True
    drop_retracted: bool = False
    drop_repeated_text: bool = False
    split: Literal["head", "document", "date"] = "head"
    split_weights: SplitWeights = SplitWeights(1, 0, 0)
    seed: Seed = 0
    since: Since = ""

    def __post_init__(self) -> None:
        refuse_other_than_dates(self.since)
        if not (self.questions or self.statements):
            raise ValueError("neither questions nor statements are wanted")


def judge(document: Document, recipe: PubMedQARecipe, screening: Screening) -> None:
    """Gather the instance of a document in the screening's columns, or count the rule that drops it."""
    found = judged(document, recipe)
    if isinstance(found, str):
        return screening.drop(found)
    parts = sections.split(abstract_of(document))
    facts = document.facts
    date = facts.get("date", "")
    context = tuple(ContextSection(section.title, section.text) for section in parts.context)
    screening.columns.add(
        DecisionInstance(
            id=document.id,
            question=found.question,
            context=context,
            long_answer=" ".join(section.text for section in parts.long_answer),
            label=found.label or None,
            mesh=tuple(name for name in facts.get("mesh", "").split("; ") if name),
            year=facts.get("year"),
            date=date,
            subset="A" if found.label else "U",
            title=" ".join(document.title.split()) if found.label else None,
        )
    )
    screening.repairs.count("section_after_the_conclusion_left_out", len(parts.left_out))
    for state in STATES:
        screening.repairs.count(f"kept_with_{state}", state in facts)
    digest = text_hash(" ".join(section.text for section in context)) if recipe.drop_repeated_text else 0
    return screening.article(document.id, digest, 1, date)


def judged(document: Document, recipe: PubMedQARecipe) -> Conversion | str:
    """The question, with its label where a statement became it, or the name of the rule that drops the document."""
    title = " ".join(document.title.split())
    if not title:
        return "no_title"
    abstract = abstract_of(document)
    if refused := sections.refusal(abstract):
        return refused
    languages = document.facts.get("language", "")
    if recipe.english_only and languages and "eng" not in languages.split("; "):
        return "not_english"
    if recipe.drop_retracted and not document.facts.keys().isdisjoint(NOT_VALID):
        return "retracted"
    if "?" not in title:
        if not recipe.statements:
            return "statements_not_wanted"
        return convert(title, " ".join(section.text for section in abstract))
    if not recipe.questions:
        return "questions_not_wanted"
    title = questions.bare(title)
    return questions.refusal(title) or Conversion(title, "")


def abstract_of(document: Document) -> list[Section]:
    """The sections of the abstract, not those of another language's."""
    return [section for section in document.sections if section.label == "abstract"]


def version_read(document: Document) -> int:
    """From 1, 0 for a notice of deletion; what is no number, or none that a paper has, is a first version."""
    if document.facts.get("deleted"):
        return 0
    version = document.facts.get("version", "")
    return max(1, int(version)) if version.isdecimal() and len(version) < LONGEST_VERSION else 1


BUILDER = Builder(
    recipe=PubMedQARecipe,
    judge=judge,
    columns=partial(InstanceRows, row, DECISION_SCHEMA),
    rules=RULES,
    version=version_read,
    dated=True,
)
