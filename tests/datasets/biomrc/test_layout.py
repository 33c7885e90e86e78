"""The authors' files become instances, and instances the authors' bytes."""

from __future__ import annotations

import gzip
import io
import json
import shutil
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from tests.datasets.kinds.samples import sample

from anagnosis import api
from anagnosis.datasets.biomrc import layout
from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention
from anagnosis.datasets.kinds.table import CLOZE
from anagnosis.errors import InputError

SAMPLES = Path(__file__).parents[2] / "samples" / "biomrc"
OWN = sorted(SAMPLES.glob("*.json"))


def instances_of(path: Path) -> list[ClozeInstance]:
    imported = layout.imported(path)
    (instances,) = imported.splits.values()
    found = list(instances)
    assert not imported.findings.places
    return found


def written(
    instances: Iterable[ClozeInstance], setting: str, numbering: str = "global", text_form: str = "replaced"
) -> bytes:
    stream = io.BytesIO()
    layout.write(instances, stream, setting, text_form=text_form, numbering=numbering)
    return stream.getvalue()


def comes_back_byte_for_byte(path: Path) -> None:
    setting = "B" if "_B" in path.name else "A"
    instances = instances_of(path)
    assert layout.imported(path).recipe["numbering"] == layout.NUMBERING[setting]
    assert written(instances, setting, layout.NUMBERING[setting]) == path.read_bytes()
    if setting == "A" and "tiny" not in path.name:  # TINY has other instances in each setting
        assert written(instances, "B") == path.with_name(f"{path.stem}_B.json").read_bytes()


@pytest.mark.parametrize("path", OWN)
def test_a_file_comes_back_byte_for_byte_and_setting_b_out_of_setting_a(path: Path) -> None:
    comes_back_byte_for_byte(path)


def test_an_instance_keeps_text_candidates_and_names_as_read() -> None:
    first, second, third = instances_of(SAMPLES / "dataset_train.json")
    assert first.document == second.document == f"text:{sha256(first.passage.encode()).hexdigest()[:16]}"
    assert first.id == f"{first.document}:28"
    assert second.id == f"{first.document}:13"
    assert first.passage.startswith("@entity0 ( @entity0 ) follows")
    assert first.passage.endswith("died of @entity0 .")
    assert first.question == "Silencing of @entity1 slows XXXX in adults."
    assert first.candidates == (
        Candidate("species/9606", "Species", 2, ("volunteers", "men :: women")),
        Candidate("disease/MESH:D006816", "Disease", 0, ("Huntington's Disease", "HD")),
        Candidate("chemical/CHEBI:18243", "Chemical", 3, ("dopamine",)),
        Candidate("gene/3064", "Gene", 1, ("HTT", "huntingtin")),
    )
    assert (first.answer, first.answers) == (1, ("Huntington's disease",))
    assert (second.answer, second.answers) == (3, ("Huntingtin",))
    read = [(first.passage[slice(*m.spans[0])], m.candidate) for m in first.mentions[:3]]
    assert read == [("@entity0", 1), ("@entity0", 1), ("@entity1", 3)]
    assert first.question_mentions == (PassageMention(((13, 21),), 3),)
    assert "\x00" in third.passage
    assert (first.date, first.labels) == ("", ())


def test_an_instance_of_setting_b_has_pseudo_identifiers_and_nothing_more() -> None:
    (one,) = instances_of(SAMPLES / "dataset_val_B.json")
    assert one.candidates == (Candidate("@entity1", "", 1, ()), Candidate("@entity0", "", 0, ()))
    assert (one.answer, one.answers) == (1, ())


def test_every_real_file_is_read_and_comes_back(shared: Path) -> None:
    files = sorted((shared / "data" / "biomrc").glob("*/*.json"))
    assert len(files) == 12
    for path in files:
        assert len(instances_of(path)) == 10
        comes_back_byte_for_byte(path)


