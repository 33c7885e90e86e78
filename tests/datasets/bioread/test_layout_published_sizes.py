"""Table 1 beside a BioRead-like dataset: which of its sets, in the paper's words, and the vocabulary."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.datasets.bioread.passages import gene, paper, text
from tests.datasets.bioread.records import FILE, record

from anagnosis import api
from anagnosis.datasets.cloze_statistics import VocabularySize
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


def imported(folder: Path, name: str) -> Dataset:
    (folder / name).write_text(FILE, "utf-8")
    return api.import_dataset(folder / name, folder / "theirs", layout="bioread")


@pytest.mark.parametrize(("longest", "key"), [(999, "bioread"), (400, "bioread-lite"), (401, "bioread")])
def test_a_dataset_with_lites_passages_stands_beside_lite(tmp_path: Path, longest: int, key: str) -> None:
    beside = api.show(built(tmp_path, maximum_passage_tokens=longest)).statistics.beside
    assert beside.key == key


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("train.txt", "bioread"),
        ("bioread_lite_train_part_0.txt", "bioread-lite"),
        ("BioReadLite-train.txt", "bioread-lite"),
        ("train_literature.txt", "bioread"),
    ],
)
def test_files_that_are_named_after_lite_stand_beside_lite(tmp_path: Path, name: str, key: str) -> None:
    assert api.show(imported(tmp_path, name)).statistics.beside.key == key


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
    assert re.search(r"^Vocabulary +\d+ +~3,900,000$", page, re.MULTILINE)


def test_the_vocabulary_is_that_of_the_view_that_is_named(tmp_path: Path) -> None:
    shown = api.show(built(tmp_path)).statistics.vocabulary
    assert (shown.view, shown.words) == ("global", 10)  # . @entity0 @entity1 DD acts in is mice. so the


def test_words_count_from_the_fifth_on_and_local_files_in_the_local_view(tmp_path: Path) -> None:
    passage = "@entity0 a1 a2 a3 a4 a5 b1 b2 b3 b4 @entity1"
    file = record(passage, "so XXXXXX c", ("@entity0:x", "@entity1:y"), "@entity0:x")
    (tmp_path / "train.txt").write_text(file, "utf-8")
    theirs = api.import_dataset(tmp_path / "train.txt", tmp_path / "out", layout="bioread", setting="local")
    rule = "Words of train that occur at least 5 times once digits are D."
    assert api.show(theirs).statistics.vocabulary == VocabularySize(1, rule, "local")


def test_a_dataset_of_another_paper_gets_no_vocabulary_unless_it_stands_beside_bioread(
    tmp_path: Path,
) -> None:
    dataset = built(tmp_path)
    assert api.show(dataset, beside="lite").statistics.vocabulary is None
    page = render(api.report(api.show(dataset, beside="lite")), ".txt")
    assert "Avg abstract len." in page
    assert "Vocabulary" not in page
