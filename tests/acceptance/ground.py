"""A folder with a small example of everything that commands read or make, made once for all workers of a test run.

It is read only: a test writes elsewhere, or works on a copy.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests import decisions, golden_files, retrieval_files
from tests.encoders.tiny import tiny_encoder
from tests.labelling import returned_files
from tests.made_once import made_once
from tests.readers import tiny_readers

from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.datasets.kinds.table import EVIDENCE
from anagnosis.labelling.opened_study import open_study

SMALL = ["--threads", "1", "--set", "epochs=1", "--set", "hidden=4"]


@pytest.fixture(scope="session")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torch", reason="the extra train is not installed")
    pytest.importorskip("tantivy", reason="the extra search is not installed")

    def make(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            _make()

    return made_once(tmp_path_factory, "ground", make)


@pytest.fixture
def at(ground: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder for what is written, with the ground as the working directory."""
    monkeypatch.chdir(ground)
    return tmp_path


def _make() -> None:
    for name in ("corpora", "theirs"):
        Path(name).mkdir()
    for name in ("corpus.pubtator", "corpus.txt", "corpora/a.pubtator"):
        shutil.copy(carried(), name)
    decisions.written(Path("theirs/ori_pqal.json"), decisions.rows_apart(60, 40, 20))
    Path("reader.toml").write_text('reader = "neighbour-overlap"\nn = 2\n')
    retrieval_files.written(Path())
    golden_files.written(Path("golden/8B1_golden.json"), golden_files.python2([golden_files.question()]))
    Path("answers.jsonl").write_text(f'{{"id": "{golden_files.ident(1)}", "answer": "XYZ1"}}\n')
    Path("terms.tsv").write_text("id\tname\nX1\taspirin\nX2\tcoffee\n")
    tiny_readers.dataset(Path("sentences"), signal=True, kind=EVIDENCE, train=60, dev=60)
    tiny_encoder(Path("encoder"))
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
        "train evidence-sentence-encoder --data sentences --encoder encoder --set epochs=1 --threads 1 --out light",
        "decide runs questions --threads 1 --out decided",
        "index corpus.pubtator --out index",
        "index corpora/a.pubtator --out indexed",
        "label draw unlabelled --draw 2 --people ann,bea --sheets sheets",
        "label draw built --kind answers --draw 2 --people ann --sheets pages",
    ):
        assert run(["-q", *line.split()]) == 0, line
    returned_files.save(Path("pages"), "ann", [returned_files.line(Path("pages"), "ann", 1, None)])
    shutil.copy("base4.json", "people.json")
    for name in ("base3", "base4"):
        Path("entered", name).mkdir(parents=True)
        shutil.copy(f"{name}.json", f"entered/{name}/test.jsonl")
        Path("entered", name, "system.toml").write_text(f'name = "{name}"\nview = ""\n')
    assert run(["-q", "leaderboard", "build", "entered", "--gold", "built", "--out", "site"]) == 0
    opened = open_study(Path("unlabelled"), Path("sheets"))
    for name in ("ann", "bea"):
        lines = [returned_files.page_line(opened, name, place, label="yes") for place in (1, 2)]
        returned_files.save(Path("sheets"), name, lines, f"decisions-{name}.jsonl")
    for labels, predictions in (("labels.csv", "base4.json"), ("kinds.csv", "said.json")):
        lines = Path(predictions).read_text().splitlines()
        Path(labels).write_text("id,hard\n" + "".join(f"{json.loads(line)['id']},yes\n" for line in lines))
