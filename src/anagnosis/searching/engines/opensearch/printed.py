"""What papers print, for what an index has folded or stemmed: names, and words of titles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import OSA

from anagnosis.searching.engines.opensearch import searches
from anagnosis.searching.engines.opensearch.connection import Cluster
from anagnosis.searching.engines.opensearch.entries import stored_in
from anagnosis.searching.engines.opensearch.queries import Json
from anagnosis.searching.engines.opensearch.queries import beginning_with as begun_so
from anagnosis.searching.engines.opensearch.replies import Aggregation
from anagnosis.searching.engines.opensearch.schema import TAB
from anagnosis.searching.engines.paper_terms import KEYS_OF_NAME, most_errors, nearest, same_digits
from anagnosis.searching.papers.joined import shown
from anagnosis.searching.queries.names import folded
from anagnosis.searching.records.hits import PrintedTerm
from anagnosis.searching.words import printed_words, words_of

_COMPARED = 20_000  # names to compare, those of most papers first
_EVERY = 60_000  # names that are counted; nodes give 65,535
_FORMS = 4  # printed forms of a name, about
_SUGGESTED = 20  # stems near a misspelt one
_LONGEST = 400  # letters with which names begin; nodes take expressions of 1,000 characters
_SIGN = re.compile(r"([^\w\s])")
_WORD = re.compile(r"[^\W_]+")


class Name(NamedTuple):
    """A folded name, as most of its papers print it, and their number."""

    key: str
    printed: str
    papers: int


def every_name(field: str, letters: str = "", size: int = _EVERY) -> Json:
    """The aggregation that counts the terms of a field that begin so.

    Written as `.*`, OpenSearch 2.19 takes a shorter way, and fails where no term begins so.
    """
    include = {"include": _SIGN.sub(r"\\\1", letters) + ".{0,}"} if letters else {}
    return {"terms": {"field": field, "size": size, **include}}


def names_in(found: Aggregation) -> list[Name]:
    """The names of an aggregation, those of most papers first, ties by the folded name."""
    forms: dict[str, list[tuple[int, str]]] = {}
    for one in found.buckets:
        key, _, printed = str(one.key).partition(TAB)
        forms.setdefault(key, []).append((one.doc_count, printed))
    # Of two forms that as many papers have, the one with small letters.
    names = [Name(key, max(some)[1], sum(count for count, _ in some)) for key, some in forms.items()]
    return sorted(names, key=lambda one: (-one.papers, one.key))


def _counted(cluster: Cluster, field: str, letters: str, size: int) -> list[Name]:
    """Names, or words, that begin so."""
    if len(letters) > _LONGEST:
        return []
    asked = searches.counted(begun_so(field, letters), names=every_name(field, letters, size))
    return names_in(searches.many(cluster, [asked])[0].aggregations["names"])


def alike(cluster: Cluster, field: str, name: str, limit: int) -> list[PrintedTerm]:
    """The name as printed if the field has it, else similar names."""
    wanted = folded(name)
    if wanted and (exact := _counted(cluster, field, wanted + TAB, _FORMS)):
        return _terms(exact, 1)
    every = {one.key: one for one in _counted(cluster, field, "", _COMPARED)}
    return _terms([every[key] for key in nearest(wanted, every, limit)], limit)


def beginning_with(cluster: Cluster, field: str, prefix: str, limit: int) -> list[PrintedTerm]:
    """The names that begin so, those of most papers first."""
    beginning = folded(prefix)
    size = _FORMS * KEYS_OF_NAME * limit
    return _terms(_counted(cluster, field, beginning, size), limit) if beginning else []


def _terms(names: Sequence[Name], limit: int) -> list[PrintedTerm]:
    """The first names, each printed form once."""
    papers = dict[str, int]()
    for one in names:
        if one.printed:
            papers.setdefault(one.printed, one.papers)
    return [PrintedTerm(*one) for one in papers.items()][:limit]


def completions(cluster: Cluster, prefix: str, limit: int) -> list[PrintedTerm]:
    """The words of titles that begin with these letters, those of most papers first.

    Each with the number of papers that have it, or another form of it.
    """
    letters = printed_words(prefix)
    found = _counted(cluster, "printed", letters[0], limit) if len(letters) == 1 else []
    stems = {word.key: words_of(word.key) for word in found}
    every = list(dict.fromkeys(stem for some in stems.values() for stem in some))
    counts = searches.counts(cluster, [{"term": {"content": stem}} for stem in every])
    known = dict(zip(every, counts, strict=True))
    return [PrintedTerm(word, max((known[one] for one in some), default=0)) for word, some in stems.items()]


def near_words(cluster: Cluster, word: str, limit: int) -> list[PrintedTerm]:
    """The other words that differ from a word in one or two letters: the nearest first, of these the commonest.

    The cluster gives stems; each is printed as a paper prints it.
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
        for entry in searches.many(cluster, [body])[0].suggest.get("near", ())
        for one in entry.options
        if one.text != stems[0] and same_digits(one.text, stems[0])
    ]
    first = [one for one in sorted(options) if one[0] <= errors][:limit]
    asked = [{**searches.STORED, "query": {"term": {"content": stem}}, "size": 1} for *_, stem in first]
    found = zip(first, searches.many(cluster, asked), strict=True)
    forms = [
        (_printed_form(stem, hit.source.stored), -count)
        for (_, count, stem), reply in found
        for hit in reply.hits.hits
    ]
    return [PrintedTerm(text, count) for text, count in forms if text]


def _printed_form(stem: str, stored: str) -> str:
    """A word with this stem, in lower case, as a paper prints it."""
    for passage in shown(stored_in(stored)).passages:
        for word in _WORD.findall(f"{passage.title} {passage.heading} {passage.text}"):
            if words_of(word)[:1] == [stem]:
                return word.lower()
    return ""
