"""`anagnosis vectors`, as a user drives it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.readers.marked_instances import marked_instance
from tests.rows import each_row

pytest.importorskip("gensim", reason="the extra vectors is not installed")

from anagnosis import api
from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.word_vectors import word2vec

FEW = ["--set", "dimension=6", "--set", "epochs=1"]
SETTINGS = {"dimension": 6, "epochs": 1}


def test_documents_become_a_file_that_is_read_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "folder" / "vectors.bin"
    assert run(["vectors", str(carried()), "--out", str(out), *FEW, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    documents = list(api.read(carried()))
    assert made["documents"] == len(documents)
    assert made["dimension"] == 6
    assert made["known"] <= made["tokens"]
    found = word2vec.read(out, ["patients", "the"], 6)
    assert set(found) == {"patients", "the"}
    assert out.read_bytes().startswith(f"{made['words']} 6\n".encode())
    assert [path.name for path in out.parent.iterdir()] == ["vectors.bin"]


def test_the_same_documents_give_the_same_bytes_as_text_too(tmp_path: Path) -> None:
    shas = [api.train_vectors([carried()], tmp_path / f"{n}.bin", settings=SETTINGS).sha256 for n in (1, 2)]
    assert shas[0] == shas[1]
    api.train_vectors([carried()], tmp_path / "a.txt", settings=SETTINGS)
    text, binary = (word2vec.read(tmp_path / name, ["patients"], 6) for name in ("a.txt", "1.bin"))
    assert text["patients"].tobytes() == binary["patients"].tobytes()


@each_row(
    ("given", "said"),
    [
        (["--out", "v.npy"], "the name's ending does not show the format of word vectors"),
        (["--out", "v.bin", "--set", "threshold=100000"], "0 words occur 100000 times or more"),
        (["--out", "v.bin", "--set", "dimension=0"], "dimension"),
        (["--out", "v.bin", "--workers", "0"], "--workers"),
        (["--out", "v.bin", "--set", "method=glove"], "method"),
        (["--out", "v.bin", "--recipe", "clicr-sim-entity"], "is no recipe of word vectors"),
    ],
)
def test_a_wrong_request_is_one_line(
    given: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["vectors", str(carried()), *given]) == 2
    captured = capsys.readouterr().err
    assert said in captured
    assert len(captured.splitlines()) == 1
    assert not list(tmp_path.iterdir())


REPORTS = [
    marked_instance(
        f"Report {n}\nHe had BEG__Dry cough__END and BEG__fever__END .",
        f"{word} @placeholder helps",
        "fever",
        id=f"r{n // 2}.{n}",
    )
    for n, word in enumerate(("rest", "rest", "sleep", "sleep"))
]


def a_dataset(folder: Path, **splits: list[ClozeInstance]) -> Path:
    recipe = {"dataset": "biomrc", "text_form": "original", "numbering": "global"}
    writing.write(folder, splits, recipe)
    return folder


def test_the_train_part_of_a_dataset_gives_the_words_of_passages_and_filled_questions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    built = a_dataset(tmp_path / "built", train=REPORTS[:3], test=REPORTS[3:])
    options = ["--out", str(tmp_path / "v.txt"), "--set", "dimension=2", "--set", "threshold=1", "--json"]
    assert run(["vectors", str(built), *options]) == 0
    made = json.loads(capsys.readouterr().out)
    # Three passages of 2 + 7 words, and the questions "rest fever helps" (twice) and "sleep fever helps".
    assert (made["documents"], made["tokens"]) == (2, 3 * 9 + 3 * 3)
    found = word2vec.read(tmp_path / "v.txt", ["dry", "cough", "fever", "sleep", "3", "XXXX", "Dry"], 2)
    assert set(found) == {"dry", "cough", "fever", "sleep"}


def evidence(ident: str, *sentences: tuple[str, str]) -> EvidenceInstance:
    return EvidenceInstance(
        ident,
        f"Does {ident} help?",
        tuple(SourceSentence(document, "", text) for document, text in sentences),
    )


def test_questions_with_sentences_give_the_words_of_both_each_sentence_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    instances = [
        evidence("tea", ("a", "Tea helps."), ("b", "Salt doesn't.")),
        evidence("salt", ("b", "Salt doesn't."), ("c", "Tea, again")),
    ]
    splits = {"train": instances, "test": [evidence("fish", ("d", "Fish swim."))]}
    out = tmp_path / "v.txt"
    writing.write(tmp_path / "built", splits, {"dataset": "bioasq-evidence", "kind": "evidence"})
    options = ["--out", str(out), "--set", "dimension=2", "--set", "threshold=1"]
    assert run(["vectors", str(tmp_path / "built"), *options, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["documents"], made["tokens"]) == (3, 2 * 3 + 3 * 2)
    assert set(word2vec.read(out, ["salt", "doesn't", "Tea", "helps.", "fish"], 2)) == {"salt", "doesn't"}


def test_a_dataset_without_a_train_part_and_a_dataset_of_another_kind_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    built = a_dataset(tmp_path / "built", test=REPORTS)
    assert run(["vectors", str(built), "--out", str(tmp_path / "v.bin")]) == 2
    assert "has no train part; name a dataset with one, or documents" in capsys.readouterr().err
    writing.write(
        tmp_path / "asked",
        {"train": [QuestionInstance("5" * 24, "factoid", "Which gene?")]},
        {"dataset": "made", "kind": "question"},
    )
    assert run(["vectors", str(tmp_path / "asked"), "--out", str(tmp_path / "v.bin")]) == 2
    assert "which have no running text; choose another dataset" in capsys.readouterr().err


def test_a_recipe_gives_the_settings_and_options_override_it(tmp_path: Path) -> None:
    of_recipe = api.train_vectors(
        [carried()], tmp_path / "1.bin", recipe="clicr-word-vectors", settings={**SETTINGS, "threshold": 5}
    )
    alike = api.train_vectors([carried()], tmp_path / "2.bin", settings={**SETTINGS, "method": "cbow"})
    assert alike.sha256 == of_recipe.sha256
    other = api.train_vectors(
        [carried()], tmp_path / "3.bin", settings={**SETTINGS, "method": "cbow", "negative": 9}
    )
    assert other.sha256 != alike.sha256


@pytest.mark.shared
def test_citations_of_pubmed_become_vectors(shared: Path, tmp_path: Path) -> None:
    source = shared / "data" / "medline" / "pubmedsample19n0001.xml.gz"
    made = api.train_vectors([source], tmp_path / "v.bin", settings=SETTINGS)
    assert (made.documents, made.tokens, made.words) == (183, 25_081, 939)
