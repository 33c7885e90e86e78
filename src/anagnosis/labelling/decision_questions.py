"""Questions for yes, no or maybe as a page shows them, with PubMedQA's criteria beside them (Appendix C, in our words).

What a page shows of a question depends on who sees the conclusion of the paper, the long answer: annotator 1 of
PubMedQA does, beside question and context, and annotator 2 does not (Algorithm 1). No page shows the label, the labels
of annotators, or the statement that a title was before it became a question.
"""

from __future__ import annotations

from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.datasets.pubmedqa.labelling import CONDITIONS, MEANINGS
from anagnosis.labelling.study import Choice, Piece, Question

CHOICES = tuple(Choice(label, meaning=" ".join(lines)) for label, lines in MEANINGS.items())
GUIDE = (("Conditions", CONDITIONS),)
CONCLUSION = "Conclusion of the paper:"


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
    above = ((CONCLUSION, instance.long_answer or "none"),) if conclusion else ()
    return Question(
        instance.id,
        tuple((Piece(line),) for text in passage for line in text.split("\n") if line.strip()),
        (Piece(instance.question),),
        known=(*above, *known),
    )
