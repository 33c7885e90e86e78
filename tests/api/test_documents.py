"""The verbs over documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.documents.formats.detect import written_as
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError


def test_read_counts_what_it_mends_and_refuses(tmp_path: Path) -> None:
    repairs = Repairs()
    assert len(list(api.read(carried(), repairs=repairs))) == 81
    assert (dict(repairs.counts), repairs.refused) == ({"mention_without_identifier": 5}, 0)
    latin = tmp_path / "latin.pubtator"
    latin.write_bytes("1|t|Café\n1|a|Short.\n\n".encode("latin-1"))
    refused = Repairs()
    assert list(api.read(latin, repairs=refused)) == []
    ((where, _),) = refused.refusals
    assert where == "latin.pubtator:1"


def test_a_format_that_is_named_is_not_guessed() -> None:
    with pytest.raises(InputError):
        list(api.read(carried(), format="bioc-json"))
    with pytest.raises(InputError, match="unknown format 'bioc-jsn'; did you mean bioc-json"):
        list(api.read(carried(), format="bioc-jsn"))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("x.jsonl.gz", "jsonl"),
        ("X.JSON", "bioc-json"),
        ("x.xml", "bioc-xml"),
        ("x.txt", "pubtator"),
        ("-", "pubtator"),
    ],
)
def test_the_ending_of_the_name_says_what_is_written(name: str, expected: str) -> None:
    assert written_as(name) == expected
