"""What all tests share: a calm environment, the real data beside the checkout, a budget of 15 processor seconds."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.budget import SECONDS, budget

# Before numpy, pyarrow or a child process reads them: one thread a process, no display, no network.
os.environ.update(
    OMP_NUM_THREADS="1",
    OPENBLAS_NUM_THREADS="1",
    GOMP_SPINCOUNT="0",
    POLARS_MAX_THREADS="1",
    MPLBACKEND="Agg",
    HF_HUB_OFFLINE="1",
    HF_DATASETS_OFFLINE="1",
    HF_HUB_DISABLE_TELEMETRY="1",
    NO_COLOR="1",
)

ROOT = Path(__file__).resolve().parents[1]
pytest_plugins = ["tests.cluster.fixtures"]
_begun = pytest.StashKey[float]()


def pytest_configure(config: pytest.Config) -> None:
    """hypothesis draws 20 examples; `make test-all` asks for 200."""
    from hypothesis import settings

    for name, examples in (("quick", 20), ("thorough", 200)):
        settings.register_profile(
            name, max_examples=examples, deadline=None, derandomize=True, database=None, print_blob=True
        )
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("quick")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data beside the checkout."""
    folder = ROOT.parent / "shared"
    if not (folder / "data").is_dir():
        pytest.skip("real data beside the checkout is absent")
    return folder


@pytest.fixture(scope="session")
def browser() -> Generator[Any]:
    """Chromium, started once a worker. Playwright keeps a loop in this thread: `asyncio.run` needs another."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no chromium to test pages in")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(autouse=True)
def _not_quiet() -> None:
    """`--quiet` holds for the rest of its process, which a command line owns and tests share."""
    os.environ.pop("ANAGNOSIS_QUIET", None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "shared" in getattr(item, "fixturenames", ()) and item.get_closest_marker("shared") is None:
            item.add_marker(pytest.mark.shared)


def _processor_seconds() -> float:
    """What this process has used, with the children that it waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    item.stash[_begun] = _processor_seconds()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that uses over 15 s of a processor, its fixtures included, must be marked slow or made faster.

    Seconds on the clock would also count what other work takes from a busy machine.
    """
    report = yield
    spent = _processor_seconds() - item.stash[_begun]
    if (
        report.when == "call"
        and report.passed
        and spent > SECONDS
        and not any(item.get_closest_marker(name) for name in ("slow", "cluster"))
        and spent > (allowed := budget())
    ):
        report.outcome = "failed"
        report.longrepr = (
            f"used {spent:.1f} s of a processor, over the {allowed:.1f} s of an unmarked test here: "
            "make it faster or mark it slow"
        )
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Skips by reason, with how many tests each one took."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.getreports("skipped")
        if isinstance(report.longrepr, tuple)
    )
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(f"skipped {count}: {reason}")
