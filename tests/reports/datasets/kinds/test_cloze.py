from __future__ import annotations

import msgspec
import pytest
from tests.reports.cloze import PASSAGE, instance
from tests.reports.samples import NASTY
from tests.reports.stored import check_stored
from tests.rows import each_row

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance, PassageMention
from anagnosis.datasets.kinds.cloze_views import view as viewed_in
from anagnosis.errors import InputError
from anagnosis.evaluation.dataset_statistics import GivenAnswer, InstanceWithAnswers
from anagnosis.reports import render
from anagnosis.reports.datasets.kinds.cloze import instance_report
from anagnosis.reports.report import Report


def shown(
    which: ClozeInstance,
    answers: tuple[GivenAnswer, ...] = (),
    *,
    view: str = "names",
    text_form: str = "original",
) -> Report:
    viewed = viewed_in(which, view, text_form)
    return instance_report(InstanceWithAnswers("mine", "cloze", "test", view, which, viewed, answers))


ANSWERS = (
    GivenAnswer("base4", "systems", 3),
    GivenAnswer("annotator1", "experts", 0),
    GivenAnswer("annotator2", "experts", None),
)


@each_row("view", ["names", "global", "local"])
def test_an_instance_is_shown_as_the_view_has_it_with_the_answers_of_people_first(view: str) -> None:
    check_stored(f"instance-{view}", shown(instance(), ANSWERS, view=view).blocks)


def test_a_withheld_answer_makes_nobody_right_or_wrong_and_without_answers_nobody_is_listed() -> None:
    withheld = render(shown(instance(answer=None), ANSWERS), ".txt")
    assert "answer: withheld, or no candidate fits" in withheld
    assert "✓" not in withheld
    assert "chosen by" not in render(shown(instance()), ".txt")


def test_overlapping_and_discontinuous_mentions_lose_no_text() -> None:
    whole = instance()
    mentions = (PassageMention(((0, 4), (20, 30)), 0), PassageMention(((2, 10),), 1), *whole.mentions)
    odd = msgspec.structs.replace(whole, mentions=mentions)
    report = shown(odd)
    (passage,) = (
        each for block in report.blocks for each in getattr(block, "items", ()) if each.label == "passage"
    )
    assert "".join(run.text for run in passage.runs) == PASSAGE


REPLACED = msgspec.structs.replace(
    instance(),
    passage="Of @entity11 with @entity1 .",
    question="@entity31 of XXXX .",
    mentions=(PassageMention(((3, 12),), 1), PassageMention(((18, 26),), 0)),
    question_mentions=(PassageMention(((0, 9),), 3),),
)


@each_row("view", ["names", "both"])
def test_a_replaced_text_shows_names_in_brackets_or_beside_the_candidates(view: str) -> None:
    check_stored(f"instance-replaced-{view}", shown(REPLACED, view=view, text_form="replaced").blocks)


def test_names_of_a_dataset_without_names_are_refused() -> None:
    nameless = tuple(msgspec.structs.replace(each, names=()) for each in REPLACED.candidates)
    with pytest.raises(InputError, match="needs the names of entities"):
        shown(msgspec.structs.replace(REPLACED, candidates=nameless), text_form="replaced")


def test_a_script_as_an_entity_is_text() -> None:
    nasty = instance(question=f"{NASTY} of XXXX.")
    page = render(shown(nasty), ".html")
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
