"""Nothing of the user's is overwritten: one rule, held over every command that writes.

Two tables name every option that says where to write. A command with such an option that is in neither fails here.
"""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest
from tests import decisions, golden_files, retrieval_files
from tests.builds import contents
from tests.labelling import returned_files
from tests.refusals import refused

from anagnosis.cli import COMMANDS, cli, run
from anagnosis.corpus import carried
from anagnosis.labelling.opened_study import open_study

pytest.importorskip("torch", reason="the extra train is not installed")
pytest.importorskip("tantivy", reason="the extra search is not installed")

TREEBANK = Path(__file__).resolve().parents[1] / "samples" / "treebank" / "own.conllu"
SMALL = ["--threads", "1", "--set", "epochs=1", "--set", "hidden=4"]


@dataclass(frozen=True, slots=True)
class File:
    """A command that writes a file. words: the command line without the file, paths relative to the ground.

    option: that names the file, or the folder of it. name: of the file. inputs: files among the words onto which it
    must not write.
    """

    words: str
    name: str
    inputs: Sequence[str] = ()
    option: str = "--out"

    @property
    def command(self) -> str:
        return self.words.split()[0]


@dataclass(frozen=True, slots=True)
class Folder:
    """A command that makes a folder. own: a folder of the ground that it made, or its like, None: it adds files.

    inputs: folders that hold what it reads.
    """

    words: str
    option: str = "--out"
    inputs: Sequence[str] = ()
    own: str | None = None

    @property
    def command(self) -> str:
        return self.words.split()[0]


FILES = {
    "score": File("score built base3.json base4.json --labels labels.csv", "r.html", ["base3.json"]),
    "score as .md": File("score built base3.json", "r.md", ["base3.json"]),
    "score as .tex": File("score built base3.json", "r.tex", ["base3.json"]),
    "score as .json": File("score built base3.json", "r.json", ["base3.json"]),
    "score as .csv": File("score built base3.json --labels labels.csv", "r.csv", ["labels.csv"]),
    "score as .txt": File("score built base3.json", "r.txt", ["base3.json"]),
    "score of runs": File("score built own=base3.json,base4.json", "r.json", ["base4.json"]),
    "compare": File("compare built base3.json base4.json --draws 9", "r.md", ["base4.json"]),
    "report": File("report built base3.json base4.json --draws 9", "r.md", ["base3.json"]),
    "agreement": File("agreement built people.json --systems base4.json", "r.md", ["people.json"]),
    "harnesses": File("harnesses questions said.json", "r.md", ["said.json"]),
    "protocols": File("protocols asked answers.jsonl", "r.md", ["answers.jsonl"]),
    "show": File("show questions --labels kinds.csv", "r.csv", ["kinds.csv"]),
    "phases": File("phases phased", "r.md"),
    "search": File("search index aspirin", "r.md"),
    "ask": File("ask index aspirin?", "r.md"),
    "export-results": File("export-results index aspirin --to ris", "papers.ris"),
    "evaluate-search": File(
        "evaluate-search best.run other.run --judgements qrels.txt --topics topics.tsv --draws 9",
        "r.md",
        ["best.run", "qrels.txt", "topics.tsv"],
    ),
    "evaluate-search --runs": File(
        "evaluate-search index --judgements qrels.txt --topics topics.tsv --draws 9",
        "index.run",
        option="--runs",
    ),
    "fit-reranking": File(
        "fit-reranking fitted --topics asked.tsv --judgements judged.txt --draws 9", "r.md", ["judged.txt"]
    ),
    "predict": File("predict BASE4 built --recipe reader.toml", "p.jsonl", ["reader.toml"]),
    "predict of a run": File("predict runs/fold-0 questions --threads 1", "p.jsonl"),
    "decide": File("decide runs questions --average --threads 1", "p.jsonl"),
    "label --collect": File("label built --collect pages", "people.jsonl", ["pages/answers-ann.jsonl"]),
    "label --collect of decisions": File(
        "label unlabelled --collect decision-pages",
        "people.jsonl",
        ["decision-pages/decisions-ann.jsonl"],
    ),
    "label --collect of judgements": File(
        "label corpora --collect entity-pages",
        "people.jsonl",
        ["entity-pages/entities-ann.jsonl"],
    ),
    "submit": File("submit asked answers.jsonl --phase B", "s.json", ["answers.jsonl"]),
    "convert": File("convert corpus.pubtator", "copy.pubtator", ["corpus.pubtator"]),
    "convert with specialties": File(
        "convert corpus.pubtator --to jsonl --specialties specialties.tsv",
        "copy.jsonl",
        ["specialties.tsv"],
    ),
    "annotate": File(
        "annotate corpus.pubtator --terms terms.tsv --workers 1",
        "annotated.jsonl",
        ["corpus.pubtator", "terms.tsv"],
    ),
    "terms": File("terms terms.tsv", "stored.terms", ["terms.tsv"]),
    "convert of a folder": File("convert corpora", "copy.pubtator", ["corpora/a.pubtator"]),
    "generate": File("generate --documents 2", "synthetic.pubtator"),
    "export": File("export built --setting A", "dataset_test.json"),
    "export of a view": File("export built --layout jsonl", "test.jsonl"),
    "export of tasks": File("export built --layout lm-eval", "questions.py"),
    "export of language models": File("export built --layout arpa", "train.plain.arpa"),
    "tagger": File("tagger own.conllu", "model.crf", ["own.conllu"]),
    "vectors": File("vectors corpus.txt --dimension 4", "v.txt", ["corpus.txt"]),
    "vectors of a dataset": File("vectors built --dimension 4 --threshold 1", "v.bin"),
    "demo": File("demo", "carried.pubtator"),
}
_INTO = (
    "export",
    "export of a view",
    "export of tasks",
    "export of language models",
    "demo",
)  # --out is the folder of the file

