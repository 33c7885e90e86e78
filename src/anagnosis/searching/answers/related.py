"""Papers related to a paper of an index: those nearest to its vectors, else those that share its telling words.

The telling words are those of title and abstract with the highest product of frequency and rarity (TF-IDF), as in
Lucene's MoreLikeThis; the engine then ranks other papers by them. A paper without vectors of its own goes by words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from anagnosis.searching.engines.stored_papers import passages_of
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index
from anagnosis.searching.papers.bm25 import CONTENT
from anagnosis.searching.queries.tree import NOTHING, Query, Word
from anagnosis.searching.rank.ranking import by_words
from anagnosis.searching.records.hits import Hit, RelatedAnswer
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.words import words_of

LIMIT = 5
MOST_WORDS = 25  # as MoreLikeThis
_LEAST_PAPERS = 2  # with a word: a word that nothing else has relates nothing
_PASSAGES = 6  # read for each wanted paper, since several may be of one paper


def related(index: Index, ident: str, limit: int = LIMIT) -> RelatedAnswer:
    """The papers most related to a document, best first.

    ident: any id of its paper. InputError: there is no such document, or there are several.
    """
    passages = index.stored(ident).passages
    found = list(_by_vectors(index, passages, limit))
    by = "vectors" if found else "words"
    found = found or list(_by_words(index, passages, limit))
    return RelatedAnswer(document=passages[0].document, title=passages[0].paper, by=by, related=found)


def telling_words(index: Index, passages: Sequence[Passage]) -> list[str]:
    """At most MOST_WORDS words of title and abstract, the most telling first."""
    of_abstract = [one for one in passages if not one.full_text] or passages[:1]
    counts = Counter(words_of(of_abstract[0].title))
    for one in of_abstract:
        counts.update([*words_of(one.heading), *words_of(one.text)])
    words = list(counts)
    rarity = index.engine.rarity(words)
    values = {
        word: counts[word] * math.log(rarity.passages / rarity.passages_with(CONTENT, word))
        for word in words
        if rarity.papers_with(word) >= _LEAST_PAPERS
    }
    return sorted(values, key=lambda word: (-values[word], word))[:MOST_WORDS]


def _by_words(index: Index, passages: Sequence[Passage], limit: int) -> Iterator[Hit]:
    query = Query(ranked=tuple(map(Word, telling_words(index, passages))))
    if query.ranked:
        papers = by_words(index.engine, query, Filters(), limit + 1)
        best = [(hits[0].passage, hits[0].score) for hits in papers]
        yield from _papers(passages[0].document, best, limit)


def _by_vectors(index: Index, passages: Sequence[Passage], limit: int) -> Iterator[Hit]:
    dense = index.dense
    if dense is None or not dense.there:
        return
    document = passages[0].document
    numbers = [one.number for one in passages if not one.full_text] or [passages[0].number]
    vector = dense.vector_of([(document, number) for number in numbers])
    if vector is None:
        return
    near = dense.nearest(vector, NOTHING, Filters(), _PASSAGES * (limit + 1) + len(passages))
    found = zip(passages_of(index.engine, list(near)), near.values(), strict=True)
    yield from _papers(document, [(one, score) for one, score in found if one is not None], limit)


def _papers(own: str, ranked: Sequence[tuple[Passage, float]], limit: int) -> Iterator[Hit]:
    """The papers of ranked passages without the paper itself, each with its best score."""
    seen = {own}
    for passage, score in ranked:
        if passage.document not in seen and len(seen) <= limit:
            seen.add(passage.document)
            yield Hit(passage, score)
