"""PubMedQA's own files, in and out byte for byte, and what of other files is refused or counted."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.decisions import rows, written
from tests.packed import packed

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.datasets.pubmedqa import layout
from anagnosis.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("pqa") / "ori_pqal.json", rows())


def imported(source: Path, folder: Path, **given: Any) -> store.Dataset:
    return api.import_dataset(source, folder, layout="pubmedqa", **given)


@given(
    st.dictionaries(
        st.from_regex(r"[1-9][0-9]{0,7}", fullmatch=True),
        st.tuples(
            TEXT, st.lists(st.tuples(TEXT, TEXT), max_size=3), st.sampled_from(LABELS), st.none() | TEXT, TEXT
        ),
        min_size=1,
        max_size=8,
    ),
    st.permutations(["QUESTION", "CONTEXTS", "LABELS", "MESHES", "YEAR", "final_decision", "LONG_ANSWER"]),
)
def test_any_text_and_any_order_of_keys_come_back(
    tmp_path_factory: pytest.TempPathFactory, found: dict[str, Any], keys: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("any")
    objects: dict[str, Any] = {}
    for ident, (question, context, label, year, answer) in found.items():
        values = {
            "QUESTION": question,
            "CONTEXTS": [text for _, text in context],
            "LABELS": [name for name, _ in context],
            "MESHES": [],
            "YEAR": year,
            "final_decision": label,
            "LONG_ANSWER": answer,
        }
        objects[ident] = {key: values[key] for key in keys}
    source = written(folder / "x.json", objects)
    dataset = imported(source, folder / "built", setting="L", split="dev")
    made = api.export(dataset, folder / "out")
    assert [each.path.read_bytes() for each in made] == ([source.read_bytes()] if found else [])


def test_a_file_without_labels_is_all_train(tmp_path: Path) -> None:
    found = {
        ident: {key: of for key, of in each.items() if not key.endswith(("_pred", "decision"))}
        for ident, each in rows().items()
    }
    dataset = imported(written(tmp_path / "ori_pqau.json", found), tmp_path / "built")
    assert (dataset.sizes, dataset.recipe["subset"]) == ({"train": 40}, "U")
    (made,) = api.export(dataset, tmp_path / "out")
    assert (made.path.name, json.loads(made.path.read_text())) == ("ori_pqau.json", found)


def test_a_file_with_a_decision_and_no_people_is_labelled_by_rule(tmp_path: Path) -> None:
    found = {
        ident: {k: v for k, v in each.items() if not k.endswith("_pred") and k != "YEAR"}
        for ident, each in rows().items()
    }
    dataset = imported(written(tmp_path / "ori_pqaa.json", found), tmp_path / "built")
    assert (dataset.sizes, dataset.recipe["subset"]) == ({"train": 40}, "A")
    assert next(store.instances(dataset, "train")).annotators == ()


def test_a_file_of_the_authors_split_is_that_split(tmp_path: Path) -> None:
    dataset = imported(written(tmp_path / "test_set.json", rows()), tmp_path / "built")
    assert dataset.sizes == {"test": 40}


def test_labels_of_people_are_no_other_subset(source: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds labels of people, so it is of subset L, not A"):
        imported(source, tmp_path / "built", setting="A")


def test_the_only_file_of_an_archive_is_read_and_comes_back(source: Path, tmp_path: Path) -> None:
    data = source.read_bytes()
    files = {"x/README.md": b"", "x/other.json": b"{}", "x/ori_pqal.json.gz": gzip.compress(data)}
    path = packed(tmp_path / "theirs.tar.gz", files)
    dataset = imported(path, tmp_path / "built")
    assert dataset.sizes == {"train": 20, "test": 20}
    (made,) = api.export(dataset, tmp_path / "out")
    assert made.path.read_bytes() == data
    (entry,) = dataset.receipt.inputs
    assert (entry.name, entry.sha256) == ("theirs.tar.gz", hashlib.sha256(path.read_bytes()).hexdigest())


@pytest.mark.parametrize(
    ("names", "count"), [(["a.json", "b.json"], 0), (["x/ori_pqal.json", "ori_pqau.json.gz", "c.json"], 2)]
)
def test_an_archive_of_none_or_several_is_one_line(tmp_path: Path, names: list[str], count: int) -> None:
    path = packed(tmp_path / "a.tar.gz", dict.fromkeys(names, b"{}"))
    with pytest.raises(InputError, match=f"a.tar.gz: there are {count} files, and one is imported; name one"):
        imported(path, tmp_path / "built")


def test_of_labels_by_rule_what_is_beyond_the_authors_number_is_for_development() -> None:
    parts = Counter(layout._splits({str(n): "yes" for n in range(200_003)}, "A").values())
    assert parts == {"train": 200_000, "dev": 3}
    assert set(layout._splits({"1": None, "2": None}, "U").values()) == {"train"}
