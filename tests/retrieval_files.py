"""A small test collection as files: topics, judgements and runs, with everything that need not fit."""

from __future__ import annotations

from pathlib import Path

# q4 has no relevant document, q5 no topic, q6 no judgement.
TOPICS = "q1\tstatins and survival\nq2\tdeafness\nq3\tpregnancy and COVID-19\nq4\tlead\nq6\tzinc\n"
JUDGEMENTS = """q1 0 d1 2
q1 0 d2 1
q1 0 d3 0
q2 0 d4 1
q3 0 d5 1
q3 0 d9 1
q4 0 d1 0
q5 0 d1 1
"""
BEST = "q1 Q0 d1 1 9 best\nq1 Q0 d2 2 8 best\nq2 Q0 d4 1 7 best\nq3 Q0 d5 1 7 best\nq6 Q0 d1 1 7 best\n"
OTHER = "q1 Q0 d8 1 9 other\nq1 Q0 d1 2 8 other\nq2 Q0 d7 1 7 other\nq2 Q0 d4 2 6 other\n"


def written(folder: Path) -> Path:
    """topics.tsv, qrels.txt, best.run and other.run in a folder."""
    files = {"topics.tsv": TOPICS, "qrels.txt": JUDGEMENTS, "best.run": BEST, "other.run": OTHER}
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder
