"""Stances that a sentence contradicts: sentences of our own, with others in which the same words forbid nothing."""

from __future__ import annotations

import pytest
from tests.rows import each_row

from anagnosis.searching.conclusions.comparison_arms import arms_change_places, is_other_arm
from anagnosis.searching.conclusions.stance_features import stance_features, topic_of
from anagnosis.searching.conclusions.stance_guard import forbidden
from anagnosis.searching.records.conclusions import OPPOSES, SUPPORTS, Stance

BOTH: set[Stance] = {SUPPORTS, OPPOSES}
NO_SUPPORT: set[Stance] = {SUPPORTS}
NO_OPPOSITION: set[Stance] = {OPPOSES}
FREE: set[Stance] = set()
OBESITY = "Does obesity increase mortality in COVID-19?"
METFORMIN = "Does metformin improve oocyte maturation in polycystic ovaries?"
BETTER = "Is clonidine better than morphine for shivering?"
SAFE = "Is ultrasound safe in pregnancy?"
STEROIDS = "Do steroids shorten croup?"

OPEN = (
    (STEROIDS, "The evidence is not sufficiently strong to either promote or refute steroids in croup.", BOTH),
    (STEROIDS, "Steroids did not shorten croup, and strong evidence refutes them.", NO_SUPPORT),
    (STEROIDS, "There is insufficient evidence that steroids shorten croup.", BOTH),
    (STEROIDS, "There is now sufficient evidence that steroids shorten croup.", FREE),
    (STEROIDS, "Whether steroids shorten croup remains highly controversial.", BOTH),
    (STEROIDS, "Although their place remains controversial, steroids shorten croup.", FREE),
    (STEROIDS, "Steroids shorten croup, although a chance result cannot be excluded.", NO_OPPOSITION),
    (STEROIDS, "A shorter croup under steroids cannot be excluded.", BOTH),
    (STEROIDS, "Trials of steroids in croup gave conflicting results.", BOTH),
    (STEROIDS, "Trials of steroids in croup gave consistent results: they shorten it.", FREE),
)  # fmt: skip
ARMS = (
    (METFORMIN, "NAC, compared to metformin, improved oocyte maturation.", BOTH),
    (METFORMIN, "Metformin, compared to NAC, improved oocyte maturation.", FREE),
    (METFORMIN, "Oocyte maturation was better after NAC than after metformin.", BOTH),
    (METFORMIN, "Oocyte maturation was better after metformin than after NAC.", FREE),
    (METFORMIN, "NAC was superior to metformin for oocyte maturation.", BOTH),
    (METFORMIN, "Metformin improved oocyte maturation in more than half of the women.", FREE),
    (METFORMIN, "Metformin improved oocyte maturation relative to placebo.", FREE),
    (BETTER, "Morphine was better than clonidine for shivering.", NO_SUPPORT),
    (BETTER, "Clonidine was better than morphine for shivering.", FREE),
    (BETTER, "For shivering, clonidine had an advantage over morphine.", FREE),
    (BETTER, "For shivering, morphine had an advantage over clonidine.", NO_SUPPORT),
)  # fmt: skip
ANOTHER_THING = (
    (OBESITY, "The registry revealed no evidence of an obesity paradox in COVID-19.", BOTH),
    (OBESITY, "The registry revealed no evidence of higher mortality in COVID-19 with obesity.", NO_SUPPORT),
    (OBESITY, "There was no effect of obesity on mortality in COVID-19.", NO_SUPPORT),
    (OBESITY, "Obesity increased mortality in COVID-19 in people without vaccines.", NO_OPPOSITION),
    (OBESITY, "Without obesity, mortality in COVID-19 was the same.", NO_SUPPORT),
    (OBESITY, "Obesity had no place among predictors, and did not increase mortality in COVID-19.", NO_SUPPORT),
    (STEROIDS, "In the absence of stridor, croup was shorter under steroids.", BOTH),
    (STEROIDS, "In croup, steroids had no benefit.", NO_SUPPORT),
)  # fmt: skip
ELSEWHERE = (
    (STEROIDS, "Steroids shortened croup in children who did not vomit.", NO_OPPOSITION),
    (STEROIDS, "Steroids shortened croup and are apt, since they do not harm growth.", NO_OPPOSITION),
    (STEROIDS, "Steroids prolonged croup in children who did not vomit.", NO_SUPPORT),
    (STEROIDS, "Steroids did not shorten croup in children who vomited.", NO_SUPPORT),
)  # fmt: skip
SAFETY = (
    (SAFE, "After exposure to ivabradine in pregnancy, fetal ultrasound is recommended.", BOTH),
    (SAFE, "Ultrasound showed the placenta well in pregnancy.", BOTH),
    (SAFE, "Ultrasound in pregnancy caused no harm to the child.", NO_SUPPORT),
    (SAFE, "Ultrasound in pregnancy was followed by adverse events.", FREE),
    (SAFE, "Ultrasound was well tolerated in pregnancy.", FREE),
    ("Is ultrasound useful in pregnancy?", "Ultrasound showed the placenta well in pregnancy.", FREE),
)  # fmt: skip
FALLS = "Does vitamin D prevent falls?"
SEPSIS = "Does aspirin reduce mortality in sepsis?"
THROATS = "Does tonsillectomy reduce sore throats?"
REFUTED = (
    (FALLS, "Our data refute the claim that vitamin D prevents falls.", NO_SUPPORT),
    (FALLS, "Our data support the claim that vitamin D prevents falls; they refute older ones.", FREE),
    (FALLS, "The hypothesis that vitamin D prevents falls was refuted.", NO_SUPPORT),
    (FALLS, "The hypothesis that vitamin D prevents falls was rejected.", NO_SUPPORT),
    (FALLS, "The hypothesis that vitamin D prevents falls was confirmed.", FREE),
    (FALLS, "We reject the null hypothesis: vitamin D prevents falls.", FREE),
    (FALLS, "It is a myth that vitamin D prevents falls.", NO_SUPPORT),
    (FALLS, "It is a fact that vitamin D prevents falls.", FREE),
    (FALLS, "These results argue against vitamin D for preventing falls.", NO_SUPPORT),
    (FALLS, "These results argue for vitamin D for preventing falls.", FREE),
    (FALLS, "Vitamin D should be abandoned for preventing falls.", NO_SUPPORT),
    (FALLS, "Vitamin D should be given for preventing falls.", FREE),
    (FALLS, "Vitamin D is far from preventing falls.", NO_SUPPORT),
    (FALLS, "In women far from clinics, vitamin D prevents falls.", FREE),
    (FALLS, "Falls were as frequent with vitamin D as with placebo.", NO_SUPPORT),
    (FALLS, "Falls were half as frequent with vitamin D as with placebo.", FREE),
    (FALLS, "Vitamin D as well as exercise prevents falls in women.", FREE),
    (FALLS, "Vitamin D doubled the number of falls.", NO_SUPPORT),
    (FALLS, "Vitamin D halved the number of falls.", FREE),
    (SEPSIS, "Aspirin use was associated with doubled mortality in sepsis.", NO_SUPPORT),
    (SEPSIS, "Aspirin use was associated with halved mortality in sepsis.", FREE),
    (SEPSIS, "In a double-blind trial aspirin reduced mortality in sepsis.", FREE),
    (THROATS, "The reduction in sore throats after tonsillectomy was negligible.", NO_SUPPORT),
    (THROATS, "Tonsillectomy reduced sore throats; its cost was negligible.", FREE),
)  # fmt: skip
OPEN_ELSEWHERE = (
    ("Does tea cure fever?", "The diagnosis is unknown to most patients, but tea cured fever.", FREE),
    ("Does tea cure fever?", "Tea cures fever; the mechanism remains unclear.", FREE),
    ("Does tea cure fever?", "Tea is old; whether it cures fever remains unclear.", BOTH),
    ("Does tea cure fever?", "Tea was given for fever; the evidence remains unclear.", BOTH),
)  # fmt: skip


