"""A snippet and a question as one cloze question over the snippet's words."""

from __future__ import annotations

import pytest

from anagnosis.language.tags import words
from anagnosis.readers.answers.cloze_passages import Gap, cloze_passage

SNIPPET = "Gefitinib blocks EGFR(egfr), in A549 cells. EGFR"


def test_every_word_is_one_mention_of_its_own() -> None:
    viewed = cloze_passage("q:0", SNIPPET, words(SNIPPET), "What blocks egfr?", "end")
    assert viewed.passage == SNIPPET
    assert viewed.candidates[:3] == ("Gefitinib", "blocks", "EGFR(egfr)")
    assert [number for *_, number in viewed.mentions] == [*range(9)]
    at_mentions = [viewed.passage[begin:end] for begin, end, _ in viewed.mentions]
    assert at_mentions == [*viewed.candidates] == [name for (name,) in viewed.names]


@pytest.mark.parametrize(
    ("gap", "asked"), [("end", "What blocks egfr? XXXX"), ("start", "XXXX What blocks egfr? ")]
)
def test_the_gap_is_where_it_was_asked_for(gap: Gap, asked: str) -> None:
    viewed = cloze_passage("q:0", SNIPPET, words(SNIPPET), "What blocks egfr? ", gap)
    assert viewed.question == asked
    assert viewed.question[slice(*viewed.placeholder)] == "XXXX"
