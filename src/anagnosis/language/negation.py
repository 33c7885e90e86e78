"""Whether a sentence is negated: it has a cue of CUES outside the phrases of NO_NEGATION.

A plain list, matched as whole words in any case. It knows no scope: "patients who do not smoke" counts as negated. How
often it marks the conclusion of a paper that says yes, no or maybe: design/search.md.
"""

from __future__ import annotations

import re

CUES = """
not
no
nor
neither
never
none
nothing
cannot
fail
fails
failed
lack
lacks
lacked
unlikely
unable
unaffected
unchanged
insufficient
unnecessary
ineffective
unreliable
hardly
little
"""
# They hold a cue and negate nothing.
NO_NEGATION = """
not only
not just
no doubt
whether or not
if not
little is known
"""


def _any_of(lines: str) -> str:
    return "|".join(r"\s+".join(map(re.escape, line.split())) for line in lines.split("\n") if line)


_CUE = re.compile(
    rf"\b(?:{_any_of(NO_NEGATION)})\b|(\b(?:{_any_of(CUES)})\b|\b\w+n['’]t\b)",
    re.IGNORECASE,
)


def negated(sentence: str) -> bool:
    """Whether the sentence has a cue of negation."""
    return any(found[1] for found in _CUE.finditer(sentence))
