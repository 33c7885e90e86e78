"""How right the rules on titles and sections of PubMedQA are, and the taggers they ask.

    python benchmarks/pubmedqa_titles.py TREEBANK structured_abstracts.jsonl.gz [--questions ori_pqal.json.gz]

TREEBANK: a folder with GENIAtrain.pos and GENIAtest.pos. The second file: one JSON object a line with id, title,
sections of (label, text, nlm), lang. Prints the accuracy of the taggers, the recall of NP-(VBP/VBZ) on the treebank's
titles, the counts by rule, and the share of right verdicts by the marks of design/pubmedqa_marks.tsv.

    … --draw question|crf|rule --number 100 --seed 0

prints titles without a mark, drawn at random, with the program's verdict, to be judged and written there: question
titles, or those that a tagger's tags make questions of, from the half that no rule was written over (`is_held_out`).
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from anagnosis.datasets.pubmedqa import conversion, questions, sections, statements
from anagnosis.documents.document import Section
from anagnosis.files import open_input
from anagnosis.language import crf_tags, tags, treebank
from anagnosis.language.tags import Tagger
from anagnosis.language.treebank import TaggedSentence

MARKS = Path(__file__).resolve().parents[1] / "design" / "pubmedqa_marks.tsv"
PRESENT = ("VBZ", "VBP")


class Abstract(NamedTuple):
    """A structured abstract with its title. is_english: no other language is named."""

    id: str
    title: str
    sections: list[Section]
    is_english: bool

    @property
    def text(self) -> str:
        return " ".join(section.text for section in self.sections)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("treebank", type=Path)
    parser.add_argument("abstracts", type=Path)
    parser.add_argument("--questions", type=Path, help="ori_pqal.json, compressed or not")
    parser.add_argument("--draw", choices=("question", "crf", "rule"))
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    training = list(treebank.read([options.treebank / "GENIAtrain.pos"]))
    testing = list(treebank.read([options.treebank / "GENIAtest.pos"]))
    abstracts = list(read(options.abstracts))
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "genia.crf")
        started = time.process_time()
        crf_tags.train(training, model)
        seconds = time.process_time() - started
        taggers = {"crf": tags.tagger("crf", model), "rule": tags.tagger("rule")}
        if options.draw:
            draw(abstracts, taggers.get(options.draw), options.number, options.seed)
            return
        print(
            f"CRF trained on {len(training):,} sentences in {seconds:.0f} CPU-seconds, {model.stat().st_size:,} bytes"
        )
        for name, tagger in taggers.items():
            report_tagger(name, tagger, testing)
        titles = [s for s in training + testing if s.part == "title"]
        present = [s for s in titles if not set(PRESENT).isdisjoint(s.tags)]
        print(f"\nNP-(VBP/VBZ): {len(present)} of {len(titles)} titles have a VBZ or VBP")
        test_titles = [s for s in testing if s in present]
        report_recall("gold tags", present, None)
        for name, tagger in taggers.items():
            report_recall(f"{name}, test titles", test_titles, tagger)
            report_recall(f"{name}, all titles", present, tagger)
        report_sections(abstracts)
        report_questions(abstracts, options.questions)
        for name, tagger in taggers.items():
            report_statements(name, abstracts, tagger)
        report_marks({abstract.id: abstract for abstract in abstracts}, taggers)


def read(path: Path) -> Iterator[Abstract]:
    with open_input(path) as stream:
        for line in stream:
            record = json.loads(line)
            parts = [
                Section("abstract", part["text"], part["label"] or "", part.get("nlm") or "")
                for part in record["sections"]
            ]
            yield Abstract(record["id"], record["title"], parts, not record.get("lang"))


def report_tagger(name: str, tagger: Tagger, testing: Sequence[TaggedSentence]) -> None:
    """Accuracy with NNP as NN (GENIA writes no NNP), and precision and recall of VBZ and VBP together."""
    started = time.process_time()
    found = [tagger(sentence.words) for sentence in testing]
    seconds = time.process_time() - started
    pairs = [
        (g.replace("NNP", "NN"), t.replace("NNP", "NN"))
        for sentence, ours in zip(testing, found)
        for g, t in zip(sentence.tags, ours)
    ]
    hits = sum(g == t and g in PRESENT for g, t in pairs)
    precision = hits / sum(t in PRESENT for _, t in pairs)
    recall = hits / sum(g in PRESENT for g, _ in pairs)
    right = sum(g == t for g, t in pairs) / len(pairs)
    print(
        f"{name}: {right:.4f} of {len(pairs):,} words, VBZ/VBP P {precision:.4f} R {recall:.4f}, "
        f"{len(pairs) / seconds:,.0f} words/s"
    )


def report_recall(name: str, titles: Sequence[TaggedSentence], tagger: Tagger | None) -> None:
    """How many of the titles with a gold VBZ or VBP are found to state, and with which of the gold verbs."""
    outcomes: Counter[str] = Counter()
    for title in titles:
        words = list(title.words[:-1] if title.words[-1] == "." else title.words)
        text = statements.bare(" ".join(words))
        asked = tagger if tagger is not None else gold(title)
        statement = statements.parse(text, asked)
        if isinstance(statement, str):
            outcomes[statement] += 1
        else:
            verbs = {w for w, t in zip(title.words, title.tags) if t in PRESENT}
            outcomes["found" if statement.word(statement.verb) in verbs else "another word"] += 1
    total = sum(outcomes.values())
    others = ", ".join(f"{rule} {count}" for rule, count in outcomes.most_common() if rule != "found")
    print(f"  {name}: {outcomes['found']} of {total} ({outcomes['found'] / total:.3f}); {others}")


def gold(title: TaggedSentence) -> Tagger:
    """A tagger that knows this title's tags; words that our own cutting makes are nouns."""
    of_word: dict[str, list[str]] = {}
    for word, named in zip(title.words, title.tags):
        for piece in word.split():
            of_word.setdefault(piece.lower(), []).append(named)

    def tag(words: Sequence[str]) -> list[str]:
        left = {word: list(found) for word, found in of_word.items()}
        return [left[w.lower()].pop(0) if left.get(w.lower()) else "NN" for w in words]

    return tag


