"""Raised text: the same markup reads alike in JATS, MEDLINE, escaped text and libraries, and no number is glued."""

from __future__ import annotations

import io

import lxml.etree as etree
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.documents.formats.jats.prose import text
from anagnosis.documents.formats.medline import text_of
from anagnosis.documents.libraries import csl_json
from anagnosis.documents.raised import LEFT_OUT, mark_raised, resolved
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.text import unescaped

EVERYWHERE = {
    # powers, charges, isotopes
    "10<sup>5</sup> cells": "10⁵ cells", "5x10<sup>-6</sup> M": "5x10⁻⁶ M", "10<sup>6 </sup>CFU": "10⁶ CFU",
    "10<sup>3–5</sup>": "10³⁻⁵", "log10<sup>2</sup>": "log10²", "kg/m<sup>2</sup>": "kg/m²", "cm<sup>3</sup>": "cm³",
    "5 min<sup>-1</sup>": "5 min⁻¹", "L<sup>−\xa01</sup>": "L⁻¹", "(kg)/height<sup>2</sup>": "(kg)/height²",
    "Ca<sup>2+</sup>": "Ca²⁺", "Ca<sup>2</sup><sup>+</sup>": "Ca²⁺", "SO<sub>4</sub><sup>2−</sup>": "SO4²⁻",
    "of <sup>18</sup>F-FDG": "of ¹⁸F-FDG", "<sup>99m</sup>Tc": "⁹⁹ᵐTc", "their <sup>1</sup> H NMR": "their ¹ H NMR",
    "I<sup>131</sup>": "I¹³¹", "Ser<sup>473</sup>": "Ser⁴⁷³", "χ<sup>2</sup>": "χ²", "Chi<sup>2</sup>": "Chi²",
    "Log<sup>10</sup> CFU": "Log¹⁰ CFU", "T<sub>soil</sub><sup>4</sup> a": "Tsoil⁴ a", "x<sup>n</sup>": "xⁿ",
    "x<sup>n+1</sup>": "xⁿ⁺¹", "37 <sup>o</sup>C": "37 ºC", "H<sub>2</sub>O, CO<sub>2</sub>": "H2O, CO2",
    # what Unicode has not
    "2<sup>−ΔΔCt</sup>": "2^−ΔΔCt", "x<sup>a+b</sup>": "x^(a+b)", "a<sup>1/2</sup>": "a^(1/2)",
    "W<sup>0.75</sup>": "W^0.75", "value<sup>a</sup>": "value^a", "Apc<sup>Min</sup>": "Apc^Min",
    # what stays
    "10<sup>th</sup>, 1<sup>st</sup>": "10th, 1st", "a<sup>*</sup>": "a*", "SPSS<sup>®</sup>": "SPSS®",
    "CD4<sup>+</sup> T": "CD4+ T", "Apc<sup>−/−</sup>": "Apc−/−", "Ann<sup>1</sup>H": "Ann¹H",
    # marks of references
    "cells<sup>1</sup>": "cells", "cells<sup>1,2</sup>, and": "cells, and", "cells<sup>3–5</sup> and": "cells and",
    "cells,<sup>1</sup> and": "cells, and", "cells.<sup>12</sup> The": "cells. The", "cells<sup>[1]</sup> a": "cells a",
    "cells <sup>1,2</sup> .": "cells.", "IL-2<sup>1</sup> is": "IL-2 is", "COVID-19<sup>3</sup> a": "COVID-19 a",
    "in 2015<sup>6,7</sup> a": "in 2015 a", "al<sup>7</sup> say": "al say", "so,<sup>(1,3) </sup>we": "so, we",
}  # fmt: skip


@each_row(("markup", "expected"), EVERYWHERE.items())
def test_raised_text_reads_alike_in_all_formats(markup: str, expected: str) -> None:
    (entry,) = csl_json.entries(
        io.BytesIO(b'[{"id": "1", "title": "' + f"{markup} zinc".encode() + b'"}]'), Repairs()
    )
    read = {
        "JATS": text(paragraph(markup)),
        "MEDLINE": text_of(paragraph(markup)),
        "escaped": unescaped(markup),
        "CSL": entry.document.title.removesuffix(" zinc"),
    }
    assert read == dict.fromkeys(read, expected)


def paragraph(markup: str) -> etree._Element:
    return etree.fromstring(f"<p>{markup}</p>")


