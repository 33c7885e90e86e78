"""The site of a board: the same bytes each time, no script, inert names, links that lead somewhere."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from tests.builds import contents
from tests.leaderboard import boards
from tests.leaderboard.boards import TODAY, lines, people, submit

from anagnosis import api, cli
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError

NASTY = '"><script>alert(1)</script><img src=x onerror=alert(2)>'


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return boards.dataset(tmp_path_factory.mktemp("board"))


def entered(folder: Path, built: Dataset, names: str = "abc") -> None:
    for number, name in enumerate(names):
        submit(
            folder,
            name,
            {"test.jsonl": lines(built, 0.2 + 0.2 * "abcdef".index(name), number)},
            name=f"System {name}",
            date=date(2024, 1 + "abcdef".index(name), 1),
        )


def made(folder: Path, built: Dataset, out: str = "site", **how: Any) -> dict[str, bytes]:
    api.build_leaderboard(folder / "submissions", [built], folder / out, today=TODAY, **how)
    return contents(folder / out)


class Page(HTMLParser):
    """Tags, links, identifiers and text of a page."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(data.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data

    @property
    def links(self) -> list[str]:
        return [value or "" for name, value in self.attributes if name == "href"]

    @property
    def ids(self) -> list[str]:
        return [value or "" for name, value in self.attributes if name == "id"]


def pages(site: dict[str, bytes]) -> Iterator[tuple[str, Page]]:
    yield from ((name, Page(data)) for name, data in site.items() if name.endswith(".html"))


def test_two_builds_give_the_same_bytes_also_in_another_order(tmp_path: Path, built: Dataset) -> None:
    rows = {name: lines(built, 0.5, seed) for seed, name in enumerate("abc")}
    for folder, order in (("one", "abc"), ("other", "cab")):
        for name in order:
            submit(tmp_path / folder, name, {"test.jsonl": rows[name]})
    first, other = made(tmp_path / "one", built), made(tmp_path / "other", built)
    assert first == other == made(tmp_path / "one", built)


def test_every_link_leads_to_a_page_or_a_place_on_it(tmp_path: Path, built: Dataset) -> None:
    entered(tmp_path, built)
    submit(tmp_path, "bad", {})
    site = made(tmp_path, built)
    found = dict(pages(site))
    assert len(found) == 5  # the index, a board, three systems
    for name, page in found.items():
        assert len(page.ids) == len(set(page.ids))
        for link in page.links:
            assert not link.startswith(("/", "http")), "works from disk and under any address"
            path, _, place = unquote(link).partition("#")
            target = (Path(name).parent / path).as_posix() if path else name
            target = re.sub(r"[^/]+/\.\./", "", target)
            assert target in found, (name, link)
            assert not place or place in found[target].ids, (name, link)


def test_no_page_has_a_script_or_an_inline_style_and_each_allows_its_style_alone(
    tmp_path: Path, built: Dataset
) -> None:
    entered(tmp_path, built)
    for name, page in pages(made(tmp_path, built)):
        assert not {"script", "iframe", "object", "embed", "form", "link", "base"} & {*page.tags}, name
        assert page.tags.count("style") == 1
        assert not [key for key, _ in page.attributes if key == "style" or key.startswith("on")]
        (policy,) = (
            value or "" for key, value in page.attributes if key == "content" and "src" in str(value)
        )
        assert re.fullmatch(
            r"default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; base-uri 'none'; form-action 'none'",
            policy,
        )


def test_hostile_names_are_text(tmp_path: Path, built: Dataset) -> None:
    rows = lines(built, 0.5)
    about = {"name": NASTY, "team": NASTY, "description": f"{NASTY} {{{{ 7 * 7 }}}}", "training_data": ""}
    submit(tmp_path, NASTY.replace("/", "∕"), {"test.jsonl": rows}, **about)
    submit(tmp_path, "people", {"a.jsonl": people(rows[:9], NASTY, "e\u202ex\x1b[31m" + NASTY[:40])})
    submit(
        tmp_path, "bad", {"a\u202eb.jsonl": [{**rows[0], NASTY: 1}], f"{NASTY.replace('/', '∕')}.txt": b""}
    )
    site = made(tmp_path, built)
    for name, page in pages(site):
        assert not {"script", "img"} & {*page.tags}, name
        assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x1b]", site[name].decode())
    index = dict(pages(site))["index.html"]
    assert NASTY in index.text
    assert "{{ 7 * 7 }}" in " ".join(page.text for _, page in pages(site))
    assert not [name for name in site if re.search(r"[^a-z0-9./-]", name)]


