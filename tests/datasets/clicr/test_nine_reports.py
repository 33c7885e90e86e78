"""Nine made-up reports with CLAMP's files, read as a user reads them, become the program's datasets byte for byte."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from anagnosis import api
from anagnosis.documents.document import Document, Mention
from anagnosis.documents.formats.clicr_report import PROGRAM_INPUT, sections


def annotated(cases: Path, clamp: Path, out: Path) -> list[Document]:
    """The reports of a folder with the entities of another, in the order of their names."""
    api.annotate([cases], out, format="clicr-report", annotations=[("clamp", clamp)])
    return list(api.read(out))


def exported(documents: Path, terms: Path, folder: Path, *, remove_exact_repeats: bool) -> bytes:
    """The train file of CliCR's layout, where all reports are in train."""
    settings = {
        "remove_exact_repeats": remove_exact_repeats,
        "split": "head",
        "split_weights": {"train": 1, "dev": 0, "test": 0},
    }
    api.build(
        "clicr", [documents], folder / "built", recipe="clicr-as-published", settings=settings, terms=[terms]
    )
    api.export(folder / "built", folder / "out", layout="clicr")
    return (folder / "out/train1.0.json").read_bytes()


def vocabulary(names: dict[str, list[str]], path: Path) -> Path:
    rows = [f"{cui}\t{first}\t{'|'.join(others)}\n" for cui, (first, *others) in names.items()]
    path.write_text("".join(["cui\tname\tsynonyms\n", *rows]), "utf-8")
    return path


def test_the_commands_give_the_programs_bytes(shared: Path, tmp_path: Path) -> None:
    folder = shared / "vectors/clicr/dataset"
    annotated(folder / "cases", folder / "clamp", tmp_path / "reports.jsonl")
    names = vocabulary(json.loads((folder / "synonyms.json").read_text("utf-8")), tmp_path / "names.tsv")
    for without_repeats, file in ((True, "dataset-without-repeats1.0.json"), (False, "dataset1.0.json")):
        theirs = json.loads((folder / file).read_bytes())
        # A dataset of ours holds no report without queries.
        theirs["data"] = [each for each in theirs["data"] if each["document"]["qas"]]
        (tmp_path / file).mkdir()
        ours = exported(
            tmp_path / "reports.jsonl", names, tmp_path / file, remove_exact_repeats=without_repeats
        )
        assert ours == json.dumps(theirs, separators=(",", ":")).encode()
        assert [len(theirs["data"]), sum(len(each["document"]["qas"]) for each in theirs["data"])] == (
            [7, 34] if without_repeats else [7, 39]
        )


def test_1500_random_reports_keep_every_letter_through_build_and_export(shared: Path, tmp_path: Path) -> None:
    documents: list[Document] = []
    listed: list[dict[str, Any]] = []
    with gzip.open(shared / "vectors/clicr/fuzz_reports.jsonl.gz", "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            case = json.loads(line)
            text, ident = case["text"], f"r{number:04}"
            mentions = tuple(Mention(((s, e),), text[s:e], kind, cui) for s, e, kind, cui in case["entities"])
            documents.append(Document(ident, sections(text), mentions, facts=PROGRAM_INPUT))
            numbers = case.get("without_repeats")
            if isinstance(numbers, list) and numbers:
                queries = {str(n): each[3] for n, each in enumerate(case["marked"]["queries"], 1)}
                asked = [(f"{ident}.{n}", queries[n]) for n in numbers]
                listed.append({**case["document"], "kept": asked})
    api.write(documents, tmp_path / "reports.jsonl", format="jsonl")
    vocabulary({"C9000001": ["Fever", "fever"]}, tmp_path / "names.tsv")
    made = json.loads(
        exported(tmp_path / "reports.jsonl", tmp_path / "names.tsv", tmp_path, remove_exact_repeats=True)
    )
    ours = [each["document"] for each in made["data"]]
    assert [
        {
            "title": each["title"],
            "context": each["context"],
            "kept": [(query["id"], query["query"]) for query in each["qas"]],
        }
        for each in ours
    ] == listed
    assert sum(len(each["qas"]) for each in ours) == 909


def test_a_report_of_ours_becomes_the_programs_dataset(tmp_path: Path) -> None:
    for name in ("cases", "clamp"):
        (tmp_path / name).mkdir()
    text = "Rash\nHe had a rash .\nLearning points\nThe rash ended .13 , 17 \n"
    (tmp_path / "cases/r-2016-1.full.struct.tok").write_text(text, "utf-8")
    rows = [
        (0, 4, "cui=C0000001\t"),
        (text.index("a rash"), text.index("a rash") + 6, ""),
        (37, 45, "cui=C0000001\t"),
    ]
    (tmp_path / "clamp/r-2016-1.full.struct.tok.txt").write_text(
        "".join(
            f"NamedEntity\t{start}\t{end}\tsemantic=problem\tassertion=present\t{cui}ne={text[start:end]}\n"
            for start, end, cui in rows
        ),
        "utf-8",
    )
    annotated(tmp_path / "cases", tmp_path / "clamp", tmp_path / "reports.jsonl")
    terms = vocabulary({"C0000001": ["Rash", "rash"]}, tmp_path / "names.tsv")
    built = exported(tmp_path / "reports.jsonl", terms, tmp_path, remove_exact_repeats=True)
    assert built.decode() == (
        '{"version":"1.0","data":[{"document":{"context":"He had a BEG__rash__END .","title":"BEG__Rash__END",'
        '"qas":[{"query":"The @placeholder ended .\\n, 17","id":"r-2016-1.1","answers":['
        '{"text":"rash","cui":"C0000001","sem_type":"problem","origin":"dataset"},'
        '{"text":"Rash","cui":"C0000001","sem_type":"problem","origin":"UMLS"}]}]},"source":"r-2016-1"}]}'
    )
