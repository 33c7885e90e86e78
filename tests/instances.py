"""Cloze instances of any kind that the schema can hold, for properties of what keeps them."""

from __future__ import annotations

from hypothesis import strategies as st

from anagnosis.datasets.kinds.cloze_instance import ANSWER_COLUMNS, Candidate, ClozeInstance, PassageMention

TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
OFFSETS = st.integers(0, (1 << 31) - 1)
SPANS = st.lists(st.tuples(OFFSETS, OFFSETS), min_size=1, max_size=3).map(tuple)


def lists(items: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(items, max_size=3).map(tuple)


@st.composite
def instances(draw: st.DrawFn, *, answer_columns: bool = False) -> ClozeInstance:
    """Any instance, sound or not. answer_columns: whether it tells identifier, type and origin of each answer."""
    candidates = draw(
        st.lists(st.builds(Candidate, TEXTS, TEXTS, OFFSETS, lists(TEXTS)), max_size=4).map(tuple)
    )
    of = st.integers(0, max(0, len(candidates) - 1))
    mentions = st.lists(st.builds(PassageMention, SPANS, of), max_size=4).map(tuple)
    answers = draw(lists(TEXTS))
    columns = [tuple(draw(TEXTS) for _ in answers) for _ in ANSWER_COLUMNS] if answer_columns else [()] * 3
    return ClozeInstance(
        id=draw(TEXTS),
        document=draw(TEXTS),
        date=draw(st.sampled_from(["", "2024", "2024-06-30"])),
        passage=draw(TEXTS),
        question=draw(TEXTS),
        mentions=draw(mentions),
        question_mentions=draw(mentions),
        candidates=candidates,
        answer=draw(st.one_of(st.none(), of)),
        answers=answers,
        labels=draw(lists(TEXTS)),
        **dict(zip(ANSWER_COLUMNS, columns, strict=True)),
    )
