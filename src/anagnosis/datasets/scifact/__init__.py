"""SciFact: claims with the sentences of abstracts that support or contradict them."""

from anagnosis.datasets.definition import DatasetDefinition

DEFINITION = DatasetDefinition(
    title="SciFact's evidence",
    what="Claims with the sentences of abstracts that are evidence for or against them.",
    citation="The claims: Wadden, D., Lin, S., Lo, K., et al. (2020). Fact or Fiction: Verifying Scientific Claims. "
    "EMNLP 2020.",
)
