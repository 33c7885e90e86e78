"""Papers related to a paper of an index: those that share its telling words.

The telling words are those of title and abstract with the highest product of frequency and rarity (TF-IDF), as in
Lucene's MoreLikeThis; the engine then ranks other papers by them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index
from anagnosis.searching.papers.bm25 import CONTENT
from anagnosis.searching.queries.tree import Query, Word
from anagnosis.searching.rank.ranking import by_words
from anagnosis.searching.records.hits import Hit, RelatedAnswer
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.words import words_of

LIMIT = 5
MOST_WORDS = 25  # as MoreLikeThis
_LEAST_PAPERS = 2  # with a word: a word that nothing else has relates nothing


def related(index: Index, ident: str, limit: int = LIMIT) -> RelatedAnswer:
    """The papers most related to a document, best first, each with its best passage.

    ident: any id of its paper. InputError: there is no such document, or there are several.
    """
    passages = index.stored(ident).passages
    own, query = passages[0].document, Query(ranked=tuple(map(Word, telling_words(index, passages))))
    papers = by_words(index.engine, query, Filters(), limit + 1) if query.ranked else []
    others = [Hit(best.passage, best.score) for best, *_ in papers if best.passage.document != own]
    return RelatedAnswer(document=own, title=passages[0].paper, related=others[:limit])


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
