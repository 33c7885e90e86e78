from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.encoders.conftest import one_line
from tests.encoders.tiny import tiny_encoder
from tests.encoders.tiny_text import tiny_text_model
from tests.rows import each_row

from anagnosis.encoders.text_models import load
from anagnosis.errors import InputError


@pytest.fixture(scope="module")
def t5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_text_model(tmp_path_factory.mktemp("models") / "t5")


def test_a_model_tells_how_it_writes(t5: Path, capfd: pytest.CaptureFixture[str]) -> None:
    model = load(t5)
    writing = model.writing
    assert (writing.start, writing.end, writing.padding, writing.limit) == (0, 1, 0, None)
    assert not model.model.training
    assert writing.text(writing.pieces("Which gene ?")) == "which gene"
    assert capfd.readouterr() == ("", "")


def test_a_t5_without_its_decoder_is_refused(t5: Path, tmp_path: Path) -> None:
    from transformers import T5EncoderModel

    folder = shutil.copytree(t5, tmp_path / "half")
    T5EncoderModel.from_pretrained(t5).save_pretrained(folder)
    with pytest.raises(InputError, match=r"lack \d+ of the model's parameters \(decoder\.") as fault:
        load(folder)
    one_line(fault)


@pytest.mark.parametrize(
    ("without", "match"),
    [
        ("config.json", "with a config.json"),
        ("model.safetensors", "no file named model.safetensors"),
        ("tokenizer.json tokenizer_config.json", "tokenizer"),
    ],
)
def test_a_folder_that_lacks_a_file_is_refused(t5: Path, tmp_path: Path, without: str, match: str) -> None:
    folder = shutil.copytree(t5, tmp_path / "lacking")
    for name in without.split():
        (folder / name).unlink()
    with pytest.raises(InputError, match=match) as fault:
        load(folder)
    one_line(fault)


def test_an_encoder_and_a_causal_model_are_refused(tmp_path: Path) -> None:
    from transformers import LlamaConfig

    LlamaConfig().save_pretrained(tmp_path / "llama")
    for folder in (tiny_encoder(tmp_path / "bert"), tmp_path / "llama"):
        with pytest.raises(InputError, match=f"type {folder.name}, which has no decoder of its own") as fault:
            load(folder)
        one_line(fault)


@each_row("name", ["", "./nowhere", "google-t5/t5-base", "tests", "pyproject.toml"])
def test_what_is_no_folder_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").touch()
    with pytest.raises(InputError, match=r"no folder '.+' with a config\.json|no model is named") as fault:
        load(name)
    one_line(fault)
