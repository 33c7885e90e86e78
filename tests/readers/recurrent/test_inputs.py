from __future__ import annotations

from tests.readers.recurrent.clozes import cloze

from anagnosis.readers.recurrent.inputs import collate, encode
from anagnosis.readers.recurrent.words import Vocabulary

VOCABULARY = Vocabulary(["a", "b", "@entity1", "@entity2"])
LONG = cloze(
    ["a", ("@entity2", 1), "zzz", ("@entity1", 0), ("@entity2", 1)],
    ["a", "XXXX", "zzz", ("@entity2", 1)],
    ["@entity1", "@entity2"],
    1,
    "long",
)
SHORT = cloze(["b"], ["XXXX"], ["@entity9"], None, "short")


def test_a_batch_is_padded_and_knows_where_each_candidate_stands() -> None:
    batch = collate([encode(LONG, VOCABULARY, [5, 6]), encode(SHORT, VOCABULARY)])
    assert batch.passage.tolist() == [[4, 7, 1, 6, 7], [5, 0, 0, 0, 0]]
    assert batch.question.tolist() == [[4, 3, 1, 7], [3, 0, 0, 0]]
    assert (batch.lengths.tolist(), batch.question_lengths.tolist()) == ([5, 1], [4, 1])
    assert batch.members.int().tolist() == [[[0, 0, 0, 1, 0], [0, 1, 0, 0, 1]], [[0] * 5, [0] * 5]]
    assert batch.candidates.tolist() == [[True, True], [True, False]]
    assert (batch.target.tolist(), batch.placeholder.tolist()) == ([1, -1], [1, 0])
    # zzz is unknown in both, and two unknown words need not be the same.
    assert batch.in_question.tolist() == [[True, True, False, False, True], [False] * 5]
    assert batch.labels.tolist() == [[5, 6], [0, 0]]


def test_nothing_at_all_is_a_batch_still() -> None:
    batch = collate([encode(cloze([], ["XXXX"], [], None), VOCABULARY)])
    assert (batch.passage.shape, batch.members.shape, batch.candidates.tolist()) == (
        (1, 1),
        (1, 1, 1),
        [[False]],
    )
