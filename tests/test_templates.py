"""The environment of templates: text of papers is escaped and masked, a name that is not there is an error."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from anagnosis.showing import environment

HOSTILE = "<script>\u202e'\""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package with one template."""
    folder = tmp_path / "pages_of_a_test" / "templates"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("")
    (folder / "page.html.jinja").write_text("{{ text }}|{{ known }}|{{ ours }}")
    monkeypatch.syspath_prepend(tmp_path)
    yield folder.parent.name
    sys.modules.pop(folder.parent.name, None)


@pytest.mark.parametrize(("mask", "sign"), [(True, "\ufffd"), (False, "\u202e")])
def test_text_is_escaped_and_masked_and_our_markup_stays(package: str, mask: bool, sign: str) -> None:
    page = environment(package, mask=mask, known=HOSTILE).get_template("page.html.jinja")
    escaped = f"&lt;script&gt;{sign}&#39;&#34;"
    assert page.render(text=HOSTILE, ours=Markup("<b>")) == f"{escaped}|{escaped}|<b>"


def test_a_name_that_is_not_there_is_an_error(package: str) -> None:
    page = environment(package, known="").get_template("page.html.jinja")
    with pytest.raises(UndefinedError, match="ours"):
        page.render(text="")
