"""What happened to one document, rule by rule."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.articles import abstract, article, drug, text

from anagnosis import api
from anagnosis.datasets.biomrc import rules
from anagnosis.datasets.biomrc.explain import Explanation, explain
from anagnosis.datasets.biomrc.recipe import BioMRCRecipe
from anagnosis.datasets.build.inputs import InputFiles
from anagnosis.documents.document import Document
from anagnosis.errors import InputError


def explained(folder: Path, *articles: Document, ident: str = "1") -> list[Explanation]:
    (folder / "a.pubtator").write_bytes(text(*articles))
    return list(explain(InputFiles([folder / "a.pubtator"]), ident, BioMRCRecipe()))


def test_a_kept_article_passes_every_rule_and_shows_its_questions(tmp_path: Path) -> None:
    (found,) = explained(tmp_path, article(ident="0"), article())
    asked = [rule.__name__ for rule in (*rules.TEXT_RULES, *rules.MENTION_RULES)]
    assert found.verdicts == [(rule, False) for rule in (*asked, "no_instance_left")]
    assert found.instances == ["XXXX in a trial of ten weeks"]
    assert found.where == "a.pubtator:10"
    assert found.facts == {
        "title_characters": 30,
        "title_tokens": 8,
        "abstract_characters": 304,
        "sentences": 10,
        "mentions_in_title": 1,
        "mentions_in_abstract": 5,
        "identifiers_in_abstract": 3,
    }


def test_a_dropped_article_is_asked_no_further(tmp_path: Path) -> None:
    (found,) = explained(tmp_path, article(body=abstract([1, 2])))
    assert found.verdicts[-1] == ("too_few_mentions", True)
    assert all(not dropped for _, dropped in found.verdicts[:-1])
    assert found.instances == []


def test_an_article_without_an_instance_left_says_which_rule_took_them(tmp_path: Path) -> None:
    (found,) = explained(tmp_path, article(body=abstract([1, 1, 1, 2, 2])))
    assert found.verdicts[-1] == ("no_instance_left", True)
    assert found.instances_dropped == {"answer_most_frequent": 1}


def test_every_document_of_that_id_is_explained(tmp_path: Path) -> None:
    found = explained(tmp_path, article(), article(f"{drug(1)} in another trial"), article(ident="11"))
    assert [e.where for e in found] == ["a.pubtator:1", "a.pubtator:10"]


def test_the_repairs_are_those_of_this_document(tmp_path: Path) -> None:
    other = text(article(ident="2")).replace(b"\tdrug 2\t", b"\tDRUG-2\t")
    (tmp_path / "a.pubtator").write_bytes(other + text(article()).replace(b"MESH:D1", b"-"))
    source = InputFiles([tmp_path / "a.pubtator"])
    (found,) = explain(source, "1", BioMRCRecipe())
    assert found.repairs == {"mention_without_identifier": 3}


def test_an_unknown_id_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.pubtator").write_bytes(text(article()))
    with pytest.raises(InputError, match="no document '7' in the input"):
        api.explain("biomrc", [tmp_path / "a.pubtator"], "7")


def test_what_explain_says_is_what_a_build_does(tmp_path: Path) -> None:
    articles = [article(ident="1"), article(body=abstract([1, 2]), ident="2"), article("short", ident="3")]
    dropped = {
        rule: 1
        for ident in "123"
        for found in explained(tmp_path, *articles, ident=ident)
        for rule, said in found.verdicts
        if said
    }
    built = api.build("biomrc", [tmp_path / "a.pubtator"], tmp_path / "out", workers=1)
    assert built.receipt.documents.dropped == dropped
