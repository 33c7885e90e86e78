"""Gold snippets beside snippets of other questions: what is held, what is not taken, which split sees what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.evidence_sets import held_of
from tests.golden_files import ADDRESS, golden, ident, question, snippet

from anagnosis import api
from anagnosis.datasets.folder import store

if TYPE_CHECKING:
    from pathlib import Path


def asking(number: int, body: str, *snippets: tuple[str, int]) -> dict[str, Any]:
    """snippets: text and document."""
    own = [
        snippet(text, f"{ADDRESS}{document}", begin=place * 500)
        for place, (text, document) in enumerate(snippets)
    ]
    return question(number, body=body, snippets=own)


SALT = asking(1, "Does salt stop blue fish?", ("Salt stops fish. It is so in water.", 1), ("Salt is old.", 2))
TEA = asking(
    2,
    "Does tea change sleep of fish?",
    ("Tea changes no sleep. Fish never sleep.", 3),
    ("Tea is a drink.", 1),
)
GENE = asking(3, "Which gene makes fish blue?", ("XYZ1 makes fish blue.", 4), ("Fish are blue.", 5))


def built(source: Path, out: Path, **settings: Any) -> store.Dataset:
    return api.build("evidence", [source], out, settings={"splitter": "fast", **settings})


def texts(dataset: store.Dataset, split: str, number: int) -> dict[str, bool | None]:
    (found,) = [one for one in store.instances(dataset, split) if one.id == ident(number)]
    return {sentence.text: sentence.held for sentence in found.sentences}


def test_own_snippets_are_held_and_the_best_of_others_are_not(tmp_path: Path) -> None:
    dataset = built(golden(tmp_path / "in", {"8B1": [SALT, TEA, GENE]}), tmp_path / "built")
    assert dataset.sizes == {"train": 3}
    assert texts(dataset, "train", 1) == {
        "Salt stops fish.": True,
        "It is so in water.": True,
        "Salt is old.": True,
        "Tea changes no sleep.": False,
        "Fish never sleep.": False,
        "XYZ1 makes fish blue.": False,
        "Fish are blue.": False,
    }
    assert api.check(dataset).sound


def test_a_document_stands_together_and_its_sentences_in_its_order(tmp_path: Path) -> None:
    late = asking(1, "Does salt stop fish?", ("Later salt fish.", 1), ("Salt on a fish.", 1))
    late["snippets"][0] |= {"offsetInBeginSection": 900, "offsetInEndSection": 916}
    late["snippets"].append(
        snippet("A title of fish.", f"{ADDRESS}1", begin=0, beginSection="title", endSection="title")
    )
    dataset = built(golden(tmp_path / "in", {"8B1": [late, TEA]}), tmp_path / "built")
    (found,) = [one for one in store.instances(dataset, "train") if one.id == ident(1)]
    own = [[sentence.text for sentence in each] for each in found.documents()]
    assert ["A title of fish.", "Salt on a fish.", "Later salt fish."] in own
    assert len({each[0].document for each in found.documents()}) == len(found.documents())


def test_only_so_many_others_are_taken(tmp_path: Path) -> None:
    source = golden(tmp_path / "in", {"8B1": [SALT, TEA, GENE]})
    for wanted in (0, 1, 2):
        dataset = built(source, tmp_path / f"built-{wanted}", negatives=wanted)
        (one,) = [each for each in store.instances(dataset, "train") if each.id == ident(3)]
        others = {sentence.document for sentence in one.sentences if not sentence.held}
        assert len(others) == min(wanted, 2)


def test_no_snippet_of_a_tested_question_is_seen_in_training(tmp_path: Path) -> None:
    source = golden(tmp_path / "in", {"7B1": [SALT], "8B1": [TEA], "9B5": [GENE]})
    dataset = built(source, tmp_path / "built", test="9B5", dev="8B")
    assert dataset.sizes == {"train": 1, "dev": 1, "test": 1}
    assert "XYZ1 makes fish blue." not in texts(dataset, "train", 1) | texts(dataset, "dev", 2)
    assert texts(dataset, "test", 3)["Salt stops fish."] is False
    assert texts(dataset, "train", 1)["Fish never sleep."] is False


def test_twins_of_tested_questions_are_left_out_and_their_gold_is_no_other(tmp_path: Path) -> None:
    twin = asking(4, "which gene makes fish BLUE", ("Fish turn blue by it.", 9))
    again = asking(5, "Does salt stop blue fish", ("Blue fish stop at salt.", 8))
    source = golden(tmp_path / "in", {"7B1": [SALT, again, twin], "9B5": [GENE]})
    dataset = built(source, tmp_path / "built", test="9B5")
    assert dataset.receipt.instances.dropped == {"twin_of_held_out": 1}
    assert set(held_of(dataset, "train")) == {ident(1), ident(5)}
    assert "Blue fish stop at salt." not in texts(dataset, "train", 1)
    assert "Fish turn blue by it." not in texts(dataset, "test", 3)


def test_what_overlaps_gold_is_no_other(tmp_path: Path) -> None:
    wider = asking(
        2, "What of salt?", ("Salt stops fish. It is so in water. And in tea.", 7), ("It is so in water.", 9)
    )
    dataset = built(golden(tmp_path / "in", {"8B1": [SALT, wider]}), tmp_path / "built")
    assert all(texts(dataset, "train", 1).values())
    assert dataset.receipt.repairs["snippet_overlaps_gold"] >= 2


def test_a_sentence_counts_once_in_its_document_and_as_gold_where_it_is(tmp_path: Path) -> None:
    twice = asking(
        1,
        "Does salt stop blue fish?",
        ("Salt stops fish. So it is.", 1),
        *[("Salt stops fish. Or not.", 1)] * 2,
    )
    other = asking(2, "What of tea and fish?", ("Tea and fish. Salt stops  fish.", 1))
    dataset = built(golden(tmp_path / "in", {"8B1": [twice, other]}), tmp_path / "built")
    (one,) = [each for each in store.instances(dataset, "train") if each.id == ident(1)]
    assert [sentence.text for sentence in one.sentences].count("Salt stops fish.") == 1
    assert texts(dataset, "train", 1)["Tea and fish."] is False
    assert dataset.receipt.repairs["sentence_repeated"] == 1
    assert dataset.receipt.repairs["sentence_of_gold"] == 3


def test_questions_without_snippets_and_of_no_named_batch_are_counted(tmp_path: Path) -> None:
    source = golden(tmp_path / "in", {"7B1": [SALT, question(7, snippets=[])], "8B1": [TEA], "9B1": [GENE]})
    dataset = built(source, tmp_path / "built", dev="8B", train="7B")
    assert dataset.sizes == {"train": 1, "dev": 1}
    assert dataset.receipt.instances.dropped == {"no_snippets": 1, "in_no_part": 1}
    assert "Fish are blue." not in texts(dataset, "train", 1)
