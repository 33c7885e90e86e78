"""What trained readers say, in the API and on the page: whose it is, how sure, and the sentences that it rests on."""

from __future__ import annotations

import dataclasses
import html
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from tests import measured
from tests.web.apps import web_app
from tests.web.conftest import PAPERS
from tests.web.readers import LongWords, Withholding
from tests.web.test_quotes import SOURCES, WORDS
from tests.web.test_routes import COFFEE, outline, text

from anagnosis.language.question_kinds import KINDS
from anagnosis.recipes.load import names
from anagnosis.reports.search.results import NOTHING_FITS, STATES
from anagnosis.searching.analysis import nothing_asked
from anagnosis.searching.answers import asking
from anagnosis.searching.answers.readers import NONE, Readers
from anagnosis.searching.index.index import open_index
from anagnosis.searching.records.answers import ALL_WITHHELD
from anagnosis.searching.sentences.sentences import best
from anagnosis.web.limits import Limits

if TYPE_CHECKING:
    from anagnosis.searching.answers.deciding import Decider

BALDNESS, HELIOTROPE = "Does tea cure baldness?", "Which heliotrope number was seen?"
LABELS = ["yes", "no", "maybe"]


def ask(client: TestClient, question: str, **query: Any) -> dict[str, Any]:
    answer = client.get("/api/ask", params={"q": question, **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_decision_is_the_mean_of_what_each_paper_says(asked: TestClient) -> None:
    found = ask(asked, BALDNESS)
    decision = found["decision"]
    assert (found["exact"], found["off"]) == (None, None)
    assert (decision["reader"], decision["calibrated"]) == ("shallow-features", False)
    assert list(decision["means"]) == LABELS
    assert sum(decision["means"].values()) == pytest.approx(1, abs=1e-3)
    assert decision["confidence"] == decision["means"][decision["label"]] == max(decision["means"].values())
    for label in LABELS:
        own = [one["probabilities"][label] for one in decision["verdicts"] if one["counted"]]
        assert decision["means"][label] == pytest.approx(sum(own) / len(own), abs=1e-3)
    for verdict in decision["verdicts"]:
        assert verdict["evidence"]["passage"]["document"] == verdict["document"]
        assert verdict["probabilities"][verdict["label"]] == max(verdict["probabilities"].values())


def test_a_retracted_paper_gives_no_verdict_without_its_mark(asked: TestClient) -> None:
    verdict = next(one for one in ask(asked, BALDNESS)["decision"]["verdicts"] if one["document"] == "990001")
    assert [notice["kind"] for notice in verdict["notices"]] == ["retracted", "expression_of_concern"]
    assert verdict["notices"][0]["about"] == "990002"
    page = asked.get("/", params={"q": BALDNESS}).text
    box = page[page.index('<h2 id="answer">') : page.index('<h2 id="found">')]
    for part in re.split("<h3", box)[1:]:
        if "Tea cures baldness" in part:
            assert part.index("this paper was retracted.") < part.index("Tea cures baldness")
    assert "One paper that was read has a notice" in text(box)
    assert not verdict["counted"]
    assert "not counted" in text(box)


def test_where_only_a_retracted_paper_speaks_there_is_no_decision(folder: Path, divided: Readers) -> None:
    query = {"q": BALDNESS, "journal": "J Tea"}
    with TestClient(web_app(open_index(folder), Limits(rate=0, reading_seconds=60), divided)) as client:
        decision = ask(client, BALDNESS, journal="J Tea")["decision"]
        seen = text(client.get("/", params=query).text)
    assert [one["counted"] for one in decision["verdicts"]] == [False]
    assert (decision["label"], decision["confidence"], decision["means"]) == (None, None, None)
    assert "No decision: all papers with a verdict were retracted or are notices." in seen
    assert "One that was retracted, or is a notice, is not counted." in seen
    assert seen.index("this paper was retracted.") < seen.index("Tea cures baldness in all mice.")


def test_the_page_says_how_sure_it_is_and_by_what(asked: TestClient) -> None:
    page = asked.get("/", params={"q": BALDNESS}).text
    seen, decision = text(page), ask(asked, BALDNESS)["decision"]
    assert f"{decision['label'].capitalize()} {decision['confidence']:.0%}".replace("%", " %") in seen
    for label in LABELS:
        assert f"{label} {decision['means'][label]:.0%}".replace("%", " %") in seen
    assert "by shallow-features , uncalibrated: its probabilities as they come." in seen
    assert "is off" not in seen
    assert (
        seen.index("Papers read as saying")
        < seen.index("Sentences that fit best")
        < seen.index("Sections 1 to")
    )
    assert 3 in outline(page)
    assert 'style="' not in page
    for label in ("yes", "no"):
        there = any(one["label"] == label for one in decision["verdicts"])
        assert (f"Papers read as saying {label}" in seen) == there
        assert (f"No paper was read as saying {label}." in seen) == (not there and not decision["withheld"])


def test_those_that_say_yes_stand_beside_those_that_say_no(folder: Path, divided: Readers) -> None:
    with TestClient(web_app(open_index(folder), Limits(rate=0, reading_seconds=60), divided)) as client:
        page = client.get("/", params={"q": BALDNESS}).text
        verdicts = ask(client, BALDNESS)["decision"]["verdicts"]
    yes, no = (part.partition("</section>")[0] for part in page.split("Papers read as saying")[1:])
    for side, label in ((yes, "yes"), (no, "no")):
        own = [one for one in verdicts if one["label"] == label]
        assert own
        assert all(html.escape(one["evidence"]["text"]) in html.unescape(side) for one in own)
        assert side.count("<blockquote") == len(own)
    assert "Tea cures baldness in all mice." in yes
    assert "by divided ." in text(page)
    assert "uncalibrated: its probabilities" not in page


def test_a_withheld_verdict_is_no_verdict_on_the_page(folder: Path) -> None:
    """Its paper stands apart with its sentence, and nothing on the page says yes."""
    sentence = "For half an hour, cold brew raises gastric pH less than espresso does."
    readers = Readers(decider=cast("Decider", Withholding()))
    with TestClient(web_app(open_index(folder), Limits(rate=0, reading_seconds=60), readers)) as client:
        page = client.get("/", params={"q": COFFEE}).text
        decision = ask(client, COFFEE)["decision"]
    seen = text(page)
    assert (decision["label"], decision["means"], decision["verdicts"]) == (None, None, [])
    assert [one["evidence"]["text"] for one in decision["withheld"]] == [sentence]
    assert decision["undecided"] == ALL_WITHHELD
    assert f"No decision: {ALL_WITHHELD}." in seen
    assert f"withholding on held-out questions: {measured.DECISIONS.says}." in seen
    assert "Papers whose verdict is withheld" in seen
    assert "Papers read as saying" not in seen
    assert "No paper was read as saying" not in seen
    assert "%" not in seen.partition("Sentences that fit best")[0].partition("Answer")[2]
    outline(page)


def test_names_have_their_confidence_their_sentence_and_a_way_to_it(asked: TestClient) -> None:
    found = ask(asked, HELIOTROPE)
    assert found["decision"] is None
    first = found["exact"]["answers"][0]
    assert first["text"] in first["evidence"]["text"]
    assert first["confidence"] == 0.9
    page = asked.get("/", params={"q": HELIOTROPE}).text
    seen = text(page)
    assert f"{first['text']} 90 %" in seen
    assert f"Also: {first['names'][0]}" in seen
    assert "Names were scored by long-words , uncalibrated" in seen
    rank = first["evidence"]["rank"]
    assert f'href="#hit{rank}"' in page
    assert f'id="hit{rank}"' in page
    outline(page)
    found = client_hits(asked, HELIOTROPE)
    for one in first["evidence"], *ask(asked, HELIOTROPE)["evidence"]:
        assert found[one["rank"] - 1] == (one["passage"]["document"], one["passage"]["number"])


def client_hits(client: TestClient, question: str) -> list[tuple[str, int]]:
    """The passages that are found, by rank."""
    found = client.get("/api/search", params={"q": question, "limit": 20}).json()["found"]
    return [(hit["passage"]["document"], hit["passage"]["number"]) for hit in found]


def test_the_rank_of_a_sentence_is_that_of_its_passage_whatever_a_reader_saw(folder: Path) -> None:
    index = open_index(folder)
    found = asking.ask(index, COFFEE, readers=Readers())
    for few in (found.hits, found.hits[1:], found.hits[2:]):
        for one in best(few, 5):
            assert found.hits[one.rank - 1].passage == one.passage


def test_what_was_calibrated_is_not_called_uncalibrated(folder: Path) -> None:
    readers = Readers(exact=LongWords(calibrated=True))
    with TestClient(web_app(open_index(folder), Limits(rate=0, reading_seconds=60), readers)) as client:
        box = client.get("/", params={"q": HELIOTROPE}).text.partition("Names were scored by")[2]
    assert text(box.partition("</p>")[0]) == "long-words ."


def test_what_is_not_sure_stays_plain(asked: TestClient) -> None:
    assert ask(asked, "Is zzzqqq xxyyz?")["decision"] is None
    said = {
        "Is zzzqqq xxyyz?": NOTHING_FITS,
        "Does tea stop earthquakes of the Himalaya?": STATES["nothing"],
    }
    for question, plain in said.items():
        seen = text(asked.get("/", params={"q": question}).text)
        assert plain in seen
        assert "Papers read as saying" not in seen


def test_where_one_kind_is_on_the_other_is_off_with_its_command(folder: Path, readers: Readers) -> None:
    only = dataclasses.replace(readers, exact=None)
    with TestClient(web_app(open_index(folder), Limits(rate=0, reading_seconds=60), only)) as client:
        found = ask(client, HELIOTROPE)
        assert found["exact"] is None
        off = found["off"]
        assert (off["what"], off["why"]) == (
            "the name that is asked for",
            "no trained reader for it was named",
        )
        seen = text(client.get("/", params={"q": HELIOTROPE}).text)
        assert "The exact answer (the name that is asked for) is off" in seen
        assert all(command in seen for command in off["turn_on"])
        assert ask(client, BALDNESS)["off"] is None


def test_a_negated_question_is_told_why_it_gets_no_verdict_and_no_command(asked: TestClient) -> None:
    question = "Does heliotrope not help against baldness?"
    off = ask(asked, question)["off"]
    assert (off["why"], off["turn_on"]) == (asking.NEGATED, [])
    page = asked.get("/", params={"q": question}).text
    assert f"is off: {asking.NEGATED}." in text(page)
    assert 'class="off"' not in page


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "summary"])
def test_the_command_that_turns_it_on_names_a_recipe_that_is_there(kind: str) -> None:
    off = asking._off("?", kind, NONE, asking.ASKED)  # pyright: ignore[reportPrivateUsage]
    assert off is not None
    train, calibrate, again = off.turn_on
    assert calibrate == f"anagnosis calibrate {train.split()[-1]} DATASET"
    assert train.split()[:2] == ["anagnosis", "train"]
    assert train.split()[2] in names()
    assert again.endswith("--readers readers --answers")


