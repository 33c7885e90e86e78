from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

pytest.importorskip("gensim", reason="the extra vectors is not installed")

from anagnosis.errors import InputError
from anagnosis.word_vectors import word_vectors
from anagnosis.word_vectors.word_vectors import Trained, WordVectorSettings, settings_of

DRINKS, ANIMALS = ["tea", "milk", "juice"], ["cat", "horse", "frog"]


def train(texts: Iterable[list[str]], folder: Path, **settings: Any) -> Trained:
    return word_vectors.train(texts, folder, WordVectorSettings(**settings))


def texts(number: int = 400) -> list[list[str]]:
    """Drinks are drunk and animals run: which is which is told by the words beside."""
    draw = random.Random(0)
    made = [["drink", "cold", draw.choice(DRINKS), "from", "cups"] for _ in range(number)]
    made += [["see", "wild", draw.choice(ANIMALS), "run", "home"] for _ in range(number)]
    draw.shuffle(made)
    return made


def test_the_same_texts_and_seed_give_the_same_vectors_whatever_order_words_come_in(tmp_path: Path) -> None:
    one, again = train(texts(50), tmp_path, dimension=5), train(iter(texts(50)), tmp_path, dimension=5)
    assert one.words == again.words
    assert one.vectors.tobytes() == again.vectors.tobytes()
    assert one.vectors.tobytes() != train(texts(50), tmp_path, dimension=5, seed=1).vectors.tobytes()
    counts = {word: sum(text.count(word) for text in texts(50)) for word in one.words}
    assert one.words == sorted(counts, key=lambda word: (-counts[word], word))


def test_rare_words_have_no_vector_and_are_counted(tmp_path: Path) -> None:
    made = train([["a", "b", "rare"], ["a", "b"]], tmp_path, dimension=2, threshold=2)
    assert (made.words, made.vectors.shape) == (["a", "b"], (2, 2))
    assert (made.tokens, made.known, made.distinct) == (5, 4, 3)


def test_a_text_longer_than_gensim_takes_is_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid: list[list[str]] = []
    real = word_vectors._Lines.__iter__

    def noted(self: word_vectors._Lines) -> object:
        for words in real(self):
            laid.append(words)
            yield words

    monkeypatch.setattr(word_vectors._Lines, "__iter__", noted)
    text = ["a", "b"] * word_vectors.LONGEST
    train([text], tmp_path, dimension=2, epochs=1)
    assert [word for words in laid for word in words] == text
    assert max(map(len, laid)) == word_vectors.LONGEST


def test_a_place_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="writing failed"):
        train(texts(10), tmp_path / "file")


def test_the_method_and_the_negative_words_change_the_vectors(tmp_path: Path) -> None:
    def vectors(**settings: Any) -> bytes:
        return train(texts(50), tmp_path, dimension=5, **settings).vectors.tobytes()

    made = {vectors(), vectors(method="cbow"), vectors(negative=2), vectors(method="cbow", negative=2)}
    assert len(made) == 4
    assert vectors(method="cbow") == vectors(method="cbow")
    assert vectors() == vectors(method="skip-gram", negative=5)


def test_the_recipe_of_clicr_has_the_papers_values() -> None:
    paper = WordVectorSettings(method="cbow", dimension=750, window=5, threshold=200, negative=5)
    assert settings_of("clicr-word-vectors", {}) == paper
    assert settings_of("clicr-word-vectors", {"window": 4}) == msgspec.structs.replace(paper, window=4)


def test_a_recipe_is_read_from_a_file_and_its_faults_are_named_at_once(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('trains = "word-vectors"\nwindow = 0\nmethod = "glove"\nsize = 3\n')
    faults = r"3 problems: window: 0 does not .*; method: 'glove' does not .*; unknown key 'size'"
    with pytest.raises(InputError, match=faults):
        settings_of(tmp_path / "mine.toml", {})


def test_another_recipe_is_refused() -> None:
    with pytest.raises(InputError, match="clicr-sim-entity: is no recipe of word vectors"):
        settings_of("clicr-sim-entity", {})
