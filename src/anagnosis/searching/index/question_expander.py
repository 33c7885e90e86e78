"""The expander of a question to an index, from its vocabulary and its abbreviations as fitting passages mean them."""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.searching.engines import Engine
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries.grammar import parse
from anagnosis.searching.queries.meaning import phrase, topic
from anagnosis.searching.queries.tree import Query, Word, any_of
from anagnosis.searching.records.expansion import ExpansionOptions
from anagnosis.searching.synonyms.abbreviations import LEAST_SHARE, AbbreviationNames
from anagnosis.searching.synonyms.expansion import Expander
from anagnosis.searching.synonyms.stored_terms import TermNames
from anagnosis.searching.words import question_words, words_of

_LOOKED_AT = 20  # passages that decide what an abbreviation means
_LEAST_FITTING = 5  # of these, with the meaning


def expander(
    engine: Engine, terms: TermNames | None, options: ExpansionOptions, question: str
) -> Expander | None:
    """What expands a question to an index; None if it stays as typed. terms: of its vocabulary."""
    if not options.synonyms:
        return None
    abbreviations = AbbreviationNames(
        lambda short: engine.definitions(short=short),
        lambda form: engine.definitions(long=form),
        lambda short, meanings: _meaning_here(engine, question, short, meanings),
    )
    sources = [abbreviations] if terms is None else [terms, abbreviations]
    return Expander(sources, engine.frequency, engine.count().passages, frozenset(options.without))


def _meaning_here(engine: Engine, question: str, short: str, meanings: Sequence[str]) -> str:
    """The meaning that nearly all have of those passages with a meaning that fit the rest of a question best; or ""."""
    parts = {meaning: part for meaning in meanings if (part := phrase(meaning)) is not None}
    ranked = [Word(word) for word in question_words(topic(parse(question))) if word not in words_of(short)]
    if not parts or not ranked:
        return ""
    anyone = any_of(parts.values())
    assert anyone is not None
    hits = engine.search(Query(tuple(ranked), (anyone,)), Filters(), _LOOKED_AT)
    places = [(hit.passage.document, hit.passage.number) for hit in hits if hit.score > 0]
    counts = {meaning: len(engine.meeting(Query((), (part,)), places)) for meaning, part in parts.items()}
    most = max(counts, key=lambda meaning: counts[meaning])
    enough = counts[most] >= _LEAST_FITTING and counts[most] >= LEAST_SHARE * sum(counts.values())
    return most if enough else ""
