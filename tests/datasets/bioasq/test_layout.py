"""BioASQ's golden files, in and out byte for byte, several together, and what of them is refused or counted."""

from __future__ import annotations

import json
import tarfile
from typing import TYPE_CHECKING, Any

import pytest
from tests.golden_files import gson, ident, python2, question, questions, snippet, written
from tests.packed import packed

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


def imported(source: Path | Sequence[Path], folder: Path, **given: Any) -> store.Dataset:
    return api.import_dataset(source, folder, layout="bioasq", **given)


def exported(dataset: store.Dataset, out: Path, **given: Any) -> dict[str, bytes]:
    return {made.path.name: made.path.read_bytes() for made in api.export(dataset, out, **given)}


@pytest.mark.parametrize("style", [lambda found: python2(found, 4), python2, gson])
def test_a_file_has_its_questions_again_and_what_export_wrote_comes_back_byte_for_byte(
    tmp_path: Path, style: Callable[[Any], str]
) -> None:
    source = written(tmp_path / "8B1_golden.json", style(questions()))
    dataset = imported(source, tmp_path / "built")
    assert (dataset.sizes, dataset.receipt.repairs) == ({"train": 4}, {})
    made = exported(dataset, tmp_path / "out")
    assert json.loads(made[source.name]) == {"questions": questions()}
    assert exported(imported(tmp_path / "out", tmp_path / "again"), tmp_path / "back") == made


def test_archives_files_and_folders_are_imported_together(tmp_path: Path) -> None:
    archive = packed(
        tmp_path / "golden.tar.gz",
        {
            "a/1B1_golden.json": python2(questions(2), 4).encode(),
            "a/notes.txt": b"x",
            "1B2_golden.json": gson(questions(2, 3)).encode(),
        },
    )
    folder = written(tmp_path / "more/2B1_golden.json", python2(questions(2, 5))).parent
    file = written(tmp_path / "test", gson(questions(1, 7)))
    dataset = imported([archive, folder, file], tmp_path / "built")
    assert [(i.file, i.place) for i in store.instances(dataset, "train")] == [
        ("1B1_golden.json", 0),
        ("1B1_golden.json", 1),
        ("1B2_golden.json", 0),
        ("1B2_golden.json", 1),
        ("2B1_golden.json", 0),
        ("2B1_golden.json", 1),
        ("test", 0),
    ]
    assert dataset.receipt.repairs == {"archive_other_file": 1}
    assert [entry.name for entry in dataset.receipt.inputs] == ["golden.tar.gz", "2B1_golden.json", "test"]
    made = exported(dataset, tmp_path / "out")
    assert {name: json.loads(data)["questions"] for name, data in made.items()} == {
        "1B1_golden.json": questions(2),
        "1B2_golden.json": questions(2, 3),
        "2B1_golden.json": questions(2, 5),
        "test": questions(1, 7),
    }
    with pytest.raises(InputError, match="the layout bioasq has no settings"):
        api.export(dataset, tmp_path / "none", setting="1B2")
    held_out = imported([archive, folder, file], tmp_path / "held out", parts={"test": "1B2"})
    assert [*exported(held_out, tmp_path / "three")] == [*made]
    with pytest.raises(
        InputError, match=r"there are 1B1_golden[.]json, 1B2_golden[.]json, 2B1_golden[.]json"
    ):
        imported([archive, folder, file], tmp_path / "none", parts={"test": "3B1"})


def test_of_a_repeated_id_what_holds_more_stays(tmp_path: Path) -> None:
    bare = question(1, snippets=None, exact_answer=None)
    first = written(tmp_path / "a.json", gson([bare, question(2)]))
    second = written(tmp_path / "b.json", gson([question(1), question(2)]))
    dataset = imported([first, second], tmp_path / "built")
    assert [(i.id, i.file) for i in store.instances(dataset, "train")] == [
        (ident(2), "a.json"),
        (ident(1), "b.json"),
    ]
    assert dataset.receipt.instances.dropped == {"repeated_id": 2}
    told = [refusal.why for refusal in dataset.receipt.refusals]
    assert f"repeated_id: {ident(1)} is taken from b.json:3" in told


def test_of_one_id_the_question_with_answers_stays_before_one_with_more_snippets(tmp_path: Path) -> None:
    of_test = question(1, exact_answer=None, ideal_answer=None, snippets=[snippet()] * 3)
    ideal_alone = question(2, "summary", snippets=[])
    files = {
        "BioASQ-task7bPhaseB-testset1.json": [of_test, question(2, ideal_answer=None, exact_answer=None)],
        "7B1_golden.json": [question(1), ideal_alone],
    }
    sources = [written(tmp_path / name, gson(found)) for name, found in files.items()]
    for place, order in enumerate((sources, sources[::-1])):
        dataset = imported(order, tmp_path / f"built{place}", parts={"test": "7B"})
        found = list(store.instances(dataset, "test", of=QuestionInstance))
        assert {one.file for one in found} == {"7B1_golden.json"}
        assert dataset.receipt.instances.dropped == {"repeated_id": 2}


def test_an_exact_answer_of_unknown_shape_is_none_and_is_counted(tmp_path: Path) -> None:
    source = written(
        tmp_path / "a.json", python2([question(exact_answer={"a": 1}), question(2, kind="summary")])
    )
    dataset = imported(source, tmp_path / "built")
    assert dataset.receipt.repairs == {"answer_unreadable": 1}
    (first, _) = store.instances(dataset, "train", of=QuestionInstance)
    assert first.exact is None


def test_a_file_of_no_question_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(
        InputError,
        match=r"no instance to write \(not_a_question refused 1\) \(first at b[.]json.*: not_a_question",
    ):
        imported(written(tmp_path / "b.json", python2([{"id": "1"}])), tmp_path / "none")


def test_files_that_cannot_be_told_apart_are_refused(tmp_path: Path) -> None:
    sources = [written(tmp_path / name / "a.json", gson(questions(1))) for name in ("one", "two")]
    with pytest.raises(InputError, match="a second file called"):
        imported(sources, tmp_path / "built")


def members(archives: Sequence[Path]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for path in archives:
        with tarfile.open(path) as archive:
            for member in archive:
                stream = archive.extractfile(member)
                if stream is not None:
                    found[member.name.rpartition("/")[2]] = stream.read()
    return found


def test_all_golden_files_have_their_questions_again(shared: Path, tmp_path: Path) -> None:
    archives = sorted((shared / "data/bioasq").glob("golden-*.tar.gz"))
    dataset = imported(archives, tmp_path / "built")
    assert (dataset.sizes, dataset.receipt.instances.dropped) == ({"train": 4_461}, {"repeated_id": 4})
    assert dataset.receipt.repairs == {}
    theirs, ours = members(archives), exported(dataset, tmp_path / "out")
    assert ours.keys() == theirs.keys()
    # Four questions of the dry run come again in 1B1.
    assert [name for name, text in theirs.items() if json.loads(ours[name]) != json.loads(text)] == [
        "1B1_golden.json"
    ]
    assert exported(imported(tmp_path / "out", tmp_path / "again"), tmp_path / "back") == ours
