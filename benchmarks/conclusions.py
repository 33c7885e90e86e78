"""What papers conclude: how often the right paper, sentence and stance come.

    anagnosis import ori_pqal.json --layout pubmedqa --out built/pqal
    anagnosis readers make --data releases/ --out readers
    python benchmarks/conclusions.py cues built/pqal
    python benchmarks/conclusions.py sentences built/pqal
    python benchmarks/conclusions.py asked built/pqal readers/stance INDEX_FOLDER
    python benchmarks/conclusions.py scifact scifact.tar.gz readers/stance
    python benchmarks/conclusions.py pairs benchmarks/claims/pairs.jsonl readers/stance
    anagnosis import golden-1B-3B.tar.gz golden-4B-7B.tar.gz golden-8B.tar.gz --layout bioasq --out built/bioasq
    python benchmarks/conclusions.py lost built/bioasq readers/stance

cues: the share of conclusions with a cue of each kind, by the answer that people read in them. sentences: which
sentence of an abstract is chosen, with its headings and without, where it stands, and the share with a cue. asked:
PQA-L's questions over all its abstracts, indexed with their conclusions and without titles, by answer. scifact: the
validation claims with the abstracts that they cite. pairs: claims that differ in one word, each beside its abstract.
lost: BioASQ's questions with the answer no on which readers are measured over a collection: why they get no stance.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anagnosis
from anagnosis.datasets.bioasq.held_out import may_train
from anagnosis.datasets.export.layouts import FewPlaces
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import LABELS, DecisionInstance
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.datasets.scifact import files
from anagnosis.datasets.scifact.verdicts import LABEL_OF
from anagnosis.documents.document import Document, Section
from anagnosis.evaluation.intervals import wilson
from anagnosis.language.negation import cues, negated
from anagnosis.searching.answers.asking import READ, highlighted
from anagnosis.searching.conclusions.about import all_words_of_paper, covered, words_of_paper
from anagnosis.searching.conclusions.concluding import concluding_sentence
from anagnosis.searching.conclusions.listing import conclusions
from anagnosis.searching.conclusions.replaced_names import replaced_names
from anagnosis.searching.conclusions.stance import StanceReader, load_stance_reader
from anagnosis.searching.conclusions.stance_features import stance_features
from anagnosis.searching.filters import Filters
from anagnosis.searching.fit.held_out import snippet_collection
from anagnosis.searching.fit.stance_fitting import drawn_questions, paper_of
from anagnosis.searching.index.index import Index, create_index, open_index
from anagnosis.searching.passages import passages
from anagnosis.searching.records.conclusions import OPPOSES, SUPPORTS, UNCLEAR
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.overlap import idf, share, topic_words, weights
from anagnosis.searching.sentences.sentences import cut
from anagnosis.searching.words import words_of
from snippet_recall import gold_spans

TRUTH = {"yes": SUPPORTS, "no": OPPOSES, "maybe": UNCLEAR}


def questions(folder: Path, splits: Sequence[str] = ("train", "test")) -> dict[str, list[DecisionInstance]]:
    """The labelled questions with a conclusion, by split."""
    dataset = anagnosis.load(folder)
    return {
        split: [
            one
            for one in store.instances(dataset, split, of=DecisionInstance)
            if one.label is not None and one.long_answer
        ]
        for split in splits
    }


def show_cues(folder: Path) -> None:
    """The share of conclusions with a cue, by answer."""
    for split, every in questions(folder).items():
        for label in LABELS:
            answers = [one.long_answer or "" for one in every if one.label == label]
            kinds = Counter(kind for text in answers for kind in {cue.kind for cue in cues(text)})
            either = sum(bool(cues(text)) for text in answers)
            denied = sum(map(negated, answers))
            named = ", ".join(f"{kind} {count / len(answers):.1%}" for kind, count in sorted(kinds.items()))
            print(
                f"{split:5} {label:5} {len(answers):4}: negated {denied / len(answers):.1%},"
                f" any {either / len(answers):.1%} ({named})"
            )


def show_sentences(folder: Path) -> None:
    """Where the chosen sentence stands, and how often it is negated, for three choices."""
    for split, every in questions(folder).items():
        papers = [paper_of(one) for one in every]
        frequencies = Counter(word for paper in papers for word in words_of_paper(paper).every)
        names = ("words alone", "with headings", "without headings")
        chosen = {name: list[tuple[str, bool, bool]]() for name in names}
        for one, paper in zip(every, papers, strict=True):
            weights = weights_of(one.question, frequencies, len(papers))
            whole = passages(
                Document(
                    one.id,
                    (Section("abstract", " ".join([*(part.text for part in paper[:-1]), paper[-1].text])),),
                )
            )
            ending = len(" ".join(part.text for part in paper[:-1]))
            best = best_by_words(whole, weights)
            chosen["words alone"].append((one.label or "", best[0] >= ending, negated(best[1])))
            for name, read in (("with headings", paper), ("without headings", whole)):
                if found := concluding_sentence(read, weights):
                    inside = found.passage.section == "conclusion" or (
                        read is whole and found.begin >= ending
                    )
                    chosen[name].append((one.label or "", inside, negated(found.text)))
        for name, rows in chosen.items():
            shares = ", ".join(
                f"{label} {share_of(flag for answer, _, flag in rows if answer == label)}" for label in LABELS
            )
            print(
                f"{split:5} {name:17} in the conclusion {share_of(inside for _, inside, _ in rows)}; negated: {shares}"
            )


def show_asked(folder: Path, reader: StanceReader, place: Path) -> None:
    """PQA-L's questions over all its abstracts: the own paper, others, and the stance of the own paper."""
    every = questions(folder)
    index = indexed(place, [one for part in every.values() for one in part])
    for split, asked in every.items():
        rows, others = list[tuple[str, str]](), Counter[str]()
        for one in asked:
            read = index.read(one.question)
            hits = highlighted(index, read.topic, index.search(read, Filters(), READ))
            found = conclusions(index, read.topic, hits, reader, unearned=True)
            mine = next((paper for paper in found.papers if paper.document == one.id), None)
            rows.append((one.label or "", (mine.stance or "off") if mine else "not listed"))
            for paper in found.papers:
                if paper.document != one.id:
                    others[paper.stance or "off"] += 1
        print(f"{split}: {len(asked)} questions")
        table(rows)
        print(f"  other papers listed: {sum(others.values()) / len(asked):.2f} a question ({dict(others)})")


