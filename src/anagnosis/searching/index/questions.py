"""The reading of a question to an index: its papers, or its query in the words and names that the index has.

The vocabulary of the index, and its abbreviations as fitting passages mean them, expand a question (`_expander`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from msgspec.structs import replace

from anagnosis.searching.engines import Engine
from anagnosis.searching.engines.stored_papers import stored_passages
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.lookups import Lookups
from anagnosis.searching.index.paper_names import documents_of
from anagnosis.searching.queries.asked import AskedQuery, asked_query
from anagnosis.searching.queries.fields import FIELDS, MESH
from anagnosis.searching.queries.grammar import parse
from anagnosis.searching.queries.identifiers import identifiers_in, perhaps_identifiers
from anagnosis.searching.queries.meaning import WordParts, heading_in, phrase, topic
from anagnosis.searching.queries.names import beginnings, folded, journals_meant
from anagnosis.searching.queries.tree import (
    JOURNAL,
    NOTHING,
    TITLE,
    AnyOf,
    Parsed,
    Part,
    Phrase,
    Query,
    Quoted,
    Synonyms,
    Tagged,
    Word,
    Words,
    any_of,
    required_beginnings,
    with_leaves,
)
from anagnosis.searching.records.expansion import Definition, ExpansionOptions, Topic
from anagnosis.searching.records.hits import Hit, Understood
from anagnosis.searching.synonyms.abbreviations import LEAST_SHARE, AbbreviationNames, asked_definitions
from anagnosis.searching.synonyms.expansion import Expander, Expansion
from anagnosis.searching.synonyms.stored_terms import TermNames
from anagnosis.searching.words import question_words, words_of

_NAMED = 3  # identifiers that a message names
_JOURNALS = 100  # journals that begin with the same word, looked at
_NO_TREE = "no vocabulary of the index has it in MeSH's tree"
_BEGUN = 20  # words that begin with the same letters, ranked
_LOOKED_AT = 20  # passages that decide what an abbreviation means
_LEAST_FITTING = 5  # of these, with the meaning
_DEFINED = 8  # definitions of a name whose other form is asked for
_DEFINING = 8.0  # words that count as much as a definition


def read_question(
    engine: Engine,
    question: str,
    options: ExpansionOptions,
    terms: Callable[[], TermNames | None] = lambda: None,
) -> AskedQuery:
    """The reading of a question. Identifiers alone go to their papers, and the absent ones are named.

    Topic and query are then empty: there is nothing to search for, nor to compare sentences with. options: whether
    other names for its words are added.
    terms: opens the vocabulary of the index, which has names, and the narrower terms of MeSH's.
    """
    identifiers = identifiers_in(question)
    there = {
        alias: {*documents_of(engine, alias), *documents_of(engine, typed)}
        for alias, typed in (identifiers or perhaps_identifiers(question)).items()
    }
    papers = sorted(set[str]().union(*there.values()))
    if papers or identifiers:
        absent = [alias for alias, documents in there.items() if not documents]
        understood = Understood(query=question.strip(), papers=papers, repairs=_absent(absent))
        return AskedQuery(question, Topic(""), NOTHING, understood)
    parsed = _with_journals(engine, _without_absent_phrases(engine, parse(question)))
    parsed = _with_narrower_terms(parsed, terms)
    if not options.synonyms:
        return _with_begun_words(engine, asked_query(question, parsed))
    lookups = Lookups(engine)
    defined = lookups.settled(lambda: asked_definitions(question, lookups.definitions))
    expander = _expander(engine, lookups, terms(), options, question, defined)
    asked = lookups.settled(lambda: _expanded(question, parsed, expander))
    return _with_definitions(_with_begun_words(engine, asked), defined)


def _absent(aliases: Sequence[str]) -> tuple[str, ...]:
    """What a user reads of identifiers that are not in the index; () if all are."""
    if not aliases:
        return ()
    named = [alias.partition(":")[2] for alias in aliases]
    more = f" or {len(named) - _NAMED:,} others" if len(named) > _NAMED else ""
    return (f"no paper here is {' or '.join(named[:_NAMED])}{more}",)


def of_papers(engine: Engine, papers: Sequence[str]) -> list[list[Hit]]:
    """The passages of some papers, in their order."""
    every = (stored_passages(engine, name) for name in papers)
    return [[Hit(passage, 0.0) for passage in passages] for passages in every if passages]


def _expanded(question: str, parsed: Parsed, expander: Expander) -> AskedQuery:
    expansions: dict[str, Expansion] = {}

    def expansion(text: str) -> Expansion:
        if text not in expansions:
            expansions[text] = expander.expand(text)
        return expansions[text]

    words = WordParts(lambda text: expansion(text).ranked, lambda text: expansion(text).required)
    asked = asked_query(question, parsed, words)
    every = expansions.values()
    equivalents = dict.fromkeys(one for each in every for one in each.equivalents)
    shown = dict.fromkeys(one for each in every for one in each.shown)
    return asked._replace(topic=Topic(asked.topic.text, tuple(equivalents)), expanded=tuple(shown))


def _without_absent_phrases(engine: Engine, parsed: Parsed) -> Parsed:
    """Phrases side by side with other parts become plain words if no passage has them."""
    parts, repairs = list(parsed.parts), list(parsed.repairs)
    for place, part in enumerate(parts):
        if isinstance(part, Quoted) and not _has(engine, part.text):
            parts[place] = Words(part.text)
            repairs.append(f'no passage here has "{part.text}", so its words are searched')
    return Parsed(tuple(parts), tuple(repairs))


def _with_journals(engine: Engine, parsed: Parsed) -> Parsed:
    """Journals by their names in the index, where a user typed them shorter."""

    def change(leaf: Part) -> Part:
        match leaf:
            case Tagged(name, Words(typed) | Quoted(typed)) if JOURNAL in FIELDS[name].fields:
                begun = [engine.terms(JOURNAL, each, _JOURNALS) for each in beginnings(typed)]
                names = journals_meant(typed, [one.text for some in begun for one in some])
                named = [Tagged(name, Quoted(each)) for each in names] or [leaf]
                return named[0] if len(named) == 1 else AnyOf(tuple(named))
            case _:
                return leaf

    return replace(parsed, parts=tuple(with_leaves(part, change) for part in parsed.parts))


def _with_narrower_terms(parsed: Parsed, terms: Callable[[], TermNames | None]) -> Parsed:
    """MeSH terms with their narrower ones, as in PubMed, where the vocabulary of the index has MeSH's tree."""
    repairs = dict.fromkeys(parsed.repairs)

    def change(leaf: Part) -> Part:
        match leaf:
            case Tagged(name, (Words(typed) | Quoted(typed)) as part) if FIELDS[name] is MESH:
                vocabulary = terms()
                term = vocabulary.mesh(heading_in(typed)) if vocabulary is not None else None
                if term is None:
                    repairs[f"{typed}[{name}] has no narrower terms: {_NO_TREE}"] = None
                    return leaf
                same = folded(term.heading) == folded(heading_in(typed))
                return Tagged(name, part if same else Quoted(term.heading), term.narrower)
            case _:
                return leaf

    parts = tuple(with_leaves(part, change) for part in parsed.parts)
    return replace(parsed, parts=parts, repairs=tuple(repairs))


