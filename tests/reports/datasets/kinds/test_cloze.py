from __future__ import annotations

import msgspec
import pytest
from tests.reports.cloze import PASSAGE, instance
from tests.reports.samples import NASTY
from tests.rows import each_row

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance, PassageMention
from anagnosis.datasets.kinds.cloze_views import view as viewed_in
from anagnosis.errors import InputError
from anagnosis.evaluation.dataset_statistics import GivenAnswer, InstanceWithAnswers
from anagnosis.reports import RENDERERS, render
from anagnosis.reports.datasets.kinds.cloze import instance_report
from anagnosis.reports.report import Item, Listing, Report, Run, Table


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


def _report(view: str = "names", **given: object) -> Report:
    return shown(instance(**given), ANSWERS, view=view)  # pyright: ignore[reportArgumentType]  # test data


def _items(report: Report) -> dict[str, Item]:
    return {item.label: item for block in report.blocks if isinstance(block, Listing) for item in block.items}


def _text(item: Item) -> str:
    return "".join(run.text for run in item.runs)


def _table(report: Report) -> Table:
    (table,) = (block for block in report.blocks if isinstance(block, Table))
    return table


def test_the_names_view_shows_the_original_text_with_every_mention_numbered() -> None:
    items = _items(_report())
    assert _text(items["passage"]) == PASSAGE
    marked = [(run.text, run.entity, run.label) for run in items["passage"].runs if run.entity is not None]
    assert marked[:3] == [
        ("lung cancer", 0, "@entity1"),
        ("Patients", 1, "@entity11"),
        ("lung cancer", 0, "@entity1"),
    ]
    assert len(marked) == len(instance().mentions)


def test_the_question_shows_its_placeholder_and_its_other_mentions() -> None:
    assert _items(_report())["question"].runs == (
        Run("Metastases of "),
        Run("XXXX", strong=True),
        Run(" and "),
        Run("melanoma", 3, "@entity31"),
        Run("."),
    )


@pytest.mark.parametrize(("view", "token"), [("global", "@entity31"), ("local", "@entity3")])
def test_a_replaced_view_shows_what_a_reader_gets(view: str, token: str) -> None:
    items = _items(_report(view))
    assert _text(items["passage"]).startswith("Most metastases of the brain arise from @entity")
    assert _text(items["question"]) == f"Metastases of XXXX and {token} ."
    assert items["question"].runs[3] == Run(token, 3)


def test_the_local_view_hides_names_types_and_keys() -> None:
    shown = render(_report("local"), ".txt")
    for hidden in ("lung cancer", "MESH", "Disease", "@entity31"):
        assert hidden not in shown


def test_people_come_before_systems_and_are_told_right_or_wrong() -> None:
    items = _items(_report("global"))
    assert list(items)[-2:] == ["answers of experts", "answers of systems"]
    assert _text(items["answers of experts"]) == "annotator1: @entity1 ✓; annotator2: no answer"
    assert _text(items["answers of systems"]) == "base4: @entity31 ✗"


def test_a_withheld_answer_makes_nobody_right_or_wrong() -> None:
    items = _items(_report(answer=None))
    assert _text(items["answer"]) == "withheld, or no candidate fits"
    assert "✓" not in _text(items["answers of experts"])


def test_candidates_tell_how_often_they_stand_there_and_who_chose_them() -> None:
    table = _table(_report())
    assert [column.name for column in table.columns][-3:] == ["mentions", "gold", "chosen by"]
    assert table.rows[0] == (
        "@entity1",
        "lung cancer",
        "Disease",
        "disease/MESH:D008175",
        2,
        "answer",
        "annotator1",
    )
    assert table.rows[3][-3:] == (2, None, "base4")


def test_without_answers_nobody_is_listed() -> None:
    report = shown(instance())
    assert [column.name for column in _table(report).columns][-1] == "gold"


def test_overlapping_and_discontinuous_mentions_lose_no_text() -> None:
    whole = instance()
    mentions = (PassageMention(((0, 4), (20, 30)), 0), PassageMention(((2, 10),), 1), *whole.mentions)
    odd = msgspec.structs.replace(whole, mentions=mentions)
    report = shown(odd)
    assert _text(_items(report)["passage"]) == PASSAGE


REPLACED = msgspec.structs.replace(
    instance(),
    passage="Of @entity11 with @entity1 .",
    question="@entity31 of XXXX .",
    mentions=(PassageMention(((3, 12),), 1), PassageMention(((18, 26),), 0)),
    question_mentions=(PassageMention(((0, 9),), 3),),
)


def test_the_names_view_of_a_replaced_text_shows_the_names_in_brackets() -> None:
    items = _items(shown(REPLACED, text_form="replaced"))
    assert items["passage"].runs == (
        Run("Of "),
        Run("[Patients]", 1, "@entity11"),
        Run(" with "),
        Run("[lung cancer]", 0, "@entity1"),
        Run(" ."),
    )
    assert items["question"].runs == (
        Run("[melanoma]", 3, "@entity31"),
        Run(" of "),
        Run("XXXX", strong=True),
        Run(" ."),
    )


def test_the_both_view_shows_numbers_in_the_text_and_names_beside_the_candidates() -> None:
    report = shown(REPLACED, view="both", text_form="replaced")
    assert _text(_items(report)["passage"]) == REPLACED.passage
    assert _items(report)["passage"].runs[1] == Run("@entity11", 1)
    assert _text(_items(report)["answer"]).startswith("@entity1 :: [lung cancer]")
    table = _table(report)
    assert [row[:2] for row in table.rows][:2] == [
        ("@entity1", "lung cancer"),
        ("@entity11", "Patients; patients"),
    ]


def test_names_of_a_dataset_without_names_are_refused() -> None:
    nameless = tuple(msgspec.structs.replace(each, names=()) for each in REPLACED.candidates)
    with pytest.raises(InputError, match="needs the names of entities"):
        shown(msgspec.structs.replace(REPLACED, candidates=nameless), text_form="replaced")


@each_row("suffix", RENDERERS)
def test_every_format_shows_it(suffix: str) -> None:
    assert "annotator1" in render(_report(), suffix)


def test_a_script_as_an_entity_is_text() -> None:
    nasty = instance(question=f"{NASTY} of XXXX.")
    page = render(shown(nasty), ".html")
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
