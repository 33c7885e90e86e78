"""What a reader sees of one stored instance."""

from __future__ import annotations

import re

import msgspec
import pytest

from anagnosis.datasets.kinds.cloze import KIND
from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention, outside
from anagnosis.datasets.kinds.cloze_views import VIEWS, view
from anagnosis.datasets.question_keys import key_of
from anagnosis.errors import InputError

NAMED = re.compile(r"<(?:(-?\d+):)?([^>]*)>")


def marked(text: str) -> tuple[str, tuple[PassageMention, ...]]:
    """A text in which <0:salt> is a mention of candidate 0."""
    pieces: list[str] = []
    mentions: list[PassageMention] = []
    place = length = 0
    for found in NAMED.finditer(text):
        pieces += [text[place : found.start()], found[2]]
        start = length + found.start() - place
        length = start + len(found[2])
        mentions.append(PassageMention(((start, length),), int(found[1])))
        place = found.end()
    return "".join([*pieces, text[place:]]), tuple(mentions)


def instance(passage: str, question: str = "XXXX", numbers: tuple[int, ...] = (57, 3, 1200)) -> ClozeInstance:
    body, mentions = marked(passage)
    asked, question_mentions = marked(question)
    candidates = tuple(Candidate(f"gene/{n}", "Gene", n, (f"name {n}", "other")) for n in numbers)
    return ClozeInstance("1:0", "1", "", body, asked, mentions, question_mentions, candidates, 0, ("name",))


ONE = instance("Effect of <0:IL-2> (<0:interleukin-2>) on <1:T>-<2:B> cells,  <2:B>", "anti-XXXX in <1:T>s")


REPLACED = msgspec.structs.replace(
    instance("<0:@entity57> ( <0:@entity57> ) and <1:@entity5> .", "XXXX of <1:@entity5> ", numbers=(57, 5)),
    candidates=(Candidate("gene/57", "Gene", 57, ("a",)), Candidate("gene/5", "Gene", 5, ("b",))),
    answer=1,
)
NEIGHBOURS = instance(
    "We saw <0:IL-2> and <1:T>.", "XXXX, <-901:p53>, <1:T> and <-2:B> or <-901:p53>", numbers=(57, 3)
)
FEVER = msgspec.structs.replace(
    instance("<0:Low grade fever>, no <1:Cough>", "XXXX with <1:cough> and <-9:Chest  pain>"),
    candidates=(Candidate("f", "", 0, ("Low grade fever",)), Candidate("c", "", 1, ("Cough",))),
)
ORDERED = instance("<2:B> and <0:IL-2>", "<1:T> XXXX <-8:x> <-5:y> <-8:x>")
GLOBAL, LOCAL, FIRST = "global", "local", "first-appearance"
# instance, view and numbering → passage | question | candidates
SEEN = {
    (
        ONE,
        "global",
        GLOBAL,
    ): "Effect of @entity57 ( @entity57 ) on @entity3 - @entity1200 cells,  @entity1200 "
    "|anti- XXXX in @entity3 s|@entity57 @entity3 @entity1200",
    (ONE, "local", GLOBAL): "Effect of @entity1 ( @entity1 ) on @entity0 - @entity2 cells,  @entity2 "
    "|anti- XXXX in @entity0 s|@entity1 @entity0 @entity2",
    (ONE, "names", GLOBAL): "Effect of IL-2 (interleukin-2) on T-B cells,  B"
    "|anti-XXXX in Ts|name 57 name 3 name 1200",
    (REPLACED, "global", GLOBAL): f"{REPLACED.passage}|{REPLACED.question}|@entity57 @entity5",
    (REPLACED, "local", LOCAL): f"{REPLACED.passage}|{REPLACED.question}|@entity57 @entity5",
    (REPLACED, "local", GLOBAL): "@entity1 ( @entity1 ) and @entity0 .|XXXX of @entity0 |@entity1 @entity0",
    (NEIGHBOURS, "global", GLOBAL): "We saw @entity57 and @entity3 ."
    "|XXXX , @entity900 , @entity3 and @entity1 or @entity900 |@entity57 @entity3",
    (NEIGHBOURS, "local", GLOBAL): "We saw @entity2 and @entity1 ."
    "|XXXX , @entity3 , @entity1 and @entity0 or @entity3 |@entity2 @entity1",
    (NEIGHBOURS, "local", FIRST): "We saw @entity0 and @entity1 ."
    "|XXXX , @entity2 , @entity1 and @entity3 or @entity2 |@entity0 @entity1",
    **{
        (ORDERED, "anonymous", numbering): "@entity0 and @entity1 |@entity2 XXXX @entity3 @entity4 @entity3 "
        "|@entity1 @entity2 @entity0"
        for numbering in (GLOBAL, LOCAL, FIRST)
    },
    (FEVER, "marked", GLOBAL): "@entitylow_grade_fever , no @entitycough "
    "|XXXX with @entitycough and @entitychest_pain |@entitylow_grade_fever @entitycough",
}


