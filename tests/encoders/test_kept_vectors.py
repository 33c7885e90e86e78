from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.encoders.texts import many
from tests.encoders.tiny import tiny_encoder
from tests.rows import each_row

from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.encoders import kept_vectors, run
from anagnosis.encoders.kept_vectors import KeptInstance, KeptVectors
from anagnosis.encoders.load import Encoder, load
from anagnosis.encoders.pairs import Pair, Pairing
from anagnosis.errors import DamagedError, InputError

CPU = torch.device("cpu")
INSTANCES = many(40)
TEXTS = [("the cells", "patients was in a protein of the cells"), ("increased", "")]
Kept = tuple[KeptVectors, list[KeptInstance]]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_vectors, "BLOCK", 7)


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    """An encoder that reads twelve pieces at once."""
    return load(str(tiny_encoder(tmp_path_factory.mktemp("encoder") / "tiny", limit=12)))


def of_pairs(
    folder: Path, encoder: Encoder, viewed: Sequence[Viewed] = INSTANCES, data: str = "d0", **options: Any
) -> Kept:
    store = KeptVectors(encoder, CPU, pairing=Pairing(encoder.pieces, **options))
    return store, list(store.keep(folder, data, lambda: viewed, "train", len(viewed)))


def of_texts(folder: Path, encoder: Encoder, texts: Sequence[tuple[str, str]] = TEXTS) -> Kept:
    store = KeptVectors(encoder, CPU)
    return store, list(store.keep(folder, "d0", lambda: texts, "train", len(texts)))


def alone(encoder: Encoder, pair: Pair) -> np.ndarray:
    """The plain way: one pair, no padding, single precision."""
    with torch.inference_mode():
        top = encoder.model(torch.tensor([pair.pieces])).last_hidden_state[0]
    return top[[pair.mask, *pair.places]].numpy()


def text_alone(encoder: Encoder, text: str) -> np.ndarray:
    pieces = encoder.pieces
    ids = [pieces.start, *pieces.split([text])[0].ids, pieces.separator]
    with torch.inference_mode():
        return encoder.model(input_ids=torch.tensor([ids])).last_hidden_state[0, 1:-1].numpy()


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_kept_vectors_are_those_of_each_pair_alone_to_half_precision(
    encoder: Encoder, tmp_path: Path
) -> None:
    store, found = of_pairs(tmp_path, encoder)
    assert [(each.id, each.target, each.candidates) for each in found] == [
        (instance.id, instance.answer, len(instance.candidates)) for instance in INSTANCES
    ]
    for instance, example in zip(INSTANCES, found, strict=True):
        pairs = Pairing(encoder.pieces)(instance)
        assert example.owners == tuple(owner for pair in pairs for owner in pair.owners)
        assert example.sizes == tuple(1 + len(pair.places) for pair in pairs)
        (vectors,) = store.vectors([example])
        # Half precision has eleven bits.
        expected = np.concatenate([alone(encoder, pair) for pair in pairs])
        np.testing.assert_allclose(vectors, expected, rtol=2**-11, atol=2e-5)
    np.testing.assert_array_equal(np.concatenate(store.vectors(found)), np.load(*tmp_path.glob("*.npy")))


def test_a_text_has_the_vectors_that_it_has_alone(short: Encoder, tmp_path: Path) -> None:
    store, found = of_texts(tmp_path, short, [*TEXTS, TEXTS[0]])
    for (one, other), example in zip(TEXTS, found[:2], strict=True):
        first, second = np.split(store.vectors([example])[0], [example.sizes[0]])
        np.testing.assert_allclose(first, text_alone(short, one), atol=2e-3, rtol=2e-3)
        if other:
            np.testing.assert_allclose(second, text_alone(short, other), atol=2e-3, rtol=2e-3)
    assert found[1].sizes[1] == 0
    np.testing.assert_array_equal(*store.vectors([found[0], found[2]]))


