"""Each measure counted by hand: plain loops over instances and lines, from its definition.

A function here has the name of its measure, with "_" for "-".
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

from tests.evaluation.measures.contract import NAMES, SYNONYM, Asked, ByHand, Line, Pairs, paragraph


def count_of(name: str) -> ByHand:
    """How a measure of ours is counted by hand."""
    return globals()[name.replace("-", "_")]


def accuracy(pairs: Pairs, protocol: str) -> float:
    """BIOMRC, section 3.2: an equal share for each of the best candidates; else whether the answer is the right one."""

    def credit(asked: Asked, line: Line | None) -> float:
        if line is None:
            return 0.0
        if protocol == "expected" and line.scores is not None:
            best = [n for n, each in enumerate(line.scores) if each == max(line.scores)]
            return 1 / len(best) if asked.right in best else 0.0
        return float(line.answer == asked.keys[asked.right or 0])

    return sum(credit(*each) for each in pairs) / len(pairs)


def macro_f1(pairs: Pairs, protocol: str) -> float:
    """PubMedQA, section 4: the mean of the labels' F1, of every label that its program meets."""
    right = [asked.keys[asked.right or 0] for asked, _ in pairs]
    answers = [line.answer if line is not None else None for _, line in pairs]
    met = {one for one in (*right, *answers) if isinstance(one, str)}
    labels = met if protocol == "official" else met & set(pairs[0][0].keys)
    total = 0.0
    for label in labels:
        both = sum(one == other == label for one, other in zip(right, answers, strict=True))
        if both:
            precision, recall = both / answers.count(label), both / right.count(str(label))
            total += 2 * precision * recall / (precision + recall)
    return total / len(labels)


def _scores(asked: Asked, line: Line | None) -> Sequence[float] | None:
    """Of the three sentences; of a line that only answers, 1 for the answer, above the others. None: there are none."""
    if line is None or line.scores is not None:
        return None if line is None else line.scores
    return (
        [1.0 if key == line.answer else -math.inf for key in asked.keys]
        if line.answer in asked.keys
        else None
    )


def auc(pairs: Pairs, protocol: str) -> float:
    """Mann and Whitney 1947: the share of the pairs of sentences that are won, a tie counting half."""

    def won(right: int, scores: Sequence[float]) -> float:
        others = [score for n, score in enumerate(scores) if n != right]
        return sum((scores[right] > one) + (scores[right] == one) / 2 for one in others) / len(others)

    given = [
        won(asked.right, _scores(asked, line) or [0.0] * 3)
        for asked, line in pairs
        if asked.right is not None
    ]
    return sum(given) / len(given)


def best_sentence(pairs: Pairs, protocol: str) -> float:
    """The first sentence with the highest score."""
    asked_of = [(asked.right, _scores(asked, line)) for asked, line in pairs if asked.right is not None]
    scored = [(right, scores) for right, scores in asked_of if scores]
    return sum([*scores].index(max(scores)) == right for right, scores in scored) / len(asked_of)


Count = Callable[[Pairs, str], float]


def of_type(type: str, count: Count) -> ByHand:
    """The count over the questions of one type; edition 9 of the organisers' program leaves out missing lines."""

    def counted(pairs: Pairs, protocol: str) -> float:
        lines = [each for each in pairs if each[0].type == type]
        if protocol == "organisers-9":
            lines = [each for each in lines if each[1] is not None]
        return count(lines, protocol) if lines else math.nan

    return counted


def hits(asked: Asked, line: Line | None, protocol: str, most: int) -> list[bool]:
    """Whether each answer of a line that counts is the right key or its synonym."""
    given = line.answer if line is not None and line.answer is not None else []
    given = [one.lower() for one in (given if isinstance(given, list) else [given])]
    right = (asked.keys[asked.right or 0].lower(), SYNONYM)
    found = [one in right for one in given]
    return found if protocol.startswith("organisers") else found[:most]


def strict(pairs: Pairs, protocol: str) -> float:
    return sum(any(hits(*each, protocol, 5)[:1]) for each in pairs) / len(pairs)


def lenient(pairs: Pairs, protocol: str) -> float:
    return sum(any(hits(*each, protocol, 5)) for each in pairs) / len(pairs)


def mrr(pairs: Pairs, protocol: str) -> float:
    """Tsatsaronis et al. 2015."""
    every = [hits(*each, protocol, 5) for each in pairs]
    return sum(1 / (found.index(True) + 1) for found in every if True in found) / len(pairs)


