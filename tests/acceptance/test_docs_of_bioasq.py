"""The commands of docs/bioasq.md and the Python of docs/measures.md."""

from __future__ import annotations

import re
import shlex
from fnmatch import fnmatch
from itertools import pairwise
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs/bioasq.md"


def test_the_python_of_the_page_of_measures_says_what_it_says() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.with_name("measures.md").read_text("utf-8"), re.DOTALL)
    exec(compile(block, "measures.md", "exec"), {})


PATH = re.compile(r"(?:\w+=)?([\w.*-]+/[\w./*-]*|[\w*-]+\.(?:jsonl|json|html|bin|pubtator\.gz|tar\.gz))")


def test_the_page_s_commands_read_only_what_an_earlier_line_makes_or_its_first_table_names() -> None:
    text = PAGE.read_text("utf-8")
    blocks = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    there = set(re.findall(r"`([^`\n]+)`", text[: text.index("## Files")].replace("```", "")))
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    commands = [shlex.split(line, comments=True) for line in lines if line.startswith("anagnosis ")]
    assert len(commands) > 40
    for words in commands:
        made = {
            after.rstrip("/")
            for word, after in pairwise(words)
            if word == "--out" or (word == "--sheets" and "--draw" in words)
        }
        named = [match[1].rstrip("/") for word in words[1:] if (match := PATH.fullmatch(word))]
        missing = {name for name in named if not any(fnmatch(name, one) for one in there | made)}
        assert not missing, f"{shlex.join(words)}: no earlier line makes {', '.join(sorted(missing))}"
        there |= made
