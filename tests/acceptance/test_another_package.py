"""Another package adds a format, a dataset, a reader and a measure, and a user drives them.

Each is one file there and one line of its metadata; nothing of ours knows their names.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FILES = {
    "lines_format.py": '''
"""Toy format: a paper a line, its words between bars; a word in [brackets] is a mention."""
import re
from anagnosis.documents.document import Document, Mention, Section
from anagnosis.errors import TruncatedError
SUFFIXES = (".bars",)
def sniff(head): return head.startswith(b"|bars|")
def read(stream, repairs, name=""):
    for number, line in enumerate(stream):
        cells = line.decode().strip().split("|")
        if cells[1] == "bars":
            continue
        ident, title, abstract = cells[1:4]
        text = title + "\\n" + abstract
        plain, mentions, cut = "", [], 0
        for found in re.finditer(r"\\[(\\w+)\\]", text):
            plain += text[cut:found.start()]
            mentions.append(Mention(((len(plain), len(plain) + len(found[1])),), found[1], "Thing", found[1].lower()))
            plain += found[1]
            cut = found.end()
        title, _, abstract = (plain + text[cut:]).partition("\\n")
        if not line.endswith(b"|\\n"):
            raise TruncatedError("the file ends inside a paper", f"{name}:{number + 1}", "fetch it again")
        yield Document(ident, (Section("title", title), Section("abstract", abstract)), tuple(mentions))
def write(documents, stream):
    stream.write(b"|bars|\\n")
    left = 0
    for one in documents:
        cells = one.id, one.title, " ".join(part.text for part in one.sections if part.label != "title")
        stream.write(("|" + "|".join(" ".join(cell.split()) for cell in cells) + "|\\n").encode())
        left += len(one.facts)
    return {"fact": left} if left else {}
''',
    "hidden_thing.py": '''
"""Toy dataset: the first thing of the title is hidden, the candidates are the things of the abstract."""
from typing import Literal
import msgspec
from anagnosis.datasets.splits import SplitWeights
from anagnosis.datasets.definition import Builder
from anagnosis.datasets.build.screening import text_hash
from anagnosis.datasets.definition import DatasetDefinition
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER, Candidate, ClozeInstance, PassageMention
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns

class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    fewest: int = 2
    split: Literal["head", "document", "date"] = "document"
    split_weights: SplitWeights = SplitWeights(2, 1, 1)
    seed: int = 0
    since: str = ""
    drop_repeated_text: bool = False

DEFINITION = DatasetDefinition("Hidden Thing", "Which thing does the title name?", builder="hidden_thing:BUILDER",
    citation="The method: Toy, T. (2026).")

def judged(document, recipe):
    head = len(document.title) + 1
    hidden = [m for m in document.mentions if m.spans[0][0] < head]
    inside = [m for m in document.mentions if m.spans[0][0] >= head]
    keys = list(dict.fromkeys(m.identifier for m in inside))
    if not hidden or hidden[0].identifier not in keys: return "nothing_hidden"
    if len(keys) < recipe.fewest: return "too_few_things"
    return hidden[0], inside, keys, head

def judge(document, recipe, screening):
    verdict = judged(document, recipe)
    if isinstance(verdict, str):
        return screening.drop(verdict)
    hidden, inside, keys, head = verdict
    (start, end), = hidden.spans
    numbers = [screening.number("thing/" + key, "Thing", key) for key in keys]
    named = {key: tuple(dict.fromkeys(m.text for m in inside if m.identifier == key)) for key in keys}
    screening.columns.add(ClozeInstance(
        id=f"{document.id}:{start}", document=document.id, date="", passage=document.sections[1].text,
        question=document.title[:start] + PLACEHOLDER + document.title[end:],
        mentions=tuple(PassageMention(tuple((a - head, b - head) for a, b in m.spans), keys.index(m.identifier))
                       for m in inside),
        question_mentions=(), answer=keys.index(hidden.identifier), answers=(hidden.text,), labels=(),
        candidates=tuple(Candidate("thing/" + key, "Thing", number, named[key])
                         for key, number in zip(keys, numbers))))
    screening.article(document.id, text_hash(document.sections[1].text), 1)

BUILDER = Builder(recipe=Recipe, judge=judge, columns=ClozeColumns,
    rules=("nothing_hidden", "too_few_things", "no_instance_left", "repeated_id"))
''',
    "longest_name.py": '''
"""Toy reader: the candidate with the longest name."""
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
def longest_name(instance: ClozeInstance) -> list[float]:
    """The longest name of each candidate, in characters."""
    return [float(max(map(len, candidate.names))) for candidate in instance.candidates]
''',
    "half_right.py": '''
"""Toy measure: half for a right answer."""
import numpy as np
from anagnosis.evaluation.measures.measure import Measure
def values(gold, run, protocol):
    """[instances]: a half where the answer is right."""
    return np.where(run.choice == gold.answer, 0.5, 0.0)
HALF = Measure(name="half-right", what="Half for the right answer.", kinds=("cloze",), values=values, unit="number",
    highest=0.5, source="this toy")
''',
}
POINTS = """
[anagnosis.formats]
bars = lines_format
[anagnosis.datasets]
hidden-thing = hidden_thing:DEFINITION
[anagnosis.readers]
longest-name = longest_name:longest_name
[anagnosis.measures]
half-right = half_right:HALF
"""
PAPERS = "|bars|\n" + "".join(
    f"|toy{n}|A study of [{'aspirin' if n % 3 else 'Gout'}] in {n} people|"
    f"We gave [aspirin] to {n} people with [gout]. They had less [gout] after {n} weeks.|\n"
    for n in range(12)
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the other package as pip leaves it, and its papers."""
    place = tmp_path_factory.mktemp("another")
    metadata = place / "packages" / "toys-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1.0\n", "utf-8")
    (metadata / "entry_points.txt").write_text(POINTS, "utf-8")
    for name, text in FILES.items():
        (place / "packages" / name).write_text(text, "utf-8")
    (place / "papers.bars").write_text(
        PAPERS + "|none|A title that hides nothing|[gout] and [aspirin].|\n", "utf-8"
    )
    run(place, "build", "hidden-thing", "papers.bars", "--out", "built", "--workers", "2")
    return place