@pytest.mark.parametrize(("given", "shown"), SEEN.items())
def test_a_view_shows_an_instance(given: tuple[ClozeInstance, str, str], shown: str) -> None:
    one, name, numbering = given
    seen = view(one, name, "replaced" if one is REPLACED else "original", numbering=numbering)
    assert f"{seen.passage}|{seen.question}|{' '.join(seen.candidates)}" == shown
    assert (seen.id, seen.answer, seen.names) == (one.id, one.answer, tuple(c.names for c in one.candidates))


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("<0:a>", "@entity57 "),
        ("<0:a> b", "@entity57 b"),
        ("b<0:a>", "b @entity57 "),
        ("<0:a><1:b>", "@entity57 @entity3 "),
        ("<0:a> <1:b>", "@entity57 @entity3 "),
        ("<0:a>  <1:b>  ", "@entity57  @entity3  "),
        ("<0:a>.", "@entity57 ."),
        ("<0:a>-<1:b>", "@entity57 - @entity3 "),
        ("\t<0:a>\n", "\t @entity57 \n"),
        ("no mention", "no mention"),
        ("", ""),
    ],
)
def test_a_token_has_a_blank_on_each_side_and_nothing_else_changes(stored: str, shown: str) -> None:
    assert view(instance(stored), "global", "original").passage == shown


def test_a_mention_of_several_spans_becomes_one_token_over_its_whole_extent() -> None:
    spread = (PassageMention(((0, 6), (16, 22)), 0),)
    one = msgspec.structs.replace(instance("breast and lung cancer kill"), mentions=spread)
    assert view(one, "global", "original").passage == "@entity57 kill"


def test_a_replaced_text_is_shown_with_all_names_of_each_entity_in_its_place() -> None:
    one = msgspec.structs.replace(
        instance("<0:@entity57> ( <0:@entity57> ) and <1:@entity5> .", "<1:@entity5> of XXXX . "),
        candidates=(
            Candidate("gene/57", "Gene", 57, ("IL-2", "il-2", "interleukin 2")),
            Candidate("gene/5", "Gene", 5, ("b",)),
        ),
    )
    seen = view(one, "names", "replaced")
    # Of names that differ by capitals alone the first: the files do not tell which stood where.
    assert seen.passage == "[IL-2 | interleukin 2] ( [IL-2 | interleukin 2] ) and [b] ."
    shown = [seen.passage[start:end] for start, end, _ in seen.mentions]
    assert shown == ["[IL-2 | interleukin 2]", "[IL-2 | interleukin 2]", "[b]"]
    assert seen.question == "[b] of XXXX . "
    assert seen.question[slice(*seen.placeholder)] == "XXXX"
    assert seen.candidates == ("IL-2", "b")


@pytest.mark.parametrize("text_form", ["original", "replaced"])
def test_both_shows_identifiers_in_the_text_and_names_beside_the_candidates(text_form: str) -> None:
    one = ONE if text_form == "original" else REPLACED
    seen, numbered = view(one, "both", text_form), view(one, "global", text_form)
    named = [f"@entity{each.number} :: [{' | '.join(each.names)}]" for each in one.candidates]
    assert list(seen.candidates) == named
    assert msgspec.structs.replace(seen, candidates=numbered.candidates) == numbered


