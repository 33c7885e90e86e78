"""Sentences of passages scored by readers that were trained here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
import pytest

pytest.importorskip("transformers", reason="the extra train is not installed")

from tests.readers.tiny_readers import WIDTH, dataset, tiny_vectors

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.datasets.kinds.table import EVIDENCE
from anagnosis.errors import InputError
from anagnosis.io.files import write_json
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.hits import Hit, Topic
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.highlighting import Scorer, sentences_of
from anagnosis.searching.sentences.overlap import AskedWords, asked_words
from anagnosis.searching.sentences.sentences import cut
from anagnosis.searching.sentences.trained_highlighting import TrainedHighlighter, load_highlighter

if TYPE_CHECKING:
    from anagnosis.training.runs.predicting import Answering

QUESTION = "Does cold tea change sleep?"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> store.Dataset:
    folder = tmp_path_factory.mktemp("sentences") / "data"
    return dataset(folder, signal=True, kind=EVIDENCE, train=40, dev=40)


@pytest.fixture(scope="module")
def light(data: store.Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("light")
    train(data, folder / "evidence")
    return folder / "evidence"


def train(data: store.Dataset, out: Path, **how: Any) -> None:
    out.parent.mkdir(exist_ok=True)
    vectors = tiny_vectors(out.with_suffix(".txt"))
    settings = {"epochs": 1, "vectors": str(vectors), "embedding": WIDTH}
    api.train("evidence-jpdrmm", data, out, settings=settings, threads=1, limit=8, **how)


def asked(index: Index) -> AskedWords:
    return asked_words(index.engine, Topic(QUESTION))


class Recording:
    """A run whose log probabilities fall from sentence to sentence, with padding. read: the texts that it was given."""

    def __init__(self) -> None:
        self.read: list[list[tuple[str, str]]] = []

    def answers(self, instances: Sequence[EvidenceInstance], title: str) -> list[list[float]]:
        self.read = [[(one.title, one.text) for one in each.sentences] for each in instances]
        return [[-1.0, -2.0, -1e9, -0.5] for _ in instances]


def test_a_document_s_passages_are_read_together_in_its_order_under_its_title(index: Index) -> None:
    run = Recording()
    reader = TrainedHighlighter(Scorer("recording", ""), cast("Answering", run))
    own = [hit for hit in index.search(QUESTION) if hit.passage.document == "1"]
    backwards = sorted(own, key=lambda hit: -hit.passage.number)
    found = sentences_of(backwards, asked(index), reader)
    assert [[(one.begin, one.end) for one in each] for each in found] == [
        cut(hit.passage) for hit in backwards
    ]
    texts = (
        "Cold tea was given to forty adults.",
        "Sleep was not longer.",
        "Cold tea does not change sleep.",
    )
    assert run.read == [[("Cold tea and sleep", text) for text in texts]]
    scores = [[one.score for one in each] for each in found]
    assert scores == [[1e-12], pytest.approx([math.exp(-1), math.exp(-2)])], (
        "none is 0: it would not be quoted"
    )


def test_of_several_runs_one_is_named(data: store.Dataset, tmp_path: Path) -> None:
    train(data, tmp_path / "runs", seeds=2)
    with pytest.raises(InputError, match=r"holds several runs; name one of them, such as seed-0"):
        load_highlighter(tmp_path / "runs", "cpu")
    assert load_highlighter(tmp_path / "runs" / "seed-0", "cpu").about.name == "jpdrmm (uncalibrated)"


def test_a_question_and_passages_without_a_word_are_no_fault(light: Path, index: Index) -> None:
    blank = Passage("9", 0, "table", "", "", "1 2\n\n3 4\n")
    words = asked_words(index.engine, Topic("β?"))
    (found,) = sentences_of([Hit(blank, 1.0)], words, load_highlighter(light, "cpu"))
    assert [blank.text[one.begin : one.end] for one in found] == ["1 2", "3 4"]
    assert all(0 < one.score < 1 for one in found)


def test_a_reader_of_something_else_is_refused(data: store.Dataset, light: Path, tmp_path: Path) -> None:
    from anagnosis.training.runs.run import load_run

    run = tmp_path / "run"
    run.mkdir()
    for entry in light.iterdir():
        if entry.is_file():
            (run / entry.name).write_bytes(entry.read_bytes())
    write_json(run / "run.json", msgspec.structs.replace(load_run(run).facts, view="local"))
    with pytest.raises(InputError, match="jpdrmm does not score sentences"):
        load_highlighter(run, "cpu")
