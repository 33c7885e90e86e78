from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.disk import full_after
from tests.encoders.texts import many, marked
from tests.encoders.tiny import tiny_encoder

from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.encoders import batch_plan as plan
from anagnosis.encoders import kept_folder as keeping
from anagnosis.encoders import run
from anagnosis.encoders.batch_plan import Rows
from anagnosis.encoders.features import Features
from anagnosis.encoders.kept_vectors import kept
from anagnosis.encoders.load import Encoder, load
from anagnosis.encoders.pairs import Pair, Pairing
from anagnosis.errors import InputError

INSTANCES = many(40)


def rows(
    folder: Path, encoder: Encoder, instances: Sequence[Viewed] = INSTANCES, data: str = "d0", **given: Any
) -> list[Rows]:
    options: dict[str, Any] = {
        "split": "train",
        "data": data,
        "view": "local",
        "viewed": instances,
        "rows": len(instances),
        "encoder": encoder,
        "pairing": Pairing(encoder.pieces),
        "block": 16,
        "dataset": "/data/one",
    }
    return list(kept(folder, **(options | given))[1])


def alone(encoder: Encoder, pair: Pair) -> np.ndarray:
    """The plain way: one pair, no padding, single precision."""
    with torch.inference_mode():
        top = encoder.model(input_ids=torch.tensor([pair.pieces])).last_hidden_state[0]
    return top[[pair.mask, *pair.places]].numpy()


def of_pairs(example: Rows) -> Iterator[np.ndarray]:
    """The vectors of each pair."""
    features = Features(example.features)
    for first, mentions in zip(example.first, example.mentions, strict=True):
        yield features.rows(np.arange(first, first + 1 + mentions))


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
    pairing = Pairing(encoder.pieces, typed=typed)
    found = rows(tmp_path, encoder, pairing=pairing)
    assert [example.id for example in found] == [instance.id for instance in INSTANCES]
    assert [example.target for example in found] == [instance.answer for instance in INSTANCES]
    for instance, example in zip(INSTANCES, found, strict=True):
        pairs = pairing(instance)
        assert example.candidates == len(instance.candidates)
        assert example.owners == tuple(owner for pair in pairs for owner in pair.owners)
        for pair, vectors in zip(pairs, of_pairs(example), strict=True):
            expected = alone(encoder, pair)
            if typed:
                types = torch.tensor([[0] * pair.second + [1] * (len(pair.pieces) - pair.second)])
                with torch.inference_mode():
                    top = encoder.model(torch.tensor([pair.pieces]), token_type_ids=types).last_hidden_state
                expected = top[0][[pair.mask, *pair.places]].numpy()
            # Half precision has eleven bits.
            np.testing.assert_allclose(vectors, expected, rtol=2**-11, atol=2e-5)


def test_features_are_a_plain_numpy_file_of_half_precision(encoder: Encoder, tmp_path: Path) -> None:
    found = rows(tmp_path, encoder)
    array = np.load(found[0].features, mmap_mode="r")
    assert array.dtype == np.float16
    assert array.shape[1] == 16
    assert array.shape[0] == max(f + m + 1 for e in found for f, m in zip(e.first, e.mentions, strict=True))


def test_the_size_is_told_before_the_encoder_runs(
    encoder: Encoder, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*given: Any, **named: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "chosen_vectors", interrupted)
    with pytest.raises(KeyboardInterrupt):
        rows(tmp_path, encoder)
    said = capsys.readouterr().err
    monkeypatch.undo()
    pairs = sum(len(Pairing(encoder.pieces)(instance)) for instance in INSTANCES)
    assert f"features of train by tiny: {pairs:,} pairs, " in said
    assert said.count("\n") == 1
    size = Path(rows(tmp_path, encoder)[0].features).stat().st_size
    assert f"{size / 1e3:,.0f} kB in {tmp_path}" in said


