"""What a user gives wrong, and the one line that answers it: exit code 2, no traceback, no output.

Here each command has a few; every refusal is tested where it is raised.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.builds import contents
from tests.datasets.bioread.passages import gene, paper, text
from tests.datasets.bioread.records import FILE
from tests.datasets.clicr import reports
from tests.golden_files import python2, questions, written
from tests.labelling import cloze_reports
from tests.labelling.returned_files import study
from tests.made_once import made_once
from tests.refusals import refused
from tests.rows import each_row
from tests.typed import World

from anagnosis import api
from anagnosis.cli import run
from anagnosis.corpus import carried

RECIPE = 'dataset = "biomrc"\nminimum_sentence = 9\nmaximum_title_tokens = "many"\nsplit = "tail"\n'
SAMPLE = {
    "doc_id": 0,
    "doc": {"QUESTION": "Do statins prevent stroke?", "final_decision": "yes"},
    "target": "yes",
    "filtered_resps": [["-1.5", "False"], ["-2.5", "False"]],
}
PUBTATOR = f"1|t|Aspirin against headaches\n1|a|{'Aspirin was given. ' * 11}\n\n"
UMLS = "C0000001|ENG|P|L1|PF|S1|Y|A1||M1||MSH|MH|D1|Fever|0|N||\n"
TEXTS = {
    "1.pubtator": PUBTATOR,
    "mine.toml": RECIPE,
    "theirs.jsonl": '{"id": "q1", "answer": "@entity0"}\n',
    "samples.jsonl": json.dumps(SAMPLE) + "\n",
    "mine.json": '{"version":"1.0","data":[{"source":"x"}]}',
    "squad.json": json.dumps({"data": [{"paragraphs": []}], "version": "8B"}),
    "8B1_golden.json": python2(questions(8)),
    "cut/8B1_golden.json": python2(questions(8))[:3000],
    "train.txt": FILE,
    "dev.txt": "",
    "terms.tsv": "id\tsynonyms\nX1\theart attack|HA\n",
    "names.tsv": "id\tname\nX1\theart attack\n",
    "MRCONSO.RRF": UMLS + UMLS.replace("|MSH|", "|"),
    "ann.jsonl": json.dumps({"id": "bcr-0.1", "answer": "fever"}) + "\n",
}
DOCUMENTS = {
    "papers.jsonl": text(paper(f"{gene(1)} beside {gene(2)}.")),
    "reports.jsonl": reports.text(reports.case_report()),
    "points.jsonl": reports.text(reports.case_report(reports.TITLE, reports.POINTS)),
    "rest.jsonl": reports.text(
        reports.case_report(reports.TITLE, reports.CASE, ("body", "Key points", ["Rest helps."]))
    ),
}


@pytest.fixture(scope="module")
def place(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files and folders that the commands below name; "built" is the dataset of the world."""
    return made_once(tmp_path_factory, "refused", lambda at: make(at, world))


def make(at: Path, world: World) -> None:
    (at / "empty").mkdir()
    for name, content in TEXTS.items():
        written(at / name, content)
    for name, data in DOCUMENTS.items():
        (at / name).write_bytes(data)
    carried_file = at / "carried.pubtator"
    carried_file.write_bytes(carried().read_bytes())
    (at / "built").symlink_to(world.dataset)
    api.import_dataset(at / "train.txt", at / "bioread", layout="bioread")
    api.store_terms([at / "names.tsv"], at / "stored.terms")
    api.export(world.dataset, at / "files", layout="biomrc", setting="B")
    api.import_dataset(at / "files", at / "nameless", layout="biomrc", setting="B")
    api.build("biomrc", [carried_file], at / "other", settings={"minimum_mentions": 25}, workers=1)
    api.predict("BASE1", world.dataset, at / "base1.jsonl")
    study(at, ["ann", "bea"], texts=False)
    cloze_reports.reports(at / "reports", 4)
    api.label(at / "reports", at / "skills", kind="skills", draw=2)


