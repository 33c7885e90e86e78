"""CliCR-like queries of real case reports: the counts that are known.

shared/data/README.d/clicr.md and shared/reference/clicr.md have the counts. The twins are in test_build.py,
test_sections.py and test_semantic_types.py.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from benchmarks.clicr_like import gold_reports
from tests.datasets.clicr.reports import queries, screened

from anagnosis import api
from anagnosis.datasets.clicr.semantic_types import concepts
from anagnosis.documents.document import Document


@pytest.fixture(scope="module")
def maccrobat(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Document]:
    return list(api.read(gold_reports(shared / "data", tmp_path_factory.mktemp("maccrobat"))))


def test_gold_entities_have_the_known_numbers_of_each_type(maccrobat: list[Document]) -> None:
    concept_of = concepts({})
    kinds = Counter(concept_of(mention.type) for document in maccrobat for mention in document.mentions)
    assert (kinds["problem"], kinds["treatment"], kinds["test"]) == (4_744, 2_116, 4_598)


def test_the_last_three_sentences_of_gold_reports_give_the_known_queries(maccrobat: list[Document]) -> None:
    found = queries(screened(*maccrobat, query_section="last-sentences(3)", remove_exact_repeats=False))
    assert (len(found), len({query.document for query in found})) == (1_334, 197)
    hidden = [query.answers[0].lower() for query in found]
    keys = [{candidate.key for candidate in query.candidates} for query in found]
    assert sum(text in of_query for text, of_query in zip(hidden, keys, strict=True)) == 394
    assert sum(text in query.passage.lower() for text, query in zip(hidden, found, strict=True)) == 467
    kept = screened(*maccrobat, query_section="last-sentences(3)")
    assert kept.instances_dropped == {"exact_repeat": 2}
