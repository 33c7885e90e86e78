"""BioRead: 20 sentences of a full text are the passage, the 21st with one entity hidden is the question."""

from anagnosis.datasets.definition import DatasetDefinition

DEFINITION = DatasetDefinition(
    title="BioRead-like questions",
    what="Documents with entities in, BioRead-like instances out: windows of 20 + 1 sentences of full texts.",
    citation="The method: Pappas, D., Androutsopoulos, I., Papageorgiou, H. (2018). BioRead: A New Dataset for "
    "Biomedical Reading Comprehension. LREC 2018.",
    builder="anagnosis.datasets.bioread.build:BUILDER",
    layout="bioread",
)