def over_lists(value: Callable[[int, int], float]) -> Count:
    """The mean over lists of a value of (1 if the one entry is named, answers); the entry counts once."""

    def mean(pairs: Pairs, protocol: str) -> float:
        given = [hits(*each, protocol, 10) for each in pairs]
        return sum(value(int(any(one)), len(one)) if one else 0.0 for one in given) / len(pairs)

    return mean


def yes_no(asked: Asked, line: Line | None) -> tuple[str, str]:
    """The right label and that of the first answer."""
    given = line.answer if line is not None else None
    text = (given[0] if isinstance(given, list) else given or "").lower()
    return asked.keys[asked.right or 0].lower(), next((label for label in ("yes", "no") if label in text), "")


def agreement(pairs: Pairs, protocol: str) -> float:
    return sum(right == answer for right, answer in (yes_no(*each) for each in pairs)) / len(pairs)


def f1_of(*labels: str) -> Count:
    """BioASQ/Evaluation-Measures: every wrong answer counts against both labels. The mean over these labels."""

    def mean(pairs: Pairs, protocol: str) -> float:
        answers = [yes_no(*each) for each in pairs]
        wrong = sum(right != answer for right, answer in answers)
        each = [answers.count((label, label)) for label in labels]
        return sum(2 * right / (2 * right + wrong) if right else 0.0 for right in each) / len(labels)

    return mean


factoid_strict = of_type("factoid", strict)
factoid_lenient = of_type("factoid", lenient)
factoid_mrr = of_type("factoid", mrr)
list_precision = of_type("list", over_lists(lambda right, answers: right / answers))
list_recall = of_type("list", over_lists(lambda right, answers: right))
list_f1 = of_type("list", over_lists(lambda right, answers: 2 * right / (1 + answers)))
yesno_accuracy = of_type("yesno", agreement)
yesno_macro_f1 = of_type("yesno", f1_of("yes", "no"))
yesno_f1_yes = of_type("yesno", f1_of("yes"))
yesno_f1_no = of_type("yesno", f1_of("no"))


def texts_of(asked: Asked, line: Line | None, protocol: str) -> list[list[str]]:
    """The words of each text that answers a cloze question; the names of the best candidates under `expected`."""
    if line is None:
        return []
    if protocol == "expected" and line.scores is not None:
        best = [key for key, score in zip(asked.keys, line.scores, strict=True) if score == max(line.scores)]
        return [NAMES[key].split() for key in best]
    answer = line.answer[0] if isinstance(line.answer, list) else line.answer
    return [] if answer is None else [NAMES.get(answer, answer).lower().split()]


def of_texts(value: Callable[[list[str], list[str]], float]) -> ByHand:
    """The mean over instances of the mean over texts of the best value beside the two right answers."""

    def mean(pairs: Pairs, protocol: str) -> float:
        total = 0.0
        for asked, line in pairs:
            right = (NAMES[asked.keys[asked.right or 0]].split(), [SYNONYM])
            texts = texts_of(asked, line, protocol)
            if texts:
                total += sum(max(value(text, one) for one in right) for text in texts) / len(texts)
        return total / len(pairs)

    return mean


def shared_words(text: list[str], right: list[str]) -> float:
    """Rajpurkar et al. 2016; no text of the contract's has a word twice."""
    both = len({*text} & {*right})
    precision, recall = both / len(text), both / len(right)
    return 2 * precision * recall / (precision + recall) if both else 0.0


def runs_of(text: list[str], size: int) -> list[tuple[str, ...]]:
    return [tuple(text[start : start + size]) for start in range(len(text) - size + 1)]


def bleu_of(n: int, lines: Sequence[tuple[list[str], float, Sequence[list[str]]]]) -> float:
    """Papineni et al. 2002 with the program's epsilons. lines: (words of an answer, its weight, right answers)."""
    product, length, wanted = 1.0, 0.0, 0.0
    for size in range(1, n + 1):
        hit = every = 0.0
        for text, weight, right in lines:
            runs = runs_of(text, size)
            every += weight * len(runs)
            hit += weight * len({*runs} & {run for one in right for run in runs_of(one, size)})
        product *= (hit + 1e-15) / (every + 1e-9)
    for text, weight, right in lines:
        length += weight * len(text)
        wanted += weight * min((abs(len(one) - len(text)), len(one)) for one in right)[1]
    ratio = (length + 1e-15) / (wanted + 1e-9)
    return product ** (1 / n) * (math.exp(1 - 1 / ratio) if ratio < 1 else 1)