NAMELESS = msgspec.structs.replace(
    REPLACED, candidates=tuple(msgspec.structs.replace(each, names=()) for each in REPLACED.candidates)
)


@pytest.mark.parametrize(
    ("one", "name", "numbering", "fault"),
    [
        *((NAMELESS, name, LOCAL, "needs the names of entities") for name in ("names", "both")),
        *(
            (REPLACED, name, GLOBAL, f"the {name} view needs the original text")
            for name in ("marked", "plain")
        ),
        (REPLACED, "global", LOCAL, "only local numbers, so there is no global view"),
        (instance("", "nothing"), "global", GLOBAL, "no XXXX in the question"),
        (REPLACED, "globel", GLOBAL, "unknown view 'globel'; did you mean global"),
    ],
)
def test_a_view_that_cannot_be_is_refused(one: ClozeInstance, name: str, numbering: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        view(one, name, "replaced", numbering=numbering)


@pytest.mark.parametrize("name", VIEWS)
def test_every_mention_is_where_the_view_says(name: str) -> None:
    seen = view(ONE, name, "original")
    written = [seen.passage[start:end] for start, end, _ in seen.mentions]
    if name in ("names", "plain"):
        assert written == ["IL-2", "interleukin-2", "T", "B", "B"]
    else:
        assert written == [seen.candidates[candidate].split(" :: ")[0] for _, _, candidate in seen.mentions]
    assert [candidate for _, _, candidate in seen.mentions] == [0, 0, 1, 2, 2]
    ((start, end, candidate),) = seen.question_mentions
    assert candidate == 1
    assert seen.question[start:end] == (
        "T" if name in ("names", "plain") else seen.candidates[1].split(" :: ")[0]
    )
    assert seen.question[slice(*seen.placeholder)] == "XXXX"


def test_an_entity_outside_the_candidates_has_its_places() -> None:
    for one, name, places in (
        (NEIGHBOURS, "global", ["@entity900", "@entity1", "@entity900"]),
        (FEVER, "marked", ["@entitychest_pain"]),
    ):
        seen = view(one, name, "original")
        assert [seen.question[start:end] for start, end, _ in seen.outside] == places
        assert len(seen.question_mentions) == 1
    wrong = msgspec.structs.replace(NEIGHBOURS, question_mentions=(PassageMention(((0, 4),), outside(57)),))
    assert "question_outside" in [name for name, _ in KIND.faults(wrong, "original")]


def test_a_token_of_the_marked_view_is_one_candidate() -> None:
    candidates = (Candidate("gene/1", "", 1, ("T",)), Candidate("gene/2", "", 2, ("t",)))
    one = msgspec.structs.replace(instance("<0:T> or <1:t>"), candidates=candidates)
    assert view(one, "marked", "original").candidates == ("@entityt", "@entityt_2")


def test_the_plain_view_is_the_text_whose_mentions_no_reader_may_use() -> None:
    seen, named = view(ONE, "plain", "original"), view(ONE, "names", "original")
    assert seen == msgspec.structs.replace(named, plain=True)
    assert not any(view(ONE, name, "original").plain for name in VIEWS if name != "plain")


TITLED = msgspec.structs.replace(
    instance("<1:B> cells\nSome <0:IL-2>\nand <1:B>", numbers=(57, 3)),
    candidates=tuple(Candidate(name.lower(), "", n, (name,)) for n, name in ((57, "IL-2"), (3, "B"))),
)


def test_the_title_can_stand_last_and_is_numbered_last() -> None:
    seen = view(TITLED, "anonymous-title-last", "original")
    assert seen.passage.split() == ["Some", "@entity0", "and", "@entity1", "@entity1", "cells"]
    assert [seen.passage[start:end] for start, end, _ in seen.mentions] == [
        "@entity0",
        "@entity1",
        "@entity1",
    ]
    assert view(TITLED, "anonymous", "original").passage.split()[0] == "@entity0"


def test_the_key_of_a_report_is_the_same_where_its_title_stands_last() -> None:
    keys = {key_of(view(TITLED, name, "original")) for name in VIEWS}
    assert keys == {key_of(TITLED)}
