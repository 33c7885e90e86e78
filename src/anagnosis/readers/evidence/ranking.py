"""Ten documents and ten snippets of a question: by JPDRMM's scores of documents (d) and sentences (p), or the search.

Documents rank by d. Snippets are sentences of the ten best documents:

    v1   by p
    v2   the best sentence of each document, by p
    v3   by p × softmax of d over the ten documents

The lower place wins a tie. Source: Pappas and Androutsopoulos 2021 and the authors' program.

What a trained ranking must exceed: the documents in the search engine's order, and sentences of the ten best, by

    order     document by document, in the order of their places
    overlap   their share of the question's words (overlap.py); the lower place wins a tie
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.datasets.kinds.question import Snippet
from anagnosis.datasets.kinds.relevant_items import RelevantItems
from anagnosis.errors import InputError
from anagnosis.predictions import Prediction
from anagnosis.readers.evidence import overlap
from anagnosis.readers.predict import prediction

RANKS = 10


class RankedSentence(NamedTuple):
    """document: its place in the list of the question's. probability: p."""

    document: int
    probability: float


def ranking(
    documents: Sequence[float], sentences: Sequence[RankedSentence], variant: str
) -> tuple[list[int], list[int]]:
    """Places of the best documents and sentences, best first. documents: d of each."""
    best = sorted(range(len(documents)), key=lambda place: (-documents[place], place))[:RANKS]
    highest = max((documents[place] for place in best), default=0.0)
    shares = {place: math.exp(documents[place] - highest) for place in best}
    scores = _VARIANTS[variant](shares, sentences)
    return best, sorted(scores, key=lambda place: (-scores[place], place))[:RANKS]


def snippet(address: str, placed: tuple[str, int, str]) -> Snippet:
    """A sentence as a snippet. placed: its section, where it begins there, its text."""
    section, begin, text = placed
    return Snippet(address, section, begin, section, begin + len(text), text)


_Scores = Callable[[dict[int, float], Sequence[RankedSentence]], dict[int, float]]


def _by_probability(shares: dict[int, float], sentences: Sequence[RankedSentence]) -> dict[int, float]:
    return {
        place: sentence.probability for place, sentence in enumerate(sentences) if sentence.document in shares
    }


def _best_of_each(shares: dict[int, float], sentences: Sequence[RankedSentence]) -> dict[int, float]:
    best: dict[int, int] = {}
    for place, sentence in enumerate(sentences):
        if sentence.document in shares:
            before = best.setdefault(sentence.document, place)
            if sentence.probability > sentences[before].probability:
                best[sentence.document] = place
    return {place: sentences[place].probability for place in best.values()}


def _by_both(shares: dict[int, float], sentences: Sequence[RankedSentence]) -> dict[int, float]:
    total = math.fsum(shares.values())
    return {
        place: sentence.probability * shares[sentence.document] / total
        for place, sentence in enumerate(sentences)
        if sentence.document in shares
    }


# name → (share of each of the ten documents before division, sentences) → score of each sentence that may be chosen.
_VARIANTS: dict[str, _Scores] = {"v1": _by_probability, "v2": _best_of_each, "v3": _by_both}


def search_order(
    every: Iterable[EvidenceInstance], *, snippets: Literal["order", "overlap"] = "overlap"
) -> SearchOrder:
    """Retrieved documents in the search engine's order, and sentences of the ten best: what a ranking must exceed."""
    return SearchOrder(overlap.fit(every) if snippets == "overlap" else None)


class SearchOrder(NamedTuple):
    """The reader. share: of the question's words in each sentence; None for sentences by their place."""

    share: Callable[[EvidenceInstance], list[float]] | None

    def predict(self, instances: Iterable[EvidenceInstance]) -> Iterator[Prediction]:
        """InputError: nothing was retrieved for an instance."""
        for instance in instances:
            yield prediction(instance.id, self.items(instance), ())

    def items(self, instance: EvidenceInstance) -> RelevantItems:
        """Documents and snippets, best first."""
        ranked = instance.retrieval
        if ranked is None:
            what = f"nothing was retrieved for {instance.id}"
            raise InputError(what, "", "build `scifact-retrieval` or `bioasq-retrieval`")
        addresses = [sentence.document for sentence in instance.sentences]
        best = [*dict.fromkeys(addresses)][:RANKS]
        places = [place for place, address in enumerate(addresses) if address in best]
        if self.share is not None:
            scores = self.share(instance)
            places.sort(key=lambda place: -scores[place])
        chosen = (
            snippet(addresses[at], (ranked.sections[at], ranked.begins[at], instance.sentences[at].text))
            for at in places[:RANKS]
        )
        return RelevantItems(tuple(best), (), tuple(chosen))
