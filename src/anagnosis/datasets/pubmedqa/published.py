"""The authors' files by size and hash of their text, whatever they are called and however they are compressed.

We measured PQA-L and the files of its split. The Hugging Face hub reports PQA-U and PQA-A for the same files
(huggingface/datasets, datasets/pubmed_qa/dataset_infos.json).
"""

from __future__ import annotations

PUBLISHED = {
    "8b3276be8942ebbd77f3ddcda12c1749bf0e490045a736fd8438ee40cf37a41d": "ori_pqal.json",
    "ad31a03851e7ee232dc4b7bf2f6853f50685d27abe4924d0215c54884596d7fa": "ori_pqau.json",
    "d4a2234356e5a68321de65303d45f2d2b15dfbe22ba73d71d6d933d5f92570f9": "ori_pqaa.json",
    "f420f49d97516329d81f62d7d454055e3a063dbd0913ebaff915993bb321cbab": "test_set.json",
}
