"""How many gold snippets of BioASQ's questions a search finds.

    python benchmarks/search_bioasq.py GOLDEN.tar.gz|FOLDER …

GOLDEN: BioASQ's golden files. Every distinct snippet of a paper is a document of its own, and all of them are indexed
(asking.py joins the snippets of a paper). The questions of 9B5 and 10B1, on which nothing here was chosen, are asked as
they stand. recall@10 is of at most ten; a question counts if it has a gold snippet.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import anagnosis
from anagnosis.datasets.bioasq.parts import is_batch
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.documents.document import Document, Section
from anagnosis.searching.index.index import Index, create_index
from snippet_recall import Span, gold_spans, snippet_recall

BATCHES = (("9B5",), ("10B1",), ("9B5", "10B1"))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("golden", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        dataset = anagnosis.import_dataset(options.golden, Path(scratch) / "questions", layout="bioasq")
        questions = list(store.instances(dataset, store.ALL))
        index = snippet_index(questions, Path(scratch) / "index")
        print(f"{len(questions):,} questions over {index.count().passages:,} snippets")
        print("| questions | with a snippet | recall@10, capped | recall@100 | a hit in ten |")
        print("| --- | ---: | ---: | ---: | ---: |")
        for batches in BATCHES:
            own = [q for q in questions if any(is_batch(q.file, batch) for batch in batches) and q.snippets]
            told = recall(index, own)
            print(
                f"| {' + '.join(batches)} | {len(own)} | "
                + " | ".join(f"{value:.4f}" for value in told)
                + " |"
            )
        index.close()


def snippet_index(questions: Iterable[QuestionInstance], folder: Path) -> Index:
    """An index in a new folder with one document for each distinct snippet of a paper, of id `PMID/number`."""
    texts: dict[str, dict[str, None]] = {}
    for question in questions:
        for snippet in question.snippets:
            texts.setdefault(snippet.pmid, {})[snippet.text] = None
    index, counts = create_index(folder), Counter[str]()
    for pmid, snippets in texts.items():
        for number, text in enumerate(snippets):
            index.add(Document(f"{pmid}/{number}", (Section("abstract", text),)), counts)
    index.commit()
    return index


def recall(index: Index, questions: Sequence[QuestionInstance]) -> tuple[float, float, float]:
    """(recall@10 of at most ten, recall@100, share of questions with a hit in ten), means over the questions."""
    ten, hundred, any_hit = [], [], []
    for question in questions:
        hits = index.search(question.question, limit=100)
        found = [Span(hit.passage.document.partition("/")[0], hit.passage.text) for hit in hits]
        gold = gold_spans(question, offsets=False)
        ten.append(snippet_recall(gold, found, first=10, capped=True, whole=True) or 0.0)
        hundred.append(snippet_recall(gold, found, first=100, whole=True) or 0.0)
        any_hit.append(float(ten[-1] > 0))
    return statistics.fmean(ten), statistics.fmean(hundred), statistics.fmean(any_hit)


if __name__ == "__main__":
    main()
