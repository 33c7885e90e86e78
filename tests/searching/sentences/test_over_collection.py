"""Scores of sentences as probabilities over a collection, and how they are fitted."""

from __future__ import annotations

import json
import math
import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from tests.rows import each_row

pytest.importorskip("transformers", reason="the extra train is not installed")

from tests.readers.tiny_readers import CUE, dataset

import anagnosis
from anagnosis import api
from anagnosis.api.searching import open_collection
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.datasets.kinds.table import DECISION, EVIDENCE
from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError
from anagnosis.io.checksums import write_checked_json
from anagnosis.io.folders import OVER_COLLECTION as FILE
from anagnosis.searching.answers.asking import ask
from anagnosis.searching.answers.readers import load_readers
from anagnosis.searching.fit import collection_fitting
from anagnosis.searching.fit.collection_fitting import holds
from anagnosis.searching.index.index import create_index
from anagnosis.searching.records.expansion import Topic
from anagnosis.searching.records.hits import Sentence
from anagnosis.searching.sentences.highlighting import UNTRAINED
from anagnosis.searching.sentences.trained_highlighting import (
    CollectionHighlighter,
    TrainedHighlighter,
    load_highlighter,
)
from anagnosis.training.calibration.over_collection import features, probabilities


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> store.Dataset:
    return dataset(
        tmp_path_factory.mktemp("sentences") / "data", signal=True, kind=EVIDENCE, train=40, dev=40
    )


@pytest.fixture(scope="module")
def light(data: store.Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("light") / "evidence"
    settings = {"epochs": 4, "hidden": 4, "rate": 0.02}
    api.train("evidence-sentence-features", data, out, settings=settings, seeds=2, threads=1)
    return out


@pytest.fixture(scope="module")
def collection(data: store.Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the documents that the development questions are about."""
    folder = tmp_path_factory.mktemp("collection") / "index"
    indexed(folder, store.instances(data, "dev"))
    return folder


@pytest.fixture
def fitted(light: Path, data: store.Dataset, collection: Path, tmp_path: Path) -> Path:
    copy = Path(shutil.copytree(light, tmp_path / "evidence"))
    anagnosis.calibrate(copy, data)
    anagnosis.calibrate_over_collection(copy, data, collection)
    return copy


def indexed(folder: Path, instances: Iterable[EvidenceInstance]) -> None:
    """Each document under its question, so that a search brings it among the first."""
    index = create_index(folder)
    for instance in instances:
        texts: dict[str, list[str]] = {}
        for sentence in instance.sentences:
            texts.setdefault(sentence.document, []).append(sentence.text)
        for ident, own in texts.items():
            parts = (Section("title", instance.question), Section("abstract", "\n".join(own)))
            index.add(Document(ident, parts), Counter())
    index.commit()
    index.close()


def test_a_probability_is_the_logistic_function_of_the_clues() -> None:
    rows = features([0.5, 0.9], [0.2, 0.8], [0, 3])
    assert rows[0].tolist() == pytest.approx([0, 0.2, 0, 1], abs=1e-9)
    assert rows[1].tolist() == pytest.approx([math.log(9), 0.8, math.log(4), 1])
    said = probabilities(rows, [1.0, 2.0, -1.0, -0.5])
    assert said.tolist() == pytest.approx(
        [1 / (1 + math.exp(-(0.4 - 0.5))), 1 / (1 + math.exp(-(math.log(9) + 1.6 - math.log(4) - 0.5)))]
    )


def test_what_was_fitted_is_told_and_makes_scores_probabilities(
    fitted: Path, data: store.Dataset, collection: Path
) -> None:
    kept = json.loads((fitted / FILE).read_text())
    assert kept["questions"] == len({one.question for one in store.instances(data, "dev")})
    assert (kept["absent"], kept["left_out"], kept["dataset"], kept["split"]) == (0, 0, "cued", "dev")
    assert kept["weights"]["odds"] > 0 > kept["weights"]["rank"]
    reader = load_highlighter(fitted, "cpu")
    index = open_collection(collection)
    question = next(iter(store.instances(data, "dev"))).question
    answered = ask(index, question, readers=load_readers(fitted))
    assert answered.calibrated
    assert "probab" not in answered.scorer
    scores = [one.score for one in answered.evidence if one.stands_in == "text"]
    assert scores == sorted(scores, reverse=True)
    passages = [each.passage for each in answered.hits]
    plain = reader.highlight(index.engine, Topic(question), passages)
    words = UNTRAINED.highlight(index.engine, Topic(question), passages)
    for rank, (each, own, by_words) in enumerate(zip(answered.hits, plain, words, strict=True)):
        best = max(one.score for one in by_words)
        rows = features([one.score for one in own], [best] * len(own), [rank] * len(own))
        said = probabilities(rows, [kept["weights"][name] for name in ("odds", "overlap", "rank", "1")])
        assert [one.score for one in each.sentences] == pytest.approx(said.tolist())
    index.close()


def test_a_sentence_that_the_reader_has_not_read_keeps_no_score(
    fitted: Path, data: store.Dataset, collection: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = load_highlighter(fitted, "cpu").over_collection()
    assert isinstance(over, CollectionHighlighter)
    index = open_collection(collection)
    question = next(iter(store.instances(data, "dev"))).question
    passages = [hit.passage for hit in index.search(question)]
    every = over.reader.highlight(index.engine, Topic(question), passages)
    unread = [[Sentence(one.begin, one.end, 0.0, 0), *own[1:]] for own in every for one in own[:1]]
    monkeypatch.setattr(TrainedHighlighter, "highlight", lambda *_: unread)
    found = over.highlight(index.engine, Topic(question), passages)
    index.close()
    assert [own[0] for own in found] == [own[0] for own in unread]
    assert all(one.score > 0 for own in found for one in own[1:])


def test_weak_sentences_are_three_in_four_of_the_gold_ones() -> None:
    draws = np.random.default_rng(3)
    question, gold = np.repeat(np.arange(60), 9), np.tile(np.arange(9) == 0, 60)
    odds = np.where(gold, 1.0, -1.0) + draws.normal(size=540)
    rows = np.c_[odds, draws.random(540), draws.integers(0, 9, 540), np.ones(540)]
    weights, chosen, _ = collection_fitting.fitted(collection_fitting.ReadSentences(rows, gold, question))
    assert weights["odds"] > 1
    assert 0.75 <= chosen.weak.recall < 0.78


def test_the_held_sentence_comes_first_more_often_than_by_the_reader_alone(
    fitted: Path, data: store.Dataset, collection: Path
) -> None:
    index = open_collection(collection)
    both = load_readers(fitted)
    right: dict[bool, int] = {True: 0, False: 0}
    for one in list(store.instances(data, "dev"))[:20]:
        held = {" ".join(sentence.text.split()) for sentence in one.sentences if sentence.held}
        hits = index.search(one.question, None, 20)
        for over in (True, False):
            scorer = both.highlighter.over_collection() if over else both.highlighter
            assert isinstance(scorer, CollectionHighlighter if over else TrainedHighlighter)
            every = scorer.highlight(index.engine, Topic(one.question), [hit.passage for hit in hits])
            found = [
                (sentence.score, hit.passage.text[sentence.begin : sentence.end])
                for hit, own in zip(hits, every, strict=True)
                for sentence in own
            ]
            right[over] += max(found)[1] in held
    index.close()
    assert right[True] > right[False]


def test_a_later_page_goes_on_counting_ranks(fitted: Path, data: store.Dataset, collection: Path) -> None:
    index = open_collection(collection)
    question = next(iter(store.instances(data, "dev"))).question
    passages = [hit.passage for hit in index.search(question)]
    first, later = (
        load_highlighter(fitted, "cpu")
        .over_collection(rank)
        .highlight(index.engine, Topic(question), passages)
        for rank in (0, 20)
    )
    index.close()
    for own, other in zip(first, later, strict=True):
        assert all(a.score > b.score for a, b in zip(own, other, strict=True))


def test_questions_without_their_documents_are_counted_and_an_index_of_others_is_refused(
    light: Path, data: store.Dataset, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(light, tmp_path / "copy"))
    every = list(store.instances(data, "dev"))
    indexed(tmp_path / "some", every[:36])
    assert anagnosis.calibrate_over_collection(copy, data, tmp_path / "some").absent == 4
    indexed(tmp_path / "few", every[:5])
    with pytest.raises(InputError, match="questions have their evidence in passages") as refused:
        anagnosis.calibrate_over_collection(copy, data, tmp_path / "few")
    assert "5 of 40 questions have one there" in str(refused.value)


def test_questions_that_the_reader_was_trained_on_are_refused(
    light: Path, data: store.Dataset, collection: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(light, tmp_path / "copy"))
    with pytest.raises(InputError, match="40 of 40 questions were trained on"):
        anagnosis.calibrate_over_collection(copy, data, collection, split="train")
    assert not (copy / FILE).exists()


def test_a_fit_of_others_is_refused(fitted: Path, data: store.Dataset) -> None:
    kept = json.loads((fitted / FILE).read_text())
    for change, why in (
        ({"runs": ["0", "1"]}, "other weights"),
        ({"platts": [[1.0, 0.5], [1.0, 0.5]]}, "calibrated anew"),
    ):
        write_checked_json(fitted / FILE, {**kept, **change})
        with pytest.raises(InputError, match=why):
            load_readers(fitted)
    assert load_highlighter(fitted, "cpu", over_collection=False).over is None


def test_other_readers_are_refused(tmp_path: Path, collection: Path) -> None:
    data = dataset(tmp_path / "data", signal=True, kind=DECISION, train=20, dev=10)
    api.train(
        "pubmedqa-shallow-features", data, tmp_path / "run", settings={"epochs": 1, "hidden": 4}, threads=1
    )
    for call in (
        lambda: anagnosis.calibrate_over_collection(tmp_path / "run", data, collection),
        lambda: api.calibrate(tmp_path / "run", data, index=collection),
    ):
        with pytest.raises(InputError, match="only readers of sentences"):
            call()
    assert not (tmp_path / "run" / "calibration.json").exists()


def test_marks_follow_the_probabilities_over_the_collection(
    fitted: Path, data: store.Dataset, collection: Path
) -> None:
    reader = load_highlighter(fitted, "cpu").over_collection()
    index = open_collection(collection)
    question = f"is it {CUE} ?"
    passages = [hit.passage for hit in index.search(question)]
    found = [one for own in reader.highlight(index.engine, Topic(question), passages) for one in own]
    titles = [one for one in reader.titles(index.engine, Topic(question), passages) if one is not None]
    index.close()
    assert found
    assert titles
    for one in (*found, *titles):
        assert 0 < one.score < 1
        assert one.strength == reader.thresholds.strength(one.score)
    assert np.mean([one.score for one in found]) < 0.5


def test_another_ranking_than_it_was_fitted_on_makes_no_probabilities(fitted: Path) -> None:
    reader = load_highlighter(fitted, "cpu")
    told = reader.over_collection(ranking="lexical").about
    assert (told.calibrated, told.ranked) == (True, True)
    assert "questions of cued, asked of" in told.says
    assert "ranked lexical" in told.says
    other = reader.over_collection(ranking="dense").about
    assert (other.calibrated, other.ranked) == (False, True)


def test_calibrating_anew_removes_what_no_longer_holds(
    fitted: Path, data: store.Dataset, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANAGNOSIS_QUIET", raising=False)
    anagnosis.calibrate(fitted, data)
    assert (fitted / FILE).exists(), "the same fit again"
    kept = json.loads((fitted / FILE).read_text())
    write_checked_json(fitted / FILE, {**kept, "platts": [[2.0, 0.5], [2.0, 0.5]]})
    anagnosis.calibrate(fitted, data)
    assert not (fitted / FILE).exists()
    assert "no longer holds and was removed" in capsys.readouterr().err
    assert not load_readers(fitted).highlighter.over_collection().about.calibrated


def test_an_index_that_is_not_there_is_refused_before_anything_is_fitted(
    light: Path, data: store.Dataset, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(light, tmp_path / "copy"))
    with pytest.raises(InputError, match="no index here"):
        api.calibrate(copy, data, index=tmp_path / "nowhere")
    assert not list(copy.glob("**/calibration.json"))


@each_row(
    ("text", "right"),
    [
        ("Tea  helps\nsleep.", True),
        ("Tea helps sleep. It", True),
        ("Tea helps", True),
        ("Tea", False),
        ("p", False),
    ],
)
def test_a_sentence_holds_what_at_least_half_of_it_says(text: str, right: bool) -> None:
    assert holds(text, {"Tea helps sleep."}) is right
    assert not holds(text, {""})
