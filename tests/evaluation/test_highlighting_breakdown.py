"""Figures of sentences by group: which groups there are, and that each is what a dataset of these alone has."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.evidence_sets import evidence, predictions, stored

from anagnosis import api
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.evaluation.breakdown import labelled
from anagnosis.evaluation.highlighting import highlighting
from anagnosis.evaluation.highlighting_breakdown import breakdowns, factors
from anagnosis.evaluation.systems import System
from anagnosis.predictions import match
from anagnosis.reports import render

ROWS = (("a", "+-"), ("b", "-+-"), ("c", "+---"), ("d", "++--+"), ("e", "--"), ("f", "+-"), ("g", "+--+-"))


def made(folder: Path, rows: tuple[tuple[str, str], ...] = ROWS) -> tuple[Dataset, Gold, System]:
    found: list[EvidenceInstance] = [evidence(ident, held) for ident, held in rows]
    dataset = stored(folder / "built", test=found)
    gold = Gold.of(dataset, "test")
    draw = np.random.default_rng(0)
    scores = {ident: draw.random(len(held)).tolist() for ident, held in ROWS}
    file = predictions(folder / "p.jsonl", {ident: scores[ident] for ident, _ in rows if ident != "f"})
    return dataset, gold, System("p", (match(file, gold),))


def test_numbers_are_grouped_by_doubling(tmp_path: Path) -> None:
    _, gold, _ = made(tmp_path)
    texts = ["one", "one two", "1 2 3", "1 2 3 4", "1 2 3 4 5", "", " ".join("x" * 9)]
    sizes, held, words = factors(gold, texts)
    assert [sizes.labels[code] for code in sizes.code] == ["2", "3–4", "3–4", "5–8", "2", "2", "5–8"]
    assert [held.labels[code] for code in held.code] == ["1", "1", "1", "3–4", "0", "1", "2"]
    assert [words.labels[code] for code in words.code] == ["1", "2", "3–4", "3–4", "5–8", "0", "9–16"]


def test_a_group_has_the_figures_of_a_dataset_of_it_alone(tmp_path: Path) -> None:
    _, gold, system = made(tmp_path)
    chosen = ("b", "d", "f")
    kinds = dict.fromkeys(chosen, "chosen") | {"g": "other"}
    own = labelled("kind", [kinds.get(ident, "") for ident, _ in ROWS])
    (found,) = breakdowns(gold, system, [own], draws=50)
    assert [(one.label, one.instances) for one in found.slices] == [("chosen", 3), ("other", 1)]
    _, alone, same = made(tmp_path / "alone", tuple(row for row in ROWS if row[0] in chosen))
    assert found.slices[0].worth == highlighting(alone, same, draws=50)
    assert found.slices[0].worth.unanswered == 1


def test_groups_without_a_held_sentence_and_factors_that_part_nothing_are_left_out(tmp_path: Path) -> None:
    _, gold, system = made(tmp_path)
    _, held, _ = factors(gold, ["?"] * len(ROWS))
    (found,) = breakdowns(gold, system, [held, labelled("same", ["x"] * len(ROWS))], draws=20)
    assert [one.label for one in found.slices] == ["1", "2", "3–4"]


def test_the_report_has_them_and_those_of_a_label_file(tmp_path: Path) -> None:
    dataset, _, _ = made(tmp_path)
    labels = tmp_path / "verdicts.csv"
    labels.write_text("id,verdict\na,supports\nb,contradicts\nc,supports\n")
    text = render(api.score_report(dataset, [tmp_path / "p.jsonl"], labels=labels), ".txt")
    for caption in ("By sentences, test", "By sentences that hold the answer, test", "By verdict, test"):
        assert caption in text
    assert "By words of the question" not in text
    assert text.index("contradicts") < text.index("supports")


@pytest.mark.parametrize("rows", [(), (("a", "+-"),)])
def test_few_instances_are_no_fault(tmp_path: Path, rows: tuple[tuple[str, str], ...]) -> None:
    rows = (*rows, ("c", "+---"))
    _, gold, system = made(tmp_path, rows)
    assert len(breakdowns(gold, system, factors(gold, ["?"] * len(rows)), draws=5)) <= 1


def test_an_instance_without_sentences_has_no_held_one(tmp_path: Path) -> None:
    _, gold, _ = made(tmp_path)
    gold = replace(gold, held=np.array([True, True, False]), starts=np.array([0, 2, 2, 3]))
    sizes, held, _ = factors(gold, ["?"] * 3)
    assert [sizes.labels[code] for code in sizes.code] == ["2", "0", "1"]
    assert [held.labels[code] for code in held.code] == ["2", "0", "0"]
