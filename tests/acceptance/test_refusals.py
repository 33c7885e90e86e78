"""What a user gives wrong, and the one line that answers it: exit code 2, no traceback, no output.

Here each command has a few; every refusal is tested where it is raised.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.builds import contents
from tests.datasets.bioread.records import FILE
from tests.golden_files import written
from tests.labelling import cloze_reports
from tests.made_once import made_once
from tests.refusals import refused
from tests.rows import each_row
from tests.typed import World

from anagnosis import api

TEXTS = {
    "1.pubtator": f"1|t|Aspirin against headaches\n1|a|{'Aspirin was given. ' * 11}\n\n",
    "theirs.jsonl": '{"id": "q1", "answer": "@entity0"}\n',
    "squad.json": json.dumps({"data": [{"paragraphs": []}], "version": "8B"}),
    "train.txt": FILE,
    "terms.tsv": "id\tsynonyms\nX1\theart attack|HA\n",
}


@pytest.fixture(scope="module")
def place(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files and folders that the commands below name; "built" is the dataset of the world."""
    return made_once(tmp_path_factory, "refused", lambda at: make(at, world))


def make(at: Path, world: World) -> None:
    for name, content in TEXTS.items():
        written(at / name, content)
    (at / "built").symlink_to(world.dataset)
    api.import_dataset(at / "train.txt", at / "bioread", layout="bioread")
    cloze_reports.reports(at / "reports", 4)


# The command line → what its line says. Without an output of another name it writes to "out".
REFUSED = {
    "demo --out d\udcff": "holds bytes that are not UTF-8",
    "biuld": "unknown command 'biuld'; did you mean build?",
    "build biomrc 1.pubtator": "Missing option '--out'; see `anagnosis build --help`",
    "build biomrc 1.pubtator --worker 2 --out out": "No such option '--worker'",
    "build biomrc 1.pubtator --format bioc-xlm --out out": "unknown format 'bioc-xlm'; did you mean bioc-xml",
    "build biomrc 1.pubtator --recipe biomrc-lite --out out": "is a recipe for `anagnosis sample`, not for",
    "build biomrc 1.pubtator --recipe attention-sum --out out": "unknown recipe 'attention-sum'",
    "build biomrc 1.pubtator --since 2024-13 --out out": "since: 2024-13 is not in the calendar",
    "build biomrc 1.pubtator --set split=date --out out": "--dates: the recipe asks for dates, and there are none",
    "import squad.json --layout bioasq --out out": "the object holds no questions; check the file, or name ",
    "sample bioread --out out": "bioread: the sample has no size; give --recipe bioread-lite-sample, or --s",
    "show built --instance ana9999:1": "built: no instance 'ana9999:1'",
    "show built --view names": "--view is of one --instance",
    "show built --instance 1 --samples 2": "--samples is of the whole dataset, not of one --instance",
    "score built base4.json --labels none.csv": "none.csv: no such file",
    "export built --layout lm-eval --setting B --out out": "--setting does not apply to --layout lm-eval",
    "predict BASE4 built --view nmaes --out out": "unknown view for a reader that counts 'nmaes'",
    "predict BASE5 built --out out": "did you mean BASE4 or BASE3 or BASE2?",
    "predict BASE4 built --threads 2 --out out": "--threads does not apply to a reader that is not trained",
    "predict biomrc-attention-sum-local built --out out": "is a recipe of attention-sum; train it with",
    "predict biomrc-neighbour-overlap built --out out": "write `anagnosis predict neighbour-overlap DATASET --rec",
    "train biomrc-attention-sum-locale --data built --out out": "did you mean biomrc-attention-",
    "train biomrc --data built --out out": "is no reader's recipe; choose one of `anagnosis recipes` that names",
    "train attention-sum --data built --device cuda:7 --out out": "--device: no device 'cuda:7'",
    "tune BASE4 --data built --out out --trials 2": "neighbour-overlap needs no training; run it with",
    "score built theirs.jsonl": "theirs.jsonl: ",
    "annotate 1.pubtator --out out": "--terms: neither a vocabulary nor annotations; name either: ",
    "label draw reports --kind decisions --draw 2 --people ann,bea --sheets out": "holds cloze questions, and",
}


@each_row("words, line", REFUSED.items(), ids=lambda value: value)
def test_the_command_is_answered_with_one_line_and_writes_nothing(
    words: str,
    line: str,
    place: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(place)
    given = [str(tmp_path / "out") if word == "out" else word for word in words.split()]
    assert line in refused(["-q", *given], capfd)
    assert not contents(tmp_path)


# --- what is counted, not refused --------------------------------------------------------------------
