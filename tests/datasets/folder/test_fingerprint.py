from __future__ import annotations

import hashlib

from tests.rows import each_row

from anagnosis.datasets.folder.fingerprint import fingerprint, short


def test_it_is_the_hash_of_sorted_hashes_of_netstrings() -> None:
    one = hashlib.sha256(b"4:12:0,9:gene/9606,12:species/9606,").digest()
    two = hashlib.sha256(b"4:7:\xc3\xa9,").digest()
    expected = hashlib.sha256(b"".join(sorted([one, two]))).hexdigest()
    assert fingerprint([("12:0", ["species/9606", "gene/9606"]), ("7:é", [])]) == expected


@each_row(
    ("one", "other"),
    [
        ([("ab", ["c"])], [("a", ["bc"])]),
        ([("a", ["b", "c"])], [("a", ["b"]), ("c", [])]),
        ([("a", ["b,1:c"])], [("a", ["b", "c"])]),
        ([("1", ["2\n3"])], [("1", ["2", "3"])]),
        ([], [("", [])]),
        ([("a", [])], [("a", [""])]),
    ],
)
def test_no_signs_in_ids_or_keys_make_two_splits_look_alike(one, other) -> None:
    assert fingerprint(one) != fingerprint(other)


def test_an_empty_split_has_a_fingerprint() -> None:
    assert fingerprint([]) == hashlib.sha256(b"").hexdigest()
    assert short(fingerprint([])) == fingerprint([])[:12]
