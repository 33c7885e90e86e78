"""BioASQ's golden files in small, invented, spelled as the organisers' programs spelled them over the years."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ADDRESS = "http://www.ncbi.nlm.nih.gov/pubmed/"
TEXT = "Salt water (≥ 3 %) stops the 'blue' pigment & its gene XYZ1 <in mice>."
EXACT: dict[str, Any] = {
    "yesno": "yes",
    "factoid": [["XYZ1", "XYZ-1"]],
    "list": [["XYZ1", "XYZ-1"], ["β-blue"]],
    "summary": None,
}


def ident(number: int) -> str:
    return f"{number:024x}"


def snippet(
    text: str = TEXT, document: str = ADDRESS + "101", begin: int = 10, **other: Any
) -> dict[str, Any]:
    return {
        "offsetInBeginSection": begin,
        "offsetInEndSection": begin + len(text),
        "text": text,
        "beginSection": "abstract",
        "document": document,
        "endSection": "abstract",
        **other,
    }


def question(number: int = 1, kind: str = "factoid", **other: Any) -> dict[str, Any]:
    """One object without dirt. other: keys to change or add; a key of None is left away."""
    found = {
        "body": f"Which gene number {number} is stopped by salt water?",
        "documents": [ADDRESS + "101", ADDRESS + str(200 + number)],
        "ideal_answer": [f"It is XYZ{number}."],
        "exact_answer": EXACT[kind],
        "concepts": ["http://amigo.geneontology.org/GO:1"],
        "type": kind,
        "id": ident(number),
        "snippets": [snippet(), snippet("Blue mice.", begin=0, beginSection="title", endSection="title")],
    }
    found |= other
    return {key: value for key, value in found.items() if value is not None}


def questions(count: int = 4, start: int = 1) -> list[dict[str, Any]]:
    return [question(number, [*EXACT][number % 4]) for number in range(start, start + count)]


def python2(found: Sequence[dict[str, Any]], indent: int = 2) -> str:
    return json.dumps({"questions": list(found)}, indent=indent, separators=(", ", ": "))


def gson(found: Sequence[dict[str, Any]]) -> str:
    text = json.dumps({"questions": list(found)}, indent=2, ensure_ascii=False)
    for sign in "<>&='":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8", newline="")
    return path


def golden(folder: Path, files: Mapping[str, Sequence[int | dict[str, Any]]]) -> Path:
    """Golden files. files: batch → its questions, each a number or an object."""
    for batch, asked in files.items():
        found = [question(each) if isinstance(each, int) else each for each in asked]
        written(folder / f"{batch}_golden.json", python2(found))
    return folder
