"""How often the chosen sentence of an abstract stands in its conclusion.

    anagnosis import ori_pqal.json --layout pubmedqa --out built/pqal
    python benchmarks/conclusions.py built/pqal

Printed: the share of PQA-L's questions whose chosen sentence stands in the conclusion, by words alone, and as
`anagnosis ask` chooses it, with the abstract's headings and without them.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import anagnosis
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.documents.document import Document, Section
from anagnosis.searching.conclusions.concluding import concluding_sentence
from anagnosis.searching.passages import passages
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.overlap import AskedWords, idf, share, topic_words
from anagnosis.searching.sentences.sentences import cut
from anagnosis.searching.words import words_of


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


def paper_of(one: DecisionInstance) -> list[Passage]:
    """The passages of a question's paper with its conclusion, without its title, which is the question."""
    sections = [Section("abstract", part.text, part.label) for part in one.context]
    sections.append(Section("abstract", one.long_answer or "", "CONCLUSIONS"))
    return passages(Document(one.id, tuple(sections)))


def words_of_passages(paper: Iterable[Passage]) -> set[str]:
    """The words of a paper."""
    return {word for one in paper for word in words_of(f"{one.heading} {one.text}")}


def show_sentences(folder: Path) -> None:
    """Where the chosen sentence stands, for three choices."""
    for split, every in questions(folder).items():
        papers = [paper_of(one) for one in every]
        frequencies = Counter(word for paper in papers for word in words_of_passages(paper))
        names = ("words alone", "with headings", "without headings")
        chosen = {name: list[bool]() for name in names}
        for one, paper in zip(every, papers, strict=True):
            weights = weights_of(one.question, frequencies, len(papers))
            text = " ".join(part.text for part in paper)
            whole = passages(Document(one.id, (Section("abstract", text),)))
            ending = len(" ".join(part.text for part in paper[:-1]))
            chosen["words alone"].append(best_by_words(whole, weights)[0] >= ending)
            for name, read in (("with headings", paper), ("without headings", whole)):
                if found := concluding_sentence(read, AskedWords(weights)):
                    inside = found.passage.section == "conclusion"
                    chosen[name].append(inside or (read is whole and found.begin >= ending))
        for name, rows in chosen.items():
            print(f"{split:5} {name:17} in the conclusion {share_of(rows)}")


def weights_of(question: str, frequencies: Counter[str], papers: int) -> dict[str, float]:
    words = topic_words(question)
    return idf(words, [frequencies[word] for word in words], papers)


def best_by_words(paper: Sequence[Passage], weights: dict[str, float]) -> tuple[int, str]:
    """Where the sentence with the largest share of the question's words begins, and its text."""
    (passage,) = paper
    places = cut(passage)
    begin, end = max(places, key=lambda each: share(weights, words_of(passage.text[slice(*each)])))
    return begin, passage.text[begin:end]


def share_of(flags: Iterable[bool]) -> str:
    every = list(flags)
    return f"{sum(every) / len(every):.1%} of {len(every)}" if every else "none"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dataset", type=Path)
    show_sentences(parser.parse_args().dataset)


if __name__ == "__main__":
    main()
