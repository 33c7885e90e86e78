"""Records of answers that are right by similarity alone, for the tests of their sheets."""

from __future__ import annotations

from pathlib import Path

from anagnosis import api
from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.predictions import Answer, Prediction, write
from anagnosis.reports import save
from tests.golden_files import ident

# prediction → gold: same, better, wrongly accepted, same.
PAIRS = (
    ("=salinol gene", "=salinol"),
    ("+oral salinol", "salinol"),
    ("kinase", "tyrosine kinase"),
    ("uncoupling protein 1 (ucp1)", "uncoupling protein 1"),
)


def record(folder: Path, pairs: tuple[tuple[str, str], ...] = PAIRS) -> Path:
    """The file that `protocols --similar --out` writes, of two systems; the second answers all but the first."""
    asked = [
        QuestionInstance(ident(n), "factoid", f"+Which = {n}?", exact=((gold,),))
        for n, (_, gold) in enumerate(pairs)
    ]
    dataset = writing.write(folder / "asked", {"test": asked}, {"dataset": "asked", "kind": "question"})
    lines = [Prediction(ident(n), answers=[Answer(text)]) for n, (text, _) in enumerate(pairs)]
    write(folder / "one.jsonl", lines)
    write(folder / "two.jsonl", lines[1:])
    found = api.protocols(dataset, [folder / "one.jsonl", folder / "two.jsonl"], draws=9, similar=True)
    return save(found, folder / "record.json")
