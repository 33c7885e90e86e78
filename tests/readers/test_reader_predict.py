from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.packages import installed
from tests.readers.marked_instances import replaced
from tests.rows import each_row

from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.errors import InputError
from anagnosis.readers import READERS, find
from anagnosis.readers.predict import draw, kind_read, predict, tied

PASSAGE = "the drug @entity1 lowers pain in @entity2 while @entity3 lowers pain and fever in @entity2 ."


def a_split(split: int) -> list[ClozeInstance]:
    return [
        replaced(
            PASSAGE, f"the XXXX lowers pain {row % 3}", f"@entity{1 + row % 2}", id=f"{split}{row:03d}:4"
        )
        for row in range(40)
    ]


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    splits = {"train": a_split(1), "test": a_split(3)}
    recipe = {"dataset": "biomrc", "text_form": "replaced", "numbering": "global"}
    return writing.write(tmp_path / "built", splits, recipe)


@pytest.fixture
def local(tmp_path: Path) -> Dataset:
    recipe = {"dataset": "biomrc", "text_form": "replaced", "numbering": "local"}
    return writing.write(tmp_path / "local", {"train": a_split(1)}, recipe)


BY_LABEL = ("question-type-rules", "majority")
UNTRAINED = [name for name, place in READERS.items() if ".heuristics." in place and name not in BY_LABEL]
# Readers that count the words of what they answer need a file of word vectors.
NEED_VECTORS = ("sim-entity",)
NEED_IDENTITY = ("entity-prior", "lang-model", "question-words")


def options(reader: str, folder: Path) -> dict[str, Any]:
    """The options that a reader needs on these instances."""
    (folder / "words.txt").write_text("2 2\nlowers 1 0.5\npain 0.5 1\n")
    return {"vectors": str(folder / "words.txt")} if reader in NEED_VECTORS else {}


@pytest.mark.parametrize("reader", UNTRAINED)
def test_every_reader_gives_a_line_an_instance_with_a_score_a_candidate(
    reader: str, dataset: Dataset, tmp_path: Path
) -> None:
    lines = list(predict(dataset, reader, split="test", seed=1, options=options(reader, tmp_path)))
    instances = list(store.instances(dataset, "test"))
    assert [line.id for line in lines] == [instance.id for instance in instances]
    for line, instance in zip(lines, instances, strict=True):
        keys = [candidate.key for candidate in instance.candidates]
        assert line.dataset == store.fingerprint(dataset, "test")
        if reader == "lang-model":
            assert isinstance(line.answer, str)
            assert line.scores is None
            continue
        assert line.scores is not None
        assert list(line.scores) == keys
        assert line.answer in [keys[index] for index in tied(list(line.scores.values()))]


@each_row("reader", ["BASE3+", "rand-entity"])
def test_ties_and_draws_fall_by_the_seed_whatever_the_limit(reader: str, dataset: Dataset) -> None:
    def answers(seed: int, limit: int | None = None) -> list[Any]:
        return [line.answer for line in predict(dataset, reader, split="test", seed=seed, limit=limit)]

    assert answers(1) == answers(1)
    assert answers(1) != answers(2)
    assert answers(1, limit=7) == answers(1)[:7]


def test_options_reach_the_reader(dataset: Dataset) -> None:
    def scores(**options: Any) -> dict[str, float] | None:
        return next(predict(dataset, "BASE4", split="test", seed=0, options=options)).scores

    assert scores() == {"@entity1": 3, "@entity2": 1, "@entity3": 2}
    assert scores(n=2) == {"@entity1": 1, "@entity2": 0, "@entity3": 1}
    assert scores(reader="BASE4", n=2) == scores(n=2)


@pytest.mark.parametrize(
    ("reader", "options", "line"),
    [
        ("BASE4", {"N": 3}, r"reader neighbour-overlap: 1 problem: unknown key 'N'.*known keys: n"),
        (
            "BASE4",
            {"n": 1},
            r"reader neighbour-overlap: 1 problem: n: 1 does not fit; Expected `int` >= 2",
        ),
        ("BASE4", {"n": "3"}, r"n: '3' does not fit; Expected `int`, got `str`"),
        (
            "BASE4",
            {"n": 0, "counting": "set"},
            r"2 problems: n: .*; unknown key 'counting'",
        ),
        ("BASE1", {"n": 3}, r"reader first-entity: 1 problem: unknown key 'n'"),
        ("entity-prior", {"view": "local"}, r"unknown key 'view'"),
        ("rand-entity", {"seed": 1}, "unknown key 'seed'"),
        ("BASE5", {}, r"unknown reader 'BASE5'"),
        (
            "BASE4",
            {"reader": "ngram-occurrences", "n": 2},
            "the recipe is for ngram-occurrences, not for neighbour-overlap",
        ),
    ],
)
def test_a_wrong_option_is_told_before_anything_is_read(
    reader: str, options: dict[str, Any], line: str, dataset: Dataset
) -> None:
    with pytest.raises(InputError, match=line):
        predict(dataset, reader, split="test", seed=0, options=options)


