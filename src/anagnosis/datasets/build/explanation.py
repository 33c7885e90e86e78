"""What happened to one document, rule by rule: what `anagnosis build … --explain ID` tells."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Explanation:
    """where: file and line. facts: what the rules look at. verdicts: (rule, dropped?) as far as they were asked.

    instances: the questions that are left. instances_dropped and repairs: name → count, of this document alone.
    questions_dropped: (rule, question), where the builder names them.
    What only the whole input decides (a repeated text, dates) is not in it; of a citation, deletions and versions are.
    """

    id: str
    where: str
    facts: dict[str, int] = field(default_factory=dict[str, int])
    verdicts: list[tuple[str, bool]] = field(default_factory=list[tuple[str, bool]])
    instances: list[str] = field(default_factory=list[str])
    instances_dropped: dict[str, int] = field(default_factory=dict[str, int])
    repairs: dict[str, int] = field(default_factory=dict[str, int])
    questions_dropped: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
