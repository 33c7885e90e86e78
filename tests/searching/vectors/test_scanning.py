"""The nearest vectors: the same as by brute force where they are few, and nearly all of them by signs where many."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.searching.vectors.test_compact import drawn

from anagnosis.searching.records.passage import Passage
from anagnosis.searching.vectors import scanning
from anagnosis.searching.vectors.layout import VectorsState
from anagnosis.searching.vectors.reading import Vectors
from anagnosis.searching.vectors.scanning import nearest, scores
from anagnosis.searching.vectors.writing import create, writing


def kept(folder: Path, vectors: NDArray[np.float32]) -> Vectors:
    """A document a vector."""
    create(folder, VectorsState("tiny", "", vectors.shape[1], 64))
    with writing(folder) as writer:
        for number, vector in enumerate(vectors):
            writer.add("mark", [Passage(str(number), 0, "abstract", "", "", "text")], vector[None])
        writer.commit()
    return Vectors(folder)


@given(seed=st.integers(0, 999), count=st.integers(1, 60), width=st.integers(1, 90), limit=st.integers(1, 70))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_few_are_in_the_order_of_brute_force(
    seed: int, count: int, width: int, limit: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    question, *vectors = drawn(seed, count + 1, width)
    there = kept(tmp_path_factory.mktemp("v"), np.array(vectors))
    exact = np.round(
        (there.numbers.astype(np.float64) * there.rows["scale"][:, None]) @ question, scanning.DIGITS
    )
    rows, found = nearest(there, question, limit)
    assert found == pytest.approx(np.sort(exact)[::-1][: len(found)], abs=2e-6)
    assert found == pytest.approx(exact[rows], abs=2e-6)
    assert len(rows) >= min(limit, count)
    allowed = np.arange(count) % 2 == 0
    rows, _ = nearest(there, question, limit, allowed)
    assert set(rows.tolist()) <= set(np.flatnonzero(allowed).tolist())


def test_many_are_found_by_their_signs_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clustered as texts are: neighbours of a few hundred centres."""
    draw = np.random.default_rng(3)
    centres = drawn(1, 200, 96)
    vectors = centres[draw.integers(0, 200, 6_000)] + drawn(2, 6_000, 96) * 0.7
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    there = kept(tmp_path / "v", vectors)
    questions = vectors[:20] + 0.3 * drawn(5, 20, 96)
    whole = [set(nearest(there, question, 20)[0].tolist()) for question in questions]
    monkeypatch.setattr(scanning, "WHOLE", 1_000)
    monkeypatch.setattr(scanning, "LEAST", 500)
    monkeypatch.setattr(scanning, "_BLOCK", 700)
    recalls = [
        len(own & set(nearest(there, question, 20)[0].tolist())) / 20
        for own, question in zip(whole, questions, strict=True)
    ]
    assert np.mean(recalls) > 0.97
    allowed = draw.random(6_000) < 0.4
    rows, _ = nearest(there, questions[0], 20, allowed)
    assert allowed[rows].all()
    best = np.flatnonzero(allowed)[np.argsort(-scores(there, questions[0])[allowed])[:20]]
    assert len(set(best.tolist()) & set(rows[:20].tolist())) >= 19
