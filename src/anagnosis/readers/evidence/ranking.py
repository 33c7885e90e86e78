"""Ten documents and ten snippets of a question: by JPDRMM's scores of documents (d) and sentences (p), or the search.

Documents rank by d. Snippets are sentences of the ten best documents, by p × softmax of d over these (the authors'
third variant). The lower place wins a tie. Source: Pappas and Androutsopoulos 2021 and the authors' program.

What a trained ranking must exceed: the documents in the search engine's order, and sentences of the ten best, by

    order     document by document, in the order of their places
    overlap   their share of the question's words (overlap.py); the lower place wins a tie
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.datasets.kinds.question import RelevantItems, Snippet
from anagnosis.errors import InputError
from anagnosis.readers.evidence import overlap

RANKS = 10


class RankedSentence(NamedTuple):
    """document: its place in the list of the question's. probability: p."""

    document: int
    probability: float


def ranking(documents: Sequence[float], sentences: Sequence[RankedSentence]) -> tuple[list[int], list[int]]:
    """Places of the best documents and sentences, best first. documents: d of each."""
    best = sorted(range(len(documents)), key=lambda place: (-documents[place], place))[:RANKS]
    highest = max((documents[place] for place in best), default=0.0)
    shares = {place: math.exp(documents[place] - highest) for place in best}
    total = math.fsum(shares.values())
    scores = {
        place: sentence.probability * shares[sentence.document] / total
        for place, sentence in enumerate(sentences)
        if sentence.document in shares
    }
    chosen = sorted(scores, key=lambda place: (-scores[place], place))
    return best, chosen[:RANKS]


def snippet(address: str, placed: tuple[str, int, str]) -> Snippet:
    """A sentence as a snippet. placed: its section, where it begins there, its text."""
    section, begin, text = placed
    return Snippet(address, section, begin, section, begin + len(text), text)


def search_order(
    every: Iterable[EvidenceInstance], *, snippets: Literal["order", "overlap"] = "overlap"
) -> Callable[[EvidenceInstance], RelevantItems]:
    """Retrieved documents in the search engine's order, and sentences of the ten best: what a ranking must exceed.

    InputError, when it is called: nothing was retrieved for an instance.
    """
    share = overlap.fit(every) if snippets == "overlap" else None

    def items(instance: EvidenceInstance) -> RelevantItems:
        ranked = instance.retrieval
        if ranked is None:
            what = f"nothing was retrieved for {instance.id}"
            raise InputError(what, "", "build `bioasq-retrieval`")
        addresses = [sentence.document for sentence in instance.sentences]
        best = [*dict.fromkeys(addresses)][:RANKS]
        places = [place for place, address in enumerate(addresses) if address in best]
        if share is not None:
            scores = share(instance)
            places.sort(key=lambda place: -scores[place])
        chosen = (
            snippet(addresses[at], (ranked.sections[at], ranked.begins[at], instance.sentences[at].text))
            for at in places[:RANKS]
        )
        return RelevantItems(tuple(best), (), tuple(chosen))

    return items
