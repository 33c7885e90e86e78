"""The words of an index: singulars of plurals, names letter for letter, and no "al" of "et al"."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis import api
from anagnosis.searching import words as words_module
from anagnosis.searching.words import (
    library,
    printed_words,
    question_words,
    shorter_stems,
    stems_of,
    words_in,
    words_of,
)


@each_row(
    ("text", "words"),
    [
        ("Smith et al. 2005", ["smith", "et", "2005"]),
        ("al", []),
        ("ALS", ["al"]),
        ("als", ["al"]),
        ("AL amyloidosis", ["al", "amyloidosi"]),
        ("alum and Al", ["alum", "and", "al"]),
    ],
)
def test_only_al_in_small_letters_is_no_word(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@each_row(
    "forms",
    str.split("""
        metastasis/metastases diagnosis/diagnoses analysis/analyses hypothesis/hypotheses crisis/crises
        arthritis/arthritides testis/testes bacterium/bacteria/Bacteria
        criterion/criteria ganglion/ganglia serum/sera ovum/ova foramen/foramina stigma/stigmata carcinoma/carcinomata
        fungus/fungi stimulus/stimuli genus/genera vertebra/vertebrae appendix/appendices index/indices
        matrix/matrices axis/axes phalanx/phalanges mouse/mice/MICE foot/feet tooth/teeth child/children woman/women
        leaf/leaves virus/viruses study/studies midwife/midwives nucleus/nuclei micronucleus/micronuclei thorax/thoraces
        phylum/phyla humerus/humeri orthosis/orthoses phosphoinositide/phosphoinositides
        mRNA/mRNAs SNP/SNPs RCT/RCTs lose/loses
    """),
)
def test_a_plural_is_the_word_of_its_singular(forms: str) -> None:
    one, *others = map(words_of, forms.split("/"))
    assert len(one) == 1
    assert others == [one] * len(others)


@each_row(
    "forms",
    str.split("""
        AIDS/aids AIDS/aid OVA/ova HRS/HR hrs/HRS PTS/pt ESES/ESI G12S/G12 BLyS/BLI
        phys/phi basis/base basis/bases axis/axe axes/axe test/testes PCOS/PCO KRAS/KRA PRES/pre
        news/new thesis/these species/specify indices/indicate
    """),
)
def test_other_words_and_short_forms_stay_apart(forms: str) -> None:
    one, other = map(words_of, forms.split("/"))
    assert one != other


@given(st.text("aZ9 -_.\x1f\x7f") | st.text(), st.text(" ab", max_size=200))
def test_words_that_are_remembered_are_those_of_the_tokenizer(text: str, plain: str) -> None:
    together = f"{plain}{text}{plain}"
    tokens = library().TextAnalyzerBuilder(library().Tokenizer.simple()).build().analyze(together)
    assert words_in(together) == words_in(together) == [one for each in tokens for one in words_in(each)]


def test_a_name_is_known_beside_any_sign() -> None:
    assert words_of("HIV/AIDS, AIDS—related, AIDS's") == str.split("hiv aids aids relat aids s")
    assert stems_of("Smith—et al—AIDS") == ["smith", "et", "", "aids"]


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words_module, "_MOST_STEMS", 4)
    remembered = words_module.STEMS
    remembered.clear()
    assert words_of("one two three four five " + "é" * 5000) == ["one", "two", "three", "four", "five"]
    assert [*remembered] == ["five"]


def test_questions_lose_it_and_printed_words_keep_it() -> None:
    assert question_words("et al") == ["et"]
    assert printed_words("et al") == ["et", "al"]


def test_a_request_for_the_other_form_of_a_name_has_no_words() -> None:
    assert question_words("What does CHF stand for in children?") == ["what", "chf", "child"]


def test_searches_and_phrases_across_it(tmp_path: Path) -> None:
    lines = [
        {"id": "1", "title": "Tumours", "text": "We follow Smith et al. 2005 in this."},
        {"id": "2", "title": "Riluzole", "text": "Riluzole slows the decline of patients with ALS."},
    ]
    (tmp_path / "papers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    api.index([tmp_path / "papers.jsonl"], tmp_path / "index")
    found = {
        query: [one.passage.document for one in api.search(tmp_path / "index", query).found]
        for query in ("ALS", "et al", '"al"', '"Smith et al 2005"', '"Smith et al 2005"[ti]', "tumours -al")
    }
    assert [*found.values()] == [["2"], ["1"], [], ["1"], [], ["1"]]


def test_a_search_finds_plurals_and_names_in_text_and_marks(tmp_path: Path) -> None:
    lines = [
        {"id": "1", "title": "A", "text": "Metastases of twelve mice had NFkB."},
        {"id": "2", "title": "B", "text": "Hearing aids helped. Bacteria grew."},
        {"id": "3", "title": "C", "text": "Few had AIDS then. HR was 80."},
        {"id": "4", "title": "D", "text": "HRS was reversed."},
    ]
    (tmp_path / "papers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    api.index([tmp_path / "papers.jsonl"], tmp_path / "index")
    for query, document in (
        ("metastasis of a mouse", "1"),
        ('"metastasis of twelve"', "1"),
        ("NF-κB[tw]", "1"),
        ("mice*", "1"),
        ("bacteria*", "2"),
        ("bacterium NOT mouse", "2"),
        ("hearing aids NOT few", "2"),
        ("AIDS", "3"),
        ("aids NOT AIDS", "2"),
        ("few AND aids", "3"),
        ('"had aids"', "3"),
        ("HRS reversal", "4"),
    ):
        (found,) = api.search(tmp_path / "index", query).found
        assert found.passage.document == document, query
        assert "*" in query or max(one.strength for one in found.sentences) > 1, query
    # Who types small letters may mean either.
    assert {one.passage.document for one in api.search(tmp_path / "index", "aids/hiv").found} == {"2", "3"}
    dated = api.search(tmp_path / "index", "hearing aids", sort="date")
    assert ([one.passage.document for one in dated.found], dated.understood.repairs) == (["2"], ())
    of_either = api.ask(tmp_path / "index", "aids")
    assert of_either.state == "closest"
    assert {one.passage.document for one in of_either.evidence} == {"2", "3"}


@each_row(
    ("letters", "stems"),
    [
        ("hypertensi", ["hypertens"]),
        ("dy", []),
        ("dyin", []),
        ("happines", ["happi", "happin"]),
        ("mice", ["mous"]),
        ("bacteria", ["bacteri", "bacterium"]),
    ],
)
def test_shorter_stems_differ_by_their_last_letter_or_are_of_the_singular(
    letters: str, stems: list[str]
) -> None:
    assert shorter_stems(letters) == stems
