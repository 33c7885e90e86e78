"""Language models in the ARPA format, read back by a plain reader; and the models of a dataset."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.language.test_kneser_ney import SENTENCES
from tests.readers.marked_instances import marked_instance

from anagnosis import api
from anagnosis.datasets.export import arpa
from anagnosis.datasets.folder import writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import sentences
from anagnosis.errors import InputError
from anagnosis.language.kneser_ney import BEGIN, LanguageModel, Method, train

INSTANCES = [
    marked_instance(
        f"Report {n}\nHe had BEG__dry cough__END and BEG__fever__END .",
        "@placeholder helps",
        "fever",
        id=f"r.{n}",
    )
    for n in range(4)
]


def read(path: Path) -> tuple[dict[str, int], dict[str, float], dict[str, float]]:
    """The counts of the head, and each n-gram's logarithm and back-off weight."""
    counts, logs, backoffs = {}, {}, {}
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("ngram "):
            order, _, count = line.removeprefix("ngram ").partition("=")
            counts[order] = int(count)
        elif "\t" in line:
            log, words, *backoff = line.split("\t")
            logs[words] = float(log)
            backoffs[words] = float(backoff[0]) if backoff else 0.0
    return counts, logs, backoffs


@pytest.mark.parametrize("method", ["plain", "modified"])
def test_a_program_that_backs_off_reads_the_same_probabilities(tmp_path: Path, method: Method) -> None:
    model = train(SENTENCES, order=3, discounts=method)
    arpa.write(tmp_path / "model.arpa", model)
    _, logs, backoffs = read(tmp_path / "model.arpa")

    def back_off(words: list[str]) -> float:
        text = " ".join(words)
        if text in logs:
            return logs[text]
        return backoffs.get(" ".join(words[:-1]), 0.0) + back_off(words[1:])

    for context in ([], [BEGIN], [BEGIN, "the"], ["had", "a"], ["rash", "had"], ["a", "fever"]):
        for word in model.words[1:]:
            expected = float(model.distribution(context)[model.numbers[word]])
            assert 10 ** back_off([*context, word]) == pytest.approx(expected, rel=1e-5), (context, word)


def test_the_head_counts_the_n_grams_of_each_order(tmp_path: Path) -> None:
    model = train(SENTENCES, order=4)
    arpa.write(tmp_path / "model.arpa", model)
    counts, logs, _ = read(tmp_path / "model.arpa")
    assert counts == {str(length): len(order.codes) for length, order in enumerate(model.orders, 1)}
    assert sum(counts.values()) == len(logs)
    for order, count in counts.items():
        assert sum(len(words.split()) == int(order) for words in logs) == count


def test_the_form_is_arpas() -> None:
    model = train([["a", "b"]], order=2, discounts="plain")
    half = math.log10(0.5)
    assert list(arpa.lines(model)) == [
        "\\data\\",
        "ngram 1=5",
        "ngram 2=3",
        "",
        "\\1-grams:",
        f"-99\t<s>\t{half:.7g}",
        f"{math.log10(0.5 / 3 + 0.5 / 4):.7g}\t</s>",
        f"{math.log10(0.5 / 4):.7g}\t<unk>\t0",
        f"{math.log10(0.5 / 3 + 0.5 / 4):.7g}\ta\t{half:.7g}",
        f"{math.log10(0.5 / 3 + 0.5 / 4):.7g}\tb\t{half:.7g}",
        "",
        "\\2-grams:",
        *(
            f"{math.log10(0.5 + 0.5 * (0.5 / 3 + 0.5 / 4)):.7g}\t{words}"
            for words in ("<s> a", "a b", "b </s>")
        ),
        "",
        "\\end\\",
    ]


def test_a_model_of_no_sentence_is_written() -> None:
    assert "ngram 4=0" in [*arpa.lines(train([]))]


def test_the_same_sentences_give_the_same_bytes_compressed_too(tmp_path: Path) -> None:
    for name in ("one.arpa.gz", "two.arpa.gz"):
        arpa.write(tmp_path / name, train(SENTENCES))
    assert (tmp_path / "one.arpa.gz").read_bytes() == (tmp_path / "two.arpa.gz").read_bytes()
    model: LanguageModel = train(reversed(SENTENCES))
    assert [*arpa.lines(model)] != [*arpa.lines(train(SENTENCES))]


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=4)


@given(st.lists(st.lists(WORDS, max_size=5), min_size=1, max_size=4), st.integers(2, 4))
def test_a_model_of_any_words_has_whole_lines(sentences: list[list[str]], order: int) -> None:
    model = train(sentences, order=order, discounts="plain")
    written = list(arpa.lines(model))
    rows = [line.split("\t") for line in written if "\t" in line]
    assert len(rows) == sum(len(each.codes) for each in model.orders)
    assert all(len(line.splitlines()) <= 1 for line in written)
    for log, words, *backoff in rows:
        assert float(log) <= 1e-6
        assert 1 <= len(words.split(" ")) <= order
        assert len(backoff) <= 1
        assert all(math.isfinite(float(each)) for each in backoff)


def dataset(folder: Path, split: str = "train", numbering: str = "global") -> Dataset:
    recipe = {"dataset": "biomrc", "text_form": "original", "numbering": numbering}
    return writing.write(folder, {split: INSTANCES}, recipe)


def test_each_method_of_discounting_has_a_file_of_trains_model(tmp_path: Path) -> None:
    made = api.export(dataset(tmp_path / "built"), tmp_path / "out", layout="arpa")
    assert [(one.path.name, one.instances) for one in made] == [
        ("train.plain.arpa", 4),
        ("train.modified.arpa", 4),
    ]
    for one, method in zip(made, ("plain", "modified"), strict=True):
        lines = list(arpa.lines(train(sentences(INSTANCES), discounts=method)))  # type: ignore[arg-type]
        assert one.path.read_text().splitlines() == lines
        assert any(line.endswith("\thad @entitydry_cough and @entityfever") for line in lines)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"split": "test"}, "has no train part to count"),
        ({"numbering": "local"}, "entities that have the same number in each instance"),
    ],
)
def test_a_dataset_without_the_text_of_a_model_is_refused(
    tmp_path: Path, given: dict[str, str], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        api.export(dataset(tmp_path / "built", **given), tmp_path / "out", layout="arpa")


def test_a_view_is_refused(tmp_path: Path, built: Dataset) -> None:
    with pytest.raises(InputError, match="--view names: a language model has a view of its own"):
        api.export(built, tmp_path / "out", layout="arpa", view="names")
