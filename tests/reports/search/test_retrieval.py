"""The page on rankings: a row a system, the best first, tests beside it, and only what there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.reports.stored import check_stored
from tests.retrieval_files import written

from anagnosis import api
from anagnosis.reports.report import Report


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path)


def made(folder: Path, *names: str, **options: object) -> Report:
    return api.report(
        api.evaluate_search(
            [folder / f"{name}.run" for name in names], judgements=folder / "qrels.txt", **options
        )
    )


def test_the_best_stands_first_with_its_tests_and_what_does_not_fit(folder: Path) -> None:
    topics = (folder / "topics.tsv").read_text() + f"q9\t{'long ' * 50}\n"
    (folder / "topics.tsv").write_text(topics)
    check_stored("retrieval", made(folder, "other", "best", topics=folder / "topics.tsv").whole)


def test_one_system_has_no_tests_and_what_fits_needs_no_words(folder: Path) -> None:
    for name in ("best.run", "qrels.txt"):
        lines = (folder / name).read_text().splitlines()
        (folder / name).write_text("\n".join(line for line in lines if line[:2] in ("q1", "q2")))
    check_stored("retrieval-of-one", made(folder, "best").whole)
