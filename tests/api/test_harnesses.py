"""One predictions file as each harness would count it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.decisions import answers, rows, written

from anagnosis import api
from anagnosis.cli import run as command
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.evaluation.harnesses import HARNESSES, Under
from anagnosis.evaluation.protocols import FIXED
from anagnosis.reports.report import Table


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """1,000 labelled questions in the authors' order, their test part apart."""
    folder = tmp_path_factory.mktemp("people")
    source = written(folder / "ori_pqal.json", rows(552, 338, 110))
    return api.import_dataset(source, folder / "built", layout="pubmedqa")


def labels(dataset: Dataset, *splits: str) -> dict[str, str | None]:
    return {one.id: one.label for split in splits for one in store.instances(dataset, split)}


def under(dataset: Dataset, file: Path, **how: str) -> dict[str, Under]:
    (found,) = api.harnesses(dataset, [file], **how).systems
    assert [*found.harnesses] == [*HARNESSES]
    return found.harnesses


def test_each_harness_asks_its_own_questions(people: Dataset, tmp_path: Path) -> None:
    truth = labels(people, *people.sizes)
    places = {one.id: one.place for one in store.instances(people, store.ALL)}
    # Right on the first half of the file alone, whatever the split.
    wrong = {"yes": "no", "no": "maybe", "maybe": "yes"}
    said = [(ident, of if places[ident] < 500 else wrong[str(of)]) for ident, of in truth.items()]
    found = under(people, answers(tmp_path / "half.jsonl", said))
    in_test = [places[one.id] < 500 for one in store.instances(people, "test")]
    share = sum(in_test) / len(in_test)
    expected = {"all-1000": 0.5, "last-500": 0.0, "official": share, "fold-0": share, "question-only": share}
    assert {name: found[name].accuracy.value for name in expected} == pytest.approx(expected)  # pyright: ignore[reportOptionalMemberAccess]
    assert {name: one.questions for name, one in found.items() if name != "all-1000"} == {
        name: 500 for name in found if name != "all-1000"
    }
    assert found["all-1000"].questions == 1000
    assert [name for name, one in found.items() if one.macro_f1] == ["official", "fixed", "last-500"]


def test_the_figures_are_those_of_score(people: Dataset, tmp_path: Path) -> None:
    said = [(ident, "yes") for ident in labels(people, "test")]
    file = answers(tmp_path / "yes.jsonl", said)
    found = under(people, file)
    (score,) = api.score(people, [file], protocol="official", unit="instance").systems
    for name in ("official", "fixed"):
        assert found[name].accuracy.interval == score.measures["accuracy"].interval  # pyright: ignore[reportOptionalMemberAccess]
        assert found[name].macro_f1.interval == score.measures["macro_f1"].interval  # pyright: ignore[reportOptionalMemberAccess]
    assert (found["all-1000"].missing, found["all-1000"].accuracy) == (500, None)


def test_what_cannot_be_read_is_yes_for_mirage_and_a_class_for_the_authors(
    people: Dataset, tmp_path: Path
) -> None:
    truth = labels(people, "test")
    yes = [ident for ident, label in truth.items() if label == "yes"]
    said = [(ident, "perhaps" if ident in yes[:50] else label) for ident, label in truth.items()]
    found = under(people, answers(tmp_path / "stray.jsonl", said))
    assert found["question-only"].accuracy.value == 1.0  # pyright: ignore[reportOptionalMemberAccess]
    assert found["official"].accuracy.value == 0.9  # pyright: ignore[reportOptionalMemberAccess]
    assert {one.unread for one in found.values() if one.accuracy} == {50.0}
    f1 = 2 * (len(yes) - 50) / (2 * len(yes) - 50)
    by_name = {name: found[name].macro_f1.value for name in ("official", FIXED)}  # pyright: ignore[reportOptionalMemberAccess]
    assert by_name == pytest.approx({"official": (f1 + 2) / 4, "fixed": (f1 + 2) / 3})


def test_the_page_says_what_was_read_otherwise(
    people: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = answers(tmp_path / "yes.jsonl", [(ident, "yes") for ident in labels(people, "test")])
    given = ["harnesses", str(people.folder), str(file), "--view", "question-only", "--json"]
    assert command(given) == 0
    (system,) = json.loads(capsys.readouterr().out)["systems"]
    assert (system["view"], system["harnesses"]["all-1000"]["missing"]) == ("question-only", 500)
    found = api.report(api.harnesses(people, [file], view="question-only"))
    (table,) = [block for block in found.blocks if isinstance(block, Table)]
    remarks = {row[1]: row[-1] for row in table.rows}
    assert remarks["official"] == "read another view: question-only"
    assert remarks["question-only"] == remarks["fixed"] == ""
    assert remarks["all-1000"] == "no line for 500 of them"


def test_what_has_no_such_questions_is_refused(people: Dataset, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(InputError, match=r"is a folder.*anagnosis predict"):
        api.harnesses(people, [tmp_path])
    unlabelled = writing.write(tmp_path / "u", {"train": []}, {"dataset": "pubmedqa", "kind": "decision"})
    with pytest.raises(InputError, match="no question that people labelled"):
        api.harnesses(unlabelled, [tmp_path / "x.jsonl"])
