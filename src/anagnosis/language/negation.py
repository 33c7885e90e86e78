"""Detection of negated sentences: those with a cue of CUES outside the phrases of NO_NEGATION.

Cues match as entire words in any case. The list ignores scope: "patients who do not smoke" counts as negated.
design/search.md has the share of negated conclusions among papers with the answer yes, no or maybe.
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
# Phrases with a cue that negate nothing.
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
    return any(match[1] for match in _CUE.finditer(sentence))