FOLDERS = {
    "build": Folder("build biomrc corpora/a.pubtator --workers 1", inputs=["corpora"], own="built"),
    "import": Folder("import theirs/ori_pqal.json --layout pubmedqa", inputs=["theirs"], own="questions"),
    "sample": Folder("sample built --set train=5 --set dev=1 --set test=1", inputs=["built"], own="built"),
    "label": Folder("label unlabelled --sheets sheets", inputs=["sheets", "unlabelled"], own="questions"),
    "label --sheets": Folder("label unlabelled --draw 2", "--sheets", ["unlabelled"]),
    "label --kind answers": Folder("label built --kind answers --draw 2 --people ann", "--sheets", ["built"]),
    "label --kind skills": Folder("label built --kind skills --draw 2", "--sheets", ["built"]),
    "label --kind": Folder("label corpora --kind entities --draw 2", "--sheets", ["corpora"]),
    "leaderboard withhold": Folder("leaderboard withhold built", inputs=["built"], own="built"),
    "leaderboard build": Folder(
        "leaderboard build entered --gold built", inputs=["entered", "built"], own="site"
    ),
    "report --hard": Folder("report built base3.json --draws 9", "--hard", ["built"], "built"),
    "train": Folder(
        f"train pubmedqa-shallow-features --data questions {' '.join(SMALL)}",
        inputs=["questions"],
        own="runs/fold-0",
    ),
    "train --folds": Folder(
        f"train pubmedqa-shallow-features --data questions --folds 1 {' '.join(SMALL)}",
        inputs=["questions"],
        own="runs",
    ),
    "train --kept": Folder(
        f"train pubmedqa-shallow-features --data questions --out new {' '.join(SMALL)}", "--kept"
    ),
    "train of phases": Folder(
        "train pubmedqa-shallow-features-multiphase --set phases=final --data questions --folds 1 --threads 1",
        inputs=["questions"],
        own="phased",
    ),
    "tune": Folder("tune clicr-gated-attention --data built --trials 1", inputs=["built"]),
    "tune of word vectors": Folder(
        "tune clicr-word-vectors --data built --set threshold=1 --set dimension=4 --trials 1",
        inputs=["built"],
    ),
    "tune --kept": Folder("tune clicr-gated-attention --data built --trials 1 --out new", "--kept"),
    "index": Folder("index corpora/a.pubtator", inputs=["corpora"]),
    "readers make": Folder("readers make --data theirs", inputs=["theirs"]),
    "decide": Folder("decide runs questions --threads 1", inputs=["runs", "questions"], own="decided"),
    "decide --kept": Folder("decide runs questions --out new --threads 1", "--kept"),
    "predict --kept": Folder("predict runs/fold-0 questions --out new.jsonl --threads 1", "--kept"),
    "calibrate --kept": Folder("calibrate runs questions --threads 1", "--kept"),
}
READ = {
    ("train", "--also"),
    ("index", "--engine-settings"),
    ("index", "--terms"),
    ("annotate", "--terms"),
    ("show", "--terms"),
    ("annotate", "--specialties"),
    ("convert", "--specialties"),
    ("label", "--collect"),
    ("label", "--apart-from"),
}  # typed as paths, and only read


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One of everything that commands read or make."""
    at = tmp_path_factory.mktemp("ground")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(at)
        _make()
    return at


def _make() -> None:
    for name in ("corpora", "theirs"):
        Path(name).mkdir()
    for name in ("corpus.pubtator", "corpus.txt", "corpora/a.pubtator"):
        shutil.copy(carried(), name)
    shutil.copy(TREEBANK, "own.conllu")
    decisions.written(Path("theirs/ori_pqal.json"), decisions.rows_apart(60, 40, 20))
    Path("reader.toml").write_text('reader = "neighbour-overlap"\nn = 2\n')
    retrieval_files.written(Path())
    golden_files.written(Path("golden/8B1_golden.json"), golden_files.python2([golden_files.question()]))
    Path("answers.jsonl").write_text(f'{{"id": "{golden_files.ident(1)}", "answer": "XYZ1"}}\n')
    Path("terms.tsv").write_text("id\tname\nX1\taspirin\nX2\tcoffee\n")
    Path("specialties.tsv").write_text("ana0001\tCardiology\n")
    for line in (
        "build biomrc corpus.pubtator --recipe biomrc-demo --workers 1 --out built",
        f"build pubmedqa {carried('medline')} --workers 1 --out unlabelled",
        "import theirs/ori_pqal.json --layout pubmedqa --out questions",
        "import golden --layout bioasq --out asked",
        "predict BASE3 built --out base3.json",
        "predict BASE4 built --out base4.json",
        "predict majority questions --out said.json",
        f"train pubmedqa-shallow-features --data questions --folds 2 --out runs {' '.join(SMALL)}",
        "train pubmedqa-shallow-features-multiphase --set phases=final --set epochs=1 --data questions --folds 1 "
        "--threads 1 --out phased",
        "decide runs questions --threads 1 --out decided",
        "index corpus.pubtator --out index",
        "label unlabelled --draw 2 --sheets sheets",
        "label built --kind answers --draw 2 --people ann --sheets pages",
        "label unlabelled --kind decisions --draw 2 --people ann,bea --sheets decision-pages",
        "label corpora --kind entities --draw 2 --people ann,bea --sheets entity-pages",
    ):
        assert run(["-q", *line.split()]) == 0, line
    returned_files.save(Path("pages"), "ann", [returned_files.line(Path("pages"), "ann", 1, None)])
    _give_back("unlabelled", "decision-pages", "decisions", label="maybe")
    _give_back("corpora", "entity-pages", "entities", judgement="verb")
    shutil.copy("base4.json", "people.json")
    for name in ("base3", "base4"):
        Path("entered", name).mkdir(parents=True)
        shutil.copy(f"{name}.json", f"entered/{name}/test.jsonl")
        Path("entered", name, "system.toml").write_text(
            f'name = "{name}"\nteam = "ours"\ndate = 2020-01-01\nview = ""\ntraining_data = ""\n'
        )
    assert run(["-q", "leaderboard", "build", "entered", "--gold", "built", "--out", "site"]) == 0
    for sheet in ("annotator-1.csv", "annotator-2.csv"):
        _answer(Path("sheets") / sheet)
    for labels, predictions in (("labels.csv", "base4.json"), ("kinds.csv", "said.json")):
        lines = Path(predictions).read_text().splitlines()
        Path(labels).write_text("id,hard\n" + "".join(f"{json.loads(line)['id']},yes\n" for line in lines))
    _collection()


def _give_back(source: str, pages: str, kind: str, **values: Any) -> None:
    """The files of two people, each of whom answered one of two questions."""
    study = open_study(source, Path(pages))
    for place, name in enumerate(("ann", "bea"), 1):
        given = [returned_files.page_line(study, name, place, **values)]
        returned_files.save(Path(pages), name, given, f"{kind}-{name}.jsonl")


def _answer(sheet: Path) -> None:
    rows = list(csv.reader(io.StringIO(sheet.read_text("utf-8-sig"))))
    header = next(row for row in rows if "label" in row)
    for row in rows[rows.index(header) + 1 :]:
        row[header.index("label")] = "yes"
    stream = io.StringIO()
    csv.writer(stream).writerows(rows)
    sheet.write_text(stream.getvalue(), "utf-8")


def _collection() -> None:
    """An index with judged questions enough to be fitted on."""
    words = ["tea", "salt", "fever", "sleep", "walk", "milk", "rain", "bread", "stone", "glass"]
    papers: list[str] = []
    for number in range(60):
        first, second = words[number % 10], words[(number + 1 + number // 10) % 10]
        near, far = f"We saw {first} {second} x{number}.", f"We saw {first} x{number}. Then came {second}."
        papers += [
            f"{2 * number + n}|t|Paper\n{2 * number + n}|a|{text}\n\n" for n, text in enumerate((near, far))
        ]
        with Path("asked.tsv").open("a") as topics, Path("judged.txt").open("a") as judged:
            topics.write(f"{number}\t{first} {second} x{number}\n")
            judged.write(f"{number} 0 {2 * number} 1\n")
    Path("collection.pubtator").write_text("".join(papers))
    assert run(["-q", "index", "collection.pubtator", "--out", "fitted"]) == 0


@pytest.fixture
def at(ground: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of its own for what is written, with the ground as the working directory."""
    monkeypatch.chdir(ground)
    return tmp_path


