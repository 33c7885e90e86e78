"""Files of CliCR's readers: texts, candidates and answers of both views, the training filter, and the three forms."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.datasets.clicr.files import FEVER, NOWHERE, QUERIES, QUININE, answer, file, query, report

from anagnosis import api
from anagnosis.datasets.clicr.reader_files import ReaderInstance, reader_instances
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.errors import InputError

PASSAGE = (
    "relapsing @entityfever after a holiday : a made - up case case presentation a man had @entitylow_grade_fever and "
    "@entityfever . @entityquinine helped , and @entityblood_films were clear . the @entity ( ct ) was refused ."
)
CANDIDATES = ["@entity", "@entityblood_films", "@entityfever", "@entitylow_grade_fever", "@entityquinine"]
NAMES = ["", "blood films", "fever", "low grade fever", "quinine"]


def imported(folder: Path, content: bytes, split: str = "train") -> Dataset:
    folder.mkdir(exist_ok=True)
    (folder / f"{split}1.0.json").write_bytes(content)
    return api.import_dataset(folder / f"{split}1.0.json", folder / "built", layout="clicr")


def made(dataset: Dataset, view: str, **how: Any) -> tuple[list[ReaderInstance], Counter[str]]:
    notes = Counter[str]()
    split = next(iter(dataset.sizes))
    found = store.instances(dataset, split, of=ClozeInstance)
    return list(reader_instances(found, view, notes, **how)), notes


def test_in_the_marked_view_an_entity_is_a_token(tmp_path: Path) -> None:
    (one, two, three), _ = made(imported(tmp_path, file(report(*QUERIES))), "marked")
    assert one.passage == PASSAGE
    assert one.query == "@placeholder after a holiday needs @entityblood_films and @entitythick_film ."
    assert two.query == "@entityfever responds to @placeholder , 17"
    assert [one.candidates, two.candidates, three.candidates] == [CANDIDATES] * 3
    assert [each.answer for each in (one, two, three)] == [
        "@entityfever",
        "@entityquinine_sulphate",
        "@entitytravel_“abroad”",
    ]


def test_in_the_plain_view_marks_alone_go(tmp_path: Path) -> None:
    (one, two, three), _ = made(imported(tmp_path, file(report(*QUERIES))), "plain")
    assert "blood films were clear . the  ( ct ) was refused ." in one.passage
    assert two.query == "fever responds to @placeholder , 17"
    assert one.candidates == NAMES
    assert [each.answer for each in (one, two, three)] == ["fever", "quinine sulphate", "travel “abroad”"]


@pytest.mark.parametrize(
    ("view", "answers"), [("marked", ["fever", "blood_films"]), ("plain", ["fever", "quinine"])]
)
def test_the_training_filter_keeps_answers_that_are_candidates(
    tmp_path: Path, view: str, answers: list[str]
) -> None:
    # "blood  films" has two blanks: a token has none of them, the plain form keeps both.
    found, notes = made(imported(tmp_path, file(report(*QUERIES))), view, training_filter=True)
    assert [each.answer.removeprefix("@entity") for each in found] == answers
    assert notes["left_out"] == 1


def test_entities_of_the_query_may_be_candidates_too(tmp_path: Path) -> None:
    (one, *_), _ = made(imported(tmp_path, file(report(FEVER))), "marked", query_candidates=True)
    assert one.candidates == [*CANDIDATES, "@entityblood_films", "@entitythick_film"]


def test_each_report_has_its_own_passage(tmp_path: Path) -> None:
    other = {**FEVER, "id": "other.1"}
    whole = file(
        report(FEVER), report(other, source="other", context="Only BEG__Fever__END"), report(QUININE)
    )
    found, _ = made(imported(tmp_path, whole), "plain")
    assert [each.candidates == ["fever"] for each in found] == [False, True, False]


def files(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_the_gated_attention_reader_gets_a_file_an_instance(tmp_path: Path) -> None:
    dataset = imported(tmp_path, file(report(*QUERIES)))
    (written,) = api.export(dataset, tmp_path / "out", layout="ga-reader")
    assert (written.path, written.instances) == (tmp_path / "out" / "training", 2)
    assert written.notes == {"left_out": 1, "text_holds_mark": 1}
    found = files(tmp_path / "out")
    assert list(found) == ["training/made-2012-001.1.question", "training/made-2012-001.3.question"]
    parts = (
        "made-2012-001.1",
        PASSAGE,
        found["training/made-2012-001.1.question"].split("\n\n")[2],
        "@entityfever",
    )
    assert found["training/made-2012-001.1.question"] == "\n\n".join((*parts, "\n".join(CANDIDATES))) + "\n"


@pytest.mark.parametrize(("split", "folder"), [("dev", "validation"), ("test", "test")])
def test_dev_and_test_keep_all_instances_with_the_hidden_text(
    tmp_path: Path, split: str, folder: str
) -> None:
    dataset = imported(tmp_path, file(report(QUININE, NOWHERE)), split)
    (written,) = api.export(dataset, tmp_path / "out", layout="ga-reader", view="plain")
    assert (written.path.name, written.instances) == (folder, 2)
    found = files(tmp_path / "out")
    assert [text.split("\n\n")[3] for text in found.values()] == ["quinine sulphate", "travel “abroad”"]


def test_the_stanford_reader_gets_a_file_a_split_with_an_entity_for_an_answer(tmp_path: Path) -> None:
    dataset = imported(tmp_path, file(report(QUININE)), "test")
    for view, shown in (("marked", "@entity@entityquinine_sulphate"), ("plain", "@entityquinine_sulphate")):
        (written,) = api.export(dataset, tmp_path / view, layout="sa-reader", view=view)
        assert written.path == tmp_path / view / "test"
        asked, answered, passage, ident, *rest = written.path.read_text().split("\n")
        assert asked.endswith("fever responds to @placeholder , 17")
        assert (answered, ident, rest) == (shown, "made-2012-001.3", ["", ""])
        assert passage.endswith("( ct ) was refused .")


def test_cnn_s_form_has_numbers_and_a_line_for_each_entity_of_passage_and_query(tmp_path: Path) -> None:
    found_in_query = query("made-2012-001.9", "BEG__Gout__END , @placeholder", answer("gout"))
    dataset = imported(tmp_path, file(report(*QUERIES, found_in_query)), "test")
    (written,) = api.export(dataset, tmp_path / "out", layout="cnn")
    assert (written.path.name, written.instances, written.notes["left_out"]) == ("test", 3, 1)
    found = files(tmp_path / "out")
    assert list(found) == [f"test/made-2012-001.{n}.question" for n in (1, 3, 9)]
    one = found["test/made-2012-001.1.question"].removesuffix("\n").split("\n\n")
    names = dict(line.split(":") for line in one[4].split("\n"))
    tokens = {token: f"@entity{name}" for token, name in names.items()}
    restored = [re.sub(r"@entity[0-9]+", lambda token: tokens[token[0]], part) for part in one[1:4]]
    assert restored == [
        PASSAGE,
        "@placeholder after a holiday needs @entityblood_films and @entitythick_film .",
        "@entityfever",
    ]
    # An entity of passage and query is listed twice.
    assert [line.partition(":")[2] for line in one[4].split("\n")] == [
        "", "blood_films", "blood_films", "fever", "low_grade_fever", "quinine", "thick_film",
    ]  # fmt: skip
    assert (
        found["test/made-2012-001.9.question"].split("\n\n")[3]
        in found["test/made-2012-001.9.question"].split("\n\n")[2]
    )


def test_an_id_names_a_file_inside_its_folder(tmp_path: Path) -> None:
    ids = ("../../up.1", "a/b.2", "per%2Fcent.3")
    dataset = imported(tmp_path, file(report(*[{**FEVER, "id": ident} for ident in ids])))
    api.export(dataset, tmp_path / "out", layout="ga-reader")
    names = ["..%2F..%2Fup.1.question", "a%2Fb.2.question", "per%252Fcent.3.question"]
    assert sorted(files(tmp_path / "out")) == sorted(f"training/{name}" for name in names)
    long = imported(tmp_path / "long", file(report({**FEVER, "id": "x" * 300})))
    with pytest.raises(InputError, match="the id is too long for the name of a file"):
        api.export(long, tmp_path / "long out", layout="ga-reader")
    assert not (tmp_path / "long out").exists()


def test_views_and_texts_that_the_forms_lack_are_refused(tmp_path: Path) -> None:
    dataset = imported(tmp_path, file(report(FEVER)))
    with pytest.raises(InputError, match="unknown view 'global'"):
        api.export(dataset, tmp_path / "out", layout="ga-reader", view="global")
    with pytest.raises(InputError, match="cnn has marked entities only, not 'plain'"):
        api.export(dataset, tmp_path / "out", layout="cnn", view="plain")
    biomrc = Path("tests/samples/biomrc/dataset_test.json")
    replaced = api.import_dataset(biomrc, tmp_path / "replaced", layout="biomrc")
    with pytest.raises(InputError, match="the layout needs the original text"):
        api.export(replaced, tmp_path / "out", layout="sa-reader")


@pytest.fixture
def published(shared: Path, tmp_path: Path) -> tuple[Path, Dataset]:
    """The folder of the published program's files, and its dataset without repeats."""
    folder = shared / "vectors" / "clicr" / "dataset"
    given = folder / "dataset-without-repeats1.0.json"
    return folder, api.import_dataset(given, tmp_path / "built", layout="clicr", split="test")