def test_what_is_kept_is_not_computed_again(
    encoder: Encoder, tmp_path: Path, reads: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    first = rows(tmp_path, encoder)
    reads.clear()
    capsys.readouterr()
    assert rows(tmp_path, encoder, viewed=unread()) == first
    assert not reads
    assert capsys.readouterr().err == ""


def test_a_pair_that_stands_twice_is_read_once(
    encoder: Encoder, tmp_path: Path, reads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "CHUNK", 7)  # copies in one chunk and in others
    twice = [*INSTANCES[:10], *INSTANCES[:10], *INSTANCES[5:20]]
    found = rows(tmp_path, encoder, twice)
    distinct = {
        (pair.pieces, pair.places)
        for instance in INSTANCES[:20]
        for pair in Pairing(encoder.pieces)(instance)
    }
    assert sum(reads) == len(distinct)
    assert [example.first for example in found[:10]] == [example.first for example in found[10:20]]
    assert [example.first for example in found[5:10]] == [example.first for example in found[20:25]]
    plain = rows(tmp_path / "plain", encoder)
    for example, expected in zip(found[25:], plain[10:20], strict=True):
        for mine, theirs in zip(of_pairs(example), of_pairs(expected), strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=2**-10, atol=1e-5)


@pytest.mark.parametrize("after", [0, 1, 3])
def test_an_interrupted_pass_goes_on_and_gives_the_same_bytes(
    encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    whole = Path(rows(tmp_path / "whole", encoder)[0].features).read_bytes()
    plain, blocks = run.chosen_vectors, 0

    def interrupted(*given: Any, **named: Any) -> Any:
        nonlocal blocks
        blocks += 1
        if blocks > after:
            raise KeyboardInterrupt
        return plain(*given, **named)

    monkeypatch.setattr(run, "chosen_vectors", interrupted)
    with pytest.raises(KeyboardInterrupt):
        rows(tmp_path / "broken", encoder)
    (part,) = (tmp_path / "broken").glob("*/features.part")
    with part.open("ab") as stream:
        stream.write(b"half a block")
    monkeypatch.undo()
    asked: list[int] = []

    def counted(given_to: Any, pairs: Sequence[Pair], **given: Any) -> Any:
        asked.append(len(pairs))
        return plain(given_to, pairs, **given)

    monkeypatch.setattr(run, "chosen_vectors", counted)
    found = rows(tmp_path / "broken", encoder, viewed=unread())
    assert Path(found[0].features).read_bytes() == whole
    pairs = sum(len(example.first) for example in found)
    # The last whole block is not trusted.
    assert sum(asked) == pairs - 16 * max(0, after - 1)


def test_an_interrupted_plan_is_made_anew(encoder: Encoder, tmp_path: Path) -> None:
    def broken() -> Iterator[Viewed]:
        yield from INSTANCES[:30]
        raise KeyboardInterrupt

    whole = rows(tmp_path / "whole", encoder)
    with pytest.raises(KeyboardInterrupt):
        rows(tmp_path / "broken", encoder, viewed=broken())
    found = rows(tmp_path / "broken", encoder)
    assert [example.first for example in found] == [example.first for example in whole]
    assert Path(found[0].features).read_bytes() == Path(whole[0].features).read_bytes()


def test_a_changed_encoder_is_told_and_its_old_features_are_dropped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], reads: list[int]
) -> None:
    folder = tiny_encoder(tmp_path / "mine", seed=1)
    old = rows(tmp_path / "kept", load(str(folder)))
    before = np.load(old[0].features)
    tiny_encoder(folder, seed=2)
    capsys.readouterr()
    reads.clear()
    new = rows(tmp_path / "kept", load(str(folder)))
    assert "features of train by mine dropped: the encoder changed" in capsys.readouterr().err
    assert sum(reads)
    assert not Path(old[0].features).exists()
    assert not np.allclose(before, np.load(new[0].features))


