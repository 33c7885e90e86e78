"""BibTeX: what each program writes becomes facts and files, and a broken entry costs itself."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents.libraries.reading import facts, read
from tests.rows import each_row

from anagnosis.documents.libraries import bibtex
from anagnosis.documents.repairs import ROOM
from anagnosis.errors import InputError

pytest.importorskip("bibtexparser", reason="the extra libraries is not installed")


def title(latex: str) -> str:
    (entry,), _ = read("bibtex", f"@article{{k, doi = {{10.1000/x}}, title = {{{latex}}}}}")
    return entry.document.title


@each_row(
    ("latex", "text"),
    [
        (r"Salt in {USA}", "Salt in USA"),
        (r"{\'E}ire, {\"o} \ss{} \'{\i}", "Éire, ö ß í"),
        (r"$\alpha$ and $p<0.05$", "α and p<0.05"),
        (r"Salt \& sea", "Salt & sea"),
        ("Salt & sea of {X}", "Salt & sea of X"),
        ("50% of {Y}", "50% of Y"),
        (r"50\% of {Y}", "50% of Y"),
        ("costs $5 in {R}", "costs $5 in R"),
        (
            r"\textless{}x\textgreater y \textbar{}z {\textbraceleft}a\textbraceright{} \textasciicircum{}",
            "<x>y |z {a} ^",
        ),
        (r"\textasciitilde{}\textbackslash{}\#\_", "~\\#_"),
        ("a~b", "a b"),
        (r"\input{/etc/passwd} x", "x"),
        (r"\textbeta-cell, \textDelta{}F508, {\textkappa}B", "β-cell, ΔF508, κB"),
        (r"CO$_2$ and H$_{2}$O, $\mathrm{NO_x}$, CO\textsubscript{2}", "CO2 and H2O, NOx, CO2"),
        (r"10$^5$ of $10^{-6}$, $\mathrm{Ca}^{2+}$ and SO$_4^{2-}$", "10⁵ of 10⁻⁶, Ca²⁺ and SO4²⁻"),
        (r"$^{18}$F, $^{99\mathrm{m}}$Tc, \textsuperscript{13}C, m$^2$", "¹⁸F, ⁹⁹ᵐTc, ¹³C, m²"),
        (r"at 37$^\circ$C, 4\,$^{\circ}$C and \ensuremath{2^{ab}}", "at 37°C, 4 °C and 2^ab"),
        (r"$\frac{3}{4}$ of \(x^2\) a\_b^c", "3/4 of x² a_b^c"),
        ("plain -- text", "plain -- text"),
    ],
)
def test_latex_becomes_unicode(latex: str, text: str, caplog: pytest.LogCaptureFixture) -> None:
    assert title(latex) == text
    assert caplog.messages == []


def test_latex_that_cannot_be_read_stays_and_is_counted() -> None:
    deep = "{" * 3000 + "x" + "}" * 3000
    (entry,), repairs = read("bibtex", f"@article{{k, title = {{{deep}}}}}")
    assert entry.document.title == deep
    assert repairs.counts == {"latex_not_decoded": 1}


@each_row(
    ("names", "authors", "groups"),
    [
        ("Frank R Hellinger and Nemo, Ana", "Hellinger, Frank R; Nemo, Ana", ""),
        (
            r"Nu\~nez, A and \L{}ukasz Bar and \L ukasz Foo and \O lsen, B and \'Avila, C",
            "Nuñez, A; Bar, Łukasz; Foo, Łukasz; Ølsen, B; Ávila, C",
            "",
        ),
        (
            r"{\L}ukasz Bar and \v{S}mid, A and G\"{o}del, K and \c Celik, M and Stra\ss e, F and Mart\'\i n, \AA ge",
            "Bar, Łukasz; Šmid, A; Gödel, K; Çelik, M; Straße, F; Martín, Åge",
            "",
        ),
        (r"Doe, Gro\ss and Hans Wei\ss and \AE and Roe, B", "Doe, Groß; Weiß, Hans; Æ; Roe, B", ""),
        (
            "family=Berg, given=Jan, prefix=van den, suffix=Jr, useprefix=true and family={Mu\\~noz}, given=A and D, A",
            "van den Berg, Jan Jr; Muñoz, A; D, A",
            "",
        ),
        (
            r"{Salt \& Sea, and \'Eire Group} and {Ana Mar{\'\i}a} Nemo",
            "Nemo, Ana María",
            "Salt & Sea, and Éire Group",
        ),
        ('van der Berg, Jan and {\\AA}ngstr{\\"o}m, A', "van der Berg, Jan; Ångström, A", ""),
        ("Hellinger, Jr, Frank", "Hellinger, Frank Jr", ""),
        ("{WHO} and {Salt and Sea, Group}", "", "WHO; Salt and Sea, Group"),
        ("{Nemo}, {Ana}", "Nemo, Ana", ""),
        ("J.~A. Nemo", "Nemo, J. A.", ""),
        ("A, B, C, D, E", "A, C D E B", ""),
        ("Nemo and others", "Nemo", ""),
    ],
)
def test_names_are_divided_after_their_latex_is_read_and_braces_protect(
    names: str, authors: str, groups: str
) -> None:
    told = facts("bibtex", f"@misc{{k, title = {{x}}, author = {{{names}}}}}")
    assert (told.get("authors", ""), told.get("corporate_authors", "")) == (authors, groups)


@each_row(
    ("fields", "named"),
    [
        ("year = 2016, month = mar, day = 3", {"date": "2016-03-03"}),
        ("year = {2016}, month = {March}", {"date": "2016-03"}),
        ("date = {2016-03-23}, year = 2016", {"date": "2016-03-23"}),
        ("journaltitle = {J Salt}", {"journal": "J Salt"}),
        ("booktitle = {Salts}", {"journal": "Salts"}),
        ('journal = jmu # { Letters} # " B"', {"journal": "Made Up Letters B"}),
        (
            "journal = jmul, month = sept # {~9}, year = 2020",
            {"journal": "Made Up Lett", "date": "2020-09-09"},
        ),
        ("eprint = {123}, eprinttype = {pubmed}", {}),
        ("pages = {817--820}", {"pages": "817-820"}),
        ("pages = {817–820}", {"pages": "817-820"}),
        ("keywords = {salt, sea}", {"keywords": "salt; sea"}),
        ("keywords = {salt; sea, deep}", {"keywords": "salt; sea, deep"}),
        ('year = 2019, month = "16~" # jul', {"date": "2019-07-16"}),
        ("year = {2019}, month = {16 July}", {"date": "2019-07-16"}),
        ("groups = {Diet, Salt}", {"collections": "Diet; Salt"}),
        ("groups = {Diet/Salt, Sea > Deep}", {"collections": "Diet; Diet › Salt; Sea; Sea › Deep"}),
        ("groups = {/A, B/, https://x}", {"collections": "/A; B/; https://x"}),
        ("mendeley-groups = {Diet/Salt,Sea}", {"collections": "Diet; Diet › Salt; Sea"}),
        ("mendeley-groups = {Diet}, mendeley-tags = {a,b}", {"collections": "Diet", "tags": "a; b"}),
        ("timestamp = {2020-03-11T10:00:00}", {"added": "2020-03-11"}),
        ("DOI = {10.1000/a_b%20c}", {"doi": "10.1000/a_b%20c"}),
        ("langid = {english}", {"language": "english"}),
    ],
)
def test_fields_of_each_program_are_facts(fields: str, named: dict[str, str]) -> None:
    macros = '@string{jmu = "Made Up"}\n@string(jmul = JMU # { Lett})\n@string{sept = {September}}\n'
    told = facts("bibtex", f"{macros}@misc{{k, title = {{x}}, {fields}}}")
    told.pop("year", None)
    assert told == named


def test_an_eprint_is_a_pmid_only_of_pubmed() -> None:
    for kind, ident in (("eprinttype = {PubMed}", "123"), ("archiveprefix = {arXiv}", "bibtex-k")):
        (entry,), _ = read("bibtex", f"@misc{{k, title = {{x}}, eprint = {{123}}, {kind}}}")
        assert entry.document.id == ident


@each_row(
    ("child", "parent", "named"),
    [
        (
            "",
            "year = 2015, title = {Book}, publisher = {P}, doi = {10.1/b}",
            {"date": "2015", "journal": "Book"},
        ),
        ("", "date = {2015-03}, booktitle = {Long}, title = {Book}", {"date": "2015-03", "journal": "Long"}),
        ("year = 2016", "year = 2015, month = mar, volume = 3", {"date": "2016", "volume": "3"}),
        ("journal = {Own}", "title = {Book}, author = {Roe, B}", {"journal": "Own", "authors": "Roe, B"}),
        ("author = {Doe, A}", "crossref = {top}, author = {Roe, B}", {"authors": "Doe, A", "date": "1999"}),
        ("", "crossref = {k}, year = 2015", {"date": "2015", "journal": "x"}),
    ],
)
def test_an_entry_has_what_its_crossref_has(child: str, parent: str, named: dict[str, str]) -> None:
    top = "@book{top, title = {Top}, year = 1999}"
    for order in (1, -1):
        both = [f"@misc{{k, title = {{x}}, crossref = {{Book1}}, {child}}}", f"@book{{book1, {parent}}}"][
            ::order
        ]
        entries, repairs = read("bibtex", "\n".join([top, *both]))
        (own,) = [entry.document for entry in entries if entry.key == "k"]
        told = {name: fact for name, fact in own.facts.items() if name not in ("year", "citation_key")}
        assert {"journal": "Top", **told} == {"journal": "Top", **named}
        assert (own.id, repairs.refused) == ("bibtex-k", 0)


def test_two_entries_with_one_key_are_two_papers_and_a_doubled_comma_is_none() -> None:
    data = """@string{k = {J}}