# The command line → what its line says. Without an output of another name it writes to "out".
REFUSED = [
    ("biuld", "unknown command 'biuld'; did you mean build?"),
    ("build biomrc 1.pubtator", "Missing option '--out'; see `anagnosis build --help`"),
    ("build biomrc 1.pubtator --worker 2 --out out", "No such option '--worker'"),
    ("build biomrc empty --out out", "empty: no file ending in .pubtator"),
    (
        "build biomrc 1.pubtator --format bioc-xlm --out out",
        "unknown format 'bioc-xlm'; did you mean bioc-xml",
    ),
    (
        "build biomrc 1.pubtator --recipe mine.toml --out out",
        "mine.toml: 3 problems: unknown key 'minimum_sentence' (did you mean minimu",
    ),
    (
        "build biomrc 1.pubtator --recipe biomrc-lite --out out",
        "biomrc-lite: is a recipe for `anagnosis sample`, not for building; sample ",
    ),
    (
        "build biomrc 1.pubtator --recipe biomrc-attention-sum-local --out out",
        "is a recipe for training the reader 'attention-sum', not for building 'bio",
    ),
    (
        "build biomrc carried.pubtator --since 2024 --out out",
        "--dates: the recipe asks for dates, and there are none; give a MEDLINE fil",
    ),
    ("build biomrc carried.pubtator --since 2024-13 --out out", "since: 2024-13 is not in the calendar"),
    ("build biomrc 1.pubtator --explain 77", "--explain: no document '77' in the input; check the id"),
    (
        "build biomrc 1.pubtator --terms names.tsv --out out",
        "--terms: this dataset has no answers with synonyms; leave it",
    ),
    (
        "build bioread papers.jsonl --set per=sentence --out out",
        "bioread: 1 problem: per: 'sentence' is not entity or",
    ),
    ("build clicr points.jsonl --out out", "no_passage dropped 1"),
    ("build clicr rest.jsonl --out out", "no_entity_in_query_section dropped 1"),
    (
        "build clicr reports.jsonl --set query_section=summary --out out",
        "'summary' is none of learning-points, conclusion, last-sentences(N)",
    ),
    (
        "build clicr reports.jsonl --explain 1 --terms names.tsv",
        "--since, --dates, --terms and --limit do not apply",
    ),
    ("build bioasq-cloze cut/8B1_golden.json --out out", "the text ends too early; fetch it again"),
    ("import cut/8B1_golden.json --layout bioasq --out out", "the text ends too early; fetch it again"),
    ("import 8B1_golden.json --out out", "8B1_golden.json: is no file of biomrc; try --layout bioasq"),
    (
        "import squad.json --layout bioasq --out out",
        "squad.json: is no file of bioasq; try --layout squad or covid-qa",
    ),
    ("import mine.json --out out", "is no file of biomrc; try --layout clicr"),
    (
        "import train.txt dev.txt --layout bioread --out out",
        "dev.txt: the file holds no instance; check how it was made",
    ),
    (
        "sample bioread --out out",
        "bioread: the sample has no size; give --recipe bioread-lite-sample, or --s",
    ),
    (
        "sample built --recipe biomrc-lite --out out",
        "87,500 instances of train are asked for by the recipe biomrc-lite, there a",
    ),
    ("show built --instance ana9999:1", "built: no instance 'ana9999:1'"),
    ("show built --view names", "--view is of one --instance"),
    (
        "export nameless --layout jsonl --view names --out out",
        "the names view needs the names of entities, and this",
    ),
    ("export nameless --layout lm-eval --out out", "the names view needs the names of entities"),
    (
        "export built --layout jsonl --setting B --out out",
        "--setting does not apply to --layout jsonl; leave it out",
    ),
    (
        "export built --layout lm-eval --setting B --out out",
        "--setting does not apply to --layout lm-eval; leave it out",
    ),
    ("export built --view names --out out", "--view does not apply to --layout biomrc; leave it out"),
    ("predict BASE4 built --view nmaes --out out", "unknown view for a reader that counts 'nmaes'"),
    ("predict BASE5 built --out out", "did you mean BASE4 (neighbour-overlap, biomrc:BASE4) or "),
    (
        "predict lang-model built --view local --out out",
        "lang-model is undefined where entities have other numbers",
    ),
    ("predict first-entity bioread --split dev --out out", "bioread: no split 'dev'; its splits: train"),
    (
        "train attention-sum --data built --set hiden=3 --out out",
        "attention-sum: 1 problem: unknown key 'hiden' (did you mean hidden?)",
    ),
    ("train attention-sum --data built --set rate=0 --out out", "attention-sum: 1 problem: rate: "),
    (
        "train biomrc-attention-sum-locale --data built --out out",
        "unknown recipe 'biomrc-attention-sum-locale'; did you mean biomrc-attention-",
    ),
    (
        "train biomrc --data built --out out",
        "biomrc: is no reader's recipe; choose one of `anagnosis recipes` that names",
    ),
    ("train attention-sum --data built --device cuda:7 --out out", "--device: no device 'cuda:7'"),
    (
        "tune BASE4 --data built --out out --seed 0",
        "--out and --seed do not apply to a reader that does not learn, whose n =",
    ),
    (
        "predict empty built --view local --set n=3 --out out",
        "--view and --set do not apply to a run folder; leave them out",
    ),
    (
        "predict BASE4 built --threads 2 --out out",
        "--threads does not apply to a reader that is not trained; leave it out",
    ),
    (
        "predict biomrc-attention-sum-local built --out out",
        "biomrc-attention-sum-local is a recipe of attention-sum; train it with",
    ),
    (
        "predict biomrc-neighbour-overlap built --out out",
        "write `anagnosis predict neighbour-overlap DATASET --recipe biomrc-neighbour",
    ),
    ("show built --instance 1 --samples 2", "are of the whole dataset, not of one --instance"),
    ("show built --labels none.csv", "none.csv: no such file"),
    ("score other base1.jsonl", "base1.jsonl: made for another dataset or split ("),
    ("score built theirs.jsonl", "theirs.jsonl: "),
    ("score built samples.jsonl", "samples.jsonl:1: a sample of lm-eval, but of another task ("),
    ("annotate 1.pubtator --out out", "--terms: neither a vocabulary nor annotations; name either: "),
    ("annotate 1.pubtator --terms terms.tsv --out out", "terms.tsv:1: no column name or "),
    (
        "annotate 1.pubtator --terms MRCONSO.RRF --out out",
        "MRCONSO.RRF:2: 17 columns, not 18 with a | behind each",
    ),
    (
        "annotate 1.pubtator --terms stored.terms --without obsolete_term --out out",
        "--without: obsolete_term was applied when stored.terms was stored; store i",
    ),
    (
        "agreement reports ann.jsonl --measure embedding-average",
        "the measure 'embedding-average' compares word vectors",
    ),
    (
        "label draw reports --draw 2 --sheets out",
        "reports: holds cloze questions, and questions for yes, no or maybe are nee",
    ),
    (
        "label draw papers.jsonl --draw 1 --sheets out",
        "papers.jsonl: is a file, and questions are those of a dataset folder; to j",
    ),
    (
        "label draw bioread --kind entities --draw 1 --sheets out",
        "bioread: it is a dataset, but people judge the entities of",
    ),
    (
        "label draw nameless --kind answers --draw 2 --people ann --view both --sheets out",
        "the both view needs the names of",
    ),
    (
        "label serve reports --sheets skills",
        "skills: the study has no people; draw it with --people NAME,NAME",
    ),
]


