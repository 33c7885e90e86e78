"""The carried citations: every rule and repair of PubMedQA's way counts one of them, as its remark says."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.pubmedqa import build
from anagnosis.datasets.pubmedqa.build import PubMedQARecipe
from anagnosis.documents.formats import medline
from anagnosis.documents.repairs import Repairs

CITATIONS = carried("medline")
# Rules that no MEDLINE file can show: a title with a question mark is asked as a question, and of two citations
# with one PMID the older is superseded.
NOT_CARRIED = {"repeated_id"}
_REMARK = re.compile(
    r"<!-- (\w+)(?:: [^>]*)? -->\s*<PubmedArticle>\s*<MedlineCitation[^>]*>\s*<PMID[^>]*>(\d+)"
)
# PMIDs by the rule that their remark names; notices have none.
DROPPED = {
    ident: rule
    for rule, ident in _REMARK.findall(CITATIONS.read_text("utf-8"))
    if rule in build.RULES and rule != "deleted_citation"
} | dict.fromkeys(("99000085", "99000086", "99000087"), "unstructured")
OVERRULED = {"deleted_citation": 1, "superseded_citation": 2}
# Rules behind a switch: the settings, how many they drop and one of these.
SWITCHES: dict[str, tuple[dict[str, Any], int, str]] = {
    "retracted": ({"drop_retracted": True}, 1, "99000020"),
    "repeated_text": ({"drop_repeated_text": True}, 1, "99000034"),
    "questions_not_wanted": ({"questions": False}, 31, "99000001"),
    "statements_not_wanted": ({"statements": False}, 46, "99000025"),
    "date_unknown": ({"since": "2020"}, 1, "99000055"),
    "published_before": ({"since": "2020"}, 40, "99000002"),
}
COUNTED = {
    "abstract_text_empty": 1,
    "book_left_out": 1,
    "citation_without_date": 1,
    "deleted_citation_without_pmid": 1,
    "deleted_pmid": 2,
    "kept_with_erratum": 2,
    "kept_with_expression_of_concern": 1,
    "kept_with_partly_retracted": 1,
    "kept_with_retracted": 1,
    "pmid_from_article_ids": 1,
    "publication_day_impossible": 1,
    "section_after_the_conclusion_left_out": 4,
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return api.build("pubmedqa", [CITATIONS], tmp_path_factory.mktemp("citations") / "built", workers=1)


def ids(dataset: Dataset) -> set[str]:
    return {instance.id for instance in store.instances(dataset, "train")}


def test_every_document_is_kept_dropped_or_refused_by_the_rule_of_its_remark(built: Dataset) -> None:
    counts = built.receipt.documents
    assert (counts.read, counts.kept, counts.refused) == (88, 59, 1)
    assert {rule: n for rule, n in counts.dropped.items() if n} == {**Counter(DROPPED.values()), **OVERRULED}
    with CITATIONS.open("rb") as stream:
        found = {each.id: each for each in medline.read(stream, Repairs(), CITATIONS.name)}
    assert {ident: build.judged(found[ident], PubMedQARecipe()) for ident in DROPPED} == DROPPED
    assert set(build.RULES) - NOT_CARRIED == {*DROPPED.values(), *OVERRULED, *SWITCHES}


@pytest.mark.parametrize("rule", SWITCHES)
def test_a_switch_drops_what_stays_without_it(tmp_path: Path, built: Dataset, rule: str) -> None:
    settings, dropped, ident = SWITCHES[rule]
    switched = api.build("pubmedqa", [CITATIONS], tmp_path / "out", settings=settings, workers=1)
    assert switched.receipt.documents.dropped[rule] == dropped
    assert ident in ids(built) - ids(switched)


def test_every_repair_is_counted_and_on_the_page(built: Dataset) -> None:
    assert built.receipt.repairs == COUNTED
    page = (Path(__file__).parents[2] / "docs/receipts.md").read_text("utf-8")
    parts = [page.partition(f"\n### {name}\n")[2].partition("\n#")[0] for name in ("MEDLINE", "PubMedQA")]
    rows = re.findall(r"^\| (`[^|]+) \|", "\n".join(parts), re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == set(COUNTED)


def test_what_is_refused_or_left_out_is_named_with_its_line(built: Dataset) -> None:
    lines = CITATIONS.read_text("utf-8").splitlines()
    found = {
        refusal.why: lines[int(refusal.where.rpartition(":")[2]) - 1].strip()
        for refusal in (*built.receipt.refusals, *built.receipt.notes)
    }
    assert found == {
        "a citation without PMID": "<PubmedArticle>",
        "PMID 99000084 is a book, left out": "<PubmedBookArticle>",
    }
    assert len(built.receipt.refusals) == built.receipt.documents.refused == 1
