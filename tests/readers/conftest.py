"""Instances for the readers' tests, written as the authors' files are: entities are @entityN tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest

from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention

ENTITY = re.compile(r"@entity(\d+)")

MakeInstance = Callable[..., ClozeInstance]


def replaced_instance(
    passage: str,
    question: str,
    answer: str | None = None,
    candidates: Sequence[str] | None = None,
    id: str = "1:0",
) -> ClozeInstance:
    """An instance with replaced text. candidates: in their order (default: as the passage mentions them)."""
    keys = list(candidates or dict.fromkeys(match.group() for match in ENTITY.finditer(passage)))

    def mentions(text: str) -> tuple[PassageMention, ...]:
        return tuple(PassageMention((m.span(),), keys.index(m.group())) for m in ENTITY.finditer(text))

    return ClozeInstance(
        id=id,
        document=id.partition(":")[0],
        date="",
        passage=passage,
        question=question,
        mentions=mentions(passage),
        question_mentions=mentions(question),
        candidates=tuple(Candidate(key, "", int(key.removeprefix("@entity")), ()) for key in keys),
        answer=None if answer is None else keys.index(answer),
        answers=(),
    )


@pytest.fixture(scope="session")
def replaced() -> MakeInstance:
    return replaced_instance
