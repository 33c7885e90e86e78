"""The page on rankings: a row a system, the best first, tests beside it, and only what there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.retrieval_files import written

from anagnosis import api
from anagnosis.reports.renderers.text import render
from anagnosis.reports.report import Estimate, Report, Table


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path)


def made(folder: Path, *names: str, **options: object) -> Report:
    return api.report(
        api.evaluate_search(
            [folder / f"{name}.run" for name in names], judgements=folder / "qrels.txt", **options
        )
    )


def tables(report: Report) -> dict[str, Table]:
    return {block.caption: block for block in report.blocks if isinstance(block, Table)}


def test_the_best_stands_first_and_every_number_has_its_interval_and_signature(folder: Path) -> None:
    table = tables(made(folder, "other", "best"))["Retrieval of all systems"]
    assert [row[0] for row in table.rows] == ["best", "other"]
    assert all(isinstance(cell, Estimate) for row in table.rows for cell in row[1:6])
    assert len(table.signatures) == 5
    assert [column.best for column in table.columns[1:6]] == ["high"] * 4 + [""]


def test_a_test_a_measure_and_none_for_how_much_was_judged(folder: Path) -> None:
    found = tables(made(folder, "other", "best"))
    tests = [caption for caption in found if caption.startswith("Paired tests")]
    assert tests == [
        f"Paired tests of {name}" for name in ("ndcg@10", "map", "reciprocal_rank@10", "recall@100")
    ]
    assert found[tests[0]].rows[0][0] == "best over other"
    assert found[tests[0]].rows[0][-1] == "tied"


def test_the_queries_furthest_apart_are_shown_with_their_words(folder: Path) -> None:
    table = tables(made(folder, "other", "best", topics=folder / "topics.tsv"))[
        "Queries on which best and other are furthest apart (ndcg@10)"
    ]
    assert [row[:2] for row in table.rows][:1] == [("q3", "pregnancy and COVID-19")]
    assert table.rows[0][4] == table.rows[0][2]


def test_one_system_has_no_tests_and_what_fits_needs_no_words(folder: Path) -> None:
    assert not [caption for caption in tables(made(folder, "best")) if "Paired" in caption]
    for name in ("best.run", "qrels.txt"):
        lines = (folder / name).read_text().splitlines()
        (folder / name).write_text("\n".join(line for line in lines if line[:2] in ("q1", "q2")))
    assert "Left out or missing" not in tables(made(folder, "best"))


def test_words_of_a_query_cannot_steer_the_terminal(folder: Path) -> None:
    topics = (folder / "topics.tsv").read_text().replace("pregnancy", "\x1b[31mpregnancy")
    (folder / "topics.tsv").write_text(topics + f"q9\t{'long ' * 50}\n")
    text = render(made(folder, "other", "best", topics=folder / "topics.tsv"))
    assert "\x1b" not in text
    assert "pregnancy" in text