@each_row(
    ("question", "sentence", "expected"),
    [*REFUTED, *OPEN_ELSEWHERE, *OPEN, *ARMS, *ANOTHER_THING, *ELSEWHERE, *SAFETY],
)
def test_a_stance_that_the_sentence_does_not_tell_is_forbidden(
    question: str, sentence: str, expected: set[Stance]
) -> None:
    assert forbidden(question, sentence) == expected


@pytest.mark.parametrize(
    ("name", "question", "sentence", "control"),
    [
        ("leaves open", *OPEN[0][:2], OPEN[1][1]),
        ("is the other arm", *ARMS[0][:2], ARMS[1][1]),
        ("denies another thing", *ANOTHER_THING[0][:2], ANOTHER_THING[1][1]),
    ],
)
def test_what_a_guard_reads_is_a_feature_too(name: str, question: str, sentence: str, control: str) -> None:
    assert stance_features(question, sentence)[name] == 1.0
    assert name not in stance_features(question, control)


@each_row(
    ("question", "sentence", "other"),
    [
        (METFORMIN, "NAC compared with metformin. Maturation improved.", True),
        (METFORMIN, "NAC compared with metformin. Metformin improved maturation.", False),
        ("Do the effects of NAC and metformin differ?", "NAC was better than metformin.", False),
        (BETTER, "Clonidine was better than morphine.", False),
        ("Is folic acid useful?", "Tea was better than acid.", True),
        ("Is intravenous folic acid useful?", "Tea was better than acid.", False),
    ],
)
def test_the_other_arm_is_a_name_that_stands_only_behind_a_comparison(
    question: str, sentence: str, other: bool
) -> None:
    assert is_other_arm(question, sentence, topic_of(question)) is other


def test_arms_change_places_only_between_two_comparisons() -> None:
    topic = topic_of(BETTER)
    assert arms_change_places(BETTER, "Morphine was better than clonidine.", topic)
    assert not arms_change_places(BETTER, "Morphine was better than water.", topic)
    assert not arms_change_places(BETTER, "Morphine helped.", topic)
    assert not arms_change_places(METFORMIN, "NAC was better than metformin.", topic_of(METFORMIN))


def test_a_guard_reads_as_much_of_a_sentence_as_the_features() -> None:
    sentence = f"Steroids shorten croup. {'Tea is old. ' * 200}"
    assert forbidden(STEROIDS, f"{sentence}Steroids did not shorten croup.") == FREE
