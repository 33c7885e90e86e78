"""Questions of an index in other words: what joins them, what is shown, and what the user removes."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rows import each_row

pytest.importorskip("tantivy", reason="the extra search is not installed")

import json

from anagnosis import api
from anagnosis.cli import run

PAIRS = [("heart attack", "myocardial infarction"), ("TP53", "p53"), ("IL-6", "interleukin-6")]
SPELLED = [("haemoglobin", "hemoglobin"), ("anaemia", "anemia"), ("tumours", "tumors"), ("oedema", "edema")]
TERMS = "id\tname\tsynonyms\n1\tmyocardial infarction\theart attack\n2\tTP53\tp53\n3\tIL-6\tinterleukin-6\n"
_IN_A_TEXT = "{} was seen in {} of the patients."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve papers with each name, and twenty about other things."""
    at = tmp_path_factory.mktemp("synonyms")
    names = [name for pair in (*PAIRS, *SPELLED) for name in pair]
    texts = [
        (name, _IN_A_TEXT.format(name, "some " * (number % 4))) for name in names for number in range(12)
    ]
    texts += [("walks", _IN_A_TEXT.format("A walk", "none"))] * 20
    papers = [{"_id": f"d{number}", "title": "", "text": text} for number, (_, text) in enumerate(texts)]
    (at / "papers.jsonl").write_text("".join(json.dumps(paper) + "\n" for paper in papers))
    (at / "terms.tsv").write_text(TERMS)
    api.index([at / "papers.jsonl"], at / "index", terms=[at / "terms.tsv"])
    return at / "index"


def found(folder: Path, question: str, **how: object) -> list[str]:
    answer = api.search(folder, question, limit=40, **how)  # pyright: ignore[reportArgumentType]
    return [hit.passage.document for hit in answer.found]


@each_row(("first", "second"), [*PAIRS, *SPELLED])
def test_two_names_of_one_thing_find_the_same(folder: Path, first: str, second: str) -> None:
    assert {*found(folder, first)[:24]} == {*found(folder, second)[:24]}


def test_an_answer_shows_what_was_added(folder: Path) -> None:
    answer = api.search(folder, "heart attack with oedema")
    shown = {one.words: [*one.added] for one in answer.expanded}
    assert shown == {"heart attack": ["myocardial infarction"], "oedema": ["edema"]}
    assert api.ask(folder, "Is heart attack with oedema common?").expanded == answer.expanded
    assert api.search(folder, "heart attack", no_synonyms=True).expanded == ()


@pytest.mark.parametrize("without", ["myocardial infarction", "heart attack"])
def test_what_the_user_removes_is_not_searched(folder: Path, without: str) -> None:
    assert found(folder, "heart attack", without=[without]) == found(folder, "heart attack", no_synonyms=True)


def test_what_is_in_quotation_marks_required_or_excluded_stays_as_typed(folder: Path) -> None:
    assert found(folder, '"heart attack"') == found(folder, '"heart attack"', no_synonyms=True)
    assert len(found(folder, "patients -anaemia anemia")) == len(found(folder, "patients anemia"))
    required = "patients AND (walk OR anaemia)"
    counts = [api.search(folder, required, no_synonyms=alone).matches for alone in (False, True)]
    assert counts[0] == counts[1]


def test_a_sentence_with_another_name_answers(folder: Path) -> None:
    answer = api.ask(folder, "Was heart attack seen?", limit=20)
    alone = api.ask(folder, "Was heart attack seen?", limit=20, no_synonyms=True)
    typed = max(each.score for each in answer.evidence if "heart attack" in each.text)
    other = max(each.score for each in answer.evidence if "myocardial infarction" in each.text)
    assert other == pytest.approx(typed, abs=0.3)  # the longer name has other ranks
    assert not any("myocardial" in each.text for each in alone.evidence)


def test_a_typo_of_a_common_word_of_titles_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    papers = [
        {"_id": f"d{number}", "title": "Heart attack: a myocardial infarction", "text": "It was seen."}
        for number in range(6)
    ]
    (tmp_path / "papers.jsonl").write_text("".join(json.dumps(paper) + "\n" for paper in papers))
    api.index([tmp_path / "papers.jsonl"], tmp_path / "index")
    assert api.search(tmp_path / "index", "myocardail infarction").did_you_mean == "myocardial infarction"
    assert api.search(tmp_path / "index", "myocardial infarction").did_you_mean == ""
    assert run(["search", str(tmp_path / "index"), "heart atttack infraction"]) == 0
    assert "Did you mean: heart attack infarction" in capsys.readouterr().out


def test_the_command_prints_what_was_added_and_takes_it_away(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["search", str(folder), "heart attack"]) == 0
    assert "Also searched, heart attack: myocardial infarction." in capsys.readouterr().out
    assert run(["search", str(folder), "heart attack", "--without", "myocardial infarction"]) == 0
    assert "Also searched" not in capsys.readouterr().out
    assert run(["ask", str(folder), "heart attack", "--no-synonyms"]) == 0
    assert "Also searched" not in capsys.readouterr().out


def test_a_search_is_evaluated_with_and_without(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "topics.tsv").write_text("q1\thaemoglobin\n")
    relevant = found(folder, "hemoglobin", no_synonyms=True)
    (tmp_path / "qrels.txt").write_text("".join(f"q1 0 {one} 1\n" for one in relevant))
    values = [
        api.evaluate_search(
            [folder],
            judgements=tmp_path / "qrels.txt",
            topics=tmp_path / "topics.tsv",
            measures=["recall@100"],
            no_synonyms=alone,
        )
        .systems[0]
        .estimates["recall@100"]
        .value
        for alone in (False, True)
    ]
    assert values == [1.0, 0.0]
