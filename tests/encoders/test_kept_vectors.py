from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
import torch
from tests.disk import full_after
from tests.encoders.texts import many, marked
from tests.encoders.tiny import tiny_encoder

from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.encoders import kept_folder, kept_vectors, run
from anagnosis.encoders.kept_vectors import (
    INDEX,
    KEY,
    VECTORS,
    KeptPairs,
    KeptVectors,
    keep_pairs,
    keep_texts,
    key_of,
)
from anagnosis.encoders.load import Encoder, load
from anagnosis.encoders.pairs import Pair, Pairing
from anagnosis.errors import DamagedError, InputError

CPU = torch.device("cpu")
INSTANCES = many(40)
TEXTS = ["the cells", "patients was in a protein of the cells", "increased"]
Kept = tuple[KeptVectors, list[KeptPairs]]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_vectors, "BLOCK", {kept_vectors.TEXTS: 512, kept_vectors.PAIRS: 16})


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    """An encoder that reads twelve pieces at once."""
    return load(str(tiny_encoder(tmp_path_factory.mktemp("encoder") / "tiny", limit=12)))


def of_pairs(
    folder: Path, encoder: Encoder, viewed: Any = INSTANCES, data: str = "d0", **options: Any
) -> Kept:
    store = KeptVectors(folder, encoder, CPU, pairing=Pairing(encoder.pieces, **options))
    total = len(viewed) if isinstance(viewed, list) else len(INSTANCES)
    return store, list(keep_pairs(store, viewed, "train", total, data))


def of_texts(folder: Path, encoder: Encoder, texts: Sequence[str] = TEXTS) -> KeptVectors:
    store = KeptVectors(folder, encoder, CPU)
    keep_texts(store, texts, "train")
    return store


def keys(example: KeptPairs) -> list[bytes]:
    return [example.keys[at : at + KEY] for at in range(0, len(example.keys), KEY)]


def alone(encoder: Encoder, pair: Pair, *, typed: bool = False) -> np.ndarray:
    """The plain way: one pair, no padding, single precision."""
    types = torch.tensor([[0] * pair.second + [1] * (len(pair.pieces) - pair.second)])
    given = {"token_type_ids": types} if typed else {}
    with torch.inference_mode():
        top = encoder.model(torch.tensor([pair.pieces]), **given).last_hidden_state[0]
    return top[[pair.mask, *pair.places]].numpy()


def text_alone(encoder: Encoder, text: str) -> np.ndarray:
    pieces = encoder.pieces
    ids = [pieces.start, *pieces.split([text])[0].ids, pieces.separator]
    with torch.inference_mode():
        return encoder.model(input_ids=torch.tensor([ids])).last_hidden_state[0, 1:-1].numpy()