def test_a_folder_gives_train_dev_and_test_of_the_setting_asked_for() -> None:
    for setting, count in (("A", [3, 1, 2]), ("B", [3, 1, 2])):
        imported = layout.imported(SAMPLES, setting=setting)
        assert imported.recipe["numbering"] == layout.NUMBERING[setting]
        assert list(imported.splits) == ["train", "dev", "test"]
        assert [len(list(instances)) for instances in imported.splits.values()] == count
    with pytest.raises(InputError, match="several sets side by side"):
        layout.imported(SAMPLES)


def test_the_content_says_the_setting_whatever_the_name_says(tmp_path: Path) -> None:
    misnamed = tmp_path / "dataset_test.json"
    shutil.copy(SAMPLES / "dataset_test_B.json", misnamed)
    assert layout.imported(misnamed).recipe["numbering"] == "local"
    with pytest.raises(InputError, match="the content is that of setting B"):
        layout.imported(misnamed, setting="A")
    shutil.copy(SAMPLES / "dataset_train.json", tmp_path)
    with pytest.raises(InputError, match="the content is that of setting A and B"):
        layout.imported(tmp_path)


class Row(NamedTuple):
    """One instance as the file has it, line ends and all."""

    abstract: str
    title: str
    entities: list[str]
    answer: str


ITEMS = ["@entity1 :: ('9606', 'Species') :: ['men']", "@entity0 :: ('D1', 'Chemical') :: ['salt']"]
ROW = Row(
    "@entity0 for @entity1 \n", "XXXX for @entity1 \n", ITEMS, "@entity0 :: (D1,Chemical) :: ['Salt']\n"
)


def file_of(rows: list[Row], folder: Path, name: str = "dataset_test.json") -> Path:
    columns = zip(layout.KEYS, zip(*rows, strict=True), strict=True)
    (folder / name).write_text(json.dumps({key: list(column) for key, column in columns}))
    return folder / name


def test_two_instances_of_the_same_place_get_different_ids_over_all_splits(tmp_path: Path) -> None:
    file_of([ROW, ROW, ROW._replace(title="@entity0 for XXXX \n")], tmp_path, "dataset_train.json")
    file_of([ROW], tmp_path, "dataset_test.json")
    imported = layout.imported(tmp_path)
    ids = [one.id.partition(":")[2].partition(":")[2] for split in imported.splits.values() for one in split]
    assert ids == ["0", "0-2", "13", "0-3"]


def test_two_candidates_of_one_key_are_told_apart_by_their_numbers_and_come_back(tmp_path: Path) -> None:
    items = [
        "@entity0 :: ('rs12', 'SNP') :: ['a']",
        "@entity4 :: ('rs12', 'ProteinMutation') :: ['b']",
        "@entity6 :: ('rs13', 'SNP') :: ['d']",
    ]
    text = "@entity0 @entity4 @entity6 \n"
    path = file_of([Row(text, "XXXX \n", items, "@entity4 :: (rs12,ProteinMutation) :: ['b']\n")], tmp_path)
    imported = layout.imported(path)
    (one,) = imported.splits["test"]
    assert [c.key for c in one.candidates] == [
        "variant/rs12#0",
        "variant/rs12#4",
        "variant/rs13",
    ]
    assert written([one], "A") == path.read_bytes()


LOCAL = Row("@entity0 for @entity1 \n", "XXXX for @entity1 \n", ["@entity1", "@entity0"], "@entity0")


