"""An instance after BIOMRC, Figure 1, in our own sentences, and a dataset that holds it twice."""

from __future__ import annotations

import re
from pathlib import Path

from anagnosis.datasets.folder import writing
from anagnosis.datasets.folder.receipt import DocumentCounts, Input, Refusal, draft
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER, Candidate, ClozeInstance, PassageMention

PASSAGE = (
    "Most metastases of the brain arise from lung cancer. Patients with lung cancer had more oedema than patients "
    "with melanoma. Oedematous tissue was rare in melanoma."
)
ENTITIES = {
    "disease/MESH:D008175": ("lung cancer",),
    "species/9606": ("Patients", "patients"),
    "disease/MESH:D004487": ("oedema", "Oedematous"),
    "disease/MESH:D008545": ("melanoma",),
}


def instance(
    ident: str = "184:22", *, answer: int | None = 0, question: str = "Metastases of XXXX and melanoma."
) -> ClozeInstance:
    candidates = tuple(
        Candidate(key, key.split("/")[0].title(), 10 * number + 1, names)
        for number, (key, names) in enumerate(ENTITIES.items())
    )
    return ClozeInstance(
        id=ident,
        document=ident.split(":")[0],
        date="2008-04",
        passage=PASSAGE,
        question=question,
        mentions=_mentions(PASSAGE),
        question_mentions=_mentions(question),
        candidates=candidates,
        answer=answer,
        answers=("lung cancer",) if answer == 0 else (),
        labels=("tiny-a",),
    )


def _mentions(text: str) -> tuple[PassageMention, ...]:
    found = [
        ((word.start(), word.end()), number)
        for number, names in enumerate(ENTITIES.values())
        for name in names
        for word in re.finditer(rf"\b{name}\b", text)
    ]
    return tuple(PassageMention((span,), number) for span, number in sorted(found))


def dataset(folder: Path, *, documents: DocumentCounts | None = None, refusals: int = 0) -> Dataset:
    asked = instance("3:1", answer=3, question=f"On {PLACEHOLDER}.")
    splits = {"train": [instance("1:1"), instance("2:1")], "test": [asked]}
    dropped = {"title_too_short": 4, "no_abstract": 0, "too_few_sentences": 2}
    refused = [Refusal(f"corpus.pubtator.gz:{line}", "not a row") for line in range(1, refusals + 1)]
    made = draft(
        inputs=[Input("corpus.pubtator.gz", 4096, "0" * 64)],
        documents=documents or DocumentCounts(10, 3, dropped, 1),
        dropped={"answer_most_frequent": 2},
        repairs={"crlf": 3},
        choices={"formats": ["pubtator"], "limit": 10},
        refusals=refused,
    )
    return writing.write(folder, splits, {"dataset": "biomrc", "minimum_sentences": 3}, lambda: made)
