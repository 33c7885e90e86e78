from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from tests.encoders.texts import many, marked, named

from anagnosis.encoders.load import Encoder
from anagnosis.encoders.words import NOWHERE, WordPieces, WordVectors, collate, word_pieces

PASSAGE = "The protein-@entity0 increased. With (@entity1) in patients it was is."
QUESTION = "Protein of (XXXX) in cells"


def read(encoder: Encoder, found: WordPieces) -> list[str]:
    """The first sub-token of each token of the passage."""
    pieces = [NOWHERE if s == NOWHERE else found.sequences[s][place] for s, place in found.passage]
    return ["" if p == NOWHERE else encoder.pieces.tokenizer.convert_ids_to_tokens(p) for p in pieces]


def asked(encoder: Encoder, found: WordPieces, sequence: int = 0) -> list[str]:
    pieces, second = found.sequences[sequence], found.second[sequence]
    convert = encoder.pieces.tokenizer.convert_ids_to_tokens
    return ["" if place == NOWHERE else convert(pieces[second + place]) for place in found.question]


@pytest.mark.parametrize("reading", ["cut", "sentences"])
def test_each_token_has_its_first_piece_and_the_placeholder_mask(encoder: Encoder, reading: str) -> None:
    found = word_pieces(marked(PASSAGE, QUESTION), encoder.pieces, reading=reading)
    assert read(encoder, found) == [
        "the",
        "protein",
        "increased",
        "with",
        "(",
        "in",
        "patients",
        "i",
        "was",
        "is",
    ]
    assert len(found.sequences) == (1 if reading == "cut" else 2)
    for sequence in range(len(found.sequences)):
        assert asked(encoder, found, sequence) == ["protein", "of", "[MASK]", "in", "cells"]
    assert found.placeholder == 2
    assert found.mentions == ((1, 0), (4, 1))


def test_all_tokens_of_a_mention_of_several_words_are_its_candidates(encoder: Encoder) -> None:
    found = word_pieces(named("The (protein cells) in a.", "XXXX", ["protein cells", "a"]), encoder.pieces)
    assert found.mentions == ((1, 0), (2, 0), (4, 1))


def test_a_passage_beyond_the_limit_is_cut_or_read_on_in_another_sequence(encoder: Encoder) -> None:
    passage = "cells " * 100 + "@entity0 " + "in " * 100
    cut = word_pieces(marked(passage, "XXXX"), encoder.pieces, reading="cut")
    assert [place == NOWHERE for _, place in cut.passage] == [False] * 60 + [True] * 141
    assert [len(sequence) for sequence in cut.sequences] == [64]
    whole = word_pieces(marked(passage, "XXXX"), encoder.pieces)
    assert read(encoder, whole) == ["cells"] * 100 + ["@"] + ["in"] * 100
    assert max(len(sequence) for sequence in whole.sequences) <= 64


def test_a_question_beyond_the_limit_keeps_what_stands_around_mask(encoder: Encoder) -> None:
    found = word_pieces(marked("The @entity0 .", "cells " * 90 + "XXXX" + " in" * 90), encoder.pieces)
    words = asked(encoder, found)
    assert len(words) == 181
    there = [number for number, word in enumerate(words) if word]
    assert 90 in there
    assert there == list(range(there[0], there[-1] + 1))
    assert words[90] == "[MASK]"
    assert set(words[there[0] : 90]) == {"cells"}
    assert set(words[91 : there[-1] + 1]) == {"in"}
    assert read(encoder, found) == ["the", "@", "."]


def test_vectors_are_those_of_the_first_pieces_and_the_question_is_averaged(encoder: Encoder) -> None:
    found = word_pieces(marked(PASSAGE, QUESTION), encoder.pieces)
    module = WordVectors(encoder.model)
    with torch.no_grad():
        vectors = module(collate([found], encoder.pieces.padding))
        tops = [encoder.model(torch.tensor([sequence])).last_hidden_state[0] for sequence in found.sequences]
    expected = torch.stack([tops[sequence][place] for sequence, place in found.passage])
    torch.testing.assert_close(vectors.passage[0], expected, rtol=0, atol=1e-5)
    means = [
        torch.stack([top[second + place] for top, second in zip(tops, found.second, strict=True)]).mean(0)
        for place in found.question
    ]
    torch.testing.assert_close(vectors.question[0], torch.stack(means), rtol=0, atol=1e-5)


@pytest.mark.parametrize("reading", ["cut", "sentences"])
@pytest.mark.parametrize("typed", [False, True])
def test_an_instance_has_the_same_vectors_alone_and_among_others(
    encoder: Encoder, reading: str, typed: bool
) -> None:
    instances = [
        *many(20),
        marked("", "XXXX"),
        marked("cells " * 150 + "@entity0", "cells " * 90 + "XXXX"),
    ]
    found = [word_pieces(instance, encoder.pieces, reading=reading) for instance in instances]
    module = WordVectors(encoder.model, typed=typed)
    with torch.no_grad():
        together = module(collate(found, encoder.pieces.padding))
        for row, (example, instance) in enumerate(zip(found, instances, strict=True)):
            alone = module(collate([example], encoder.pieces.padding))
            words, questions = len(instance.passage.split()), len(instance.question.split())
            assert len(example.passage) == words
            for name, count in (("passage", words), ("question", questions)):
                mine, theirs = getattr(alone, name)[0, :count], getattr(together, name)[row, :count]
                torch.testing.assert_close(theirs, mine, rtol=0, atol=1e-5)
                assert not getattr(together, name)[row, count:].any()
            assert together.passage_mask[row].sum() == sum(place != NOWHERE for _, place in example.passage)
            assert together.question_mask[row].sum() == sum(place != NOWHERE for place in example.question)


def test_gradients_reach_the_encoder(encoder: Encoder) -> None:
    import copy

    module = WordVectors(copy.deepcopy(encoder.model))
    vectors = module(
        collate([word_pieces(marked(PASSAGE, QUESTION), encoder.pieces)], encoder.pieces.padding)
    )
    (vectors.passage.square().sum() + vectors.question.square().sum()).backward()
    assert all(
        weight.grad is not None and weight.grad.any() for weight in module.encoder.encoder.parameters()
    )


def test_no_token_is_lost_at_any_limit(encoder: Encoder) -> None:
    for limit in (20, 33, 64):
        pieces = replace(encoder.pieces, limit=limit)
        for instance in many(20, seed=limit):
            found = word_pieces(instance, pieces)
            firsts = read(encoder, found)
            assert all(firsts)
            assert all(len(sequence) <= limit for sequence in found.sequences)
            tokens = instance.passage.lower().split()
            assert [word if word in tokens else "@" for word in firsts] == [
                "@" if token.startswith("@") else token for token in tokens
            ]
            assert np.all(np.diff([s for s, _ in found.passage]) >= 0)
