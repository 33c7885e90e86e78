"""BioMRC: abstracts become cloze questions; the title is the question with one entity hidden."""

from anagnosis.datasets.definition import DatasetDefinition

DEFINITION = DatasetDefinition(
    title="BioMRC",
    what="Documents in, BioMRC instances out: the paper's section 2 from its first sentence to its last.",
    citation="The method: Stavropoulos, P., Pappas, D., Androutsopoulos, I., McDonald, R. (2020). BIOMRC: A Dataset "
    "for Biomedical Machine Reading Comprehension. BioNLP 2020.",
    builder="anagnosis.datasets.biomrc.build:BUILDER",
)
