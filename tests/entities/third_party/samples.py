"""A small text of ours and its annotations in every format: HEART ATTACK, FEVER, MRI OF … HEART, ASPIRIN."""

from __future__ import annotations

from typing import NamedTuple

TEXT = "She had a heart attack.\nNo fever. MRI of the heart was normal.\nShe took aspirin."
TERMS = (("C1", "heart attack", 10), ("C2", "fever", 27), ("C4", "aspirin", 72))


class Sample(NamedTuple):
    """whole: a file with the three terms. fault: a file to refuse in one line."""

    whole: bytes
    fault: bytes


def _mmi() -> Sample:
    rows = [
        f'1|MMI|{20 - 8 * n}.5|Name {cui}|{cui}|[dsyn]|["N"-tx-1-"{words}"-noun-{int(cui == "C2")}]'
        f"|TX|{at}/{len(words)}|"
        for n, (cui, words, at) in enumerate(TERMS)
    ]
    return Sample("\n".join(rows).encode(), b"1|MMI|1|N|C1|[dsyn]|[]|TX|x/1|")


def _clamp() -> Sample:
    rows = [
        f"NamedEntity\t{at}\t{at + len(words)}\tsemantic=problem\tassertion={'absent' if cui == 'C2' else 'present'}"
        f"\tcui={cui}\tne={words}"
        for cui, words, at in TERMS
    ]
    return Sample("\n".join([*rows, "Sentence\t0\t23\tsection="]).encode(), b"NamedEntity\t1\t2\n")


def _knowtator() -> Sample:
    annotations = "".join(
        f'<annotation><mention id="i{cui}"/><span start="{at}" end="{at + len(words)}"/>'
        f"<spannedText>{words}</spannedText></annotation>"
        f'<classMention id="i{cui}"><mentionClass id="{cui}">Name {cui}</mentionClass></classMention>'
        for cui, words, at in TERMS
    )
    whole = f'<annotations textSource="1.txt">{annotations}</annotations>'
    return Sample(whole.encode(), whole.replace('start="10"', 'start="ten"').encode())


def _brat() -> Sample:
    rows = [
        f"T{n}\tProblem {at} {at + len(words)}\t{words}\nN{n}\tReference T{n} {cui}\tName {cui}"
        for n, (cui, words, at) in enumerate(TERMS)
    ]
    return Sample("\n".join([*rows, "A1\tNegation T1"]).encode(), b"T1\tProblem 1 x\theart attack")


SAMPLES = {
    "metamap": _mmi,
    "clamp": _clamp,
    "knowtator": _knowtator,
    "brat": _brat,
}
