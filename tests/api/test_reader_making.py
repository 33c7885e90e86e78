"""`readers make` and `readers show`: what is there stays, what is not there is one line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.measured import NAME_WEIGHTS

from anagnosis import api
from anagnosis.api import reader_making
from anagnosis.cli import run
from anagnosis.datasets.export.layouts import FewPlaces
from anagnosis.datasets.scifact.files import read
from anagnosis.errors import InputError
from anagnosis.searching.entities.ranking import FILE, store_name_weights


@pytest.fixture
def releases(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "golden.json").write_text('{"questions": [{"exact_answer": [], "snippets": []}]}')
    return tmp_path / "data"


def test_a_reader_is_made_once_unless_it_is_to_be_replaced(
    releases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = list[Path]()

    def make(found: dict[str, list[Path]], scratch: Path, place: Path, date: str) -> None:
        made.append(place)
        store_name_weights(place, NAME_WEIGHTS)

    patched = reader_making.MAKINGS["names"]._replace(make=make)
    monkeypatch.setitem(reader_making.MAKINGS, "names", patched)
    out = tmp_path / "readers"
    line = ["readers", "make", "--data", str(releases), "--out", str(out)]
    for extra in ([], [], ["--replace"]):
        assert run([*line, *extra]) == 0
        told = capsys.readouterr()
        assert NAME_WEIGHTS.figures.says in told.out
        assert "names: shown" in told.out
    assert made == [out / "names"] * 2
    assert run(["readers", "show", str(out)]) == 0
    assert capsys.readouterr().out == told.out
    assert run(["readers", "show", str(out / "names")]) == 0
    assert capsys.readouterr().out == told.out
    assert run(["readers"]) == 0
    assert "attention-sum" in capsys.readouterr().out


def test_a_reader_whose_making_was_stopped_is_made_by_the_next_call(
    releases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(found: dict[str, list[Path]], scratch: Path, place: Path, date: str) -> None:
        place.mkdir(parents=True)  # a kill before the file is there leaves the folder
        raise KeyboardInterrupt

    def whole(found: dict[str, list[Path]], scratch: Path, place: Path, date: str) -> None:
        store_name_weights(place, NAME_WEIGHTS)

    out = tmp_path / "readers"
    named = reader_making.MAKINGS["names"]
    monkeypatch.setitem(reader_making.MAKINGS, "names", named._replace(make=make))
    with pytest.raises(KeyboardInterrupt):
        api.make_readers(releases, out)
    assert list((out / "names").iterdir()) == []
    monkeypatch.setitem(reader_making.MAKINGS, "names", named._replace(make=whole))
    api.make_readers(releases, out)
    assert set(api.reader_cards(out)) == {"names"}


def test_what_is_not_there_or_damaged_is_one_line(releases: Path, tmp_path: Path) -> None:
    for what, folder in (("is no folder", tmp_path / "none"), ("no release of", tmp_path)):
        with pytest.raises(InputError, match=what):
            api.make_readers(folder, tmp_path / "out")
    with pytest.raises(InputError, match="no fitted readers here"):
        api.reader_cards(releases)
    (releases / "names").mkdir()
    (releases / "names" / FILE).write_text("{")
    with pytest.raises(InputError, match="readers make --data DATA --out READERS --replace"):
        api.reader_cards(releases)
    assert run(["readers", "show"]) == 2
    assert run(["readers", "make", "--data", str(releases)]) == 2


def test_all_files_of_claims_are_read_and_what_is_not_used_is_named(
    releases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    decided = '{"1": {"reasoning_required_pred": "yes", "final_decision": "yes", "LONG_ANSWER": "It is."}}'
    claim = '{"id": 1, "claim": "Tea helps.", "evidence": {}, "cited_doc_ids": [2]}'
    abstract = '{"doc_id": 2, "title": "Tea", "abstract": ["Tea helps."], "structured": false}'
    contents = {
        "claims_dev.jsonl": claim,
        "claims_train.jsonl": claim,
        "corpus.jsonl": abstract,
        "ori_pqaa.json": decided.replace("reasoning_required_pred", "YEAR"),
        "ori_pqal.json": decided,
        "7B1-testset": '{"questions": [{"snippets": []}]}',
    }
    for name, content in contents.items():
        (releases / name).write_text(content)
    (releases / "golden.json").unlink()
    imported, splits = list[Path](), list[str]()

    def fit(_: object, claims: Sequence[Path], *, date: str) -> None:
        splits.extend(read(claims, FewPlaces(), wanted=("train",)).splits)

    monkeypatch.setattr(reader_making, "import_dataset", lambda path, *_, **__: imported.append(path))
    monkeypatch.setattr("anagnosis.searching.fit.stance_fitting.fit", fit)
    monkeypatch.setattr("anagnosis.searching.conclusions.stance.store_stance_reader", lambda *_: None)
    api.make_readers(releases, tmp_path / "readers")
    assert (imported, splits) == ([releases / "ori_pqal.json"], ["train"])
    lines = capsys.readouterr().err.splitlines()
    unused = [line for line in lines if line.endswith(": not used")]
    assert [Path(line.removesuffix(": not used")).name for line in unused] == ["7B1-testset", "ori_pqaa.json"]