@pytest.mark.parametrize(
    ("row", "change", "fault"),
    [
        (
            ROW,
            {"entities": [*ITEMS[:1], "@entity0 :: salt"]},
            "'@entity0 :: salt' is no candidate of setting A",
        ),
        (ROW, {"entities": ["@entity1", "@entity0"]}, "is no candidate of setting A"),
        (LOCAL, {"entities": ["@entity1", "@entity00"]}, "is no candidate of setting B"),
        (LOCAL, {"entities": [*LOCAL.entities, "@entity1"]}, "3 candidates have 2 numbers"),
        (ROW, {"title": "Salt for @entity1 \n"}, "the title holds 0 XXXX"),
        (ROW, {"title": "XXXX for XXXX \n"}, "the title holds 2 XXXX"),
        (ROW, {"title": "XXXX for @entity7 \n"}, "@entity7 is no candidate"),
        (LOCAL, {"abstract": "@entity0 for @entity2 \n"}, "@entity2 is no candidate"),
        (ROW, {"answer": "salt\n"}, "the answer 'salt\\n' is no candidate"),
        (LOCAL, {"answer": "@entity9"}, "the answer '@entity9' is no candidate"),
        (ROW, {"answer": "@entity0 :: (D2,Chemical) :: ['Salt']\n"}, "is not its candidate with one surface"),
        (LOCAL, {"answer": "@entity0 :: (D1,Chemical) :: ['Salt']\n"}, "is no candidate"),
        (ROW, {"title": "(XXXX for @entity1 \n"}, ""),
    ],
)
def test_a_row_that_cannot_be_kept_is_left_out_and_named(
    row: Row, change: dict[str, Any], fault: str, tmp_path: Path
) -> None:
    imported = layout.imported(file_of([row, row._replace(**change)], tmp_path))
    kept = list(imported.splits["test"])
    assert len(kept) == 2 - bool(fault)
    assert imported.findings.counted(refused=True) == ({"not_an_instance": 1} if fault else {})
    for place in imported.findings.listed(refused=True):
        assert place.where == "dataset_test.json, instance 1"
        assert fault in place.why


def test_blanks_and_the_order_of_the_lists_do_not_matter(tmp_path: Path) -> None:
    found = json.loads((SAMPLES / "dataset_test.json").read_text())
    path = tmp_path / "dataset_test.json"
    path.write_text("\ufeff" + json.dumps(dict(reversed(found.items())), indent=1, ensure_ascii=False))
    assert instances_of(path) == instances_of(SAMPLES / "dataset_test.json")
    packed = tmp_path / "dataset_test.json.gz"
    packed.write_bytes(gzip.compress((SAMPLES / "dataset_test.json").read_bytes()))
    assert instances_of(packed) == instances_of(SAMPLES / "dataset_test.json")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"abstracts": [], "titles": [], "entities_list": [], "answers": [], "x": []}', "one object"),
        (
            '{"abstracts": [], "titles": [], "entities_list": [], "answers": [], "titles": []}',
            "'titles' stands twice",
        ),
        (
            '{"abstracts": ["a"], "titles": [], "entities_list": [], "answers": []}',
            "equally long: 1 abstracts, 0",
        ),
        ('{"abstracts": {}, "titles": [], "entities_list": [], "answers": []}', "Expected `array`"),
        ('{"abstracts": ["a"], "titles": [7], "entities_list": [[]], "answers": [""]}', "Expected `str`"),
    ],
)
def test_another_file_is_refused_in_one_line(text: str, line: str, tmp_path: Path) -> None:
    (tmp_path / "dataset_test.json").write_text(text)
    with pytest.raises(InputError, match=line) as told:
        list(layout.imported(tmp_path / "dataset_test.json").splits["test"])
    assert told.value.where == "dataset_test.json"


def empty(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).write_bytes(written([], "A"))
    return folder


@pytest.mark.parametrize(
    ("name", "split", "size", "setting"),
    [
        ("dataset_train.json", "train", "large", "A"),
        ("dataset_val_B.json", "dev", "large", "B"),
        ("dataset_val_small_B.json", "dev", "lite", "B"),
        ("dataset_tiny.json", "test", "tiny", "A"),
        ("dataset_tiny_B.json", "test", "tiny", "B"),
    ],
)
def test_a_name_says_split_size_and_setting(
    name: str, split: str, size: str, setting: str, tmp_path: Path
) -> None:
    imported = layout.imported(empty(tmp_path, name) / name)
    assert ([*imported.splits], imported.recipe["numbering"]) == ([split], layout.NUMBERING[setting])
    assert layout.file_name(split, size, setting) == name


