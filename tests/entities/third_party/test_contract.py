"""What holds for every entry of ANNOTATION_FORMATS: a new one needs a sample in samples.py and no line here."""

from __future__ import annotations

import io
import random
from collections import Counter

import pytest

from anagnosis.documents.document import Document, Section
from anagnosis.entities.joining import join
from anagnosis.entities.third_party import ANNOTATION_FORMATS, Annotation
from anagnosis.entities.third_party.reading import annotation_formats
from anagnosis.errors import InputError
from anagnosis.registry import find
from tests.entities.third_party.samples import SAMPLES, TERMS, TEXT

PAPER = Document("1", (Section("abstract", TEXT),))
FORMATS = [*ANNOTATION_FORMATS]


def read(format: str, data: bytes) -> list[Annotation]:
    texts = find(ANNOTATION_FORMATS, format, "").read(io.BytesIO(data), Counter(), "ours")
    return [each for _, listed in texts for each in listed]


def fault_of(format: str, data: bytes) -> str:
    """The message with which a file is refused; "" if it is read."""
    try:
        join(PAPER, read(format, data), Counter())
    except InputError as fault:
        return str(fault)
    return ""


@pytest.mark.parametrize("name", FORMATS)
def test_the_terms_come_with_identifier_and_offsets(name: str) -> None:
    sample = SAMPLES[name]()
    terms = read(name, sample.whole)
    assert [(each.identifier, each.text, each.spans) for each in terms] == [
        (cui, words, ((at, at + len(words)),)) for cui, words, at in TERMS
    ]
    assert [mention.text for mention in join(PAPER, terms, Counter()).mentions] == [term[1] for term in TERMS]


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_recognised_and_no_other_is(name: str) -> None:
    data = SAMPLES[name]().whole
    modules = {other: find(ANNOTATION_FORMATS, other, "") for other in FORMATS}
    assert [other for other, module in modules.items() if module.sniff(data)] == [name]
    assert not modules[name].sniff(b"")
    assert name in annotation_formats()


@pytest.mark.parametrize("name", FORMATS)
def test_a_fault_is_one_line_with_its_place(name: str) -> None:
    with pytest.raises(InputError) as refused:
        read(name, SAMPLES[name]().fault)
    assert str(refused.value).startswith("ours")
    assert refused.value.remedy


@pytest.mark.parametrize("name", FORMATS)
def test_a_damaged_file_is_read_or_refused_in_one_line(name: str) -> None:
    whole, dice = SAMPLES[name]().whole, random.Random(7)
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(dice.randrange(1, 4)):
            data[dice.randrange(len(data))] = dice.randrange(256)
        assert "\n" not in fault_of(name, bytes(data[: dice.randrange(1, len(data) + 1)]))


def test_an_entity_bomb_is_refused() -> None:
    declared = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<!DOCTYPE a [<!ENTITY e0 "h">{declared}]>\n<a>&e9;</a>'.encode()
    with pytest.raises(InputError, match="entit"):
        read("knowtator", bomb)
