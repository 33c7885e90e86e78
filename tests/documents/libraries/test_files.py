"""Paths of files as libraries state them, and BibTeX's field `file`."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.documents.libraries.reading import FOLDER
from tests.rows import each_row

from anagnosis.documents.libraries.files import attached, files_of_field
from anagnosis.documents.repairs import Repairs

OUTSIDE = {"path_outside_library": 1}
ADDRESS = {}
NO_PDF = {"attachment_not_pdf": 1}


@each_row(
    ("path", "files", "counted"),
    [
        ("a.pdf", ["/papers/a.pdf"], {}),
        (" sub/A.PDF ", ["/papers/sub/A.PDF"], {}),
        ("sub\\a.pdf", ["/papers/sub/a.pdf"], {}),
        ("./a.pdf", ["/papers/a.pdf"], {}),
        ("/home/ana/a.pdf", ["/home/ana/a.pdf"], {}),
        ("C:\\papers\\a.pdf", ["C:\\papers\\a.pdf"], {}),
        ("C:/papers/a.pdf", ["C:/papers/a.pdf"], {}),
        ("\\\\server\\share\\a.pdf", ["\\\\server\\share\\a.pdf"], {}),
        ("file:///C:/my%20papers/a.pdf", ["C:/my papers/a.pdf"], {}),
        ("file:///home/a.pdf", ["/home/a.pdf"], {}),
        ("FILE://localhost/home/a.pdf", ["/home/a.pdf"], {}),
        ("file:/home/a.pdf", ["/home/a.pdf"], {}),
        ("file:sub/a.pdf", ["/papers/sub/a.pdf"], {}),
        ("internal-pdf://0123/a%20b.pdf", ["/papers/my.lib.Data/PDF/0123/a b.pdf"], {}),
        ("internal-pdf://../../a.pdf", [], OUTSIDE),
        ("../a.pdf", [], OUTSIDE),
        ("sub/../../a.pdf", [], OUTSIDE),
        ("sub\\..\\..\\a.pdf", [], OUTSIDE),
        ("file:../a.pdf", [], OUTSIDE),
        ("C:a.pdf", [], OUTSIDE),
        ("a\0.pdf", [], OUTSIDE),
        ("/a\0.pdf", [], OUTSIDE),
        ("/a\ud800.pdf", [], OUTSIDE),
        ("https://example.org/a.pdf", [], ADDRESS),
        ("HTTP://example.org/a.pdf", [], ADDRESS),
        ("ftp://example.org/a.pdf", [], ADDRESS),
        ("www.example.org/a.pdf", [], ADDRESS),
        ("a.html", [], NO_PDF),
        ("a", [], NO_PDF),
        ("", [], {}),
    ],
)
def test_a_stated_path_is_resolved_counted_or_left_out(
    path: str, files: list[str], counted: dict[str, int]
) -> None:
    repairs = Repairs()
    assert list(attached([(path, "")], FOLDER, "in/my.lib.xml.gz", repairs, "x:1")) == files
    assert repairs.counts == counted
    assert [where for where, _ in repairs.left_out] == ["x:1"] * (counted == OUTSIDE)


def test_a_type_says_that_a_file_is_a_pdf_and_a_file_counts_once() -> None:
    stated = [("a", "application/pdf"), ("b", "PDF"), ("c", "text/html"), ("a", "pdf")]
    assert attached(stated, FOLDER, "", Repairs(), "x:1") == ("/papers/a", "/papers/b")


@each_row(
    ("field", "files"),
    [
        ("Full Text:files/12/a.pdf:application/pdf", [("files/12/a.pdf", "application/pdf")]),
        (":a.pdf:PDF", [("a.pdf", "PDF")]),
        (":home/ana/a.pdf:pdf;:Users/b.pdf:pdf", [("/home/ana/a.pdf", "pdf"), ("/Users/b.pdf", "pdf")]),
        (":media/ana/b.pdf:pdf;:private/b.pdf:pdf", [("/media/ana/b.pdf", "pdf"), ("/private/b.pdf", "pdf")]),
        ("Home:home/a.pdf:application/pdf", [("home/a.pdf", "application/pdf")]),
        (r":C$\backslash$:/papers/a.pdf:pdf", [("C:/papers/a.pdf", "pdf")]),
        ("papers/a.pdf", [("papers/a.pdf", "")]),
        ("a.pdf;b.pdf", [("a.pdf", ""), ("b.pdf", "")]),
        ("T:a.pdf:pdf;U:b.html:text/html", [("a.pdf", "pdf"), ("b.html", "text/html")]),
        ("T\\: one\\; two:C\\:\\\\x\\\\a\\;b.pdf:application/pdf", [("C:\\x\\a;b.pdf", "application/pdf")]),
        (":C:/papers/a.pdf:PDF", [("C:/papers/a.pdf", "PDF")]),
        ("T:C:/papers/a.pdf:PDF", [("C:/papers/a.pdf", "PDF")]),
        ("T: of: a.pdf:a.pdf:PDF", [("a.pdf", "PDF")]),
        ("C:\\papers\\a.pdf", [("C:\\papers\\a.pdf", "")]),
        ("T:a\\{b\\}.pdf:", [("a{b}.pdf", "")]),
        (" ; ", []),
        ("", []),
    ],
)
def test_the_field_of_each_program_is_read(field: str, files: list[tuple[str, str]]) -> None:
    assert list(files_of_field(field)) == files


PARTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20).map(str.strip)


@given(st.lists(st.tuples(PARTS, PARTS.filter(bool)), max_size=4))
def test_whatever_a_path_holds_is_read_back(files: list[tuple[str, str]]) -> None:
    def escaped(text: str) -> str:
        return "".join(f"\\{sign}" if sign in "\\:;{}" else sign for sign in text)

    field = ";".join(f"{escaped(title)}:{escaped(path)}:application/pdf" for title, path in files)
    assert list(files_of_field(field)) == [(path, "application/pdf") for _, path in files]
