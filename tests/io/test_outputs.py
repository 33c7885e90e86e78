from __future__ import annotations

import os
from pathlib import Path

import pytest

from anagnosis.errors import InputError
from anagnosis.io import outputs
from anagnosis.io.files import write_text


def test_a_new_file_may_be_written_beside_its_inputs(tmp_path: Path) -> None:
    (tmp_path / "in").touch()
    for name in ("out", "deep/er/out"):
        made = outputs.output_file(tmp_path / name, inputs=[tmp_path / "in", tmp_path, None])
        assert (made.path, made.replaces) == (tmp_path / name, False)


@pytest.mark.parametrize("given", ["own={0}", "own=x,{0}", "vectors={0}", "{0}"])
def test_a_file_named_in_an_argument_is_an_input(given: str, tmp_path: Path) -> None:
    (tmp_path / "in").touch()
    with pytest.raises(InputError, match="is an input of this command; choose another --out"):
        outputs.output_file(tmp_path / "in", inputs=[given.format(tmp_path / "in")], replace=True)


def test_arguments_that_can_be_no_path_are_no_inputs(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    for given in ("-", "x" * 5000, "a\0b", "Does tea help?"):
        assert outputs.output_file(tmp_path / "out", inputs=[given], replace=True).replaces


def test_every_file_in_a_folder_of_inputs_is_one_under_its_other_names_too(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "in").touch()
    os.link(corpus / "in", tmp_path / "hard")
    os.link(tmp_path / "hard", tmp_path / "third")
    for place in (corpus / "in", tmp_path / "hard"):
        with pytest.raises(InputError, match="is an input"):
            outputs.output_file(place, inputs=[corpus], replace=True)
    (tmp_path / "other").touch()
    os.link(tmp_path / "other", tmp_path / "another")
    assert outputs.output_file(tmp_path / "other", inputs=[corpus], replace=True).replaces


def test_links_in_a_circle_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(InputError, match="choose another place to write"):
        write_text(tmp_path / "a" / "x", "new")


def test_a_link_that_leads_nowhere_is_somebodys(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to(tmp_path / "gone")
    with pytest.raises(InputError, match="is there already"):
        outputs.output_file(tmp_path / "out")


def test_what_was_replaced_is_told_when_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a").touch()
    with (
        pytest.raises(KeyboardInterrupt),
        outputs.writing(tmp_path / "a", replace=True),
    ):
        raise KeyboardInterrupt
    assert not capsys.readouterr().err
    with outputs.writing(tmp_path / "a", replace=True):
        pass
    assert capsys.readouterr().err == f"replaced {tmp_path / 'a'}\n"


def test_files_come_into_a_folder_together_or_not_at_all(tmp_path: Path) -> None:
    out = tmp_path / "out"

    def write(*names: str, replace: bool = False) -> dict[str, bool]:
        with outputs.writing_into(out, replace=replace) as (part, written):
            for name in names:
                (part / name).parent.mkdir(exist_ok=True)
                (part / name).write_text("ours")
        return {place.name: output.replaces for place, output in written.items()}

    assert write("deep/a", "b") == {"a": False, "b": False}
    (out / "c").write_text("mine")
    with pytest.raises(InputError, match="is there already"):
        write("a", "c")
    assert sorted(path.name for path in out.rglob("*")) == ["a", "b", "c", "deep"]
    assert (out / "c").read_text() == "mine"
    assert write("a", "c", replace=True) == {"a": False, "c": True}
    assert (out / "c").read_text() == "ours"


def test_an_export_that_was_killed_among_its_files_goes_on(tmp_path: Path) -> None:
    def exported() -> None:
        with outputs.writing_into(tmp_path) as (hidden, _):
            (hidden / "a.csv").write_text("a")
            (hidden / "b.csv").write_text("b")

    (tmp_path / "a.csv").write_text("a")
    with pytest.raises(InputError, match=r"a\.csv: is there already"):
        exported()
    (tmp_path / ".export.a1b2c3_4.part").mkdir()
    (tmp_path / ".export.a1b2c3_4.part" / "b.csv").write_text("b")
    exported()
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a.csv": "a", "b.csv": "b"}
    (tmp_path / ".export.a1b2c3_4.part").mkdir()
    (tmp_path / "a.csv").write_text("mine")
    with pytest.raises(InputError, match=r"a\.csv: is there already"):
        exported()


def test_an_export_that_failed_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), outputs.writing_into(tmp_path / "out"):
        raise KeyboardInterrupt
    assert not (tmp_path / "out").exists()


def test_a_folder_is_free_where_nothing_of_ours_or_of_the_call_lies(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "a").touch()
    for place in ("out", "corpus/out", "."):
        assert outputs.output_folder(tmp_path / place, inputs=["-", tmp_path / "gone"]) == tmp_path / place
    for place, what in (("corpus", "is an input"), (".", "holds an input"), ("corpus/a", "is a file")):
        with pytest.raises(InputError, match=what):
            outputs.output_folder(tmp_path / place, inputs=[tmp_path / "corpus"])


def move_into(folder: Path, file: str) -> None:
    with outputs.writing_into(folder, replace=True) as (part, _):
        (part / file).parent.mkdir()
        (part / file).touch()


def test_files_move_into_no_linked_folder(tmp_path: Path) -> None:
    for name in ("theirs", "out"):
        (tmp_path / name).mkdir()
    (tmp_path / "out" / "train").symlink_to(tmp_path / "theirs")
    with pytest.raises(InputError, match=r"out/train: is a link"):
        move_into(tmp_path / "out", "train/1.question")
    assert not [*(tmp_path / "theirs").iterdir()]


def test_a_folder_and_a_device_are_no_file_to_write(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name, what in (
        ("folder", "is a folder"),
        ("pipe", "is no regular file"),
    ):
        with pytest.raises(InputError, match=what):
            outputs.output_file(tmp_path / name, replace=True)
