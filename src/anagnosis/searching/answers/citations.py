"""Quoted sentences with the text that cites them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import asdict

from anagnosis.searching.citing.citation import citation_of_sentence
from anagnosis.searching.citing.papers import reference
from anagnosis.searching.engines import Engine
from anagnosis.searching.records.evidence import TITLE, CitedEvidence, Evidence
from anagnosis.searching.records.paper import NO_FACTS, Paper


def with_citations(engine: Engine, evidence: Sequence[Evidence]) -> list[CitedEvidence]:
    """The sentences, each with its citation."""
    papers = engine.papers([one.passage.document for one in evidence])
    return [
        CitedEvidence(**asdict(one), citation=_citation(one, paper or NO_FACTS))
        for one, paper in zip(evidence, papers, strict=True)
    ]


def _citation(one: Evidence, paper: Paper) -> str:
    return citation_of_sentence(reference([one.passage], paper), one.text, _section(one))


def _section(one: Evidence) -> str:
    """Where the sentence stands, in the paper's words."""
    return TITLE if one.stands_in == TITLE else one.passage.heading or one.passage.section
