"""Progress on standard error: one line on a terminal, more now and then elsewhere, nothing when quiet."""

from __future__ import annotations

import pytest

from anagnosis import progress
from anagnosis.progress import Progress


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds as the progress sees them; tests set the last one."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[-1])
    monkeypatch.delenv("ANAGNOSIS_QUIET", raising=False)
    return now


def test_a_plain_line_now_and_then_with_rate_and_time_left(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    with Progress("screen", 4000) as bar:
        clock.append(105.0)
        bar.advance(1000)
        clock.append(109.0)
        bar.advance(1000)
        clock.append(110.0)
        bar.advance(1000)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "screen: 1,000 of 4,000 documents, 200/s, 15 s left",
        "screen: 3,000 of 4,000 documents, 300/s, 3 s left",
    ]


def test_without_a_total_the_share_gives_the_time_left(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    with Progress("read", unit="lines") as bar:
        clock.append(110.0)
        bar.advance(50, share=0.25)
        clock.append(120.0)
        bar.advance(50)
    assert capsys.readouterr().err.splitlines() == [
        "read: 50 lines, 5/s, 30 s left",
        "read: 100 lines, 5/s",
    ]


def test_quiet_says_nothing(
    clock: list[float], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANAGNOSIS_QUIET", "1")
    with Progress("screen", 10) as bar:
        clock.append(500.0)
        bar.advance(5)
    assert capsys.readouterr() == ("", "")


def test_a_terminal_gets_one_line_that_is_gone_at_the_end(
    clock: list[float], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress.sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "30")
    with Progress("screen\x1b", 10) as bar:
        clock.append(100.1)
        bar.advance(1)
        clock.append(102.0)
        bar.advance(4)
    erased = "\r\x1b[K"
    lines = ("screen␛", "screen␛: 5 of 10 documents, 2/s"[:29], "")
    assert capsys.readouterr() == ("", "".join(f"{erased}{line}" for line in lines))