def test_a_text_over_the_limit_is_read_whole_in_windows(short: Encoder, tmp_path: Path) -> None:
    store, (found,) = of_texts(tmp_path, short, [(" ".join(["cells"] * 15 + ["protein"] * 7), "")])
    assert (store.limit, found.sizes) == (10, (22, 0))
    # Three windows of seven or eight pieces, each by itself.
    first = text_alone(short, " ".join(["cells"] * 7))
    np.testing.assert_allclose(store.vectors([found])[0][:7], first, atol=2e-3, rtol=2e-3)


def test_what_is_kept_is_not_computed_again(
    encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, first = of_pairs(tmp_path, encoder)
    before = files(tmp_path)
    monkeypatch.setattr(run, "chosen_vectors", None)
    again = KeptVectors(encoder, CPU, pairing=store.pairing)
    assert list(again.keep(tmp_path, "d0", lambda: pytest.fail("read again"), "train", 40)) == first
    assert files(tmp_path) == before


def test_an_interrupted_pass_leaves_nothing_and_the_next_gives_the_same_bytes(
    encoder: Encoder, tmp_path: Path
) -> None:
    def interrupted() -> Iterator[Viewed]:
        yield from INSTANCES[:20]
        raise KeyboardInterrupt

    store = KeptVectors(encoder, CPU, pairing=Pairing(encoder.pieces))
    (tmp_path / "broken").mkdir()
    with pytest.raises(KeyboardInterrupt):
        store.keep(tmp_path / "broken", "d0", interrupted, "train", 40)
    assert not files(tmp_path / "broken")
    for folder in ("broken", "whole"):
        of_pairs(tmp_path / folder, encoder)
    assert files(tmp_path / "broken") == files(tmp_path / "whole")


@each_row("ending", [".npy", ".jsonl"])
@each_row("keep", [of_pairs, of_texts])
def test_what_is_gone_is_computed_anew(
    encoder: Encoder, tmp_path: Path, ending: str, keep: Callable[[Path, Encoder], Kept]
) -> None:
    keep(tmp_path, encoder)
    before = files(tmp_path)
    next(tmp_path.glob(f"*{ending}")).unlink()
    keep(tmp_path, encoder)
    assert files(tmp_path) == before


def test_files_that_were_cut_and_vectors_of_other_rows_or_another_type_are_refused(
    short: Encoder, tmp_path: Path
) -> None:
    of_texts(tmp_path, short)
    vectors, lines = next(tmp_path.glob("*.npy")), next(tmp_path.glob("*.jsonl"))
    for path in (vectors, lines):
        whole = path.read_bytes()
        for size in (0, 40, whole.rindex(b"\n", 0, -1) + 1, len(whole) - 7):
            path.write_bytes(whole[:size])
            with pytest.raises(DamagedError, match="remove that file"):
                KeptVectors.vectors(*of_texts(tmp_path, short))
        path.write_bytes(whole)
    rows = np.load(vectors)
    for others in (rows[:-1], np.concatenate([rows, rows[:1]]), rows.astype(np.float32)):
        np.save(vectors, others)
        with pytest.raises(DamagedError, match="remove that file; the same command"):
            of_texts(tmp_path, short)


def test_other_encoders_options_and_splits_are_kept_beside(encoder: Encoder, tmp_path: Path) -> None:
    few, folder, kept = INSTANCES[:3], tmp_path / "mine", tmp_path / "kept"
    of_pairs(kept, encoder, few)
    of_pairs(kept, encoder, INSTANCES[3:6], "d1")
    of_pairs(kept, encoder, few, closing=False)
    of_pairs(kept, encoder, few, sentences="fast")
    of_pairs(kept, load(str(tiny_encoder(folder, seed=1))), few)
    of_pairs(kept, load(str(tiny_encoder(folder, seed=2))), few)
    of_texts(kept, encoder)
    list(KeptVectors(encoder, CPU, "bfloat16").keep(kept, "d0", lambda: TEXTS, "train", 2))
    assert len(files(kept)) == 16


def test_numbers_beyond_half_precision_are_refused(
    encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "hidden", lambda model, pieces, *rest: torch.full((*pieces.shape, 16), 1e6))
    for keep in (of_pairs, of_texts):
        with pytest.raises(InputError, match="half precision cannot hold"):
            keep(tmp_path, encoder)
