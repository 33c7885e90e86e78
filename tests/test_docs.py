"""What the pages say works: their examples run, their links lead somewhere.

A page's `console` blocks are one session: each line that starts with `$ anagnosis` is run, in order, in an
empty folder where `corpus/` holds the carried corpus. Other commands (make, pip, a download) are not run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
NOTES = sorted((ROOT / "design").glob("*.md"))
BLOCK = re.compile(r"^( *)```console\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")


def generated(page: Path) -> bool:
    return "generated" in page.read_text(encoding="utf-8").partition("\n")[0].lower()


def examples(text: str) -> list[str]:
    """The commands of a page's console blocks, a line that ends in a backslash joined with the next."""
    commands: list[str] = []
    for _, block in BLOCK.findall(text):
        lines = iter(block.splitlines())
        for line in lines:
            command = line.strip()
            while command.endswith("\\"):
                command = command[:-1] + next(lines, "").strip().removeprefix("> ")
            if command.startswith("$ anagnosis"):
                commands.append(command.removeprefix("$ "))
    return commands


WITH_EXAMPLES = [page for page in PAGES if not generated(page) and examples(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.name)
def test_every_example_of_a_page_runs(page: Path, tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    for carried in (ROOT / "src/anagnosis/corpus").glob("*.pubtator*"):
        shutil.copy(carried, tmp_path / "corpus")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for command in examples(page.read_text(encoding="utf-8")):
        run = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert run.returncode == 0, f"{page.name}: {command}\n{run.stdout[-2000:]}{run.stderr[-2000:]}"


@pytest.mark.parametrize("page", [*PAGES, *NOTES], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for found in LINK.findall(page.read_text(encoding="utf-8")):
        target = (found[0] or found[1]).partition("#")[0]
        if target and "://" not in target and not target.startswith("mailto:"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"


def test_commands_are_taken_from_console_blocks_only() -> None:
    page = (
        "```console\n$ make demo\n$ anagnosis formats\npubtator\n"
        "$ anagnosis build biomrc \\\n      a --out b\n```\n"
        "```text\n$ anagnosis never\n```\n- a list\n\n  ```console\n  $ anagnosis readers\n  ```\n"
    )
    assert examples(page) == ["anagnosis formats", "anagnosis build biomrc a --out b", "anagnosis readers"]
