"""What every renderer owes, held over their table: a new one is tested before its author writes a test."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import pytest
from tests.reports.samples import every_block, everywhere
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.reports import RENDERERS, render, save
from anagnosis.reports.report import Column, Estimate, Report, Table

SUFFIXES = list(RENDERERS)


@each_row("suffix", SUFFIXES)
def test_every_block_is_shown(suffix: str) -> None:
    shown = render(every_block(), suffix)
    for words in (
        "A report",
        "Systems",
        "plain words",
        "aside",
        "warning",
        "overlap",
        "Wilson",
        "3fa92c",
        "biomrc",
        "lung cancer",
    ):
        assert words in shown
    for title in ("By candidates", "By group", "Accuracies", "Differences"):
        assert title in shown
    assert shown.endswith("\n")
    assert not shown.endswith("\n\n")


@each_row("suffix", SUFFIXES)
def test_a_report_without_blocks_and_a_table_without_rows_are_shown(suffix: str) -> None:
    assert "Empty" in render(Report("Empty"), suffix)
    assert "Empty" in render(Report("Empty", (Table("None", (), ()),)), suffix)


@each_row("suffix", SUFFIXES)
@each_row("text", ["", "$x$", "a\nb\tc", "β-катенин 蛋白", "{{ 1 }} {% raw %}", "\\", "x" * 300])
def test_any_text_stands_anywhere(suffix: str, text: str) -> None:
    assert render(everywhere(text), suffix)


def test_a_report_is_saved_in_the_format_of_its_suffix(tmp_path: Path) -> None:
    for suffix in SUFFIXES:
        path = save(every_block(), tmp_path / f"report{suffix}")
        assert path.read_text("utf-8") == render(every_block(), suffix)


def test_a_report_is_no_data(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="save what the verb returned, not its report"):
        save(every_block(), tmp_path / "report.json")


def test_an_unknown_suffix_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"unknown report format '.htm'; there are .html, .md"):
        save(every_block(), tmp_path / "report.htm")
    with pytest.raises(InputError, match=r"the suffix decides the report's format; end it in .html, .md"):
        save(every_block(), tmp_path / "report")


def test_the_plots_are_the_same_in_another_process() -> None:
    code = (
        "import hashlib; from anagnosis.reports import render; from tests.reports.samples import every_block;"
        "print(hashlib.sha256(render(every_block(), '.html').encode()).hexdigest())"
    )
    run = [sys.executable, "-c", code]
    first, second = (
        subprocess.run(
            run,
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "HOME": "/nowhere"},
            cwd=Path(__file__).parents[2],
        ).stdout
        for seed in "12"
    )
    assert first == second


def test_a_report_of_tables_needs_neither_matplotlib_nor_rich() -> None:
    code = (
        "import sys; from anagnosis.reports import RENDERERS, render;"
        "from tests.reports.samples import SYSTEMS;"
        "from anagnosis.reports.report import Report;"
        "[render(Report('R', (SYSTEMS,)), suffix) for suffix in RENDERERS];"
        "print({'matplotlib', 'rich', 'scipy', 'numpy', 'pyarrow'} & set(sys.modules))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert run.stdout.strip() == "set()"


COLUMNS = (Column("system"), Column("test", "percent"))


def test_a_row_with_too_few_cells_is_refused() -> None:
    with pytest.raises(ValueError, match="a row of 1 cells, 2 columns"):
        Table("All", COLUMNS, (("first",),))


@pytest.mark.parametrize("cell", [math.nan, math.inf, Estimate(0.5, math.nan, 0.6)])
def test_a_value_that_is_no_number_is_refused(cell: float | Estimate) -> None:
    with pytest.raises(ValueError, match="None says that there is none"):
        Table("All", COLUMNS, (("first", cell),))


def test_a_table_without_rows_is_a_table() -> None:
    assert Table("All", COLUMNS, ()).rows == ()
