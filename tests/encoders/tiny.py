"""A tiny random BERT with a vocabulary of its own, so that tests need no download.

from tests.encoders.tiny import tiny_encoder
folder = tiny_encoder(tmp_path / "tiny")
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from pathlib import Path

WORDS = "the of in a and with entity xxxx is was cells patients protein increased . , ( ) - @"


def tiny_encoder(
    folder: Path,
    *,
    width: int = 16,
    layers: int = 2,
    limit: int = 64,
    seed: int = 0,
    words: Sequence[str] = (),
    mask: bool = True,
) -> Path:
    """Write a BERT of `layers` layers and random weights into `folder`; give the folder back.

    limit: most pieces a sequence. words: whole words beside those of WORDS; all others fall into letters.
    """
    import torch
    import transformers
    from tokenizers.implementations import BertWordPieceTokenizer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    signs = string.ascii_lowercase + string.digits
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *(["[MASK]"] if mask else [])]
    ordinary = dict.fromkeys([*WORDS.split(), *words, *signs, *(f"##{sign}" for sign in signs)])
    vocabulary = [*special, *ordinary]
    transformers.logging.disable_progress_bar()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", "utf-8")
    numbers = {piece: number for number, piece in enumerate(vocabulary)}
    backend = BertWordPieceTokenizer(vocab=numbers, lowercase=True)._tokenizer
    options = {} if mask else {"mask_token": None}
    BertTokenizerFast(tokenizer_object=backend, **options).save_pretrained(folder)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        config = BertConfig(
            vocab_size=len(vocabulary),
            hidden_size=width,
            num_hidden_layers=layers,
            num_attention_heads=2,
            intermediate_size=2 * width,
            max_position_embeddings=limit,
            initializer_range=0.5,
        )
        BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    return folder
