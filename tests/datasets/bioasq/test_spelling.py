"""How a file spells its JSON is found out and kept."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

from tests.golden_files import gson, python2, questions
from tests.rows import each_row

from anagnosis.datasets.bioasq.spelling import ONE_LINE, SpelledFile, Spelling, SpellingSeen

STYLES: dict[str, tuple[Callable[[Any], str], Spelling]] = {
    "edition 1": (lambda found: python2(found, 4), Spelling(4, ", ", ": ", "ascii")),
    "editions 2 to 8": (python2, Spelling(2, ", ", ": ", "ascii")),
    "editions 9 to 11": (gson, Spelling(2, ",", ": ", "html")),
    "one line": (lambda found: json.dumps({"questions": found}), Spelling(ONE_LINE, ", ", ": ", "ascii")),
    "no blanks": (
        lambda found: json.dumps({"questions": found}, separators=(",", ":"), ensure_ascii=False),
        Spelling(ONE_LINE, ",", ":", "raw"),
    ),
}


@each_row("count", [0, 1, 3])
@each_row(("write", "spelling"), STYLES.values(), ids=STYLES)
def test_a_file_is_written_as_its_program_does(
    write: Callable[[Any], str], spelling: Spelling, count: int
) -> None:
    found = questions(count)
    stream = io.BytesIO()
    file = SpelledFile(spelling, stream.write)
    for value in found:
        file.add(spelling.text(value, 2))
    file.close()
    assert (stream.getvalue().decode(), file.questions) == (write(found), count)


@each_row(("write", "spelling"), STYLES.values(), ids=STYLES)
def test_the_spelling_is_seen(write: Callable[[Any], str], spelling: Spelling) -> None:
    seen = SpellingSeen(write(questions()).encode()[:4096])
    seen.add(write(questions()))
    assert seen.spelling("") == spelling


def test_line_separators_are_escaped_as_gson_does() -> None:
    assert Spelling().text("a\u2028b=", 2) == '"a\\u2028b\\u003d"'
