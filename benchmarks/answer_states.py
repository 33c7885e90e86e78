"""The three states of an answer (searching/answers/states.py): fit their weights and thresholds, or measure them.

    python benchmarks/answer_states.py fit FOLDER --index INDEX
    python benchmarks/answer_states.py measure FOLDER [--sets bioasq-8,scifact-validation,…] [--encoder FOLDER]
    python benchmarks/answer_states.py ask INDEX QUESTIONS.jsonl … [--part tuning|opened|test]
    python benchmarks/answer_states.py judge INDEX QUESTIONS.jsonl … --judge NAME [--endpoint URL] --log|--replay FILE

FOLDER is as in evidence_sets.py. Each question is asked twice, the second time without the documents that answer it, as
if the collection did not have them. fit: how likely the first sentence is right and the answer here, on CHOSEN and on
our questions for tuning, asked of INDEX, by words; the threshold on CHOSEN; and the share that is right where answered.
measure: the states of each set, and how often the first sentence is gold where a question with its documents is
answered. ask: the states of questions of an index by their kind, and how often the first sentence has an excerpt that
answers; those without one are absent. --part: only questions of that part. judge: by part, how often the first
sentence answers without a language model that chooses among the best (judging.py) and with it, how often one of the
best does, and the questions on which it said none, wrote no numbers, or failed. --replay opens no socket.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from anagnosis.array_types import Bools, Floats
from anagnosis.language_models.calls import CallLog
from anagnosis.language_models.server import server
from anagnosis.searching.answers.asking import READ, ask, can_answer, highlighted, with_abstract
from anagnosis.searching.answers.judging import UNREADABLE, Judge
from anagnosis.searching.answers.states import (
    BY_WORDS,
    FEATURES,
    NOTHING_LIMIT,
    WITH_VECTORS,
    Logit,
    features,
    state,
)
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index, open_index
from anagnosis.searching.records.hits import ANSWERED, CLOSEST, NOTHING, Hit
from anagnosis.searching.records.passage import Evidence
from anagnosis.searching.sentences import overlap
from anagnosis.searching.sentences.evidence_order import quotations, read_sentences
from anagnosis.searching.sentences.held_answers import HeldAnswers
from evidence_order import our_questions
from evidence_sets import BIOASQ, COVID, Sets, is_gold
from logistic import logistic
from snippet_recall import plain

CHOSEN = (f"{BIOASQ}7", f"{BIOASQ}8")
MEASURED = (*CHOSEN, "scifact-train", "scifact-validation", "pqal", COVID)
STATES = (ANSWERED, CLOSEST, NOTHING)
RIDGE = 1.0
BESIDE = 100  # passages to read beyond those of the documents that are left out


class Asked(NamedTuple):
    """Questions with (there) and without their documents.

    rows: FEATURES. right, holds: of the first sentence.
    """

    rows: Floats
    there: Bools
    right: Bools
    holds: Bools


Read = tuple[list[float], bool, bool, bool]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("fit", "measure", "ask", "judge"))
    parser.add_argument("folder", type=Path, help="for ask and judge the index")
    parser.add_argument("questions", type=Path, nargs="*")
    parser.add_argument("--encoder")
    parser.add_argument("--index", type=Path)
    parser.add_argument("--part", choices=("tuning", "opened", "test"))
    parser.add_argument("--sets", default=",".join(MEASURED))
    parser.add_argument("--judge", help="the model's name")
    parser.add_argument("--endpoint")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--replay", type=Path)
    options = parser.parse_args()
    if options.what == "fit" and options.index is None:
        parser.error("fit needs --index")
    if options.what == "ask":
        ask_all(options.folder, options.questions, options.part)
        return
    if options.what == "judge":
        asked, replayed = (options.endpoint, options.log), bool(options.replay)
        if not options.judge or any(asked) == replayed or any(asked) != all(asked):
            parser.error("judge needs --judge, and --endpoint with --log or else --replay")
        with CallLog(options.replay or options.log, replayed=bool(options.replay)) as log:
            judge = Judge(options.judge, server(options.endpoint) if options.endpoint else None, log)
            judge_all(options.folder, options.questions, judge)
        return
    with tempfile.TemporaryDirectory() as scratch:
        sets = Sets(options.folder, Path(scratch), options.encoder)
        if options.what == "fit":
            fit(sets, options.index)
        else:
            measure(sets, options.sets.split(","), WITH_VECTORS if options.encoder else BY_WORDS)


def fit(sets: Sets, index: Path) -> None:
    held = joined([read_set(sets, name) for name in CHOSEN])
    both = joined([held, read_ours(index)])
    used = np.array(BY_WORDS.weights) > 0
    n, spread = len(both.rows), np.where(used, both.rows.std(0), np.inf)
    # Each question is there twice, with a constant of its own: whether the answer is here, whether the first is right.
    rows = np.c_[np.tile(both.rows / spread, (2, 1)), np.repeat(np.eye(2), n, 0)]
    found = logistic(rows, np.r_[both.there, both.right].astype(float), RIDGE) / np.r_[spread, 1.0, 1.0]
    weights = np.round(np.r_[found[:-2], found[-1]], 2)
    print(", ".join(f"{name} {weight:g}" for name, weight in zip((*FEATURES, "1"), weights, strict=True)))
    logits = both.rows @ weights[:-1] + weights[-1]
    nothing = split_conformal_threshold(logits[: len(held.rows)][held.there], NOTHING_LIMIT)
    # Rounded so that the limit is not passed.
    print(f"nothing below {math.floor(nothing * 100) / 100}")
    answered = both.holds & (logits >= 0)
    print(f"{answered.sum()} answered, {both.right[answered].mean():.3f} right")


def split_conformal_threshold(scores: Sequence[float] | Floats, limit: float) -> float:
    """The highest threshold below which a new score lies with a probability of at most `limit`.

    scores: of n calibration questions. It is their k-th smallest score, k = ⌊limit · (n + 1)⌋; −∞ if k is 0. The
    added 1 is the finite-sample correction: the new score has one of n + 1 ranks, each as likely (Lei et al. 2018,
    doi:10.1080/01621459.2017.1307116, section 2.2).
    """
    if not 0 <= limit < 1:
        raise ValueError(f"limit {limit} is not in [0, 1)")
    ordered = np.sort(np.asarray(scores, np.float64))
    place = math.floor(limit * (len(ordered) + 1) + 1e-9)
    return float(ordered[place - 1]) if place else -math.inf


def measure(sets: Sets, names: Iterable[str], here: Logit) -> None:
    print("| set | questions | with: answered | closest | nothing | first gold where answered "
          "| without: answered | closest | nothing |")  # fmt: skip
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in names:
        asked = read_set(sets, name)
        given = np.array([state(row, here) for row in asked.rows.tolist()])
        given[(given == ANSWERED) & ~asked.holds] = CLOSEST
        shares = [
            [float((given[chosen] == one).mean()) for one in STATES] for chosen in (asked.there, ~asked.there)
        ]
        first = asked.right[asked.there & (given == ANSWERED)].mean()
        figures = [*shares[0], first, *shares[1]]
        print(
            f"| {name} | {asked.there.sum():,} | {' | '.join(f'{one:.3f}' for one in figures)} |", flush=True
        )


def read_set(sets: Sets, name: str) -> Asked:
    index, questions = sets.load(name)
    every = list[Read]()
    for one in questions:
        hits = index.search(one.question, None, READ + BESIDE)
        left = [hit for hit in hits if hit.passage.document not in one.documents]
        for there, own in ((True, hits[:READ]), (False, left[:READ])):
            every.append(read(index, one.question, own, one.gold if there else {}, there=there))
    index.close()
    return Asked(*map(np.array, zip(*every, strict=True)))


def read_ours(folder: Path) -> Asked:
    index, every = open_index(folder), list[Read]()
    for question, excerpts in our_questions():
        hits = index.search(question, None, READ)
        gold = dict.fromkeys((hit.passage.document for hit in hits), excerpts)
        every.append(read(index, question, hits, gold, there=bool(excerpts)))
    index.close()
    return Asked(*map(np.array, zip(*every, strict=True)))


def read(
    index: Index, question: str, found: Sequence[Hit], gold: Mapping[str, Collection[str]], *, there: bool
) -> Read:
    """The fields of Asked of a question. gold: by document."""
    topic = index.read(question).topic
    hits = highlighted(index, topic, with_abstract(index.engine, found, Filters()))
    asked = overlap.asked_words(index.engine, topic)
    sentences = read_sentences(asked, hits)
    cosines: list[float] = []
    if index.dense is not None:
        places = [(hit.passage.document, hit.passage.number) for hit in hits]
        of_places = index.dense.cosines(index.dense.question(topic.text), places)
        cosines = [of_places[place] for place in places if place in of_places]
    row = features(asked, hits, sentences, index.count().passages, cosines)
    quoted = quotations(hits, sentences, 1)
    is_right = bool(quoted) and is_gold(quoted[0].text, gold.get(quoted[0].passage.document, ()))
    return row, there, is_right, can_answer(topic, HeldAnswers(topic.text), quoted)


def joined(every: Sequence[Asked]) -> Asked:
    return Asked(*(np.concatenate(parts) for parts in zip(*every, strict=True)))


def ask_all(folder: Path, files: Iterable[Path], part: str | None) -> None:
    index = open_index(folder)
    given: dict[str, Counter[str]] = {}
    for one in (one for one in read_lines(files) if part in (None, one.get("part"))):
        answer, excerpts = ask(index, one["question"]), excerpts_of(one)
        right = answers(answer.evidence[:1], excerpts)
        kinds = (one["kind"], "there") if excerpts else ("absent",)
        for kind in kinds:
            given.setdefault(kind, Counter()).update(
                ["questions", answer.state, *["first", f"{answer.state} rightly"] * right]
            )
    print_counts(given)
    index.close()


def judge_all(folder: Path, files: Iterable[Path], judge: Judge) -> None:
    index = open_index(folder)
    given: dict[str, Counter[str]] = {}
    for one in read_lines(files):
        excerpts, question = excerpts_of(one), one["question"]
        best, with_judge = ask(index, question, None, judge.READ), ask(index, question, judge=judge)
        judged = with_judge.judged
        counts = {
            "questions": 1,
            "first without": answers(best.evidence[:1], excerpts),
            "first with": answers(with_judge.evidence[:1], excerpts),
            f"among {judge.READ}": answers(best.evidence, excerpts),
            "answered without": best.state == ANSWERED,
            "answered with": with_judge.state == ANSWERED,
            "answered rightly without": best.state == ANSWERED and answers(best.evidence[:1], excerpts),
            "answered rightly with": with_judge.state == ANSWERED
            and answers(with_judge.evidence[:1], excerpts),
            "not asked": judged is None,
            "none": judged is not None and judged.chosen == 0,
            "asked twice": judged is not None and judged.asked > 1,
            "unparsed": judged is not None and judged.fault == UNREADABLE,
            "failed": judged is not None and judged.fault not in ("", UNREADABLE),
        }
        name = f"{one['part']}{'' if excerpts else ' absent'}"
        given.setdefault(name, Counter()).update({key: int(value) for key, value in counts.items()})
    print_counts(given)
    index.close()


def read_lines(files: Iterable[Path]) -> list[dict[str, Any]]:
    return [json.loads(line) for path in files for line in path.read_text("utf-8").splitlines()]


def excerpts_of(question: Mapping[str, Any]) -> list[str]:
    return [plain(each) for each in (question.get("answer"), *question.get("also", ())) if each]


def answers(evidence: Iterable[Evidence], excerpts: Sequence[str]) -> bool:
    return any(each in plain(one.text) for one in evidence for each in excerpts)


def print_counts(given: Mapping[str, Counter[str]]) -> None:
    for kind, counts in given.items():
        print(f"{kind}: {', '.join(f'{name} {count}' for name, count in sorted(counts.items()))}")


if __name__ == "__main__":
    main()
