"""Every engine keeps the contract, one without a folder included; and that one is driven by the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

pytest.importorskip("tantivy", reason="the extra search is not installed")

from tests.searching.engines.contract import CHECKS
from tests.searching.engines.contract_trial import EngineTrial, trial

from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.errors import InputError
from anagnosis.searching.engines import ENGINES, embedded, engine_module
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries.tree import AllOf, Phrase, Query, Word
from anagnosis.searching.records.matches import Matches

QUESTION = "Does cold brew coffee raise gastric pH less than espresso?"


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of an engine that is in the table while the test runs."""
    monkeypatch.setitem(ENGINES, "toy", "tests.searching.engines.toy")
    return "toy"


def settings_of(place: Path) -> Path:
    """The file that the toy reads: where it keeps what it is given, which is not in the index folder."""
    path = place.with_name(f"{place.name}-settings.json")
    path.write_text(json.dumps({"store": str(place.with_name(f"{place.name}-store"))}))
    return path


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_keeps_the_contract(name: str, check: Any, tmp_path: Path) -> None:
    with trial(engine_module(name), tmp_path / "engine") as made:
        check(made)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_an_engine_without_a_folder_keeps_the_contract(toy: str, check: Any, tmp_path: Path) -> None:
    with trial(engine_module(toy), tmp_path / "engine", settings_of) as made:
        check(made)


WRONG = {
    "passages_come_back_as_they_were": ("document", lambda trial: lambda ident: []),
    "counts_are_of_what_is_there": ("frequency", lambda trial: lambda words: [1] * len(words)),
    "the_best_come_first_and_no_more_than_asked": ("search", lambda trial: turned(trial)),
    "equal_scores_are_in_the_order_of_ids": ("search", lambda trial: turned(trial)),
    "filters_let_through_what_they_say": ("search", lambda trial: unfiltered(trial)),
    "any_words_can_be_searched": ("search", lambda trial: failing),
    "names_are_found_however_they_are_written": ("search", lambda trial: lambda *asked: []),
    "nothing_is_seen_before_a_commit_and_all_of_it_after": ("version", lambda trial: lambda: "1"),
    "what_was_not_committed_is_lost": ("close", lambda trial: trial.engine.commit),
    "a_reader_sees_the_commit_of_another": ("commit", lambda trial: lambda: None),
    "a_second_writer_is_refused": ("delete", lambda trial: lambda ident: trial.engine.close()),
    "parts_match_what_they_say": ("search", lambda trial: without_phrases(trial)),
    "queries_match_what_they_say": ("search", lambda trial: without_exclusions(trial)),
    "conditions_change_no_score": ("search", lambda trial: with_conditions_ranked(trial)),
    "synonyms_count_as_one_word": ("search", lambda trial: with_synonyms_apart(trial)),
    "the_latest_come_first_when_sorted_by_date": ("search", lambda trial: by_score(trial)),
    "a_query_without_ranked_parts_comes_by_date": ("search", lambda trial: by_score(trial)),
    "papers_and_passages_are_counted": ("matches", lambda trial: lambda *asked: Matches(3, 4)),
    "papers_are_there_by_document_and_alias": (
        "papers",
        lambda trial: lambda documents: [None] * len(documents),
    ),
    "words_and_names_are_there_as_printed": ("near_words", lambda trial: lambda word, limit: []),
    "names_are_there_or_others_near_them": ("journals", lambda trial: lambda name, limit: ["Journal of Tea"]),
}


CHECK = {each.__name__: each for each in CHECKS}


def turned(trial: EngineTrial) -> Any:
    search = trial.engine.search
    return lambda *asked: search(*asked)[::-1]


def unfiltered(trial: EngineTrial) -> Any:
    search = trial.engine.search
    return lambda query, filters, limit: search(query, Filters(), limit)


def searching(trial: EngineTrial, changed: Any) -> Any:
    """A search that asks another query than it was given."""
    search = trial.engine.search
    return lambda query, *asked, **named: search(changed(query), *asked, **named)