def test_a_folder_is_one_set(tmp_path: Path) -> None:
    folder = empty(
        tmp_path, "dataset_test_small.json", "dataset_val_small.json", "dataset_train_small.json", "x.json"
    )
    assert [*layout.imported(folder).splits] == ["train", "dev", "test"]
    for other in ("dataset_train.json", "dataset_tiny.json", "dataset_train_small.json.gz"):
        empty(tmp_path, other)
        with pytest.raises(InputError, match=f"several sets side by side: .*{other}"):
            layout.imported(folder)
        (tmp_path / other).unlink()
    with pytest.raises(InputError, match="no file under one of the authors' names"):
        layout.imported(folder, setting="B")
    (folder / "dataset_train_small.json").unlink()
    empty(tmp_path, "dataset_train.json")  # LARGE's, beside LITE's dev and test
    with pytest.raises(InputError, match="several sets side by side"):
        layout.imported(folder)


@pytest.mark.parametrize(
    ("name", "options", "line"),
    [
        ("absent.json", {}, "no such file or"),
        ("mine.json", {}, "does not say which split"),
        ("mine.json", {"split": "dev", "setting": "C"}, "unknown setting 'C'"),
        ("", {"split": "dev"}, "no file under one of the authors' names"),
    ],
)
def test_what_cannot_be_a_set_is_refused_in_one_line(
    name: str, options: dict[str, str], line: str, tmp_path: Path
) -> None:
    empty(tmp_path, "mine.json", "other.json")
    with pytest.raises(InputError, match=line):
        layout.imported(tmp_path / name, **options)


@pytest.mark.parametrize(
    ("change", "setting", "numbering", "line"),
    [
        ({}, "A", "local", "only local numbers"),
        ({"answer": None}, "B", "global", "needs an answer"),
        ({"answers": ()}, "A", "global", "the surface that the title hides"),
        (
            {"candidates": (Candidate("@entity1", "", 1, ()), Candidate("@entity0", "", 0, ()))},
            "A",
            "global",
            "needs identifiers with a type",
        ),
    ],
)
def test_what_the_layout_cannot_hold_is_refused_in_one_line(
    change: dict[str, Any], setting: str, numbering: str, line: str
) -> None:
    (one,) = instances_of(SAMPLES / "dataset_val.json")
    with pytest.raises(InputError, match=line):
        written([msgspec.structs.replace(one, **change)], setting, numbering)


def test_an_instance_built_from_documents_is_written_in_both_settings() -> None:
    built = sample(CLOZE).instance
    assert json.loads(written([built], "A", text_form="original")) == {
        "abstracts": ["@entity57 ( @entity57 ) stops @entity3 . @entity57 is cheap.\n"],
        "titles": ["Effect of XXXX on @entity3 \n"],
        "entities_list": [
            [
                "@entity57 :: ('3558', 'Gene') :: ['IL-2', 'interleukin-2']",
                "@entity3 :: ('D003092', 'Disease') :: ['colitis']",
            ]
        ],
        "answers": ["@entity57 :: (3558,Gene) :: ['IL-2']\n"],
    }
    assert json.loads(written([built], "B", text_form="original")) == {
        "abstracts": ["@entity1 ( @entity1 ) stops @entity0 . @entity1 is cheap.\n"],
        "titles": ["Effect of XXXX on @entity0 \n"],
        "entities_list": [["@entity1", "@entity0"]],
        "answers": ["@entity1"],
    }


def test_tiny_is_a_test_set_only(tmp_path: Path) -> None:
    imported = api.import_dataset(SAMPLES, tmp_path / "built", layout="biomrc", setting="A")
    dataset = replace(imported, recipe={**imported.recipe, "groups": {"tiny-a": 1}})
    with pytest.raises(InputError, match="TINY is a test set only"):
        layout.exported(dataset, tmp_path)
