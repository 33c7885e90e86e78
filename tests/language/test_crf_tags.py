from __future__ import annotations

import sys
from pathlib import Path

import pytest

from anagnosis.errors import InputError
from anagnosis.language import tags, treebank

SAMPLE = Path(__file__).resolve().parents[1] / "samples" / "treebank" / "own.pos"

pytest.importorskip("pycrfsuite")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from anagnosis.language import crf_tags

    path = tmp_path_factory.mktemp("crf") / "own.crf"
    assert crf_tags.train(treebank.read([SAMPLE]), path) == 360
    return path


def test_it_knows_again_what_it_was_trained_on(model: Path) -> None:
    tag = tags.tagger("crf", model)
    sentences = list(treebank.read([SAMPLE]))
    hits = sum(a == b for s in sentences for a, b in zip(s.tags, tag(s.words)))
    assert hits / sum(len(s.words) for s in sentences) > 0.99


@pytest.mark.parametrize(
    ("title", "verb"),
    [
        ("Zorapine reduces relapse in adults with asthma", "reduces"),
        ("Standing desks do not lower blood pressure", "do"),
        ("Low doses of Pelatrine protect the kidney", "protect"),
        ("Hand cream is associated with fewer infections", "is"),
    ],
)
def test_it_finds_the_verbs_of_titles_it_has_not_seen(model: Path, title: str, verb: str) -> None:
    words = title.split()
    tagged = tags.tagger("crf", model)(words)
    assert [word for word, tag in zip(words, tagged) if tag in ("VBZ", "VBP")] == [verb]


def test_the_same_sentences_give_the_same_file_whatever_was_trained_before(
    model: Path, tmp_path: Path
) -> None:
    from anagnosis.language import crf_tags

    crf_tags.train(list(treebank.read([SAMPLE]))[:5], tmp_path / "other.crf")
    crf_tags.train(treebank.read([SAMPLE]), tmp_path / "again.crf")
    assert (tmp_path / "again.crf").read_bytes() == model.read_bytes()


def test_nothing_has_no_tags(model: Path) -> None:
    tag = tags.tagger("crf", model)
    tag(["Zorapine", "helps"])
    assert tag([]) == []


def test_two_models_can_be_open_at_once(model: Path) -> None:
    one, other = tags.tagger("crf", model), tags.tagger("crf", model)
    assert one(["Zorapine", "helps"]) == other(["Zorapine", "helps"])


def test_a_model_file_that_was_cut_or_is_something_else_is_refused(model: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.crf"
    for content in (model.read_bytes()[:-1], model.read_bytes()[:20], b"", b"lCRF", b"no model at all"):
        bad.write_bytes(content)
        with pytest.raises(InputError, match=r"bad\.crf: not a whole model"):
            tags.tagger("crf", bad)


def test_a_model_must_be_named_and_be_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needs a model file"):
        tags.tagger("crf")
    with pytest.raises(InputError, match="no such file"):
        tags.tagger("crf", tmp_path / "none.crf")


def test_training_on_nothing_is_refused(tmp_path: Path) -> None:
    from anagnosis.language import crf_tags

    with pytest.raises(InputError, match="no sentence to learn from"):
        crf_tags.train([], tmp_path / "none.crf")
    assert not (tmp_path / "none.crf").exists()


def test_without_its_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pycrfsuite", None)
    monkeypatch.delitem(sys.modules, "anagnosis.language.crf_tags", raising=False)
    with pytest.raises(InputError, match=r"python-crfsuite.*anagnosis\[pubmedqa\]"):
        tags.tagger("crf", "any")
