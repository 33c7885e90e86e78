"""AUEB's BM25 over PubMed for edition 7: trec_eval's figures, and the organisers' of its first ten documents."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from tests.phase_a_figures import figures_of
from tests.rows import each_row

from anagnosis.datasets.kinds.relevant_items import RelevantItems
from anagnosis.evaluation.retrieval import judgements, runs, scoring
from anagnosis.evaluation.retrieval.measures import asked

OURS = {  # trec_eval's name → ours
    "map": "map",
    "recip_rank": "mrr",
    "P_10": "precision@10",
    "recall_100": "recall@100",
    "ndcg_cut_10": "ndcg@10",
}


@pytest.fixture(scope="module")
def folder(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("bm25")
    with tarfile.open(shared / "data/bioasq/bm25-7b.tar.gz") as archive:
        archive.extractall(out, filter="data")
    return out / "bm25-7b"


@pytest.fixture(scope="module")
def expected(folder: Path) -> Any:
    return json.loads((folder / "expected.json").read_text())


@each_row("batch", [f"7B{number}" for number in range(1, 6)])
def test_the_figures_of_trec_eval_and_of_the_organisers_program(
    folder: Path, expected: Any, batch: str
) -> None:
    gold = judgements.read(folder / f"{batch}.qrels")
    run = runs.read(folder / f"{batch}.run", batch)
    by_name = [asked(name) for name in OURS.values()]
    found = scoring.evaluate(gold, [run], by_name, seed=0, draws=10).systems[0].estimates
    values = {name: found[str(measure)].value for name, measure in zip(OURS, by_name, strict=True)}
    printed = expected[batch]
    assert values == pytest.approx({name: printed[name] for name in OURS}, rel=1e-9)
    for edition in (5, 8):
        pairs = [
            (RelevantItems(tuple(own)), RelevantItems(tuple(run.ranked.get(query, ())[:10])))
            for query, own in gold.grades.items()
        ]
        ours = figures_of(pairs, edition)
        of_program = printed[f"bioasq_e{edition}"]
        assert {name: ours[name] for name in of_program} == pytest.approx(of_program, rel=1e-12)
