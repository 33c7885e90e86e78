"""The carried corpus: its two files agree, and each rule drops a document of it."""

from __future__ import annotations

from pathlib import Path

from tests.corpus import marking

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.datasets.biomrc import build

# Article rules that no file of one format, without dates and repeats, can show.
NOT_CARRIED = {"discontinuous_mention", "repeated_id", "repeated_text", "date_unknown", "published_before"}
# Documents by the rule that drops them, as their remarks in carried.txt say.
DROPPED = {
    "title_too_short": 1,
    "title_too_long": 1,
    "no_abstract": 1,
    "abstract_too_short": 1,
    "too_few_sentences": 2,
    "too_few_mentions": 1,
    "too_few_identifiers": 1,
    "too_many_identifiers": 1,
    "unlinked_mention": 2,
    "composite_mention": 2,
    "overlapping_mentions": 1,
    "no_entity_in_title": 1,
    "no_shared_entity": 1,
    "no_instance_left": 2,
    "reserved_word_in_text": 1,
}


def test_the_pubtator_file_is_what_the_marked_file_gives() -> None:
    assert carried().read_bytes() == marking.as_pubtator(), "make it anew: python -m tests.corpus.marking"


def test_every_rule_drops_a_document_and_the_others_stay(tmp_path: Path) -> None:
    receipt = api.build("biomrc", [carried()], tmp_path / "built", workers=1).receipt
    assert {rule: count for rule, count in receipt.documents.dropped.items() if count} == DROPPED
    assert set(build.RULES) - NOT_CARRIED == set(DROPPED)
    assert receipt.documents.kept >= 60
    assert receipt.instances.dropped["answer_most_frequent"] > 0
