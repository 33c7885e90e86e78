"""`readers make` and `readers show`: readers are made whole or not at all; what is there stays; cards are printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.measured import NAME_WEIGHTS, STANCES

from anagnosis import api
from anagnosis.api import reader_making
from anagnosis.api.reader_making import Work
from anagnosis.cli import run
from anagnosis.datasets.export.layouts import FewPlaces
from anagnosis.datasets.scifact.files import read
from anagnosis.errors import InputError
from anagnosis.searching.conclusions.stance import StanceReader, StanceWeights, TrainingData
from anagnosis.searching.entities.ranking import FILE, store_name_weights
from anagnosis.searching.records.conclusions import StanceFigures


@pytest.fixture
def releases(tmp_path: Path) -> Path:
    (tmp_path / "data" / "golden").mkdir(parents=True)  # at any depth
    (tmp_path / "data" / "golden" / "8B1_golden.json").write_text(
        '{"questions": [{"exact_answer": [], "snippets": []}]}'
    )
    return tmp_path / "data"


def test_a_reader_is_made_once_unless_it_is_to_be_replaced(
    releases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = list[Path]()

    def make(work: Work) -> None:
        made.append(work.place)
        store_name_weights(work.place, NAME_WEIGHTS)

    monkeypatch.setattr(reader_making, "MAKERS", {"names": reader_making.MAKERS["names"]})
    only(monkeypatch, names=make)
    out = tmp_path / "readers"
    line = ["readers", "make", "--data", str(releases), "--out", str(out)]
    for extra in ([], [], ["--replace"]):
        assert run([*line, *extra]) == 0
        told = capsys.readouterr()
        assert NAME_WEIGHTS.figures.says in told.out
        assert "names: on\n  names that answer" in told.out
        assert "  trained on invented\n  licence of the data: BioASQ: CC BY 2.5\n" in told.out
    assert len(made) == 2
    assert [path.name for path in out.rglob("*")] == ["names", FILE]
    assert run(["readers", "show", str(out)]) == 0
    assert capsys.readouterr().out == told.out
    assert run(["readers", "show", str(out / "names")]) == 0
    assert capsys.readouterr().out == told.out
    assert run(["readers"]) == 0
    assert "attention-sum" in capsys.readouterr().out


def test_a_making_that_stops_leaves_no_half_reader_and_the_next_call_goes_on(
    releases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(work: Work) -> None:
        store_name_weights(work.place, NAME_WEIGHTS)
        raise KeyboardInterrupt

    out = tmp_path / "readers"
    only(monkeypatch, names=stopped)
    with pytest.raises(KeyboardInterrupt):
        api.make_readers(releases, out)
    assert [*out.iterdir()] == []
    only(monkeypatch, names=lambda work: store_name_weights(work.place, NAME_WEIGHTS))
    api.make_readers(releases, out)
    assert set(api.reader_cards(out)) == {"names"}
    before = (out / "names" / FILE).read_bytes()
    only(monkeypatch, names=stopped)
    with pytest.raises(KeyboardInterrupt):
        api.make_readers(releases, out, replace=True)
    assert (out / "names" / FILE).read_bytes() == before


def test_a_reader_that_cannot_be_made_is_named_with_the_reason_and_the_others_are_made(
    releases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(work: Work) -> None:
        raise InputError("3 questions, and 40 are needed", "the dataset", "import more")

    out = tmp_path / "readers"
    line = ["readers", "make", "--data", str(releases), "--out", str(out)]
    only(monkeypatch, **{"names": fails, "question-type": fails})
    assert run(line) == 2
    assert not any(out.iterdir())
    capsys.readouterr()
    only(
        monkeypatch,
        **{"names": lambda work: store_name_weights(work.place, NAME_WEIGHTS), "question-type": fails},
    )
    assert run(line) == 0
    assert set(api.reader_cards(out)) == {"names"}
    told = capsys.readouterr().err.splitlines()
    assert "evidence: not made, no release of SciFact here" in told
    assert "stance: not made, no release of PubMedQA here" in told
    assert "question-type: not made, the dataset: 3 questions, and 40 are needed; import more" in told
    # Another call that still cannot make it has nothing new to say about the exit status.
    assert run(line) == 0
    # But one that was to replace all readers and made none has failed.
    only(monkeypatch, **{"names": fails, "question-type": fails})
    assert run([*line, "--replace"]) == 2
    assert set(api.reader_cards(out)) == {"names"}


def test_the_expected_time_is_told_beforehand(
    releases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        reader_making, "MAKERS", {"names": reader_making.MAKERS["names"]._replace(seconds=600)}
    )
    only(monkeypatch, names=lambda work: store_name_weights(work.place, NAME_WEIGHTS))
    api.make_readers([releases / "golden" / "8B1_golden.json"], tmp_path / "readers")
    assert capsys.readouterr().err.splitlines()[0] == "making names: about 10 min on one core"


@pytest.mark.parametrize("replace", [False, True])
def test_a_folder_of_the_users_is_never_overwritten(
    releases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replace: bool
) -> None:
    only(monkeypatch, names=lambda work: store_name_weights(work.place, NAME_WEIGHTS))
    notes = tmp_path / "readers" / "names" / "notes.txt"
    notes.parent.mkdir(parents=True)
    notes.write_text("mine")
    with pytest.raises(InputError, match=r"holds other files \(notes.txt\)"):
        api.make_readers(releases, tmp_path / "readers", replace=replace)
    assert notes.read_text() == "mine"


@pytest.mark.parametrize("role", ["names", "question-type"])
def test_a_users_file_beside_a_reader_is_never_removed(
    releases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, role: str
) -> None:
    monkeypatch.setattr(reader_making, "MAKERS", {role: reader_making.MAKERS[role]})
    place = tmp_path / "readers" / role
    store_name_weights(place, NAME_WEIGHTS)
    if role == "question-type":
        (place / FILE).unlink()
        (place / "run.json").write_text('{"reader": "r", "train": []}')
    only(monkeypatch, **{role: lambda work: store_name_weights(work.place, NAME_WEIGHTS)})
    (place / "NOTES.txt").write_text("mine")
    api.make_readers(releases, tmp_path / "readers")
    with pytest.raises(InputError, match=r"holds other files \(NOTES.txt\)"):
        api.make_readers(releases, tmp_path / "readers", replace=True)
    assert (place / "NOTES.txt").read_text() == "mine"


def only(monkeypatch: pytest.MonkeyPatch, **makers: Callable[[Work], None]) -> None:
    """Make readers of these roles by these functions."""
    for role, make in makers.items():
        monkeypatch.setitem(reader_making.MAKERS, role, reader_making.MAKERS[role]._replace(make=make))


def test_what_is_not_there_or_damaged_is_one_line(releases: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("of no release")
    for what, folder in (("no such file", tmp_path / "none"), ("no release of", tmp_path / "other")):
        with pytest.raises(InputError, match=what):
            api.make_readers(folder, tmp_path / "out")
    with pytest.raises(InputError, match="no readers in this folder"):
        api.reader_cards(releases)
    (releases / "names").mkdir()
    (releases / "names" / FILE).write_text("{")
    with pytest.raises(InputError, match="readers make --data DATA --out READERS --replace"):
        api.reader_cards(releases)
    assert run(["readers", "show"]) == 2
    assert run(["readers", "show", str(releases), "--replace"]) == 2
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
    (releases / "golden" / "8B1_golden.json").unlink()
    imported, splits = list[Path](), list[str]()

    def fit(_: object, claims: Sequence[Path], *, date: str) -> StanceWeights:
        splits.extend(read(claims, FewPlaces(), wanted=("train",)).splits)
        return StanceWeights(1, {}, 0.7, (), STANCES)

    monkeypatch.setattr(reader_making, "MAKERS", {"stance": reader_making.MAKERS["stance"]})
    monkeypatch.setattr(reader_making, "import_dataset", lambda path, *_, **__: imported.append(path))
    monkeypatch.setattr("anagnosis.searching.fit.stance_fitting.fit", fit)
    monkeypatch.setattr("anagnosis.searching.conclusions.stance.store_stance_reader", lambda *_: None)
    api.make_readers(releases, tmp_path / "readers")
    assert (imported, splits) == ([releases / "ori_pqal.json"], ["train"])
    lines = capsys.readouterr().err.splitlines()
    unused = [line for line in lines if line.endswith(": not used")]
    assert [Path(line.removesuffix(": not used")).name for line in unused] == ["7B1-testset", "ori_pqaa.json"]


def test_a_reader_of_stances_is_measured_on_bioasqs_questions_too_and_its_card_has_both_figures(
    releases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = replace(STANCES, f1_of_no=0.35, data="invented questions over a collection")
    fitted = StanceWeights(1, {"": 1.0}, 0.7, (TrainingData("invented", "00", 10),), STANCES)
    (releases / "ori_pqal.json").write_text(
        '{"1": {"reasoning_required_pred": "yes", "final_decision": "yes", "LONG_ANSWER": "It is."}}'
    )
    asked = list[object]()

    def measure(reader: StanceReader, questions: object, date: str) -> StanceFigures:
        asked.append(questions)
        return failed

    monkeypatch.setattr(reader_making, "MAKERS", {"stance": reader_making.MAKERS["stance"]})
    monkeypatch.setattr(reader_making, "import_dataset", lambda path, *_, layout: layout)
    monkeypatch.setattr("anagnosis.searching.fit.stance_fitting.fit", lambda *_, date: fitted)
    monkeypatch.setattr("anagnosis.searching.fit.stance_fitting.measure_over_collection", measure)
    api.make_readers(releases, tmp_path / "readers")
    assert asked == ["bioasq"]
    card = api.reader_cards(tmp_path / "readers")["stance"]
    assert (card["earned"], card["says"]) == (False, f"{STANCES.says}; {failed.says}")
    (releases / "golden" / "8B1_golden.json").unlink()
    api.make_readers(releases, tmp_path / "readers", replace=True)
    card = api.reader_cards(tmp_path / "readers")["stance"]
    untested = f"not tested, and so off; {reader_making.WOULD_TEST} would test it"
    assert (card["earned"], card["says"]) == (False, f"{STANCES.says}; {untested}")
