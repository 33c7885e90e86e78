"""Feedback: what users of a collection said about the sentences that answered their questions."""

from anagnosis.datasets.definition import DatasetDefinition

DEFINITION = DatasetDefinition(
    title="Feedback on answers",
    what="Questions of a collection's users with the sentences shown, and which of them answer.",
    citation="Judgements of a collection's own users, saved by their browsers.",
)
