"""A cloze instance as a question with a snippet, so that readers of exact answers can be trained on it.

    question   Effect of IL-2 on XXXX.      the question with its gap, in the view `names`
    snippet    the passage in that view
    exact      one entry: the names of the answer, those of the passage first

This is how the thesis trains a text-to-text model on BioMRC (section 4.4): entities stand as their text.
"""

from __future__ import annotations

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.datasets.kinds.cloze_views import demand_original, names_view
from anagnosis.datasets.kinds.question import FACTOID, SNIPPETS, Asked


def as_asked(instance: ClozeInstance, text_form: str, numbering: str) -> Asked:
    """The instance as a factoid question. InputError: the text does not hold the names of its entities."""
    demand_original(instance, text_form, numbering, SNIPPETS)
    viewed = names_view(instance, text_form, numbering)
    exact = None
    if viewed.answer is not None:
        in_passage = [
            viewed.passage[start:end]
            for start, end, candidate in viewed.mentions
            if candidate == viewed.answer
        ]
        exact = (tuple(dict.fromkeys([*in_passage, *viewed.names[viewed.answer]])),)
    return Asked(instance.id, FACTOID, viewed.question, (viewed.passage,), exact)