@settings(max_examples=30)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8), st.sampled_from(["Does", "Which", "List"]))
def test_every_sentence_that_readers_rest_on_is_a_substring_of_its_paper(
    asked: TestClient, words: list[str], how: str
) -> None:
    question = f"{how} {' '.join(words)}?"[:1000]
    assume(not nothing_asked(question))
    found = ask(asked, question)
    quoted = list(found["evidence"])
    if found["decision"]:
        quoted += [one["evidence"] for one in found["decision"]["verdicts"]]
    if found["exact"]:
        quoted += [one["evidence"] for one in found["exact"]["answers"]]
    for one in quoted:
        assert one["text"] == one["passage"][one["stands_in"]][one["begin"] : one["end"]]
        assert one["text"] in SOURCES[one["passage"]["document"]]
    for one in found["exact"]["answers"] if found["exact"] else []:
        assert one["text"] in one["evidence"]["text"]


def test_hostile_papers_are_escaped_in_answers_too(asked: TestClient) -> None:
    for question in ("Does salt lower 7?", "Which salt lowers nothing?"):
        page = asked.get("/", params={"q": question}).text
        assert "alert(1)" in html.unescape(page)
        assert page.count("<script") == 1
        assert "<img" not in page
        assert not re.search(r"<[a-z][^>]*\s(on\w+|style)=", page)
    decision = ask(asked, "Does salt lower 7?")["decision"]
    assert PAPERS[0].id in {one["document"] for one in (*decision["verdicts"], *decision["withheld"])}