def run(place: Path, *arguments: str, code: int = 0) -> str:
    """Standard output (of a fault: standard error) of one command in a process of its own."""
    ended = subprocess.run(
        [sys.executable, "-m", "anagnosis", *arguments],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(place / "packages")},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == code, ended.stdout + ended.stderr
    return ended.stderr if code else ended.stdout


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ("formats", "bars"),
        ("datasets", "Which thing does the title name?"),
        ("readers", "longest-name"),
        ("measures", "Half for the right answer."),
    ],
)
def test_each_is_listed(place: Path, table: str, line: str) -> None:
    assert line in run(place, table)


def test_the_dataset_is_built_from_papers_in_the_format_with_a_receipt_and_a_card(place: Path) -> None:
    receipt = json.loads((place / "built" / "receipt.json").read_text("utf-8"))
    assert receipt["documents"] == {"read": 13, "kept": 12, "dropped": {"nothing_hidden": 1}, "refused": 0}
    card = (place / "built" / "README.md").read_text("utf-8")
    assert "# Hidden Thing, built by anagnosis" in card
    assert "Toy, T. (2026)" in card
    assert "sound" in run(place, "check", "built")
    counts = next(line for line in run(place, "show", "built").splitlines() if line.startswith("Instances "))
    assert "12" in counts.split()


def test_papers_are_converted_to_the_format_and_from_it_and_indexed(place: Path) -> None:
    (place / "tea.jsonl").write_text(
        '{"id": "9", "title": "Tea", "text": "Tea calms.", "journal": "J"}\n', "utf-8"
    )
    assert "losses" in run(place, "convert", "tea.jsonl", "--to", "bars", "--out", "tea.bars")
    run(place, "convert", "tea.bars", "--to", "jsonl", "--out", "back.jsonl")
    back = json.loads((place / "back.jsonl").read_text("utf-8"))
    assert (back["id"], back["title"]) == ("9", "Tea")
    run(place, "index", "tea.bars", "papers.bars", "--out", "indexed")
    assert "Tea calms." in run(place, "search", "indexed", "tea")
    (place / "cut.bars").write_bytes((place / "tea.bars").read_bytes()[:-5])
    said = run(place, "convert", "cut.bars", "--to", "jsonl", "--out", "no.jsonl", code=2)
    assert "cut.bars:2: the file ends inside a paper" in said
    assert said.count("\n") == 1
    assert not (place / "no.jsonl").exists()


def test_a_key_that_its_recipe_does_not_have_is_refused(place: Path) -> None:
    fault = run(place, "build", "hidden-thing", "papers.bars", "--set", "fewst=1", "--out", "no", code=2)
    assert "unknown key 'fewst' (did you mean fewest?)" in fault


def test_the_reader_answers_and_the_measure_judges(place: Path) -> None:
    run(place, "predict", "longest-name", "built", "--split", "all", "--out", "longest.jsonl")
    lines = [json.loads(line) for line in (place / "longest.jsonl").read_text("utf-8").splitlines()]
    assert {line["answer"] for line in lines} == {"thing/aspirin"}
    assert len(lines) == 12
    scored = run(
        place, "score", "built", "longest.jsonl", "--split", "all", "--measure", "half-right", "--json"
    )
    (system,) = json.loads(scored)["systems"]
    assert system["measures"]["half-right"]["value"] == pytest.approx(8 / 12 / 2)
