"""BioASQ: experts' questions with documents, snippets and answers, and what is made of them:
evidence and decisions."""

from anagnosis.datasets.definition import DatasetDefinition

_CITATION = (
    "The questions: Tsatsaronis, G., Balikas, G., Malakasiotis, P., et al. (2015). An overview of the BIOASQ "
    "large-scale biomedical semantic indexing and question answering competition. BMC Bioinformatics 16:138. Published "
    "under CC BY 2.5."
)

DEFINITION = DatasetDefinition(
    title="BioASQ",
    what="Experts' questions with the documents, the snippets and the answers that they gave.",
    citation=_CITATION,
)

EVIDENCE = DatasetDefinition(
    title="Evidence of BioASQ's questions",
    what="BioASQ's questions with the sentences of their gold snippets, "
    "and of the best-ranking ones of other questions.",
    citation=_CITATION,
    builder="anagnosis.datasets.bioasq.evidence:BUILDER",
)

DECISIONS = DatasetDefinition(
    title="BioASQ's yes/no questions",
    what="BioASQ's yes/no questions as decisions: their snippets are the context.",
    citation=_CITATION,
    builder="anagnosis.datasets.bioasq.decisions:BUILDER",
)

RETRIEVAL = DatasetDefinition(
    title="BioASQ's questions with a pool of documents",
    what="BioASQ's questions with the documents that rank best for them in a pool: snippets, joined by document.",
    citation=_CITATION,
    builder="anagnosis.datasets.bioasq.retrieval:BUILDER",
)
