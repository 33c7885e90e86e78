"""Offsets in every convention give the same mentions, whatever format has them."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis import api
from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats import pubtator
from anagnosis.documents.formats.bioc import json as bioc_json
from anagnosis.documents.offsets import Claim, Place, Segment, Spans, places
from anagnosis.documents.repairs import Repairs
from anagnosis.entities.joining import join
from anagnosis.entities.third_party import Annotation

Read = Callable[[list[tuple[int, int]], str, int], tuple[Document, Counter[str]]]
TITLE = "Effect of 𝛽-blockers and aspirin on asthma 📉"
ABSTRACT = "We gave aspirin for asthma. TNF-α was measured in “patients”. The naïve patients had asthma."
TEXTS = (TITLE, ABSTRACT)
WORDS = ("aspirin", "asthma", "TNF-α", "patients")
WIDTHS = {"characters": "utf-32-le", "utf16": "utf-16-le", "bytes": "utf-8"}
SIZES = {"characters": 4, "utf16": 2, "bytes": 1}


def width(text: str, unit: str) -> int:
    return len(text.encode(WIDTHS[unit])) // SIZES[unit]


def slices(texts: tuple[str, ...], words: tuple[str, ...]) -> list[tuple[int, int, int]]:
    """(passage, start, end in the passage) of every occurrence of the words, in order."""
    return sorted(
        (number, start, start + len(word))
        for number, text in enumerate(texts)
        for word in words
        for start in range(len(text))
        if text.startswith(word, start)
    )


def spans(
    texts: tuple[str, ...], found: list[tuple[int, int, int]], unit: str, joint: int
) -> list[tuple[int, int]]:
    """The slices as a file of this convention counts them."""
    starts = [0]
    for text in texts:
        starts.append(starts[-1] + width(text, unit) + joint)
    return [
        (
            starts[number] + width(texts[number][:start], unit),
            starts[number] + width(texts[number][:end], unit),
        )
        for number, start, end in found
    ]


FOUND = slices(TEXTS, WORDS)
SURFACES = [TEXTS[number][start:end] for number, start, end in FOUND]
RIGHT = spans(TEXTS, FOUND, "characters", 1)
# (unit, joint, what is counted)
CONVENTIONS = [
    (unit, joint, unit_counts | joint_counts)
    for unit, unit_counts in zip(WIDTHS, ({}, {"offsets_in_utf16": 1}, {"offsets_in_bytes": 1}))
    for joint, joint_counts in ((1, {}), (0, {"abstract_offset_0": 1}), (2, {"abstract_offset_2": 1}))
]  # fmt: skip


def of_pubtator(given: list[tuple[int, int]], unit: str, joint: int) -> tuple[Document, Counter[str]]:
    repairs = Repairs()
    rows = [f"1\t{a}\t{b}\t{word}\tX\tD1" for (a, b), word in zip(given, SURFACES, strict=True)]
    data = "\n".join([f"1|t|{TITLE}", f"1|a|{ABSTRACT}", *rows, "", ""]).encode()
    (document,) = pubtator.read(io.BytesIO(data), repairs, "1.txt")
    return document, repairs.counts


def of_bioc(given: list[tuple[int, int]], unit: str, joint: int) -> tuple[Document, Counter[str]]:
    """The file declares where its passages begin, so that its joint is no news; here as if each letter were one."""
    repairs = Repairs()
    starts = (0, width(TITLE, unit) + joint)
    passages = [
        {
            "offset": start,
            "text": text,
            "infons": {"type": kind},
            "annotations": [
                {
                    "text": word,
                    "infons": {"type": "X", "identifier": "D1"},
                    "locations": [{"offset": a, "length": b - a}],
                }
                for (a, b), word, (place, _, _) in zip(given, SURFACES, FOUND, strict=True)
                if place == number
            ],
        }
        for number, (start, text, kind) in enumerate(zip(starts, TEXTS, ("title", "abstract"), strict=True))
    ]
    data = msgspec.json.encode({"id": "1", "passages": passages})
    (document,) = bioc_json.read(io.BytesIO(data), repairs, "1.json")
    for name in ("abstract_offset_0", "abstract_offset_2"):
        assert name not in repairs.counts
    declared = {f"abstract_offset_{joint}": 1} if joint in (0, 2) else {}
    return document, repairs.counts + Counter(declared)


def of_annotations(given: list[tuple[int, int]], unit: str, joint: int) -> tuple[Document, Counter[str]]:
    counts = Counter[str]()
    paper = Document("1", (Section("title", TITLE), Section("abstract", ABSTRACT)))
    listed = [Annotation((each,), word, "X", "D1") for each, word in zip(given, SURFACES, strict=True)]
    document = join(paper, listed, counts)
    assert counts.pop("mention") == len(listed)
    return document, +counts


@each_row(("unit", "joint", "counted"), CONVENTIONS)
@pytest.mark.parametrize("read", [of_pubtator, of_bioc, of_annotations])
def test_every_convention_gives_the_same_mentions_and_is_reported(
    read: Read, unit: str, joint: int, counted: dict[str, int]
) -> None:
    document, counts = read(spans(TEXTS, FOUND, unit, joint), unit, joint)
    assert [(each.start, each.end) for each in document.mentions] == RIGHT
    assert [each.text for each in document.mentions] == SURFACES
    assert counts == counted


def placed(claims: list[Claim], texts: tuple[str, ...], **further: Any) -> tuple[list[Place], dict[str, int]]:
    counts = Counter[str]()
    return places(claims, texts, counts, **further), dict(counts)


def test_wrong_places_of_passages_are_recounted_in_the_unit_of_the_mentions() -> None:
    declared = [[Segment(0, 0, len(TITLE))], [Segment(500, len(TITLE) + 1, len(ABSTRACT))]]
    given = spans(TEXTS, FOUND, "bytes", 1)
    claims = [Claim((each,), word) for each, word in zip(given, SURFACES, strict=True)]
    found, counts = placed(claims, TEXTS, declared=declared)
    assert [place.spans for place in found] == [(each,) for each in RIGHT]
    assert counts == {"passage_offset_recounted": 1, "offsets_in_bytes": 1}


def test_mentions_of_the_title_decide_too() -> None:
    # The abstract's mention alone would stand in characters too, one place further on.
    claims = [Claim(((3, 5),), "ab"), Claim(((6, 8),), "cd"), Claim(((13, 14),), "x")]
    found, counts = placed(claims, ("β ab cd", "1111xx1"))
    assert [place.spans for place in found] == [((2, 4),), ((5, 7),), ((12, 13),)]
    assert counts == {"offsets_in_bytes": 1}


@each_row(
    ("texts", "span", "surface", "right", "counted"),
    [
        # Bytes and UTF-16 units fit as well.
        (("a𝛽", "ab"), (3, 5), "ab", (3, 5), {}),
        # After one character and after none.
        (("x", "aaa"), (2, 4), "aa", (2, 4), {}),
        # UTF-16 units before bytes.
        (("𝛽𝛽", "bbbbaabbaabbbb"), (13, 15), "aa", (11, 13), {"offsets_in_utf16": 1}),
    ],
)
def test_a_tie_takes_characters_of_the_document_and_one_between(
    texts: tuple[str, ...],
    span: tuple[int, int],
    surface: str,
    right: tuple[int, int],
    counted: dict[str, int],
) -> None:
    (place,), counts = placed([Claim((span,), surface)], texts)
    assert (place.spans, counts) == ((right,), counted)


@each_row(
    ("spans", "surface", "agreement"),
    [
        (((0, 5),), "TNF-α", 1),
        (((0, 5),), "TNFa", 1),
        (((0, 13),), "T", 0),
        (((0, 6),), "TNF-α", 0),  # with the blank behind it
        (((5, 9),), "and", 0),
        (((0, 6),), "TNF-a ", 2),  # as the file has it
        (((0, 5), (10, 13)), "TNF-a IL2", 2),
        (((0, 5), (9, 13)), "TNF-α IL2", 0),  # the blank before the second part
        (((0, 5), (10, 13)), "TNF-α and IL2", 1),  # all of it
        (((0, 13),), "", 0),
        (((2, 2),), "TNF-α", 0),
        (((0, 99),), "TNF-α and IL2", 0),
    ],
)
def test_no_span_with_a_blank_at_its_edge_is_a_normalised_mention(
    spans: Spans, surface: str, agreement: int
) -> None:
    (place,), _ = placed([Claim(spans, surface)], ("TNF-a and IL2",))
    assert place.agreement == agreement


def test_an_offset_inside_a_character_is_no_place() -> None:
    claims = [Claim(((3, 5),), "ab"), Claim(((6, 8),), "cd"), Claim(((1, 2),), "𝛽")]
    found, counts = placed(claims, ("𝛽 ab cd",))
    assert [place.spans for place in found] == [((2, 4),), ((5, 7),), None]
    assert counts == {"offsets_in_utf16": 1}


def test_a_mention_without_text_is_placed_as_the_others_are() -> None:
    found, _ = placed([Claim(((5, 7),), "ab"), Claim(((8, 10),), "")], ("𝛽 ab cd",))
    assert [(place.spans, place.agreement) for place in found] == [(((2, 4),), 2), (((5, 7),), 0)]
    # Where no mention has a text, the unit counts in which more of them lie in the document's.
    assert placed([Claim(((3, 5),), "")], ("β ab",)) == ([Place(((2, 4),), 0)], {"offsets_in_bytes": 1})


CHARACTERS = st.text(st.sampled_from("ab β𝛽.“"), max_size=12)


@given(
    st.lists(CHARACTERS, min_size=1, max_size=3),
    st.sampled_from(list(WIDTHS)),
    st.sampled_from([0, 1, 2]),
    st.data(),
)
def test_mentions_of_any_text_in_any_unit_find_their_words(
    texts: list[str], unit: str, joint: int, data: st.DataObject
) -> None:
    every = [
        (number, start, end)
        for number, text in enumerate(texts)
        for start in range(len(text))
        for end in range(start + 1, len(text) + 1)
    ]
    chosen = data.draw(st.lists(st.sampled_from(every), max_size=5)) if every else []
    given = spans(tuple(texts), chosen, unit, joint)
    words = [texts[number][start:end] for number, start, end in chosen]
    found, _ = placed([Claim((each,), word) for each, word in zip(given, words, strict=True)], tuple(texts))
    assert [place.agreement for place in found] == [2] * len(chosen)
    whole = "\n".join(texts)
    for place, word in zip(found, words, strict=True):
        ((start, end),) = place.spans or ((0, 0),)
        assert whole[start:end] == word


@pytest.mark.shared
def test_files_in_three_units_hold_the_same_nine_mentions(shared: Path) -> None:
    units = {"code": {}, "utf16": {"offsets_in_utf16": 1}, "bytes": {"offsets_in_bytes": 1}}
    texts = set[tuple[str, ...]]()
    for name, counted in {**units, "bytes-bmp": units["bytes"]}.items():
        repairs = Repairs()
        (document,) = api.read(shared / f"cases/17-pubtator-units/{name}.pubtator", repairs=repairs)
        assert repairs.counts == counted
        texts.add(tuple(mention.text for mention in document.mentions))
    assert [len(one) for one in texts] == [9]
