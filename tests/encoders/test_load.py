from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.encoders.tiny import tiny_encoder
from tests.rows import each_row

from anagnosis.encoders.load import Encoder, keep, load, location, skeleton, top_layers
from anagnosis.errors import InputError


def one_line(fault: pytest.ExceptionInfo[InputError]) -> str:
    line = str(fault.value)
    assert "\n" not in line
    assert fault.value.remedy
    return line


def test_an_encoder_tells_its_size_and_special_pieces(encoder: Encoder) -> None:
    assert (encoder.pieces.limit, encoder.pieces.width, encoder.pieces.types) == (64, 16, 2)
    special = ["[CLS]", "[SEP]", "[MASK]", "[PAD]"]
    numbers = encoder.pieces.tokenizer.convert_tokens_to_ids(special)
    pieces = encoder.pieces
    assert [pieces.start, pieces.separator, pieces.mask, pieces.padding] == numbers
    assert not encoder.model.training
    assert not any("pooler" in name for name, _ in encoder.model.named_parameters())


def test_loading_says_nothing(tiny: Path, capfd: pytest.CaptureFixture[str]) -> None:
    load(str(tiny))
    assert capfd.readouterr() == ("", "")


def test_loading_minilm_says_nothing_and_gives_the_known_weights(
    minilm: Encoder, capfd: pytest.CaptureFixture[str]
) -> None:
    capfd.readouterr()
    load(minilm.name)
    assert capfd.readouterr() == ("", "")
    # With the pooler's 147,840, which nobody reads, 22,713,216.
    assert sum(weight.numel() for weight in minilm.model.parameters()) == 22_713_216 - 147_840
    assert (minilm.pieces.limit, minilm.pieces.width, minilm.pieces.mask) == (512, 384, 103)


def test_the_digest_stays_with_the_encoder_wherever_it_lies(tiny: Path, tmp_path: Path) -> None:
    copied = shutil.copytree(tiny, tmp_path / "copied")
    assert load(str(copied)).digest == load(str(tiny)).digest


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


def test_weights_as_the_authors_of_scibert_publish_them_load(tiny: Path, tmp_path: Path) -> None:
    """config.json, vocab.txt and pytorch_model.bin with the masked-language head's names."""
    from safetensors.torch import load_file

    weights = {f"bert.{name}": weight for name, weight in load_file(tiny / "model.safetensors").items()}
    torch.save(weights, tmp_path / "pytorch_model.bin")
    for name in ("config.json", "vocab.txt"):
        shutil.copy(tiny / name, tmp_path / name)
    old, new = load(str(tiny)), load(str(tmp_path))
    assert all(map(torch.equal, old.model.state_dict().values(), new.model.state_dict().values()))
    assert new.pieces.split(["The (XXXX)"])[0].ids == old.pieces.split(["The (XXXX)"])[0].ids


def test_a_missing_encoder_is_one_line_with_what_to_do() -> None:
    with pytest.raises(InputError, match=r"allenai/scibert_scivocab_uncased.*HF_HUB_OFFLINE") as fault:
        load("allenai/scibert_scivocab_uncased")
    assert "hf download allenai/scibert_scivocab_uncased" in one_line(fault)


@each_row("name", ["", "./nowhere", "/no/such/folder", "~/nothing", "a/b/c"])
def test_a_folder_that_is_not_there_is_told(name: str) -> None:
    with pytest.raises(InputError, match=r"no folder|no encoder is named") as fault:
        load(name)
    one_line(fault)


@pytest.mark.parametrize(
    ("without", "match"),
    [
        ("config.json", "no config.json"),
        ("model.safetensors", "no weights"),
        ("tokenizer.json vocab.txt tokenizer_config.json", "tokenizer"),
    ],
)
def test_a_folder_that_lacks_a_file_is_told(tiny: Path, tmp_path: Path, without: str, match: str) -> None:
    folder = shutil.copytree(tiny, tmp_path / "lacking")
    for name in without.split():
        (folder / name).unlink()
    with pytest.raises(InputError, match=match) as fault:
        load(str(folder))
    one_line(fault)


