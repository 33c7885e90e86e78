from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention
from anagnosis.datasets.kinds.cloze_views import view
from anagnosis.errors import InputError
from anagnosis.readers.heuristics.tokens import passage_tokens, question_tokens


def original(
    passage: str, question: str, mentions: list[tuple[int, int, int]], asked: list[tuple[int, int, int]]
):
    """An instance with original text. mentions, asked: (start, end, candidate) in passage, question."""
    count = 1 + max((candidate for *_, candidate in [*mentions, *asked]), default=0)
    return ClozeInstance(
        "7:3",
        "7",
        "",
        passage,
        question,
        tuple(PassageMention(((start, end),), candidate) for start, end, candidate in mentions),
        tuple(PassageMention(((start, end),), candidate) for start, end, candidate in asked),
        tuple(Candidate(f"gene/{c}", "Gene", 9 - c, ("x",)) for c in range(count)),
        0,
        (),
    )


def test_a_mention_is_one_token_whatever_touches_it() -> None:
    instance = original(
        "Lack of folic acid (FA) causes anemia.",
        "Anti-XXXX in anemia",
        [(8, 18, 0), (20, 22, 0), (31, 37, 1)],
        [(13, 19, 1)],
    )
    assert passage_tokens(instance) == (
        ["Lack", "of", 0, "(", 0, ")", "causes", 1, "."],
        [(2, 0), (4, 0), (7, 1)],
    )
    assert question_tokens(instance) == (["Anti-", "XXXX", "in", 1], 1)


def test_a_mention_of_several_spans_is_one_token() -> None:
    instance = original("breast and lung cancer .", "XXXX", [(0, 22, 0)], [])
    parted = replace(instance, mentions=(PassageMention(((0, 6), (16, 22)), 0),))
    assert passage_tokens(parted) == passage_tokens(instance)


def test_overlapping_mentions_are_refused_with_their_place() -> None:
    with pytest.raises(InputError, match="7:3: two mentions overlap at character 5"):
        passage_tokens(original("lung cancer", "XXXX", [(0, 11, 0), (5, 11, 1)], []))


@given(st.data())
def test_the_tokens_are_those_of_the_local_and_of_the_global_view(data: st.DataObject) -> None:
    def text_and_mentions(extra: str) -> tuple[str, list[tuple[int, int, int]]]:
        text = data.draw(st.text("ab (.\t", min_size=1, max_size=30)) + extra
        cuts = sorted(data.draw(st.sets(st.integers(0, len(text) - len(extra)), max_size=8)))
        spans = zip(cuts[::2], cuts[1::2])
        return text, [(start, end, data.draw(st.integers(0, 3))) for start, end in spans]

    passage, mentions = text_and_mentions("")
    question, asked = text_and_mentions("XXXX.")
    instance = original(passage, question, mentions, asked)
    for name in ("local", "global"):
        viewed = view(instance, name, "original")
        index = {token: place for place, token in enumerate(viewed.candidates)}
        assert passage_tokens(instance)[0] == [index.get(token, token) for token in viewed.passage.split()]
        tokens, place = question_tokens(instance)
        assert tokens == [index.get(token, token) for token in viewed.question.split()]
        assert tokens[place] == "XXXX"