def test_records_and_manifest_lie_beside_the_pages(tmp_path: Path, built: Dataset) -> None:
    entered(tmp_path, built)
    site = made(tmp_path, built)
    record = json.loads(site["board.json"])
    assert record["record"] == "board"
    assert [system["submission"] for system in record["systems"]] == ["a", "b", "c"]
    manifest = json.loads(site["manifest.json"])
    assert {*manifest["files"], "manifest.json"} == set(site)


def test_an_earlier_site_is_replaced_whole(
    tmp_path: Path, built: Dataset, capsys: pytest.CaptureFixture[str]
) -> None:
    entered(tmp_path, built)
    before = made(tmp_path, built)
    entered(tmp_path, built, "d")
    after = made(tmp_path, built)
    assert f"replaced {tmp_path / 'site'}" in capsys.readouterr().err
    assert len(after) == len(before) + 1
    assert not [*tmp_path.glob(".*")]


def test_a_page_that_somebody_changed_is_overwritten_only_when_asked(tmp_path: Path, built: Dataset) -> None:
    entered(tmp_path, built)
    before = made(tmp_path, built)
    with (tmp_path / "site" / "index.html").open("a") as page:
        page.write("mine")
    with pytest.raises(
        InputError, match=r"holds 1 page that changed since the site was built \(index.html\)"
    ):
        made(tmp_path, built)
    assert made(tmp_path, built, replace=True) == before


@pytest.mark.parametrize("stranger", ["CNAME", "boards/mine.html", "way"])
def test_other_files_are_never_removed(tmp_path: Path, built: Dataset, stranger: str) -> None:
    entered(tmp_path, built)
    made(tmp_path, built)
    if stranger == "way":
        (tmp_path / "site" / "way").symlink_to(tmp_path)
    else:
        (tmp_path / "site" / stranger).write_text("mine")
    before = contents(tmp_path / "site")
    fault = "way: is a link" if stranger == "way" else f"holds other files \\({stranger}\\)"
    for replace in (False, True):
        with pytest.raises(InputError, match=fault):
            made(tmp_path, built, replace=replace)
    assert contents(tmp_path / "site") == before


def test_a_page_that_somebody_removed_is_made_again(tmp_path: Path, built: Dataset) -> None:
    entered(tmp_path, built)
    before = made(tmp_path, built)
    (tmp_path / "site" / "index.html").unlink()
    assert made(tmp_path, built) == before


