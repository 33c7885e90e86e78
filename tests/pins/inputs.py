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
from tests.evidence_sets import asked, covid, lines

from anagnosis.corpus import carried

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
    write_claims(folder / "claims")
    covid(
        folder / "covid.json",
        [
            asked(1, "What stops fish?", "Salt water stops fish."),
            asked(2, "Which fish are old?", "Blue fish"),
        ],
    )


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


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
