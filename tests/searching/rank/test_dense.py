"""Dense and hybrid rankings of an index: as by brute force, never of what is not there, and as easy to do without."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest
from tests.encoders.tiny import tiny_encoder
from tests.searching.engines.contract_trial import PAPERS

from anagnosis import api
from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError
from anagnosis.searching.answers.asking import ask
from anagnosis.searching.engines.stored_papers import shown_paper, stored_passages
from anagnosis.searching.filters import Filters
from anagnosis.searching.index import index as index_module
from anagnosis.searching.index.index import Index, create_index, open_index
from anagnosis.searching.index.settings import write_settings
from anagnosis.searching.queries.asked import read_query
from anagnosis.searching.rank import dense as module
from anagnosis.searching.rank import ranking
from anagnosis.searching.rank.ranking import weighted
from anagnosis.searching.records.hits import Hit

pytest.importorskip("transformers", reason="the extra train is not installed")

from anagnosis.searching.vectors import updating
from anagnosis.searching.vectors.encoding import SentenceEncoder
from anagnosis.searching.vectors.updating import text_of

QUESTIONS = ("cold tea and sleep", "fever", "planets", "a walk")


def by_force(index: Index, encoder: SentenceEncoder, question: str) -> dict[str, float]:
    """The cosine of every passage of the papers that are there."""
    there = [passage for one in index.engine.every() for passage in shown_paper(one).passages]
    vectors = encoder.vectors([text_of(passage) for passage in there])
    scores = (vectors @ encoder.vectors([question])[0]).tolist()
    return {passage.id: score for passage, score in zip(there, scores, strict=True)}


def ids(hits: list[Hit]) -> list[str]:
    return [hit.passage.id for hit in hits]


@pytest.mark.parametrize("question", QUESTIONS)
def test_dense_is_the_order_of_brute_force(question: str, encoded: Index, encoder: SentenceEncoder) -> None:
    expected = by_force(encoded, encoder, question)
    hits = encoded.search(question, limit=10, ranking="dense")
    # int8 moves a cosine in the third digit.
    assert [hit.score for hit in hits] == pytest.approx([expected[hit.passage.id] for hit in hits], abs=5e-3)
    assert [expected[hit.passage.id] for hit in hits] == pytest.approx(
        sorted(expected.values())[::-1], abs=5e-3
    )
    assert ids(encoded.search(question, limit=2, ranking="dense")) == ids(hits)[:2]


def test_vectors_order_the_quoted_sentences(encoded: Index, encoder: SentenceEncoder) -> None:
    first, other = encoder.vectors(["cold tea", "fever"])
    assert encoded.dense is not None
    assert encoded.dense.cosines_of_texts("cold tea", ["fever"]) == pytest.approx([float(first @ other)])
    by_both = ask(encoded, "Does cold tea change sleep?", ranking="lexical").evidence
    encoded.drop_encoder()
    by_words = ask(encoded, "Does cold tea change sleep?").evidence
    assert {one.text for one in by_both} == {one.text for one in by_words}
    assert [one.score for one in by_both] != [one.score for one in by_words]


@pytest.mark.parametrize("question", QUESTIONS)
def test_hybrid_is_the_weighted_sum_of_both(question: str, encoded: Index) -> None:
    words = {hit.passage.id: hit.score for hit in encoded.search(question, limit=10, ranking="lexical")}
    near = {hit.passage.id: hit.score for hit in encoded.search(question, limit=10, ranking="dense")}
    expected = weighted(words, near)
    hits = encoded.search(question, limit=10)
    assert {hit.passage.id: hit.score for hit in hits} == pytest.approx(expected, abs=1e-5)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert encoded.documents(question, 2) == encoded.documents(question, 4, ranking="hybrid")[:2]


def test_what_words_alone_have_found_has_its_cosine(encoded: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    (word,) = encoded.search("cold tea", limit=1, ranking="lexical")
    cosines = {hit.passage.id: hit.score for hit in encoded.search("cold tea", limit=10, ranking="dense")}
    nearest = next(iter(cosines))
    assert word.passage.id != nearest
    monkeypatch.setattr(ranking, "DEPTH", 1)
    (best,) = encoded.search("cold tea", limit=1)
    both = {ident: cosines[ident] for ident in (nearest, word.passage.id)}
    assert best.score == pytest.approx(max(weighted({word.passage.id: word.score}, both).values()), abs=1e-5)


def test_filters_hold_for_every_ranking(encoded: Index) -> None:
    for filters in (Filters(sections=("conclusion",)), Filters(since="2020"), Filters(documents=("4", "2"))):
        every = set(by_filter(encoded, filters))
        assert set(ids(encoded.search("tea", filters, 10, "dense"))) == every
        assert set(ids(encoded.search("tea", filters, 10, "hybrid"))) == every


CONDITIONS = (
    ('"cold tea" sleep', {"1#0", "1#1"}),
    ("sleep -tea", {"4#0", "3#0", "2#0"}),
    ("sleep AND (tea OR walk)", {"1#0", "1#1", "4#0"}),
    ("Smith J[au] tea", {"1#0", "1#1", "2#0"}),
    ("tea 2020:3000[dp]", {"2#0", "3#0"}),
    ("tea -smith[au] -salt", {"4#0"}),
)


@pytest.mark.parametrize(("query", "expected"), CONDITIONS)
@pytest.mark.parametrize("most", [1, 1000])
def test_conditions_of_a_query_hold_for_every_ranking(
    query: str, expected: set[str], most: int, encoded: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SLACK", 0)
    monkeypatch.setattr(module, "_LOOKED_AT", most)  # the others are found by their words
    dense = encoded.search(query, limit=10, ranking="dense")
    assert set(ids(dense)) == expected
    assert set(ids(encoded.search(query, limit=10, ranking="hybrid"))) == expected
    cosines = {
        hit.passage.id: hit.score
        for hit in encoded.search(read_query(query).topic.text, limit=10, ranking="dense")
    }
    expected_scores = {ident: cosines[ident] for ident in expected}
    assert {hit.passage.id: hit.score for hit in dense} == pytest.approx(expected_scores, abs=1e-5)
    assert [hit.score for hit in dense] == sorted((hit.score for hit in dense), reverse=True)


def test_names_alone_are_ranked_without_vectors(encoded: Index) -> None:
    expected = ids(encoded.search("Smith J[au]", ranking="lexical"))
    assert set(expected) == {"1#0", "1#1", "2#0"}
    for name in ("dense", "hybrid"):
        assert ids(encoded.search("Smith J[au]", ranking=name)) == expected


def by_filter(index: Index, filters: Filters) -> list[str]:
    """By the engine, with all words that there are."""
    return ids(index.search("cold tea sleep fever salt walk", filters, 10, "lexical"))


def test_no_question_finds_nothing(encoded: Index) -> None:
    assert encoded.search("  ", limit=5, ranking="dense") == encoded.search("", limit=5) == []


def test_an_index_without_vectors_is_as_before(index: Index) -> None:
    assert index.ranking() == "lexical"
    assert index.search("cold tea") == index.search("cold tea", ranking="lexical")
    for name in ("dense", "hybrid"):
        with pytest.raises(
            InputError, match=r"no vectors here; make them with `anagnosis index --out .* --encoder NAME`"
        ):
            index.search("cold tea", ranking=name)
    with pytest.raises(InputError, match="unknown ranking 'hybird'; did you mean hybrid"):
        index.search("cold tea", ranking="hybird")


def test_without_torch_words_rank_and_it_is_said_once(
    encoded: Index, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(index_module, "can_encode", lambda: False)
    monkeypatch.delenv("ANAGNOSIS_QUIET", raising=False)
    there = open_index(encoded.folder)
    for _ in range(2):
        assert there.search("cold tea") == there.search("cold tea", ranking="lexical")
    assert (
        capsys.readouterr().err
        == 'ranked by words alone: the vectors need torch; pip install "anagnosis[train]"\n'
    )


def changed(index: Index) -> None:
    """Paper 1 says something else, paper 4 goes, paper 5 comes."""
    counts = Counter[str]()
    index.delete(["1", "4"], counts)
    milk = Section("title", "Warm milk"), Section("abstract", "Warm milk and walks.")
    index.add(Document("1", milk), counts)
    index.add(Document("5", (Section("title", "Salt"), Section("abstract", "Salt in tea."))), counts)
    index.commit()


def truth(index: Index) -> set[str]:
    return {passage.id for one in index.engine.every() for passage in shown_paper(one).passages}


def test_what_is_new_is_encoded_and_the_rest_left(
    encoded: Index, encoder: SentenceEncoder, tmp_path: Path
) -> None:
    changed(encoded)
    done = encoded.encode(encoder)
    assert (done.passages, done.encoded, done.dropped) == (4, 2, 2)
    again = encoded.encode(encoder)
    assert (again.encoded, again.dropped) == (0, 0)
    whole = create_index(tmp_path / "whole")
    counts = Counter[str]()
    for stored in sorted(encoded.engine.every(), key=lambda one: one.name):
        ident, own = stored.name, shown_paper(stored).passages
        sections = [Section("abstract", each.text, each.heading) for each in own if each.section != "title"]
        whole.add(Document(ident, (Section("title", own[0].title), *sections)), counts)
    whole.commit()
    whole.encode(encoder)
    for question in QUESTIONS:
        once, twice = (each.search(question, ranking="dense") for each in (whole, encoded))
        assert [(hit.passage.id, hit.score) for hit in once] == [(hit.passage.id, hit.score) for hit in twice]
    whole.close()


def test_vectors_that_lag_behind_show_nothing_that_is_not_there(encoded: Index) -> None:
    changed(encoded)
    for question in (*QUESTIONS, "salt in tea"):
        for name in ("dense", "hybrid"):
            hits = encoded.search(question, limit=10, ranking=name)
            assert [
                stored_passages(encoded.engine, hit.passage.document)[hit.passage.number] for hit in hits
            ] == [hit.passage for hit in hits]
        # Paper 1 changed: of its old vectors none may count for its new words.
        assert {"2#0", "3#0"} == set(ids(encoded.search(question, limit=10, ranking="dense")))


def test_an_open_index_sees_what_another_process_encoded(encoded: Index, encoder: SentenceEncoder) -> None:
    reader = open_index(encoded.folder)
    assert len(reader.search("milk", ranking="dense")) == 5
    changed(encoded)
    encoded.encode(encoder)
    assert set(ids(reader.search("milk", ranking="dense"))) == truth(encoded)


def test_an_encoding_that_is_stopped_keeps_whole_documents_and_continues(
    encoded: Index, encoder: SentenceEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(10, 20):
        encoded.add(Document(str(number), (Section("abstract", f"Salt and tea {number}."),)), Counter())
    changed(encoded)
    save, left = updating.Growing.save, [1]

    def stopped(growing: updating.Growing, path: Path, version: str = "") -> None:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        save(growing, path, version)

    monkeypatch.setattr(updating, "BLOCK", 3)
    monkeypatch.setattr(updating, "_PAPERS", 2)
    with monkeypatch.context() as patch:
        patch.setattr(updating.Growing, "save", stopped)
        patch.setattr(updating, "SECONDS", 0)
        with pytest.raises(KeyboardInterrupt):
            encoded.encode(encoder)
    everything = truth(encoded)
    found = set(ids(encoded.search("salt and tea", limit=50, ranking="dense")))
    assert {"2#0", "3#0"} < found < everything
    done = encoded.encode(encoder)
    assert (done.passages, done.encoded) == (len(everything), len(everything) - len(found))
    assert set(ids(encoded.search("salt and tea", limit=50, ranking="dense"))) == everything


def test_another_encoder_is_refused(encoded: Index, tmp_path: Path) -> None:
    other = SentenceEncoder(str(tiny_encoder(tmp_path / "other", seed=5)), "cpu")
    with pytest.raises(InputError, match=r"did not make these vectors .*--no-encoder first"):
        encoded.encode(other)
    settings = msgspec.structs.replace(encoded.settings, encoder=str(tmp_path / "other"))
    write_settings(encoded.folder, settings)
    with pytest.raises(InputError, match="did not make these vectors"):
        open_index(encoded.folder).search("tea")


def test_an_encoder_that_was_moved_is_named_anew(index: Index, tmp_path: Path) -> None:
    before, after, other = tmp_path / "before", tmp_path / "after", tmp_path / "other"
    tiny_encoder(before, words=["tea", "sleep"])
    index.encode(SentenceEncoder(str(before), "cpu"))
    index.close()
    expected = api.search(index.folder, "tea")
    before.rename(after)
    with pytest.raises(
        InputError, match=r"before: .*; one that was moved is named by `anagnosis index --out "
    ):
        api.search(index.folder, "tea")
    with pytest.raises(InputError, match="did not make these vectors"):
        api.index([], index.folder, encoder=str(tiny_encoder(other, seed=5)))
    done = api.index([], index.folder, encoder=str(after))
    assert done.vectors
    assert done.vectors.encoded == 0
    assert api.search(index.folder, "tea") == expected


def test_an_encoder_is_dropped_with_its_vectors(encoded: Index, tmp_path: Path) -> None:
    encoded.drop_encoder()
    assert not (encoded.folder / module.FILE).exists()
    there = open_index(encoded.folder)
    assert (there.dense, there.ranking()) == (None, "lexical")
    other = SentenceEncoder(str(tiny_encoder(tmp_path / "other", seed=5)), "cpu")
    assert there.encode(other).encoded == 5


def test_the_text_that_is_read() -> None:
    from anagnosis.searching.passages import passages

    assert [text_of(each) for each in passages(PAPERS[0])] == [
        "Cold tea and sleep RESULTS Cold tea was given to forty adults. Sleep was not longer.",
        "Cold tea and sleep CONCLUSION Cold tea does not change sleep.",
    ]
    assert [text_of(each) for each in passages(PAPERS[2])] == ["A title and nothing else about salt"]
