from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from tests.encoders.conftest import one_line
from tests.encoders.tiny import tiny_encoder

from anagnosis.encoders.load import Encoder, load, location
from anagnosis.errors import InputError


def test_an_encoder_tells_its_size_and_special_pieces(encoder: Encoder) -> None:
    assert (encoder.pieces.limit, encoder.pieces.width, encoder.pieces.types) == (64, 16, 2)
    special = ["[CLS]", "[SEP]", "[MASK]", "[PAD]"]
    numbers = encoder.pieces.tokenizer.convert_tokens_to_ids(special)
    pieces = encoder.pieces
    assert [pieces.start, pieces.separator, pieces.mask, pieces.padding] == numbers
    assert not encoder.model.training
    assert not any("pooler" in name for name, _ in encoder.model.named_parameters())


def test_the_digest_changes_with_a_weight_and_with_the_vocabulary(encoder: Encoder, tmp_path: Path) -> None:
    others = {
        load(str(tiny_encoder(tmp_path / "seed", seed=1))).digest,
        load(str(tiny_encoder(tmp_path / "words", words=["genes"]))).digest,
        encoder.digest,
    }
    assert len(others) == 3


def test_a_long_text_is_not_cut_by_what_the_tokenizers_file_says(minilm: Encoder) -> None:
    # Its tokenizer.json cuts at 128 pieces and pads to as many.
    assert len(minilm.pieces.split(["word " * 700])[0].ids) == 700
    assert len(minilm.pieces.split(["word"])[0].ids) == 1


def test_a_missing_encoder_is_one_line_with_what_to_do() -> None:
    for name in ("", "./nowhere", "~/nothing", "a/b/c", "allenai/scibert_scivocab_uncased"):
        with pytest.raises(InputError) as fault:
            load(name)
        assert name in one_line(fault)


@pytest.mark.parametrize(
    ("without", "written", "match"),
    [
        ("config.json", "", "no config.json"),
        ("model.safetensors", "", r"no file named model.safetensors.*save_pretrained\(\) wrote"),
        ("tokenizer.json vocab.txt tokenizer_config.json", "", "tokenizer"),
        ("model.safetensors", "no weights", "does not load"),
    ],
)
def test_a_folder_that_lacks_a_file_or_has_a_broken_one_is_told(
    tiny: Path, tmp_path: Path, without: str, written: str, match: str
) -> None:
    folder = shutil.copytree(tiny, tmp_path / "lacking")
    for name in without.split():
        (folder / name).unlink()
        if written:
            (folder / name).write_text(written)
    with pytest.raises(InputError, match=match) as fault:
        load(str(folder))
    one_line(fault)


def test_weights_that_lack_a_layer_are_refused(tiny: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = shutil.copytree(tiny, tmp_path / "short")
    weights = load_file(folder / "model.safetensors")
    kept = {name: weight for name, weight in weights.items() if "layer.1" not in name}
    save_file(kept, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(InputError, match=r"lack 16 of the encoder's parameters"):
        load(str(folder))


def test_an_encoder_that_cannot_read_text_alone_is_refused(tiny: Path, tmp_path: Path) -> None:
    from transformers import LxmertConfig, LxmertModel

    folder = shutil.copytree(tiny, tmp_path / "seeing")
    layers = {"l_layers": 1, "x_layers": 1, "r_layers": 1, "num_attention_heads": 2}
    config = LxmertConfig(vocab_size=96, hidden_size=16, intermediate_size=32, **layers)
    LxmertModel(config).save_pretrained(folder)
    with pytest.raises(
        InputError, match=r"does not load.*visual_feats.*take another: a BERT-like encoder"
    ) as fault:
        load(str(folder))
    assert str(folder) in one_line(fault)


def test_a_tokenizer_without_mask_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no \[MASK\]"):
        load(str(tiny_encoder(tmp_path, mask=False)))


def test_a_tokenizer_of_a_bigger_vocabulary_is_refused(tiny: Path, tmp_path: Path) -> None:
    folder = tiny_encoder(tmp_path / "bigger", words=["genes"])
    for name in ("config.json", "model.safetensors"):
        shutil.copy(tiny / name, folder / name)
    with pytest.raises(InputError, match="has 97 pieces, its encoder vectors for 96"):
        load(str(folder))


def test_code_that_comes_with_an_encoder_is_never_run(tiny: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny, tmp_path / "own")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "own.Own", "AutoModel": "own.Own"}}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    (folder / "own.py").write_text("raise SystemExit('code of the encoder was run')", "utf-8")
    with pytest.raises(InputError, match="code of its own"):
        load(str(folder))


def test_kernels_of_the_hub_are_named_and_switched_off(tiny: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny, tmp_path / "bad")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config["text_config"] = {"attn_implementation": "a/b"}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    with pytest.raises(InputError, match="of others, which is never run; remove attn_implementation"):
        load(folder)
    assert os.environ["USE_HUB_KERNELS"] == "0"


def test_a_folder_is_remembered_by_its_absolute_path(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tiny.parent)
    assert location("tiny") == str(tiny.resolve())
    assert location("allenai/scibert_scivocab_uncased") == "allenai/scibert_scivocab_uncased"
