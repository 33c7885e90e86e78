"""A folder with a small example of everything that commands read or make, made once for all workers of a test run.

It is read only: a test writes elsewhere, or works on a copy.
"""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pytest
from tests import decisions, evidence_sets, golden_files, retrieval_files
from tests.datasets.bioread.passages import FILE
from tests.documents.formats.pdf.printed import Page, printed
from tests.encoders.tiny import tiny_encoder
from tests.labelling import cloze_reports, returned_files
from tests.made_once import made_once
from tests.readers import tiny_readers

from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.datasets.kinds.table import EVIDENCE
from anagnosis.labelling.opened_study import open_study

SMALL = ["--threads", "1", "--set", "epochs=1", "--set", "hidden=4"]
COFFEE = "Does cold brew coffee raise gastric pH less than espresso?"
KINDS = ("factoid", "list", "yesno", "summary")
# Answers to the questions 1 to 4 that are asked: one of each of these kinds.
EXACT = {"factoid": [["XYZ1"], ["ABC2"]], "list": [["XYZ1; ABC2, salt"]], "yesno": "yes"}
PARAGRAPH = (
    "Tea was drunk by all people of this study in the evening, and nobody slept less than before it. The people wrote "
    "down when they went to bed, and when they rose. Nobody was asked to drink more tea than they liked to drink."
)
PAPERS = (
    '{"id": "a", "title": "Salt", "text": "IFN-\u03b3 rose.", "facts": {"authors": "O\'Brien, Pat; de Vries, Jan",'
    ' "date": "2018", "mesh": "Humans", "language": "ger"}}',
    '{"id": "b", "title": "Fever and salt", "text": "IFNgamma fell.", "facts": {"authors": "de Vries, Jan; Roe, Ben",'
    ' "date": "2018-05", "types": "Review", "language": "English"}}',
    '{"id": "c", "title": "Fever", "text": "", "facts": {"authors": "Roe, Ben", "date": "2019-01-02"}}',
)
ALONE = (
    '{"id": "a", "title": "Review a", "text": "Tea helps.", "facts": {"pmid": "11", "doi": "10.1/cd"}}',
    '{"id": "b", "title": "Review b", "text": "Tea helps.", "facts": {"pmid": "12", "doi": "10.1/cd"}}',
    '{"id": "c", "title": "Review c", "text": "Tea helps.", "facts": {"doi": "10.1/cd"}}',
)
# File → its text.
FILES = {
    "dates.tsv": "ana0001\t2020-01-01\nana0002\t2024-06-01\nana0003\t2025\n",
    "reader.toml": 'reader = "neighbour-overlap"\nn = 2\n',
    "mine.toml": 'reader = "attention-sum"\nembedding = 4\nepochs = 1\n[tune]\nhidden = [2, 5, 9]\n',
    "answers.jsonl": f'{{"id": "{golden_files.ident(1)}", "answer": "XYZ1"}}\n',
    "documents.jsonl": f'{{"id": "{golden_files.ident(1)}", "documents": ["{golden_files.ADDRESS}101"]}}\n',
    "types.jsonl": f'{{"id": "{golden_files.ident(1)}", "answer": "list", "scores": {{"list": 1}}}}\n',
    "asked_people.jsonl": f'{{"id": "{golden_files.ident(1)}", "answer": "XYZ1", "annotator": "Ann"}}\n',
    "terms.tsv": "id\tname\nX1\taspirin\nX2\tcoffee\n",
    "1.pubtator": f"1|t|Aspirin against headaches\n1|a|{'Aspirin was given. ' * 11}\n\n",
    "empty.pubtator": "1|t|\n1|a|\n",
    "empty.xml": "",
    "theirs.jsonl": '{"id": "q1", "answer": "@entity0"}\n',
    "squad.json": json.dumps({"data": [{"paragraphs": []}], "version": "8B"}),
    "train.txt": FILE,
    "papers.jsonl": "\n".join(PAPERS),
    "alone.jsonl": "\n".join(ALONE),
    "a.nbib": "PMID- 1\nTI  - Tea\nAB  - Tea helps.\n",
    "retracted.jsonl": '{"id": "1", "title": "Tea", "text": "Tea cures all.", "facts": {"retracted": "2"}}',
    "twice.run": retrieval_files.BEST + "q1 Q0 d1 9 1 best\n",
    "queries.tsv": 'q1\t"cold brew" -tea\nq2\tcoffee -espresso\nq3\tPMID: 99000027\n',
    "queries.txt": "".join(f"q{number} 0 99000027 1\n" for number in (1, 2, 3)),
    "folder/notes.txt": "mine\n",
    "noted/deep/notes.txt": "some notes",
    "library/lib.ris": "TY  - JOUR\nTI  - A title\nER  -\n",
    "library/zotero.sqlite": "SQLite format 3\0" + "\0" * 84,
    "library/deep/t.csv": "title,year\nA title,2017\n",
    "library/deep/Doe2017.rtf": "{\\rtf1 A title}",
    "library/deep/Roe2018.RTF": "{\\rtf1 }",
    "library/.DS_Store": "x",
    "library/.git/a.pack": "x",
    "misnamed/paper.txt": "%PDF-1.7\n",
    "damaged.pdf": "%PDF-1.7",
    "scan.pdf": printed(Page()).decode("latin-1"),
}
_CORPUS = ("corpus.pubtator", "corpus.txt", "corpora/a.pubtator", "noted/a.pubtator", "library/deep/papers.pubtator",
           "misnamed/a.pubtator")  # fmt: skip