def test_broken_weights_are_told(tiny: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny, tmp_path / "broken")
    (folder / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(InputError, match="does not load") as fault:
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


WRONG_TYPES = (None, "x", -1, 0, [], {}, 10**30, True)
# Key of a config → values that no encoder has.
BAD_CONFIGS: dict[str, tuple[Any, ...]] = {
    "vocab_size": (None, "x", -1, 0, [], {}, 2**31, 10**12, 10**30),
    "hidden_size": (*WRONG_TYPES, 2**31),
    "num_hidden_layers": (None, "x", [], {}, 1_001, 10**12, 10**30),
    "num_attention_heads": (*WRONG_TYPES[:-1], 3),
    "max_position_embeddings": (None, "x", -1, [], 2**31, 10**30),
    "intermediate_size": (*WRONG_TYPES, 10**12),
    "hidden_act": (None, 1, [], {}, "nothing"),
    "layer_norm_eps": ("x", [], {}),
    "model_type": ([], {}, 1, "nothing"),
    "id2label": ("x", 1, [1]),
    "num_labels": ("x", [], 2**31, 10**30),
    "auto_map": (1, True),
    "quantization_config": ("x", 1, []),
    "attn_implementation": ("kernels-community/flash-attn2", "flash_attention_2", 1, {"": "a/b"}),
    "_attn_implementation": ("a/b@main:c",),
    "experts_implementation": ("a/b",),
}


def test_a_config_of_wrong_types_or_absurd_sizes_is_one_line(tiny: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny, tmp_path / "bad")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    for key, values in BAD_CONFIGS.items():
        for value in values:
            (folder / "config.json").write_text(json.dumps({**config, key: value}), "utf-8")
            begun = time.monotonic()
            with pytest.raises(InputError) as fault:
                load(folder)
            assert len(one_line(fault)) < 500, (key, value)
            assert time.monotonic() - begun < 20, (key, value)


def test_kernels_of_the_hub_are_named_and_switched_off(tiny: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny, tmp_path / "bad")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config["text_config"] = {"attn_implementation": "a/b"}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    with pytest.raises(
        InputError, match=r"of others \('a/b'\), which is never run; remove attn_implementation"
    ):
        load(folder)
    assert os.environ["USE_HUB_KERNELS"] == "0"


@pytest.mark.parametrize("name", ["../secret.safetensors", "/tmp/secret.safetensors", "a\\b.safetensors"])
def test_an_index_of_weights_names_no_file_elsewhere(name: str, tiny: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny, tmp_path / "bad")
    (folder / "model.safetensors").rename(tmp_path / "secret.safetensors")
    index = {"metadata": {}, "weight_map": {"embeddings.word_embeddings.weight": name}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises(InputError, match=r"index\.json: names a file outside its folder"):
        load(folder)


def test_a_kept_skeleton_takes_the_weights_back(encoder: Encoder, tmp_path: Path) -> None:
    keep(encoder.model, encoder.pieces.tokenizer, tmp_path / "kept")
    pieces, model = skeleton(tmp_path / "kept")
    assert not list((tmp_path / "kept").glob("*.safetensors"))
    model.load_state_dict(encoder.model.state_dict())
    ids = torch.tensor([encoder.pieces.split(["The patients"])[0].ids])
    assert torch.equal(model.eval()(ids).last_hidden_state, encoder.model(ids).last_hidden_state)
    assert pieces.split(["(XXXX)"])[0].ids == encoder.pieces.split(["(XXXX)"])[0].ids


def test_the_top_layers_are_the_last(encoder: Encoder) -> None:
    assert top_layers(encoder.model, 1) == ("encoder.layer.1.",)
    assert top_layers(encoder.model, 2) == ("encoder.layer.0.", "encoder.layer.1.")
    with pytest.raises(InputError, match="has 2 layers, fewer than 3"):
        top_layers(encoder.model, 3)


def test_a_folder_is_remembered_by_its_absolute_path(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tiny.parent)
    assert location("tiny") == str(tiny.resolve())
    assert location("allenai/scibert_scivocab_uncased") == "allenai/scibert_scivocab_uncased"
