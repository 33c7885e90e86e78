"""SciFact: claims with the sentences of abstracts that support or contradict them."""

from anagnosis.datasets.definition import DatasetDefinition

_CITATION = (
    "The claims: Wadden, D., Lin, S., Lo, K., et al. (2020). Fact or Fiction: Verifying Scientific Claims. "
    "EMNLP 2020."
)
DEFINITION = DatasetDefinition(
    title="SciFact's evidence",
    what="Claims with the sentences of abstracts that are evidence for or against them.",
    citation=_CITATION,
)

RETRIEVAL = DatasetDefinition(
    title="SciFact's claims with retrieved abstracts",
    what="Claims with the sentences of the abstracts that rank best for them.",
    citation=_CITATION,
    builder="anagnosis.datasets.scifact.retrieval:BUILDER",
    next_command="anagnosis train retrieval-jpdrmm --data {out} --set vectors={vectors} --out runs/jpdrmm",
)
