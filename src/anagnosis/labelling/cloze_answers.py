"""Cloze questions for people to answer: how a study of them is drawn, and what its pages ask.

An entity is a link, which marks its other places and is the answer. Where answers are no candidates of the passage,
as in CliCR, any words may be written, too. Then the person marks what the answer is from (thesis, Figure 3.3), unless
the study has only "a choice or clueless" (BioRead, section 3).
"""

from __future__ import annotations

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.labelling.cloze_draw import draw_questions
from anagnosis.labelling.cloze_questions import question
from anagnosis.labelling.drawn import Draw, Drawn, instances_of
from anagnosis.labelling.study import ANSWERS, KNOWLEDGE_FIELD, LONGEST_TEXT, TIME, Field, Study

_READ = "Read each passage. Then say which entity stands in the gap of the question: the one that was hidden there."
_READ_TEXTS = (
    "Read each passage. Then say what stands in the gap of the question: a disease, a drug, a test, or whatever fits. "
    "Several answers may be right; give the one that you think was there."
)
_CHOOSE = (
    "Entities are links. Choose one in the passage, in the question or in the list, and it is your answer; all its "
    "places are marked."
)
_WRITE = "Any other words may be your answer, too: write them."
_KNOWLEDGE = (
    "Then say how you could answer: with prior knowledge only, with the context only, or with both. If you could not "
    "answer, say so."
)
_CLUELESS = "If you cannot tell, say so."
_UNSURE = "Choose an answer where you think that it is probably right, even if you are not sure."


def draw(dataset: store.Dataset, how: Draw) -> Drawn:
    """Draw a study."""
    record = draw_questions(ANSWERS, dataset, how)
    texts = _has_other_answers(dataset, record.split) if how.texts is None else how.texts
    return msgspec.structs.replace(record, knowledge=how.knowledge is not False, texts=texts)


def study(dataset: store.Dataset, drawn: Drawn) -> Study:
    """The study of a draw."""
    instances = instances_of(dataset, drawn, ClozeInstance)
    view = dataset.viewer(drawn.view)
    answer = Field(
        "answer",
        "Your answer",
        entities=True,
        text=LONGEST_TEXT if drawn.texts else 0,
        none="" if drawn.knowledge else "I could not answer the question",
    )
    read = (_READ_TEXTS, _CHOOSE, _WRITE) if drawn.texts else (_READ, _CHOOSE)
    return Study(
        kind=ANSWERS,
        title=f"What stands in the gap? {len(instances):,} questions",
        instructions=(*read, f"{_KNOWLEDGE if drawn.knowledge else _CLUELESS} {_UNSURE}", TIME),
        questions=tuple(question(instance, view(instance)) for instance in instances),
        fields=(answer, KNOWLEDGE_FIELD) if drawn.knowledge else (answer,),
        constants={"dataset": drawn.dataset},
        idle=drawn.idle,
    )


def _has_other_answers(dataset: store.Dataset, split: str) -> bool:
    """Whether the right answer of some question is none of its candidates, as in CliCR, so that people must write."""
    for batch in store.batches(dataset, split, 8192, ["answer", "answers"]):
        pairs = zip(batch.column("answer").to_pylist(), batch.column("answers").to_pylist(), strict=True)
        if any(answer is None and answers for answer, answers in pairs):
            return True
    return False
