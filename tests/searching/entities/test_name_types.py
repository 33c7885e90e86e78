"""Names of a type that a question does not ask for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.entities.candidates import CandidateSpan
from anagnosis.searching.entities import name_types
from anagnosis.searching.entities.candidate_names import Name, NameMention, ReadSentence
from anagnosis.searching.entities.name_types import beside, fitting, types
from anagnosis.searching.records.hits import Sentence
from anagnosis.searching.records.passage import Passage


def fits(question: str, name: str, text: str) -> bool:
    """Whether a name of one sentence fits a question."""
    begin = text.index(name)
    passage = Passage("1", 0, "other", "", "", text)
    read = [ReadSentence(0, passage, Sentence(0, len(text), 1.0))]
    candidate = Name()
    candidate.surfaces[name] += 1
    candidate.mentions.append(NameMention(0, CandidateSpan(begin, begin + len(name), True)))
    return fitting(question, [candidate], read)[0]


@each_row(
    ("name", "kinds"),
    [
        ("sleep apnea syndrome", {name_types.ILLNESS}),
        ("hepatitis", {name_types.ILLNESS}),
        ("children", {name_types.PERSON}),
        ("patients", {name_types.PERSON}),
        ("DNA repair", {name_types.PROCESS}),
        ("12.5%", {name_types.FIGURE}),
        ("PXT3003", {name_types.CODE}),
        ("evolocumab", {name_types.MEDICINE}),
        ("appendectomy", {name_types.PROCEDURE}),
        ("BRCA1", set[str]()),
        ("", set[str]()),
    ],
)
def test_the_last_word_shows_the_type(name: str, kinds: set[str]) -> None:
    assert types(name) == kinds


@each_row(
    ("question", "name", "text", "fit"),
    [
        ("Which enzymes repair DNA?", "TCR", "The transcription-coupled repair (TCR) is fast.", False),
        ("Which enzymes repair DNA?", "UvrA", "UvrA repairs DNA.", True),
        ("Which genes are mutated in gout?", "LQTS", "The long-QT syndrome (LQTS) is rare.", False),
        ("Which gene causes gout fever?", "FG", "Fever of gout (FG) is rare.", False),
        ("Which gene causes gouts?", "GF", "The gout factor (GF) is rare.", True),
        ("Which events follow tea?", "TERS", "The Tea Event Reporting System (TERS) has 9.", False),
        ("Which events follow tea?", "VDS", "The Visual Distress Scale (VDS) fell.", False),
        ("Which scale measures gout?", "VDS", "The Visual Distress Scale (VDS) fell.", True),
        ("Which database has events?", "TERS", "The Tea Event Reporting System (TERS) has 9.", True),
        ("Which symptoms has gout?", "Tea Fever Index", "The Tea Fever Index rose.", False),
        ("Which parts does gout harm?", "CNS", "The central nervous system (CNS) is harmed.", True),
        ("Which targets has gout?", "CNS", "The central nervous system (CNS) is harmed.", True),
        ("What follows tea?", "TERS", "The Tea Event Reporting System (TERS) has 9.", False),
        ("Which proteins are low in gout?", "CN", "The cognitively normal (CN) had more.", False),
        ("Which proteins are low in gout?", "AIP", "Aryl interacting protein (AIP) is low.", True),
        ("Which drugs treat gout?", "children", "Allopurinol helps children.", False),
        ("Which patients get gout?", "children", "Gout is rare in children.", True),
        ("Which drugs treat gout?", "PXT3003", "PXT3003 helps.", True),
        ("Which genes cause gout?", "PXT3003", "PXT3003 helps.", False),
        ("Which diseases has PIEZO2?", "PIEZO1", "PIEZO1 is a channel.", False),
        ("Which diseases has it?", "FRDA", "Friedreich's disease ataxia (FRDA) has it.", True),
        ("Which diseases has it?", "AIDS", "AIDS has it.", True),
        ("Which side effects has it?", "Deflazacort", "Deflazacort has fewer.", False),
        ("Which mutations of TNNC1 cause it?", "cTnC", "The cTnC mutation, L29Q, causes it.", False),
        ("Which mutations of TNNC1 cause it?", "L29Q", "The cTnC mutation, L29Q, causes it.", True),
        ("Which gene mutations cause it?", "FBN1", "Mutations of FBN1 cause it.", True),
        ("Which antibody lowers LDL?", "statins", "Of drugs statins lower LDL.", False),
        ("Which antibody lowers LDL?", "evolocumab", "Of drugs evolocumab lowers LDL.", True),
        ("Which antibody lowers LDL?", "AMG 145", "AMG 145, a monoclonal antibody, lowers LDL.", True),
        ("What are the components of mTORC1?", "mTORC2", "Like mTORC1, mTORC2 has it.", False),
        ("What are the components of mTORC1?", "Raptor", "Raptor is in it.", True),
        ("Which receptor binds HER2?", "HER3", "HER3 binds HER2.", True),
        ("List processes that YAP controls", "YAP1", "YAP1 has isoforms.", False),
        ("Which statin lowers LDL?", "nystatin", "It is nystatin.", False),
        ("Which statin lowers LDL?", "rosuvastatin", "It is rosuvastatin.", True),
        ("Which antibody lowers LDL?", "antigen", "It is antigen.", False),
        ("Which antibody lowers LDL?", "anti-PCSK9", "It is anti-PCSK9.", True),
        ("Which vaccine prevents it?", "vaccinia", "It is vaccinia.", False),
        ("Which vaccine prevents it?", "BNT162b2", "It is BNT162b2.", True),
        ("Which symptoms has gout?", "tophaceous gout", "In tophaceous gout there is pain.", False),
        ("Which symptoms has gout?", "pain", "In tophaceous gout there is pain.", True),
        ("How many genes are there?", "patients", "There are patients.", False),
        ("How many genes are there?", "120", "There are 120.", True),
        ("Where is aldosterone made?", "adrenal cells", "It is made in adrenal cells.", True),
        ("Which myosins are there?", "-VIIa", "There are myosins -VI and -VIIa.", False),
        ("Which factors raise it?", "trial", "The trial had 20 patients.", False),
    ],
)
def test_a_name_of_another_type_does_not_fit(question: str, name: str, text: str, fit: bool) -> None:
    assert fits(question, name, text) == fit


@each_row(
    ("sentence", "is_beside"),
    [
        ("the antibody evolocumab lowers LDL", True),
        ("antibodies such as alirocumab and evolocumab", True),
        ("evolocumab, a fully human antibody, lowers LDL", True),
        ("evolocumab is an antibody", True),
        ("evolocumab antibodies", True),
        ("evolocumab lowers the antibody", False),
        ("pre-evolocumab antibodies", False),
        ("evolocumabs antibody", False),
    ],
)
def test_a_sentence_puts_a_name_beside_a_noun(sentence: str, is_beside: bool) -> None:
    assert beside("antibody", "evolocumab", sentence) == is_beside


@given(st.text(max_size=200))
def test_every_text_has_types(text: str) -> None:
    assert types(text) <= {*name_types.NOUNS, *name_types.ENDINGS, name_types.FIGURE, name_types.CODE}
