"""What the figures of an answer mean, in plain words: the page opens each beside its figure."""

from __future__ import annotations

from anagnosis.searching.answers.states import ANSWERED_PRECISION, NOTHING_LIMIT

# Where there is no sentence to quote, with and without papers.
NO_SENTENCE = "No sentence here has a word of the question. The papers that fit best stand below."
NO_PAPER = "No paper in this collection fits the question."
KINDS = {
    "yesno": "Read as asking for yes or no.",
    "factoid": "Read as asking for one name or number.",
    "list": "Read as asking for a list.",
    "summary": "Read as asking for a description.",
}
EXPLAINED = {
    "state": (
        "How much of the question the papers have decides between “answered here”, “perhaps not answered here” and "
        f"“nothing about this here”. The limits come from questions of BioASQ: {ANSWERED_PRECISION:.0%} of the first "
        "sentences “answered here” were right when half of the questions had no answer in the collection, and at most "
        f"{NOTHING_LIMIT:.0%} of the questions with an answer were to get “nothing”. Other questions and other "
        "collections differ."
    ),
    "strength": "Dots show how well a sentence fits the question. The list begins with the best.",
    "stance": (
        "Supports: the sentence says yes to the question. Opposes: it says no. Unclear: the reader cannot tell. These "
        "are readings of one sentence, not of the whole paper. The figures were measured on questions that the reader "
        "was not trained on, half of them with the answer no: “right for” is the share of its decisions that were "
        "right, with a 95% interval in brackets; “decides” is the share that is not unclear; F1 of no is 1 if it finds "
        "every no and nothing else."
    ),
    "conclusion": (
        "Only papers with most of the question's words, the rarer ones among them, are listed, best match first. "
        "Papers disagree; their number is no vote. The kind of paper and its number of participants come from rules "
        "and can be wrong; words in quotation marks stand so in the paper."
    ),
    "name": (
        "The percentage is the reader's estimate that this very name is right. The figures were measured on questions "
        "that the reader was not fitted on, with a 95% interval in brackets."
    ),
}  # fmt: skip
