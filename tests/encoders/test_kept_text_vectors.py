from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra train is not installed")
pytest.importorskip("transformers", reason="the extra train is not installed")

import numpy as np
import torch
from tests.encoders.tiny import tiny_encoder

from anagnosis.encoders import load
from anagnosis.encoders.kept_text_vectors import INDEX, VECTORS, KeptTexts, key_of
from anagnosis.encoders.load import Encoder
from anagnosis.errors import InputError

CPU = torch.device("cpu")
TEXTS = ["the cells", "patients was in a protein of the cells", "increased"]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    return load.load(tiny_encoder(tmp_path_factory.mktemp("encoder") / "tiny", limit=12))


@pytest.fixture
def kept(tmp_path: Path, encoder: Encoder) -> Callable[[], KeptTexts]:
    return lambda: KeptTexts(tmp_path, encoder, CPU)


def alone(encoder: Encoder, text: str) -> torch.Tensor:
    """The vectors of a text that is read by itself, special pieces left out."""
    pieces = encoder.pieces
    ids = [pieces.start, *pieces.split([text])[0].ids, pieces.separator]
    with torch.inference_mode():
        return encoder.model(input_ids=torch.tensor([ids])).last_hidden_state[0, 1:-1]


def test_a_text_has_the_vectors_that_it_has_alone(kept: Callable[[], KeptTexts], encoder: Encoder) -> None:
    store = kept()
    store.add([*TEXTS, TEXTS[0]], "train")
    for text in TEXTS:
        expected = alone(encoder, text)
        assert store.count(key_of(text)) == len(expected)
        torch.testing.assert_close(
            torch.from_numpy(store.vectors(key_of(text))).float(), expected, atol=2e-3, rtol=2e-3
        )


def test_what_is_kept_is_not_computed_again(
    kept: Callable[[], KeptTexts], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept().add(TEXTS[:2], "train")
    assert "train: 10 vectors by tiny kept" in capsys.readouterr().err
    read: list[str] = []
    monkeypatch.setattr(KeptTexts, "_read", _noting(read))
    store = kept()
    store.add(TEXTS, "dev")
    assert read == TEXTS[2:]
    assert len(store.vectors(key_of(TEXTS[0]))) == 2


def _noting(read: list[str]) -> Callable[[KeptTexts, list[str]], list[np.ndarray]]:
    real = KeptTexts._read

    def noted(self: KeptTexts, texts: list[str]) -> list[np.ndarray]:
        read.extend(texts)
        return real(self, texts)

    return noted


@pytest.mark.parametrize("name", [INDEX, VECTORS])
def test_what_was_left_half_written_is_cut_off_and_computed_again(
    name: str, kept: Callable[[], KeptTexts]
) -> None:
    whole = kept()
    whole.add(TEXTS, "train")
    before = {text: whole.vectors(key_of(text)).tobytes() for text in TEXTS}
    path = whole.place / name
    os.truncate(path, path.stat().st_size - 7)
    again = kept()
    again.add(TEXTS, "train")
    assert {text: again.vectors(key_of(text)).tobytes() for text in TEXTS} == before
    sizes = {file: (whole.place / file).stat().st_size for file in (INDEX, VECTORS)}
    assert sizes == {INDEX: 3 * 32, VECTORS: sum(map(len, before.values()))}


def test_a_text_over_the_limit_is_read_whole_in_windows(
    kept: Callable[[], KeptTexts], encoder: Encoder
) -> None:
    text = " ".join(["cells"] * 15 + ["protein"] * 7)
    store = kept()
    store.add([text], "train")
    assert store.limit == 10
    assert store.count(key_of(text)) == 22
    # Three windows of seven or eight pieces, each by itself.
    first = alone(encoder, " ".join(["cells"] * 7))
    torch.testing.assert_close(
        torch.from_numpy(store.vectors(key_of(text))[:7]).float(), first, atol=2e-3, rtol=2e-3
    )


def test_a_text_of_nothing_has_no_vectors(kept: Callable[[], KeptTexts]) -> None:
    store = kept()
    store.add(["", *TEXTS], "train")
    assert store.vectors(key_of("")).shape == (0, 16)


def test_another_encoder_has_a_place_of_its_own(kept: Callable[[], KeptTexts], tmp_path: Path) -> None:
    other = load.load(tiny_encoder(tmp_path / "other", limit=12, seed=1))
    assert KeptTexts(tmp_path, other, CPU).place != kept().place


def test_numbers_beyond_half_precision_are_refused(
    kept: Callable[[], KeptTexts], monkeypatch: pytest.MonkeyPatch
) -> None:
    from anagnosis.encoders import run

    monkeypatch.setattr(run, "hidden", lambda model, pieces, *rest: torch.full((*pieces.shape, 16), 1e6))
    with pytest.raises(InputError, match="half precision cannot hold"):
        kept().add(TEXTS, "train")
