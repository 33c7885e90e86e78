"""The kind of a paper."""

from __future__ import annotations

from tests.rows import each_row
from tests.searching.conclusions.papers import paper

from anagnosis.searching.conclusions.paper_kinds import NAMES, paper_kind
from anagnosis.searching.records.hits import PaperKind

TEA = ("", "Tea was drunk.")


def test_a_publication_type_tells_the_kind() -> None:
    found = paper_kind(paper(TEA, types="Journal Article; Randomized Controlled Trial"))
    assert found == PaperKind("randomised trial", "publication type")


@each_row(
    ("title", "name"),
    [
        ("Tea for fever: a randomised controlled trial", "randomised trial"),
        ("Tea for fever: a systematic review and meta-analysis", "meta-analysis"),
        ("Tea and fever: a systematic review", "systematic review"),
        ("A cohort of tea drinkers", "cohort study"),
        ("Tea fever: a case report", "case report"),
        ("Study protocol for a trial of tea", "trial protocol"),
        ("Tea shortens fever in mice", "animal study"),
        ("Tea shortens fever", ""),
    ],
)
def test_a_title_tells_the_kind(title: str, name: str) -> None:
    assert paper_kind(paper(TEA, title=title)) == PaperKind(name, "title" if name else "")


@each_row(
    ("heading", "text", "name"),
    [
        ("METHODS", "Adults were randomly assigned to tea or water.", "randomised trial"),
        ("METHODS", "We retrospectively reviewed all records.", "cohort study"),
        ("", "We report an unusual case of tea fever.", "case report"),
        ("METHODS", "A postal survey of nurses.", "cross-sectional study"),
        ("CONCLUSIONS", "Adults should be randomly assigned to tea.", ""),
    ],
)
def test_an_abstract_describes_itself_but_not_in_its_conclusions(heading: str, text: str, name: str) -> None:
    assert paper_kind(paper((heading, text))).name == name


def test_types_come_before_titles_except_for_a_plain_review() -> None:
    title = "Tea: a meta-analysis"
    assert paper_kind(paper(TEA, title=title, types="Letter")).name == "letter or comment"
    assert paper_kind(paper(TEA, title=title, types="Review")) == PaperKind("meta-analysis", "title")
    both = paper_kind(paper(TEA, types="Review; Systematic Review"))
    assert both == PaperKind("systematic review", "publication type")


def test_names_are_unique() -> None:
    assert len(set(NAMES)) == len(NAMES)