def test_an_error_leaves_the_earlier_site(
    tmp_path: Path, built: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    entered(tmp_path, built)
    before = made(tmp_path, built)
    from anagnosis.reports.leaderboard import site

    def fails(*given: object) -> None:
        raise InputError("no", "room")

    monkeypatch.setattr(site, "write", fails)
    with pytest.raises(InputError):
        made(tmp_path, built)
    assert contents(tmp_path / "site") == before


def test_a_refused_build_leaves_nothing(tmp_path: Path, built: Dataset) -> None:
    (tmp_path / "submissions").mkdir()
    with pytest.raises(InputError, match="holds no folder of a submission"):
        made(tmp_path, built)
    assert [path.name for path in tmp_path.iterdir()] == ["submissions"]


@pytest.mark.parametrize("place", ["site", "a/site", "a"])
def test_a_site_is_not_written_among_the_submissions(tmp_path: Path, built: Dataset, place: str) -> None:
    entered(tmp_path, built, "a")
    before = contents(tmp_path / "submissions")
    with pytest.raises(InputError, match="lies in an input of this command"):
        made(tmp_path, built, f"submissions/{place}")
    assert contents(tmp_path / "submissions") == before


def test_systems_that_are_equal_on_every_question_are_called_so_and_have_no_p_value(
    tmp_path: Path, built: Dataset
) -> None:
    rows = lines(built, 0.5)
    for name in "ab":
        submit(tmp_path, name, {"test.jsonl": rows}, name=f"System {name}")
    site = dict(pages(made(tmp_path, built)))
    (board,) = (page for name, page in site.items() if name.startswith("boards/"))
    assert "equal on every question" in board.text
    assert "p = 1" not in board.text
    assert "equal on every question toSystem b" in next(
        page.text for name, page in site.items() if name.startswith("systems/a")
    )


def test_what_a_system_does_not_say_of_its_training_is_not_stated(tmp_path: Path, built: Dataset) -> None:
    entered(tmp_path, built, "a")
    for name, page in pages(made(tmp_path, built)):
        assert ("not stated" in page.text) == (name != "index.html")


def test_cards_name_the_team_of_each_system(tmp_path: Path, built: Dataset) -> None:
    submit(tmp_path, "a", {"test.jsonl": lines(built, 0.5)}, team="Team of the card")
    index = dict(pages(made(tmp_path, built)))["index.html"]
    assert index.text.count("Team of the card") == 2  # in the card, and in the list of systems


@pytest.mark.parametrize("name", ["a", "-a b", "it's"])
def test_the_command_of_a_page_runs_in_the_folder_of_submissions(
    tmp_path: Path, built: Dataset, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit(tmp_path, name, {"p.jsonl": lines(built, 0.5), "q.jsonl": lines(built, 0.6, 1)})
    submit(tmp_path, "other", {"r.jsonl": lines(built, 0.4, 2)})
    shown = " ".join(page.text for _, page in pages(made(tmp_path, built)))
    command = next(
        line for line in shown.splitlines() if line.startswith("anagnosis compare") and "p.jsonl" in line
    )
    words = shlex.split(command)[1:]
    given = {"DATASET": str(built.folder), "OTHER.jsonl": "other/r.jsonl"}
    monkeypatch.chdir(tmp_path / "submissions")
    assert cli.run([given.get(word, word) for word in words]) == 0


def test_a_site_without_a_scored_system_says_so(tmp_path: Path, built: Dataset) -> None:
    submit(tmp_path, "bad", {})
    index = dict(pages(made(tmp_path, built)))["index.html"]
    assert "No system could be scored." in index.text
    assert "holds no predictions file" in index.text


def test_a_card_counts_people_beside_systems(tmp_path: Path, built: Dataset) -> None:
    rows = lines(built, 0.8)
    submit(tmp_path, "people", {"a.jsonl": people(rows, "ann"), "b.jsonl": people(rows, "bea")}, view="names")
    submit(tmp_path, "both", {"a.jsonl": people(rows, "cy")})
    submit(tmp_path, "system", {"test.jsonl": rows})
    text = " ".join(dict(pages(made(tmp_path, built)))["index.html"].text.split())
    assert "2 people, 1 measure of BioMRC, test, names view" in text
    assert "1 system, 1 person, 1 measure of BioMRC, test, global view" in text


def test_the_title_is_that_of_every_page(tmp_path: Path, built: Dataset) -> None:
    entered(tmp_path, built)
    for _, page in pages(made(tmp_path, built, title="Our <board>")):
        assert "Our <board>" in page.text


def test_a_hidden_split_says_that_it_is_and_shows_no_command_that_needs_its_answers(
    tmp_path: Path, built: Dataset
) -> None:
    entered(tmp_path, built)
    day = date(2024, 1, 2)
    for name in ("x", "y"):
        submit(tmp_path, name, {"test.jsonl": lines(built, 0.4)}, date=day, name=f"Late {name}")
    site = dict(pages(made(tmp_path, built, hidden=["test"], per_month=2)))
    (board,) = (page for name, page in site.items() if name.startswith("boards/"))
    assert "The answers of this split are hidden." in board.text
    assert "p =" not in board.text
    assert "Late y of Example Lab, 2024-01-02: BioMRC test" in " ".join(site["index.html"].text.split())
    assert not any("anagnosis compare" in page.text for page in site.values())
