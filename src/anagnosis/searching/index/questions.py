"""The reading of a question to an index: its papers, or its query in the words and names that the index has.

The vocabulary of the index and other spellings expand it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace

from anagnosis.searching.engines import Engine
from anagnosis.searching.engines.stored_papers import frequency, stored_passages
from anagnosis.searching.engines.terms import as_printed, beginning_with
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.paper_names import documents_of
from anagnosis.searching.queries.asked import AskedQuery, read_query
from anagnosis.searching.queries.fields import FIELDS, MESH_TAG
from anagnosis.searching.queries.grammar import parse
from anagnosis.searching.queries.identifiers import identifiers_in, perhaps_identifiers
from anagnosis.searching.queries.meaning import heading_in, phrase, topics
from anagnosis.searching.queries.names import beginnings, folded, journals_meant
from anagnosis.searching.queries.tree import (
    JOURNAL,
    NOTHING,
    TITLE,
    Parsed,
    Part,
    Query,
    Synonyms,
    Typed,
    Word,
    any_of,
    required_beginnings,
    with_leaves,
)
from anagnosis.searching.records.hits import ExpansionOptions, Hit, Topic, Understood
from anagnosis.searching.synonyms.expansion import expand
from anagnosis.searching.synonyms.stored_terms import TermNames
from anagnosis.searching.words import words_of

_NAMED = 3  # identifiers that a message names
_JOURNALS = 100  # journals that begin with the same word, looked at
_NO_TREE = "no vocabulary of the index has it in MeSH's tree"
_BEGUN = 20  # words that begin with the same letters, ranked


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
        absent = [alias.partition(":")[2] for alias, documents in there.items() if not documents]
        more = f" or {len(absent) - _NAMED:,} others" if len(absent) > _NAMED else ""
        repairs = (f"no paper here is {' or '.join(absent[:_NAMED])}{more}",) if absent else ()
        understood = Understood(papers=papers, repairs=repairs)
        return AskedQuery(question, Topic(""), NOTHING, understood)
    parsed = _in_names_of(engine, parse(question), terms)
    if not options.synonyms:
        return _with_begun_words(engine, read_query(question, parsed))
    vocabulary = terms()
    passages = engine.committed().counts.passages
    names = vocabulary.names if vocabulary is not None else lambda _: None
    plain = [text.text for text in topics(parsed) if text.kind == "words"]
    texts = expand(plain, names, partial(frequency, engine), passages, options.without)
    asked = _with_begun_words(engine, read_query(question, parsed, lambda text: texts[text].ranked))
    equivalents = dict.fromkeys(one for each in texts.values() for one in each.equivalents)
    return asked._replace(
        topic=Topic(asked.topic.text, tuple(equivalents)),
        expanded=tuple(dict.fromkeys(one for each in texts.values() for one in each.shown)),
    )


def of_papers(engine: Engine, papers: Sequence[str]) -> list[list[Hit]]:
    """The passages of some papers, in their order."""
    every = (stored_passages(engine, name) for name in papers)
    return [[Hit(passage, 0.0) for passage in passages] for passages in every if passages]


def _in_names_of(engine: Engine, parsed: Parsed, terms: Callable[[], TermNames | None]) -> Parsed:
    """Journals by their names in the index, MeSH terms with their narrower ones, no phrase that no passage has."""
    repairs = dict.fromkeys(parsed.repairs)

    def change(leaf: Part) -> Part:
        if not isinstance(leaf, Typed) or not leaf.field or leaf.kind == "beginning":
            return leaf
        typed = leaf.text
        if JOURNAL in FIELDS[leaf.field].fields:
            begun = [engine.names(JOURNAL, folded(each), _JOURNALS) for each in beginnings(typed)]
            meant = journals_meant(typed, [name for some in begun for name in some])
            names = as_printed(engine, JOURNAL, meant, len(meant))
            return any_of(Typed(each, "phrase", leaf.field) for each in names) or leaf
        if leaf.field != MESH_TAG:
            return leaf
        vocabulary = terms()
        term = vocabulary.mesh(heading_in(typed)) if vocabulary is not None else None
        if term is None:
            repairs[f"{typed}[{leaf.field}] has no narrower terms: {_NO_TREE}"] = None
            return leaf
        if folded(term.heading) == folded(heading_in(typed)):
            return replace(leaf, narrower=term.narrower)
        return Typed(term.heading, "phrase", leaf.field, term.narrower)

    parts = [with_leaves(part, change) for part in parsed.parts]
    for place, part in enumerate(parts):
        if not isinstance(part, Typed) or part.kind != "phrase" or part.field:
            continue
        if not _has(engine, phrase(part.text)):
            parts[place] = Typed(part.text)
            repairs[f'no passage here has "{part.text}", so its words are searched'] = None
    return Parsed(tuple(parts), tuple(repairs))


def _with_begun_words(engine: Engine, asked: AskedQuery) -> AskedQuery:
    """Words that begin as required are ranked: the best score of the commonest ones counts."""
    ranked = list(asked.query.ranked)
    for letters in required_beginnings(asked.query):
        begun = beginning_with(engine, TITLE, letters, _BEGUN)
        stems = [stem for word in begun for stem in words_of(word)]
        members = [Word(stem) for stem in dict.fromkeys(stems)]
        ranked += members if len(members) < 2 else [Synonyms(tuple(members))]
    return asked._replace(query=replace(asked.query, ranked=tuple(dict.fromkeys(ranked))))


def _has(engine: Engine, part: Part | None) -> bool:
    """Whether a paper has a part."""
    return part is not None and bool(engine.search(Query((), (part,)), Filters(), 1))
