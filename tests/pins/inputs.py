"""What the pinned commands read: our carried corpora, and small invented files in the authors' layouts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from tests import golden_files as golden
from tests.datasets.clicr import files as clicr
from tests.decisions import rows_apart, written
from tests.encoders.tiny import tiny_encoder
from tests.evidence_sets import asked, corpus, covid, lines
from tests.pins.program import carried
from tests.retrieval_files import written as retrieval_files

THINGS = (
    "cold tea",
    "warm milk",
    "salt water",
    "a short walk",
    "green light",
    "loud music",
    "a nap",
    "rye bread",
)
OUTCOMES = ("sleep", "fever", "back pain", "appetite", "mood", "hearing", "balance")
DRUGS = ("aspirin", "zidovudine", "metformin", "warfarin", "digoxin", "lithium", "quinine", "heparin")
PEOPLE = {"Ann": ("expert", 0), "Bob": ("expert", 3), "Cy": ("lay", 5)}


def write_inputs(folder: Path) -> None:
    """All of them, into a folder."""
    tiny_encoder(folder / "encoder", width=8, layers=1, limit=64)
    for name in ("pubtator", "medline", "jats", "terms-tsv"):
        source = carried(name)
        shutil.copy(source, folder / source.name)
    first = (folder / "carried.xml").read_text("utf-8").split("  <PubmedArticle>")[:9]
    (folder / "citations.xml").write_text("  <PubmedArticle>".join(first) + "</PubmedArticleSet>", "utf-8")
    written(folder / "labelled.json", rows_apart())
    written(folder / "labelled-more.json", rows_apart(60, 40, 20))
    (folder / "clicr").mkdir()
    (folder / "clicr" / "train1.0.json").write_bytes(clicr.file())
    (folder / "clicr" / "test1.0.json").write_bytes(clicr.file(clicr.EMPTY, clicr.TESTED))
    for batch, first, count in (("8B1", 1, 12), ("9B5", 20, 4), ("13B1", 30, 4)):
        golden.written(
            folder / "golden" / f"{batch}_golden.json", golden.gson(golden.questions(count, first))
        )
    golden.written(folder / "names" / "7B1_golden.json", golden.gson(names()))
    write_claims(folder / "claims")
    # The three questions that scifact-verdicts can read: supported, contradicted, and neither.
    corpus(folder / "verdicts" / "corpus.jsonl")
    verdicts: list[dict[str, Any]] = [
        {
            "id": number,
            "claim": claim,
            "cited_doc_ids": [document],
            "evidence": {str(document): [{"sentences": [0], "label": label}]} if label else {},
        }
        for number, (claim, document, label) in enumerate(
            [
                ("Cold tea changes sleep.", 11, "CONTRADICT"),
                ("Salt stops fish.", 12, "SUPPORT"),
                ("No one asks.", 13, ""),
            ],
            1,
        )
    ]
    lines(folder / "verdicts" / "claims_dev.jsonl", verdicts)
    covid(
        folder / "covid.json",
        [
            asked(1, "What stops fish?", "Salt water stops fish."),
            asked(2, "Which fish are old?", "Blue fish"),
        ],
    )
    shown = {"document": "7", "title": "Fish", "text": "Salt water stops fish.", "answers": True}
    other = {"document": "8", "title": "Tea", "text": "Tea is old.", "answers": False}
    lines(
        folder / "feedback.jsonl",
        [
            {
                "feedback": 1,
                "question": "What stops fish?",
                "sentences": [shown, other, {**shown, "answers": None}],
            }
        ],
    )
    retrieval_files(folder)
    (folder / "questions.tsv").write_text(
        "q1\tDoes cold brew coffee raise gastric pH less than espresso?\nq2\tstatins and stroke\nq3\tvalganciclovir\n"
    )
    (folder / "judged.txt").write_text(
        "q1 0 99000027 2\nq1 0 99000001 0\nq2 0 99000003 1\nq2 0 ana0001 1\nq3 0 ana0044 2\n"
    )
    (folder / "mine.toml").write_text(
        'reader = "attention-sum"\nepochs = 1\nembedding = 4\n[tune]\nhidden = {low = 2, high = 9}\n'
    )
    (folder / "nothing.txt").write_text("Not a paper.\n")
    (folder / "broken.jsonl").write_text('{"id": "ana0044:20", "answer": \n')
    (folder / "truncated.xml").write_bytes((folder / "carried.xml").read_bytes()[:9000])


def claim_texts() -> dict[int, tuple[str, list[str]]]:
    """document → its claim, and its sentences, of which the second holds the claim."""
    found: dict[int, tuple[str, list[str]]] = {}
    for number in range(len(THINGS) * len(OUTCOMES)):
        thing, outcome = THINGS[number % 8], OUTCOMES[number // 8]
        found[500 + number] = (
            f"{thing.capitalize()} changes {outcome}.",
            [
                f"We looked at {thing} in {20 + number} adults.",
                f"In the end {thing} changed {outcome} in {number % 5 + 2} of ten.",
                f"Nobody asked about {OUTCOMES[(number + 1) % 7]}.",
                "More adults are needed.",
            ],
        )
    return found


def write_claims(folder: Path) -> None:
    """Claims with evidence as SciFact has them, and their documents as papers to index (papers.jsonl)."""
    texts = claim_texts()
    lines(
        folder / "corpus.jsonl",
        [
            {
                "doc_id": ident,
                "title": f"A trial numbered {ident}",
                "abstract": sentences,
                "structured": False,
            }
            for ident, (_, sentences) in texts.items()
        ],
    )
    lines(
        folder / "claims_train.jsonl",
        [
            {
                "id": ident,
                "claim": claim,
                "cited_doc_ids": [ident],
                "evidence": {str(ident): [{"sentences": [1], "label": "SUPPORT"}]},
            }
            for ident, (claim, _) in texts.items()
        ],
    )
    (folder.parent / "claims.tsv").write_text(
        "".join(f"{ident}\t{claim}\n" for ident, (claim, _) in texts.items())
    )
    (folder.parent / "claims.qrels").write_text("".join(f"{ident} 0 {ident} 1\n" for ident in texts))
    papers = folder.parent / "papers.jsonl"
    lines(
        papers,
        [
            {"id": str(ident), "title": claim, "text": " ".join(sentences)}
            for ident, (claim, sentences) in texts.items()
        ],
    )


def names() -> list[dict[str, Any]]:
    """BioASQ's questions for one name: a drug, which a snippet names beside another one."""
    found: list[dict[str, Any]] = []
    for number in range(len(DRUGS) * len(OUTCOMES)):
        drug, outcome = DRUGS[number % 8], OUTCOMES[number // 8]
        other = DRUGS[(number + 3) % 8]
        text = f"The drug {drug} changed {outcome} in {number + 10} adults, but {other} did not."
        several = number % 3 == 0
        found.append(
            golden.question(
                300 + number,
                "list" if several else "factoid",
                body=f"Which drug changed {outcome} in {number + 10} adults?",
                exact_answer=[[drug], [other]] if several else [[drug]],
                ideal_answer=[f"{drug.capitalize()} changed {outcome}."],
                documents=[golden.ADDRESS + str(700 + number)],
                snippets=[golden.snippet(text, golden.ADDRESS + str(700 + number))],
            )
        )
    return found


def write_people(folder: Path, questions: list[dict[str, Any]]) -> None:
    """Answers of three people: right but for every so-manyth question, of which one is left open.

    questions: predictions of a reader, whose candidates a person chooses from.
    """
    rows: list[dict[str, Any]] = []
    for place, question in enumerate(questions[:12]):
        candidates = [*question["scores"]]
        for person, (group, every) in PEOPLE.items():
            answer = candidates[0] if not every else candidates[place % every % len(candidates)]
            rows.append(
                {
                    "id": question["id"],
                    "answer": None if place == every else answer,
                    "annotator": person,
                    "group": group,
                    "knowledge": "context",
                    "seconds": 10 + place,
                }
            )
    lines(folder / "people.jsonl", rows)


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
