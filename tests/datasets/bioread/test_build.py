"""What becomes of a full text: its windows, their questions, and the numbers that entities have in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests.articles import questions
from tests.datasets.bioread.passages import built, gene, paper, screened, sections

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.dataset_check import check_dataset
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.datasets.kinds.cloze_views import view
from anagnosis.documents.document import Document, Mention, Section
from anagnosis.reports import render

FOUR_LINES = (
    f"We saw {gene(1)} here.",
    f"Then {gene(2)} came and {gene(1)} left.",
    f"So {gene(2)} binds {gene(3)} and {gene(1)}.",
    f"At last {gene(1)} was {gene(1)} again.",
)
FOUR = paper(*FOUR_LINES)


def seen(
    instance: ClozeInstance, name: str = "local", numbering: str = "first-appearance"
) -> tuple[str, str]:
    viewed = view(instance, name, "original", numbering=numbering)
    return viewed.passage, viewed.question


def test_every_position_gives_a_question_for_each_entity_that_the_passage_has() -> None:
    found = questions(screened(FOUR))
    assert [q.question for q in found] == [
        "so XXXX binds gene 3 and gene 1.",
        "so gene 2 binds gene 3 and XXXX.",
        "at last XXXX was gene 1 again.",
    ]
    assert [q.passage for q in found] == [
        *["we saw gene 1 here.\nthen gene 2 came and gene 1 left."] * 2,
        "then gene 2 came and gene 1 left.\nso gene 2 binds gene 3 and gene 1.",
    ]
    assert [q.candidates[q.answer or 0].key for q in found] == ["gene/2", "gene/1", "gene/1"]
    assert [q.id for q in found] == ["1:57", "1:81", "1:97"]


def test_an_entity_of_the_question_that_the_passage_lacks_is_no_candidate_and_has_a_number() -> None:
    first, second, _ = questions(screened(FOUR))
    assert [c.key for c in first.candidates] == ["gene/1", "gene/2"]
    assert seen(first)[1] == "so XXXX binds @entity2 and @entity0 ."
    assert seen(second)[1] == "so @entity1 binds @entity2 and XXXX ."


def test_candidates_have_their_distinct_surfaces_in_order() -> None:
    lines = (
        f"{gene(1, 'Bmp4')} is {gene(1, 'BMP4')}.",
        f"It is {gene(1, 'dpp')}.",
        f"And {gene(1, 'Bmp4')}.",
    )
    (found,) = questions(screened(paper(*lines), lower_case=False))
    assert found.candidates[0].names == ("Bmp4", "BMP4", "dpp")
    assert found.answers == ("Bmp4", "BMP4", "dpp")


@pytest.mark.parametrize(
    ("limit", "value", "rule"),
    [
        ("maximum_passage_tokens", 9, "passage_too_long"),
        ("maximum_question_tokens", 6, "question_too_long"),
        ("maximum_candidates", 1, "too_many_candidates"),
        ("minimum_passage_tokens", 11, "passage_too_short"),
        ("minimum_question_tokens", 8, "question_too_short"),
        ("minimum_candidates", 3, "too_few_candidates"),
    ],
)
def test_limits_are_inclusive_and_count_the_questions_they_cost(limit: str, value: int, rule: str) -> None:
    document = paper(*FOUR_LINES[:3])
    inside = value + 1 if limit.startswith("maximum") else value - 1
    assert screened(document, **{limit: inside}).instances_dropped == {}
    assert screened(document, **{limit: value}).instances_dropped == {rule: 2}


def test_a_position_without_a_shared_entity_is_counted_once() -> None:
    assert screened(paper("One.", f"{gene(1)}.", f"{gene(2)} {gene(3)}.")).instances_dropped == {
        "no_shared_entity": 1
    }


def test_entities_are_one_token_and_sentences_without_a_blank_between_share_one() -> None:
    document = paper(f"a{gene(1)}b c.d {gene(1)}", f"so {gene(1)}", sentence_offsets="0 11 11 19 20 29")
    exactly_five = dict.fromkeys(("minimum_passage_tokens", "maximum_passage_tokens"), 5)
    (found,) = questions(screened(document, sentences="given", **exactly_five))
    assert seen(found)[0].split() == ["a", "@entity0", "b", "c.d", "@entity0"]


@pytest.mark.parametrize("word", ["XXXX", "@entity7", "@placeholder", "xxxx"])
def test_a_text_that_holds_a_reserved_word_gives_no_question(word: str) -> None:
    lines = (f"{gene(1)}.", f"{word} it is.", f"And {gene(1)}.", f"Or {gene(1)}.", f"Or {gene(1)}.")
    found = screened(paper(*lines))
    assert found.instances_dropped == {"reserved_word_in_text": 2}
    assert len(questions(found)) == 1


def test_the_draw_of_articles_depends_on_the_id_and_the_seed() -> None:
    papers = [Document(str(i), FOUR.sections, FOUR.mentions) for i in range(400)]
    kept = [screened(*papers, share_of_articles=0.25, seed=seed).screened.ids for seed in (0, 0, 1)]
    assert kept[0] == kept[1] != kept[2]
    assert 70 < len(kept[0]) < 130


def test_a_built_folder_keeps_its_invariants_and_counts_candidates_only(tmp_path: Path) -> None:
    other = paper("No gene.", f"{gene(9)} it is.", f"For {gene(9)} or {gene(1)}.", ident="2")
    dataset = built(tmp_path, FOUR, other)
    assert check_dataset(dataset).problems == []
    found = [i for split in dataset.sizes for i in store.instances(dataset, split, of=ClozeInstance)]
    assert len(found) == 4
    (last,) = [i for i in found if i.document == "2"]
    assert seen(last, "global")[1] == "for XXXX or @entity0 ."
    assert seen(last)[1] == "for XXXX or @entity1 ."
    counts = {row["key"]: (row["documents"], row["instances"]) for row in _entities(dataset)}
    assert counts == {"gene/1": (1, 3), "gene/2": (1, 3), "gene/3": (1, 1), "gene/9": (1, 1)}


def test_numbers_follow_the_questions_and_spellings_of_a_type_are_one_entity(tmp_path: Path) -> None:
    first = paper(f"{gene(1)}.", "Yes.", "[[gene 1|gene|1]].", f"{gene(1)} and {gene(6)}.")
    dataset = built(tmp_path, first, paper(f"{gene(7)}.", "Yes.", f"{gene(7)}.", ident="2"))
    counts = [
        tuple(row[name] for name in ("key", "number", "documents", "instances")) for row in _entities(dataset)
    ]
    assert counts == [("gene/1", 0, 1, 2), ("gene/6", 1, 0, 0), ("gene/7", 2, 1, 1)]


def _entities(dataset: Dataset) -> list[dict[str, Any]]:
    return pq.read_table(dataset.folder / "entities.parquet").to_pylist()


def test_mentions_that_cannot_become_a_token_are_left_out_and_counted() -> None:
    mentions = (
        Mention(((0, 5),), "alpha", "Gene", ""),
        Mention(((0, 5), (11, 16)), "alpha gamma", "Gene", "3"),
        Mention(((6, 10),), "beta", "Gene", "1"),
        Mention(((6, 16),), "beta gamma", "Gene", "2"),
        Mention(((22, 32),), "gamma\nbeta", "Gene", "4"),
        Mention(((33, 43),), "beta gamma", "Gene", "2"),
        Mention(((33, 43),), "beta gamma", "Gene", "5"),
        Mention(((60, 64),), "beta", "Gene", "2"),
    )
    document = Document("1", (Section("body", "alpha beta gamma\nbeta gamma\nbeta beta gamma"),), mentions)
    found = screened(document)
    assert found.repairs.counts == {
        "mention_unlinked_left_out": 1,
        "mention_discontinuous": 1,
        "mention_overlapping": 2,
        "mention_across_sentences": 1,
        "mention_outside_text": 1,
    }
    assert [q.question for q in questions(found)] == ["beta XXXX"]


def test_the_preferred_name_stands_first_among_a_candidate_s_names() -> None:
    mentions = (
        Mention(((0, 4),), "Bmp4", "Gene", "1", "Bone morphogenetic protein 4"),
        Mention(((12, 16),), "Bmp4", "Gene", "1", "Bone morphogenetic protein 4"),
    )
    document = Document("1", (Section("body", "Bmp4.\nNone.\nBmp4!"),), mentions)
    (found,) = questions(screened(document))
    assert found.candidates[0].names == ("bone morphogenetic protein 4", "bmp4")
    assert found.answers == ("bmp4", "bone morphogenetic protein 4")


def test_a_question_is_labelled_with_its_section(tmp_path: Path) -> None:
    parts = (
        ("body", "", FOUR_LINES[:3]),
        ("figure", "Figure 1", FOUR_LINES[3:]),
        ("back", "", FOUR_LINES[:3]),
    )
    found = questions(screened(sections(*parts), minimum_question_tokens=1))
    labels = [each.labels for each in found]
    assert dict.fromkeys(labels) == dict.fromkeys([("section:body",), ("section:figure",), ("section:back",)])


LINES = (
    f"The {gene(1)} acts in 10 mice.",
    f"{gene(2)} is in the mice.",
    f"So {gene(1)} is in the {gene(2)}.",
)


def twelve(folder: Path, **settings: Any) -> Dataset:
    """Twelve papers in three splits, with passages of more tokens than one."""
    papers = [paper(*LINES, *LINES, ident=str(number)) for number in range(12)]
    return built(folder, *papers, split_weights={"train": 1, "dev": 1, "test": 1}, **settings)


@pytest.mark.parametrize(("longest", "key"), [(999, "bioread"), (400, "bioread-lite"), (401, "bioread")])
def test_a_dataset_with_lites_passages_stands_beside_lite(tmp_path: Path, longest: int, key: str) -> None:
    beside = api.show(twelve(tmp_path, maximum_passage_tokens=longest)).statistics.beside
    assert beside.key == key


def test_a_sample_of_another_size_than_lites_stands_beside_nothing_unasked(tmp_path: Path) -> None:
    quarter = api.sample(twelve(tmp_path), tmp_path / "quarter", settings={"train": "25%"})
    assert api.show(quarter).statistics.beside is None
    assert api.show(quarter, beside="bioread-lite").statistics.beside.key == "bioread-lite"


def test_the_rows_are_called_as_in_the_paper_and_rounded_figures_are_marked(tmp_path: Path) -> None:
    page = render(api.report(api.show(twelve(tmp_path))), ".txt")
    assert "This dataset beside the published BioRead, Table 1 of BioRead" in page
    rows = {line[:17].strip(): line.split() for line in page.splitlines()}
    assert rows["Instances"][-4:] == ["~15,100,000", "~600,700", "~652,900", "~16,400,000"]
    assert rows["Min context len."][-4:] == ["26", "56", "48", "26"]
    assert "Avg question len." in page
