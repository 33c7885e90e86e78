"""The names of a concept in the user's vocabulary, tokenised as the reports are, so that they can equal their words.

"Crohn's disease" is "Crohn 's disease" where the reports' tokenizer parts a possessive.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from anagnosis.datasets.build.synonyms import Synonyms, opened
from anagnosis.datasets.clicr.questions import Answer, Names
from anagnosis.language.tokenizers import tokenizer

_CUI = re.compile(r"C[0-9]{7}\Z")
_CACHED = 1 << 14
UMLS = "UMLS"


def no_names(identifier: str) -> Sequence[Answer]:
    """The names where no vocabulary was given."""
    return ()


def names_of(synonyms: Synonyms | None, tokens: str) -> Names:
    """All names of an identifier, each once, sorted.

    Of an identifier with a prefix ("UMLS:C0015967") that is unknown with it, those without it.
    """
    if synonyms is None:
        return no_names
    vocabulary, tokenized, source = opened(synonyms.path), tokenizer(tokens), synonyms.name

    @lru_cache(maxsize=_CACHED)
    def names(identifier: str) -> tuple[Answer, ...]:
        bare = identifier.rpartition(":")[2]
        listed = vocabulary.names(identifier) or vocabulary.names(bare)
        origin = UMLS if _CUI.match(bare) else source
        return tuple(Answer(name, origin) for name in sorted(set(map(tokenized, listed))) if name)

    return names
