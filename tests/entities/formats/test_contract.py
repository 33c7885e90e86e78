"""What holds for every entry of TERM_FORMATS: a new one needs a sample in samples.py and no line here."""

from __future__ import annotations

import io
import random
from collections import Counter
from typing import Any

import pytest

from anagnosis.entities.concepts import Term
from anagnosis.entities.formats import TERM_FORMATS
from anagnosis.entities.vocabulary import detect, format_module
from anagnosis.errors import InputError
from tests.entities.formats.samples import IDENTIFIER, NAME, SAMPLES, SYNONYM

pytestmark = pytest.mark.parametrize("name", TERM_FORMATS)


def read(name: str, data: bytes) -> list[Term]:
    return list(format_module(name).read(io.BytesIO(data), Counter(), "ours"))


def test_the_sample_is_read(name: str):
    (term,) = read(name, SAMPLES[name].encode())
    assert term.identifier == IDENTIFIER
    assert term.name == NAME
    assert SYNONYM in [synonym.text for synonym in term.synonyms]


def test_the_sample_is_detected_and_by_no_other(name: str):
    data = SAMPLES[name].encode()
    stream: Any = io.BufferedReader(io.BytesIO(data))  # pyright: ignore[reportArgumentType]  (typeshed asks for a raw stream)
    assert detect(stream, "ours") == name
    assert [other for other in TERM_FORMATS if format_module(other).sniff(data)] == [name]


def test_line_ends_of_windows_change_nothing(name: str):
    assert read(name, SAMPLES[name].replace("\n", "\r\n").encode()) == read(name, SAMPLES[name].encode())


def test_no_damage_ends_otherwise_than_in_one_line(name: str):
    draw, data = random.Random(name), SAMPLES[name].encode()
    messages: list[str] = []
    for _ in range(300):
        damaged = bytearray(data)
        for _ in range(draw.randint(1, 4)):
            place = draw.randrange(len(damaged))
            how = draw.randrange(3)
            if how == 0:
                damaged[place] = draw.choice(b'|\t\n"<>&=:!{}\xff\x00A')
            elif how == 1:
                del damaged[place : place + draw.randint(1, 30)]
            else:
                damaged[place:place] = draw.choice((b"|", b"\t", b"\n", b'"', b"<", b"[Term]\n"))
            damaged = damaged or bytearray(b"\n")
        try:
            read(name, bytes(damaged))
        except InputError as fault:
            messages.append(str(fault))
    assert messages
    assert [message for message in messages if "\n" in message or not message.startswith("ours")] == []
