"""What each rule of the names and stances of `ask` is worth: the same questions with the rule and without it.

    anagnosis import golden-1B-3B.tar.gz golden-4B-7B.tar.gz golden-8B.tar.gz --layout bioasq --out built/bioasq
    anagnosis import ori_pqal.json --layout pubmedqa --out built/pqal
    python benchmarks/rules.py names built/bioasq
    python benchmarks/rules.py stances built/bioasq built/pqal

names: every second factoid and list question of BioASQ's editions 2 to 8, asked over their snippets; each of five parts
is judged by a fit on the others, whose threshold gives 12 % of the questions a name. stances: BioASQ's yes/no questions
over their snippets and PQA-L's test questions with yes or no over its abstracts, by a reader fitted on PQA-L's train
part. Of every rule, with it and without it: questions answered, right first, wrong names or stances shown, and the 95 %
interval of the difference of the right ones in points of the questions.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

import anagnosis
from anagnosis.array_types import Floats
from anagnosis.datasets.bioasq.held_out import may_train
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.datasets.kinds.question import YESNO, QuestionInstance
from anagnosis.entities.same_entity import plain, word_forms
from anagnosis.entities.short_forms import abbreviations
from anagnosis.searching.answers.asking import state_of, with_fitting_sentence
from anagnosis.searching.conclusions import about, concluding, listing, stance, stance_guard, subjects
from anagnosis.searching.conclusions import stance_features as of_stances
from anagnosis.searching.entities import (
    candidate_names,
    features,
    naming,
    negated_names,
    question_names,
    ranking,
)
from anagnosis.searching.entities.paper_words import is_paper_word
from anagnosis.searching.fit import name_fitting, stance_fitting
from anagnosis.searching.fit.held_out import difference, each_asked, scratch_index, snippet_collection
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.answers import ANSWERED
from anagnosis.searching.records.conclusions import OPPOSES, SUPPORTS
from anagnosis.searching.sentences import overlap
from anagnosis.searching.sentences.evidence_order import read_sentences
from conclusions import indexed

NEVER = re.compile(r"(?!)")
NESTED = features.FEATURES.index("nested")


def no(*_: Any, **__: Any) -> Any:
    return False


def none(*_: Any, **__: Any) -> Any:
    return ()


# Rule → (module, attribute, what it becomes). Rules that say why a name is none are in `reasons`.
OF_QUOTATIONS: Mapping[str, tuple[Any, str, Any]] = {
    "similar names are one": (naming, "alike", no),
    "denied names": (naming, "denied", no),
    "doubts": (naming, "doubted", no),
    "sentences that find nothing": (naming, "finds_nothing", no),
    "blamed names": (naming, "blamed", no),
    "what falls with the blamed": (negated_names, "_wanted", no),
    "lower as a verb": (negated_names, "_lowers", no),
    "contradictions elsewhere in the paper": (naming, "CONTRADICTING", 1.0),
}
OF_CONCLUSIONS: Mapping[str, tuple[Any, str, Any]] = {
    "papers about the question": (listing, "covered", lambda *_: 1.0),
    "share of the words": (about, "COVERED", 0.0),
    "share of the names": (about, "NAMED", 0.01),
    "all of few names": (about, "FEW", 0),
    "names connected in a sentence": (about, "CONNECTED", 0),
    "own work alone": (about, "OF_OTHERS", frozenset()),
    "aims of backgrounds": (about, "_aims", none),
    "rarer words as names": (about, "rarer", none),
    "words without a subject": (subjects, "without_subject", frozenset),
    "equivalents as names": (about, "names_of", lambda text, weights, _=(): subjects.names_of(text, weights)),
    "names that a paper defines otherwise": (listing, "meant_here", lambda every, _: list(every)),
    "protocols": (listing, "WITHOUT_RESULTS", frozenset()),
    "other arm, with the title": (listing, "is_other_arm", no),
    "replaced names": (listing, "replaced_names", none),
    "negated questions": (listing, "negated", no),
    "sections of conclusions": (concluding, "OF_SECTION", 0.0),
    "phrases that conclude": (concluding, "OF_PHRASE", 0.0),
    "place at the end": (concluding, "OF_PLACE", (0.0, 0.0, 0.0)),
    "kinds that never conclude": (concluding, "_NEVER", frozenset()),
    "kinds outside conclusions": (concluding, "_NEVER_OUTSIDE", frozenset()),
    "guard": (stance, "forbidden", lambda *_: frozenset()),
    "arms change places": (stance_guard, "arms_change_places", no),
}
_SAYS = (*of_stances.SAYS, *(f"not {name}" for name in of_stances.SAYS))
OF_FEATURES = {
    "what it asks": tuple(f"asks {name}{end}" for name in of_stances.ASKS for end in ("", ", denied", ", same")),
    "what it says": _SAYS,
    **{
        name: (name, f"{name} of the question")
        for name in ("shared", "length", "denial", "absent effect", "same", "denied", "shared, plain",
                     "most shared, plain", "most shared, denied", "most shared, opposite", "denies another thing",
                     "leaves open", "is the other arm", "denied twice")
    },
}  # fmt: skip


class Outcome(NamedTuple):
    """Of each question: whether it is answered, whether its first answer is right, the number of wrong answers."""

    answered: Floats
    right: Floats
    wrong: Floats


class Asked(NamedTuple):
    """A question with all names of its passages, and why each is none."""

    question: QuestionInstance
    known: naming.KnownNames
    reasons: list[frozenset[str]]
    answered: bool


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("names", "stances"))
    parser.add_argument("bioasq")
    parser.add_argument("pqal", nargs="?")
    options = parser.parse_args()
    every = store.instances(anagnosis.load(options.bioasq), store.ALL, of=QuestionInstance)
    old = [one for one in every if may_train(one.file)]
    if options.what == "names":
        show_names(old)
    else:
        show_stances(old, anagnosis.load(options.pqal))


def report(rule: str, base: Outcome, without: Outcome) -> None:
    low, high = (100 * one for one in difference(base.right.tolist(), without.right.tolist()))
    counts = " | ".join(
        f"{one.sum():.0f}, {other.sum():.0f}" for one, other in zip(base, without, strict=True)
    )
    print(f"| {rule} | {counts} | {low:+.2f}, {high:+.2f} |", flush=True)


def show_names(old: Sequence[QuestionInstance]) -> None:
    chosen = sorted(name_fitting.of_names(old), key=name_fitting._age)[::2]
    with scratch_index(partial(snippet_collection, old)) as index:
        topics = each_asked(index, [one.question for one in chosen], "names")
        asked = [gathered(index, one, *of) for one, of in zip(chosen, topics, strict=True)]
    base = judged(without(asked, frozenset()))
    rules = sorted({reason for one in asked for of_name in one.reasons for reason in of_name})
    for off in (*([one] for one in rules), rules):
        report(" + ".join(off), base, judged(without(asked, frozenset(off))))
    for rule, changed in OF_QUOTATIONS.items():
        with patch.object(*changed):
            report(rule, base, judged(without(asked, frozenset())))


def gathered(index: Index, question: QuestionInstance, topic: Any, hits: Any) -> Asked:
    sentences = candidate_names.read(with_fitting_sentence(hits))
    with patch.object(candidate_names, "is_paper_word", no):
        every = candidate_names.names(sentences, topic.text, topic.equivalents)
    fit = naming.fitting(topic.text, every, sentences)
    every = [name for name, fits in zip(every, fit, strict=True) if fits]
    rows = features.features(index.engine, topic.text, sentences, every)
    words = overlap.asked_words(index.engine, topic)
    state = state_of(index, topic.text, words, hits, read_sentences(words, hits))
    known = naming.KnownNames(topic.text, sentences, every, rows)
    return Asked(question, known, reasons(known, topic), state == ANSWERED)


def reasons(known: naming.KnownNames, topic: Any) -> list[frozenset[str]]:
    """Of each name the rules by which it is no answer."""
    question, forms = topic.text, frozenset(word_forms(topic.text))
    of_words = question_names.QuestionNames(question, topic.equivalents, candidate_names._EVERYWHERE)
    texts = [candidate_names._begin(one.text) for one in known.sentences]
    keys = {
        "defined abbreviations": {key for pair in abbreviations(question) for key in map(plain, pair)},
        "spellings with and without hyphens": candidate_names.spelled_in(question),
        "names beside a code": candidate_names.other_names(question, texts),
    }
    found = list[frozenset[str]]()
    for name in known.names:
        of_text = {
            "the question's words": not of_words._for_a_name and any(map(of_words._repeats, name.surfaces)),
            "abbreviations of its words": not of_words._for_a_name
            and any(question_names.abbreviates(text, question) for text in name.surfaces),
            "all words in the question": any(forms.issuperset(word_forms(text)) for text in name.surfaces),
            "words of every paper": all(map(is_paper_word, name.surfaces)),
        }
        of_keys = {rule: not names.isdisjoint(name.keys) for rule, names in keys.items()}
        found.append(frozenset(rule for rule, holds in (of_text | of_keys).items() if holds))
    return found


def without(asked: Sequence[Asked], off: frozenset[str]) -> list[name_fitting.Gathered]:
    """The questions with the names that the other rules leave."""
    made = list[name_fitting.Gathered]()
    for one in asked:
        places = [place for place, why in enumerate(one.reasons) if why <= off]
        names, rows = [one.known.names[place] for place in places], one.known.rows[places].copy()
        if names:
            rows[:, NESTED] = features._nested(names)
        kept = set(np.argsort(-ranking.scores(rows), kind="stable")[: name_fitting.BEST].tolist())
        kept |= {place for right in name_fitting.right_names(one.question, names) for place in right}
        order = sorted(kept)
        known = one.known._replace(names=[names[place] for place in order], rows=rows[order])
        target = name_fitting._targets(one.question, known.names)
        made.append(name_fitting.Gathered(one.question, known, target, one.answered))
    return made


def judged(every: Sequence[name_fitting.Gathered]) -> Outcome:
    drawn = (sha256(one.question.id.encode()).hexdigest() for one in every)
    folds = np.array([int(digits, 16) % name_fitting.FOLDS for digits in drawn])
    fits = [
        name_fitting._features([one for one, at in zip(every, folds, strict=True) if at != fold])
        for fold in range(name_fitting.FOLDS)
    ]
    found = [name_fitting.judge(one, fits[fold]) for one, fold in zip(every, folds, strict=True)]
    sure = name_fitting._cross_fitted(found, folds)
    best = np.array(
        [max(values, default=0.0) * one.answered for one, values in zip(found, sure, strict=True)]
    )
    share = 1 - name_fitting.AIMED_SHARE
    levels = [np.quantile(best[folds != fold], share) for fold in range(name_fitting.FOLDS)]
    rows = list[tuple[bool, bool, int]]()
    for one, values, fold in zip(found, sure, folds, strict=True):
        order = np.argsort(-values, kind="stable")
        shown = [one.alike[place] for place in order if one.answered and values[place] >= levels[fold]]
        rows.append((bool(shown), shown[:1] == [True], shown.count(False)))
    return Outcome(*np.array(rows, np.float64).T)


class Posed(NamedTuple):
    """A yes/no question with its hits. paper: the only one that counts, "" for all."""

    gold: str
    paper: str
    topic: Any
    hits: Any
    index: Index


def show_stances(old: Sequence[QuestionInstance], pqal: store.Dataset) -> None:
    decisions = [one for one in store.instances(pqal, store.ALL, of=DecisionInstance) if one.long_answer]
    tested = {one.id for one in store.instances(pqal, "test", of=DecisionInstance)}
    labelled = [one for one in decisions if one.id in tested and one.label in ("yes", "no")]
    yesno = [one for one in old if one.type == YESNO and one.snippets and one.exact]
    with (
        scratch_index(partial(snippet_collection, old)) as snippets,
        scratch_index(lambda folder: indexed(folder, decisions)) as abstracts,
    ):
        posed = list[Posed]()
        for index, every in (
            (snippets, [(one.question, (one.exact or [[""]])[0][0].lower(), "") for one in yesno]),
            (abstracts, [(one.question, one.label or "", one.id) for one in labelled]),
        ):
            found = each_asked(index, [question for question, *_ in every], "stances")
            posed += [
                Posed(SUPPORTS if gold == "yes" else OPPOSES, paper, topic, hits, index)
                for (_, gold, paper), (topic, hits) in zip(every, found, strict=True)
            ]
        reader = fitted(pqal)
        base = decided(posed, reader)
        for rule, changed in OF_CONCLUSIONS.items():
            with patch.object(*changed):
                refitted = fitted(pqal) if changed[0] in (concluding, stance) else reader
                report(rule, base, decided(posed, refitted))
        whole = of_stances.stance_features
        for rule, names in OF_FEATURES.items():

            def fewer(question: str, sentence: str, names: tuple[str, ...] = names) -> dict[str, float]:
                return {name: value for name, value in whole(question, sentence).items() if name not in names}

            with (
                patch.object(stance, "stance_features", fewer),
                patch.object(stance_fitting, "stance_features", fewer),
            ):
                report(f"feature: {rule}", base, decided(posed, fitted(pqal)))


def fitted(pqal: store.Dataset) -> stance.StanceReader:
    train = stance_fitting.examples(pqal, "train")
    mine, names = stance_fitting.balanced(train), stance_fitting._names(train)
    weights, margin = stance_fitting._fitted(mine, names), stance_fitting._margin(mine, [], names)
    return stance.StanceReader(
        stance.StanceWeights(stance.FORMAT, weights, margin, (), stance_fitting.NO_FIGURES)
    )


def decided(posed: Sequence[Posed], reader: stance.StanceReader) -> Outcome:
    rows = list[tuple[bool, bool, int]]()
    for one in posed:
        papers = listing.conclusions(one.index, one.topic, one.hits, reader, unearned=True).papers
        given = [
            each.stance
            for each in papers
            if each.counted and each.stance in (SUPPORTS, OPPOSES) and one.paper in ("", each.document)
        ]
        rows.append((bool(given), given[:1] == [one.gold], sum(each != one.gold for each in given)))
    return Outcome(*np.array(rows, np.float64).T)


if __name__ == "__main__":
    main()