def show_scifact(archive: Path, reader: StanceReader) -> None:
    """Validation claims with their abstracts: the stance of the concluding sentence."""
    found = files.read(archive, FewPlaces(), wanted=("validation",))
    papers = dict[str, list[Passage]]()
    for name, one in found.abstracts.items():
        text = " ".join(each.strip() for each in one.abstract)
        papers[name] = passages(Document(name, (Section("title", one.title), Section("abstract", text))))
    frequencies = Counter(word for paper in papers.values() for word in words_of_paper(paper).every)
    rows = list[tuple[str, str]]()
    for _, claim in found.of("dev"):
        for document in claim.documents:
            labels = claim.labels(document)
            label = LABEL_OF[next(iter(labels))] if len(labels) == 1 else "maybe"
            rows.append((label, stance_of(claim.claim, papers[document], frequencies, len(papers), reader)))
    table(rows)


def show_pairs(path: Path, reader: StanceReader) -> None:
    """Pairs of claims: the stance of the abstract's concluding sentence to each question."""
    every: list[dict[str, Any]] = [json.loads(line) for line in path.read_text().splitlines() if line]
    papers = {
        one["id"]: passages(Document(one["id"], (Section("abstract", one["abstract"]),))) for one in every
    }
    frequencies = Counter(word for paper in papers.values() for word in words_of_paper(paper).every)
    for form in ("question", "claim"):
        rows = list[tuple[str, str]]()
        for one in every:
            for side in ("a", "b"):
                truth = (
                    "yes" if one["supported"] == side else "no" if one["other"] == "opposes" else "not about"
                )
                asked = one[f"{form}_{side}"]
                rows.append((truth, stance_of(asked, papers[one["id"]], frequencies, len(papers), reader)))
        print(f"as a {form}")
        table(rows)


def show_lost(folder: Path, reader: StanceReader) -> None:
    """What the questions with the answer no get: stances, or the commonest reason why their papers have none."""
    every = list(store.instances(anagnosis.load(folder), store.ALL, of=QuestionInstance))
    old = [one for one in every if may_train(one.file)]
    asked = [one for one in drawn_questions(old) if one.exact and one.exact[0][0].lower() == "no"]
    outcomes, stances = Counter[str](), Counter[str]()
    with TemporaryDirectory(prefix="anagnosis-") as scratch:
        index = snippet_collection(old, Path(scratch) / "index")
        for one in asked:
            found = outcomes_of_papers(index, one, reader)
            given = [each for each in found if each in (SUPPORTS, OPPOSES)]
            stances.update(given)
            outcomes["has stances" if given else Counter(found).most_common(1)[0][0]] += 1
        index.close()
    print(f"{len(asked)} questions")
    for outcome, number in outcomes.most_common():
        print(f"  {outcome}: {number}")
    print(f"  stances of papers: {dict(stances)}")


def outcomes_of_papers(index: Index, asked: QuestionInstance, reader: StanceReader) -> list[str]:
    """Each listed paper's stance, or why it has none; where none is listed, why."""
    read = index.read(asked.question)
    if negated(asked.question):
        return ["the question is negated"]
    hits = highlighted(index, read.topic, index.search(read, Filters(), READ))
    papers = conclusions(index, read.topic, hits, reader, unearned=True).papers
    if not papers:
        gold = {span.document for span in gold_spans(asked, offsets=False)}
        is_there = not gold.isdisjoint(hit.passage.document for hit in hits)
        return ["no paper is about it" if is_there else "no expert's paper among the hits"]
    words = weights(index.engine, read.topic)
    found = list[str]()
    for paper in papers:
        if paper.stance in (SUPPORTS, OPPOSES):
            found.append(paper.stance)
        elif paper.evidence is None:
            found.append("no concluding sentence")
        elif replaced_names(
            asked.question, paper.evidence.text, all_words_of_paper(index.document(paper.document)), words
        ):
            found.append("something else in its place")
        else:
            probability = reader.fitted.probability(stance_features(asked.question, paper.evidence.text))
            is_sure = max(probability, 1 - probability) >= reader.fitted.margin
            found.append("withheld by a rule" if is_sure else "the reader is unsure")
    return found


