"""A damaged dataset folder: each kind of damage is found and named."""

from __future__ import annotations

import json
import random
import shutil
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.datasets.kinds.samples import sample

from anagnosis import api
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds import cloze
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance, PassageMention
from anagnosis.datasets.kinds.table import CLOZE, DECISION, EVIDENCE, QUESTION
from anagnosis.errors import InputError
from anagnosis.io.files import sha256

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PART = "data/train-00000-of-00001.parquet"


def edit_the_recipe(folder: Path) -> None:
    path = folder / "recipe.toml"
    path.write_text(path.read_text().replace("minimum_sentences = 10", "minimum_sentences = 9"))


# damage → what is found, by name.
DAMAGE: dict[str, tuple[Callable[[Path], object], dict[str, int]]] = {
    "no part": (lambda folder: (folder / PART).unlink(), {"file_missing": 1}),
    "no parts": (lambda folder: shutil.rmtree(folder / "data"), {"file_missing": 3}),
    "another recipe": (edit_the_recipe, {"file_changed": 1, "recipe": 1}),
    "another card": (lambda folder: (folder / "README.md").write_text("mine"), {"file_changed": 1}),
    "a file": (lambda folder: (folder / "data/notes.txt").write_text("mine"), {"file_unknown": 1}),
    "a part": (
        lambda folder: shutil.copy(folder / PART, folder / "data/dev-00001-of-00002.parquet"),
        {"file_unknown": 1},
    ),
}


@pytest.mark.parametrize(("damage", "counts"), DAMAGE.values(), ids=DAMAGE.keys())
def test_each_damage_is_found_and_named(
    damage: Callable[[Path], object], counts: dict[str, int], copied: Callable[[], Path]
) -> None:
    folder = copied()
    damage(folder)
    found = api.check(folder)
    assert found.counts == counts
    assert len(found.problems) == sum(found.counts.values())
    assert not found.sound
    assert not any(str(folder) in problem for problem in found.problems)


# Files that readings of instances do not open.
NOT_READ = ("README.md", "entities.parquet")


def test_a_flipped_bit_of_any_file_is_found_and_refused_where_it_is_read(copied: Callable[[], Path]) -> None:
    folder, draw = copied(), random.Random(0)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        sound = path.read_bytes()
        for _ in range(20):
            damaged, at, bit = bytearray(sound), draw.randrange(len(sound)), 1 << draw.randrange(8)
            damaged[at] ^= bit
            path.write_bytes(damaged)
            flip = f"{path.name}[{at}] ^= {bit}"
            if path.name == "receipt.json":  # nothing verifies it
                with suppress(InputError):
                    api.check(folder)
                continue
            try:
                assert not api.check(folder).sound, flip
            except InputError:
                assert path.name == "recipe.toml", flip
            with nullcontext() if path.name in NOT_READ else pytest.raises(InputError):
                assert len(list(store.instances(store.load(folder), store.ALL))) == 80, flip
        path.write_bytes(sound)


def test_rows_that_were_exchanged_between_parts_are_found(copied: Callable[[], Path]) -> None:
    folder = copied()
    path = folder / "receipt.json"
    receipt: dict[str, Any] = json.loads(path.read_text())
    parts = [each for each in receipt["outputs"] if each["name"].startswith("data/")]
    parts[0]["rows"] += 1
    parts[1]["rows"] -= 1
    path.write_text(json.dumps(receipt))
    assert api.check(folder).counts == {"receipt": 2}


def forged(folder: Path, change: Callable[[Path], object], kind: str = CLOZE) -> store.Dataset:
    """A dataset of one instance whose part was changed, with the checksum of the change."""
    dataset = writing.write(folder, {"test": [sample(kind).instance]}, {"dataset": "mine", "kind": kind})
    (part,) = dataset.parts("test")
    change(part)
    path = folder / "receipt.json"
    receipt = json.loads(path.read_text())
    for output in receipt["outputs"]:
        output["sha256"] = sha256(folder / output["name"])
    path.write_text(json.dumps(receipt))
    return store.load(folder, verified=False)


def nullable(of: pa.Field[Any]) -> pa.Field[Any]:
    """The field, in which everything may be null."""
    kind: Any = of.type
    if pa.types.is_list(kind):
        kind = pa.list_(nullable(kind.value_field))
    elif pa.types.is_struct(kind):
        kind = pa.struct([nullable(each) for each in kind])
    return pa.field(of.name, kind)


