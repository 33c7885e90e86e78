"""The text, the sentences and the mentions that the windows see."""

from __future__ import annotations

import pytest
from tests.articles import questions
from tests.datasets.bioread.passages import gene, paper, screened, sections

from anagnosis.datasets.bioread.article import BioReadRecipe, article
from anagnosis.documents.document import Document, Mention, Section
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

LINES = (f"{gene(1)} is here.", f"{gene(2)} is there.", f"So {gene(1)} is it.")


def test_the_splitter_sees_each_printed_line_apart() -> None:
    whole = article(paper("A heading", "One here. Two there."), BioReadRecipe(), Repairs())
    shown = [whole.text[start:end] for start, end in whole.sentences]
    assert shown == ["a heading", "one here.", "two there."]


def test_lower_case_moves_mentions_where_a_letter_becomes_two() -> None:
    document = Document("1", (Section("body", "İİ BMP4 binds."),), (Mention(((3, 7),), "BMP4", "Gene", "1"),))
    whole = article(document, BioReadRecipe(), Repairs())
    ((entity,),) = whole.entities
    assert whole.text[entity.start : entity.end] == entity.surface == "bmp4"
    assert entity.original_start == 3


def test_left_out_sections_leave_the_passage_and_are_counted() -> None:
    document = sections(
        ("body", "Results", LINES[:1]),
        ("figure", "Figure 1", (f"See {gene(9)}.", f"{gene(8)} too.")),
        ("body", "Results", LINES[1:]),
    )
    found = screened(document, leave_out=["figure"], passage_sentences=4)
    assert found.repairs.counts["sentence_left_out_by_recipe"] == 3
    whole = article(document, BioReadRecipe(leave_out=("figure",)), Repairs())
    assert whole.text == "results\ngene 1 is here.\nresults\ngene 2 is there.\nso gene 1 is it."
    assert set(whole.sections) == {0}
    assert [q.passage.split("\n")[-1] for q in questions(found)] == ["gene 2 is there."]


def test_no_window_crosses_sections_where_the_recipe_says_so() -> None:
    document = sections(
        ("body", "Methods › People", LINES),
        ("body", "Methods › Drugs", LINES),
        ("body", "Results", LINES),
    )
    free, bound = screened(document), screened(document, within_sections=True)
    dropped = bound.instances_dropped["window_across_sections"]
    assert (len(questions(free)), len(questions(bound)), dropped) == (5, 4, 1)
    whole = article(document, BioReadRecipe(), Repairs())
    assert whole.sections == [0] * 8 + [1] * 4


def test_mentions_that_touch_are_both_kept() -> None:
    for border in (2, 4):  # the longer one is the right one, then the left one
        left, right = "p53BRC"[:border], "p53BRC"[border:]
        mentions = (Mention(((0, border),), left, "Gene", "1"), Mention(((border, 6),), right, "Gene", "2"))
        document = Document("1", (Section("body", "p53BRC binds."),), mentions)
        repairs = Repairs()
        (group,) = article(document, BioReadRecipe(lower_case=False), repairs).entities
        assert [entity.surface for entity in group] == [left, right]
        assert not repairs.counts


@pytest.mark.parametrize("lower_case", [True, False])
@pytest.mark.parametrize("text", ["p53 binds.", "p53 bindé."])
def test_each_mention_that_ends_after_the_text_is_counted(text: str, lower_case: bool) -> None:
    ends = (len(text), len(text) + 1, len(text) + 3)
    mentions = tuple(Mention(((end - 1, end),), "s", "Gene", str(number)) for number, end in enumerate(ends))
    repairs = Repairs()
    document = Document("1", (Section("body", text),), mentions)
    ((entity,),) = article(document, BioReadRecipe(lower_case=lower_case), repairs).entities
    assert entity.surface == "."
    assert repairs.counts == {"mention_outside_text": 2}


def test_names_keep_their_case_where_the_text_does() -> None:
    mention = Mention(((0, 4),), "BMP4", "Gene", "1", "Bone morphogenetic protein 4")
    document = Document("1", (Section("body", "BMP4 binds."),), (mention,))
    for lower, name in ((True, "bone morphogenetic protein 4"), (False, "Bone morphogenetic protein 4")):
        ((entity,),) = article(document, BioReadRecipe(lower_case=lower), Repairs()).entities
        assert entity.name == name


def test_a_visible_answer_is_dropped_where_the_recipe_says_so() -> None:
    document = paper(*LINES[:2], f"{gene(1)} is {gene(1)}, not {gene(2)}.")
    assert len(questions(screened(document))) == 2
    strict = screened(document, drop_visible_answer=True)
    assert strict.instances_dropped == {"answer_visible_in_question": 1}
    assert [q.question for q in questions(strict)] == ["gene 1 is gene 1, not XXXX."]


@pytest.mark.parametrize("offsets", ["", "0 4 5", "0 x", "4 0", "0 99", "0 4 5 99"])
def test_boundaries_that_are_not_those_of_the_text_are_refused(offsets: str) -> None:
    document = paper("one. two.", sentence_offsets=offsets)
    with pytest.raises(
        InputError, match="1: its fact sentence_offsets is no pairs of rising offsets up to 9"
    ):
        article(document, BioReadRecipe(sentences="given"), Repairs())


def test_given_boundaries_are_taken_as_they_are() -> None:
    document = paper("one. two\nthree.", sentence_offsets="0 8 9 15")
    assert article(document, BioReadRecipe(sentences="given"), Repairs()).sentences == [(0, 8), (9, 15)]