def words_of(entry: File | Folder, place: Path | str, *more: str) -> list[str]:
    return [*entry.words.split(), entry.option, str(place), *more]


def file_words(name: str, file: Path | str, *more: str) -> list[str]:
    """The command line that writes this file."""
    into = name in _INTO or FILES[name].option == "--runs"
    return words_of(FILES[name], Path(file).parent if into else file, *more)


def parameters_of(words: str) -> list[click.Parameter]:
    """The parameters of a command, or of the command of a group that the second word names; of a group, of all."""
    name, _, rest = words.partition(" ")
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    if not isinstance(command, click.Group):
        return command.params
    inner = rest.partition(" ")[0]
    return [
        parameter for own, each in command.commands.items() for parameter in each.params if inner in ("", own)
    ]


def options_that_write() -> set[tuple[str, str]]:
    """(command, option) of every option that is a path."""
    found: set[tuple[str, str]] = set()
    for name in COMMANDS:
        found |= {
            (name, parameter.opts[0])
            for parameter in parameters_of(name)
            if isinstance(parameter, click.Option)
            and (isinstance(parameter.type, click.Path) or parameter.opts[0] in ("--out", "--kept"))
        }
    return found - READ


def test_the_tables_name_every_option_that_says_where_to_write() -> None:
    told = {(entry.command, entry.option) for entry in (*FILES.values(), *FOLDERS.values())}
    assert told == options_that_write()


@pytest.mark.parametrize("name", ["demo", *(name for name in FILES if name != "demo")])
def test_every_command_that_writes_can_be_asked_to_replace(name: str) -> None:
    parameters = parameters_of(FILES[name].words)
    assert "--replace" in [option for parameter in parameters for option in parameter.opts]


@pytest.mark.parametrize("name", [name for name, entry in FILES.items() if entry.inputs])
def test_a_file_is_not_written_onto_an_input_under_any_of_its_names(
    name: str, ground: Path, at: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = contents(ground)
    for number, given in enumerate(FILES[name].inputs):
        source = ground / given
        linked, hard = at / f"{number}{source.suffix}", at / f"hard-{number}{source.suffix}"
        linked.symlink_to(source)
        os.link(source, hard)
        (at / "folder").mkdir(exist_ok=True)
        (at / "folder" / "up").symlink_to(source.parent)
        for place in (given, f"./{given}", source, linked, hard, at / "folder" / "up" / source.name):
            line = refused(words_of(FILES[name], place, "--replace"), capfd)
            # A report's name ends as its format; predictions are refused by that too.
            assert "is an input of this command" in line or "unknown report format" in line, line
            if Path(given).suffix in (".json", ".csv", ".txt") or FILES[name].name[0] != "r":
                assert "is an input of this command" in line
        (at / "folder" / "up").unlink()
        hard.unlink()
    assert contents(ground) == before


OURS = (
    "built",
    "built/data",
    "runs",
    "runs/fold-0",
    "phased/final",
    "index",
    "index/new",
    "site",
    "site/boards",
)


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_not_written_into_a_dataset_run_or_index(
    name: str, ground: Path, at: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = contents(ground)
    (at / "way").symlink_to(ground / "built")
    (at / "end").mkdir()
    for folder in (*OURS, at / "way", *(() if name in _INTO else (at / "end",))):
        file = Path(folder) / FILES[name].name
        if folder == at / "end":
            file.symlink_to(ground / "built" / "new")
        assert "which holds nothing else" in refused(file_words(name, file, "--replace"), capfd)
    assert contents(ground) == before


@pytest.mark.parametrize("name", FILES)
def test_an_existing_file_is_overwritten_only_when_asked(
    name: str, ground: Path, at: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "demo":
        monkeypatch.setattr("anagnosis.cli.run", lambda _: 0)
    file = at / FILES[name].name
    file.write_text("mine\n")
    line = refused(file_words(name, file), capfd)
    assert "is there already" in line
    assert "--replace" in line
    assert {path.name: path.read_text() for path in at.iterdir()} == {file.name: "mine\n"}
    assert run(file_words(name, file, "--replace")) == 0
    assert f"replaced {at}" in capfd.readouterr().err
    ours = file.read_bytes()
    assert ours != b"mine\n"
    if name != "demo":  # it knows its folder by the copies of the corpus there
        assert "is there already" in refused(file_words(name, file), capfd)
        assert file.read_bytes() == ours


@pytest.mark.parametrize("name", [name for name in FILES if name not in (*_INTO, "evaluate-search --runs")])
def test_a_folder_or_a_device_is_no_file(name: str, at: Path, capfd: pytest.CaptureFixture[str]) -> None:
    suffix = Path(FILES[name].name).suffix
    (at / f"folder{suffix}").mkdir()
    os.mkfifo(at / f"pipe{suffix}")
    for kind, told in (("folder", "is a folder"), ("pipe", "is no regular file")):
        assert told in refused(words_of(FILES[name], at / f"{kind}{suffix}", "--replace"), capfd)
        assert (at / f"{kind}{suffix}").exists()


def replacing(name: str) -> list[str]:
    """`--replace` where the command has it and does not refuse it: sheets may hold answers."""
    if FOLDERS[name].option == "--sheets":
        return []
    parameters = parameters_of(FOLDERS[name].words)
    return ["--replace"] if any("--replace" in parameter.opts for parameter in parameters) else []


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_is_not_made_inside_ours_or_in_place_of_another_kind(
    name: str, ground: Path, at: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = contents(ground)
    entry = FOLDERS[name]
    kind = {"built": "dataset", "questions": "dataset", "index": "index", "site": "leaderboard"}.get(
        entry.own or entry.command, "run"
    )
    for inside in ("built/new", "runs/new", "runs/fold-0/new", "index/new/deeper", "site/boards/new"):
        assert "which holds nothing else" in refused(words_of(entry, inside, *replacing(name)), capfd)
    for folder, holds in (
        ("unlabelled", "dataset"),
        ("phased", "run"),
        ("index", "index"),
        ("site", "leaderboard"),
    ):
        if holds != kind or (entry.own is None and entry.command != "index"):
            refused(words_of(entry, folder, *replacing(name)), capfd)
    assert contents(ground) == before


@pytest.mark.parametrize("name", [name for name, entry in FOLDERS.items() if entry.inputs])
def test_a_folder_that_is_or_holds_an_input_is_refused(
    name: str, ground: Path, at: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = contents(ground)
    (at / "way").symlink_to(ground)
    for given in FOLDERS[name].inputs:
        for place in (given, f"./{given}", at / "way" / given, "."):
            line = refused(words_of(FOLDERS[name], place, *replacing(name)), capfd)
            assert "input of this command" in line, line
    assert contents(ground) == before


@pytest.mark.parametrize("name", [name for name, entry in FOLDERS.items() if entry.own])
def test_a_folder_with_other_files_is_left_whole_and_they_are_named(
    name: str, ground: Path, at: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    entry = FOLDERS[name]
    strangers, beside_ours = at / "strangers", at / "ours"
    strangers.mkdir()
    shutil.copytree(ground / (entry.own or ""), beside_ours)
    for folder in (strangers, beside_ours):
        (folder / "thesis.tex").write_text("mine")
        before = contents(folder)
        line = refused(words_of(entry, folder, *replacing(name)), capfd)
        assert "holds other files (thesis.tex)" in line
        assert "move them elsewhere" in line
        assert contents(folder) == before


@pytest.mark.parametrize("inside", ["runs/fold-0/thesis.tex", "runs/fold-1/other-run/run.json"])
def test_train_replaces_the_runs_that_it_made_and_nothing_else(
    inside: str, ground: Path, at: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ground / "runs", at / "runs")
    (at / inside).parent.mkdir(exist_ok=True)
    (at / inside).write_text("mine")
    before = contents(at)
    line = refused(words_of(FOLDERS["train --folds"], at / "runs", "--replace"), capfd)
    assert f"holds other files ({inside.removeprefix('runs/').removesuffix('/run.json')})" in line
    assert contents(at) == before
    shutil.rmtree(at / "runs" / "fold-1")
    (at / inside).unlink(missing_ok=True)
    assert run(words_of(FOLDERS["train --folds"], at / "runs", "--replace")) == 0
    assert "the old run is removed" in capfd.readouterr().err


def test_files_that_an_export_does_not_write_stay(ground: Path, at: Path) -> None:
    (at / "notes.txt").write_text("mine")
    assert run(["-q", "export", "built", "--setting", "A", "--out", str(at)]) == 0
    assert (at / "notes.txt").read_text() == "mine"
    assert {"dataset_test.json", "dataset_train.json"} < {path.name for path in at.iterdir()}


def test_an_export_writes_all_of_its_files_or_none(
    ground: Path, at: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (at / "test.jsonl").write_text("mine")
    refused(["export", "built", "--layout", "jsonl", "--out", str(at)], capfd)
    assert contents(at) == {"test.jsonl": b"mine"}
    assert run(["export", "built", "--layout", "jsonl", "--replace", "--out", str(at)]) == 0
    assert "replaced" in capfd.readouterr().err
    assert sorted(contents(at)) == ["dev.jsonl", "test.jsonl", "train.jsonl"]


@pytest.mark.parametrize("name", FOLDERS)
def test_nothing_is_written_or_deleted_through_a_link(
    name: str, ground: Path, at: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    entry, folder, theirs = FOLDERS[name], at / "ours", at / "theirs"
    if entry.own:
        shutil.copytree(ground / entry.own, folder)
    folder.mkdir(exist_ok=True)
    theirs.mkdir()
    (theirs / "thesis.tex").write_text("mine")
    own = {path.name for path in folder.iterdir()}
    for linked in sorted(
        own | {".work", ".lock", "data", "checkpoint", "predictions", "embedded", "vectors"}
    ):
        place, kept = folder / linked, at / "kept"
        if linked in own:
            place.rename(kept)
        place.symlink_to(theirs if not kept.is_file() else theirs / "thesis.tex")
        line = refused(words_of(entry, folder, *replacing(name)), capfd)
        assert f"{place}: is a link" in line or "has changed" in line, line
        assert contents(theirs) == {"thesis.tex": b"mine"}, linked
        place.unlink()
        if kept.exists():
            kept.rename(place)


def test_an_index_with_a_link_is_not_added_to(
    ground: Path, at: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ground / "fitted", at / "index")
    (at / "index" / "embedded").rename(at / "theirs")
    (at / "index" / "embedded").symlink_to(at / "theirs")
    before = contents(at / "theirs")
    for words in (
        f"index corpora/a.pubtator --out {at / 'index'}",
        f"fit-reranking {at / 'index'} --topics asked.tsv --judgements judged.txt --draws 9",
    ):
        assert "embedded: is a link" in refused(words.split(), capfd)
    assert contents(at / "theirs") == before
