"""A tiny text model with random weights and a vocabulary of its own, so that tests need no download.

from tests.encoders.tiny_text import tiny_text_model
folder = tiny_text_model(tmp_path / "tiny")
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from pathlib import Path
from typing import Any

WORDS = "question context answer which gene causes the disease is in il-2 brca1 tp53 cancer mice ; : . ,"


def tiny_text_model(folder: Path, *, words: Sequence[str] = ()) -> Path:
    """Write a T5 with random weights into `folder`; give the folder back.

    words: beside those of WORDS; all others are unknown.
    """
    import torch
    import transformers
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    vocabulary = [
        "<pad>",
        "</s>",
        "<unk>",
        *dict.fromkeys([*WORDS.split(), *map(str.lower, words), *string.ascii_lowercase]),
    ]
    backend = Tokenizer(
        models.WordLevel({word: place for place, word in enumerate(vocabulary)}, unk_token="<unk>")
    )
    backend.normalizer = normalizers.Lowercase()
    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.WhitespaceSplit(),
            pre_tokenizers.Split(":", "isolated"),
            pre_tokenizers.Split(";", "isolated"),
        ]
    )
    transformers.logging.disable_progress_bar()
    folder.mkdir(parents=True, exist_ok=True)
    special: dict[str, Any] = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    PreTrainedTokenizerFast(tokenizer_object=backend, **special).save_pretrained(folder)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        config = T5Config(
            vocab_size=len(vocabulary),
            pad_token_id=0,
            eos_token_id=1,
            bos_token_id=None,
            d_model=16,
            d_kv=8,
            d_ff=32,
            num_layers=2,
            num_decoder_layers=4,  # more than the parts of a layer
            num_heads=2,
            initializer_factor=3.0,
        )
        config.decoder_start_token_id = 0
        T5ForConditionalGeneration(config).save_pretrained(folder)
    return folder


def plain_logits(text_model: Any, given: Sequence[int], answer: Sequence[int]) -> Any:
    """The logits of each piece of an answer and of the one behind it, by one call of the model: [k + 1, v]."""
    import torch

    model, writing = text_model.model, text_model.writing
    decoder = torch.tensor([[writing.start, *answer]])
    return model(input_ids=torch.tensor([[*given]]), decoder_input_ids=decoder).logits[0]
