"""The commands of docs/bioasq.md and the Python of docs/measures.md."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs/bioasq.md"


def test_the_python_of_the_page_of_measures_says_what_it_says() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.with_name("measures.md").read_text("utf-8"), re.DOTALL)
    exec(compile(block, "measures.md", "exec"), {})
