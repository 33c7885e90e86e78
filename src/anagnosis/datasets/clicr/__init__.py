"""CliCR: a case report is the passage, a line of its learning points with one entity hidden is the query."""

from anagnosis.datasets.definition import DatasetDefinition

DEFINITION = DatasetDefinition(
    title="CliCR-like queries",
    what="Case reports with entities in, CliCR-like queries out: learning points, conclusions or last sentences.",
    citation="The method: Šuster, S., Daelemans, W. (2018). CliCR: A Dataset of Clinical Case Reports for Machine "
    "Reading Comprehension. NAACL 2018.",
    builder="anagnosis.datasets.clicr.build:BUILDER",
    layout="clicr",
    measures=("exact-match", "f1"),
)
