"""What a question asks for."""

from __future__ import annotations

from tests.rows import each_row

from anagnosis.searching.sentences import asked_for
from anagnosis.searching.sentences.asked_for import fits, form, wanted


@each_row(
    ("question", "kind", "head"),
    [
        ("Which gene is mutated in Naxos disease?", asked_for.GENE, "gene"),
        ("Which transcription factors repress it?", asked_for.GENE, "factor"),
        ("List symptoms of scurvy.", asked_for.DISEASE, "symptom"),
        ("Which R package has been developed for it?", asked_for.TOOL, "package"),
        ("How many genes has it?", asked_for.NUMBER, ""),
        ("What are the names of approved drugs for gout?", asked_for.DRUG, "drug"),
        ("Mutations in which gene cause deafness?", asked_for.GENE, "gene"),
        ("Which company makes it?", asked_for.TOOL, "company"),
        ("", asked_for.OTHER, ""),
    ],
)
def test_class_and_head(question: str, kind: str, head: str) -> None:
    assert wanted(question) == (kind, head)


@each_row(
    ("name", "its"),
    [
        ("BRCA1", "symbol"),
        ("miR-21", "symbol"),
        ("12.5%", "digits"),
        ("neuritis", "illness"),
        ("adalimumab", "medicine"),
        ("Cytoscape", "capital"),
        ("camel", "word"),
    ],
)
def test_forms(name: str, its: str) -> None:
    assert form(name) == its


def test_a_symbol_fits_a_gene_better_than_a_word() -> None:
    assert fits(asked_for.GENE, form("BRCA1")) > fits(asked_for.GENE, form("camel"))
