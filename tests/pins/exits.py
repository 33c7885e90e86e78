"""How command lines end: the exit code and the first line on standard error."""

from __future__ import annotations

import shutil
from typing import Any

from tests.pins.world import World

LINES = {
    # what goes well
    "version": "--version",
    "help": "--help",
    "help of a command": "score --help",
    "build": "build biomrc carried.pubtator --workers 1 --out exits/built",
    "build again": "build biomrc carried.pubtator --workers 1 --out exits/built",
    "build one document explained": "build biomrc carried.pubtator --explain ana0044",
    "check": "check biomrc",
    "check an index": "check index",
    "show": "show biomrc",
    "score": "score biomrc-demo base4.jsonl",
    "compare": "compare biomrc-demo base4.jsonl base3.jsonl --draws 20",
    "report": "report biomrc-demo base4.jsonl --draws 20 --out exits/report.html",
    "search": "search index coffee",
    "search, nothing found": "search index zzzqqq",
    "ask": "ask index coffee",
    "recipes": "recipes",
    "quiet": "-q predict BASE1 biomrc-demo --out exits/base1.jsonl",
    "convert": "convert carried.xml --out exits/carried.pubtator",
    # commands and options
    "no command": "",
    "unknown command": "scor biomrc-demo",
    "unknown option": "score biomrc-demo base4.jsonl --colour red",
    "option without its value": "score biomrc-demo base4.jsonl --unit",
    "missing argument": "score",
    "missing option": "predict BASE4 biomrc-demo",
    "value of an option": "score biomrc-demo base4.jsonl --unit banana",
    "number out of bounds": "search index coffee --limit 0",
    "number far too large": "search index coffee --limit 9223372036854775808",
    "no number": "compare biomrc-demo base4.jsonl base3.jsonl --draws many",
    # names
    "unknown dataset": "build biomcr carried.pubtator --out exits/x",
    "unknown recipe": "build biomrc carried.pubtator --recipe biomrc-huge --out exits/x",
    "unknown reader": "predict BASE9 biomrc-demo --out exits/x.jsonl",
    "unknown layout": "import labelled.json --layout pubmed --out exits/x",
    "unknown format": "convert carried.pubtator --to docx --out exits/x",
    "format that is not written": "convert carried.pubtator --to jats --out exits/x",
    "unknown measure": "evaluate-search best.run --judgements qrels.txt --measure ndgc",
    "unknown split": "predict BASE4 biomrc-demo --split tets --out exits/x.jsonl",
    "unknown view": "export biomrc-demo --layout jsonl --view nmaes --out exits/x",
    "unknown key": "build biomrc carried.pubtator --set minimum_title=3 --out exits/x",
    "value of a key": "build biomrc carried.pubtator --set minimum_sentences=many --out exits/x",
    "unknown instance": "show biomrc-demo --instance ana9999:1",
    "unknown section": "search index coffee --section appendix",
    "view of another kind": "score biomrc-demo base4.jsonl --view question-type",
    # files and folders
    "no such file": "build biomrc nowhere.pubtator --out exits/x",
    "no such dataset": "score nowhere base4.jsonl",
    "no such predictions": "score biomrc-demo nowhere.jsonl",
    "no such index": "search nowhere coffee",
    "an index for a dataset": "score index base4.jsonl",
    "a dataset for an index": "search biomrc-demo coffee",
    "a predictions file for papers": "build biomrc base4.jsonl --out exits/x",
    "no paper": "build biomrc nothing.txt --out exits/x",
    "breaks off": "index truncated.xml --out exits/truncated",
    "broken predictions": "score biomrc-demo broken.jsonl",
    "of another dataset": "score biomrc base4.jsonl",
    "of another kind": "score import-pubmedqa base4.jsonl",
    "an output that is there": "predict BASE4 biomrc-demo --out carried.xml",
    "an output that is an input": "convert carried.xml --to jsonl --out carried.xml --replace",
    "an output inside a dataset": "score biomrc-demo base4.jsonl --out biomrc-demo/receipt.json",
    "an ending without a renderer": "report biomrc-demo base4.jsonl --out exits/report.docx",
    # what does not go together
    "compare one": "compare biomrc-demo base4.jsonl",
    "no train part": "train evidence-sentence-features --data import-covid-qa --out exits/run",
    "a reader of another kind": "predict majority biomrc-demo --out exits/x.jsonl",
    "train what does not learn": "train neighbour-overlap --data biomrc-demo --out exits/run",
    "an encoder that is needed": "train biomrc-masked-encoder-max --data biomrc-demo --out exits/run --encoder nowhere",
    "dense without vectors": "search index coffee --ranking dense",
    "reranked without a fit": "search index coffee --ranking reranked",
    "stop words alone": 'ask index "the of and"',
    "dates the wrong way round": "search index coffee --since 2021 --until 2020",
    "limits without a date": "build biomrc carried.pubtator --since 2020 --out exits/since",
}


def found(world: World) -> dict[str, Any]:
    shutil.rmtree(world.folder / "exits", ignore_errors=True)
    (world.folder / "exits").mkdir(parents=True)
    made: dict[str, Any] = {}
    for name, line in LINES.items():
        ended = world.run(line)
        first = next(iter(ended.err.splitlines()), "")
        made[name] = {"code": ended.code, "first line": first.replace(f"{world.folder}/", "")}
    return made
