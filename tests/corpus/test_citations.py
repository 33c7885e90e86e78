"""The carried citations: every rule and repair of PubMedQA's way counts one of them, as its remark says."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.rows import each_row

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.datasets.pubmedqa import build
from anagnosis.datasets.pubmedqa.build import PubMedQARecipe
from anagnosis.documents.document import Document
from anagnosis.documents.formats import medline
from anagnosis.documents.repairs import Repairs

CITATIONS = carried("medline")
RECIPE = PubMedQARecipe()
# Rules that no MEDLINE file can show: a title with a question mark is asked as a question, and of two citations
# with one PMID the older is superseded.
NOT_CARRIED = {"repeated_id"}
# PMIDs by the rule that drops them; the last three are notices.
DROPPED = {
    "99000057": "no_title",
    "99000058": "unstructured",
    "99000059": "no_conclusive_section",
    "99000060": "no_conclusive_section",
    "99000061": "no_conclusive_section",
    "99000062": "no_context",
    "99000063": "not_english",
    "99000064": "interrogative_word",
    "99000065": "interrogative_word",
    "99000066": "selection",
    "99000067": "selection",
    "99000068": "no_possible_verb",
    "99000069": "no_noun_phrase_first",
    "99000070": "quotation",
    "99000071": "modal",
    "99000072": "no_verb",
    "99000073": "disagreement",
    "99000074": "negated",
    "99000075": "negated",
    "99000076": "second_verb",
    "99000077": "second_verb",
    "99000078": "second_verb",
    "99000085": "unstructured",
    "99000086": "unstructured",
    "99000087": "unstructured",
}
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
def by_id() -> dict[str, Document]:
    with CITATIONS.open("rb") as stream:
        return {document.id: document for document in medline.read(stream, Repairs(), CITATIONS.name)}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return api.build("pubmedqa", [CITATIONS], tmp_path_factory.mktemp("citations") / "built", workers=1)


@pytest.fixture(scope="module")
def instances(built: Dataset) -> dict[str, DecisionInstance]:
    return {instance.id: instance for instance in store.instances(built, "train")}


def kept(tmp_path: Path, settings: dict[str, Any]) -> tuple[dict[str, int], set[str]]:
    dataset = api.build("pubmedqa", [CITATIONS], tmp_path / "out", settings=settings, workers=1)
    return dataset.receipt.documents.dropped, {i.id for i in store.instances(dataset, "train")}


class TestWhatIsCounted:
    def test_every_document_is_kept_dropped_or_refused_by_the_rule_of_its_remark(
        self, built: Dataset
    ) -> None:
        counts = built.receipt.documents
        assert (counts.read, counts.kept, counts.refused) == (88, 59, 1)
        assert {rule: n for rule, n in counts.dropped.items() if n} == {
            **Counter(DROPPED.values()),
            **OVERRULED,
        }

    @each_row(("ident", "rule"), DROPPED.items())
    def test_a_citation_is_dropped_by_its_rule(
        self, by_id: dict[str, Document], ident: str, rule: str
    ) -> None:
        assert build.judged(by_id[ident], RECIPE) == rule

    def test_the_remark_above_it_names_the_rule(self) -> None:
        remark = re.compile(
            r"<!-- (\w+)(?:: [^>]*)? -->\s*<PubmedArticle>\s*<MedlineCitation[^>]*>\s*<PMID[^>]*>(\d+)"
        )
        named = {
            ident: rule for rule, ident in remark.findall(CITATIONS.read_text("utf-8")) if rule in build.RULES
        }
        assert named.pop("99000079") == "deleted_citation"
        assert named == {ident: rule for ident, rule in DROPPED.items() if ident < "99000079"}

    def test_no_rule_of_the_builder_is_missing(self) -> None:
        assert set(build.RULES) - NOT_CARRIED == {*DROPPED.values(), *OVERRULED, *SWITCHES}

    @each_row("rule", SWITCHES)
    def test_a_switch_drops_what_stays_without_it(
        self, tmp_path: Path, instances: dict[str, DecisionInstance], rule: str
    ) -> None:
        settings, dropped, ident = SWITCHES[rule]
        counts, left = kept(tmp_path, settings)
        assert counts[rule] == dropped
        assert ident in instances
        assert ident not in left

    def test_every_repair_is_counted(self, built: Dataset) -> None:
        assert built.receipt.repairs == COUNTED

    def test_no_repair_that_the_page_has_for_medline_is_missing(self) -> None:
        page = (Path(__file__).parents[2] / "docs/receipts.md").read_text("utf-8")
        parts = [page.partition(f"\n### {name}\n")[2].partition("\n#")[0] for name in ("MEDLINE", "PubMedQA")]
        rows = re.findall(r"^\| (`[^|]+) \|", "\n".join(parts), re.MULTILINE)
        assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == set(COUNTED)

    def test_what_is_refused_or_left_out_is_named_with_its_line(self, built: Dataset) -> None:
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
