"""Word counts equal to NLTK's word_tokenize: Punkt's English sentences, then the Penn Treebank rules."""

from __future__ import annotations

from functools import cache
from typing import Any

from anagnosis.errors import missing_extra
from anagnosis.language.punkt_sentences import split

try:
    from nltk.tokenize.destructive import NLTKWordTokenizer
except ImportError as missing:
    raise missing_extra("nltk", "punkt", "counting words as the paper does") from missing


def count(text: str) -> int:
    """The number of words and punctuation signs."""
    words = _tokenizer().tokenize
    return sum(len(words(text[start:end])) for start, end in split(text))


@cache
def _tokenizer() -> Any:
    return NLTKWordTokenizer()