def without_phrases(trial: EngineTrial) -> Any:
    def words(part: Any) -> Any:
        return AllOf(tuple(map(Word, part.words))) if isinstance(part, Phrase) else part

    return searching(trial, lambda query: replace(query, required=tuple(map(words, query.required))))


def without_exclusions(trial: EngineTrial) -> Any:
    return searching(trial, lambda query: replace(query, excluded=()))


def with_conditions_ranked(trial: EngineTrial) -> Any:
    def also(query: Query) -> Query:
        phrases = tuple(part for part in query.required if isinstance(part, Phrase))
        return replace(query, ranked=(*query.ranked, *phrases))

    return searching(trial, also)


def with_synonyms_apart(trial: EngineTrial) -> Any:
    def members(query: Query) -> Query:
        apart = [getattr(part, "members", (part,)) for part in query.ranked]
        return replace(query, ranked=tuple(one for each in apart for one in each))

    return searching(trial, members)


def by_score(trial: EngineTrial) -> Any:
    search = trial.engine.search

    def ids_last(query: Query, filters: Any, limit: int, sort: str = "") -> Any:
        return sorted(search(query, filters, limit), key=lambda hit: (-hit.score, hit.passage.id))

    return ids_last


def failing(*asked: Any) -> Any:
    raise ValueError(f"no query: {asked}")


@pytest.mark.parametrize("name", WRONG)
def test_an_engine_that_does_otherwise_is_found(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    method, wrong = WRONG[name]
    with trial(embedded, tmp_path / "engine") as made:
        monkeypatch.setattr(made.engine, method, wrong(made))
        with pytest.raises((AssertionError, ValueError, InputError)):
            CHECK[name](made)
        monkeypatch.undo()


def test_an_engine_without_a_folder_is_indexed_searched_asked_and_checked(
    toy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, place = str(tmp_path / "index"), tmp_path / "index"
    settings = str(settings_of(tmp_path / "toy"))
    corpus = str(carried())
    assert run(["index", corpus, "--out", out, "--engine", toy, "--engine-settings", settings]) == 0
    assert sorted(path.name for path in place.iterdir()) == ["index.json", "toy"]
    assert (place / "toy").is_file(), "a file of settings, and no folder"
    assert json.loads((place / "index.json").read_text())["engine"] == "toy"
    assert run(["index", corpus, "--out", str(tmp_path / "embedded")]) == 0
    capsys.readouterr()
    for command in ("search", "ask"):
        assert run([command, out, QUESTION, "--limit", "3", "--json"]) == 0
        given = json.loads(capsys.readouterr().out)
        assert run([command, str(tmp_path / "embedded"), QUESTION, "--limit", "3", "--json"]) == 0
        expected = json.loads(capsys.readouterr().out)
        key = "found" if command == "search" else "evidence"
        assert [one["passage"] for one in given[key]][:1] == [one["passage"] for one in expected[key]][:1]
        assert run([command, out, QUESTION]) == 0
        assert "documents" in capsys.readouterr().out
    assert run(["check", out]) == 0
    # The same again, without a word of the engine: it is remembered, and nothing is new.
    capsys.readouterr()
    assert run(["index", corpus, "--out", out, "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)["counts"]) == {"unchanged"}
    assert run(["index", corpus, "--out", out, "--engine", "embedded"]) == 2
    assert "this index has the engine toy, with its settings; leave it out" in capsys.readouterr().err


def test_an_unknown_engine_and_missing_settings_leave_nothing(
    toy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus, out = str(carried()), tmp_path / "index"
    assert run(["index", corpus, "--out", str(out), "--engine", "toi"]) == 2
    assert "unknown engine 'toi'; did you mean toy?" in capsys.readouterr().err
    assert run(["index", corpus, "--out", str(out), "--engine", toy]) == 2
    assert "the engine toy reads a file of settings" in capsys.readouterr().err
    assert not out.exists() or not any(out.iterdir())
