"""A user's file of labels: two forms, what is taken as the same, and every fault in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anagnosis.datasets.label_file import LONGEST_LABEL, MOST_LABELS, read
from anagnosis.errors import InputError

WANTED = {"1", "2", "3"}


def written(folder: Path, text: str | bytes, name: str = "labels.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    "text",
    [
        "id,reasoning,numbers\n1,group,texts only\n2,,numbers only\n9,group,\n",
        "\ufeffID;Reasoning;Numbers\r\n1;GROUP;Texts  only\r\n\r\n2;;numbers only\r\n9;group;\r\n",
        "reasoning\tid\tnumbers\ngroup\t 1 \ttexts only\n\t2\tnumbers only\ngroup\t9\t\n",
        '{"id": "1", "reasoning": "group", "numbers": "texts\u2028only"}\n'
        '{"id": 2, "reasoning": null, "numbers": "numbers only"}\n{"id": "9", "reasoning": "group"}\n',
    ],
    ids=["commas", "a spreadsheet's semicolons", "tabs", "objects"],
)
def test_the_same_labels_in_every_form(tmp_path: Path, text: str) -> None:
    found = read(written(tmp_path, text), WANTED)
    assert {name: dict(of) for name, of in found.columns.items()} == {
        "reasoning": {"1": ("group",)},
        "numbers": {"1": ("texts only",), "2": ("numbers only",)},
    }
    assert (found.strangers, found.first) == (1, ["9"])
    assert found.labelled() == {"1", "2"}
    assert found.described(2) == "labels.csv, 2 instances labelled; 1 id is not in the dataset (9)"


BAD: dict[str, tuple[str | bytes, str]] = {
    "nothing": ("", "the file is empty"),
    "a header alone": ("id,reasoning\n", "no labels in it"),
    "no id": ("pmid,reasoning\n1,group\n", "labels.csv:1: the header needs a column id"),
    "ids alone": ("id\n1\n", "no labels in it"),
    "a column twice": ("id,a,A\n1,x,y\n", "labels.csv:1: the header needs"),
    "a column without a name": ("id,a,\n1,x,y\n", "labels.csv:1: the header needs"),
    "an id twice": ("id,a\n1,x\n1,x\n", "labels.csv:3: the id 1 stands twice"),
    "no id in a row": ("id,a\n,x\n", "labels.csv:2: a row without an id"),
    "too many cells": ("id,a\n1,x,y\n", "labels.csv:2: 3 cells under a header of 2"),
    "an open quotation": ('id,a\n1,"x\n2,y\n', "not CSV"),
    "strangers alone": ("id,a\n7,x\n8,y\n", "none of its 2 ids is in the dataset (7, 8)"),
    "not UTF-8": (b"id,a\n1,\xe4\n", "labels.csv: not UTF-8"),
    "no JSON": ('{"id": "1", "a": "x"}\n{"id": \n', "labels.csv:2: not JSON"),
    "no object": ('{"id": "1", "a": "x"}\n[1]\n', "labels.csv:2: Expected `object`, got `array`"),
    "a fraction": ('{"id": "1", "a": 1.5}\n', "labels.csv:1: a: text, a whole number or a list is wanted"),
    "a truth": ('{"id": "1", "a": false}\n', "labels.csv:1: a: "),
    "a field twice": ('{"id": "1", "a": "x", "A": "y"}\n', "labels.csv:1: A: "),
    "deep JSON": ('{"id": ' + "[" * 5000 + "\n", "labels.csv:1: not JSON"),
    "texts": (f"id,a\n1,{'x' * (LONGEST_LABEL + 1)}\n", "or 60 letters of one in column a"),
    "a long name": (f"id,{'a' * 99}\n1,x\n", "or 60 letters of one in column aaa"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_fault_is_one_line(tmp_path: Path, name: str) -> None:
    text, what = BAD[name]
    with pytest.raises(InputError) as fault:
        read(written(tmp_path, text), WANTED)
    told = str(fault.value)
    assert what in told
    assert "\n" not in told
    assert len(told) < 300


def test_numbers_are_no_kinds(tmp_path: Path) -> None:
    ids = {str(n) for n in range(100)}
    text = "id,age\n" + "".join(f"{n},{n}\n" for n in range(100))
    with pytest.raises(
        InputError, match=f"more than {MOST_LABELS} labels or 60 letters of one in column age"
    ):
        read(written(tmp_path, text), ids)


def test_what_is_not_wanted_is_not_kept(tmp_path: Path) -> None:
    """A column of another dataset's texts breaks no limit where its ids are strangers."""
    text = "id,a\n1,x\n" + "".join(f"s{n},{'t' * 90} {n}\n" for n in range(200))
    found = read(written(tmp_path, text), WANTED)
    assert (found.columns, found.strangers, len(found.first)) == ({"a": {"1": ("x",)}}, 200, 3)


@pytest.mark.parametrize(
    "text",
    [
        "id,skills\n1, Ellipsis | bridging|ellipsis\n2,none\n3,|\n",
        '{"id": 1, "skills": ["Ellipsis", "bridging ", "ellipsis"]}\n{"id": 2, "skills": "none"}\n'
        '{"id": 3, "skills": []}\n',
    ],
    ids=["a cell", "a list"],
)
def test_an_instance_may_have_several_labels(tmp_path: Path, text: str) -> None:
    found = read(written(tmp_path, text), WANTED)
    assert found.columns == {"skills": {"1": ("ellipsis", "bridging"), "2": ("none",)}}
    assert found.labelled() == {"1", "2"}


def person(ident: str, skills: list[str], annotator: str = "ann", **fields: object) -> str:
    """A line that a person's page saved."""
    line = {
        "id": ident,
        "skills": skills,
        "dataset": "3f0c",
        "annotator": annotator,
        "group": "experts",
        "seconds": 61.25,
        "place": 3,
    }
    return json.dumps({**line, **fields}) + "\n"


def test_what_a_page_saves_beside_labels_is_no_label_and_its_last_line_is_valid(tmp_path: Path) -> None:
    text = person("1", ["a", "b"]) + person("2", ["a"]) + person("1", ["c"], seconds=80)
    found = read(written(tmp_path, text, "skills-ann.jsonl"), WANTED)
    assert found.columns == {"skills": {"1": ("c",), "2": ("a",)}}
    known = read(written(tmp_path, person("1", ["a"], knowledge="context"), "x.jsonl"), WANTED)
    assert known.columns == {"skills": {"1": ("a",)}}


def test_labels_of_two_people_of_one_instance_are_refused(tmp_path: Path) -> None:
    text = person("1", ["a"]) + person("1", ["b"], annotator="bea")
    with pytest.raises(InputError, match="the id 1 stands twice"):
        read(written(tmp_path, text, "both.jsonl"), WANTED)


def test_a_group_of_instances_is_a_label_where_no_person_gave_it(tmp_path: Path) -> None:
    text = '{"id": "1", "group": "trials", "annotator": "x"}\n'
    found = read(written(tmp_path, text, "l.jsonl"), WANTED)
    assert found.columns == {"group": {"1": ("trials",)}, "annotator": {"1": ("x",)}}
