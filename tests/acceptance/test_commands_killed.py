"""Commands that fill a folder, killed at any moment: the same command then ends as if nobody had killed it.

The commands are those of `test_overwriting.py`. `index` has its own file, `test_index_killed.py`, and workers of a
`build` have `test_build_killed.py`.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance import test_overwriting as commands
from tests.builds import contents
from tests.encoders.tiny_text import tiny_text_model
from tests.golden_files import gson, questions, written
from tests.killing import Killing, Moment
from tests.readers.tiny_readers import CONTRARY, CUE, WORDS, dataset

from anagnosis import api, cli
from anagnosis.corpus import carried
from anagnosis.datasets.kinds.question import SNIPPETS
from anagnosis.datasets.kinds.table import QUESTION

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are other there")

the_ground = commands.ground
FILES, FOLDERS = commands.FILES, commands.FOLDERS
BLOCK_BYTES, PART_ROWS = 40_000, 20
_RUN = "train pubmedqa-shallow-features --data questions --set hidden=4 --threads 1 --set epochs=3"

# The command line without its output, where it is not that of the table it comes from.
RESUMING = {
    "build": "build biomrc corpora/a.pubtator --recipe biomrc-demo --workers 1 --out",
    "build of BioRead": "build bioread corpora/a.pubtator --set passage_sentences=2 --set minimum_question_tokens=0 "
    "--limit 15 --workers 1 --out",
    "build of PubMedQA": "build pubmedqa corpus.xml --workers 1 --out",
    "build of evidence": "build evidence 9B1_golden.json --workers 1 --out",
    "build of statements": "build bioasq-cloze 7B1_golden.json --workers 1 --out",
    "import": "import theirs/ori_pqal.json --layout pubmedqa --out",
    "import of SQuAD": "import squad.json --layout squad --out",
    "sample": "sample built --set train=5 --set dev=1 --set test=1 --out",
    "label": "label unlabelled --sheets sheets --out",
    "label --sheets": "label unlabelled --draw 2 --sheets",
    "label --kind answers": "label built --kind answers --draw 2 --people ann,bea --sheets",
    "label --kind skills": "label built --kind skills --draw 2 --people ann --sheets",
    "label --kind decisions --people": "label unlabelled --kind decisions --draw 2 --people ann,bea --sheets",
    "label --kind entities --people": "label corpora --kind entities --draw 2 --people experts=ann,bea --sheets",
    "label --kind statements --people": "label statements --kind statements --draw 4 --people ann,bea --sheets",
    "label --kind statements --sheets": "label statements --kind statements --draw 4 --sheets",
    "label --kind statements": "label statements --kind statements --sheets judged --out",
    "label --kind": "label corpora --kind entities --draw 2 --sheets",
    "leaderboard withhold": "leaderboard withhold built --out",
    "leaderboard build": "leaderboard build entered --gold built --out",
    "report --hard": "report built base3.json --draws 9 --hard",
    "train": f"{_RUN} --out",
    "train --folds": f"{_RUN} --folds 2 --out",
    "train of text-to-text": "train bioasq-text-to-text --data experts --encoder model --threads 1 --set epochs=2 "
    "--set batch=2 --set input_pieces=64 --set answer_pieces=4 --set precision=float32 --set pairs=9 --out",
    "train of phases": FOLDERS["train of phases"].words + " --set epochs=1 --out",
    "tune": "tune clicr-gated-attention --data built --trials 2 --threads 1 --limit 8 --set epochs=1 "
    "--set embedding=8 --set hops=1 --out",
    "decide": "decide runs questions --threads 1 --replace --out",
    "export": "export built --setting A --out",
    "demo": "demo --out",
}
# Commands that add to a folder → a copy of which folder of the ground, the command line with the copy as "{}".
ADDING = {
    "calibrate": ("runs", "calibrate {} questions --threads 1"),
    "fit-reranking": ("fitted", "fit-reranking {} --topics asked.tsv --judgements judged.txt --draws 9"),
}
# The changes before which a command that writes a file is killed, counted from its last: the file is written and not
# in its place, is opened, is in its place.
FROM_LAST = (2, 3, 1)
# 23 commands, each of them killed here by itself, and a training whose every process loads a model.
LONG = {name: pytest.param(name, marks=pytest.mark.slow) for name in ("demo", "train of text-to-text")}
# The time that a training took, and what its journal says of time.
TIMED = ("history.jsonl", "run.json", "search.journal")


@pytest.fixture(scope="module")
def ground(the_ground: Path) -> Path:
    stock(the_ground)
    return the_ground


def stock(ground: Path) -> None:
    """What the commands here read beside what is there."""
    shutil.copy(carried("medline"), ground / "corpus.xml")
    written(ground / "9B1_golden.json", gson(questions(1, 6)))
    written(ground / "7B1_golden.json", gson(questions(60)))
    written(ground / "squad.json", json.dumps({"version": "1.1", "data": [_article(n) for n in range(30)]}))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ground)
        for line in (
            "build bioasq-cloze 7B1_golden.json --workers 1 --out statements",
            "label statements --kind statements --draw 9 --sheets judged",
        ):
            assert cli.run(["-q", *line.split()]) == 0, line
    _judge(ground / "judged/statements.csv")
    dataset(ground / "experts", signal=True, kind=QUESTION, view=SNIPPETS, train=12, dev=4, test=2)
    tiny_text_model(ground / "model", causal=True, words=[*WORDS, CUE, CONTRARY, "?"])


def _article(number: int) -> dict[str, Any]:
    context = f"Salt stops gene XYZ{number}."
    answer = {"text": f"XYZ{number}", "answer_start": context.index("XYZ")}
    asked = {"id": str(number), "question": f"Which gene {number} stops?", "answers": [answer]}
    return {"title": f"Gene {number}", "paragraphs": [{"context": context, "qas": [asked]}]}


def _judge(sheet: Path) -> None:
    """Every third statement is wrong, and every third is corrected."""
    lines = sheet.read_text("utf-8-sig").splitlines(keepends=True)
    rows = list(csv.DictReader(line for line in lines if not line.lstrip('"').startswith("#")))
    with sheet.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, [*rows[0]])
        writer.writeheader()
        for number, row in enumerate(rows):
            wrong = "no" if number % 3 else "yes"
            corrected = "XXXX stops." if number % 3 == 1 else ""
            writer.writerow({**row, "well formed": wrong, "same meaning": "yes", "corrected": corrected})


def in_small_steps(arguments: list[str]) -> int:
    """The command line in a folder, its first argument, with many blocks, parts and checkpoints."""
    from anagnosis.datasets.folder import writing
    from anagnosis.training import train
    from anagnosis.training.loop.checkpoint import Saving

    train._EVERY = Saving(seconds=1e9, steps=2)  # pyright: ignore[reportPrivateUsage]
    writing.PART_ROWS = writing.GROUP_ROWS = PART_ROWS
    api.build = partial(api.build, block_bytes=BLOCK_BYTES)
    os.chdir(arguments[0])
    return cli.run(arguments[1:])


def made(folder: Path) -> object:
    """What lies in a folder and around it, and of an index, whose files have drawn names, what is found in it."""
    found: dict[str, object] = {
        name: data
        for name, data in contents(folder.parent).items()
        if not name.endswith(TIMED) and "/index/" not in name
    }
    if (folder / "index").is_dir():
        found["index"] = api.search(folder / "index", "coffee", limit=20)
    return found


def trial_of(name: str, ground: Path, folder: Path) -> Killing:
    if name not in ADDING:
        words = RESUMING[name].split()
        return Killing(in_small_steps, lambda out: [str(ground), "-q", *words, str(out)], made, folder)
    source, line = ADDING[name]

    def copied(out: Path) -> None:
        shutil.copytree(ground / source, out)

    return Killing(
        in_small_steps,
        lambda out: [str(ground), "-q", *line.format(out).split()],
        made,
        folder,
        before=copied,
    )


@pytest.mark.parametrize("kills", [10, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", [LONG.get(name, name) for name in (*RESUMING, *ADDING)])
def test_the_same_command_continues(name: str, kills: int, ground: Path, tmp_path: Path) -> None:
    trial_of(name, ground, tmp_path).check(kills=kills, seed=28)


def test_every_command_that_fills_a_folder_is_killed_here_or_in_a_file_of_its_own() -> None:
    """`index`: test_index_killed.py. `readers make`, whose fits need more than the ground: test_reader_making.py."""
    here = {line.split()[0] for line in RESUMING.values()} | set(ADDING)
    assert {entry.command for entry in FOLDERS.values()} - {"index", "predict", "readers"} <= here


@pytest.mark.parametrize("kills", [1, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", [name for name in FILES if name != "demo"])
def test_what_a_kill_leaves_of_a_file_is_the_old_one_or_the_new_one(
    name: str, kills: int, ground: Path, tmp_path: Path
) -> None:
    file = FILES[name].name

    def words(out: Path) -> list[str]:
        return [str(ground), "-q", *commands.file_words(name, out / file, "--replace")]

    def old(out: Path) -> None:
        out.mkdir()
        (out / file).write_text("old\n")

    def seen(out: Path) -> None:
        whole = tmp_path / "undisturbed" / "out" / file
        assert (out / file).read_bytes() in (b"old\n", whole.read_bytes())

    trial = Killing(in_small_steps, words, made, tmp_path, before=old, seen=seen)
    for last in FROM_LAST[:kills]:
        trial.check_one(Moment(change=trial.undisturbed[1].changes - last), f"killed{last}")


# Commands whose changes are few and quick enough that each can have its kill.
SHORT = [
    name
    for name in (*RESUMING, *ADDING)
    if name not in (*LONG, "build", "build of BioRead", "build of PubMedQA", "train --folds", "tune")
]


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_killed_before_each_change_the_same_command_continues(
    name: str, ground: Path, tmp_path: Path
) -> None:
    trial = trial_of(name, ground, tmp_path)
    for change in range(trial.undisturbed[1].changes):
        trial.check_one(Moment(change=change), f"killed{change}")


# A command that is killed in its midst → the kind of folder that it leaves.
STOPPED = {
    "build": "dataset",
    "import": "dataset",
    "train": "run",
    "train --folds": "run",
    "train of phases": "run",
    "tune": "search",
    "index": "index",
}


@pytest.mark.parametrize("name", STOPPED)
def test_check_search_and_show_say_that_a_folder_is_unfinished(
    name: str, ground: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = RESUMING.get(name, "index corpora/a.pubtator --out").split()
    trial = Killing(in_small_steps, lambda out: [str(ground), "-q", *words, str(out)], made, tmp_path)
    out = tmp_path / "out"
    changes = trial.undisturbed[1].changes
    # The engine of an index writes its files itself; the last change but one puts index.json in its place. A search is
    # killed in the first of its two trials.
    change = {"index": changes - 2, "tune": changes // 4}.get(name, changes // 2)
    assert trial.run(out, Moment(change=change)).killed
    for command, kind in (("check", "dataset"), ("show", "dataset"), ("search", "index")):
        capsys.readouterr()
        code = cli.run([command, str(out), *(["coffee"] if command == "search" else [])])
        told = capsys.readouterr()
        lines = [line for line in (told.err + told.out).splitlines() if re.search("unfinished.* again", line)]
        assert len(lines) == 1, (command, told)
        if STOPPED[name] == kind or name == "index":
            # An index that is unfinished is searched and shown all the same, as far as it goes.
            assert code == (0 if name == "index" and command != "check" else 2)
        else:
            assert code == 2
            assert told.err.count("\n") == 1
    assert trial.run(out).code == 0
    assert trial.result(out)