@article{k, title = {One},, journal = k, }
@article{k, author = {Doe, Ann}, title = {Two, , x}, doi = {10.1000/x}, journal = k , ,}
"""
    (one, two), repairs = read("bibtex", data)
    assert [each.document.title for each in (one, two)] == ["One", "Two, , x"]
    assert (two.document.id, two.document.facts["authors"]) == ("10.1000/x", "Doe, Ann")
    assert {each.document.facts["journal"] for each in (one, two)} == {"J"}
    assert repairs.counts == {"key_repeated": 1, "comma_left_out": 2}


def test_signs_of_latex_in_dois_and_paths_are_read() -> None:
    file = r":home/ana/M{\"{u}}ller{\_}a{\&}b.pdf:pdf;:C$\backslash$:/x/a{\_}b.pdf:pdf"
    data = f"@misc{{k, title = x, doi = {{10.1000/a{{\\_}}b\\_c{{\\textless}}d}}, file = {{{file}}}}}"
    (entry,), _ = read("bibtex", data)
    assert entry.document.id == "10.1000/a_b_c<d"
    assert entry.files == ("/home/ana/Müller_a&b.pdf", "C:/x/a_b.pdf")


def test_files_are_resolved_against_the_library_s_folder() -> None:
    field = r"Full: Text\: 1:files/12/a b.pdf:application/pdf;S:page.html:text/html;:C\:\\x\\b.pdf:PDF;:../c.pdf:PDF"
    (entry,), repairs = read("bibtex", f"@misc{{k, File = {{{field}}}, title = x}}")
    assert entry.files == ("/papers/files/12/a b.pdf", "C:\\x\\b.pdf")
    assert repairs.counts == {"attachment_not_pdf": 1, "path_outside_library": 1}


BROKEN = r"""% Encoding: UTF-8
@string{j = "Journal of Salt"}
@comment{jabref-meta: x;}

