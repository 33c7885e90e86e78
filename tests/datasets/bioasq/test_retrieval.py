"""BioASQ's questions with the documents of a pool: sentences, places, what is gold and relevant."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.datasets.bioasq.test_evidence import SALT, TEA, asking
from tests.golden_files import ADDRESS, golden, ident

from anagnosis import api
from anagnosis.datasets.bioasq.retrieval import cleaned, is_placed, pooled
from anagnosis.datasets.folder import store
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.datasets.kinds.question import Snippet
from anagnosis.errors import InputError
from anagnosis.language.sentences import splitter


def test_a_question_has_the_documents_that_share_a_word_with_it(tmp_path: Path) -> None:
    source = golden(tmp_path / "in", {"2B1": [SALT], "8B1": [TEA]})
    settings = {"train": "2B", "test": "8B", "splitter": "fast"}
    dataset = api.build("bioasq-retrieval", [source], tmp_path / "built", settings=settings)
    assert dataset.sizes == {"train": 1, "test": 1}
    (found,) = store.instances(dataset, "train", of=EvidenceInstance)
    assert found.id == ident(1)
    held = {sentence.text: sentence.held for sentence in found.sentences}
    assert (held["Salt stops fish."], held["Fish never sleep."]) == (True, False)
    assert found.retrieval is not None
    assert found.retrieval.documents == (f"{ADDRESS}1", f"{ADDRESS}2")
    assert [one.text for one in found.retrieval.snippets] == [
        "Salt stops fish. It is so in water.",
        "Salt is old.",
    ]
    assert api.check(dataset).sound
    relevant = Gold.of(dataset, "train").relevant
    assert relevant is not None
    assert relevant() == (found.retrieval.relevant,)


def test_no_more_documents_than_the_depth_which_is_at_least_two(tmp_path: Path) -> None:
    source = golden(tmp_path / "in", {"2B1": [SALT, TEA]})
    settings = {"splitter": "fast", "depth": 2}
    dataset = api.build("bioasq-retrieval", [source], tmp_path / "built", settings=settings)
    first = next(store.instances(dataset, "train", of=EvidenceInstance))
    assert first.retrieval is not None
    assert len(first.documents()) == 2
    assert list(first.retrieval.scores) == sorted(first.retrieval.scores, reverse=True)
    with pytest.raises(InputError, match="depth"):
        api.build("bioasq-retrieval", [source], tmp_path / "one", settings={"depth": 1})


def snippet(text: str, begin: int, section: str = "abstract", document: str = "7") -> Snippet:
    return Snippet(f"{ADDRESS}{document}", section, begin, section, begin + len(text), text)


def test_snippets_of_a_document_join_in_its_order_and_a_contained_sentence_is_left_out() -> None:
    found = pooled(
        [
            snippet("Tea helps. Salt does not.", 40),
            snippet("salt does NOT", 51),
            snippet("On tea.", 0, "title"),
            snippet("Cold tea helps.", 200),
        ],
        splitter("fast"),
    )
    assert [*found] == [f"{ADDRESS}7"]
    assert [(one.section, one.begin, one.text) for one in found[f"{ADDRESS}7"]] == [
        ("title", 0, "On tea."),
        ("abstract", 51, "Salt does not."),
        ("abstract", 200, "Cold tea helps."),
    ]


def test_snippets_that_no_submission_may_have_are_left_out_and_counted(tmp_path: Path) -> None:
    outside = [
        snippet("Old.", 0, "sections.0"),
        msgspec.structs.replace(snippet("Title to abstract.", 0, "title"), end_section="abstract"),
        snippet("Before.", -1),
        msgspec.structs.replace(snippet("Nowhere.", 0), begin=None),
    ]
    assert not any(map(is_placed, outside))
    assert pooled(outside, splitter("fast")) == {}
    (sentences,) = pooled([*outside, snippet("First.", 0)], splitter("fast")).values()
    assert [one.text for one in sentences] == ["First."]
    asked = asking(1, "Does salt stop fish?", ("Salt stops fish.", 1), ("Fish stop.", 2), ("Salt stops.", 3))
    asked["snippets"][0]["beginSection"] = asked["snippets"][0]["endSection"] = "sections.0"
    asked["snippets"][1]["offsetInBeginSection"] = -1
    source = golden(tmp_path / "in", {"2B1": [asked]})
    dataset = api.build("bioasq-retrieval", [source], tmp_path / "built", settings={"splitter": "fast"})
    assert dataset.receipt.repairs["snippet_outside_pool"] == 2
    (found,) = store.instances(dataset, "train", of=EvidenceInstance)
    assert [sentence.document for sentence in found.sentences] == [f"{ADDRESS}3"]


def test_of_two_spellings_of_a_place_one_stays() -> None:
    alike = [snippet("Salt of α.", 7), snippet("Salt of β.", 7), snippet("Salt of γ.", 8)]
    (sentences,) = pooled(alike, splitter("fast")).values()
    assert [(one.begin, one.text) for one in sentences] == [(7, "Salt of α."), (8, "Salt of γ.")]


def test_what_is_compared_has_neither_case_nor_signs() -> None:
    assert cleaned("TGF-β1, (10 %)_x") == "tgfβ110x"


def test_a_question_of_other_words_is_left_out(tmp_path: Path) -> None:
    source = golden(tmp_path / "in", {"2B1": [SALT, asking(9, "Quarks?", ("Salt fish.", 3))]})
    dataset = api.build("bioasq-retrieval", [source], tmp_path / "built", settings={"splitter": "fast"})
    assert dataset.receipt.instances.dropped == {"nothing_retrieved": 1}


def test_relevant_documents_that_are_not_retrieved_are_counted(tmp_path: Path) -> None:
    fish = asking(
        9, "Does salt stop fish?", ("Salt does stop fish, it does.", 3), ("Quarks.", 4), ("Leptons.", 5)
    )
    source = golden(tmp_path / "in", {"2B1": [fish, TEA]})
    dataset = api.build("bioasq-retrieval", [source], tmp_path / "built", settings={"splitter": "fast"})
    assert dataset.receipt.repairs["relevant_not_retrieved"] == 2
    whole = api.build(
        "bioasq-retrieval",
        [golden(tmp_path / "all", {"2B1": [SALT]})],
        tmp_path / "2",
        settings={"splitter": "fast"},
    )
    assert "relevant_not_retrieved" not in whole.receipt.repairs