@each_row("words, line", REFUSED, ids=lambda value: value)
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
    assert not [name for name in contents(tmp_path) if not name.startswith("out/.work/")]


# --- what is counted, not refused --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (PUBTATOR.replace("headaches", "head\0ches").encode(), "nul_character"),
        (
            PUBTATOR.encode().rstrip()
            + b"".join(
                b"\n1\t%d\t%d\tAspirin\tChemical\tMESH:1" % (26 + 19 * n, 33 + 19 * n) for n in range(6)
            )
            + b"\n1\t0\t7\tIbuprof\tChemical\tMESH:D007052\n",
            "mention_text_differs",
        ),
        (carried().read_bytes(), "repeated_id                      62"),
        (b"", "62 kept"),
    ],
    ids=["a NUL", "a mention that differs", "every document twice", "an uncompressed file named .gz"],
)
def test_a_fault_of_the_input_is_counted_and_the_rest_is_built(
    data: bytes, said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.pubtator.gz"
    path.write_bytes(data + b"\n" * bool(data) + carried().read_bytes())  # so that something is built
    assert run(["build", "biomrc", str(path), "--out", str(tmp_path / "out"), "--workers", "1"]) == 0
    assert said in capfd.readouterr().out


def test_a_split_without_a_report_is_empty_and_named(
    place: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["build", "clicr", str(place / "reports.jsonl"), "--out", str(tmp_path / "out"), "--workers", "1"]
    assert run(words) == 0
    said = capfd.readouterr().err
    assert "train has 1 document and dev has 0 documents and test has 0 documents, too few" in said
