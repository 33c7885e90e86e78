"""What a user gives wrong, and the one line that answers it: exit code 2, no traceback, no output.

Here each command has a few; every refusal is tested where it is raised.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import pytest
from tests.builds import contents
from tests.golden_files import ident
from tests.refusals import refused
from tests.rows import each_row

from anagnosis.io.folders import only_writer

# The command line, in the folder of `ground.py` and behind "-q" → what its line says. It writes to "out".
REFUSED = {
    "demo --out d\udcff": "holds bytes that are not UTF-8",
    "biuld": "unknown command 'biuld'; did you mean build?",
    "build biomrc 1.pubtator": "Missing option '--out'; see `anagnosis build --help`",
    "build biomrc 1.pubtator --worker 2 --out out": "No such option '--worker'",
    "ask index tea --judge tiny": "--endpoint: a judge has a name and the address of its server; give --judge",
    "ask index tea --key-env NAME": "--judge: a judge has a name and the address of its server; give --judge and",
    "ask index tea --judge tiny --endpoint https://host/v1 --key-env NONE": "NONE: holds no key; export NONE=",
    "serve index --endpoint https://host/v1": "--judge: a judge has a name and the address of its server; give --j",
    "mcp index --judge tiny --endpoint http://host/v1": "--endpoint: is no address that can be used: http://host/v1",
    "search index -tea": "No such option '-t'; put -- before a text that begins with a minus sign, or see",
    "build pubmedqa a.nbib --recipe biomrc-demo --out out": "is a recipe for 'biomrc', not for building 'pubmedqa'",
    "build biomrc 1.pubtator --since 2024-13 --out out": "since: 2024-13 is not in the calendar",
    "build biomrc 1.pubtator --set split=date --out out": "--dates: the recipe asks for dates, and there are none",
    "build biomrc damaged.pdf --out out": "damaged.pdf: no dataset is built from pages (pdf); name the paper's JATS",
    "import squad.json --layout bioasq --out out": "the object holds no questions; check the file, or name ",
    "import theirs --out out --dev-share nan": "--dev-share: nan is not a number",
    "sample bioread --out out": "bioread: the sample has no size; give --recipe bioread-lite-sample, or --s",
    "show built --instance ana9999:1": "built: no instance 'ana9999:1'",
    "show built --view names": "--view is of one --instance",
    "show base4.json": "base4.json: is a file, and a dataset is a folder",
    "index damaged.pdf --out out": "damaged.pdf: damaged: PDFium cannot open it; fetch it again",
    "index scan.pdf --out out": "scan.pdf: a scan: none of its pages has text that anybody sees; recognise its text",
    "show sentences --instance 0 --view names": "sentences: has no views; leave --view away",
    f"show asked answers.jsonl --instance {ident(1)}": "holds questions with snippets and exact answers",
    "score index base4.json": "index: is the folder of an index; name that of a dataset",
    "score built theirs.jsonl": "theirs.jsonl: ",
    "score asked documents.jsonl --protocol fuzzy-90": "the lines hold documents and snippets, which the protocol",
    "score asked answers.jsonl --measure document_map": "answers: no documents on its lines",
    "score asked s=first.json,two.json": "s: its 2 files do not answer the same ids",
    "compare asked documents.jsonl answers.jsonl": "score them apart",
    "export built --layout csv --setting B --out out": "--setting does not apply to --layout csv",
    "export sentences --layout scifact --out out": "export with --layout jsonl",
    "predict BASE4 built --view nmaes --out out": "unknown view for a reader that counts 'nmaes'",
    "predict BASE5 built --out out": "did you mean BASE4 or BASE3 or BASE2?",
    "predict BASE4 built --threads 2 --out out": "--threads does not apply to a reader that is not trained",
    "predict BASE4 built --out out --limit many": "'many' is not a whole number",
    "predict BASE4 built --out out --limit 0": "--limit: 0 is out of range; give a number from 1 to 2,147,483,647",
    "predict BASE1 asked --split train --out out": "holds questions with snippets and exact answers",
    "predict snippet-cloze built --set cloze=runs --out out": "holds cloze questions, and questions with snippets",
    "train biomrc-attention-sum-locale --data built --out out": "did you mean biomrc-attention-",
    "train biomrc --data built --out out": "is no reader's recipe; choose one of `anagnosis recipes` that names",
    "train attention-sum --data built --device cuda:7 --out out": "--device: no device 'cuda:7'",
    "tune BASE4 --data built --out out --trials 2": "neighbour-overlap needs no training; run it with",
    "annotate 1.pubtator --out out": "--terms: neither a vocabulary nor annotations; name either: ",
    "terms stored.terms --out out": "stored.terms: is a stored vocabulary already; name the files that it was made",
    "terms - --out out": "standard input: is no file to store; save it and name the file",
    "terms stored.terms stored.terms": "name one stored vocabulary, or --out to store the files",
    "terms stored.terms --without broad_scope": "--without is for storing: name --out",
    "terms stored.terms --replace": "--replace is for storing: name --out",
    "terms terms.tsv": "terms.tsv: is no stored vocabulary; give a file that",
    "label draw reports --kind decisions --draw 2 --people ann,bea --sheets out": "holds cloze questions, and",
    "submit asked given.json --phase C --out out": "unknown phase 'C'; known: A, B",
    "submit asked given.json --phase A --out out": "none of its lines has documents, snippets",
    "submit asked --phase B --out out": "Missing argument 'PREDICTIONS|RUN_FOLDER...'",
    "submit asked - --phase B --out out": "standard input: it can be read only once",
    "submit asked first.json two.json --phase B --out out": "has a line before, at first.json:1; correct it",
    "submit asked of_train.json --split test --phase B --out out": f"'{ident(5)}': the question is not in test",
    "submit asked several.json --split test --phase B --out out": f"whose ids are such as {ident(1)}, and 1 other",
    "submit asked types.jsonl --split test --phase B --out out": "answer with types of",
    "submit asked asked_people.jsonl --split test --phase B --out out": "the answers of people are no submission",
    "check asked --split test": "--split is of answers",
    "index --out out": "nothing to index; name files or folders",
    "index corpus.pubtator --out folder": "holds other files",
    "index empty.xml --out out": "empty",
    "index corpus.pubtator --out out --encoder ./nowhere": "./nowhere: no encoder of that name",
    "search index caf\udce9": "QUESTION: 'caf\\udce9' holds bytes that are not UTF-8; write it in UTF-8",
    "ask index caf\udce9": "QUESTION: 'caf\\udce9' holds bytes that are not UTF-8; write it in UTF-8",
    "search index tea --journal caf\udce9": "--journal: 'caf\\udce9' holds bytes",
    "index --out out --remove caf\udce9": "--remove: 'caf\\udce9' holds bytes",
    "show built --instance caf\udce9": "--instance: 'caf\\udce9' holds bytes",
    "search nowhere coffee": "nowhere: no index here",
    "search built coffee": "built: is the folder of a dataset; name that of an index",
    "search index x --section result": "unknown section 'result'; did you",
    "search index -- -tea": "it only says what to leave out; add words for what the question is about",
    "ask index x --ranking dens": "unknown ranking 'dens'; did you mean",
    "ask index 'Smith J[au]'": "it has no words that a sentence could answer; add words",
    "search index --like 1 --sort score": "--like does not go with --sort; see",
    "search nowhere --like 1 --limit 3 --json": "nowhere: no index here",
    "export-results index --id 1 --to ris --limit 100": "--id does not go with --limit; see",
    "export-results nowhere --id 1 --id 2 --to ris --replace": "nowhere: no index here",
    "evaluate-search twice.run --judgements qrels.txt": "twice.run:6: document 'd1' stands twice for query 'q1'; keep",
    "evaluate-search index --judgements qrels.txt": "index: no topics to ask the index; name them with --topics",
    "evaluate-search index --judgements qrels.txt --topics topics.tsv --depth 50": "--depth: recall@100 looks at more",
    "evaluate-search best.run --judgements qrels.txt --runs out": "out: no index to write a run file of",
    "evaluate-search best.run --judgements qrels.txt --ranking dense": "--ranking: no index to rank with; leave it",
    "evaluate-search best=best.run best.run --judgements qrels.txt": "two systems are called 'best'; write NAME=PATH",
    "evaluate-search =best.run --judgements qrels.txt": "=best.run: no name or no path",
    "evaluate-search 'a b=best.run' --judgements qrels.txt": "a b=best.run: no name or no path",
    "vectors corpus.txt --set threshold=100000 --out v.bin": "0 words occur 100000 times or more",
    "vectors asked --out v.bin": "which have no running text; choose another dataset",
    "convert corpus.pubtator --to html --out out": "--to: unknown format 'html'; known: jsonl, pubtator",
    "convert library/lib.ris --out out": "lib.ris: is a library (ris); give it to `anagnosis index`",
    "convert library/zotero.sqlite --out out": "zotero.sqlite:1: no format recognises its first bytes; convert it",
}


@each_row("words, line", REFUSED.items(), ids=lambda value: value)
def test_the_command_is_answered_with_one_line_and_writes_nothing(
    words: str, line: str, at: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    given = [str(tmp_path / "out") if word == "out" else word for word in shlex.split(words)]
    assert line in refused(["-q", *given], capfd)
    assert not contents(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes on Linux alone")
def test_a_folder_whose_name_is_not_utf8_is_refused_and_no_index_begins_there(
    at: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The engine and Arrow open paths in UTF-8 alone."""
    there = at / "caf\udce9"
    for out in (there, there / "index"):
        line = refused(["-q", "index", "papers.jsonl", "--out", str(out)], capfd)
        assert "holds bytes that are not UTF-8" in line
        assert line.endswith("; rename it, or choose another\n")
        assert not there.exists()
    shutil.copytree("indexed", there)  # moved there, it is not opened either
    built = at / "built\udce9"
    shutil.copytree("built", built)
    for words in (
        ["search", there, "coffee"],
        ["show", at / "built\udce9"],
        ["score", at / "built\udce9", "base4.json"],
    ):
        assert "holds bytes that are not UTF-8" in refused([*map(str, words)], capfd)


