"""Table 1 beside a BioRead-like dataset: which of its sets, in the paper's words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.datasets.bioread.passages import gene, paper, text

from anagnosis import api
from anagnosis.datasets.folder.store import Dataset
from anagnosis.reports import render

LINES = (
    f"The {gene(1)} acts in 10 mice.",
    f"{gene(2)} is in the mice.",
    f"So {gene(1)} is in the {gene(2)}.",
)
PAGE = (*LINES, *LINES)
SMALL = {"passage_sentences": 2, "minimum_question_tokens": 0, "minimum_passage_tokens": 0}


def built(folder: Path, **settings: Any) -> Dataset:
    (folder / "papers.jsonl").write_bytes(text(*(paper(*PAGE, ident=str(number)) for number in range(12))))
    settings = {**SMALL, "split_weights": {"train": 1, "dev": 1, "test": 1}, **settings}
    return api.build("bioread", [folder / "papers.jsonl"], folder / "out", settings=settings, workers=1)


@pytest.mark.parametrize(("longest", "key"), [(999, "bioread"), (400, "bioread-lite"), (401, "bioread")])
def test_a_dataset_with_lites_passages_stands_beside_lite(tmp_path: Path, longest: int, key: str) -> None:
    beside = api.show(built(tmp_path, maximum_passage_tokens=longest)).statistics.beside
    assert beside.key == key


def test_a_sample_of_another_size_than_lites_stands_beside_nothing_unasked(tmp_path: Path) -> None:
    quarter = api.sample(built(tmp_path), tmp_path / "quarter", settings={"train": "25%"})
    assert api.show(quarter).statistics.beside is None
    assert api.show(quarter, beside="bioread-lite").statistics.beside.key == "bioread-lite"


def test_the_rows_are_called_as_in_the_paper_and_rounded_figures_are_marked(tmp_path: Path) -> None:
    page = render(api.report(api.show(built(tmp_path))), ".txt")
    assert "This dataset beside the published BioRead, Table 1 of BioRead" in page
    rows = {line[:17].strip(): line.split() for line in page.splitlines()}
    assert rows["Instances"][-4:] == ["~15,100,000", "~600,700", "~652,900", "~16,400,000"]
    assert rows["Min context len."][-4:] == ["26", "56", "48", "26"]
    assert "Avg question len." in page
