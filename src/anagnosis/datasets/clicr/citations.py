"""Numbers of references at the end and at the beginning of sentences, which the program takes out.

"PV .13 , 17 Then" becomes "PV ." and "Then" on the next line; "1 , 3 The late onset" loses its numbers. A number that
the tokeniser parted goes the same way: "0 .5 mg" becomes "0 ." and "mg". So the variant `paper` leaves all numbers in.

Source: remove_citation of the program (clips/clicr, commit 557f6d9).
"""

from __future__ import annotations

import re

_AFTER_SENTENCE = re.compile(r" \.[0-9]+\s(, [0-9]+\s)*")
_BEFORE_SENTENCE = re.compile(r"^[0-9]+ (, [0-9]+ )+([A-Z])", re.MULTILINE)


def without_citations(text: str) -> str:
    """The text without what the program takes for numbers of references."""
    return _BEFORE_SENTENCE.sub(r"\2", _AFTER_SENTENCE.sub(" .\n", text))
