"""How good whole answers are: BioASQ's questions, asked of a collection made of their own snippets.

    python benchmarks/asking.py GOLDEN.tar.gz|FOLDER … --batches 8B [--encoder FOLDER] [--readers FOLDER] [--json]
        [--keep FOLDER] [--shown FILE]

Every document is the text of its distinct snippets in all golden files, a snippet a line; a snippet that another one of
the document contains is left out. All questions of the batches are asked twice: as the collection is, and without the
documents of their gold snippets, as if it did not have them. Printed, each with its 95 % interval by question:

- document P@1: the first passage is of a document that an expert named
- gold sentence first: the first quoted sentence lies in a gold snippet, or has one in it
- snippet recall@5: the share of at most five gold snippets that the first five quoted sentences lie in
- precision of the quoted sentences
- the three states, with the documents and without them
- seconds of an answer
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

import anagnosis
from anagnosis.api.searching import load_scorer
from anagnosis.datasets.bioasq.parts import is_batch
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.evaluation.intervals import estimate
from anagnosis.searching.answers.asking import ask
from anagnosis.searching.index.index import Index, open_index
from anagnosis.searching.records.hits import AskAnswer, Hit
from snippet_recall import Span, gold_spans, snippet_collection, snippet_ranks, snippet_recall

FIRST = 5  # quoted sentences
_BESIDE = 100  # passages to read beyond those of the documents that are left out


class WithoutDocuments:
    """An index that does not return some documents."""

    def __init__(self, index: Index, documents: Iterable[str]) -> None:
        self._index, self._documents = index, frozenset(documents)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._index, name)

    def search(
        self, question: Any, filters: Any = None, limit: int = 10, *rest: Any, **more: Any
    ) -> list[Hit]:
        hits = self._index.search(question, filters, limit + _BESIDE, *rest, **more)
        return [hit for hit in hits if hit.passage.document not in self._documents][:limit]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("golden", nargs="+")
    parser.add_argument("--batches", required=True, help="of the questions, such as 8B or 10B2,10B3")
    parser.add_argument("--encoder", help="also encode the passages, and rank by both")
    parser.add_argument("--readers", metavar="FOLDER")
    parser.add_argument("--limit", type=int, help="ask only so many questions")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the index there, for the next run")
    parser.add_argument(
        "--shown", type=Path, metavar="FILE", help="write there, to be read by hand, what was shown"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        dataset = anagnosis.import_dataset(options.golden, Path(scratch) / "questions", layout="bioasq")
        every = list(store.instances(dataset, store.ALL))
        index = collection(every, options.keep or Path(scratch) / "index")
        if options.encoder:
            from anagnosis.searching.vectors.encoding import SentenceEncoder

            index.encode(SentenceEncoder(options.encoder))
        batches = options.batches.split(",")
        questions = [one for one in every if any(is_batch(one.file, batch) for batch in batches)]
        shown = list[dict[str, Any]]()
        figures = measured(index, questions[: options.limit], load_scorer(options.readers), shown)
        figures["documents"] = index.count().documents
        index.close()
    if options.shown:
        lines = (json.dumps(one, ensure_ascii=False) for one in shown)
        options.shown.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if options.json:
        print(json.dumps(figures, indent=1))
    else:
        report(figures)


def collection(questions: Sequence[QuestionInstance], folder: Path) -> Index:
    """The collection of the questions' snippets, made in a new folder or kept there by an earlier run."""
    if not folder.exists():
        return snippet_collection(questions, folder)
    index = open_index(folder)
    papers = len({snippet.pmid for question in questions for snippet in question.snippets})
    if index.count().documents != papers:
        raise SystemExit(f"{folder} is of other golden files: remove it, or name another folder")
    return index


def measured(
    index: Index, questions: Sequence[QuestionInstance], scorer: Any, shown: list[dict[str, Any]]
) -> dict[str, Any]:
    """The figures of the module, each as {value, low, high, n} or a count; fills `shown`, a record a question."""
    credits: dict[str, list[float]] = {}
    states: dict[str, Counter[str]] = {"with": Counter(), "without": Counter()}
    seconds = list[float]()
    for question in questions:
        if not question.snippets:
            continue
        gold = gold_spans(question, offsets=False)
        documents = {span.document for span in gold} | {one.rpartition("/")[2] for one in question.documents}
        began = time.perf_counter()
        answer = ask(index, question.question, scorer=scorer)
        seconds.append(time.perf_counter() - began)
        gone = ask(cast(Index, WithoutDocuments(index, documents)), question.question, scorer=scorer)
        shown.append(as_shown(question, answer, gone))
        states["with"][state(answer)] += 1
        states["without"][state(gone)] += 1
        quoted = [Span(one.passage.document, one.text) for one in answer.evidence[:FIRST]]
        right = [any(rank is not None for rank in snippet_ranks(gold, [one])) for one in quoted]
        add(credits, "document P@1", bool(answer.hits) and answer.hits[0].passage.document in documents)
        add(credits, "gold sentence first", right[:1] == [True])
        add(credits, "snippet recall@5", snippet_recall(gold, quoted, first=FIRST, capped=True) or 0.0)
        if right:
            add(credits, "precision of quoted", float(np.mean(right)))
        if state(answer) == "answered":
            add(credits, "gold sentence first, where answered here", right[:1] == [True])
    rows = {name: as_figure(values) for name, values in credits.items()}
    median, late = np.quantile(seconds, [0.5, 0.95])
    return {
        "questions": len(seconds),
        "figures": rows,
        "states": {way: dict(counts) for way, counts in states.items()},
        "seconds": {"median": round(float(median), 4), "p95": round(float(late), 4)},
    }


def as_shown(question: QuestionInstance, answer: AskAnswer, gone: AskAnswer) -> dict[str, Any]:
    """What a person reads to judge an answer: its sentences beside what experts answered."""
    return {
        "question": question.question,
        "type": question.type,
        "gold": question.exact,
        "state": answer.state,
        "without its documents": gone.state,
        "sentences": [one.text for one in answer.evidence[:FIRST]],
    }


def state(answer: AskAnswer) -> str:
    """answered, closest or nothing."""
    return answer.state


def add(credits: dict[str, list[float]], name: str, value: float) -> None:
    credits.setdefault(name, []).append(float(value))


def as_figure(values: Sequence[float]) -> dict[str, float]:
    of = estimate(np.array(values))
    return {
        "value": round(of.value, 4),
        "low": round(of.interval.low, 4),
        "high": round(of.interval.high, 4),
        "n": len(values),
    }


def report(figures: dict[str, Any]) -> None:
    print(f"{figures['questions']} questions over {figures['documents']:,} documents")
    print("| figure | value | 95 % interval | of |\n| --- | ---: | --- | ---: |")
    for name, one in figures["figures"].items():
        print(f"| {name} | {one['value']:.3f} | {one['low']:.3f}, {one['high']:.3f} | {one['n']} |")
    for way, counts in figures["states"].items():
        shares = ", ".join(
            f"{name} {count / figures['questions']:.3f}" for name, count in sorted(counts.items())
        )
        print(f"{way} their documents: {shares}")
    print(f"seconds: median {figures['seconds']['median']}, 95th {figures['seconds']['p95']}")


if __name__ == "__main__":
    main()