def test_a_reader_that_counts_reads_the_train_part_or_that_of_another_dataset(
    dataset: Dataset, tmp_path: Path
) -> None:
    """Forty instances; with those of test there would be twice as many."""
    counted = {"@entity1": 20, "@entity2": 20, "@entity3": 0}
    assert next(predict(dataset, "entity-prior", split="test", seed=0)).scores == counted
    tiny = writing.write(
        tmp_path / "tiny", {"test": a_split(5)}, {"dataset": "biomrc", "text_form": "replaced"}
    )
    with pytest.raises(InputError, match="entity-prior counts over a train part, and this dataset has none"):
        predict(tiny, "entity-prior", split="test", seed=0)
    assert next(predict(tiny, "entity-prior", split="test", seed=0, training=dataset)).scores == counted


@pytest.mark.parametrize("reader", NEED_IDENTITY)
def test_what_needs_identity_is_undefined_for_local_numbers(
    reader: str, local: Dataset, dataset: Dataset
) -> None:
    for where, training, view in (
        (local, None, "global"),
        (local, dataset, "global"),
        (dataset, None, "local"),
    ):
        with pytest.raises(InputError, match=f"{reader} is undefined"):
            predict(where, reader, split="train", seed=0, training=training, view=view)


def test_a_reader_reads_the_words_of_the_instances_that_it_answers_and_no_train_part(
    dataset: Dataset, tmp_path: Path
) -> None:
    given = options("sim-entity", tmp_path)
    first = list(predict(dataset, "sim-entity", split="test", seed=0, options=given, limit=3))
    assert first == list(predict(dataset, "clicr:sim-entity", split="test", seed=0, options=given))[:3]
    with pytest.raises(InputError, match="sim-entity is not fitted on a train part; leave --train-on out"):
        predict(dataset, "sim-entity", split="test", seed=0, options=given, training=dataset)
    with pytest.raises(InputError, match="names no word vectors; name a word2vec file: --set vectors=FILE"):
        predict(dataset, "sim-entity", split="test", seed=0)


@each_row("reader", [name for name in READERS if hasattr(find(name), "prepare")])
def test_a_reader_that_learns_has_to_be_trained_first(reader: str, dataset: Dataset) -> None:
    with pytest.raises(
        InputError, match=f"{reader} has to be trained first; train it with `anagnosis train`"
    ):
        predict(dataset, reader, split="test", seed=0)


def test_a_reader_that_does_not_say_what_it_reads_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "def silent(instance):\n    return [0.0 for _ in instance.candidates]\n"
    packages = installed(
        tmp_path, "silent_reader", source, {"anagnosis.readers": "silent = silent_reader:silent"}
    )
    monkeypatch.syspath_prepend(packages)
    with pytest.raises(InputError, match="the reader 'silent' does not say which instances it reads"):
        kind_read("silent")


@each_row(
    ("scores", "indices"),
    [
        ([], []),
        ([-1.0], [0]),
        ([0.0, 2.0, 1.0], [1]),
        ([2.0, 0.0, 2.0], [0, 2]),
        ([0.0, 0.0], [0, 1]),
        ([-0.0, 0.0], [0, 1]),
        ([float("-inf"), float("-inf")], [0, 1]),
    ],
)
def test_tied_are_all_that_share_the_top(scores: list[float], indices: list[int]) -> None:
    assert tied(scores) == indices


def test_a_draw_depends_on_seed_and_id_and_not_on_the_order() -> None:
    keys = ["gene/1", "gene/2", "disease/3"]
    first = [draw(keys, seed=5, instance=f"{i}:0") for i in range(50)]
    assert first == [draw(keys[::-1], seed=5, instance=f"{i}:0") for i in range(50)]
    assert first != [draw(keys, seed=6, instance=f"{i}:0") for i in range(50)]
    assert first != [draw(keys, seed=5, instance=f"{i}:1") for i in range(50)]


def test_a_draw_is_the_same_on_every_machine_and_in_every_version() -> None:
    assert [draw(["a", "b", "c"], seed=0, instance=str(i)) for i in range(8)] == list("cbbbacba")
