"""Forms of words: which an index shows to be one, by the numbers of its passages."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from tests.rows import each_row

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis.searching.queries.tree import Phrase, Together, Word
from anagnosis.searching.synonyms.word_forms import WordForms

# Words of an index, most as in 15,419 papers, and its passages; "a+b": with both; "a_b": with both side by side.
_LISTED = """
smoker 396 smoke 1112 smoke+smoker 215
swimmer 37 swim 93 swim+swimmer 17
drinker 73 drink 495 drink+drinker 26
liver 1428 live 1656 live+liver 45
number 6063 numb 40 numb+number 3
worker 749 work 2719 work+worker 171
runner 53 run 803 run+runner 19
dancer 10 danc 30 danc+dancer 4
killer 5000 kill 20000 kill+killer 2000
stressor 100 stress 900 stress+stressor 54
acetylcystein 30 acetyl 80 cystein 90 acetyl_cystein 4
betablock 3 beta 900 blocker 200 beta_blocker 150
cotrimoxazol 5 co 40 trimoxazol 9 co_trimoxazol 8
proinflammatori 50 pro 300 inflammatori 500 pro_inflammatori 200
hypertens 900 hyper 20 tension 50 hyper_tension 8
hous 9 work 300 housework 1 hous_work 9
inpati 50 in 9000 patient 4000 in_patient 2000
alreadi 100 al 90 readi 90 al_readi 90
jam 10 jama 10 a 9000 jam_a 10
hangov 9 hang 50 over 900
email 50 e 100 mail 60
research 500 research+research 500
"""
COUNTS = {word: int(passages) for word, passages in re.findall(r"(\S+) (\d+)", _LISTED)}
ALL = 70_891


def frequency(words: Sequence[str | Phrase | Together]) -> list[int]:
    return [COUNTS.get(written(one), 0) for one in words]


def written(one: str | Phrase | Together) -> str:
    if isinstance(one, Phrase):
        return "_".join(one.words)
    if isinstance(one, Together):
        return "+".join(sorted(each.text for each in one.parts if isinstance(each, Word)))
    return one


FORMS = WordForms(frequency, ALL)


@each_row(
    ("words", "names"),
    [
        ("smokers", ["smoke"]),
        ("Smoking", ["smoker"]),
        ("smoke", ["smoker"]),
        ("smoked", ["smoker"]),
        ("swimming", ["swimmer"]),
        ("drink", ["drinker"]),
        ("swimmers", ["swim"]),
        ("acetyl cysteine", ["acetylcysteine"]),
        ("acetyl-cysteine", ["acetylcysteine"]),
        ("acetylcysteine", ["acetyl cysteine"]),
        ("Betablockers", ["beta blockers"]),
        ("beta-blockers", ["betablockers"]),
        ("cotrimoxazole", ["co trimoxazole"]),
        ("e-mail", ["email"]),
        ("co-trimoxazole", ["cotrimoxazole"]),
        ("pro-inflammatory", ["proinflammatory"]),
    ],
)
def test_forms_that_passages_show_to_be_one(words: str, names: list[str]) -> None:
    assert FORMS.names(words) == names


@each_row(
    "words",
    [
        *("liver", "live", "number", "numb"),  # seldom together
        *("worker", "work"),  # fewer than three of ten passages with the agent have the verb
        *("runner", "running"),  # fewer than one of twenty with the verb have the agent
        *("dancer", "dance"),  # in too few passages
        *("killer", "kill"),  # no oftener than by chance
        *("stressor", "stress"),  # no person
        "smoky",
        "smokes smoke",
        "SMOKER",
        "hypertension",  # two words in less than 1 % of its passages
        *("hang over", "e mail", "research"),
        "house work",  # a typing error of one passage
        "inpatient",
        "in patient",
        "already",
        "JAM-A",
        "acetyl, cysteine",
        "a" * 1000,
        f"{'a' * 40}-{'b' * 40}",
        "\u00e9t\u00e9",
        "",
    ],
)  # fmt: skip
def test_other_words_have_none(words: str) -> None:
    assert not FORMS.names(words)


def test_an_empty_index_has_none() -> None:
    empty = WordForms(lambda words: [0 for _ in words], 0)
    assert [empty.names(words) for words in ("smoker", "smoking", "acetyl-cysteine", "acetylcysteine")] == [
        None
    ] * 4
