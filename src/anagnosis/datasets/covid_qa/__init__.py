"""COVID-QA: questions of experts with the passages of papers that answer them."""

from anagnosis.datasets.definition import DatasetDefinition

DEFINITION = DatasetDefinition(
    title="COVID-QA's evidence",
    what="Experts' questions about COVID-19 with the sentences of a paper, and which of them hold the answer.",
    citation="The questions: Möller, T., Reina, A., Jayakumar, R., Pietsch, M. (2020). COVID-QA: A Question "
    "Answering Dataset for COVID-19. NLP COVID-19 Workshop at ACL 2020.",
)
