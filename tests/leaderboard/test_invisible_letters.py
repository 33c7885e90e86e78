"""Characters that nothing shows: those that a name may not hold."""

from __future__ import annotations

import sys
import unicodedata

from tests.rows import each_row

from anagnosis.leaderboard.invisible_letters import is_invisible


@each_row("char", "\u00ad\u034f\u115f\u1160\u17b4\u180e\u200b\u2800\u3164\ufe0f\ufeff\uffa0\U000e0101")
def test_what_nothing_shows_is_invisible(char: str) -> None:
    assert is_invisible(char)


@each_row("char", "a 가ᄀ\u0301ー北\u1161!")
def test_what_is_seen_is_not(char: str) -> None:
    assert not is_invisible(char)


def test_all_fillers_of_hangul_and_variation_selectors_are_among_them() -> None:
    names = {char: unicodedata.name(char, "") for char in map(chr, range(sys.maxunicode + 1))}
    fillers = [char for char, name in names.items() if "HANGUL" in name and name.endswith(" FILLER")]
    selectors = [char for char, name in names.items() if "VARIATION SELECTOR" in name]
    assert (len(fillers), len(selectors)) >= (4, 259)
    assert [char for char in fillers + selectors if not is_invisible(char)] == []
