"""CliCR's files: they come back byte for byte, and each fault is counted or refused in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.datasets.clicr.files import EMPTY, OTHER, QUERIES, answer, file, query, report

from anagnosis import api
from anagnosis.datasets.clicr import layout
from anagnosis.datasets.clicr.layout import ReportRow, without_marks
from anagnosis.datasets.export.layouts import LayoutFaults
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance, outside
from anagnosis.errors import InputError

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset


def imported(
    folder: Path, content: bytes | None = None, name: str = "train1.0.json", **options: Any
) -> Dataset:
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(file() if content is None else content)
    return api.import_dataset(folder / name, folder / "built", layout="clicr", **options)


def exported(dataset: Dataset, folder: Path, **options: Any) -> dict[str, bytes]:
    made = api.export(dataset, folder, layout="clicr", **options)
    return {one.path.name: one.path.read_bytes() for one in made}


def test_an_instance_has_the_texts_without_marks_and_its_entities(tmp_path: Path) -> None:
    one, two, three, other = store.instances(imported(tmp_path), store.ALL, of=ClozeInstance)
    assert one.passage.partition("\n")[0] == "Relapsing fever after a holiday : a made - up case"
    assert "A man had low grade fever and Fever ." in one.passage
    assert one.question == "XXXX after a holiday needs blood films and thick film ."
    assert two.question == "Fever responds to XXXX\n, 17"
    surfaces = [one.passage[slice(*m.spans[0])] for m in one.mentions]
    assert surfaces == ["fever", "low grade fever", "Fever", "Quinine", "blood films"]
    assert [(c.key, c.type, c.number, c.names) for c in one.candidates] == [
        ("fever", "", 0, ("fever", "Fever")),
        ("low grade fever", "", 1, ("low grade fever",)),
        ("quinine", "", 2, ("Quinine",)),
        ("blood films", "", 3, ("blood films",)),
    ]
    # "thick film" is in the question alone; the next report's entity gets the next number.
    assert [m.candidate for m in one.question_mentions] == [3, outside(4)]
    assert [one.question[slice(*m.spans[0])] for m in one.question_mentions] == ["blood films", "thick film"]
    assert [c.number for c in other.candidates] == [5]
    assert (one.id, one.document) == ("made-2012-001.1", "made-2012-001")
    assert (one.date, other.date) == ("2012", "2013")
    # The hidden text is the answer, else the last other name that is a candidate.
    assert (one.answer, two.answer, three.answer) == (0, 3, None)
    assert two.answers == ("quinine sulphate", "Quinine", "blood  films", "chinin")
    assert two.answer_identifiers == ("C9000002",) * 4
    assert two.answer_types == ("treatment",) * 4
    assert two.answer_origins == ("dataset", "UMLS", "UMLS", "UMLS")


def test_all_splits_come_back_byte_for_byte(tmp_path: Path) -> None:
    files = {
        "train1.0.json": file(),
        "dev1.0.json": file(
            report(query("a-1.1", "@placeholder", answer("a")), source="a-1"),
            report(query("b.1", "x @placeholder", answer("b")), source="b"),
        ),
        "test1.0.json": file(
            report(query("t.1", "@placeholder", answer("")), context="", title="BEG__x__END")
        ),
    }
    given = tmp_path / "given"
    given.mkdir()
    for name, data in files.items():
        (given / name).write_bytes(data)
    dataset = api.import_dataset(sorted(given.iterdir()), tmp_path / "built", layout="clicr")
    assert dataset.sizes == {"train": 4, "dev": 2, "test": 1}
    assert not dataset.receipt.repairs
    assert api.check(dataset).sound
    assert exported(dataset, tmp_path / "out") == files


def test_a_report_without_queries_is_counted_and_left_out(tmp_path: Path) -> None:
    dataset = imported(tmp_path, file(EMPTY, report(*QUERIES), EMPTY, OTHER))
    assert dataset.receipt.repairs == {"report_without_queries": 2}
    assert exported(dataset, tmp_path / "out") == {"train1.0.json": file()}


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(json.loads(file())).encode(),
        file().replace(b"\\u2013", "–".encode()),
        file().replace(b'"origin":"dataset"}', b'"origin":"dataset","x":1}'),
        b"\xef\xbb\xbf" + file(),
    ],
)
def test_another_spelling_is_accepted_and_the_usual_one_is_written(tmp_path: Path, content: bytes) -> None:
    assert exported(imported(tmp_path, content), tmp_path / "out") == {"train1.0.json": file()}


def test_a_dataset_without_origins_or_with_replaced_texts_is_refused(tmp_path: Path) -> None:
    without = msgspec.structs.replace(
        next(store.instances(imported(tmp_path), "train", of=ClozeInstance)), answer_origins=()
    )
    writing.write(tmp_path / "without", {"test": [without]}, {"dataset": "clicr"})
    with pytest.raises(InputError, match=r"made-2012-001\.1: the layout needs answers with their origins"):
        api.export(tmp_path / "without", tmp_path / "out", layout="clicr")
    biomrc = Path("tests/samples/biomrc/dataset_test.json")
    replaced = api.import_dataset(biomrc, tmp_path / "replaced", layout="biomrc")
    with pytest.raises(InputError, match="the layout needs the original text"):
        api.export(replaced, tmp_path / "out", layout="clicr")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("text", "plain", "names"),
    [
        ("No BEG__skin rash__END , BEG__itch__END .", "No skin rash , itch .", ["skin rash", "itch"]),
        ("BEG____END x BEG__a_b__END", "BEG____END x a_b", ["a_b"]),
        ("BEG__a BEG__b c__END", "BEG__a b c", ["b c"]),
        ("BEG__a\nb__END", "BEG__a\nb__END", []),
        ("BEG__ a__END (BEG__b__END)", "BEG__ a__END (BEG__b__END)", []),
        ("BEG__a __END BEG__b__END,", "BEG__a __END BEG__b__END,", []),
        ("BEG__a__ENDBEG__b__END", "BEG__a__ENDBEG__b__END", []),
    ],
)
def test_marks_come_off_whole_entities_alone(text: str, plain: str, names: list[str]) -> None:
    without, spans = without_marks(text)
    assert (without, [without[start:end] for start, end in spans]) == (plain, names)


WORDS = st.sampled_from(
    ["fever", "BEG__", "__END", "BEG__a__END", "BEG__a b__END", ",", "\n", " ", "é", "_", "\t"]
)
TEXTS = st.lists(WORDS, max_size=12).map("".join)


@given(TEXTS.map(lambda text: text.replace("\n", "")), TEXTS, TEXTS, TEXTS)
def test_any_marks_come_back(title: str, context: str, left: str, right: str) -> None:
    whole = report(query("a.1", f"{left} @placeholder {right}", answer("a")), title=title, context=context)
    row = msgspec.convert(whole, ReportRow)
    instances = list(layout.instances_of(row, "", LayoutFaults(), {}, set()))
    assert layout.report_row(instances) == row


VECTORS = ("dataset1.0.json", "dataset-plain-queries1.0.json", "dataset-without-repeats1.0.json")


@pytest.mark.parametrize("name", VECTORS)
def test_the_published_program_s_files_come_back_byte_for_byte(
    shared: Path, tmp_path: Path, name: str
) -> None:
    whole = (shared / "vectors" / "clicr" / "dataset" / name).read_bytes()
    dataset = imported(tmp_path, whole, name, split="train")
    assert not dataset.receipt.instances.dropped
    found = json.loads(whole)
    found["data"] = [report for report in found["data"] if report["document"]["qas"]]
    assert exported(dataset, tmp_path / "out") == {
        "train1.0.json": json.dumps(found, separators=(",", ":")).encode()
    }