def report_sections(abstracts: Sequence[Abstract]) -> None:
    counts: Counter[str] = Counter(
        next((rule.__name__ for rule in sections.SECTION_RULES if rule(abstract.sections)), "kept")
        for abstract in abstracts
    )
    print(f"\nsections of {len(abstracts):,} abstracts: {dict(counts.most_common())}")


def report_questions(abstracts: Sequence[Abstract], labelled: Path | None) -> None:
    if labelled is not None:
        with open_input(labelled) as stream:
            real: dict[str, Any] = json.load(stream)
        refused = {key: questions.refusal(one["QUESTION"]) for key, one in real.items()}
        lost = {key: rule for key, rule in refused.items() if rule}
        print(f"\nquestions kept of {len(real):,} real ones: {len(real) - len(lost):,}; lost: {lost}")
    titles = [abstract.title for abstract in abstracts if "?" in abstract.title]
    counts = Counter(questions.refusal(title) or "kept" for title in titles)
    ends = sum(questions.ends_with_question(questions.bare(title)) for title in titles)
    print(
        f"question titles: {len(titles)}, {ends} end with their only question mark; {dict(counts.most_common())}"
    )


def report_statements(name: str, abstracts: Sequence[Abstract], tagger: Tagger) -> None:
    started = time.process_time()
    outcomes = Counter(outcome(convert(abstract, tagger)) for abstract in abstracts if abstract.is_english)
    rate = sum(outcomes.values()) / (time.process_time() - started)
    print(f"\nstatement titles by {name}, {rate:,.0f} titles/s: {dict(outcomes.most_common())}")


def report_marks(abstracts: dict[str, Abstract], taggers: dict[str, Tagger]) -> None:
    """The share judged right of the verdicts that were judged, and how many of them the program gives no more."""
    with MARKS.open(encoding="utf-8", newline="") as stream:
        marks = list(csv.DictReader(stream, delimiter="\t"))
    print()
    for kind in dict.fromkeys(row["kind"] for row in marks):
        judged = [row for row in marks if row["kind"] == kind]
        now = [
            (row["verdict"], verdict(abstracts[row["id"]], taggers.get((*kind.split(", "), "")[1])))
            for row in judged
            if row["id"] in abstracts
        ]
        if kind.startswith("question"):
            right = sum((r["verdict"] == "kept") == (r["judgement"] == "answerable") for r in judged)
            told = f"{right} of {len(judged)} right"
        else:
            formed = [r for r in judged if r["judgement"] != "ill formed"]
            label = sum(r["judgement"] == f"well formed, {r['verdict']}" for r in formed)
            told = f"{len(formed)} of {len(judged)} well formed, the label of {label} of these right"
        print(
            f"marks, {kind}: {told}; changed since: {sum(then != today for then, today in now)} of {len(now)}"
        )


def verdict(abstract: Abstract, tagger: Tagger | None) -> str:
    if tagger is None:
        return questions.refusal(abstract.title) or "kept"
    return outcome(convert(abstract, tagger))


def draw(abstracts: Sequence[Abstract], tagger: Tagger | None, number: int, seed: int) -> None:
    """tagger: whose questions are drawn; without one, question titles are."""
    rows: list[tuple[str, str, str]] = []
    for abstract in abstracts:
        if tagger is None:
            if "?" in abstract.title:
                rows.append((abstract.id, questions.refusal(abstract.title) or "kept", abstract.title))
        elif abstract.is_english and is_held_out(abstract):
            made = convert(abstract, tagger)
            if not isinstance(made, str):
                rows.append((abstract.id, made.label, f"{made.question}  << {abstract.title}"))
    with MARKS.open(encoding="utf-8", newline="") as stream:
        judged = {row["id"] for row in csv.DictReader(stream, delimiter="\t")}
    rows = sorted(row for row in rows if row[0] not in judged)
    for row in random.Random(seed).sample(rows, min(number, len(rows))):
        print("\t".join(row))


def is_held_out(abstract: Abstract) -> bool:
    return int(hashlib.md5(abstract.id.encode(), usedforsecurity=False).hexdigest(), 16) % 2 == 1


def convert(abstract: Abstract, tagger: Tagger) -> conversion.Conversion | str:
    return conversion.convert(abstract.title, tagger, abstract.text)


def outcome(made: conversion.Conversion | str) -> str:
    return made if isinstance(made, str) else made.label


if __name__ == "__main__":
    main()
