"""What is printed and rendered holds no character that a terminal, a browser or an editor obeys."""

from __future__ import annotations

import io
import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.errors import InputError
from anagnosis.progress import Progress, print_note
from anagnosis.reports import RENDERERS, render
from anagnosis.reports.renderers import csv
from anagnosis.reports.renderers.text import show
from anagnosis.reports.report import Report
from anagnosis.searching.citing import formats
from anagnosis.searching.citing.reference import Reference
from anagnosis.showing import escaped_json, masked, masked_line, without_formula
from tests.reports.samples import everywhere
from tests.rows import each_row

# Not from the code under test: by Unicode's categories and bidirectional classes.
_TURNING = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
OBEYED = [
    sign
    for sign in map(chr, range(0x11_000))
    if unicodedata.category(sign) in ("Cc", "Zl", "Zp", "Cs")
    or unicodedata.bidirectional(sign) in _TURNING
    or sign in "\u061c\u200e\u200f"
]
LEFT = set(OBEYED) - {"\n", "\t"}
TEXTS = st.text(st.one_of(st.sampled_from(OBEYED), st.characters()), max_size=40)
HOSTILE = "a\x1b[31mb\x07\x00\x08\r\x7f\x85\x9b2J\u061c\u200e\u202e\u2066\u2069\u2028\u2029\ud800\udfffz"


def test_each_such_character_has_a_sign_and_no_other_changes() -> None:
    for sign in map(chr, range(0x11_000)):
        assert (masked(sign) != sign) == (sign in LEFT), hex(ord(sign))
        assert (masked_line(sign) != sign) == (sign in OBEYED), hex(ord(sign))
    assert masked("a\x1b[2J\x7f\u202eb\n\tc") == "a␛[2J␡�b\n\tc"
    assert masked_line("a\nb\tc") == "a␊b␉c"
    # What only joins, parts or hides letters is text: soft hyphen, joiners, a blank of no width.
    assert masked("a\u00ad\u200c\u200d\u200b\ufeffπ🧬") == "a\u00ad\u200c\u200d\u200b\ufeffπ🧬"


@given(TEXTS)
def test_masking_keeps_the_length_and_is_done_once(text: str) -> None:
    assert not LEFT & set(masked(text))
    assert not set(OBEYED) & set(masked_line(text))
    assert len(masked(text)) == len(masked_line(text)) == len(text)
    assert masked(masked(text)) == masked(text)
    masked(text).encode()


@given(
    st.recursive(TEXTS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3))
)
def test_json_keeps_every_value_and_holds_no_such_character(value: object) -> None:
    written = escaped_json(json.dumps(value, ensure_ascii=False, indent=2))
    assert not LEFT & set(written)
    assert json.loads(written) == value


@each_row("suffix", RENDERERS)
def test_no_renderer_lets_one_through(suffix: str) -> None:
    """Plots included, whose library writes texts of its own."""
    written = render(everywhere(HOSTILE), suffix)
    assert not LEFT & set(written)
    written.encode()


@each_row("suffix", RENDERERS)
@given(text=TEXTS)
def test_no_renderer_lets_any_through_in_any_text(suffix: str, text: str) -> None:
    whole = everywhere(text)
    undrawn = Report(whole.title, tuple(block for block in whole.whole if type(block).__name__ != "Plot"))
    written = render(undrawn, suffix)
    assert not LEFT & set(written)
    written.encode()


@each_row("suffix", RENDERERS)
def test_a_renderer_of_another_package_is_masked_too(suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the one place that all pass; only JSON, which has escapes, keeps the values."""
    module = __import__(RENDERERS[suffix].partition(":")[0], fromlist=["render"])
    monkeypatch.setattr(module, "render", lambda report: report.title)
    assert not LEFT & set(render(everywhere(HOSTILE), suffix))


def test_a_terminal_gets_our_colours_and_nobody_elses() -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Screen()
    show(everywhere(HOSTILE), screen)
    assert "\x1b[31m" not in screen.getvalue()
    assert not (LEFT - {"\x1b"}) & set(screen.getvalue())


def test_messages_and_progress_are_masked(capsys: pytest.CaptureFixture[str]) -> None:
    assert str(InputError(f"no {HOSTILE}", HOSTILE, f"a\nb{HOSTILE}")).isprintable()
    print_note(f"read {HOSTILE}\nwrote all")
    with Progress(HOSTILE) as bar:
        bar._last -= 100
        bar.advance(1, note=HOSTILE)
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 2, said
    assert not LEFT & set(said)


SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"


def test_a_formula_sign_is_made_text_also_behind_what_programs_drop() -> None:
    texts = [
        f"{before}{sign}1+1" for sign in SIGNS for before in ("", " ", "\t", "\n", '"', '\t"', "'", " '\"")
    ]
    for cell in (*texts, "\tx", "\rx", "\nx"):
        assert without_formula(cell) == f"'{cell}"
    for cell in ("", "1-2", "a=1", '"quoted" = x', "β-blockers", " x"):
        assert without_formula(cell) == cell
    paper = Reference(id="1", title='\t"=1+1')
    assert '"\'\t""=1+1"' in "".join(formats.FORMATS["csv"].lines([paper]))
    assert '"\'  ""=1+1"' in csv.render(Report('\t "=1+1', ()))
