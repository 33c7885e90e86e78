"""Case reports in, CliCR-like queries out.

A report is made in report.py, its queries in queries.py. The choices are in
recipes/clicr.toml; design/clicr.md gives their reasons.

Names of a concept in the user's vocabulary are tokenised as the reports are, so that they can equal their words:
"Crohn's disease" is "Crohn 's disease" where the reports' tokenizer parts a possessive.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial

from anagnosis.datasets.build.resolving import RULES_OF_THE_WHOLE
from anagnosis.datasets.build.screening import Screening
from anagnosis.datasets.build.synonyms import Synonyms, opened_vocabulary
from anagnosis.datasets.clicr.queries import INSTANCE_RULES, RULES, Names, add_queries
from anagnosis.datasets.clicr.report import LINES, CliCRRecipe
from anagnosis.datasets.definition import Builder
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.documents.document import Document
from anagnosis.language.sentences import splitter_with_version
from anagnosis.language.tokenizers import tokenizer

_BLOCK_BYTES = 1 << 20  # a passage is stored with each of its queries
_CUI = re.compile(r"C[0-9]{7}\Z")


def choices(recipe: CliCRRecipe) -> dict[str, str]:
    """What the receipt states beside the recipe: the sentence splitter with its version."""
    tokenizer(recipe.tokens)
    if recipe.sentences == LINES:
        return {"sentence_splitter": "lines of the documents"}
    return {"sentence_splitter": splitter_with_version(recipe.sentences, also=(LINES,))}


def judge(
    document: Document, recipe: CliCRRecipe, screening: Screening, synonyms: Synonyms | None = None
) -> None:
    """Gather the queries of a report in the screening's columns, or count the rule that drops it."""
    if rule := add_queries(document, recipe, screening, names_of(synonyms, recipe.tokens)):
        screening.drop(rule)


@lru_cache(maxsize=1)  # a cache for all documents of a process
def names_of(synonyms: Synonyms | None, tokens: str) -> Names:
    """All names of an identifier, each once, sorted.

    Of an identifier with a prefix ("UMLS:C0015967") that is unknown with it, those without it.
    """
    if synonyms is None:
        return lambda identifier: ()
    vocabulary, tokenized, source = opened_vocabulary(synonyms.path), tokenizer(tokens), synonyms.name

    @lru_cache(maxsize=1 << 14)
    def names(identifier: str) -> tuple[tuple[str, str], ...]:
        bare = identifier.rpartition(":")[2]
        listed = vocabulary.names(identifier) or vocabulary.names(bare)
        origin = "UMLS" if _CUI.match(bare) else source
        return tuple((name, origin) for name in sorted(set(map(tokenized, listed))) if name)

    return names


BUILDER = Builder(
    recipe=CliCRRecipe,
    judge=judge,
    columns=partial(ClozeColumns, answer_columns=True),
    choices=choices,
    rules=(*RULES, *RULES_OF_THE_WHOLE),
    instance_rules=INSTANCE_RULES,
    dated=True,
    whole_articles=True,
    takes_terms=True,
    block_bytes=_BLOCK_BYTES,
)
