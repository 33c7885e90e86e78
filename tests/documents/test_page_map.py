"""Page maps: what is written is read back, a part of a map is the map of the part, and hostile forms are none."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.documents.page_map import PageMap, Run, pages_of, read_page_map

FILE = "9f86d081884c7d65"


@st.composite
def maps(draw: st.DrawFn) -> PageMap:
    begin, runs = 0, list[Run]()
    for length in draw(st.lists(st.integers(1, 200), min_size=1, max_size=20)):
        runs.append(Run(begin, begin + length, draw(st.integers(0, 9)), draw(st.integers(0, 5000))))
        begin += length
    return PageMap(FILE, tuple(runs))


@given(maps())
def test_a_map_is_read_as_it_was_written(page_map: PageMap) -> None:
    assert read_page_map(page_map.written()) == page_map


@given(maps(), st.integers(0, 500), st.integers(0, 500))
def test_a_part_has_the_pages_of_its_characters(page_map: PageMap, begin: int, length: int) -> None:
    end = begin + length
    own = [run for run in page_map.runs if run.begin < end and begin < run.end]
    part = page_map.part(begin, end)
    assert part.pages == tuple(dict.fromkeys(run.page for run in own if run.page))
    assert sum(run.end - run.begin for run in part.runs) == max(min(end, page_map.runs[-1].end) - begin, 0)
    assert pages_of(page_map.written(), begin, end) == part.pages
    if own:
        assert part.runs[0].character == own[0].character + max(begin - own[0].begin, 0)


def test_a_text_that_ends_with_its_page_is_not_on_the_next_one() -> None:
    written = PageMap(FILE, (Run(0, 10, 1, 0), Run(10, 20, 2, 0))).written()
    assert (pages_of(written, 0, 10), pages_of(written, 10, 20), pages_of(written, 9, 11)) == (
        (1,),
        (2,),
        (1, 2),
    )


def test_lines_that_follow_each_other_take_few_bytes() -> None:
    runs = (Run(0, 64, 4, 0), Run(64, 122, 4, 65), Run(122, 130, 4, 127), Run(130, 200, 5, 120))
    assert PageMap(FILE, runs).written() == f"{FILE} 4:0 64 58+3 8 5:120 70"


@each_row(
    "written",
    [
        "",
        FILE,
        f"{FILE} 64",
        f"{FILE} 4:0",
        f"{FILE} 4:0 64 5:1",
        f"{FILE.upper()} 4:0 64",
        "../../etc/passwd 4:0 64",
        f"{FILE} 4:0 99999999999",
        f"{FILE} 4:0 64\n",
        f"{FILE} 4:0 ٦٤",
    ],
)
def test_other_forms_are_no_maps(written: str) -> None:
    assert read_page_map(written) is None
