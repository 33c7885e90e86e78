from __future__ import annotations

from pathlib import Path

import pytest
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.language_models import prompts
from anagnosis.language_models.prompts import named

OWN = """
kind = "question"
type = "factoid"
reply = "answers"
most = 32
system = " Be short. "
context = "Text: {context}\\n"
ask = "\\n{context}{question} ({candidates}) {other} {0}"
"""
# A prompt never changes: another text is another version, since notes and logs name it.
PINNED = [
    "cloze@1-1c3d8193a689",
    "factoid@1-47e6cec22174",
    "judge@1-cb449ea89cf0",
    "list@1-b9ed4d598b30",
    "pubmedqa@1-d91896c4952a",
    "words@1-73be60fe6ccd",
    "yesno@1-507ce9359163",
]


def test_every_prompt_has_a_pinned_hash() -> None:
    assert [named(name).signed for name in prompts.names()] == PINNED


def test_a_users_prompt_is_a_file_whose_braces_are_filled_once(tmp_path: Path) -> None:
    (tmp_path / "own@3.toml").write_text(OWN)
    prompt = named(str(tmp_path / "own@3.toml"))
    assert (prompt.name, prompt.first.content) == ("own@3", "Be short.")
    shown = prompt.asked("Is {context} a {question}?", "a {candidates}", "1. {context}")
    assert shown.content == "Text: a {candidates}\nIs {context} a {question}? (1. {context}) {other} {0}"
    assert prompt.asked("Which?").content == "Which? () {other} {0}"


@each_row(
    ("text", "line"),
    [
        (OWN.replace("most = 32", "most = 0"), r"own.toml: .*Expected `int` >= 1.*docs/language_models.md"),
        (OWN.replace("reply", "replies"), r"own.toml: .*`replies`"),
        (OWN.replace('kind = "question"', ""), r"own.toml: .*missing required field `kind`"),
        ("kind = ", r"own.toml: .*Invalid value"),
        ("a" * (1 << 20) + "a", r"own.toml: .*larger than 1 "),
        (b"\xff", r"own.toml: .*utf-8"),
    ],
)
def test_a_malformed_prompt_is_refused_in_one_line(text: str | bytes, line: str, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError, match=line):
        named(str(tmp_path / "own.toml"))


@each_row(
    ("name", "line"),
    [
        ("factoid@9", r"unknown prompt 'factoid@9'; did you mean factoid@1\?"),
        ("../factoid@1", "unknown prompt"),
        ("none.toml", "none.toml: .*no such file"),
    ],
)
def test_an_unknown_prompt_is_refused(name: str, line: str) -> None:
    with pytest.raises(InputError, match=line):
        named(name)
