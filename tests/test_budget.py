from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
CONFTEST = Path(__file__).with_name("conftest.py")


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
