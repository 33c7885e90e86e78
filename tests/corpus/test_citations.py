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
from anagnosis.datasets.kinds.decision import ContextSection, DecisionInstance
from anagnosis.datasets.pubmedqa import build
from anagnosis.datasets.pubmedqa.build import PubMedQARecipe
from anagnosis.documents.document import Document
from anagnosis.documents.formats.medline import format as medline
from anagnosis.documents.repairs import Repairs

CITATIONS = carried("medline")
RECIPE = PubMedQARecipe()
# Rules that no MEDLINE file can show: a title with a question mark is asked as a question, and of two citations
# with one PMID the older is superseded.
NOT_CARRIED = {"question_mark", "repeated_id"}
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
    "99000074": "negated_subject",
    "99000075": "negated_elsewhere",
    "99000076": "second_clause",
    "99000077": "verbs_of_two_kinds",
    "99000078": "negated_in_part",
    "99000085": "unstructured",
    "99000086": "unstructured",
    "99000087": "unstructured",
}
OVERRULED = {"deleted_citation": 1, "superseded_citation": 2}
# Rules behind a switch: the settings, how many they drop and one of these.
SWITCHES: dict[str, tuple[dict[str, Any], int, str]] = {
    "retracted": ({"drop_retracted": True}, 1, "99000020"),
    "protocol": ({"drop_protocols": True}, 1, "99000023"),
    "title_goes_on": ({"question_ends_title": True}, 2, "99000015"),
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
    "kept_with_erratum": 3,
    "kept_with_expression_of_concern": 1,
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
            for refusal in built.receipt.refusals
        }
        assert found == {
            "a citation without PMID": "<PubmedArticle>",
            "PMID 99000084 is a book, left out": "<PubmedBookArticle>",
        }


