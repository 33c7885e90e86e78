"""MetaMap's JSON output: documents, utterances, phrases, mappings, candidates.

    {"AllDocuments": [{"Document": {"Utterances": [{"PMID": "…", "UttText": "…", "UttStartPos": "0", "Phrases": [
      {"Mappings": [{"MappingCandidates": [{"CandidateScore": "-1000", "CandidateCUI": "C9100001",
        "CandidatePreferred": "Heart attack", "SemTypes": ["dsyn"], "ConceptPIs": [{"StartPos": "26", "Length": "12"}],
        "Negated": "0"}]}]}]}]}}]}

Every number is a string, and scores are negative: the score of an annotation is the absolute value. The mappings of a
phrase are alternatives, of which we take the first. No real release was tried.

Source: NLM, "MetaMap's JSON Output".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from anagnosis.entities.third_party import Annotation, Stream, whole_number
from anagnosis.errors import InputError
from anagnosis.wording import reworded

SUFFIXES = (".json",)
SCORE = "absolute value of the candidate's negative score"
ORIGINS = (0,)
_NO_ID = "00000000"


class _Place(msgspec.Struct, gc=False):
    StartPos: str
    Length: str


class _Candidate(msgspec.Struct, gc=False):
    CandidateScore: str
    CandidateCUI: str
    ConceptPIs: list[_Place]
    CandidatePreferred: str = ""
    SemTypes: list[str] = []
    Negated: str = "0"


class _Mapping(msgspec.Struct, gc=False):
    MappingCandidates: list[_Candidate]


class _Phrase(msgspec.Struct, gc=False):
    Mappings: list[_Mapping]


class _Utterance(msgspec.Struct, gc=False):
    PMID: str
    UttText: str
    UttStartPos: str
    Phrases: list[_Phrase]


class _Document(msgspec.Struct, gc=False):
    Utterances: list[_Utterance]


class _Entry(msgspec.Struct, gc=False):
    Document: _Document


class _File(msgspec.Struct, gc=False):
    AllDocuments: list[_Entry]


def sniff(head: bytes) -> bool:
    """Whether the first key is MetaMap's."""
    return head.lstrip().startswith(b"{") and b'"AllDocuments"' in head[:1000]


def read(stream: BinaryIO, counts: Counter[str], name: str) -> Stream:
    """Every document's annotations. Counted: alternative_mapping_left_out, the mappings after a phrase's first.

    InputError: no JSON of MetaMap.
    """
    try:
        decoded = msgspec.json.decode(stream.read(), type=_File)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as fault:
        what = f"no JSON of MetaMap: {reworded(fault)}"
        raise InputError(what, name, "make the file with MetaMap's --JSONf") from fault
    for entry in decoded.AllDocuments:
        utterances = entry.Document.Utterances
        ident = utterances[0].PMID if utterances else ""
        listed = [each for utterance in utterances for each in _annotations(utterance, counts, name)]
        yield "" if ident == _NO_ID else ident, listed, ""


def _annotations(utterance: _Utterance, counts: Counter[str], name: str) -> Iterator[Annotation]:
    begin = whole_number(utterance.UttStartPos, name, "UttStartPos")
    for phrase in utterance.Phrases:
        counts["alternative_mapping_left_out"] += max(0, len(phrase.Mappings) - 1)
        for candidate in (each for mapping in phrase.Mappings[:1] for each in mapping.MappingCandidates):
            places = [
                (whole_number(place.StartPos, name, "StartPos"), whole_number(place.Length, name, "Length"))
                for place in candidate.ConceptPIs
            ]
            yield Annotation(
                tuple((start, start + length) for start, length in places),
                " ".join(
                    utterance.UttText[start - begin : start - begin + length] for start, length in places
                ),
                ",".join(candidate.SemTypes),
                candidate.CandidateCUI,
                candidate.CandidatePreferred,
                float(whole_number(candidate.CandidateScore.lstrip("-"), name, "CandidateScore")),
                candidate.Negated == "1",
                f"{name}: {candidate.CandidateCUI} at {places[0][0] if places else '?'}",
            )
