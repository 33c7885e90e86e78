"""The overlap of words by their weight: by hand, over a collection, and the levels that were measured elsewhere."""

from __future__ import annotations

import gzip
import math
import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evidence_sets import corpus, imported, lines, scifact, stored

from anagnosis import api
from anagnosis.cli import run
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.errors import InputError
from anagnosis.readers.evidence.overlap import fit


def posed(question: str, *texts: str, title: str = "") -> EvidenceInstance:
    return EvidenceInstance("1", question, tuple(SourceSentence(text, title, text) for text in texts))


def test_the_score_is_the_weight_of_the_shared_words() -> None:
    one = posed("Salted fish?", "Salt on tea.", "A fish.", "Fish fish salt")
    # N = 3 documents; salt is in 2 of them, fish in 2
    assert fit([one])(one) == [pytest.approx(0.5), pytest.approx(0.5), pytest.approx(1.0)]
    rare = fit([one])(posed("Tea and fish?", "tea", "fish"))
    tea, fish, unseen = math.log(4 / 1.5), math.log(4 / 2.5), math.log(4 / 0.5)
    assert rare == [pytest.approx(tea / (tea + fish + unseen)), pytest.approx(fish / (tea + fish + unseen))]


def test_titles_count_as_text_of_their_document_and_a_document_once() -> None:
    with_title = posed("salt", "fish", "tea", title="Salt")
    assert fit([with_title, with_title])(posed("salt fish", "fish"))[0] == pytest.approx(
        math.log(3 / 1.5) / (math.log(3 / 1.5) + math.log(3 / 2.5))
    )


@given(st.lists(st.text(max_size=15), max_size=4), st.text(max_size=15))
def test_scores_are_between_0_and_1(texts: list[str], question: str) -> None:
    one = posed(question, *texts)
    assert all(0 <= score <= 1 + 1e-12 for score in fit([one])(one))
    assert fit([])(one) == fit([])(one)


def test_it_runs_on_a_split_alone_and_over_a_collection(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    built = imported(scifact(tmp_path / "in"), tmp_path / "built", "scifact", split="test").folder
    collection = lines(
        tmp_path / "corpus.jsonl", [{"_id": str(n), "title": "", "text": "salt"} for n in range(9)]
    )
    for more in ([], ["--set", f"collection={collection}"]):
        out = tmp_path / f"{len(more)}.jsonl"
        assert run(["predict", "sentence-overlap", str(built), "--out", str(out), *more]) == 0
        assert run(["score", str(built), str(out)]) == 0
    assert "pooled AUC" in capsys.readouterr().out
    assert (tmp_path / "0.jsonl").read_bytes() != (tmp_path / "2.jsonl").read_bytes()


def test_a_collection_without_documents_or_with_a_foreign_file_is_refused(tmp_path: Path) -> None:
    dataset = stored(tmp_path / "built", test=[posed("salt", "salt")])
    folder = tmp_path / "collection"
    folder.mkdir()
    for said in ("collection: no file ending in", "a.jsonl"):
        with pytest.raises(InputError, match=said):
            api.predict(
                "sentence-overlap", dataset, tmp_path / "p.jsonl", settings={"collection": str(folder)}
            )
        corpus(folder / "a.jsonl")  # the authors', whose abstracts are lists


def test_a_file_that_breaks_off_is_told_and_the_collection_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset = stored(tmp_path / "built", test=[posed("salt", "salt")])
    collection = tmp_path / "collection"
    collection.mkdir()
    lines(collection / "a.jsonl", [{"_id": str(n), "title": "", "text": "salt"} for n in range(9)])
    whole = gzip.compress((collection / "a.jsonl").read_bytes())
    (collection / "b.jsonl.gz").write_bytes(whole[:-12])
    corpus(collection / "c.jsonl")
    settings = {"collection": str(collection)}
    assert api.predict("sentence-overlap", dataset, tmp_path / "p.jsonl", settings=settings) == 1
    said = capsys.readouterr().err
    assert "documents; refused 1, file_refused 1, truncated_file 1" in said
    assert "b.jsonl.gz" in said
    assert "c.jsonl" in said
    assert "--accept-truncated" not in said


def test_the_levels_of_scifacts_validation_claims(shared: Path, tmp_path: Path) -> None:
    archive = shared / "data" / "retrieval" / "scifact.tar.gz"
    dataset = imported(archive, tmp_path / "built", "scifact", setting="validation", split="test")
    with tarfile.open(archive) as packed:
        packed.extract("scifact/corpus.jsonl", tmp_path, filter="data")
    out = tmp_path / "overlap.jsonl"
    collection = {"collection": str(tmp_path / "scifact" / "corpus.jsonl")}
    assert api.predict("sentence-overlap", dataset, out, settings=collection) == 209
    (found,) = api.score(dataset, [out]).on("test")
    mean, pooled, best = found.measures.values()
    assert (mean.n, pooled.n, best.n, found.documents) == (209, 209, 209, 188)
    assert (mean.value, pooled.value) == pytest.approx((0.7857, 0.7169), abs=5e-5)
    assert best.value == pytest.approx(108 / 209)
    assert 0.74 < mean.interval.low < 0.7857 < mean.interval.high < 0.83