def test_of_two_that_begin_one_index_the_second_is_refused(
    at: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["-q", "index", "papers.jsonl", "--out", str(at / "index")]
    with only_writer(at / "index"):
        line = f"anagnosis: {at / 'index'}: another process is writing; wait until it has ended\n"
        assert refused(words, capfd) == line
        assert not [*(at / "index").iterdir()]
    assert not (at / "index").exists()
    shutil.copytree("indexed", at / "index")
    before = contents(at)
    with only_writer(at / "index"):
        assert refused(words, capfd) == line
    assert contents(at) == before


# All commands read datasets through `store`: here a command for each way of reading one, whole, a part or columns.
READING = (
    "train biomrc-attention-sum-local --data {} --threads 1 --out out",
    "score {} base4.json",
    "show {}",
    "export {} --layout jsonl --view names --out out",
    "sample {} --set test=5 --out out",
    "leaderboard build entered --gold {} --out out",
    "label draw {} --kind answers --draw 2 --people ann --split test --sheets out",
)


@pytest.mark.parametrize("words", READING)
def test_a_flipped_bit_stops_every_command_that_reads_it(
    words: str, at: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    damaged = at / "damaged"
    shutil.copytree("built", damaged)
    (part,) = (damaged / "data").glob("train-*" if words.startswith("train") else "test-*")
    data = bytearray(part.read_bytes())
    data[len(data) * 2 // 3] ^= 32
    part.write_bytes(data)
    before = contents(at)
    given = [str(at / "out") if word == "out" else word.format(damaged) for word in words.split()]
    line = refused(given, capfd)
    assert ".parquet: is not the file that was written here (its SHA-256 differs); build or import" in line
    assert {name: data for name, data in contents(at).items() if "/.lock" not in name} == before
