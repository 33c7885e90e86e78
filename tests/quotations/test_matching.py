"""A quotation in a text, word for word or nearly."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.quotations.matching import differences, ignored, nearly, parts, word_for_word

TEXT = (
    "Background: it is known. The 1,204 women who did not smoke had a 12.5% lower risk (p < .001) of non-fatal stroke; "
    "“salt–sensitive” IL-6 was −0.5 ± 2 × 10⁻⁵, and it was in effective use. Nothing else."
)
SENTENCE = TEXT[25:-14]


@each_row(
    "quoted, named",
    [
        ("The 1,204 women who did not smoke", []),
        ("the 1,204 women  who\ndid not smoke", ["spaces", "case"]),
        ("had a 12.5% lower risk (p < 0.001) of nonfatal", ["dashes", "numbers and signs in another form"]),
        ("1204 women who did not smoke", ["numbers and signs in another form"]),
        ("of non-\nfatal stroke", ["hyphens at line ends"]),
        ("of non-\nfatal  ſtroke", ["spaces", "hyphens at line ends"]),
        ("of non-fatal ſtroke", ["letters in another form"]),
        ("non-fatal ﬆroke", ["ligatures"]),
        ('stroke; "salt-sensitive" IL-6', ["dashes", "quotation marks"]),
        ("lower risk (p < .001) of non-fatal stroke, “salt–sensitive” IL-6", ["punctuation"]),
        ("was -0.5 +/- 2 × 10^-5", ["dashes", "numbers and signs in another form"]),
        ("[T]he 1,204 women", []),
    ],
)
def test_harmless_differences_are_ignored_and_named(quoted: str, named: list[str]) -> None:
    (part,) = parts(quoted)
    found = word_for_word(part, TEXT)
    assert found
    assert ignored(part, TEXT[found.begin : found.end]) == named


@each_row(
    "quoted, says, there",
    [
        ("The 1,205 women who did not smoke", "1,205", "1,204"),
        ("The 1,204 women who did smoke", "", "not"),
        ("did not smoke had a 1.25% lower risk", "1.25", "12.5"),
        ("had a 12.5 lower risk (p < .001)", "", "%"),
        ("12.5% lower risk (p > .001) of non-fatal", ">", "<"),
        ("“salt–sensitive” IL-6 was 0.5 ± 2 ×", "", "−"),
        ("IL-6 was −0.5 ± 2 × 10⁵, and", "10⁵", "10⁻⁵"),
        ("12.5% lower risk of non-fatal stroke (p < .001", "", ""),
        ("and it was ineffective use", "", ""),
        ("omen who did not smoke had", "", ""),
    ],
)
def test_what_changes_the_meaning_is_no_harmless_difference(quoted: str, says: str, there: str) -> None:
    assert word_for_word(quoted, TEXT) is None
    if says or there:
        found = nearly(quoted, TEXT, 2)
        assert found
        (one,) = differences(quoted, TEXT[found.begin : found.end])
        assert (one.quoted, one.text) == (says, there)


@each_row("sign", ["…", "...", " [...] ", "(…)", ". . ."])
def test_an_ellipsis_splits_a_quotation(sign: str) -> None:
    assert parts(f"who did not{sign}lower risk") == ["who did not", "lower risk"]


WAYS = (
    lambda text: text[0].swapcase() + text[1:],
    lambda text: text.replace(" ", "\n", 3).replace(" ", "  ", 2),
    lambda text: text.replace("ff", "ﬀ"),
    lambda text: text.replace("wom", "wom-\n"),
    lambda text: text.replace("–", "-").replace("−", "-"),
    lambda text: text.replace("“", '"').replace("”", '"'),
    lambda text: re.sub(r"(?<=[a-zA-Z])-", "\u2010", text),
    lambda text: text.rstrip(".").replace(";", ","),
)


@given(st.sets(st.sampled_from(WAYS)), st.integers(0, len(SENTENCE.split()) - 6), st.randoms())
def test_typed_harmlessly_a_sentence_is_found_and_changed_it_never_is(ways: set, first: int, draw) -> None:  # type: ignore[type-arg]
    tokens = SENTENCE.split()
    tokens = tokens[first : draw.randint(first + 6, len(tokens))]
    typed = " ".join(tokens)
    changed = [
        *(" ".join([*tokens[:at], "other", *tokens[at + 1 :]]) for at in range(len(tokens)) if tokens[at][0].isalpha()),
        *(" ".join([*tokens[:at], "not", *tokens[at:]]) for at in range(1, len(tokens))),
        *(typed.replace(digit, str((int(digit) + 1) % 10)) for digit in {*typed} if digit in "0123456789"),
    ]  # fmt: skip
    for way in ways:
        typed, changed = way(typed), [*map(way, changed)]
    assert word_for_word(typed, TEXT)
    for one in changed:
        assert word_for_word(one, TEXT) is None, one
