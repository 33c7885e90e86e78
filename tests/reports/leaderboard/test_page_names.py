"""Names of pages: readable, safe in any folder, and never the same for two names."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from anagnosis.reports.leaderboard.page_names import page_name, part_page, system_page

SAFE = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?-[0-9a-f]{8}")


def test_a_name_stays_readable() -> None:
    assert re.fullmatch(r"systems/gpt-4-with-medrag-[0-9a-f]{8}\.html", system_page("GPT-4 with MedRAG"))
    assert re.fullmatch(r"boards/lite-test-names-[0-9a-f]{8}\.html", part_page("lite", "test", "names"))
    assert re.fullmatch(r"systems/uber-[0-9a-f]{8}\.html", system_page("Über"))
    assert re.fullmatch(r"systems/page-[0-9a-f]{8}\.html", system_page("系统"))


def test_a_part_is_named_by_all_three_and_not_by_their_joint() -> None:
    assert part_page("a", "test", "b") != part_page("a-test", "b", "")
    assert part_page("a", "b", "") != part_page("a", "", "b")


def test_the_same_name_has_the_same_page() -> None:
    assert system_page("a") == system_page("a")


names = st.text(st.characters(), max_size=120) | st.sampled_from(
    [
        "../../etc/passwd",
        "..",
        ".",
        "con",
        "NUL",
        "a\x00b",
        "\udcff",
        "a" * 300,
        "A",
        "a",
        "a ",
        " a",
        "-",
        "--a--",
    ]
)


@given(names)
def test_whatever_a_name_is_its_page_is_a_plain_file_in_one_folder(name: str) -> None:
    assert SAFE.fullmatch(page_name(name)), page_name(name)
    assert len(page_name(name)) <= 60


@given(st.lists(names, unique=True, max_size=30))
def test_no_two_names_have_one_page_not_even_where_case_is_ignored(given_names: list[str]) -> None:
    pages = [page_name(name).casefold() for name in given_names]
    assert len(set(pages)) == len(pages)
