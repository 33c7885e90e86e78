"""Web pages: the text of a case report without menus, its headings as sections, its <meta> as facts."""

from __future__ import annotations

import builtins
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row
from tests.truncated import up_to_the_break

from anagnosis import api
from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats import html
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

pytest.importorskip("justext", reason="the extra html is not installed")

LONG = "She came to us because she had been ill for a week, and she had not been able to eat or to sleep. "
MENU = "<nav><ul><li><a href='/'>Home</a></li><li><a href='/login'>Log in to the site</a></li></ul></nav>"
FOOT = "<footer><p>Copyright &#169; 2020 by the publisher and by all of the authors of it.</p></footer>"
META = (
    "<meta name='citation_title' content='A girl with fever'><meta name='citation_pmid' content='27'>"
    "<meta name='citation_doi' content='doi:10.1000/x'><meta name='citation_publication_date' content='2016/03/23'>"
    "<meta name='citation_journal_title' content='Case Rep'><meta name='citation_section' content='Paediatrics'>"
)


def page(body: str, meta: str = META) -> str:
    return f"<!DOCTYPE html>\n<html><head>{meta}<title>A girl | Case Rep</title></head><body>{body}</body></html>\n"


def read(text: str | bytes, name: str = "cases/a.html") -> tuple[list[Document], Repairs]:
    repairs = Repairs()
    stream = io.BytesIO(text.encode() if isinstance(text, str) else text)
    return up_to_the_break(html.read(stream, repairs, name), repairs), repairs


def test_a_case_report_is_read_without_what_surrounds_it():
    learned = "".join(f"<li>{LONG}</li>" for _ in range(2))
    (document,), repairs = read(
        page(
            f"{MENU}<h1>A girl with fever</h1><h2>Summary</h2><p>{LONG * 3}</p><h2>Treatment</h2><p>{LONG * 3}</p>"
            f"<h3>Drugs</h3><p>{LONG * 3}</p><h2>Learning points</h2><ul>{learned}</ul>{FOOT}"
        )
    )
    text = LONG.strip()
    whole = " ".join([text] * 3)
    assert document.id == "27"
    assert document.sections == (
        Section("title", "A girl with fever"),
        Section("abstract", whole),
        Section("body", whole, "Treatment"),
        Section("body", whole, "Treatment › Drugs"),
        Section("body", f"{text}\n{text}", "Learning points"),
    )
    assert document.facts == {
        "date": "2016-03-23",
        "year": "2016",
        "journal": "Case Rep",
        "doi": "10.1000/x",
        "pmid": "27",
        "subjects": "Paediatrics",
    }
    assert repairs.counts == {"boilerplate_left_out": 3}


def test_authors_keywords_and_the_place_in_the_journal_are_read_from_every_meta():
    several = (
        "<meta name='citation_author' content='Nemo, Ana'><meta name='citation_author' content='Bo B'>"
        "<meta name='citation_keywords' content='fever; rash'><meta name='citation_keywords' content='child'>"
        "<meta name='citation_volume' content='12'><meta name='citation_issue' content='Suppl 1'>"
        "<meta name='citation_firstpage' content='7'><meta name='citation_lastpage' content='9'>"
    )
    (document,), _ = read(page(f"<h1>Fever</h1><p>{LONG * 3}</p>", several))
    assert document.facts == {
        "authors": "Nemo, Ana; Bo, B",
        "keywords": "fever; rash; child",
        "volume": "12",
        "issue": "Suppl 1",
        "pages": "7-9",
    }


@pytest.mark.parametrize(
    ("meta", "ident", "title"),
    [
        ("<meta name='citation_doi' content='10.1000/x'>", "10.1000/x", "Fever"),
        ("", "a", "Fever"),
        ("<meta name='citation_date' content='soon'>", "a", "Fever"),
    ],
)
def test_without_a_pmid_the_doi_or_the_files_name_is_the_id(meta: str, ident: str, title: str):
    (document,), _ = read(page(f"<h1>Fever</h1><p>{LONG * 3}</p>", meta))
    assert (document.id, document.title) == (ident, title)
    assert "date" not in document.facts


def test_a_page_of_menus_alone_is_a_counted_document_without_text():
    (document,), repairs = read(page(MENU))
    assert [part.label for part in document.sections] == ["title"]
    assert repairs.counts["page_without_text"] == 1


def test_a_declared_charset_is_obeyed_and_no_other_is_guessed():
    body = f"<p>{LONG * 3}Caf\u00e9.</p>"
    (document,), _ = read(page(body, "<meta charset='iso-8859-1'>").encode("latin-1"))
    assert document.text.endswith("Caf\u00e9.")
    for charset in ("", "<meta charset='utf-8'>", "<meta charset='no-such'>"):
        documents, repairs = read(page(body, charset).encode("latin-1"))
        assert not documents
        assert repairs.refusals == [("cases/a.html", "neither UTF-8 nor in a charset that it declares")]


def test_a_page_that_breaks_off_gives_its_text_and_an_error(tmp_path: Path):
    (tmp_path / "a.html").write_text(page(f"<p>{LONG * 3}</p>").partition("</body>")[0])
    documents = api.read(tmp_path / "a.html")
    assert next(documents).id == "27"
    with pytest.raises(InputError, match=r"a.html: the page ends without </html>"):
        next(documents)


@each_row(
    ("head", "is_page"),
    [
        (b"<?xml version='1.0'?>\n<!-- a --><!-- b -->\n<HTML lang='en'>", True),
        (b"\xef\xbb\xbf <!doctype HTML>", True),
        (b"<!-- a -->" * 5_000 + b"<html>", True),
        (b"<!-- a -->" * 5_000 + b"<article>", False),
        (b"<!--" * 10_000, False),
        (b"<htmlx>", False),
    ],
)
def test_a_page_is_recognised_behind_any_number_of_comments(head: bytes, is_page: bool):
    assert html.sniff(head) is is_page


def test_scripts_and_entities_are_no_text(tmp_path: Path):
    (document,), _ = read(page(f"<script>alert('{LONG * 3}')</script><p>{LONG * 3}&lt;b&gt; &amp;</p>"))
    assert document.sections[-1].text == f"{LONG * 3}<b> &"


def test_without_justext_one_line_names_the_extra(monkeypatch: pytest.MonkeyPatch):
    real = builtins.__import__

    def missing(name: str, *rest: Any, **named: Any) -> Any:
        if name == "justext":
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(InputError, match=r'HTML needs jusText, .* pip install "anagnosis\[html\]"'):
        read(page("<p>x</p>"))


@given(st.text(max_size=60))
def test_any_body_is_read_or_refused_in_one_line(body: str):
    documents, repairs = read(page(body).encode(errors="replace"))
    assert len(documents) == 1 or repairs.refused == 1