def over_all(n: int) -> ByHand:
    """BLEU of all answers together; each of k tied texts has the weight 1/k."""

    def value(pairs: Pairs, protocol: str) -> float:
        lines: list[tuple[list[str], float, Sequence[list[str]]]] = []
        for asked, line in pairs:
            right = (NAMES[asked.keys[asked.right or 0]].split(), [SYNONYM])
            texts = texts_of(asked, line, protocol) or [[]]
            lines += [(text, 1 / len(texts), right) for text in texts]
        return bleu_of(n, lines)

    return value


def of_each(n: int) -> ByHand:
    return of_texts(lambda text, right: bleu_of(n, [(text, 1.0, (right,))]))


def at_an_angle(text: list[str], right: list[str]) -> float:
    """Šuster and Daelemans 2018: each known word is an axis of its own, each unknown one is left out."""
    known = [word for word in text if word == SYNONYM or word in " ".join(NAMES.values()).split()]
    return len({*known} & {*right}) / math.sqrt(len(known) * len(right)) if known else 0.0


def embedding_average(pairs: Pairs, protocol: str) -> float:
    """As published, unknown words point into one direction of their own; no text of the contract's is of both."""
    return of_texts(at_an_angle)(pairs, protocol)


exact_match = of_texts(lambda text, right: float(text == right))
f1 = of_texts(shared_words)
bleu_2, bleu_4 = over_all(2), over_all(4)
bleu_2_mean, bleu_4_mean = of_each(2), of_each(4)


def _of_items(value: Callable[[int, int, int], float], geometric: bool = False) -> ByHand:
    """A measure of phase A where each question has one gold item.

    value: of whether it is there (0 or 1), how many differ, and its rank.
    """

    def counted(pairs: Pairs, protocol: str) -> float:
        values: list[float] = []
        for asked, line in pairs:
            if line is None:
                continue
            given = [line.answer] if isinstance(line.answer, str) else line.answer or []
            ranked = [*dict.fromkeys(given)]
            right = asked.keys[asked.right or 0]
            there = int(right in ranked)
            values.append(value(there, len(ranked), ranked.index(right) + 1 if there else 1))
        if not values:
            return math.nan
        return math.exp(sum(map(math.log, values)) / len(values)) if geometric else sum(values) / len(values)

    return counted


def _five() -> tuple[ByHand, ByHand, ByHand, ByHand, ByHand]:
    """Precision, recall, F1, MAP and GMAP."""
    return (
        _of_items(lambda there, size, rank: there / max(size, 1)),
        _of_items(lambda there, size, rank: float(there)),
        _of_items(lambda there, size, rank: 2 * there / (size + 1)),
        _of_items(lambda there, size, rank: there / rank),
        _of_items(lambda there, size, rank: there / rank + 0.00001, geometric=True),
    )


document_precision, document_recall, document_f1, document_map, document_gmap = _five()
snippet_precision, snippet_recall, snippet_f1, snippet_map, snippet_gmap = _five()


def _rouge(gap: int, *, f1: bool) -> ByHand:
    """ROUGE by its definition: gap 0 of pairs of neighbours; else of pairs so far apart, and of words but the last.

    A unit of the answer that matches one of the golden answer is crossed out there.
    """

    def units(text: str) -> list[str]:
        words = re.sub("[^a-z0-9]", " ", text.lower()).split()
        pairs = [
            f"{words[one]} {words[other]}"
            for other in range(len(words))
            for one in range(other)
            if other - one <= gap + 1
        ]
        return pairs + words[: len(words) - 1] if gap else pairs

    def counted(pairs: Pairs, protocol: str) -> float:
        values: list[float] = []
        for asked, line in pairs:
            left = units(paragraph(asked.keys[asked.right or 0]))
            given = [] if line is None or line.answer is None else units(paragraph(line.answer))
            wanted, matches = len(left), 0
            for unit in given:
                if unit in left:
                    left.remove(unit)
                    matches += 1
            recall, precision = matches / wanted, matches / max(len(given), 1)
            mean = 2 * recall * precision / (recall + precision) if matches else 0.0
            values.append(mean if f1 else recall)
        return sum(values) / len(values)

    return counted


ideal_rouge_2_recall, ideal_rouge_2_f1 = _rouge(0, f1=False), _rouge(0, f1=True)
ideal_rouge_su4_recall, ideal_rouge_su4_f1 = _rouge(4, f1=False), _rouge(4, f1=True)
