"""BioRead's text form: files come back byte for byte, and what is no instance is left out and counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st
from tests.datasets.bioread.passages import FILE, INSTANCE, SECOND, SEGMENT, built, gene, paper, record

from anagnosis import api
from anagnosis.datasets.bioread import layout
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from anagnosis.datasets.folder.store import Dataset


def imported(folder: Path, content: str | bytes = FILE, name: str = "train.txt", **options: Any) -> Dataset:
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return api.import_dataset(folder / name, folder / "built", layout="bioread", **options)


def exported(dataset: Dataset, folder: Path, setting: str | None = None) -> dict[str, str]:
    made = api.export(dataset, folder, layout="bioread", setting=setting)
    return {one.path.name: one.path.read_bytes().decode() for one in made}


def test_an_instance_has_the_texts_the_candidates_in_their_order_and_the_answer(tmp_path: Path) -> None:
    one, two = store.instances(imported(tmp_path), store.ALL, of=ClozeInstance)
    assert one.passage == "we gave @entity0 to @entity1 .\nthe @entity2 rose in @entity1 . "
    assert one.question == "then XXXX slept beside @entity9 ."
    assert [c.number for c in two.candidates] == [1, 0]
    assert [c.names for c in one.candidates] == [("l-dopa",), ("rats",), ("dopamine: level",)]
    assert (one.answer, two.answer) == (1, 1)
    assert api.check(tmp_path / "built").sound


def test_several_parts_of_each_split_come_back_as_they_were(tmp_path: Path) -> None:
    files = {
        "train_part_0.txt": FILE,
        "train_part_1.txt": SECOND,
        "validation_part_0.txt": SECOND + FILE,
        "test_part_0.txt": record(),
    }
    given = tmp_path / "given"
    given.mkdir()
    for name, content in files.items():
        (given / name).write_text(content)
    dataset = api.import_dataset(given, tmp_path / "built", layout="bioread")
    assert dataset.sizes == {"train": 3, "dev": 3, "test": 1}
    assert exported(dataset, tmp_path / "out") == files
    several = [given / name for name in files]
    assert api.import_dataset(several, tmp_path / "other", layout="bioread").sizes == dataset.sizes


def test_line_ends_of_other_systems_and_a_last_line_without_one_are_read(tmp_path: Path) -> None:
    dataset = imported(tmp_path, FILE.replace("\n", "\r\n").rstrip())
    assert exported(dataset, tmp_path / "out") == {"train.txt": FILE}


NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="\n\r", exclude_categories=("Cc", "Cs", "Zl", "Zp"))
)
WORDS = st.lists(st.text("abc,.:-= ", min_size=1, max_size=8), max_size=6)


@given(WORDS, WORDS, st.lists(st.one_of(st.none(), NAMES), min_size=2, max_size=5), st.data())
def test_what_is_in_the_usual_form_comes_back(
    tmp_path_factory: pytest.TempPathFactory,
    before: list[str],
    after: list[str],
    names: list[str | None],
    data: st.DataObject,
) -> None:
    tokens = [f"@entity{number}" for number in range(len(names))]
    lines = [token if name is None else f"{token}:{name}" for token, name in zip(tokens, names, strict=True)]
    content = record(
        " ".join(["p", *before, *tokens, *after]),
        " ".join(["q", *after, "XXXXXX", *before]),
        lines,
        data.draw(st.sampled_from(lines)),
    )
    folder = tmp_path_factory.mktemp("any")
    assert exported(imported(folder, content), folder / "out") == {"train.txt": content}


def two_papers(folder: Path) -> Dataset:
    lines = [
        f"We saw {gene(1, 'Type-3')} with {gene(2)} .",
        f"Then {gene(2)} and 17 mice .",
        f"So {gene(1)} .",
    ]
    return built(
        folder,
        paper(*lines),
        paper(*lines, f"And {gene(3)} {gene(2)} .", ident="2"),
        minimum_candidates=2,
        split="head",
        split_weights={"train": 1, "dev": 0, "test": 0},
    )


def test_a_built_dataset_is_written_with_local_and_with_global_numbers_and_read_again(tmp_path: Path) -> None:
    dataset = two_papers(tmp_path)
    local = exported(dataset, tmp_path / "local")["train_part_0.txt"]
    assert local.split(f"{INSTANCE}\n")[2].split(f"{SEGMENT}\n") == [
        "then @entity0 and 17 mice .\nso @entity1 .\n",
        "and @entity2 XXXXXX .\n",
        "@entity0:gene 2\n@entity1:gene 1\n",
        "@entity0:gene 2\n",
    ]
    everywhere = exported(dataset, tmp_path / "global", "global")["train_part_0.txt"]
    assert "then @entity1 and 17 mice .\nso @entity0 .\n" in everywhere
    for content, setting in ((local, "local"), (everywhere, "global")):
        again = imported(tmp_path / f"again-{setting}", content, name="train_part_0.txt", setting=setting)
        assert exported(again, tmp_path / f"out-{setting}") == {"train_part_0.txt": content}


def test_a_built_dataset_is_written_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "PART", 2)
    found = exported(two_papers(tmp_path), tmp_path / "exported")
    assert {name: content.count(INSTANCE) for name, content in found.items()} == {
        "train_part_0.txt": 2,
        "train_part_1.txt": 1,
    }


def test_a_line_of_hyphens_in_the_text_is_joined_with_its_neighbours(tmp_path: Path) -> None:
    given = paper(
        f"We saw {gene(1)} and {gene(2)}.", SEGMENT, f"So {gene(1)}.", sentence_offsets="0 25 26 56 57 67"
    )
    dataset = built(tmp_path, given, sentences="given")
    (made,) = api.export(dataset, tmp_path / "exported", layout="bioread")
    assert made.notes == {"separator_in_text": 1}
    again = api.import_dataset(made.path, tmp_path / "again", layout="bioread")
    assert sum(again.sizes.values()) == 1