class TestWhatIsMade:
    def test_how_many_questions_and_labels(self, instances: dict[str, DecisionInstance]) -> None:
        assert Counter((i.subset, i.label) for i in instances.values()) == {
            ("U", None): 25,
            ("A", "yes"): 28,
            ("A", "no"): 6,
        }

    def test_three_whole_instances(self, instances: dict[str, DecisionInstance]) -> None:
        found = [instances[ident] for ident in ("99000018", "99000035", "99000055")]
        assert found == [
            DecisionInstance(
                id="99000018",
                question="Does the height of the hospital bed influence falls at night?",
                context=(
                    ContextSection(
                        "BACKGROUND", "Beds are raised for the backs of the nurses and often left so."
                    ),
                    ContextSection(
                        "METHODS",
                        "Over six months a sensor wrote down the height of 120 beds every minute. All falls between"
                        " ten in the evening and six in the morning were matched with the height at that moment and"
                        " with five other beds at the same time.",
                    ),
                    ContextSection(
                        "RESULTS",
                        "There were 64 falls. The bed stood above 50 cm at 39 of these (61 %) and at 35 % of the"
                        " compared moments (odds ratio 2.9, 95 % CI 1.7 to 5.0). Heights below 40 cm carried no"
                        " further advantage.",
                    ),
                ),
                long_answer="High beds went with nearly three times as many falls at night. Lowering the bed should"
                " close the evening round.",
                label=None,
                mesh=("Accidental Falls", "Beds", "Humans"),
                year="2011",
                date="2011-09",
                subset="U",
            ),
            DecisionInstance(
                id="99000035",
                question="Do silk dressings protect fragile skin and shorten nursing time in epidermolysis?",
                context=(
                    ContextSection(
                        "BACKGROUND",
                        "Changing dressings takes up to three hours a day in families with epidermolysis.",
                    ),
                    ContextSection(
                        "METHODS",
                        "Twenty-two children wore silk on one arm and gauze on the other for four weeks, and changed"
                        " sides. Parents timed each change and counted new blisters.",
                    ),
                    ContextSection(
                        "RESULTS",
                        "A change took 14 minutes with silk and 23 with gauze (P < 0.001). New blisters were 1.8 a week"
                        " under silk and 3.1 under gauze. Silk had to be bought anew after 20 washes.",
                    ),
                ),
                long_answer="Silk spared skin and time.",
                label="yes",
                mesh=("Epidermolysis Bullosa", "Bandages", "Silk", "Child", "Humans"),
                year="2018",
                date="2018-01",
                subset="A",
                title="Silk dressings protect fragile skin and shorten nursing time in epidermolysis.",
            ),
            DecisionInstance(
                id="99000055",
                question="Are sleep trackers accurate in patients with restless legs?",
                context=(
                    ContextSection("INTRODUCTION", "Trackers take movement for waking."),
                    ContextSection(
                        "METHODS",
                        "Thirty-four patients with restless legs and 34 others slept one night in a laboratory with two"
                        " trackers of different makers on the wrist.",
                    ),
                    ContextSection(
                        "RESULTS",
                        "In patients, trackers missed 82 and 97 minutes of sleep that the electroencephalogram showed;"
                        " in the others 11 and 19 minutes. Limits of agreement were wider than three hours in"
                        " patients.",
                    ),
                ),
                long_answer="Sleep trackers underestimate sleep in restless legs by more than an hour and should not"
                " be trusted.",
                label="no",
                mesh=("Restless Legs Syndrome", "Wearable Electronic Devices", "Polysomnography", "Humans"),
                year=None,
                date="",
                subset="A",
                title="Sleep trackers are not accurate in patients with restless legs.",
            ),
        ]

    @each_row(
        ("ident", "question"),
        [
            ("99000022", "Do Lactobacillus imaginarius lozenges reduce halitosis in wearers of full dentures?"),
            ("99000030", "Do peer-led exercise classes increase walking distance in claudication: a randomized trial?"),
            ("99000040", "Does Barley Tea Accelerate Gastric Emptying in Patients With Functional Dyspepsia?"),
            ("99000041", "Does a LOW-SALT CANTEEN LOWER BLOOD PRESSURE IN NIGHT WATCHMEN?"),
            ("99000042", "Do home visits by midwives reduce early weaning?"),
            ("99000044", "Is overnight fasting before cataract surgery unnecessary: A prospective cohort study?"),
            ("99000048", "Does expression of ODX12 distinguish odontogenic keratocysts from dentigerous cysts?"),
            ("99000049", "Has serum ferritin been overlooked as a cause of restless nights in blood donors?"),
        ],
    )  # fmt: skip
    def test_how_odd_titles_are_asked(
        self, instances: dict[str, DecisionInstance], ident: str, question: str
    ) -> None:
        assert instances[ident].question == question

    @each_row(
        ("ident", "context", "long_answer"),
        [
            ("99000006", "Background; Methods; Results", "Idle cannulas need not be flushed every shift."),
            ("99000007", "PURPOSE; METHODS; RESULTS; LIMITATIONS", "The clock answered a question"),
            ("99000011", "BACKGROUND AND AIMS; METHODS; RESULTS", "Seven messages cost less than one"),
            ("99000012", "OBJECTIVE; RESEARCH DESIGN AND METHODS; RESULTS", "We found no relation"),
            (
                "99000023",
                "Introduction; Methods and analysis; Ethics and dissemination",
                "If the rolling schedule proves",
            ),
            ("99000029", "INTRODUCTION; METHODS; RESULTS", "Early removal went with a shorter stay"),
            (
                "99000046",
                "PURPOSE; DESIGN/METHODOLOGY/APPROACH; FINDINGS",
                "An open door to a garden decreased",
            ),
            ("99000081", "Objective; Methods; Results", "The second yawn comes sooner"),
        ],
    )
    def test_where_the_context_ends(
        self, instances: dict[str, DecisionInstance], ident: str, context: str, long_answer: str
    ) -> None:
        instance = instances[ident]
        assert "; ".join(section.label for section in instance.context) == context
        assert (instance.long_answer or "").startswith(long_answer)

    def test_of_two_versions_the_newer_stands_and_of_two_alike_the_later(
        self, instances: dict[str, DecisionInstance]
    ) -> None:
        assert instances["99000024"].context[-1].text.endswith("corrects the number of patients.")
        assert (instances["99000056"].long_answer or "").endswith("at dusk this is less certain.")

    def test_all_of_it_is_sound(self, built: Dataset) -> None:
        assert not api.check(built).problems
