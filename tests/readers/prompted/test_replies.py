from __future__ import annotations

import json

from tests.rows import each_row

from anagnosis.readers.prompted.replies import LONGEST, MOST, REPLIES

KEYS = ["gene/1", "gene/2", "disease/3"]
LIST = '["MECP2", "CDKL5"]'


@each_row(
    ("form", "text", "answers"),
    [
        ("answers", LIST, ["MECP2", "CDKL5"]),
        ("answers", f" {LIST}\n", ["MECP2", "CDKL5"]),
        ("answers", f"```json\n{LIST}\n```", ["MECP2", "CDKL5"]),
        ("answers", f"```\n{LIST}\n```\n", ["MECP2", "CDKL5"]),
        ("answers", "[]", []),
        ("answers", '["a  b\\nc"]', ["a b c"]),
        ("answers", f'["{"x" * LONGEST}"]', ["x" * LONGEST]),
        ("answers", f'["{"x" * (LONGEST + 1)}"]', None),
        ("answers", json.dumps(["a"] * MOST), ["a"] * MOST),
        ("answers", json.dumps(["a"] * (MOST + 1)), None),
        ("answers", '["MECP2", ""]', None),
        ("answers", '["MECP2", 5]', None),
        ("answers", '"MECP2"', None),
        ("answers", "MECP2", None),
        ("answers", "", None),
        ("answers", f"Reply: {LIST}", None),
        ("answers", f"{LIST} {LIST}", None),
        ("answers", f"{LIST}\n```", None),
        ("answers", f"```python\n{LIST}\n```", None),
        ("answers", f"```json\n{LIST}\n```\nThese are genes.", None),
        ("answers", "[" * 100_000, None),
        ("answers", '{"answers": ["MECP2"]}', None),
        ("yes-no", "yes", ["yes"]),
        ("yes-no", " No.\n", ["no"]),
        ("yes-no", "maybe", None),
        ("yes-no", "yes..", None),
        ("yes-no", "yes, it does", None),
        ("yes-no", "yes no", None),
        ("yes-no", "yes or no", None),
        ("yes-no", "oui", None),
        ("yes-no", "", None),
        ("yes-no-maybe", "MAYBE.", ["maybe"]),
        ("number", "2", ["gene/2"]),
        ("number", " 3.\n", ["disease/3"]),
        ("number", "0", None),
        ("number", "4", None),
        ("number", "-1", None),
        ("number", "01", None),
        ("number", "\u0662", None),
        ("number", "1 or 2", None),
        ("number", "1, 2", None),
        ("number", "1. gene", None),
        ("number", "gene/2", None),
        ("number", "9" * 5_000, None),
        ("words", " low grade  fever ", ["low grade fever"]),
        ("words", "a b c d e f g h i j", ["a b c d e f g h i j"]),
        ("words", "a b c d e f g h i j k", None),
        ("words", "fever\ncough", None),
        ("words", " \n", None),
        ("words", "x" * LONGEST, ["x" * LONGEST]),
        ("words", "x" * (LONGEST + 1), None),
    ],
)
def test_a_reply_is_read_strictly_or_gives_no_answer(form: str, text: str, answers: list[str] | None) -> None:
    _, parse = REPLIES[form]
    assert parse(text, KEYS) == answers
