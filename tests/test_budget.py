from __future__ import annotations

from pathlib import Path

import pytest

from tests import budget

pytest_plugins = ["pytester"]
CONFTEST = Path(__file__).with_name("conftest.py")


def slowed(monkeypatch: pytest.MonkeyPatch, seconds: list[float]) -> None:
    monkeypatch.setattr(budget, "fixed_work", iter(seconds).__next__)


def test_a_slower_processor_has_more_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    slowed(monkeypatch, [3 * budget.SET_AT] * 5)
    assert budget.budget() == pytest.approx(45)


def test_a_faster_one_has_no_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    slowed(monkeypatch, [budget.SET_AT / 4] * 5)
    assert budget.budget() == 15


def test_a_single_pause_gives_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    slowed(monkeypatch, [budget.SET_AT] * 4 + [100 * budget.SET_AT])
    assert budget.budget() == pytest.approx(15)


def test_thefixed_work_takes_time() -> None:
    assert budget.fixed_work() > 0


@pytest.mark.parametrize(("mark", "failed"), [("", 1), ("@pytest.mark.slow", 0)])
def test_a_test_over_its_budget_fails_unless_it_is_slow(
    pytester: pytest.Pytester, mark: str, failed: int
) -> None:
    pytester.makeconftest(CONFTEST.read_text() + "\nSECONDS = 0.0\n" + "def budget():\n    return 0.0\n")
    pytester.makepyfile(f"import pytest\n\n{mark}\ndef test_busy():\n    sum(range(3_000_000))\n")
    pytester.makeini("[pytest]\nmarkers = slow: x\n")
    result = pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1 - failed, failed=failed)
    if failed:
        result.stdout.fnmatch_lines(["*make it faster or mark it slow*"])