def unread() -> Iterator[Viewed]:
    """Texts that must not be asked for."""
    pytest.fail("the texts were read again")
    yield


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pairs each call of the encoder was asked for."""
    asked: list[int] = []
    plain = run.chosen_vectors

    def counted(given_to: Any, pairs: Sequence[Pair], **given: Any) -> Any:
        asked.append(len(pairs))
        return plain(given_to, pairs, **given)

    monkeypatch.setattr(run, "chosen_vectors", counted)
    return asked


@pytest.mark.parametrize("typed", [False, True])
def test_kept_vectors_are_those_of_each_pair_alone_to_half_precision(
    encoder: Encoder, tmp_path: Path, typed: bool
) -> None:
    store, found = of_pairs(tmp_path, encoder, typed=typed)
    assert [(each.id, each.target, each.candidates) for each in found] == [
        (instance.id, instance.answer, len(instance.candidates)) for instance in INSTANCES
    ]
    for instance, example in zip(INSTANCES, found, strict=True):
        pairs = Pairing(encoder.pieces, typed=typed)(instance)
        assert example.owners == tuple(owner for pair in pairs for owner in pair.owners)
        assert example.size == sum(1 + len(pair.places) for pair in pairs)
        for pair, key in zip(pairs, keys(example), strict=True):
            # Half precision has eleven bits.
            expected = alone(encoder, pair, typed=typed)
            np.testing.assert_allclose(store.vectors([key]), expected, rtol=2**-11, atol=2e-5)
        each = [store.vectors([key]) for key in keys(example)]
        np.testing.assert_array_equal(store.vectors(keys(example)), np.concatenate(each))


def test_a_text_has_the_vectors_that_it_has_alone(short: Encoder, tmp_path: Path) -> None:
    store = of_texts(tmp_path, short, [*TEXTS, TEXTS[0], ""])
    for text in TEXTS:
        expected = text_alone(short, text)
        assert store.count(key_of(text)) == len(expected)
        np.testing.assert_allclose(store.vectors([key_of(text)]), expected, atol=2e-3, rtol=2e-3)
    assert store.vectors([key_of("")]).shape == (0, 16)


def test_a_text_over_the_limit_is_read_whole_in_windows(short: Encoder, tmp_path: Path) -> None:
    text = " ".join(["cells"] * 15 + ["protein"] * 7)
    store = of_texts(tmp_path, short, [text])
    assert (store.limit, store.count(key_of(text))) == (10, 22)
    # Three windows of seven or eight pieces, each by itself.
    first = text_alone(short, " ".join(["cells"] * 7))
    np.testing.assert_allclose(store.vectors([key_of(text)])[:7], first, atol=2e-3, rtol=2e-3)


def test_the_size_is_reported_after_the_first_block(
    encoder: Encoder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, _ = of_pairs(tmp_path, encoder)
    estimate, exact = capsys.readouterr().err.splitlines()
    assert "train: about " in estimate
    assert f"kB of vectors in {store.place}" in estimate
    assert f"train: {store.size:,} vectors by tiny kept, {store.size * 32 / 1e3:,.0f} kB in" in exact


def test_what_is_kept_is_not_computed_again_for_other_splits_and_copied_data(
    encoder: Encoder, tmp_path: Path, reads: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    first = of_pairs(tmp_path, encoder)[1]
    reads.clear()
    capsys.readouterr()
    assert of_pairs(tmp_path, encoder, unread())[1] == first
    assert of_pairs(tmp_path, encoder, INSTANCES[5:9], "d1")[1] == first[5:9]
    assert not reads
    assert capsys.readouterr().err == ""
    more = [*INSTANCES[:3], *many(3, seed=1)]
    assert of_pairs(tmp_path, encoder, more, "d2")[1][:3] == first[:3]
    assert sum(reads) == len({key for each in many(3, seed=1) for key in _pairs(encoder, each)})


def _pairs(encoder: Encoder, *instances: Viewed) -> set[bytes]:
    pairing = Pairing(encoder.pieces)
    return {kept_vectors.key_of_pair(pair) for each in instances for pair in pairing(each)}


def test_only_new_texts_are_read(
    short: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    of_texts(tmp_path, short, TEXTS[:2])
    assert "train: 10 vectors by tiny kept" in capsys.readouterr().err
    read: list[str] = []
    plain = kept_vectors._of_texts
    monkeypatch.setattr(
        kept_vectors, "_of_texts", lambda store, some: read.extend(some) or plain(store, some)
    )
    assert len(of_texts(tmp_path, short).vectors([key_of(TEXTS[0])])) == 2
    assert read == TEXTS[2:]


def test_a_pair_that_stands_twice_is_read_once(encoder: Encoder, tmp_path: Path, reads: list[int]) -> None:
    found = of_pairs(tmp_path, encoder, [*INSTANCES[:10], *INSTANCES[:10], *INSTANCES[5:20]])[1]
    assert sum(reads) == len(_pairs(encoder, *INSTANCES[:20]))
    assert [each.keys for each in found[:10]] == [each.keys for each in found[10:20]]


@pytest.mark.parametrize("after", [0, 1, 3])
def test_an_interrupted_pass_goes_on_and_gives_the_same_bytes(
    encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    whole = (of_pairs(tmp_path / "whole", encoder)[0].place / VECTORS).read_bytes()
    plain, asked = run.chosen_vectors, list[int]()

    def interrupted(given_to: Any, pairs: Sequence[Pair], **named: Any) -> Any:
        if len(asked) == after:
            raise KeyboardInterrupt
        asked.append(len(pairs))
        return plain(given_to, pairs, **named)

    monkeypatch.setattr(run, "chosen_vectors", interrupted)
    with pytest.raises(KeyboardInterrupt):
        of_pairs(tmp_path / "broken", encoder)
    (part,) = (tmp_path / "broken").glob(f"*/{VECTORS}")
    with part.open("ab") as stream:
        stream.write(b"half a block")
    after = -1
    store, found = of_pairs(tmp_path / "broken", encoder)
    assert (store.place / VECTORS).read_bytes() == whole
    assert sum(asked) == len(_pairs(encoder, *INSTANCES))
    assert len(found) == len(INSTANCES)


@pytest.mark.parametrize("name", [INDEX, VECTORS])
def test_what_was_left_half_written_is_cut_off_and_computed_again(
    name: str, encoder: Encoder, short: Encoder, tmp_path: Path
) -> None:
    makers: list[Callable[[], KeptVectors]] = [
        lambda: of_texts(tmp_path, short),
        lambda: of_pairs(tmp_path, encoder)[0],
    ]
    for make in makers:
        place = make().place
        before = {file: (place / file).read_bytes() for file in (INDEX, VECTORS)}
        os.truncate(place / name, len(before[name]) - 7)
        make()
        assert {file: (place / file).read_bytes() for file in (INDEX, VECTORS)} == before


def test_damaged_rows_are_made_anew_from_the_kept_vectors(
    encoder: Encoder, tmp_path: Path, reads: list[int]
) -> None:
    store, found = of_pairs(tmp_path, encoder)
    (rows,) = store.place.glob(f"*{kept_vectors.ROWS}")
    whole = rows.read_bytes()
    rows.write_bytes(b"\0" + whole[1:])
    reads.clear()
    assert of_pairs(tmp_path, encoder)[1] == found
    assert rows.read_bytes() == whole
    assert not reads


@pytest.mark.parametrize("name", [INDEX, VECTORS])
def test_changed_bytes_are_refused(name: str, short: Encoder, tmp_path: Path) -> None:
    place = of_texts(tmp_path, short).place
    data = bytearray((place / name).read_bytes())
    data[-1] ^= 1
    (place / name).write_bytes(data)
    with pytest.raises(DamagedError, match="their checksum differs"):
        of_texts(tmp_path, short).vectors([key_of(text) for text in TEXTS])


def test_other_encoders_and_options_are_kept_beside(encoder: Encoder, tmp_path: Path) -> None:
    few, folder = INSTANCES[:3], tmp_path / "mine"
    places = {
        of_pairs(tmp_path, encoder, few)[0].place,
        of_pairs(tmp_path, encoder, few, closing=False)[0].place,
        of_pairs(tmp_path, encoder, few, sentences="fast")[0].place,
        of_pairs(tmp_path, load(str(tiny_encoder(folder, seed=1))), few)[0].place,
        of_pairs(tmp_path, load(str(tiny_encoder(folder, seed=2))), few)[0].place,
        of_texts(tmp_path, encoder).place,
    }
    assert len(places) == 6
    what = json.loads((of_pairs(tmp_path, encoder, few)[0].place / "what.json").read_text("utf-8"))
    assert (what["weights"], what["precision"]) == (encoder.digest, "float32")


def test_a_full_disk_is_one_line_and_the_pass_goes_on_when_there_is_room(
    encoder: Encoder, tmp_path: Path
) -> None:
    whole = (of_pairs(tmp_path / "whole", encoder)[0].place / VECTORS).read_bytes()
    with (
        pytest.raises(InputError, match="writing vectors failed: file too large") as fault,
        full_after(3_000),
    ):
        of_pairs(tmp_path / "full", encoder)
    assert "\n" not in str(fault.value)
    assert fault.value.remedy
    assert (of_pairs(tmp_path / "full", encoder)[0].place / VECTORS).read_bytes() == whole


def test_too_little_room_is_told(encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from collections import namedtuple

    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(kept_folder.shutil, "disk_usage", lambda _: usage(10_000, 9_000, 2_000))
    with pytest.raises(InputError, match=r"the vectors need \d+ kB, and 2 kB are free"):
        of_pairs(tmp_path, encoder)


def test_numbers_beyond_half_precision_are_refused(
    encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "hidden", lambda model, pieces, *rest: torch.full((*pieces.shape, 16), 1e6))
    for keep in (of_pairs, of_texts):
        with pytest.raises(InputError, match="half precision cannot hold"):
            keep(tmp_path, encoder)


def test_nothing_and_an_instance_without_mentions_have_no_vectors(encoder: Encoder, tmp_path: Path) -> None:
    assert of_pairs(tmp_path, encoder, [])[1] == []
    store, (found,) = of_pairs(tmp_path, encoder, [marked("Nothing is here.", "XXXX")], "d1")
    assert (found.keys, found.owners, found.size) == (b"", (), 0)
    assert store.vectors([]).shape == (0, 16)


def test_windows_and_cut_questions_are_told(
    encoder: Encoder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    of_pairs(
        tmp_path, encoder, [marked("The @entity0 " + "cells " * 90 + "@entity0 .", "XXXX" + " cells" * 90)]
    )
    said = capsys.readouterr().err
    assert "1 sentences over the encoder's limit were read in windows" in said
    assert "1 questions over the encoder's limit were cut around [MASK]" in said


def test_two_processes_compute_it_once(encoder: Encoder, tmp_path: Path, reads: list[int]) -> None:
    pytest.importorskip("fcntl", reason="this system has no such lock")
    found: list[Kept] = []
    threads = [Thread(target=lambda: found.append(of_pairs(tmp_path, encoder))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0][1] == found[1][1]
    assert sum(reads) == len(_pairs(encoder, *INSTANCES))


def test_vectors_that_are_gone_are_one_line(short: Encoder, tmp_path: Path) -> None:
    store = of_texts(tmp_path, short)
    (store.place / VECTORS).unlink()
    with pytest.raises(InputError, match=r"kept vectors cannot be read.*give the same command again"):
        store.open()
    with pytest.raises(InputError, match="vectors are missing"):
        of_texts(tmp_path, short, []).vectors([key_of(TEXTS[0])])


def test_pages_that_were_read_are_given_back_and_read_again(
    encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_vectors, "GIVE_BACK", 1)
    store, found = of_pairs(tmp_path, encoder)
    for example in found[:3]:
        np.testing.assert_array_equal(store.vectors(keys(example)), store.vectors(keys(example)))
