"""British and American spellings: both directions, and words that have one spelling alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.searching.synonyms.spelling import american, spellings

PAIRS = """
haemoglobin hemoglobin, anaemia anemia, methaemoglobinaemia methemoglobinemia, tumour tumor, oedema edema,
lymphoedema lymphedema, paediatric pediatric, orthopaedic orthopedic, anaesthesia anesthesia,
paraesthesia paresthesia, diarrhoea diarrhea, dyspnoea dyspnea, leukaemia leukemia, oestrogen estrogen,
antioestrogen antiestrogen, phytooestrogen phytoestrogen, oesophageal esophageal,
gastrooesophageal gastroesophageal, foetus fetus, sulphate sulfate, labelled labeled, modelling modeling,
centre center, centred centered, millilitre milliliter, fibres fibers, titre titer, grey gray, ageing aging,
aetiology etiology, gynaecologist gynecologist, caesarean cesarean, faecal fecal,
phaeochromocytoma pheochromocytoma, homoeopathy homeopathy, manoeuvre maneuver, manoeuvred maneuvered,
manoeuvring maneuvering, behavioural behavioral, randomised randomized, localisation localization,
analysed analyzed, hydrolysing hydrolyzing, leucocyte leukocyte, catalogues catalogs, programme program,
defence defense, practise practice, enrolment enrollment, tranquilliser tranquilizer, judgement judgment,
mould mold, disc disk
"""


@each_row("pair", PAIRS.split(","))
def test_each_of_two_spellings_has_the_other_one(pair: str) -> None:
    british, usual = pair.split()
    assert american(british) == usual
    assert usual in spellings(british)
    assert british in spellings(usual)


@each_row(
    "word",
    ["four", "for", "wise", "prise", "size", "factor", "does", "toes", "aerobic", "il6", "Haem", "oe", ""],
)
def test_other_words_have_one_spelling(word: str) -> None:
    assert american(word) == word
    assert spellings(word) == ()


def test_a_word_with_several_parts_has_each_mixture() -> None:
    assert spellings("methaemoglobinaemia") == (
        "methaemoglobinemia",
        "methemoglobinaemia",
        "methemoglobinemia",
    )


def test_a_word_with_many_parts_has_few_spellings() -> None:
    assert len(spellings("emhememhememhememhem")) < 20


@given(st.text(st.sampled_from("aehmoptdlsirunz"), max_size=30))
def test_spellings_of_a_spelling_lead_back(word: str) -> None:
    form = american(word)
    for other in spellings(word):
        assert american(other) == form
        assert other != word
    if word in spellings(form):
        assert all(word in spellings(other) for other in spellings(form) if other != word)
