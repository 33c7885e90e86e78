"""PubMedQA: abstracts become questions that are answered with yes, no or maybe."""

from anagnosis.datasets.definition import DatasetDefinition

DEFINITION = DatasetDefinition(
    title="PubMedQA",
    what="Documents in, decisions out: PubMedQA's section 3.1 from its first sentence to its last.",
    citation="The method: Jin, Q., Dhingra, B., Liu, Z., Cohen, W., Lu, X. (2019). PubMedQA: A Dataset for "
    "Biomedical Research Question Answering. EMNLP-IJCNLP 2019.",
    builder="anagnosis.datasets.pubmedqa.build:BUILDER",
)