@pytest.mark.parametrize("kind", [CLOZE, DECISION, QUESTION, EVIDENCE])
def test_a_null_in_place_of_a_text_is_a_finding_whatever_checksum_the_part_has(
    kind: str, tmp_path: Path
) -> None:
    def without_question(part: Path) -> None:
        table = pq.read_table(part)
        row = {**table.to_pylist()[0], "question": None}
        schema = pa.schema([nullable(each) for each in table.schema])
        pq.write_table(pa.Table.from_pylist([row], schema), part)

    found = api.check(forged(tmp_path / "made", without_question, kind))
    assert not found.sound
    assert "\n" not in found.problems[0]


@pytest.mark.parametrize("column", ["id", "document", "passage", "question"])
def test_text_that_is_not_utf8_is_a_finding_though_the_checksum_is_right(tmp_path: Path, column: str) -> None:
    def not_utf8(part: Path) -> None:
        table = pq.read_table(part)
        texts = pa.array([b"1\xe9:0"], pa.binary())
        place = table.schema.get_field_index(column)
        array = pa.StringArray.from_buffers(len(texts), *texts.buffers()[1:])
        pq.write_table(table.set_column(place, table.schema.field(place), array), part)

    assert list(api.check(forged(tmp_path / "made", not_utf8)).counts) == ["file_unreadable"]


def test_a_part_without_its_end_is_a_finding_though_its_checksum_is_right(tmp_path: Path) -> None:
    torn = forged(tmp_path / "made", lambda part: part.write_bytes(part.read_bytes()[:-20]))
    assert api.check(torn).counts["file_unreadable"] == 1


SOUND: ClozeInstance = sample(CLOZE).instance
BEFORE = SOUND.mentions[:3]


def mention(start: int, end: int, candidate: int = 1) -> PassageMention:
    return PassageMention(((start, end),), candidate)


FAULTY: list[tuple[str, dict[str, Any]]] = [
    ("placeholder", {"question": "XXXX and XXXX"}),
    ("placeholder", {"question": "Effect of it on colitis"}),
    ("answer", {"answer": -1}),
    ("candidates_and_mentions", {"mentions": (*BEFORE, mention(36, 40, 2))}),
    ("passage_span", {"mentions": (*BEFORE, mention(36, len(SOUND.passage) + 1))}),
    ("passage_span", {"mentions": (*BEFORE, mention(40, 36))}),
    ("passage_span", {"mentions": (*BEFORE, mention(36, 36))}),
    ("passage_span", {"mentions": (*BEFORE, PassageMention((), 1))}),
    ("passage_span", {"mentions": (*BEFORE, mention(-4, 40))}),
    ("passage_order", {"mentions": SOUND.mentions[::-1]}),
    ("passage_order", {"mentions": (*BEFORE, mention(33, 40))}),
    ("question_span", {"question_mentions": (mention(18, 99),)}),
    ("question_span", {"question_mentions": (mention(18, 25, 7),)}),
    ("question_order", {"question_mentions": SOUND.question_mentions * 2}),
    ("names", {"mentions": (*BEFORE, mention(36, 39))}),
]


@pytest.mark.parametrize(("name", "changes"), FAULTY)
def test_each_invariant_of_an_instance_is_asked(name: str, changes: dict[str, Any]) -> None:
    faulty = msgspec.structs.replace(SOUND, **changes)
    assert name in [fault for fault, _ in cloze.faults(faulty, "original")]


def test_replaced_text_must_hold_the_token_of_its_candidate() -> None:
    replaced = msgspec.structs.replace(
        SOUND,
        passage="@entity57 for @entity3",
        question="XXXX and @entity3",
        mentions=(mention(0, 9, 0), mention(14, 22)),
        question_mentions=(mention(9, 17),),
    )
    assert list(cloze.faults(replaced, "replaced")) == []
    wrong = msgspec.structs.replace(replaced, question="XXXX and @entity7")
    assert [name for name, _ in cloze.faults(wrong, "replaced")] == ["question_token"]


def test_a_faulty_instance_is_found_in_a_folder_with_its_split_and_id(tmp_path: Path) -> None:
    faulty = msgspec.structs.replace(SOUND, id="9:1", answer=5)
    dataset = writing.write(tmp_path / "out", {"dev": [SOUND, faulty, SOUND]}, {"dataset": "biomrc"})
    found = api.check(dataset)
    assert found.counts == {"answer": 1, "repeated_id": 1}
    assert found.problems == [
        "dev 9:1: the answer is candidate 5 of 2",
        "dev 7:10: the id stands twice",
    ]