@pytest.fixture(scope="session")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torch", reason="the extra train is not installed")
    pytest.importorskip("tantivy", reason="the extra search is not installed")
    pytest.importorskip("pypdfium2", reason="the extra pdf is not installed")

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


def answers(**changes: object) -> list[dict[str, object]]:
    """A submission's questions. changes: of the first one."""
    found: list[dict[str, object]] = [
        {"id": golden_files.ident(number), "ideal_answer": "It does.", "exact_answer": EXACT.get(kind)}
        for number, kind in enumerate(KINDS, 1)
    ]
    found[0] |= changes
    return [{key: value for key, value in each.items() if value is not None} for each in found]


def _make() -> None:
    for name, text in FILES.items():
        golden_files.written(Path(name), text)
    Path("corpora").mkdir()
    for name in _CORPUS:
        shutil.copy(carried(), name)
    whole = gzip.compress(carried().read_bytes())
    Path("cut.pubtator.gz").write_bytes(whole[: len(whole) // 2])
    whole = gzip.compress(carried("medline").read_bytes(), mtime=0)
    Path("cut.xml.gz").write_bytes(whole[: len(whole) // 2])
    _pages(Path("tea.pdf"))
    Path("theirs").mkdir()
    decisions.written(Path("theirs/ori_pqal.json"), decisions.rows_apart(60, 40, 20))
    kinds = ("inter-group", "subgroup", "group", "")
    rows = [f"{ident},{kinds[place % 4]}\n" for place, ident in enumerate(decisions.rows_apart(60, 40, 20))]
    Path("types.csv").write_text("".join(["id,reasoning\n", *rows, "12,group\n"]))
    retrieval_files.written(Path())
    _questions()
    evidence_sets.scifact(Path("scifact"))
    cloze_reports.reports(Path("reports"), 4)
    tiny_readers.dataset(Path("sentences"), signal=True, kind=EVIDENCE, train=60, dev=60)
    tiny_encoder(Path("encoder"), limit=128)
    tiny_encoder(Path("other"), seed=5)
    _run("build biomrc corpus.pubtator --recipe biomrc-demo --workers 1 --out built")
    _run(f"build pubmedqa {carried('medline')} --workers 1 --out unlabelled")
    _run("import theirs/ori_pqal.json --layout pubmedqa --out questions")
    _run("import golden --layout bioasq --part train=7B --part test=8B --out asked")
    _run("import train.txt --layout bioread --out bioread")
    for name in ("BASE1", "BASE3", "BASE4"):
        _run(f"predict {name} built --out {name.lower()}.json")
    _run("predict majority questions --out said.json")
    _run(f"train pubmedqa-shallow-features --data questions --folds 2 --out runs {' '.join(SMALL)}")
    _run("predict runs questions --threads 1 --limit 1 --out several")
    _run("train pubmedqa-shallow-features-multiphase --set phases=final --set epochs=1 --data questions --folds 1 "
         "--threads 1 --out phased")  # fmt: skip
    _run(f"index corpus.pubtator {carried('medline')} --out index")
    _run("index corpora/a.pubtator --out indexed")
    _run("terms terms.tsv --out stored.terms")
    _run("label draw unlabelled --draw 2 --people ann,bea --sheets sheets")
    _run("label draw built --kind answers --draw 2 --people ann --sheets pages")
    returned_files.save(Path("pages"), "ann", [returned_files.line(Path("pages"), "ann", 1, None)])
    shutil.copy("base4.json", "people.json")
    for name in ("base3", "base4"):
        Path("entered", name).mkdir(parents=True)
        shutil.copy(f"{name}.json", f"entered/{name}/test.jsonl")
        Path("entered", name, "system.toml").write_text(f'name = "{name}"\nview = ""\n')
    _run("leaderboard build entered --gold built --out site")
    opened = open_study(Path("unlabelled"), Path("sheets"))
    for name in ("ann", "bea"):
        lines = [returned_files.page_line(opened, name, place, label="yes") for place in (1, 2)]
        returned_files.save(Path("sheets"), name, lines, f"decisions-{name}.jsonl")
    for labels, predictions in (("labels.csv", "base4.json"), ("kinds.csv", "said.json")):
        lines = Path(predictions).read_text().splitlines()
        Path(labels).write_text("id,hard\n" + "".join(f"{json.loads(line)['id']},yes\n" for line in lines))


def _run(line: str) -> None:
    assert run(["-q", *line.split()]) == 0, line


def _questions() -> None:
    """Questions 1 to 4 are tested, question 5 is in train; and submissions to them."""
    asked = [golden_files.question(number, kind) for number, kind in enumerate(KINDS, 1)]
    asked[0]["body"] = COFFEE
    golden_files.written(Path("golden/8B1_golden.json"), golden_files.python2(asked))
    golden_files.written(Path("golden/7B1_golden.json"), golden_files.python2([golden_files.question(5)]))
    again = golden_files.question(7, body=golden_files.question(5)["body"].lower())
    golden_files.written(Path("more/9B5_golden.json"), golden_files.gson([again]))
    known, one = golden_files.ident(5), golden_files.ident(1)
    submissions = {
        "given.json": answers(),
        "first.json": answers()[:1],
        "two.json": answers()[:2],
        "only.json": [{"id": one, "exact_answer": []}, {"id": golden_files.ident(3), "ideal_answer": "Yes."}],
        "phase_a.json": [*answers(documents=[f"{golden_files.ADDRESS}7"])[:1]],
        "faulty.json": [*answers(id="nobody", documents=["7"]), *answers(ideal_answer="w " * 201)[:2]],
        "foreign.json": answers(id="5e4b540b6d0a27794100001c"),
        "of_train.json": [*answers(), {"id": known, "exact_answer": "x"}],
        "several.json": answers(id="x", documents=["y"]) + answers(documents=["y"])[:1],
    }
    for name, found in submissions.items():
        Path(name).write_text(json.dumps({"questions": found}))


def _pages(path: Path) -> None:
    """Four pages: one is read, one has no text, one is too large, one has turned text."""
    first = Page().text(50, 740, "Tea and sleep in older people", size=20)
    first.text(50, 700, "Results", size=12, font="bold").paragraph(50, 680, PARAGRAPH, 70)
    last = Page()
    last.paragraph(50, 700, PARAGRAPH, 70)
    last.turned(20, 300, "Downloaded from a shop")
    path.write_bytes(printed(first, Page(), Page(width=20_000), last, subject="doi:10.1234/tea"))
