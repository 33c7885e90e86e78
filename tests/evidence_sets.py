"""Small questions with sentences, invented, in the shapes of the authors' files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from anagnosis import api
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence

ABSTRACTS: dict[int, tuple[str, list[str]]] = {
    11: ("Tea and sleep", ["We gave people tea.\n", "Cold tea did not change sleep.", "Warm tea is nice."]),
    12: ("Salt and fish", ["Salt stops blue fish.", "Fish swim in salt water."]),
    13: ("Nothing", ["No one asked."]),
}
CONTEXT = (
    "Salt in fish\n\nAuthors: A, B\n\n"
    "Salt water stops fish. It does so at 3 %. Nobody knows why.\n\nBlue fish are old. Red fish are new."
)


def lines(path: Path, rows: Sequence[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows), "utf-8")
    return path


def claim(number: int, text: str, evidence: dict[str, list[list[int]]] | None = None) -> dict[str, Any]:
    """evidence: document → the sentences of each rationale."""
    told = {
        document: [{"sentences": own, "label": "SUPPORT"} for own in rationales]
        for document, rationales in (evidence or {}).items()
    }
    return {"id": number, "claim": text, "evidence": told, "cited_doc_ids": [*map(int, told)]}


def abstracts() -> list[dict[str, Any]]:
    return [
        {"doc_id": ident, "title": title, "abstract": sentences, "structured": False}
        for ident, (title, sentences) in ABSTRACTS.items()
    ]


def claims() -> list[dict[str, Any]]:
    return [
        claim(1, "Cold tea changes sleep.", {"11": [[1], [1, 2]]}),
        claim(2, "Salt stops fish.", {"12": [[0]], "11": [[0]]}),
        claim(3, "Nobody cares."),
    ]


def scifact(folder: Path, name: str = "claims_train.jsonl") -> Path:
    lines(folder / "corpus.jsonl", abstracts())
    lines(folder / name, claims())
    return folder


def covid(path: Path, asked: Sequence[dict[str, Any]], context: str = CONTEXT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    article = {"paragraphs": [{"context": context, "document_id": 7, "qas": list(asked)}]}
    path.write_text(json.dumps({"version": "1", "data": [article]}), "utf-8")
    return path


def asked(number: int, question: str, text: str, start: int | None = None) -> dict[str, Any]:
    at = CONTEXT.index(text) if start is None else start
    answers = [{"text": text, "answer_start": at}]
    return {"id": number, "question": question, "answers": answers, "is_impossible": False}


def evidence(ident: str, held: str, question: str = "", texts: Sequence[str] = ()) -> EvidenceInstance:
    """held: a sign a sentence: + held, - not, ? not said."""
    said = {"+": True, "-": False, "?": None}
    own = texts or [f"Sentence {place} of {ident}." for place in range(len(held))]
    sentences = (SourceSentence("d", "", text, said[sign]) for text, sign in zip(own, held, strict=True))
    return EvidenceInstance(ident, question or f"Question {ident}?", tuple(sentences))


def stored(folder: Path, **splits: Sequence[EvidenceInstance]) -> store.Dataset:
    return writing.write(folder, splits, {"dataset": "made", "kind": "evidence"})


def predictions(path: Path, scores: Mapping[str, Sequence[float]]) -> Path:
    rows = [
        {"id": ident, "answer": "0", "scores": {str(place): score for place, score in enumerate(own)}}
        for ident, own in scores.items()
    ]
    return lines(path, rows)


def imported(path: Path | Sequence[Path], out: Path, layout: str, **how: Any) -> store.Dataset:
    return api.import_dataset(path, out, layout=layout, **how)


def held_of(dataset: store.Dataset, split: str) -> dict[str, str]:
    """id → a sign a sentence."""
    said = {True: "+", False: "-", None: "?"}
    return {
        one.id: "".join(said[sentence.held] for sentence in one.sentences)
        for one in store.instances(dataset, split)
    }
