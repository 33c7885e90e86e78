from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.datasets.folder.fingerprint import fingerprint, short

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
INSTANCES = st.lists(
    st.tuples(TEXT, st.lists(TEXT, max_size=4, unique=True)), max_size=6, unique_by=lambda i: i[0]
)


def test_it_is_the_hash_of_sorted_hashes_of_netstrings() -> None:
    one = hashlib.sha256(b"4:12:0,9:gene/9606,12:species/9606,").digest()
    two = hashlib.sha256(b"4:7:\xc3\xa9,").digest()
    expected = hashlib.sha256(b"".join(sorted([one, two]))).hexdigest()
    assert fingerprint([("12:0", ["species/9606", "gene/9606"]), ("7:é", [])]) == expected


@given(INSTANCES, st.randoms())
def test_the_order_of_instances_and_of_candidates_does_not_matter(instances, random) -> None:
    shuffled = [(id, random.sample(keys, len(keys))) for id, keys in instances]
    random.shuffle(shuffled)
    assert fingerprint(shuffled) == fingerprint(instances)


@given(INSTANCES, INSTANCES)
def test_different_splits_have_different_fingerprints(one, other) -> None:
    same = {id: frozenset(keys) for id, keys in one} == {id: frozenset(keys) for id, keys in other}
    assert (fingerprint(one) == fingerprint(other)) == same


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
