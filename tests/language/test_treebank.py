from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import pytest
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.language import treebank

SAMPLES = Path(__file__).resolve().parents[1] / "samples" / "treebank"


def read(name: str) -> list[treebank.TaggedSentence]:
    return list(treebank.read([SAMPLES / name]))


def test_the_sample_has_its_titles_and_sentences() -> None:
    sentences = read("own.pos")
    assert Counter(sentence.part for sentence in sentences) == {"title": 90, "abstract": 270}
    assert sentences[0].words[:4] == ("Melatonin", "prevents", "quality", "of")
    assert sentences[0].tags[:4] == ("NN", "VBZ", "NN", "IN")


def test_faults_of_genia_are_repaired_and_counted() -> None:
    counts: Counter[str] = Counter()
    sentences = list(treebank.read([SAMPLES / "dirt.pos"], counts))
    assert [(sentence.part, " ".join(sentence.tags)) for sentence in sentences] == [
        ("title", "NN NN CC JJ ."),
        ("", "PRP VBZ ."),
        ("abstract", "PRP VBD ."),
        ("title", "NN VBZ NN ."),
    ]
    assert sentences[0].words == ("G + C", "content", "and/or", "fever", ".")
    assert counts == {
        "word_with_blanks": 1,
        "several_tags": 1,
        "sentence_with_unknown_tag": 2,
    }
    assert set(counts) == set(treebank.REPAIRS)


def test_conllu_gives_its_tokens_and_penn_tags() -> None:
    assert [" ".join(f"{w}/{t}" for w, t in zip(s.words, s.tags)) for s in read("own.conllu")] == [
        "Nurses/NNS do/VBP n't/RB sleep/VB ./.",
        "Aspirin/NN helps/VBZ",
        "It/PRP rains/VBZ",
    ]


def test_a_folder_gives_the_treebanks_in_it_compressed_or_not(tmp_path: Path) -> None:
    (tmp_path / "b.pos.gz").write_bytes(gzip.compress(b"It/PRP fell/VBD ./.\n"))
    (tmp_path / "a.conllu").write_bytes((SAMPLES / "own.conllu").read_bytes())
    (tmp_path / "LICENSE").write_text("no treebank")
    assert [s.words[0] for s in treebank.read([tmp_path])] == ["Nurses", "Aspirin", "It", "It"]


@each_row(
    ("name", "message"),
    [
        ("no-tags.pos", r"no-tags\.pos:1: no word/TAG in this line"),
        ("nine-columns.conllu", r"nine-columns\.conllu:1: 9 columns instead of 10"),
        ("no-penn-tags.conllu", r"no-penn-tags\.conllu: no sentence in Penn tags"),
        ("empty.pos", r"empty\.pos: no sentence in Penn tags"),
        ("none.pos", "no such file or folder"),
    ],
)
def test_what_is_no_treebank_is_refused_with_its_place(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(name)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"It/PRP fell/VBD\nna\xefve/JJ\n", r"bad\.pos:2: not UTF-8"),
        (b"It/PRP fell/VBD\n" + b"a/NN " * 300_000, r"bad\.pos:2: the line is longer than 1 MiB"),
        (gzip.compress(b"It/PRP fell/VBD\n" * 5_000)[:-20], r"bad\.pos: the compressed file ends too early"),
    ],
    ids=["latin-1", "long line", "cut"],
)
def test_a_hostile_file_is_refused_with_its_place(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "bad.pos").write_bytes(content)
    with pytest.raises(InputError, match=message):
        list(treebank.read([tmp_path / "bad.pos"]))
