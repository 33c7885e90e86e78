"""Word vectors from documents, from the train parts of datasets and by a recipe."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.readers.marked_instances import marked_instance

pytest.importorskip("gensim", reason="the extra vectors is not installed")

from anagnosis import api
from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.errors import InputError
from anagnosis.word_vectors import word2vec

FEW = {"dimension": 2, "threshold": 1}
SETTINGS = {"dimension": 6, "epochs": 1}


def test_documents_become_a_file_that_is_read_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "folder" / "vectors.bin"
    words = ["vectors", str(carried()), "--set", "dimension=6", "--set", "epochs=1", "--json"]
    assert run([*words, "--out", str(out)]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["documents"], made["dimension"]) == (81, 6)
    assert made["known"] <= made["tokens"]
    assert set(word2vec.read(out, ["patients", "the"], 6)) == {"patients", "the"}
    assert out.read_bytes().startswith(f"{made['words']} 6\n".encode())
    assert [path.name for path in out.parent.iterdir()] == ["vectors.bin"]


def test_the_train_part_of_a_dataset_gives_the_words_of_passages_and_filled_questions(tmp_path: Path) -> None:
    reports = [
        marked_instance(
            f"Report {n}\nHe had BEG__Dry cough__END and BEG__fever__END .",
            f"{word} @placeholder helps",
            "fever",
            id=f"r{n // 2}.{n}",
        )
        for n, word in enumerate(("rest", "rest", "sleep", "sleep"))
    ]
    recipe = {"dataset": "biomrc", "text_form": "original", "numbering": "global"}
    writing.write(tmp_path / "built", {"train": reports[:3], "test": reports[3:]}, recipe)
    made = api.train_vectors([tmp_path / "built"], tmp_path / "v.txt", settings=FEW)
    # Three passages of 2 + 7 words, and the questions "rest fever helps" (twice) and "sleep fever helps".
    assert (made.documents, made.tokens) == (2, 3 * 9 + 3 * 3)
    found = word2vec.read(tmp_path / "v.txt", ["dry", "cough", "fever", "sleep", "3", "XXXX", "Dry"], 2)
    assert set(found) == {"dry", "cough", "fever", "sleep"}
    writing.write(tmp_path / "tested", {"test": reports}, recipe)
    with pytest.raises(InputError, match="has no train part; name a dataset with one, or documents"):
        api.train_vectors([tmp_path / "tested"], tmp_path / "t.txt")


def evidence(ident: str, *sentences: tuple[str, str]) -> EvidenceInstance:
    return EvidenceInstance(
        ident,
        f"Does {ident} help?",
        tuple(SourceSentence(document, "", text) for document, text in sentences),
    )


def test_questions_with_sentences_give_the_words_of_both_each_sentence_once(tmp_path: Path) -> None:
    instances = [
        evidence("tea", ("a", "Tea helps."), ("b", "Salt doesn't.")),
        evidence("salt", ("b", "Salt doesn't."), ("c", "Tea, again")),
    ]
    splits = {"train": instances, "test": [evidence("fish", ("d", "Fish swim."))]}
    writing.write(tmp_path / "built", splits, {"dataset": "bioasq-evidence", "kind": "evidence"})
    made = api.train_vectors([tmp_path / "built"], tmp_path / "v.txt", settings=FEW)
    assert (made.documents, made.tokens) == (3, 2 * 3 + 3 * 2)
    found = word2vec.read(tmp_path / "v.txt", ["salt", "doesn't", "Tea", "helps.", "fish"], 2)
    assert set(found) == {"salt", "doesn't"}


def test_a_recipe_gives_the_settings_and_options_override_it(tmp_path: Path) -> None:
    few = {**SETTINGS, "threshold": 5}
    of_recipe = api.train_vectors([carried()], tmp_path / "1.bin", recipe="clicr-word-vectors", settings=few)
    alike = api.train_vectors([carried()], tmp_path / "2.bin", settings={**SETTINGS, "method": "cbow"})
    assert alike.sha256 == of_recipe.sha256


@pytest.mark.shared
def test_citations_of_pubmed_become_vectors(shared: Path, tmp_path: Path) -> None:
    source = shared / "data" / "medline" / "pubmedsample19n0001.xml.gz"
    made = api.train_vectors([source], tmp_path / "v.bin", settings=SETTINGS)
    assert (made.documents, made.tokens, made.words) == (183, 25_081, 939)
