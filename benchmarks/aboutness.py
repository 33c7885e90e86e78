"""How often the papers that `ask` lists for a yes/no question are those that experts named for it.

    python benchmarks/aboutness.py GOLDEN.tar.gz|FOLDER … --batches 7B,8B
    python benchmarks/aboutness.py benchmarks/questions/roles.jsonl --index INDEX

Documents are made of the snippets of all golden files, as in asking.py. Of the papers of the first passages those count
as right from which an expert took a snippet, or which one listed; others may be about the question too. Printed:
precision and recall of the listed papers, each with its 95 % interval (questions redrawn), and questions without any.
Or questions of ours with the papers that we read as right, to an index of jats, structured_abstracts, cord19, medline.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

import anagnosis
from anagnosis.datasets.bioasq.parts import is_batch
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import YESNO, QuestionInstance
from anagnosis.documents.states import STATES
from anagnosis.searching.answers.asking import READ, highlighted
from anagnosis.searching.conclusions.concluding import PAPERS, conclusions
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index, open_index
from snippet_recall import gold_spans, snippet_collection

DRAWS, SEED = 2000, 0


def counts(index: Index, asked: Iterable[tuple[str, set[str]]]) -> np.ndarray:
    """[questions, 3]: right papers listed, papers listed, right papers among the first passages (at most PAPERS).

    asked: questions, each with its right papers.
    """
    rows: list[tuple[int, int, int]] = []
    for question, gold in asked:
        read = index.read(question)
        hits = highlighted(index, read.topic, index.search(read, Filters(), READ))
        listed = [
            paper.document
            for paper in conclusions(index, read.topic, hits).papers
            if all(STATES[notice.kind].counted for notice in paper.notices)
        ]
        there = gold & {hit.passage.document for hit in hits}
        rows.append((len(gold.intersection(listed)), len(listed), min(PAPERS, len(there))))
    return np.array(rows)


def of_experts(every: Iterable[QuestionInstance], batches: Sequence[str]) -> Iterator[tuple[str, set[str]]]:
    for one in every:
        if (
            one.type == YESNO
            and one.snippets
            and one.exact
            and any(is_batch(one.file, name) for name in batches)
        ):
            gold = {span.document for span in gold_spans(one, offsets=False)}
            yield one.question, gold | {each.rpartition("/")[2] for each in one.documents}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("golden", nargs="+")
    parser.add_argument("--batches", default="", help="of the questions, such as 8B or 2B,3B")
    parser.add_argument("--index", type=Path)
    options = parser.parse_args()
    if options.index:
        lines = [json.loads(line) for path in options.golden for line in Path(path).read_text().splitlines()]
        rows = counts(open_index(options.index), [(one["question"], set(one["right"])) for one in lines])
    else:
        with tempfile.TemporaryDirectory() as scratch:
            dataset = anagnosis.import_dataset(options.golden, Path(scratch) / "questions", layout="bioasq")
            every = list(store.instances(dataset, store.ALL, of=QuestionInstance))
            index = snippet_collection(every, Path(scratch) / "index")
            rows = counts(index, of_experts(every, options.batches.split(",")))
            index.close()
    drawn = rows[np.random.default_rng(SEED).integers(len(rows), size=(DRAWS, len(rows)))].sum(axis=1)
    total = rows.sum(axis=0)
    print(f"{len(rows)} questions, {(rows[:, 1] == 0).sum()} without a paper")
    for name, of in (("precision", 1), ("recall", 2)):
        low, high = np.quantile(drawn[:, 0] / drawn[:, of], [0.025, 0.975])
        print(f"{name} {total[0] / total[of]:.3f} [{low:.3f}, {high:.3f}] of {total[of]}")


if __name__ == "__main__":
    main()
