"""Nothing of the user's is overwritten: every command that writes follows the rules of `io/outputs.py` and
`io/folders.py`, whose tests have each rule in all its forms.

Two tables name every option that says where to write. A command with such an option that is in neither fails here.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from tests.acceptance.ground import SMALL
from tests.builds import contents
from tests.refusals import refused

from anagnosis.cli import COMMANDS, cli, run


@dataclass(frozen=True, slots=True)
class Output:
    """A command that writes. words: the command line without the output, paths relative to the ground.

    name: of the file that it writes. input: a file, or for a folder a folder, that it reads, and onto which it must not
    write. own: a folder of the ground that it made, or its like, None: it adds files. option: that names the output.
    """

    words: str
    name: str = ""
    input: str = ""
    own: str | None = None
    option: str = "--out"


FILES = {
    "score": Output("score built base3.json base4.json --labels labels.csv", "r.json", "base3.json"),
    "compare": Output("compare built base3.json base4.json --draws 9", "r.md", "base4.json"),
    "report": Output("report built base3.json base4.json --draws 9", "r.md", "base3.json"),
    "agreement": Output("agreement built people.json --systems base4.json", "r.md", "people.json"),
    "protocols": Output("protocols asked answers.jsonl", "r.md", "answers.jsonl"),
    "show": Output("show built --instance ana0044:20 base4.json", "r.csv", "base4.json"),
    "phases": Output("phases phased", "r.md"),
    "search": Output("search index aspirin", "r.md"),
    "ask": Output("ask index aspirin?", "r.md"),
    "check-quotes": Output("check-quotes corpus.txt --index index", "r.md", "corpus.txt"),
    "export-results": Output("export-results index aspirin --to ris", "papers.ris"),
    "evaluate-search": Output(
        "evaluate-search best.run other.run --judgements qrels.txt --topics topics.tsv --draws 9",
        "r.md",
        "best.run",
    ),
    "evaluate-search --runs": Output(
        "evaluate-search index --judgements qrels.txt --topics topics.tsv --draws 9",
        "index.run",
        option="--runs",
    ),
    "predict": Output("predict BASE4 built --recipe reader.toml", "p.jsonl", "reader.toml"),
    "label": Output("label collect built pages", "people.jsonl", "pages/answers-ann.jsonl"),
    "submit": Output("submit asked answers.jsonl --phase B", "s.json", "answers.jsonl"),
    "convert": Output("convert corpora", "copy.pubtator", "corpora/a.pubtator"),
    "annotate": Output(
        "annotate corpus.pubtator --terms terms.tsv --workers 1", "annotated.jsonl", "terms.tsv"
    ),
    "terms": Output("terms terms.tsv", "stored.terms", "terms.tsv"),
    "export": Output("export built --setting A", "dataset_test.json"),
    "vectors": Output("vectors corpus.txt --set dimension=4", "v.txt", "corpus.txt"),
    "demo": Output("demo", "carried.pubtator"),
}
_INTO = ("export", "demo", "evaluate-search --runs")  # the option names the folder of the file

_TRAIN = f"train pubmedqa-shallow-features --data questions {' '.join(SMALL)}"
FOLDERS = {
    "build": Output("build biomrc corpora/a.pubtator --workers 1", input="corpora", own="built"),
    "import": Output("import theirs/ori_pqal.json --layout pubmedqa", input="theirs", own="questions"),
    "sample": Output("sample built --set train=5 --set dev=1 --set test=1", input="built", own="built"),
    "label": Output("label read unlabelled --sheets sheets", input="sheets", own="questions"),
    "label --sheets": Output(
        "label draw unlabelled --draw 2 --people ann,bea", input="unlabelled", option="--sheets"
    ),
    "leaderboard withhold": Output("leaderboard withhold built", input="built", own="built"),
    "leaderboard build": Output("leaderboard build entered --gold built", input="entered", own="site"),
    "train": Output(_TRAIN, input="questions", own="runs/fold-0"),
    "train --folds": Output(f"{_TRAIN} --folds 1", input="questions", own="runs"),
    "predict": Output("predict runs questions --threads 1 --limit 1", input="runs", own="several"),
    "tune": Output("tune clicr-gated-attention --data built --trials 1", input="built"),
    "index": Output("index corpora/a.pubtator", input="corpora"),
}
# Options that are typed as paths, and only read.
_READ = """--also --bib --data --dataset --dates --dev --connection --files-from --gold
--index --judgements --labels --prices --readers --recipe --replay --systems --terms --token-file --topics --train-on
--vectors"""
READ = frozenset(_READ.split())


def words_of(entry: Output, place: Path | str, *more: str) -> list[str]:
    return [*entry.words.split(), entry.option, str(place), *more]


def parameters_of(words: str) -> list[click.Parameter]:
    """The parameters of a command, or of the command of a group that the second word names; of a group, of all."""
    name, _, rest = words.partition(" ")
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    if not isinstance(command, click.Group):
        return command.params
    inner = rest.partition(" ")[0]
    return [
        parameter
        for name, each in command.commands.items()
        for parameter in each.params
        if inner in ("", name)
    ]


def test_the_tables_name_every_option_that_says_where_to_write() -> None:
    named = {(entry.words.split()[0], entry.option) for entry in (*FILES.values(), *FOLDERS.values())}
    paths = {
        (name, parameter.opts[0])
        for name in COMMANDS
        for parameter in parameters_of(name)
        if isinstance(parameter, click.Option)
        and (isinstance(parameter.type, click.Path) or parameter.opts[0] == "--out")
        and parameter.opts[0] not in READ
    }
    assert named == paths


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_written_onto_no_input_and_replaced_only_when_asked(
    name: str, ground: Path, at: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "demo":
        monkeypatch.setattr("anagnosis.cli.run", lambda _: 0)
    entry, before = FILES[name], contents(ground)

    def words(file: Path, *more: str) -> list[str]:
        return words_of(entry, file.parent if name in _INTO else file, *more)

    if entry.input:
        line = refused(words_of(entry, entry.input, "--replace"), capfd)
        # A report's name ends as its format; predictions are refused by that too.
        assert "is an input of this command" in line or "unknown report format" in line, line
    assert contents(ground) == before
    file = at / entry.name
    file.write_text("mine\n")
    line = refused(words(file), capfd)
    if name == "export":
        assert f"holds other files ({entry.name})" in line
    else:
        assert "is there already" in line
        assert "--replace" in line
    assert contents(at) == {file.name: b"mine\n"}


def replacing(name: str) -> list[str]:
    """`--replace` where the command has it and does not refuse it: sheets may hold answers."""
    if FOLDERS[name].option == "--sheets":
        return []
    parameters = parameters_of(FOLDERS[name].words)
    return ["--replace"] if any("--replace" in parameter.opts for parameter in parameters) else []


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_is_made_in_place_of_no_input_no_other_files_and_nothing_behind_a_link(
    name: str, ground: Path, at: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    entry, before, folder, theirs = FOLDERS[name], contents(ground), at / "ours", at / "theirs"

    def refusal(place: Path | str) -> str:
        return refused(words_of(entry, place, *replacing(name)), capfd)

    if entry.input:
        for place in (entry.input, "."):
            assert "input of this command" in refusal(place)
    assert contents(ground) == before
    if entry.own:
        shutil.copytree(ground / entry.own, folder)
        (folder / "thesis.tex").write_text("mine")
        left = contents(folder)
        line = refusal(folder)
        assert "holds other files (thesis.tex); " in line
        assert "move them elsewhere" in line
        assert contents(folder) == left
        (folder / "thesis.tex").unlink()
    assert "not UTF-8" in refusal(at / "caf\udce9" / "new")
    assert not (at / "caf\udce9").exists()
    folder.mkdir(exist_ok=True)
    theirs.mkdir()
    (theirs / "thesis.tex").write_text("mine")
    for made in sorted(folder.rglob("*")):
        made.rename(theirs / "moved")
        made.symlink_to(theirs / "moved")
        before = contents(theirs)
        line = refusal(folder)
        assert f"{made}: is a link" in line or "has changed" in line, line
        assert contents(theirs) == before
        made.unlink()
        (theirs / "moved").rename(made)
    for linked in {".work", "checkpoint", "data", "embedded"} - {made.name for made in folder.iterdir()}:
        (folder / linked).symlink_to(theirs)
        line = refusal(folder)
        assert f"{folder / linked}: is a link" in line or "has changed" in line, line
        assert contents(theirs) == {"thesis.tex": b"mine"}
        (folder / linked).unlink()


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
    assert "the old runs are removed" in capfd.readouterr().err


def test_an_export_replaces_an_export_and_nothing_else(
    ground: Path, at: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["export", "built", "--layout", "jsonl", "--out", str(at)]
    (at / "test.jsonl").write_text("mine")
    refused([*words, "--replace"], capfd)
    assert contents(at) == {"test.jsonl": b"mine"}
    (at / "test.jsonl").unlink()
    assert run(words) == 0
    assert "holds files already" in refused(words, capfd)
    assert run([*words, "--replace"]) == 0
    assert sorted(contents(at)) == [".written", "dev.jsonl", "test.jsonl", "train.jsonl"]


def test_an_index_with_a_link_is_not_added_to(
    ground: Path, at: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ground / "indexed", at / "index")
    (at / "index" / "embedded").rename(at / "theirs")
    (at / "index" / "embedded").symlink_to(at / "theirs")
    before = contents(at / "theirs")
    words = f"index corpora/a.pubtator --out {at / 'index'}"
    assert "embedded: is a link" in refused(words.split(), capfd)
    assert contents(at / "theirs") == before
