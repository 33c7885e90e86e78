"""Files in CliCR's layout, as tests write them: reports of our own."""

from __future__ import annotations

import json
from typing import Any

TITLE = "Relapsing BEG__fever__END after a holiday : a made - up case"
CONTEXT = (
    "CASE PRESENTATION\nA man had BEG__low grade fever__END and BEG__Fever__END .\n"
    "BEG__Quinine__END helped , and BEG__blood films__END were clear .\nThe BEG____END ( CT ) was refused ."
)


def answer(
    text: str, cui: str = "C9000001", type: str = "problem", origin: str = "dataset"
) -> dict[str, str]:
    return {"text": text, "cui": cui, "sem_type": type, "origin": origin}


def query(ident: str, text: str, *answers: dict[str, str]) -> dict[str, Any]:
    return {"query": text, "id": ident, "answers": list(answers)}


FEVER = query(
    "made-2012-001.1",
    "@placeholder after a holiday needs BEG__blood films__END and BEG__thick film__END .",
    answer("Fever"),
    answer("pyrexia", origin="UMLS"),
)
QUININE = query(
    "made-2012-001.3",
    "BEG__Fever__END responds to @placeholder\n, 17",
    answer("quinine sulphate", "C9000002", "treatment"),
    answer("Quinine", "C9000002", "treatment", "UMLS"),
    answer("blood  films", "C9000002", "treatment", "UMLS"),
    answer("chinin", "C9000002", "treatment", "UMLS"),
)
NOWHERE = query("made-2012-001.4", "Ask about @placeholder – early .", answer("travel “abroad”", "", "test"))
QUERIES = (FEVER, QUININE, NOWHERE)


def report(
    *queries: dict[str, Any], source: str = "made-2012-001", title: str = TITLE, context: str = CONTEXT
) -> dict[str, Any]:
    return {"document": {"context": context, "title": title, "qas": list(queries)}, "source": source}


OTHER = report(
    query("made.01.2013.7.1", "Think of @placeholder .", answer("gout")),
    source="made.01.2013.7",
    title="BEG__Gout__END",
    context="It was BEG__gout__END .",
)
TESTED = report(
    query("made-2015-003.1", "@placeholder is no BEG__gout__END .", answer("Fever")),
    source="made-2015-003",
)
EMPTY = report(source="made-2014-002", context="No query is of it , BEG__ cold__END .")


def file(*reports: dict[str, Any], version: str = "1.0") -> bytes:
    whole = {"version": version, "data": list(reports) or [report(*QUERIES), OTHER]}
    return json.dumps(whole, separators=(",", ":")).encode()