def stance_of(
    question: str, paper: Sequence[Passage], frequencies: Counter[str], papers: int, reader: StanceReader
) -> str:
    """The stance of a paper that is given; "not listed" if it is not about the question or does not conclude."""
    weights = weights_of(question, frequencies, papers)
    best = concluding_sentence(paper, weights)
    if best is None or covered(question, weights, words_of_paper(paper)) is None:
        return "not listed"
    if negated(question) or replaced_names(question, best.text, all_words_of_paper(paper), weights):
        return UNCLEAR
    return reader.stance(question, best.text)


def weights_of(question: str, frequencies: Counter[str], papers: int) -> dict[str, float]:
    words = topic_words(question)
    return idf(words, [frequencies[word] for word in words], papers)


def best_by_words(paper: Sequence[Passage], weights: dict[str, float]) -> tuple[int, str]:
    """Where the sentence with the largest share of the question's words begins, and its text."""
    (passage,) = paper
    places = cut(passage)
    begin, end = max(places, key=lambda each: share(weights, words_of(passage.text[slice(*each)])))
    return begin, passage.text[begin:end]


def indexed(place: Path, every: Iterable[DecisionInstance]) -> Index:
    """An index of the questions' papers, without titles, if it is not there yet."""
    if place.exists():
        return open_index(place)
    made = create_index(place)
    counts = Counter[str]()
    for one in every:
        sections = [Section("abstract", part.text, part.label) for part in one.context]
        sections.append(Section("abstract", one.long_answer or "", "CONCLUSIONS"))
        made.add(Document(one.id, tuple(sections)), counts)
    made.commit()
    return made


def table(rows: Sequence[tuple[str, str]]) -> None:
    """Stances by truth, and what the bars ask for."""
    names = [SUPPORTS, OPPOSES, UNCLEAR, "not listed"]
    for truth in dict.fromkeys(truth for truth, _ in rows):
        counts = Counter(stance for label, stance in rows if label == truth)
        print(
            f"  {truth:9} {sum(counts.values()):4}: " + ", ".join(f"{name} {counts[name]}" for name in names)
        )
    sides = [(TRUTH.get(label, label), stance) for label, stance in rows]
    sizes = Counter(truth for truth, _ in sides if truth in (SUPPORTS, OPPOSES))
    if not sizes:
        return
    weight = {truth: 0.5 / count for truth, count in sizes.items()}
    polar = [(truth, stance) for truth, stance in sides if truth in weight]
    decided = [(truth, stance) for truth, stance in polar if stance in (SUPPORTS, OPPOSES)]
    share_decided = sum(weight[truth] for truth, _ in decided)
    right = sum(weight[truth] for truth, stance in decided if truth == stance)
    plain = [truth == stance for truth, stance in sides if stance in (SUPPORTS, OPPOSES)]
    no = sum(weight[OPPOSES] for truth, stance in decided if truth == stance == OPPOSES) / 0.5
    wrong_no = sum(weight[truth] for truth, stance in decided if stance == OPPOSES != truth) / 0.5
    accuracy = right / share_decided if share_decided else 0.0
    interval = wilson(accuracy, len(decided)) if decided else None
    limits = f" [{interval.low:.3f}, {interval.high:.3f}]" if interval else ""
    print(
        f"  yes and no balanced: decided {share_decided:.3f}, accuracy of decided {accuracy:.3f}{limits},"
        f" F1 of no {2 * no / (1 + no + wrong_no):.3f}; as they come, of all decided right {share_of(plain)}"
    )


def share_of(flags: Iterable[bool]) -> str:
    every = list(flags)
    return f"{sum(every) / len(every):.1%} of {len(every)}" if every else "none"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("cues", "sentences", "asked", "scifact", "pairs", "lost"))
    parser.add_argument("data", type=Path)
    parser.add_argument("reader", type=Path, nargs="?")
    parser.add_argument("index", type=Path, nargs="?")
    options = parser.parse_args()
    if options.what in ("cues", "sentences"):
        (show_cues if options.what == "cues" else show_sentences)(options.data)
        return
    if options.reader is None or (options.what == "asked" and options.index is None):
        parser.error("name the folder of a reader of stances, and for `asked` an index folder")
    reader = load_stance_reader(options.reader)
    if options.what == "asked":
        show_asked(options.data, reader, options.index)
    else:
        show = {"scifact": show_scifact, "pairs": show_pairs, "lost": show_lost}[options.what]
        show(options.data, reader)


if __name__ == "__main__":
    main()
