"""Vocabularies and annotations that `annotate` refuses: exit code 2, one line, no traceback, no output."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.acceptance.test_bad_inputs import pubtator
from tests.refusals import refused

from anagnosis import api


def annotate(at: Path, *source: str) -> list[str]:
    return ["annotate", str(pubtator(at / "1.pubtator")), *source, "--out", str(at / "out.jsonl")]


def terms(at: Path, name: str, content: str) -> list[str]:
    (at / name).write_text(content)
    return annotate(at, "--terms", str(at / name))


def terms_that_are_missing(at: Path) -> list[str]:
    return annotate(at, "--terms", str(at / "missing.tsv"))


def empty_terms(at: Path) -> list[str]:
    return terms(at, "terms.tsv", "")


def terms_of_no_format(at: Path) -> list[str]:
    return terms(at, "terms.tsv", "%PDF-1.7 not what its name says\n")


def terms_without_a_column_of_names(at: Path) -> list[str]:
    return terms(at, "terms.tsv", "id\tsynonyms\nX1\theart attack|HA\n")


def terms_that_are_their_own_parents(at: Path) -> list[str]:
    parents = {"MU:1": "MU:2", "MU:2": "MU:3", "MU:3": "MU:1"}
    stanzas = (f"[Term]\nid: {child}\nname: a\nis_a: {parent}\n" for child, parent in parents.items())
    return terms(at, "cycle.obo", "\n".join(("format-version: 1.2\n", *stanzas)))


def umls_without_a_column(at: Path) -> list[str]:
    row = "C0000001|ENG|P|L1|PF|S1|Y|A1||M1||MSH|MH|D1|Fever|0|N||\n"
    return terms(at, "MRCONSO.RRF", row + row.replace("|MSH|", "|"))


def mesh_with_an_entity_bomb(at: Path) -> list[str]:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    return terms(
        at,
        "desc.xml",
        f'<?xml version="1.0"?>\n<!DOCTYPE DescriptorRecordSet [<!ENTITY e0 "x">{entities}]>\n'
        "<DescriptorRecordSet><DescriptorRecord><DescriptorUI>&e9;</DescriptorUI></DescriptorRecord>"
        "</DescriptorRecordSet>\n",
    )


def annotations_of_another_version(at: Path) -> list[str]:
    (at / "1.txt").write_text(
        "NamedEntity\t29\t41\tsemantic=problem\tassertion=present\tcui=C1\tne=heart attack\n"
    )
    return annotate(at, "--from", "clamp", str(at / "1.txt"))


def neither_terms_nor_annotations(at: Path) -> list[str]:
    return annotate(at)


def stored(at: Path) -> Path:
    (at / "t.tsv").write_text("id\tname\nX1\theart attack\n")
    api.store_terms([at / "t.tsv"], at / "stored.terms")
    return at / "stored.terms"


def stored_by_another_version(at: Path) -> list[str]:
    path = stored(at)
    path.write_bytes(path.read_bytes().replace(b"vocabulary 1\n", b"vocabulary 9\n", 1))
    return annotate(at, "--terms", str(path))


def stored_and_changed(at: Path) -> list[str]:
    path = stored(at)
    path.write_bytes(path.read_bytes().replace(b"heart", b"Heart", 1))
    return annotate(at, "--terms", str(path))


def stored_and_truncated(at: Path) -> list[str]:
    path = stored(at)
    path.write_bytes(path.read_bytes()[:-8])
    return annotate(at, "--terms", str(path))


def stored_with_a_rule_that_is_to_be_left_out(at: Path) -> list[str]:
    return annotate(at, "--terms", str(stored(at)), "--without", "obsolete_term")


REFUSED: list[tuple[Callable[[Path], list[str]], str]] = [
    (terms_that_are_missing, "missing.tsv: no such file or folder; check the path"),
    (empty_terms, "terms.tsv: the file is empty; check how it was made"),
    (terms_of_no_format, "terms.tsv:1: no vocabulary format recognises its first bytes; give one of obo, "),
    (terms_without_a_column_of_names, "terms.tsv:1: no column name or "),
    (
        terms_that_are_their_own_parents,
        "cycle.obo:3: is_a leads from MU:1 back to itself (MU:1 → MU:2 → MU:3",
    ),
    (umls_without_a_column, "MRCONSO.RRF:2: 17 columns, not 18 with a | behind each"),
    (mesh_with_an_entity_bomb, "desc.xml:1: malformed XML: "),
    (
        annotations_of_another_version,
        "1.txt:1: 'heart attack' is annotated at 29–41, but the text of 1 reads ",
    ),
    (
        stored_by_another_version,
        "stored.terms: another version of anagnosis stored it; store the vocabulary again",
    ),
    (
        stored_and_changed,
        "stored.terms: the file has changed since it was written; store the vocabulary again",
    ),
    (
        stored_and_truncated,
        "stored.terms: the file has changed since it was written; store the vocabulary again",
    ),
    (
        stored_with_a_rule_that_is_to_be_left_out,
        "--without: obsolete_term was applied when stored.terms was stored; store it again with ",
    ),
    (neither_terms_nor_annotations, "--terms: neither a vocabulary nor annotations; name either: "),
]


@pytest.mark.parametrize(("given", "line"), REFUSED, ids=lambda value: getattr(value, "__name__", ""))
def test_is_answered_with_one_line_and_exit_code_2(
    given: Callable[[Path], list[str]], line: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert line in refused(["-q", *given(tmp_path)], capfd)
    assert not (tmp_path / "out.jsonl").exists()
