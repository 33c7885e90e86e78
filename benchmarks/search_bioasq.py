"""How many gold snippets of BioASQ's questions a search finds, and how often the kind of a question is told.

    python benchmarks/search_bioasq.py GOLDEN.tar.gz|FOLDER … [--readers FOLDER …]

GOLDEN: BioASQ's golden files. Every distinct snippet of a document is a passage of its own, and the whole pool is
indexed. The questions of 9B5 and 10B1, on which nothing here was chosen, are asked as they stand. recall@10 is of at
most ten; a question counts if it has a gold snippet. The kinds are those of rules written on editions 1 to 7.

"Not found": each question is asked twice, the second time without the documents of its gold snippets, as if they were
not in the collection. The best sentence's score tells the two apart; the level is chosen on editions 7 and 8.

Last, how often the first sentence of an answer is of a gold snippet, and one of the first five: untrained, and with the
readers of each FOLDER.
"""

from __future__ import annotations

import argparse
import math
import statistics
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import anagnosis
from anagnosis.api.searching import load_readers
from anagnosis.datasets.bioasq.kept_apart import is_batch
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.evaluation.snippet_recall import Span, gold_spans, snippet_recall
from anagnosis.language.question_kinds import KINDS, kind_of_question
from anagnosis.searching.answers.asking import READ, ask, highlighted
from anagnosis.searching.fit.name_fitting import pool
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.answers import Hit

BATCHES = (("9B5",), ("10B1",), ("9B5", "10B1"))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("golden", nargs="+")
    parser.add_argument("--readers", nargs="*", default=[], metavar="FOLDER")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        dataset = anagnosis.import_dataset(options.golden, Path(scratch) / "questions", layout="bioasq")
        questions = list(store.instances(dataset, store.ALL))
        index = pool(questions, Path(scratch) / "index")
        print(f"{len(questions):,} questions, a pool of {index.count().passages:,} snippets")
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
        report_not_found(index, questions)
        held = [q for q in questions if any(is_batch(q.file, batch) for batch in BATCHES[-1])]
        for readers in (None, *options.readers):
            report_quoted(index, held, readers)
        index.close()
        report_kinds("9B5 + 10B1", held)
        report_kinds(
            "1B to 7B",
            [q for q in questions if q.file[:1] in "1234567" and not q.file.startswith(("10", "11"))],
        )


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


def report_not_found(index: Index, questions: Sequence[QuestionInstance]) -> None:
    """Prints what the best sentence's score says of whether the collection holds the answer."""
    asked = [question for question in questions if question.snippets]
    dev = np.array([best_scores(index, q) for q in asked if q.file.startswith(("7B", "8B"))])
    levels = np.unique(dev)
    right = [((dev[:, 0] >= level).mean() + (dev[:, 1] < level).mean()) / 2 for level in levels]
    level = float(levels[int(np.argmax(right))])
    held = np.array([best_scores(index, q) for q in asked if any(is_batch(q.file, b) for b in BATCHES[-1])])
    print(
        f"not found: level {level:.3f}, balanced accuracy {max(right):.3f} on {len(dev)} questions of 7B and 8B"
    )
    above = held[:, 0][:, None] - held[:, 1][None, :]
    auc = ((above > 0) + 0.5 * (above == 0)).mean()
    kept, told = (held[:, 0] >= level).mean(), (held[:, 1] < level).mean()
    print(
        f"  9B5 + 10B1: AUC {auc:.3f}; with the answer there {kept:.1%} are answered, without it {told:.1%} are not"
    )
    gone = np.concatenate([np.zeros(len(held)), np.ones(len(held))])
    order = np.argsort(-held.T.reshape(-1), kind="stable")
    for coverage in (0.5, 0.8, 1.0):
        answered = order[: round(coverage * len(order))]
        print(
            f"  {coverage:.0%} answered, the surest first: of {gone[answered].mean():.1%} the answer is not there"
        )


def best_scores(index: Index, question: QuestionInstance) -> tuple[float, float]:
    """The best sentence's score with the gold documents there, and without them."""
    gold = {snippet.pmid for snippet in question.snippets}
    hits = index.search(question.question, limit=READ + 100)

    def best(found: Sequence[Hit]) -> float:
        every = highlighted(index, question.question, list(found[:READ]))
        return max((one.score for each in every for one in each.sentences), default=0.0)

    return best(hits), best([hit for hit in hits if hit.passage.document.partition("/")[0] not in gold])


def report_quoted(index: Index, questions: Sequence[QuestionInstance], readers: str | None) -> None:
    """Prints of how many questions a sentence of a gold snippet is quoted first, and among the first five."""
    asked, loaded = [question for question in questions if question.snippets], load_readers(readers)
    first, five = 0, 0
    for question in asked:
        gold = {(snippet.pmid, snippet.text) for snippet in question.snippets}
        evidence = ask(index, question.question, readers=loaded).evidence
        right = [(one.passage.document.partition("/")[0], one.passage.text) in gold for one in evidence]
        first, five = first + (right[:1] == [True]), five + any(right)
    told = f"{first / len(asked):.1%} first, {five / len(asked):.1%} in five"
    print(f"quoted of a gold snippet, {readers or 'untrained'}, {len(asked)} questions: {told}")


def report_kinds(name: str, questions: Sequence[QuestionInstance]) -> None:
    pairs = [(question.type, kind_of_question(question.question)) for question in questions if question.type]
    each = {kind: f1(pairs, kind) for kind in KINDS}
    right = sum(gold == told for gold, told in pairs) / len(pairs)
    most = max(Counter(gold for gold, _ in pairs).values()) / len(pairs)
    told = ", ".join(f"{kind} {value:.3f}" for kind, value in each.items())
    print(f"kinds of {name}: macro-F1 {math.fsum(each.values()) / len(each):.3f} ({told}); accuracy {right:.3f}; "
          f"always the commonest: macro-F1 {2 * most / (1 + most) / len(each):.3f}")  # fmt: skip


def f1(pairs: Sequence[tuple[str, str]], kind: str) -> float:
    both = sum(gold == told == kind for gold, told in pairs)
    return 2 * both / sum((gold == kind) + (told == kind) for gold, told in pairs)


if __name__ == "__main__":
    main()
