"""A cross-encoder orders the sentences: its scores are those of transformers, and what cannot score is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.rows import each_row

pytest.importorskip("transformers", reason="the extra train is not installed")

import torch
from tests.encoders.tiny import tiny_cross_encoder, tiny_encoder
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from anagnosis import api
from anagnosis.api.searching import load_scorer
from anagnosis.errors import InputError
from anagnosis.reports import render
from anagnosis.reports.records import report
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.expansion import Topic
from anagnosis.searching.records.hits import Hit
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences import cross_encoding
from anagnosis.searching.sentences.cross_encoding import load_cross_encoder
from anagnosis.searching.sentences.highlighting import UNTRAINED, sentences_of
from anagnosis.searching.sentences.overlap import asked_words
from anagnosis.searching.sentences.sentences import cut
from anagnosis.searching.sentences.trained_highlighting import TrainedHighlighter

QUESTION = "Does cold tea change sleep?"
WORDS = ("tea", "sleep", "cold", "does", "change")
NLI = ("contradiction", "entailment")


@pytest.fixture(scope="module")
def one_label(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_cross_encoder(tmp_path_factory.mktemp("one") / "tiny-cross", "fits", words=WORDS)


@pytest.fixture(scope="module")
def two_labels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_cross_encoder(tmp_path_factory.mktemp("two") / "tiny-nli", *NLI, words=WORDS)


def passages(index: Index) -> list[Passage]:
    return [hit.passage for hit in index.search(QUESTION)]


def scores(name: str | Path, index: Index, threads: int | None = None) -> list[float]:
    return read(load_cross_encoder(name, "cpu", threads), index, index.search(QUESTION))


def read(reader: TrainedHighlighter, index: Index, hits: Sequence[Hit]) -> list[float]:
    found = sentences_of(hits, asked_words(index.engine, Topic(QUESTION)), reader)
    return [one.score for own in found for one in own]


def logits(folder: Path, texts: list[str]) -> torch.Tensor:
    """By transformers alone, a pair at a time."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.inference_mode():
        rows = [model(**tokenizer(QUESTION, text, return_tensors="pt")).logits[0] for text in texts]
    return torch.stack(rows).double()


def texts(index: Index) -> list[str]:
    return [own.text[begin:end] for own in passages(index) for begin, end in cut(own)]


def test_a_score_is_the_logistic_function_of_the_only_logit(one_label: Path, index: Index) -> None:
    wanted = torch.sigmoid(logits(one_label, texts(index)))[:, 0].numpy()
    assert np.ptp(wanted) > 0.01
    assert scores(one_label, index) == pytest.approx(wanted.tolist(), abs=1e-6)


@pytest.mark.parametrize(("several_hold", "label"), [(False, 0), (False, 1), (True, 1)])
def test_of_several_labels_the_named_one_gives_the_score(
    several_hold: bool, label: int, tmp_path: Path, index: Index
) -> None:
    folder = tiny_cross_encoder(tmp_path / "nli", *NLI, words=WORDS)
    config = json.loads((folder / "config.json").read_text())
    if several_hold:
        config["problem_type"] = "multi_label_classification"
        (folder / "config.json").write_text(json.dumps(config))
    rows = logits(folder, texts(index))
    wanted = (torch.sigmoid(rows) if several_hold else torch.softmax(rows, 1))[:, label].tolist()
    assert scores(f"{folder}:{NLI[label]}", index) == pytest.approx(wanted, abs=1e-6)


def test_neighbours_change_no_score(one_label: Path, index: Index) -> None:
    reader = load_cross_encoder(one_label, "cpu", 1)
    assert reader.slow
    alone = [score for hit in index.search(QUESTION) for score in read(reader, index, [hit])]
    assert scores(one_label, index, 2) == pytest.approx(alone, abs=1e-6)


def test_the_answer_has_its_order_and_says_so_and_keeps_its_state(one_label: Path, index: Index) -> None:
    answer = api.ask(index, QUESTION, cross_encoder=one_label, device="cpu")
    by_words = api.ask(index, QUESTION)
    given = [one.score for one in answer.evidence]
    assert given == sorted(given, reverse=True)
    assert given[0] == max(one.score / hit.rank**0.5 for hit in answer.hits for one in hit.sentences)
    assert (answer.state, answer.conclusions) == (by_words.state, by_words.conclusions)
    assert answer.scorer == "tiny-cross"
    assert "Sentences were scored by tiny-cross: how well it answers" in " ".join(
        render(report(answer), ".txt").split()
    )


def test_a_cut_pair_is_counted(one_label: Path, index: Index, capsys: pytest.CaptureFixture[str]) -> None:
    own = Passage("9", 0, "abstract", "", "", "Tea " * 100 + "ends. Tea is cold.")
    found = read(load_cross_encoder(one_label, "cpu"), index, [Hit(own, 1.0)])
    assert all(0 < score < 1 for score in found)
    assert f"tiny-cross: 1 {cross_encoding.CUT}" in capsys.readouterr().err


def without_head(folder: Path) -> str:
    return str(tiny_encoder(folder))


def damaged(folder: Path) -> str:
    weights = tiny_cross_encoder(folder, "fits") / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    return str(folder)


def other_labels(folder: Path) -> str:
    """A config of three labels, whose head has two."""
    config = tiny_cross_encoder(folder, *NLI) / "config.json"
    plain = json.loads(config.read_text())
    plain["id2label"] = {"0": "a", "1": "b", "2": "c"}
    plain.pop("label2id", None)
    config.write_text(json.dumps(plain))
    return f"{folder}:a"


def infinite(folder: Path) -> str:
    model: Any = AutoModelForSequenceClassification.from_pretrained(tiny_cross_encoder(folder, "fits"))
    model.classifier.bias.data.fill_(float("nan"))
    model.save_pretrained(folder)
    return str(folder)


REFUSED: dict[str, tuple[Callable[[Path], str], str]] = {
    "several labels and none named": (
        lambda folder: str(tiny_cross_encoder(folder, *NLI)),
        r"has several labels \(contradiction, entailment\); name the one that orders: .*:LABEL",
    ),
    "a label that it lacks": (
        lambda folder: f"{tiny_cross_encoder(folder, *NLI)}:entail",
        "unknown label 'entail'; did you mean entailment",
    ),
    "an encoder without a head": (without_head, "lack 4 of the cross-encoder's .*take another cross-encoder"),
    "a damaged file": (damaged, "does not load"),
    "labels that the head has not": (other_labels, "lack 2 of the cross-encoder's parameters"),
    "undefined scores": (infinite, "gives infinite or undefined numbers"),
    "no such folder": (lambda folder: f"./{folder.name}", "made: no encoder of that name"),
    "an address": (lambda _: "https://hub/a:b/c", "https://hub/a:b/c: no encoder of that name"),
    "a name that is not kept": (lambda _: "nobody/none", "nobody/none: no encoder of that name"),
}


@each_row("case", REFUSED)
def test_what_cannot_order_is_refused_in_one_line(
    case: str, tmp_path: Path, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    make, message = REFUSED[case]
    with pytest.raises(InputError, match=message) as refused:
        scores(make(tmp_path / "made"), index)
    assert "\n" not in str(refused.value)


def test_two_that_would_order_are_refused(one_label: Path) -> None:
    other = load_scorer(None, cross_encoder=one_label)
    assert other is not UNTRAINED
    with pytest.raises(InputError, match="would both order the sentences"):
        load_scorer(other, cross_encoder=one_label)
    assert load_scorer(other) is other
