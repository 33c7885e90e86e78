"""What papers print, for what an index has folded or stemmed: names, words, abbreviations.

A list of the commonest terms is exact if no shard leaves out a term that could belong to it; else we ask for all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz.distance import OSA

from anagnosis.searching.engines.opensearch.entries import StoredPaper, StoredPassage, read_source
from anagnosis.searching.engines.opensearch.queries import (
    PAPERS,
    PASSAGES,
    Json,
    any_of,
    beginning_with,
    term,
)
from anagnosis.searching.engines.opensearch.searches import Searches
from anagnosis.searching.engines.paper_terms import (
    DEFINITIONS,
    KEYS_OF_NAME,
    by_papers,
    definition_beginning,
    definition_of,
    most_errors,
    name_keys,
    nearest,
    same_digits,
)
from anagnosis.searching.queries.names import folded
from anagnosis.searching.records.expansion import Defined, Definition
from anagnosis.searching.records.hits import PrintedTerm
from anagnosis.searching.words import printed_words, words_of

_COMPARED = 20_000  # names to compare, those of most papers first
_ASKED = 1_000  # terms of a shard, at first
_EVERY = 60_000  # terms of a shard, at most; nodes give 65,535
_LOOKED_AT = 50_000  # papers of a shard, in which words are counted that begin so
_SUGGESTED = 20  # stems near a misspelt one
_BEGINNINGS = 1_000  # of terms, asked for together; nodes take 1,024 clauses
_LONGEST = 400  # letters with which names begin; nodes take expressions of 1,000 characters
_SIGN = re.compile(r"([^\w\s])")
_WORD = re.compile(r"[^\W_]+")


class PrintedTerms:
    """The printed terms of an index."""

    def __init__(self, searches: Searches) -> None:
        self._searches = searches

    def printed(self, names: Sequence[tuple[str, str]]) -> list[str]:
        """Folded names of fields as printed; "" where no paper has one. Of several forms the first paper has it."""
        replies = self._searches.many(
            [
                {
                    "query": {"bool": {"filter": [PAPERS, term(field, name)]}},
                    "size": 1,
                    "sort": ["document"],
                    "_source": ["names"],
                }
                for field, name in names
            ]
        )
        where = self._searches.cluster.where
        return [
            next(
                (
                    one
                    for found in reply.hits.hits
                    for one in read_source(found.source, StoredPaper, where).names.get(field, ())
                    if name in name_keys(field, one)
                ),
                "",
            )
            for (field, name), reply in zip(names, replies, strict=True)
        ]

    def alike(self, field: str, name: str, limit: int) -> list[PrintedTerm]:
        """The name as printed if the field has it, else similar names."""
        wanted = folded(name)
        if wanted and (exact := self._terms(field, [wanted], 1)):
            return exact
        every = [one for one, _ in self._commonest(field, "", _COMPARED)]
        return self._terms(field, nearest(wanted, every, limit), limit)

    def beginning_with(self, field: str, prefix: str, limit: int) -> list[PrintedTerm]:
        """The names that begin so, those of most papers first."""
        beginning = folded(prefix)
        names = self._commonest(field, beginning, KEYS_OF_NAME * limit) if beginning else []
        return self._terms(field, [one for one, _ in names], limit)

    def _terms(self, field: str, names: Sequence[str], limit: int) -> list[PrintedTerm]:
        """The first of folded names as printed, each once."""
        printed = dict[str, str]()
        for name, one in zip(names, self.printed([(field, name) for name in names]), strict=True):
            if one:
                printed.setdefault(one, name)
        first = list(printed.items())[:limit]
        counts = self._searches.counts([term(field, name) for _, name in first], PASSAGES)
        return [PrintedTerm(one, count) for (one, _), count in zip(first, counts, strict=True)]

    def completions(self, prefix: str, limit: int) -> list[PrintedTerm]:
        """The words of titles that begin with these letters, those of most papers first."""
        letters = printed_words(prefix)
        words = self._commonest("printed", letters[0], limit) if len(letters) == 1 else []
        return self._with_counts([word for word, _ in words])

    def _with_counts(self, words: Sequence[str]) -> list[PrintedTerm]:
        """Printed words with the number of passages that have them, or another form of them."""
        stems = {word: words_of(word) for word in words}
        every = list(dict.fromkeys(stem for some in stems.values() for stem in some))
        known = self._searches.frequencies(every)
        return [
            PrintedTerm(word, max((known[one] for one in some), default=0)) for word, some in stems.items()
        ]

    def _commonest(self, field: str, letters: str, limit: int) -> list[tuple[str, int]]:
        """(term of papers that begins so, number of papers), the commonest first; of many papers some are looked at."""
        if len(letters) > _LONGEST:
            return []
        terms: Json = {"field": field, "size": limit, "shard_size": max(_ASKED, limit), **_begun(letters)}
        sampled: Json = {"sampler": {"shard_size": _LOOKED_AT}, "aggs": {"terms": {"terms": terms}}}
        wanted: Json = {"bool": {"filter": [PAPERS, beginning_with(field, letters)]}}
        found = self._searches.one({"size": 0, "query": wanted, "aggs": {"some": sampled}})
        inside = found.aggregations["some"].terms
        return [] if inside is None else [(str(one.key), one.doc_count) for one in inside.ranked]

    def exact_terms(
        self, asked: Sequence[tuple[Json, str]], field: str, limit: int
    ) -> list[list[tuple[str, int]]]:
        """(term of a field that begins so, number of documents) of each query: the commonest, ties by the term."""
        ranked: list[list[tuple[str, int]]] = [[] for _ in asked]
        left = list(range(len(asked)))
        for size in (max(limit, _ASKED), _EVERY):
            terms: Json = {"field": field, "size": size, "show_term_doc_count_error": True}
            bodies: list[Json] = [
                {"size": 0, "query": wanted, "aggs": {"terms": {"terms": {**terms, **_begun(beginning)}}}}
                for wanted, beginning in map(asked.__getitem__, left)
            ]
            again: list[int] = []
            for number, reply in zip(left, self._searches.many(bodies), strict=True):
                found = reply.aggregations["terms"]
                first = sorted(found.ranked, key=lambda one: (-one.doc_count, one.key))[:limit]
                ranked[number] = [(str(one.key), one.doc_count) for one in first]
                if any(one.error for one in first) or (first and first[-1].doc_count <= found.error):
                    again.append(number)
            left = again
        return ranked

    def definitions(self, names: Sequence[Defined]) -> list[list[Definition]]:
        """The definitions of each name, by falling number of papers."""
        beginnings = list(map(definition_beginning, names))
        asked = [one for one in dict.fromkeys(beginnings) if one and len(one) <= _LONGEST]
        # Of the many names that a question may have, papers define few.
        there: list[str] = []
        for begin in range(0, len(asked), _BEGINNINGS):
            some = asked[begin : begin + _BEGINNINGS]
            conditions = [beginning_with("abbreviation", one) for one in some]
            counts = self._searches.counts(conditions, any_of(conditions))
            there += [one for one, count in zip(some, counts, strict=True) if count]
        queries: list[tuple[Json, str]] = [
            ({"bool": {"filter": [PAPERS, beginning_with("abbreviation", one)]}}, one) for one in there
        ]
        found = dict(zip(there, self.exact_terms(queries, "abbreviation", DEFINITIONS), strict=True))
        return [
            sorted([definition_of(*term) for term in found.get(one, ())], key=by_papers) for one in beginnings
        ]

    def near_words(self, word: str, limit: int) -> list[PrintedTerm]:
        """The other words that differ from a word in one or two letters: the nearest first, of these the commonest.

        The cluster gives stems; each is printed as a passage prints it.
        """
        typed, stems = printed_words(word), words_of(word)
        errors = most_errors(typed[0]) if len(typed) == 1 and stems else 0
        if not errors:
            return []
        near: Json = {"field": "content", "size": _SUGGESTED, "suggest_mode": "always", "max_edits": errors}
        near |= {"prefix_length": 0, "min_word_length": 1, "accuracy": 0.1}
        body: Json = {"size": 0, "suggest": {"near": {"text": stems[0], "term": near}}}
        options = [
            (OSA.distance(stems[0], one.text), -one.freq, one.text)
            for entry in self._searches.one(body).suggest.get("near", ())
            for one in entry.options
            if one.text != stems[0] and same_digits(one.text, stems[0])
        ]
        first = [one for one in sorted(options) if one[0] <= errors][:limit]
        printed = self._printed_forms([stem for *_, stem in first])
        return [PrintedTerm(text, -count) for (_, count, _), text in zip(first, printed, strict=True) if text]

    def _printed_forms(self, stems: Sequence[str]) -> list[str]:
        """A word with each stem, in lower case, as a passage prints it."""
        replies = self._searches.many(
            [{"query": term("content", one), "size": 1, "_source": ["passage"]} for one in stems]
        )
        forms: list[str] = []
        for stem, reply in zip(stems, replies, strict=True):
            passages = [
                read_source(found.source, StoredPassage, self._searches.cluster.where).passage
                for found in reply.hits.hits
            ]
            words = (
                word.lower()
                for passage in passages
                for word in _WORD.findall(f"{passage.title} {passage.heading} {passage.text}")
                if words_of(word)[:1] == [stem]
            )
            forms.append(next(words, ""))
        return forms


def _begun(letters: str) -> Json:
    """The part of an aggregation that leaves out terms with another beginning.

    Written as `.*`, OpenSearch 2.19 takes a shorter way, and fails where no term begins so.
    """
    return {"include": _SIGN.sub(r"\\\1", letters) + ".{0,}"} if letters else {}
