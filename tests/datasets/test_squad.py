"""Files in SQuAD's form as questions with snippets: joined instances, withheld and missing answers, what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.golden_files import ident, written
from tests.rows import each_row

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import QuestionInstance

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SALT = "Salt water stops the gene XYZ1."
MICE = "In mice XYZ-1 is blue."


def asked(
    number: int | str, *answers: tuple[str, int | None], text: str = "", **other: Any
) -> dict[str, Any]:
    """A question. answers: (text, start), the start None for none."""
    listed = [
        {"text": answer} if start is None else {"text": answer, "answer_start": start}
        for answer, start in answers
    ]
    return {"id": number, "question": text or f"What is {number}?", "answers": listed, **other}


def of_bioasq(number: int, instance: int, *answers: tuple[str, int | None], **other: Any) -> dict[str, Any]:
    found = asked(f"{ident(number)}_{instance:03}", *answers, text=f"Which gene number {number}?")
    return found | other


def squad(path: Path, *paragraphs: tuple[str, Sequence[dict[str, Any]]]) -> Path:
    data = [{"title": "T", "paragraphs": [{"context": text, "qas": list(qas)} for text, qas in paragraphs]}]
    return written(path, json.dumps({"version": "1.1", "data": data}))


def imported(source: Path | Sequence[Path], folder: Path, **given: Any) -> store.Dataset:
    return api.import_dataset(source, folder, layout="squad", **given)


def of(dataset: store.Dataset, split: str = "train") -> list[QuestionInstance]:
    return list(store.instances(dataset, split, of=QuestionInstance))


def test_the_instances_of_one_question_are_joined(tmp_path: Path) -> None:
    source = squad(
        tmp_path / "a.json",
        (SALT, [of_bioasq(1, 1, ("XYZ1", 26))]),
        (MICE, [of_bioasq(1, 2, ("XYZ-1", 8))]),
        (SALT, [of_bioasq(1, 4, ("XYZ1", 26)), of_bioasq(2, 1, ("Salt", 0))]),
    )
    dataset = imported(source, tmp_path / "built")
    one, two = of(dataset)
    assert (one.id, one.type, one.question) == (ident(1), "factoid", "Which gene number 1?")
    assert [snippet.text for snippet in one.snippets] == [SALT, MICE]
    assert one.exact == (("XYZ1", "XYZ-1"),)
    assert (two.id, two.exact, two.file, two.place) == (ident(2), (("Salt",),), "a.json", 1)
    assert dataset.sizes == {"train": 2}
    assert api.check(dataset).sound


@each_row("number", ["56be4db0acb8001400a502ec", "doc_001", f"{ident(1)}_", f"{ident(1)}_x", 262])
def test_only_ids_of_bioasq_name_an_instance(tmp_path: Path, number: int | str) -> None:
    (one,) = of(
        imported(squad(tmp_path / "a.json", (SALT, [asked(number, ("Salt", 0))])), tmp_path / "built")
    )
    assert one.id == str(number)


def test_dummy_without_a_start_is_withheld_and_with_one_an_answer(tmp_path: Path) -> None:
    source = squad(
        tmp_path / "a.json",
        (SALT, [of_bioasq(1, 1, ("Dummy", None))]),
        (MICE, [of_bioasq(1, 2, ("Dummy", None)), of_bioasq(2, 1, ("Dummy", None))]),
        ("A Dummy.", [of_bioasq(2, 2, ("Dummy", 2)), asked("c"), asked("d", ("Dummy", 2))]),
        (SALT, [of_bioasq(3, 1, ("Dummy", None)), of_bioasq(3, 2, is_impossible=True)]),
    )
    dataset = imported(source, tmp_path / "built", split="test")
    assert {one.id: one.exact for one in of(dataset, "test")} == {
        ident(1): None,
        ident(2): (("Dummy",),),
        ident(3): None,
        "c": None,
        "d": (("Dummy",),),
    }


def test_a_question_that_its_context_does_not_answer_has_no_entry(tmp_path: Path) -> None:
    source = squad(
        tmp_path / "a.json",
        (SALT, [asked("a", is_impossible=True, plausible_answers=[{"text": "Salt", "answer_start": 0}])]),
        (SALT, [asked("b", ("Salt", 0), is_impossible=False), asked("c", ("Salt", 0), is_impossible=True)]),
    )
    dataset = imported(source, tmp_path / "built")
    assert {one.id: one.exact for one in of(dataset)} == {"a": (), "b": (("Salt",),), "c": ()}
    assert api.check(dataset).sound


@each_row(
    ("context", "answers", "exact"),
    [
        (SALT, [("XYZ1", 26), ("gene XYZ1", 21), ("XYZ1", 26)], (("XYZ1", "gene XYZ1"),)),
        (SALT, [("salt", 0), ("gene", None), (" gene", 20)], (("salt", "gene", " gene"),)),
        (SALT, [("", 0)], None),
        (" \n", [("x", 0)], (("x",),)),
    ],
)
def test_answers_stay_as_they_are_each_once(
    tmp_path: Path, context: str, answers: list[tuple[str, int | None]], exact: Any
) -> None:
    (one,) = of(imported(squad(tmp_path / "a.json", (context, [asked("a", *answers)])), tmp_path / "built"))
    assert (one.exact, len(one.snippets)) == (exact, bool(context.strip()))


def test_a_question_of_an_earlier_file_is_not_joined(tmp_path: Path) -> None:
    one = squad(tmp_path / "train.json", (SALT, [of_bioasq(1, 1, ("Salt", 0)), asked("b", ("XYZ1", 26))]))
    two = squad(tmp_path / "dev.json", (MICE, [of_bioasq(1, 2, ("mice", 3)), asked("c", ("blue", 17))]))
    dataset = imported([one, two], tmp_path / "built")
    assert [(each.id, each.file, each.place) for each in of(dataset)] == [
        (ident(1), "train.json", 0),
        ("b", "train.json", 1),
        ("c", "dev.json", 0),
    ]
    assert dataset.receipt.instances.dropped == {"repeated_id": 1}


def test_an_articles_id_is_the_document_of_its_snippets(tmp_path: Path) -> None:
    paragraphs = [
        {"context": SALT, "document_id": 630, "qas": [of_bioasq(1, 1, ("Salt", 0))]},
        {"context": MICE, "qas": [of_bioasq(1, 2, ("mice", 3))]},
        {"context": MICE, "document_id": "630", "qas": [of_bioasq(1, 3, ("mice", 3))]},
    ]
    source = written(tmp_path / "a.json", json.dumps({"data": [{"paragraphs": paragraphs}]}))
    (one,) = of(imported(source, tmp_path / "built"))
    assert [(each.document, each.text) for each in one.snippets] == [("630", SALT), ("", MICE), ("630", MICE)]
    assert one.documents == ("630",)
