"""Yes, no or maybe of papers that were found, by a reader that was trained here."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.decisions import rows, written

pytest.importorskip("torch", reason="the extra train is not installed")

from anagnosis import api
from anagnosis.datasets.decision import LABELS
from anagnosis.errors import InputError
from anagnosis.reports import render
from anagnosis.reports.found import ask_report
from anagnosis.searching.asking import ask
from anagnosis.searching.deciding import PAPERS, load_decider
from anagnosis.searching.index import Index
from anagnosis.searching.readers import Readers, load_readers


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("readers")
    source = written(folder / "ori_pqal.json", rows(60, 40, 20))
    dataset = api.import_dataset(source, folder / "built", layout="pubmedqa")
    settings = {"epochs": 4, "hidden": 8}
    api.train(
        "pubmedqa-shallow-features", dataset, folder / "decision", settings=settings, folds=2, threads=1
    )
    return folder


def test_each_paper_has_a_verdict_and_the_whole_is_their_mean(runs: Path, index: Index) -> None:
    question = "Does cold tea change sleep?"
    decider = load_decider(runs / "decision", "cpu")
    assert len(decider.answering) == 2
    found = decider.decide(index, question, index.search(question))
    assert found is not None
    assert [verdict.document for verdict in found.verdicts] == ["1", "4"]
    for verdict in found.verdicts:
        assert sum(verdict.probabilities) == pytest.approx(1, abs=1e-5)
        assert verdict.label == LABELS[verdict.probabilities.index(max(verdict.probabilities))]
    means = [sum(own) / 2 for own in zip(*(verdict.probabilities for verdict in found.verdicts), strict=True)]
    assert (found.label, found.confidence) == (LABELS[means.index(max(means))], pytest.approx(max(means)))
    assert len(found.verdicts) <= PAPERS


def test_two_runs_are_the_mean_of_each(runs: Path, index: Index) -> None:
    hits = index.search("cold tea")
    both, *each = (
        load_decider(place, "cpu").decide(index, "Does cold tea help?", hits)
        for place in (runs / "decision", runs / "decision" / "fold-0", runs / "decision" / "fold-1")
    )
    assert both is not None
    first = [one.verdicts[0].probabilities for one in each if one is not None]
    assert both.verdicts[0].probabilities == pytest.approx([sum(own) / 2 for own in zip(*first, strict=True)])


def test_ask_gives_the_answer_and_what_each_paper_says(runs: Path, index: Index) -> None:
    decider = load_decider(runs / "decision", "cpu")
    answered = ask(index, "Does cold tea change sleep?", readers=Readers(decider=decider))
    assert answered.off == ""
    assert answered.decision is not None
    text = render(ask_report(answered, index.count()), ".txt")
    assert f"{answered.decision.label} (yes " in text
    assert "What each paper says" in text
    assert ask(index, "Which drink helps sleep?", readers=Readers(decider=decider)).decision is None


def test_nothing_found_is_no_answer(runs: Path, index: Index) -> None:
    assert load_decider(runs / "decision", "cpu").decide(index, "Is it?", []) is None


def test_what_is_no_such_reader_is_one_line(runs: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no run.json here; name a folder that `anagnosis train` made"):
        load_decider(tmp_path)
    with pytest.raises(InputError, match="no such run folder"):
        load_readers(tmp_path / "nothing")


def test_a_folder_of_readers_and_one_run_are_told_apart(runs: Path) -> None:
    for place in (runs, runs / "decision", runs / "decision" / "fold-1"):
        found = load_readers(place, "cpu")
        assert found.decider is not None
        assert found.exact is None
    assert len(load_readers(runs, "cpu").decider.answering) == 2  # type: ignore[union-attr]
