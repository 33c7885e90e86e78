from __future__ import annotations

import pytest
import torch
from tests.encoders.texts import many

from anagnosis.encoders import run
from anagnosis.encoders.load import Encoder
from anagnosis.encoders.pairs import Pair, Pairing

CPU = torch.device("cpu")


@pytest.mark.parametrize(("precision", "tolerance"), [("float32", 1e-6), ("bfloat16", 1e-3)])
def test_a_sequence_is_padded_alike_alone_and_among_others(
    encoder: Encoder, precision: str, tolerance: float
) -> None:
    """So that rounding, which is coarse in bfloat16, does not depend on the others."""
    pairs = [pair for instance in many(30) for pair in Pairing(encoder.pieces)(instance)]

    def vectors(some: list[Pair]) -> dict[int, torch.Tensor]:
        found: dict[int, torch.Tensor] = {}
        with torch.inference_mode(), run.mixed(precision, CPU):
            for numbers, chunk in run.chunks(some, encoder.pieces, CPU):
                sizes = [1 + len(some[number].places) for number in numbers]
                each = run.chosen_vectors(encoder.model, chunk).float().split(sizes)
                found |= dict(zip(numbers, each, strict=True))
        return found

    together = vectors(pairs)
    for number in range(0, len(pairs), 5):
        alone = vectors([pairs[number]])[0]
        torch.testing.assert_close(together[number], alone, rtol=0, atol=tolerance)


@pytest.mark.parametrize(("device", "step"), [("cpu", 4), ("cuda", 32)])
def test_padded_lengths_are_the_sequences_own_and_within_the_limit(
    device: str, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for budget in ("CPU_BUDGET", "GPU_BUDGET"):
        monkeypatch.setattr(run, budget, 4 * step)
    lengths = [1, 4, 5, 62, 61, 6, 31, 33]
    found = run.groups(lengths, 62, torch.device(device))
    assert sorted(number for some, _ in found for number in some) == [*range(8)]
    for some, width in found:
        for number in some:
            assert width == min(62, -(-lengths[number] // step) * step)
    assert max(len(some) * width for some, width in found if len(some) > 1) <= 4 * step