@article{good1, title = {One}, journal = j}
@article{good1, title = {Same key}}
@article{field, title = {One}, title = {Two}}
@article{open, title = {Never closed
@article{good2, title = {Two}}
@article{nocomma title = {x}}
@misc{empty}
@article{noequals, title}
@ARTICLE(good3, Title = "Three {"}x{"}")
@article{end, title = {cut
"""


def test_a_broken_entry_costs_itself_and_one_line(caplog: pytest.LogCaptureFixture) -> None:
    entries, repairs = read("bibtex", BROKEN, "lib.bib")
    assert [each.key for each in entries] == ["good1", "good1", "good2", "good3"]
    assert entries[0].document.facts["journal"] == "Journal of Salt"
    assert repairs.refused == 5
    assert [where for where, _ in repairs.refusals] == [f"lib.bib:{n}" for n in (7, 8, 10, 11, 12, 14)]
    whys = [why for _, why in repairs.refusals]
    assert whys[0] == "a broken entry: Duplicate field keys on entry: 'title'."
    assert all("\n" not in why for why in whys)
    assert repairs.counts == {"key_repeated": 1, "entry_empty": 1}
    assert caplog.messages == []


_LONG = "word " * 200_000
_DOUBLED = "".join(f"@string{{M{n} = m{n - 1} # M{n - 1}}}" for n in range(1, 60))


@each_row(
    "text",
    [
        f"@string{{m = {{{_LONG}}}}}" + "".join(f"@misc{{k{n}, title = {{x}}, abstract = m}}" for n in range(99)),
        f'@string(Big = "{_LONG}")@misc{{k, ' + ", ".join(f"a{n} = BIG" for n in range(99)) + "}",
        f"@string{{m = {{{_LONG}}}}}@misc{{k, note = " + " # ".join(["m"] * 99) + "}",
        f"@string{{m0 = {{word }}}}{_DOUBLED}@misc{{k, title = M59}}",
    ],
    ids=["many entries", "many fields", "a chain", "doubled"],
)  # fmt: skip
def test_macros_do_not_become_more_than_there_is_room_for(text: str) -> None:
    tracemalloc.start()
    with pytest.raises(InputError, match=r"lib\.x(:1)?: its values would become more than 64 MiB"):
        read("bibtex", text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < ROOM


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bibtex, "find_spec", lambda name: None)
    with pytest.raises(
        InputError, match=r'to read BibTeX needs bibtexparser.*pip install "anagnosis\[libraries\]"'
    ):
        read("bibtex", "@misc{a, title = {x}}")


@given(st.text('@{}\\"=,#$%&~ \nabk', max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    entries, _ = read("bibtex", f"@misc{{a, title = {{x}}, note = {text}}}\n\n@misc{{b, title = {{y}}}}")
    assert len(entries) <= 2
