"""Retrieved documents in the search engine's order, and sentences of the ten best: what a trained ranking must exceed.

Nothing is learned. `snippets` chooses ten sentences of those documents:

    order     document by document, in the order of their places
    overlap   by their share of the question's words (overlap.py); the lower place wins a tie
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.datasets.kinds.relevant_items import RelevantItems
from anagnosis.errors import InputError
from anagnosis.predictions import Prediction
from anagnosis.readers.evidence import overlap
from anagnosis.readers.evidence.ranking import RANKS, snippet
from anagnosis.readers.predict import prediction


def fit(
    every: Iterable[EvidenceInstance], *, snippets: Literal["order", "overlap"] = "overlap"
) -> SearchOrder:
    """Retrieved documents in the search engine's order, and sentences of the ten best: what a ranking must exceed.

    Retrieved documents in the search engine's order, and sentences of the ten best.
    """
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
        addresses = [one.document for one in instance.sentences]
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
