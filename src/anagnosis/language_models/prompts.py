"""Prompts by name and version, as TOML files beside this module: `factoid@1`. A user's own is a file of the same form.

kind = "question"           what it asks about: a kind of dataset; "judge" for sentences of a search
type = "factoid"            of the questions that it asks, "" for all
reply = "answers"           how a reply is read: readers/prompted/replies.py
most = 96                   tokens of a reply
system = "…"                what the model reads first
context = "…{context}…"     left out where no context is shown
ask = "{context}…{question}…{candidates}…"
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Annotated

import msgspec

from anagnosis.errors import unknown_name
from anagnosis.io.decoding import decoding_faults
from anagnosis.io.files import display_name
from anagnosis.io.paths import read_file
from anagnosis.language_models.calls import Message

_OURS, _ENDING = resources.files("anagnosis.language_models") / "prompts", ".toml"
_LARGEST = 1 << 20  # bytes of a file
_REMEDY = "write it as docs/language_models.md says"
_PLACE = re.compile(r"\{(context|question|candidates)\}")


class Prompt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """See the module. name: with its version. text: of its file."""

    kind: str
    reply: str
    system: str
    ask: str
    most: Annotated[int, msgspec.Meta(ge=1, le=1 << 20)]
    type: str = ""
    context: str = ""
    name: str = ""
    text: str = ""

    @property
    def signed(self) -> str:
        """The name, and the beginning of the SHA-256 of its file, for signatures and notes."""
        return f"{self.name}-{sha256(self.text.encode()).hexdigest()[:12]}"

    def asked(self, question: str, context: str = "", candidates: str = "") -> Message:
        """What the user's turn says. Braces in texts mean nothing."""
        shown = _filled(self.context, {"context": context}) if context else ""
        texts = {"question": question, "candidates": candidates, "context": shown}
        return Message("user", _filled(self.ask, texts).strip())

    @property
    def first(self) -> Message:
        """What the model reads first."""
        return Message("system", self.system.strip())


def names() -> list[str]:
    """The prompts that come with anagnosis."""
    return sorted(file.name.removesuffix(_ENDING) for file in _OURS.iterdir() if file.name.endswith(_ENDING))


def named(name: str) -> Prompt:
    """A prompt of ours, or of a user's file that ends in .toml. InputError: there is none, or it is malformed."""
    is_ours = name in names()
    if not is_ours and not name.endswith(_ENDING):
        raise unknown_name("prompt", name, names())
    with decoding_faults(display_name(name), _REMEDY):
        file = str(_OURS / f"{name}{_ENDING}") if is_ours else name
        text = read_file(file, _LARGEST).decode()
        made = msgspec.convert(tomllib.loads(text), Prompt)
    return msgspec.structs.replace(made, name=Path(name).name.removesuffix(_ENDING), text=text)


def _filled(template: str, texts: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda match: texts.get(match[1], ""), template)