def test_published_plain_instances_come_out_alike(published: tuple[Path, Dataset]) -> None:
    folder, dataset = published
    cases: dict[str, list[dict[str, Any]]] = json.loads((folder / "plain_instances.json").read_text())
    assert len(cases) == 6
    for name, wanted in cases.items():
        view, dropped, of_query = name.split("|")
        found, _ = made(
            dataset,
            {"ent": "marked", "no-ent": "plain"}[view],
            training_filter=dropped == "remove_notfound=True",
            query_candidates=of_query == "include_q_cands=True",
        )
        ours = [
            {"c": sorted(i.candidates), "a": i.answer, "p": i.passage, "q": i.query, "id": i.id}
            for i in found
        ]
        assert ours == wanted, name


def test_published_files_of_readers_come_out_alike(published: tuple[Path, Dataset], tmp_path: Path) -> None:
    folder, dataset = published
    for view, name in (("marked", "ent"), ("plain", "no-ent")):
        out = tmp_path / view
        api.export(dataset, out / "sa", layout="sa-reader", view=view)
        assert (out / "sa" / "test").read_bytes() == (
            folder / "layouts" / f"sareader-{name}.txt"
        ).read_bytes()
        api.export(dataset, out / "ga", layout="ga-reader", view=view)
        for wanted in folder.glob(f"layouts/gareader-{name}-*.question"):
            file = wanted.name.removeprefix(f"gareader-{name}-")
            assert (out / "ga" / "test" / file).read_bytes() == wanted.read_bytes()
    api.export(dataset, tmp_path / "cnn", layout="cnn")
    for wanted in folder.glob("layouts/cnnlike-ent-*.question"):
        file = wanted.name.removeprefix("cnnlike-ent-")
        ours = (tmp_path / "cnn" / "test" / file).read_text()
        assert renumbered(ours) == renumbered(wanted.read_text())


def renumbered(text: str) -> str:
    """With the numbers of entities in the order of their lines."""
    numbers: dict[str, str] = {}
    for line in text.split("\n\n")[4].split("\n"):
        numbers.setdefault(line.partition(":")[0], f"@entity{len(numbers)}")
    return re.sub(r"@entity[0-9]+", lambda token: numbers[token[0]], text)


@pytest.mark.parametrize("layout", ["ga-reader", "cnn"])
def test_instances_of_an_earlier_export_are_not_mixed_with_others(tmp_path: Path, layout: str) -> None:
    larger = imported(tmp_path / "larger", file(report(*QUERIES)))
    smaller = imported(tmp_path / "smaller", file(report(FEVER)), "test")
    out = tmp_path / "out"
    api.export(larger, out, layout=layout)
    before = sorted(out.rglob("*"))
    with pytest.raises(InputError, match="holds an instance of another export, train"):
        api.export(smaller, out, layout=layout, replace=True)
    assert sorted(out.rglob("*")) == before
    assert api.export(larger, out, layout=layout, replace=True)
