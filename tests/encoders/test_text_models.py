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
    return tiny_text_model(tmp_path_factory.mktemp("models") / "t5", causal=False)


@pytest.mark.parametrize("causal", [True, False], ids=["causal", "t5"])
def test_a_model_tells_how_it_writes(tmp_path: Path, causal: bool, capfd: pytest.CaptureFixture[str]) -> None:
    model = load(tiny_text_model(tmp_path, causal=causal))
    writing = model.writing
    assert (writing.causal, writing.start, writing.end, writing.padding) == (
        causal,
        None if causal else 0,
        1,
        0,
    )
    assert writing.limit == (256 if causal else None)
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
        ("config.json", "0 GGUF files and no config.json"),
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


def test_an_encoder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="type bert, which writes no text") as fault:
        load(tiny_encoder(tmp_path))
    one_line(fault)


@each_row("name", ["", "./nowhere", "google-t5/t5-base", "tests", "pyproject.toml"])
def test_what_is_no_folder_and_no_gguf_file_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").touch()
    with pytest.raises(InputError, match=r"no folder or GGUF file|no model is named") as fault:
        load(name)
    one_line(fault)


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"no model", "no GGUF file"),
        (b"GGUF", "does not load"),
        (b"GGUF" + b"\x03\0\0\0" + b"\xff" * 64, "does not load"),
    ],
)
def test_a_damaged_gguf_file_is_refused(tmp_path: Path, content: bytes, match: str) -> None:
    pytest.importorskip("gguf", reason="the extra train is not installed")
    (tmp_path / "model.gguf").write_bytes(content)
    with pytest.raises(InputError, match=match) as fault:
        load(tmp_path / "model.gguf")
    one_line(fault)


def test_a_folder_of_two_gguf_files_is_refused(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.gguf").write_bytes(b"GGUF")
    with pytest.raises(InputError, match="2 GGUF files") as fault:
        load(tmp_path)
    one_line(fault)