def _with_begun_words(engine: Engine, asked: AskedQuery) -> AskedQuery:
    """Words that begin as required are ranked: the best score of the commonest ones counts."""
    ranked = list(asked.query.ranked)
    for letters in required_beginnings(asked.query):
        stems = [stem for one in engine.terms(TITLE, letters, _BEGUN) for stem in words_of(one.text)]
        members = [Word(stem) for stem in dict.fromkeys(stems)]
        ranked += members if len(members) < 2 else [Synonyms(tuple(members))]
    return asked._replace(query=replace(asked.query, ranked=tuple(dict.fromkeys(ranked))))


def _with_definitions(asked: AskedQuery, defined: Sequence[Definition]) -> AskedQuery:
    """If it asks for the other form of a name, passages with long form and short form side by side come first."""
    parts = [phrase(f"{one.long} {one.short}") for one in defined[:_DEFINED]]
    spelled = [each for part in parts for each in (part.parts if isinstance(part, AnyOf) else (part,))]
    phrases = [Phrase(each.words, _DEFINING) for each in spelled if isinstance(each, Phrase)]
    defining = (Synonyms(tuple(dict.fromkeys(phrases))),) if phrases else ()
    return asked._replace(query=replace(asked.query, ranked=(*asked.query.ranked, *defining)))


def _has(engine: Engine, text: str) -> bool:
    """Whether a passage has a phrase."""
    part = phrase(text)
    spellings = part.parts if isinstance(part, AnyOf) else (part,)
    wanted = [each for each in spellings if isinstance(each, Word | Phrase)]
    return bool(engine.search(Query(tuple(wanted)), Filters(), 1).papers)


def _expander(
    engine: Engine,
    lookups: Lookups,
    terms: TermNames | None,
    options: ExpansionOptions,
    question: str,
    defined: Sequence[Definition],
) -> Expander:
    """What expands a question to an index. terms: of its vocabulary. defined: what `asked_definitions` gives."""

    @cache
    def meaning_here(short: str, meanings: tuple[str, ...]) -> str:
        return _meaning_here(engine, question, short, meanings)

    abbreviations = AbbreviationNames(
        lookups.definitions, lambda short, meanings: meaning_here(short, tuple(meanings)), defined
    )
    sources = [abbreviations] if terms is None else [terms, abbreviations]
    passages = engine.committed().counts.passages
    return Expander(sources, lookups.frequency, passages, frozenset(options.without))


def _meaning_here(engine: Engine, question: str, short: str, meanings: Sequence[str]) -> str:
    """The meaning that nearly all have of those passages with a meaning that fit the rest of a question best; or ""."""
    parts = {meaning: part for meaning in meanings if (part := phrase(meaning)) is not None}
    ranked = [Word(word) for word in question_words(topic(parse(question))) if word not in words_of(short)]
    if not parts or not ranked:
        return ""
    anyone = any_of(parts.values())
    assert anyone is not None
    found = engine.search(Query(tuple(ranked), (anyone,)), Filters(), _LOOKED_AT).papers
    names = [one.stored.name for one in found if one.score > 0]
    counts = {
        meaning: len(engine.meeting(names, Query((), (part,)), Filters())) for meaning, part in parts.items()
    }
    most = max(counts, key=lambda meaning: counts[meaning])
    enough = counts[most] >= _LEAST_FITTING and counts[most] >= LEAST_SHARE * sum(counts.values())
    return most if enough else ""
