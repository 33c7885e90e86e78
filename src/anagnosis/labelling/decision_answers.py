"""Questions for yes, no or maybe for people to answer: how a study of them is drawn, and what its pages ask.

The view says what people see: in `reasoning-required` question and context, in `reasoning-free` the conclusion, too, as
PubMedQA's annotators 2 and 1 did (section 5.1), in `question-only` the question alone.
"""

from __future__ import annotations

from heapq import nsmallest

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import FREE, QUESTION, DecisionInstance
from anagnosis.datasets.kinds.table import view_of
from anagnosis.datasets.pubmedqa.labelling import CONDITIONS, MEANINGS
from anagnosis.datasets.sampling import rank
from anagnosis.errors import InputError
from anagnosis.labelling.drawn import Draw, Drawn, first_split, instances_of
from anagnosis.labelling.study import ANSWERS, KNOWLEDGE_FIELD, TIME, Choice, Field, Piece, Question, Study

_READ = {
    "": "Read each question and its abstract, and answer with yes, no or maybe.",
    FREE: "Read each question, its abstract and the paper's conclusion, and answer with yes, no or maybe.",
    QUESTION: "Read each question, and answer with yes, no or maybe.",
}
_UNSURE = (
    "If you cannot tell at all, say so. “Maybe” is an answer of the paper, not a sign that you are not sure."
)
CHOICES = tuple(Choice(label, meaning=meaning) for label, meaning in MEANINGS.items())
GUIDE = (("Conditions", CONDITIONS),)
_CONCLUSION = "Conclusion of the paper:"


def draw(dataset: store.Dataset, how: Draw) -> Drawn:
    """Draw a study. InputError: there are fewer questions, or some lack what the view shows."""
    how.refuse("answers to questions for yes, no or maybe", "only", "texts")
    count, split, view = (
        how.demand_count(),
        how.split or first_split(dataset),
        how.view or dataset.kind.usual_view,
    )
    view_of(dataset.kind, view)
    dataset.parts(split)  # refuses a split that is not there
    instances = store.instances(dataset, split, of=DecisionInstance)
    listed = [each.id for each in instances if each.long_answer or view != FREE]
    ids = nsmallest(count, listed, key=lambda each: (rank(how.seed, each), each))
    if len(ids) < count:
        has = f"{split} has {len(listed):,}" + (" with a long answer" if view == FREE else "")
        what = f"{count:,} questions are asked for, {has}"
        raise InputError(what, str(dataset.folder), "draw fewer, or name another --split")
    fingerprint, knowledge = store.fingerprint(dataset, split), bool(how.knowledge)
    return how.record(ANSWERS, fingerprint, ids, split=split, view=view, knowledge=knowledge)


def study(dataset: store.Dataset, drawn: Drawn) -> Study:
    """The study of a draw."""
    view = drawn.view
    answer = Field(
        "answer", "Your answer", CHOICES, none="" if drawn.knowledge else "I could not answer the question"
    )
    return Study(
        kind=ANSWERS,
        title=f"Yes, no or maybe? {len(drawn.ids):,} questions",
        instructions=(_READ.get(view, _READ[""]), CONDITIONS, _UNSURE, TIME),
        questions=tuple(
            question(each, context=view != QUESTION, conclusion=view == FREE)
            for each in instances_of(dataset, drawn, DecisionInstance)
        ),
        fields=(answer, KNOWLEDGE_FIELD) if drawn.knowledge else (answer,),
        guide=GUIDE,
        constants={"dataset": drawn.dataset},
        idle=drawn.idle,
    )


def question(
    instance: DecisionInstance,
    *,
    context: bool = True,
    conclusion: bool = False,
    known: tuple[tuple[str, str], ...] = (),
) -> Question:
    """A question. context, conclusion: whether the page shows the abstract without its conclusion, and the conclusion.

    known: what else stands below the question.
    """
    sections = instance.context if context else ()
    passage = [f"{section.label}: {section.text}" if section.label else section.text for section in sections]
    above = ((_CONCLUSION, instance.long_answer or "none"),) if conclusion else ()
    return Question(
        instance.id,
        tuple((Piece(line),) for text in passage for line in text.split("\n") if line.strip()),
        (Piece(instance.question),),
        known=(*above, *known),
    )