def test_changed_data_are_told_and_their_old_features_are_dropped(
    encoder: Encoder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = rows(tmp_path, encoder)
    new = rows(tmp_path, encoder, many(40, seed=1), data="d1")
    assert "features of train by tiny dropped: the data changed" in capsys.readouterr().err
    assert not Path(old[0].features).exists()
    assert Path(new[0].features).exists()


def test_other_datasets_and_limits_are_kept_beside(
    encoder: Encoder, tmp_path: Path, capsys: pytest.CaptureFixture[str], reads: list[int]
) -> None:
    few = INSTANCES[:3]
    given = [
        {"data": "d0"},
        {"data": "d1", "dataset": "/data/two"},
        {"data": "d2", "dataset": "/data/one, first 2"},
        {"data": "d3", "dataset": ""},
        {"data": "d4", "dataset": ""},
    ]
    found = [rows(tmp_path, encoder, few, **one) for one in given]
    reads.clear()
    assert [rows(tmp_path, encoder, viewed=unread(), **one) for one in given] == found
    assert not reads
    assert "dropped" not in capsys.readouterr().err


def test_a_copied_or_moved_dataset_has_the_same_features(
    encoder: Encoder, tmp_path: Path, reads: list[int]
) -> None:
    first = rows(tmp_path, encoder)
    reads.clear()
    assert rows(tmp_path, encoder, viewed=unread(), dataset="/elsewhere") == first
    assert not reads


def test_what_another_process_computes_is_not_dropped(
    encoder: Encoder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fcntl = pytest.importorskip("fcntl", reason="this system has no such lock")
    old = Path(rows(tmp_path, encoder)[0].features)
    with (old.parent / "lock").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        rows(tmp_path, encoder, INSTANCES[:3], data="d1")
    assert old.exists()
    assert "dropped" not in capsys.readouterr().err
    rows(tmp_path, encoder, INSTANCES[:4], data="d2")
    assert not old.exists()


def test_who_waited_for_a_folder_that_was_dropped_computes_it(encoder: Encoder, tmp_path: Path) -> None:
    from threading import Event, Thread

    fcntl = pytest.importorskip("fcntl", reason="this system has no such lock")
    place = Path(rows(tmp_path, encoder)[0].features).parent
    found: list[list[Rows]] = []
    waiting = Event()

    def tell(line: str) -> None:
        if "waiting" in line:
            waiting.set()

    with pytest.MonkeyPatch.context() as patch, (place / "lock").open("rb") as lock:
        patch.setattr(keeping, "tell", tell)
        fcntl.flock(lock, fcntl.LOCK_EX)
        thread = Thread(target=lambda: found.append(rows(tmp_path, encoder)))
        thread.start()
        assert waiting.wait(10)
        shutil.rmtree(place)
        lock.close()
        thread.join(30)
    assert len(found[0]) == len(INSTANCES)
    assert Path(found[0][0].features).exists()


def test_other_splits_views_encoders_and_options_are_kept_beside(
    encoder: Encoder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = load(str(tiny_encoder(tmp_path / "other", seed=3)))
    few = INSTANCES[:3]
    found = [
        rows(tmp_path, encoder, few),
        rows(tmp_path, encoder, few, split="dev"),
        rows(tmp_path, encoder, few, view="global", data="g0"),
        rows(tmp_path, other, few),
        rows(tmp_path, encoder, few, pairing=Pairing(encoder.pieces, closing=False)),
        rows(tmp_path, encoder, few, pairing=Pairing(encoder.pieces, "fast")),
    ]
    assert all(Path(some[0].features).exists() for some in found)
    assert len({some[0].features for some in found}) == len(found)
    assert "dropped" not in capsys.readouterr().err


def test_features_that_were_cut_short_are_computed_again(encoder: Encoder, tmp_path: Path) -> None:
    path = Path(rows(tmp_path, encoder)[0].features)
    whole = path.read_bytes()
    path.write_bytes(whole[:-7])
    rows(tmp_path, encoder)
    assert path.read_bytes() == whole


def test_a_full_disk_is_one_line_and_the_pass_goes_on_when_there_is_room(
    encoder: Encoder, tmp_path: Path
) -> None:
    whole = Path(rows(tmp_path / "whole", encoder)[0].features).read_bytes()
    with (
        pytest.raises(InputError, match="writing features failed: file too large") as fault,
        full_after(3_000),
    ):
        rows(tmp_path / "full", encoder, pairing=Pairing(encoder.pieces))
    assert "\n" not in str(fault.value)
    assert fault.value.remedy
    assert Path(rows(tmp_path / "full", encoder)[0].features).read_bytes() == whole


def test_too_little_room_is_told_before_the_encoder_runs(
    encoder: Encoder, tmp_path: Path, reads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    from collections import namedtuple

    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(keeping.shutil, "disk_usage", lambda _: usage(10_000, 9_000, 1_000))
    with pytest.raises(InputError, match=r"the features need \d+ kB, and 1 kB are free"):
        rows(tmp_path, encoder)
    assert not reads


def test_numbers_beyond_half_precision_are_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = tiny_encoder(tmp_path / "loud")
    weights = load_file(folder / "model.safetensors")
    weights["encoder.layer.1.output.LayerNorm.bias"] += 1e6
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(InputError, match="half precision cannot hold"):
        rows(tmp_path, load(str(folder)), INSTANCES[:3])


def test_nothing_and_an_instance_without_mentions_have_no_vectors(encoder: Encoder, tmp_path: Path) -> None:
    assert rows(tmp_path, encoder, []) == []
    (found,) = rows(tmp_path, encoder, [marked("Nothing is here.", "XXXX")], data="d1", split="dev")
    assert (found.first, found.owners, found.size) == ((), (), 0)
    assert Features(found.features).rows(np.array([], np.int64)).shape == (0, 16)


def test_windows_and_cut_questions_are_told(
    encoder: Encoder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = marked("The @entity0 " + "cells " * 90 + "@entity0 .", "XXXX" + " cells" * 90)
    rows(tmp_path, encoder, [long])
    said = capsys.readouterr().err
    assert "1 sentences over the encoder's limit were read in windows" in said
    assert "1 questions over the encoder's limit were cut around [MASK]" in said


def test_two_processes_compute_it_once(encoder: Encoder, tmp_path: Path, reads: list[int]) -> None:
    from threading import Thread

    pytest.importorskip("fcntl", reason="this system has no such lock")
    found: list[list[Rows]] = []
    threads = [Thread(target=lambda: found.append(rows(tmp_path, encoder))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] == found[1]
    assert sum(reads) == sum(len(example.first) for example in found[0])


def test_features_that_are_gone_are_one_line(encoder: Encoder, tmp_path: Path) -> None:
    path = Path(rows(tmp_path, encoder)[0].features)
    path.unlink()
    with pytest.raises(InputError, match=r"no readable features.*give the same command again"):
        Features(path)


def test_pages_that_were_read_are_given_back_and_read_again(
    encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from anagnosis.encoders import features

    monkeypatch.setattr(features, "GIVE_BACK", 1)
    path = rows(tmp_path, encoder)[0].features
    opened, expected = Features(path), np.load(path)
    for numbers in (np.arange(5), np.array([7, 3, 3])):
        np.testing.assert_array_equal(opened.rows(numbers), expected[numbers])


def test_a_batch_changes_no_vector_beyond_rounding(encoder: Encoder) -> None:
    pairs = [pair for instance in INSTANCES for pair in Pairing(encoder.pieces)(instance)]
    found = run.chosen_vectors(
        encoder, pairs, typed=False, device=torch.device("cpu"), wanted="float32", tokens=512
    )
    seen = 0
    for numbers, vectors in found:
        at = 0
        for number in numbers:
            expected = alone(encoder, pairs[number])
            np.testing.assert_allclose(vectors[at : at + len(expected)], expected, rtol=0, atol=1e-5)
            at += len(expected)
            seen += 1
    assert seen == len(pairs)


def test_what_features_are_of_can_be_read(encoder: Encoder, tmp_path: Path) -> None:
    place = Path(rows(tmp_path, encoder)[0].features).parent
    what = json.loads((place / "what.json").read_text("utf-8"))
    assert (what["split"], what["view"], what["weights"]) == ("train", "local", encoder.digest)
    assert not any((place / name).exists() for name in ("pieces.bin", "places.bin", "pairs.bin"))