def cited(number: object, kind: str = "bibr") -> str:
    return f'<xref ref-type="{kind}">{number}</xref>'


XREFS = {
    f"IL-2<sup>{cited(1)}</sup> is": "IL-2 is",
    f"IL-2{cited(1)} is": "IL-2 is",
    f"5{cited(2)} per cent": "5 per cent",
    f"5 {cited(2, 'ref')} per cent": "5 per cent",
    f"cells{cited(1)},{cited(2)}–{cited(4)} and": "cells and",
    f"cells <sup>{cited(1)},\n{cited(2)}</sup>.": "cells.",
    f"so<sup>(</sup>\n{cited('<sup>1</sup>')}<sup>,</sup>{cited('<sup>2</sup>')}\n<sup>)</sup>. A": "so. A",
    f"m<sup>2{cited(3)}</sup> a": "m² a",
    f"cm<sup>3</sup>{cited('<sup>12</sup>')} a": "cm³ a",
    f"CO<sub>2</sub>{cited(12)} a": "CO2 a",
    f"in 2010,{cited(31)} m": "in 2010, m",
    f"embolism {cited(1)}, fever {cited('3 4')}. A": "embolism, fever. A",
    f"as in [{cited(3)}, {cited(4)}] and": "as in [3, 4] and",
    f"a [5,{cited(7)}] b": "a [5,7] b",
    f"cells{cited('[1]')} a": "cells[1] a",
    f"see ref. {cited(3)}, reference {cited(4)}": "see ref. 3, reference 4",
    f"({cited('Smith et al., 2010')})": "(Smith et al., 2010)",
    f"Smith ({cited(2010)}), Wu et al., {cited('2011a')}": "Smith (2010), Wu et al., 2011a",
    f"Fig{cited(1, 'fig')}": "Fig1",
}


@each_row(("markup", "expected"), XREFS.items())
def test_marks_that_jats_names_are_left_out_but_not_those_in_brackets(markup: str, expected: str) -> None:
    element = paragraph(markup)
    assert text(element) == expected
    assert text(element) == expected  # a second time


FORMULAE = {
    "<mfrac><mn>3</mn><mn>4</mn></mfrac>": "3/4",
    "<mn>1</mn><mfrac>\n<mn>3</mn>\n<mn>4</mn></mfrac>": "1 3/4",
    "<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>": "(a+b)/c",
    "<msup><mn>10</mn><mrow><mo>-</mo> <mn>5</mn></mrow></msup>": "10⁻⁵",
    "<msup><mi>rate</mi><mn>2</mn></msup>": "rate²",
    "<msup><mi>e</mi><msup><mi>x</mi><mn>2</mn></msup></msup>": "e^x²",
    "<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>": "x1²",
    "<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>": "√(x+1)",
    "<mfrac/><msup/><msqrt/>": "√",
}


@each_row(("formula", "expected"), FORMULAE.items())
def test_a_formula_keeps_its_powers_and_fractions_in_a_line_and_stands_there_once(
    formula: str, expected: str
) -> None:
    math = f'<m:math xmlns:m="M" xmlns="M">{formula}</m:math>'
    assert text_of(paragraph(f"a {math} b")) == f"a {expected} b"
    forms = f"<alternatives><tex-math>$10^5$</tex-math>{math}</alternatives>"
    assert text(paragraph(f"a <inline-formula>{forms}</inline-formula> b")) == f"a {expected} b"


INLINE = st.recursive(
    st.sampled_from(["1", "12", "cells", "10", " ", ",", "+", "a", "(", ")"]),
    lambda inside: st.tuples(st.sampled_from(["sup", "sub", "xref", "i"]), st.lists(inside, max_size=3)).map(
        lambda tag: f'<{tag[0]} ref-type="bibr">{"".join(tag[1])}</{tag[0]}>'
    ),
)


@given(st.lists(INLINE, max_size=8).map("".join))
def test_no_sign_is_left_and_words_that_are_no_marks_stay(markup: str) -> None:
    element = paragraph(markup)
    words = "".join(map(str, element.itertext())).count("cells")
    mark_raised(element)
    plain = resolved("".join(map(str, element.itertext())))
    assert not any("\ufdd0" <= sign <= "\ufdef" or sign == LEFT_OUT for sign in plain)
    assert markup.count("<xref") or plain.count("cells") == words
