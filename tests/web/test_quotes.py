"""Whatever is highlighted or quoted stands so in its paper."""

from __future__ import annotations

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient
from tests.web.conftest import PAPERS

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.reports.search.results import HIGHLIGHTED
from anagnosis.searching.analysis import nothing_asked
from anagnosis.searching.records.hits import Hit, Sentence
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.highlighting import UNTRAINED
from anagnosis.searching.sentences.sentences import plain
from anagnosis.web.pages import excerpts
from anagnosis.web.parameters import cleaned

# Of a paper that comes in several versions all of them.
SOURCES = defaultdict[str, str](str)
for paper in (*api.read(carried()), *api.read(carried("medline")), *PAPERS):
    SOURCES[paper.id] += f"{paper.text}\n\n"
strength = UNTRAINED.thresholds.strength
WORDS = sorted({word for text in SOURCES.values() for word in text.split() if cleaned(word)})


@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=8), st.sampled_from(["Does", "Which", "List", ""])
)
def test_every_quotation_is_a_substring_of_its_paper(client: TestClient, words: list[str], how: str) -> None:
    question = f"{how} {' '.join(words)}?"[:1000]
    answer = client.get("/api/ask", params={"q": question}).json()
    if "what" in answer:
        assert nothing_asked(question)
        return
    concluded = answer["conclusions"]["papers"] if answer["conclusions"] else []
    for one in [*answer["evidence"], *(one["evidence"] for one in concluded if one["evidence"])]:
        assert one["text"] == one["passage"]["text"][one["begin"] : one["end"]]
        assert one["text"] in SOURCES[one["passage"]["document"]]
    for hit in client.get("/api/search", params={"q": question}).json()["found"]:
        text = hit["passage"]["text"]
        assert text in SOURCES[hit["passage"]["document"]]
        ends = [0]
        for sentence in hit["sentences"]:
            assert ends[-1] <= sentence["begin"] < sentence["end"] <= len(text)
            assert sentence["strength"] == strength(sentence["score"])
            ends.append(sentence["end"])


@st.composite
def a_hit(draw: st.DrawFn) -> Hit:
    """Sentences anywhere in a text, in order."""
    text = draw(st.text(min_size=1, max_size=400))
    ends = sorted(draw(st.sets(st.integers(0, len(text)), max_size=12)))
    sentences = [
        Sentence(begin=begin, end=end, score=score, strength=strength(score))
        for begin, end in zip(ends[::2], ends[1::2], strict=False)
        for score in [draw(st.floats(0, 1))]
    ]
    return Hit(Passage("1", 0, "abstract", "", "", text), 1.0, 1, sentences=sentences)


@given(a_hit(), st.integers(1, 500), st.integers(0, 6))
def test_the_parts_of_a_shown_text_follow_each_other(hit: Hit, longest: int, quoted: int) -> None:
    text, at, marked = hit.passage.text, None, 0
    places = {plain(text[one.begin : one.end]): "sentence 1" for one in hit.sentences[:quoted]}
    for piece in excerpts(hit, longest, places):
        marked += piece.strength > 0 and not piece.place
        assert marked <= HIGHLIGHTED
        if (piece.begin, piece.begin + len(piece.text)) in [(one.begin, one.end) for one in hit.sentences]:
            assert piece.place == places.get(plain(piece.text), "")
        assert at is None or piece.begin == at
        at = piece.begin + len(piece.text)
        assert text[piece.begin : at] == piece.text
        if piece.strength:
            assert any((one.begin, one.end) == (piece.begin, at) for one in hit.sentences)
    assert at is not None


def test_strength_goes_up_by_three_steps() -> None:
    assert [strength(score) for score in (0, 0.29, 0.3, 0.5, 0.74, 0.75, 1)] == [0, 0, 1, 2, 2, 3, 3]
