"""Retrieved documents in the search engine's order, and sentences of the ten best: what a trained ranking must exceed.

Nothing is learned. `snippets` chooses ten sentences of those documents:

    order     document by document, in the order of their places
    overlap   by their share of the question's words (overlap.py); the lower place wins a tie
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.datasets.kinds.relevant_items import RelevantItems
from anagnosis.errors import InputError
from anagnosis.readers.evidence import overlap
from anagnosis.readers.evidence.ranking import RANKS, snippet

UNLABELLED = True  # counts only words, so it may use every split
RETRIEVED_ITEMS = True


def fit(
    instances: Iterable[EvidenceInstance], *, snippets: Literal["order", "overlap"] = "overlap"
) -> Callable[[EvidenceInstance], RelevantItems]:
    """Count document frequencies where `snippets` needs them. The function raises InputError without a retrieval."""
    share = overlap.fit(instances) if snippets == "overlap" else None

    def search_order(instance: EvidenceInstance) -> RelevantItems:
        ranked = instance.retrieval
        if ranked is None:
            what = f"nothing was retrieved for {instance.id}"
            raise InputError(what, "", "build `scifact-retrieval` or `bioasq-retrieval`")
        addresses = [one.document for one in instance.sentences]
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

    return search_order
