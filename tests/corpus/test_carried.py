"""The carried corpus: its two files agree, its marks stand where they should, each rule drops a document of it."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.corpus import marking
from tests.rows import each_row

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.datasets.biomrc import build, rules
from anagnosis.datasets.biomrc.rules import BioMRCRecipe
from anagnosis.datasets.folder.store import Dataset
from anagnosis.documents.document import Document
from anagnosis.documents.formats import pubtator
from anagnosis.documents.repairs import Repairs

RECIPE = BioMRCRecipe()
# Article rules that no file of one format, without dates and repeats, can show.
NOT_CARRIED = {"discontinuous_mention", "repeated_id", "repeated_text", "date_unknown", "published_before"}
# What cannot be broken alone: a document without text has no sentences either.
BROKEN_TOO = {
    "no_abstract": {
        "abstract_too_short",
        "too_few_sentences",
        "too_few_mentions",
        "too_few_identifiers",
        "no_shared_entity",
    },
    "abstract_too_short": {"too_few_sentences", "too_few_mentions"},
    "no_entity_in_title": {"no_shared_entity"},
}
# Documents by the rule that their remark in carried.txt tells of.
DROPPED = {
    "ana0063": "title_too_short",
    "ana0064": "title_too_long",
    "ana0065": "no_abstract",
    "ana0066": "abstract_too_short",
    "ana0067": "too_few_sentences",
    "ana0068": "too_few_sentences",
    "ana0069": "too_few_mentions",
    "ana0070": "too_few_identifiers",
    "ana0071": "too_many_identifiers",
    "ana0072": "unlinked_mention",
    "ana0073": "unlinked_mention",
    "ana0074": "composite_mention",
    "ana0075": "composite_mention",
    "ana0076": "overlapping_mentions",
    "ana0077": "no_entity_in_title",
    "ana0078": "no_shared_entity",
    "ana0079": "no_instance_left",
    "ana0080": "no_instance_left",
    "ana0081": "reserved_word_in_text",
}


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    with carried().open("rb") as stream:
        return list(pubtator.read(stream, Repairs(), carried().name))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return api.build("biomrc", [carried()], tmp_path_factory.mktemp("carried") / "built", workers=1)


def broken(document: Document) -> set[str]:
    """Every rule for articles that the document breaks; the paper's order does not matter here."""
    article = build.article(document, "", RECIPE, Repairs())
    return {rule.__name__ for rule in (*rules.TEXT_RULES, *rules.MENTION_RULES) if rule(article, RECIPE)}


def test_the_pubtator_file_is_what_the_marked_file_gives() -> None:
    assert carried().read_bytes() == marking.as_pubtator(), "make it anew: python -m tests.corpus.marking"


@each_row(("ident", "rule"), DROPPED.items())
def test_a_document_written_for_a_rule_breaks_that_rule_alone(
    documents: list[Document], ident: str, rule: str
) -> None:
    (document,) = (d for d in documents if d.id == ident)
    assert broken(document) - BROKEN_TOO.get(rule, set()) == {rule} - {"no_instance_left"}


def test_every_rule_drops_a_document_and_the_others_stay(built: Dataset) -> None:
    dropped = built.receipt.documents.dropped
    assert {rule: count for rule, count in dropped.items() if count} == Counter(DROPPED.values())
    assert set(build.RULES) - NOT_CARRIED == set(DROPPED.values())
    assert built.receipt.documents.kept >= 60
    assert built.receipt.instances.dropped["answer_most_frequent"] > 0
