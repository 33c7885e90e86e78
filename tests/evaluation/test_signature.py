from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from anagnosis.evaluation.signature import Signature, parsed
from anagnosis.version import __version__

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=6) | st.sampled_from(
    ["-", "", "a|b", "a:b", "n@x", "%2D"]
)
FIELDS = ("dataset", "fingerprint", "split", "view", "protocol", "measure", "n", "seed")
SIGNATURES = st.builds(
    Signature,
    dataset=TEXT,
    fingerprint=TEXT,
    split=TEXT,
    view=st.none() | TEXT,
    protocol=TEXT,
    measure=TEXT,
    n=st.integers(0),
    seed=st.none() | st.integers(),
    settings=st.lists(st.tuples(TEXT, TEXT), max_size=3).map(tuple),
    version=TEXT,
)


def test_it_is_one_line_that_a_person_can_read() -> None:
    signature = Signature("biomrc", "3f0c9a1b2d4e", "test", "global", "expected", "accuracy", 6250, 13)
    assert str(signature) == (
        "biomrc@3f0c9a1b2d4e|split:test|view:global|protocol:expected|measure:accuracy|n:6250|seed:13"
        f"|anagnosis:{__version__}"
    )
    formula = Signature("d", "3f", "test", None, "answer", "F1 (a+b)/2, [0;1]", 3)
    assert "|measure:F1%20(a+b)/2,%20[0;1]|" in str(formula)
    assert "a%40b@3f|" in str(Signature("a@b", "3f", "test", None, "answer", "ndcg@10", 3))
    drawn = Signature(
        "my set", "3f", "dev", None, "answer", "accuracy", 3, settings=(("draws", "10000"), ("by", "a|b"))
    )
    assert str(drawn) == (
        f"my%20set@3f|split:dev|view:-|protocol:answer|measure:accuracy|n:3|seed:-|draws:10000|by:a%7Cb|anagnosis:{__version__}"
    )


@given(SIGNATURES)
def test_it_can_be_parsed_again(signature: Signature) -> None:
    line = str(signature)
    assert line.isascii()
    assert line.isprintable()
    assert " " not in line
    values = {name: getattr(signature, name) for name in FIELDS} | dict(signature.settings)
    told = {name: value if value is None else str(value) for name, value in values.items()}
    assert parsed(line) == told | {"anagnosis": signature.version}
