from __future__ import annotations

import os
from pathlib import Path

import pytest

from anagnosis.errors import InputError
from anagnosis.io import outputs


def test_a_new_file_may_be_written_beside_its_inputs(tmp_path: Path) -> None:
    (tmp_path / "in").touch()
    for name in ("out", "deep/er/out"):
        made = outputs.output_file(tmp_path / name, inputs=[tmp_path / "in", tmp_path, None])
        assert made == tmp_path / name


@pytest.mark.parametrize("given", ["own={0}", "own=x,{0}", "vectors={0}", "{0}"])
def test_a_file_named_in_an_argument_is_an_input(given: str, tmp_path: Path) -> None:
    (tmp_path / "in").touch()
    with pytest.raises(InputError, match="is an input of this command; choose another --out"):
        outputs.output_file(tmp_path / "in", inputs=[given.format(tmp_path / "in")], replace=True)


def test_arguments_that_can_be_no_path_are_no_inputs(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    for given in ("-", "x" * 5000, "a\0b", "Does tea help?"):
        assert outputs.output_file(tmp_path / "out", inputs=[given], replace=True)


def test_an_input_is_one_under_its_other_names_too_and_in_its_folder(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "in").touch()
    os.link(corpus / "in", tmp_path / "hard")
    for place, given in ((corpus / "in", corpus), (tmp_path / "hard", corpus / "in")):
        with pytest.raises(InputError, match="is an input"):
            outputs.output_file(place, inputs=[given], replace=True)


def test_a_link_that_leads_nowhere_is_somebodys(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to(tmp_path / "gone")
    with pytest.raises(InputError, match="is there already"):
        outputs.output_file(tmp_path / "out")


def test_a_folder_of_files_comes_whole_and_is_replaced_by_one_with_the_same(tmp_path: Path) -> None:
    out = tmp_path / "out"

    def write(*names: str, replace: bool = False) -> list[str]:
        with outputs.writing_into(out, replace=replace) as part:
            for name in names:
                (part / name).parent.mkdir(exist_ok=True)
                (part / name).write_text("ours")
        return sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())

    assert write("deep/a", "b") == [outputs.WRITTEN, "b", "deep/a"]
    with pytest.raises(InputError, match="out: holds files already; choose another --out, or give --replace"):
        write("deep/a", "b")
    assert write("b", "c", replace=True) == [outputs.WRITTEN, "b", "c"]
    (out / "d").touch()
    with (
        pytest.raises(InputError, match=r"out: holds other files \(d\)"),
        outputs.writing_into(out, replace=True),
    ):
        pytest.fail("it works before it refuses")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


def test_an_export_that_failed_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), outputs.writing_into(tmp_path / "out"):
        raise KeyboardInterrupt
    assert not [*tmp_path.iterdir()]


def test_a_folder_is_free_where_nothing_of_ours_or_of_the_call_lies(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "a").touch()
    for place in ("out", "corpus/out", "."):
        assert outputs.output_folder(tmp_path / place, inputs=["-", tmp_path / "gone"]) == tmp_path / place
    for place, what in (("corpus", "is an input"), (".", "holds an input"), ("corpus/a", "is a file")):
        with pytest.raises(InputError, match=what):
            outputs.output_folder(tmp_path / place, inputs=[tmp_path / "corpus"])


def test_a_folder_with_a_link_is_none_to_write_into(tmp_path: Path) -> None:
    for name in ("theirs", "out"):
        (tmp_path / name).mkdir()
    (tmp_path / "out" / "train").symlink_to(tmp_path / "theirs")
    with pytest.raises(InputError, match=r"out/train: is a link"):
        outputs.output_folder(tmp_path / "out")


def test_a_folder_and_a_device_are_no_file_to_write(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name, what in (
        ("folder", "is a folder"),
        ("pipe", "is no regular file"),
    ):
        with pytest.raises(InputError, match=what):
            outputs.output_file(tmp_path / name, replace=True)
