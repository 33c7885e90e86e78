"""SciFact's claims with the abstracts that rank best for them: what is relevant, what is gold, where it stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anagnosis import api
from anagnosis.datasets.collection import placed
from anagnosis.datasets.folder import store
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.errors import InputError

ABSTRACTS = [
    {"doc_id": 1, "title": "Tea and sleep", "abstract": [" Tea was given.\n", "Sleep did not change.", " "]},
    {"doc_id": 2, "title": "Salt", "abstract": ["Salt stops sleep of fish."]},
    {"doc_id": 3, "title": "Genes", "abstract": ["Nobody drinks tea here."]},
]
CLAIMS = [
    {
        "id": 4,
        "claim": "Tea changes sleep.",
        "evidence": {"1": [{"sentences": [1, 9], "label": "CONTRADICT"}]},
        "cited_doc_ids": [1, 2],
    },
    {"id": 5, "claim": "Salt is old.", "evidence": {}, "cited_doc_ids": [2]},
    {"id": 6, "claim": "Quarks.", "evidence": {}, "cited_doc_ids": [2]},
]


def source(folder: Path) -> Path:
    folder.mkdir()
    for name, rows in (("claims_train", CLAIMS), ("corpus", ABSTRACTS)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def built(tmp_path: Path, **settings: Any) -> store.Dataset:
    return api.build("scifact-retrieval", [source(tmp_path / "in")], tmp_path / "built", settings=settings)


def test_a_claim_has_its_best_abstracts_with_their_titles_and_places(tmp_path: Path) -> None:
    dataset = built(tmp_path)
    first, second = store.instances(dataset, "train", of=EvidenceInstance)
    ranked = first.retrieval
    assert ranked is not None
    assert [own[0].document for own in first.documents()] == ["1", "3", "2"]
    assert list(ranked.scores) == sorted(ranked.scores, reverse=True)
    own = list(zip(first.sentences, ranked.sections, ranked.begins, strict=True))
    assert [(one.text, section, begin, one.held) for one, section, begin in own][:3] == [
        ("Tea and sleep", "title", 0, False),
        ("Tea was given.", "abstract", 0, False),
        ("Sleep did not change.", "abstract", 15, True),
    ]
    assert ranked.documents == ("1", "2")
    (snippet,) = ranked.snippets
    assert (snippet.document, snippet.begin, snippet.end) == ("1", 15, 36)
    assert second.retrieval is not None
    assert (second.retrieval.documents, second.retrieval.snippets) == (("2",), ())
    assert dataset.receipt.instances.dropped == {"nothing_retrieved": 1}
    assert api.check(dataset).sound


def test_the_relevant_items_of_a_split_are_those_of_its_instances(tmp_path: Path) -> None:
    dataset = built(tmp_path)
    relevant = Gold.of(dataset, "train").relevant
    assert relevant is not None
    each = [one.retrieval for one in store.instances(dataset, "train", of=EvidenceInstance)]
    assert relevant() == tuple(one.relevant for one in each if one is not None)


def test_no_more_abstracts_than_the_depth_and_what_they_lack_is_counted(tmp_path: Path) -> None:
    dataset = built(tmp_path, depth=2)
    first = next(store.instances(dataset, "train", of=EvidenceInstance))
    assert len(first.documents()) == 2
    assert dataset.receipt.repairs["relevant_not_retrieved"] == 1


def test_a_depth_of_one_leaves_nothing_to_compare_and_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="depth"):
        built(tmp_path, depth=1)


def test_places_are_those_in_the_sentences_joined_by_blanks() -> None:
    texts = [" One.\n", "  ", "Two and three. "]
    joined = " ".join(text.strip() for text in texts if text.strip())
    for one in placed("abstract", texts):
        assert joined[one.begin : one.begin + len(one.text)] == one.text
