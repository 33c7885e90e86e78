"""Case reports in, CliCR-like queries out.

A report is made in report.py, its queries in queries.py, and stored by questions.py. The choices are in
recipes/clicr.toml; design/clicr.md gives their reasons.

Names of a concept in the user's vocabulary are tokenised as the reports are, so that they can equal their words:
"Crohn's disease" is "Crohn 's disease" where the reports' tokenizer parts a possessive.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache, partial

from anagnosis.datasets.build.resolving import RULES_OF_THE_WHOLE
from anagnosis.datasets.build.screening import Screening, text_hash
from anagnosis.datasets.build.synonyms import Synonyms, opened_vocabulary
from anagnosis.datasets.clicr import queries
from anagnosis.datasets.clicr.questions import Answer, Names, add_instances
from anagnosis.datasets.clicr.recipe import CliCRRecipe
from anagnosis.datasets.clicr.report import LINES
from anagnosis.datasets.clicr.semantic_types import concepts
from anagnosis.datasets.definition import Builder
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.documents.document import Document
from anagnosis.documents.repairs import Repairs
from anagnosis.language.sentences import splitter_with_version
from anagnosis.language.tokenizers import tokenizer

NO_QUERY_LEFT = "no_query_left"


RULES = (*queries.RULES, NO_QUERY_LEFT, *RULES_OF_THE_WHOLE)
INSTANCE_RULES = ("reserved_word_in_text", "exact_repeat", "too_few_candidates")
_BLOCK_BYTES = 1 << 20  # a passage is stored with each of its queries
_CUI = re.compile(r"C[0-9]{7}\Z")
_CACHED = 1 << 14
_UMLS = "UMLS"


def choices(recipe: CliCRRecipe) -> dict[str, str]:
    """What the receipt states beside the recipe: the sentence splitter with its version."""
    tokenizer(recipe.tokens)
    if recipe.sentences == LINES:
        return {"sentence_splitter": "lines of the documents"}
    return {"sentence_splitter": splitter_with_version(recipe.sentences, also=(LINES,))}


def judge(
    document: Document,
    recipe: CliCRRecipe,
    screening: Screening[ClozeColumns],
    synonyms: Synonyms | None = None,
) -> None:
    """Gather the queries of a report in the screening's columns, or count the rule that drops it."""
    verdict = screen_document(document, recipe, screening, names_of(synonyms, recipe.tokens))
    if verdict is not None:
        headings = "; ".join(section.title for section in document.sections if section.title)
        screening.drop(document.id, verdict, headings if verdict == "no_query_section" else "")
    if verdict in (NO_QUERY_LEFT, queries.NO_ENTITY):
        _note_types(document, recipe, screening.repairs, screening.name)


def _note_types(document: Document, recipe: CliCRRecipe, repairs: Repairs, name: str) -> None:
    """Note the mentions whose types are none of the recipe's."""
    concept = concepts(recipe.types)
    for kind in dict.fromkeys(mention.type for mention in document.mentions):
        if concept(kind) is None:
            repairs.note(
                f"{name}: {document.id}",
                f"a mention has the type {kind!r}, which is no type of this recipe; say what it is with "
                f"--set 'types={{{json.dumps(kind)} = \"problem\"}}' (or treatment, test)",
            )


def no_names(identifier: str) -> Sequence[Answer]:
    """The names where no vocabulary was given."""
    return ()


def screen_document(
    document: Document, recipe: CliCRRecipe, screening: Screening[ClozeColumns], names: Names
) -> str | None:
    """The rule that drops the report, or None; its queries go to the screening's columns."""
    made = queries.cloze(document, recipe, screening)
    if isinstance(made, str):
        return made
    passage, hidden = made
    before = len(screening.columns)
    date = document.facts.get("date", "")
    uses = add_instances(document.id, date, passage, hidden, names, screening, recipe)
    count = len(screening.columns) - before
    if not count:
        return NO_QUERY_LEFT
    digest = text_hash(passage.text) if recipe.drop_repeated_text else 0
    screening.article(document.id, digest, count, uses, date, uses.values())
    return None


@lru_cache(maxsize=1)  # a cache for all documents of a process
def names_of(synonyms: Synonyms | None, tokens: str) -> Names:
    """All names of an identifier, each once, sorted.

    Of an identifier with a prefix ("UMLS:C0015967") that is unknown with it, those without it.
    """
    if synonyms is None:
        return no_names
    vocabulary, tokenized, source = opened_vocabulary(synonyms.path), tokenizer(tokens), synonyms.name

    @lru_cache(maxsize=_CACHED)
    def names(identifier: str) -> tuple[Answer, ...]:
        bare = identifier.rpartition(":")[2]
        listed = vocabulary.names(identifier) or vocabulary.names(bare)
        origin = _UMLS if _CUI.match(bare) else source
        return tuple(Answer(name, origin) for name in sorted(set(map(tokenized, listed))) if name)

    return names


BUILDER = Builder(
    recipe=CliCRRecipe,
    judge=judge,
    columns=partial(ClozeColumns, answer_columns=True),
    choices=choices,
    rules=RULES,
    instance_rules=INSTANCE_RULES,
    dated=True,
    whole_articles=True,
    takes_terms=True,
    block_bytes=_BLOCK_BYTES,
)
