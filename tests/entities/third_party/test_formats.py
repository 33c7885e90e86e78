"""What single formats do beyond the contract."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path

import pytest

from anagnosis.entities.third_party import Annotation, brat, clamp, knowtator, metamap
from anagnosis.errors import InputError


def _mmi(triggers: str, positions: str) -> tuple[list[Annotation], Counter[str]]:
    counts = Counter[str]()
    row = f"1|MMI|14.6|Heart|C1|[dsyn]|{triggers}|TX|{positions}|"
    return [a for _, each in metamap.read(io.BytesIO(row.encode()), counts, "a") for a in each], counts


@pytest.mark.parametrize(
    ("triggers", "positions", "expected"),
    [
        ('["A"-tx-1-"a"-noun-0,"B"-tx-1-"b"-noun-1]', "1/2;5/3", [("a", ((1, 3),)), ("b", ((5, 8),))]),
        ('["A"-tx-1-"a"-noun-0]', "[1/2],[5/3]", [("a", ((1, 3),)), ("a", ((5, 8),))]),
        ('["A"-tx-1-"a b"-noun-0]', "1/2,5/3", [("a b", ((1, 3), (5, 8)))]),
        ('["x "y"-z"-tx-1-"the "y"-z"-noun-0]', "1/2", [('the "y"-z', ((1, 3),))]),
    ],
)
def test_mmi_has_places_for_each_trigger(
    triggers: str, positions: str, expected: list[tuple[str, tuple[tuple[int, int], ...]]]
) -> None:
    read, counts = _mmi(triggers, positions)
    assert [(each.text, each.spans) for each in read] == expected
    assert not counts.total()


def test_mmi_counts_triggers_without_positions() -> None:
    read, counts = _mmi('["A"-tx-1-"a"-noun-0,"B"-tx-1-"b"-noun-1]', "1/2")
    assert [(each.text, each.spans) for each in read] == [("", ((1, 3),))]
    assert counts["trigger_without_positions"] == 1
    assert not list(metamap.read(io.BytesIO(b"1|AA|HA|heart attack|1|2|3|12|40:2"), counts, "a"))
    lite = b'n.txt|MMI|2.4|Heart|C1|[dsyn]|"heart"-text-0-"heart"-NN-1|26/5|C14'  # has no location
    ((ident, (only,)),) = metamap.read(io.BytesIO(lite), Counter(), "a")
    assert (ident, only.spans) == ("n.txt", ((26, 31),))


@pytest.mark.parametrize(
    ("row", "what"),
    [
        (b"NamedEntity\t0\t5\tsemantic=test\tcui=C1\tne=heart\n", "an entity without assertion="),
        (b"NamedEntity 0 5 semantic=test assertion=present ne=heart\n", "an entity of 1 fields"),
    ],
)
def test_a_row_of_clamp_with_a_field_missing_is_one_line(row: bytes, what: str) -> None:
    with pytest.raises(InputError, match=what):
        list(clamp.read(io.BytesIO(row), Counter(), "a"))


def test_the_rows_that_clicrs_program_reads(shared: Path) -> None:
    cases = json.loads((shared / "vectors/clicr/clamp_lines.json").read_text("utf-8"))["cases"]
    assert len(cases) == 8
    for case in cases:
        text = case["input"]["file_text"].encode()
        if "raises" in case:
            with pytest.raises(InputError):
                list(clamp.read(io.BytesIO(text), Counter(), "a"))
            continue
        ((_, listed),) = clamp.read(io.BytesIO(text), Counter(), "a")
        # Of two entities with one start the program keeps the later.
        spans = {str(each.spans[0][0]): (each.spans[0][1], each.type, each.identifier) for each in listed}
        ends, labels = case["output"]["start_to_end"], case["output"]["start_to_label"]
        assert spans == {start: (ends[start], labels[start][0], labels[start][2]) for start in ends}


def test_knowtator_2_has_the_class_in_the_annotation() -> None:
    data = (
        b'<knowtator-project><document id="7"><annotation>'
        b'<class id="http://x.org/obo/MONDO_0000490" label="\'kidney x\'"/>'
        b'<span start="6" end="9">abc</span><span start="1" end="2">d</span></annotation><annotation/></document>'
        b"</knowtator-project>"
    )
    counts = Counter[str]()
    ((ident, (only,)),) = knowtator.read(io.BytesIO(data), counts, "a")
    assert (ident, only.identifier, only.type, only.name) == ("7", "MONDO:0000490", "MONDO", "kidney x")
    assert (only.spans, only.text) == (((6, 9), (1, 2)), "abc d")
    assert counts["annotation_without_class"] == 1


def test_brat_leaves_out_what_is_no_mention() -> None:
    data = (
        b"T1\tDose 2 4;6 8\t8\tmg\nE1\tDose:T1\nR1\tX Arg1:T1 Arg2:T1\n#1\tNote T1\tn\n*\tOVERLAP T1 T2\n"
        b"A2\tKind T1 x\n"
    )
    ((_, (only,)),) = brat.read(io.BytesIO(data), Counter[str](), "a")
    assert (only.spans, only.text) == (((2, 4), (6, 8)), "8\tmg")
