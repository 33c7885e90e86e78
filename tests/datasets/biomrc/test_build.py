"""What becomes of an article that the rules let pass: its instances, its numbers, its place in the dataset."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import pytest
from tests.articles import MENTIONED, abstract, article, drug, questions, screened, text

from anagnosis import api
from anagnosis.datasets.biomrc import build
from anagnosis.datasets.biomrc.rules import BioMRCRecipe
from anagnosis.datasets.folder import store
from anagnosis.documents.document import Document, Mention, Section
from anagnosis.documents.formats.pubtator import Record
from anagnosis.documents.repairs import Repairs

if TYPE_CHECKING:
    from pathlib import Path

    from anagnosis.datasets.build.screening import Screening
    from anagnosis.datasets.folder.store import Dataset


def built(folder: Path, *articles: Document, dates: str = "", **settings: Any) -> Dataset:
    folder.mkdir(exist_ok=True)
    (folder / "a.pubtator").write_bytes(text(*articles))
    if dates:
        (folder / "dates.csv").write_text(dates)
    joined = folder / "dates.csv" if dates else None
    return api.build(
        "biomrc", [folder / "a.pubtator"], folder / "out", settings=settings, dates=joined, workers=1
    )


def asked(screening: Screening) -> list[str]:
    return [instance.question for instance in questions(screening)]


def test_one_instance_for_each_hidden_title_mention() -> None:
    found = questions(screened(article(f"{drug(1)} or {drug(2)}, not {drug(3)}", abstract([1, 1, 2, 2, 3]))))
    assert [q.question for q in found] == [
        "XXXX or drug 2, not drug 3",
        "drug 1 or XXXX, not drug 3",
        "drug 1 or drug 2, not XXXX",
    ]
    assert [q.id for q in found] == ["1:0", "1:10", "1:22"]
    assert [q.candidates[q.answer or 0].key for q in found] == [
        "chemical/MESH:D1",
        "chemical/MESH:D2",
        "chemical/MESH:D3",
    ]
    assert len({(q.passage, q.mentions, q.candidates) for q in found}) == 1


def test_a_title_mention_whose_entity_the_abstract_lacks_stays_plain_text() -> None:
    (only,) = questions(screened(article(f"{drug(9)} or {drug(1)} in a trial")))
    assert only.question == "drug 9 or XXXX in a trial"
    assert only.question_mentions == ()
    assert "chemical/MESH:D9" not in [c.key for c in only.candidates]


@pytest.mark.parametrize(
    ("mentioned", "left"),
    [
        ([1, 1, 1, 2, 2], ["drug 1 or XXXX in a trial"]),
        ([1, 1, 2, 2, 3], ["XXXX or drug 2 in a trial", "drug 1 or XXXX in a trial"]),
        ([1, 2, 3, 3, 3], ["XXXX or drug 2 in a trial", "drug 1 or XXXX in a trial"]),
    ],
    ids=["sole top", "shared top", "top not asked"],
)
def test_the_most_frequent_rule_is_asked_for_each_instance(mentioned: list[int], left: list[str]) -> None:
    found = screened(article(f"{drug(1)} or {drug(2)} in a trial", abstract(mentioned)))
    assert asked(found) == left
    assert found.instances_dropped.get("answer_most_frequent", 0) == 2 - len(left)


def test_the_strict_recipe_drops_an_answer_that_the_question_shows() -> None:
    document = article(f"{drug(1)} or {drug(2)} after {drug(1)}", abstract([1, 1, 2, 2, 3]))
    assert len(asked(screened(document))) == 3
    strict = screened(document, drop_visible_answer=True)
    assert asked(strict) == ["drug 1 or XXXX after drug 1"]
    assert strict.instances_dropped == {"answer_visible_in_question": 2}


def test_the_strict_recipe_takes_two_spellings_of_one_identifier_for_one() -> None:
    bare = "[[drug one|Chemical|D1]]"
    document = article(body=abstract([1, bare, 2, 2, 3]))
    (faithful,) = questions(screened(document))
    assert [c.key for c in faithful.candidates] == [
        f"chemical/{i}" for i in ("MESH:D1", "D1", "MESH:D2", "MESH:D3")
    ]
    (folded,) = questions(screened(document, fold_identifiers=True))
    assert [c.key for c in folded.candidates] == ["chemical/D1", "chemical/D2", "chemical/D3"]
    assert folded.candidates[0].names == ("drug 1", "drug one")


def test_candidates_and_names_come_in_the_order_of_the_abstract() -> None:
    other = "[[Drug one|Chemical|MESH:D1]]"
    document = article(f"{drug(1)} or not to be", abstract([3, other, 2, 2, 1, 1, other]))
    (only,) = questions(screened(document, drop_most_frequent_answer=False))
    assert [c.names for c in only.candidates] == [("drug 3",), ("Drug one", "drug 1"), ("drug 2",)]
    assert only.answers == ("drug 1", "Drug one")


def test_every_mention_lies_on_its_words_in_passage_and_question() -> None:
    title = f"[[a longer name|Chemical|MESH:D1]] or {drug(2)}{drug(3)} at last"
    for q in questions(screened(article(title, abstract([1, 1, 2, 2, 3])))):
        for mention in q.mentions:
            ((start, end),) = mention.spans
            assert q.passage[start:end] in q.candidates[mention.candidate].names
        shown = {q.question[s:e] for m in q.question_mentions for s, e in m.spans}
        assert shown == {"a longer name", "drug 2", "drug 3"} - {q.answers[0]}
        assert q.question.count("XXXX") == 1


def test_a_mention_across_title_and_abstract_or_after_it_is_counted_and_left_out() -> None:
    record = Record(
        "1",
        "one two",
        "three four",
        ["1\t4\t13\ttwo three\tGene\t1", "1\t8\t13\tthree\tGene\t2", "1\t19\t23\tbody\tGene\t3"],
        1,
        [Section("body", "body")],
    )
    repairs = Repairs()
    seen = build.article(record, "a", BioMRCRecipe(), repairs)
    assert [m.text for m in seen.in_abstract] == ["three"]
    assert repairs.counts == {
        "mention_text_normalised": 1,
        "mention_across_sections": 1,
        "mention_outside_abstract": 1,
    }


def test_the_receipt_names_the_sentence_splitter_with_its_version() -> None:
    splitter = f"nupunkt {version('nupunkt')}"
    assert build.choices(BioMRCRecipe(sentences="nupunkt")) == {"sentence_splitter": splitter}
    assert build.choices(BioMRCRecipe()) == {"sentence_splitter": "fast"}


def test_a_structured_abstract_is_read_as_it_stands_in_the_document() -> None:
    sections = (
        Section("title", "One title"),
        Section("abstract", "salt was used.", "AIM"),
        Section("abstract_methods", "We did."),
        Section("body", "later"),
    )
    document = Document("1", sections, (Mention(((14, 18),), "salt", "Chemical", "1"),))
    assert build.texts(document) == ("One title", "AIM\nsalt was used.\nWe did.")
    assert [m.text for m in build.article(document, "", BioMRCRecipe(), Repairs()).in_abstract] == ["salt"]


def test_an_abstract_that_does_not_follow_the_title_is_none() -> None:
    sections = (Section("title", "One title"), Section("body", "later"), Section("abstract", "here"))
    assert build.texts(Document("1", sections)) == ("One title", "")


def test_numbers_are_dense_by_first_appearance_in_the_abstracts_of_kept_articles(tmp_path: Path) -> None:
    dataset = built(
        tmp_path,
        article(f"{drug(7)} or {drug(5)} in a trial", abstract([5, 7, 7, 5, 6]), "1"),
        article(body=abstract([90, 91, 91, 90, 92], 9), ident="2"),
        article(f"{drug(4)} or {drug(8)} in a trial", abstract([8, 6, 6, 8, 5]), "3"),
    )
    found = {c.key: c.number for row in store.instances(dataset, store.ALL) for c in row.candidates}
    assert found == {f"chemical/MESH:D{i}": n for n, i in enumerate((5, 7, 6, 8))}
    entities = (tmp_path / "out" / "entities.parquet").read_bytes()
    assert entities.startswith(b"PAR1")


def test_articles_older_than_since_and_those_without_a_date_are_dropped(tmp_path: Path) -> None:
    articles = [article(body=abstract(MENTIONED, 10 + n), ident=str(n)) for n in range(6)]
    dates = "pmid,date\n0,2023-12-31\n1,2024-06\n2,2024-06-02\n3,2024\n4,2025\n"
    dataset = built(tmp_path, *articles, dates=dates, since="2024-06-01")
    assert {row.document: row.date for row in store.instances(dataset, store.ALL)} == {
        "1": "2024-06",
        "2": "2024-06-02",
        "4": "2025",
    }
    assert dataset.receipt.documents.dropped == {"date_unknown": 1, "published_before": 2}
    assert dataset.receipt.choices["first_date"] == "2024-06"
    assert dataset.receipt.choices["last_date"] == "2025"


def test_an_id_that_looks_like_a_path_leads_nowhere(tmp_path: Path) -> None:
    ids = ["../../escaped", "/etc/passwd", "C:\\windows", "$(touch x)", "a b", "é"]
    dataset = built(tmp_path / "in", *[article(ident=ident) for ident in ids])
    assert [row.id for row in store.instances(dataset, store.ALL)] == [f"{ident}:0" for ident in ids]
    assert {p.name for p in tmp_path.iterdir()} == {"in"}
    assert api.check(dataset).sound
