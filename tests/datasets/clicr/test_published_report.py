"""The variant as-published as a folder has it: the program's passage and queries without their marks."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.datasets.clicr.reports import CASE, FEVER, POINTS, TITLE, case_report, queries, screened

from anagnosis import api
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.documents.document import Document, Mention, Section
from anagnosis.documents.formats.clicr_report import PROGRAM_INPUT

PUBLISHED = {"variant": "as-published", "tokens": "blanks", "minimum_candidates": 0}
TEXT = "Fever\nHe had acute renal failure came .\nLearning points\nSo fever , then cough .\n"


def document(*places: tuple[str, str], text: str = TEXT, ident: str = "1") -> Document:
    """A report as the program reads it. places: (text of a mention, its identifier), at its last occurrence."""
    mentions = [
        Mention(((text.rindex(words), text.rindex(words) + len(words)),), words, "problem", identifier)
        for words, identifier in places
    ]
    title, _, rest = text.partition("\n")
    return Document(ident, (Section("title", title), Section("body", rest)), tuple(mentions))


def test_letters_that_the_program_loses_are_lost_and_entities_have_spans() -> None:
    nested = document(("acute renal failure", "C1"), ("renal", "C2"), ("fever", "C3"))
    (found,) = queries(screened(nested, **PUBLISHED))
    assert found.passage == "Fever\nHe had acute enal failurecame ."
    assert _surfaces(found) == ["acute enal"]
    assert (found.question, found.answers) == ("So XXXX , then cough .", ("fever",))
    assert (found.answer_identifiers, found.answer_types) == (("C3",), ("problem",))
    (ours,) = queries(screened(nested, tokens="blanks"))
    assert ours.passage == "Fever\nHe had acute renal failure came ."
    assert _surfaces(ours) == ["acute renal failure"]


def test_a_report_at_which_the_program_stops_is_refused_with_the_reason() -> None:
    one_end = document(("fever", "C1"), ("ever", "C2"))
    found = screened(one_end, document(("acute", ""), ("fever", "C1"), ident="2"), **PUBLISHED)
    assert found.repairs.refusals == [
        ("reports.jsonl: 1", "the published program stops here: two entities end at the same letter")
    ]
    results = found.finished()
    assert (results.read, results.refused) == (2, 1)
    assert [q.id for q in queries(found)] == ["2.1"]


@pytest.mark.parametrize(
    ("places", "text", "dropped", "instances_dropped"),
    [
        (((" acute", ""), ("fever", "C1")), TEXT, {"inconsistent_marks": 1}, {}),
        ((("acute", ""),), TEXT, {"no_query_left": 1}, {}),
        (
            (("cough", ""),),
            TEXT.replace("So fever , then", "He had acute renal failure came"),
            {"no_query_left": 1},
            {"exact_repeat": 1},
        ),
    ],
)
def test_reports_and_queries_are_dropped_as_by_the_program(
    places: tuple[tuple[str, str], ...],
    text: str,
    dropped: dict[str, int],
    instances_dropped: dict[str, int],
) -> None:
    found = screened(document(*places, text=text), **PUBLISHED)
    assert {rule: found.dropped[rule] for rule in dropped} == dropped
    assert +found.instances_dropped == instances_dropped


def test_a_text_with_our_placeholder_gives_no_query() -> None:
    found = screened(document(("acute", ""), ("fever", ""), text=TEXT.replace("cough", "XXXX")), **PUBLISHED)
    assert found.instances_dropped["reserved_word_in_text"] == 1


def test_other_papers_are_written_as_the_program_reads_them() -> None:
    untidy = ("body", "Case", [f"A man(54)  had {FEVER}. Then {FEVER} ended."])
    settings = {**PUBLISHED, "sentences": "nupunkt", "tokens": "words"}
    found = queries(screened(case_report(TITLE, untidy, POINTS), **settings))
    assert {q.passage for q in found} == {
        "Fever after surgery\nCase\nA man ( 54 ) had fever .\nThen fever ended ."
    }
    assert [q.question for q in found] == [
        "Order a XXXX for fever .",
        "Order a CT scan for XXXX .",
        "XXXX help .",
    ]
    assert queries(screened(case_report(TITLE, CASE), **settings)) == []


@pytest.mark.parametrize("facts", [{}, PROGRAM_INPUT], ids=["another document", "the program's input"])
def test_without_learning_points_only_the_programs_input_without_a_line_end_gives_queries(
    facts: dict[str, str],
) -> None:
    bare = document(("fever", ""), text="Rash\nHe had fever and cough .")
    found = screened(msgspec.structs.replace(bare, facts=facts), **PUBLISHED, remove_exact_repeats=False)
    if facts:
        assert [q.question for q in queries(found)] == ["He had XXXX and cough"]
    else:
        assert queries(found) == []
        assert +found.dropped == {"no_query_section": 1}


def test_a_last_line_keeps_its_last_letter() -> None:
    (found,) = queries(
        screened(document(("acute", ""), ("fever", ""), text=TEXT.rstrip(" .\n")), **PUBLISHED)
    )
    assert found.question == "So XXXX , then cough"


def test_the_programs_input_ends_as_its_file_does(tmp_path: Path) -> None:
    (tmp_path / "r.full.struct.tok").write_text("Rash\nHe had fever and cough .", "utf-8")
    (read,) = api.read(tmp_path / "r.full.struct.tok", format="clicr-report")
    mention = Mention(((12, 17),), "fever", "problem", "")
    read = msgspec.structs.replace(read, mentions=(mention,))
    (found,) = queries(screened(read, **PUBLISHED, remove_exact_repeats=False))
    assert found.question == "He had XXXX and cough"


def test_only_problems_treatments_and_tests_are_entities() -> None:
    other = document(("acute", "C1"), ("fever", "C2"), ("cough", "C3"))
    kinds = zip(other.mentions, ("Sex", "Age", "Sign_symptom"), strict=True)
    other = msgspec.structs.replace(
        other, mentions=tuple(msgspec.structs.replace(each, type=kind) for each, kind in kinds)
    )
    found = screened(other, **PUBLISHED)
    assert [(q.answers, q.answer_types) for q in queries(found)] == [(("cough",), ("problem",))]
    assert found.repairs.counts["mention_of_another_type"] == 2
    further = screened(other, **PUBLISHED, types={"age": "test"})
    assert [q.answer_types for q in queries(further)] == [("test",), ("problem",)]


def _surfaces(instance: ClozeInstance) -> list[str]:
    spans = [mention.spans[0] for mention in instance.mentions]
    return [instance.passage[start:end] for start, end in spans]
