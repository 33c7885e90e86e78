from __future__ import annotations

from tests.reports.samples import SYSTEMS, everywhere
from tests.rows import each_row

from anagnosis.reports.renderers.latex import GREEK, SIGNS, escape, render
from anagnosis.reports.report import Report


@each_row(
    ("text", "escaped"),
    [
        ("50 % & more_or #1", r"50 \% \& more\_or \#1"),
        (r"\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("$x^2$ ~", r"\$x\textasciicircum{}2\$ \textasciitilde{}"),
        ("< 0.001", r"\textless{} 0.001"),
        ("β-catenin", r"\ensuremath{\beta}{-}catenin"),
        ("−1.20", r"\ensuremath{-}1.20"),
        ("two\n\nparagraphs", "two paragraphs"),
    ],
)
def test_a_text_is_printed_as_it_is(text: str, escaped: str) -> None:
    assert escape(text) == escaped


def test_no_special_sign_of_a_name_is_a_command() -> None:
    nasty = "".join(SIGNS) + "".join(GREEK)
    assert escape(nasty) in render(everywhere(nasty))
    assert nasty not in render(everywhere(nasty))


def test_a_table_is_ruled_by_booktabs() -> None:
    shown = render(Report("R", (SYSTEMS,)))
    assert shown.index(r"\toprule") < shown.index(r"\midrule") < shown.index(r"\bottomrule")
    assert r"\begin{tabular}{lrrrrrr}" in shown
    assert r"\textbf{56.50 [55.26, 57.72]}" in shown


def test_braces_are_balanced() -> None:
    shown = render(everywhere("}{")).replace(r"\{", "").replace(r"\}", "")
    assert shown.count("{") == shown.count("}")
