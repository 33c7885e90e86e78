"""Counts of what a format cannot express of a document, found by reading the written document back."""

from __future__ import annotations

from collections import Counter

from anagnosis.documents.document import Document


def count_losses(document: Document, read_back: Document, losses: Counter[str]) -> None:
    """Count by name what `document` has and `read_back` lacks or has otherwise.

    Names: mention, relation, fact; section_boundary, section_label, section_title, section_category, section_text,
    section_order; title_added (an empty title in front of a document that has none).
    """
    counts = {
        "mention": sum((Counter(document.mentions) - Counter(read_back.mentions)).values()),
        "relation": sum((Counter(document.relations) - Counter(read_back.relations)).values()),
        "fact": sum(read_back.facts.get(name) != fact for name, fact in document.facts.items()),
    }
    sections = read_back.sections
    if sections and not (document.sections and document.sections[0].label == sections[0].label):
        counts["title_added"] = 1
        sections = sections[1:]
    if Counter(document.sections) == Counter(sections):
        counts["section_order"] = int(document.sections != sections)
    else:
        counts["section_boundary"] = abs(len(document.sections) - len(sections))
        pairs = list(zip(document.sections, sections, strict=False))
        for name in ("label", "title", "category", "text"):
            counts[f"section_{name}"] = sum(
                getattr(ours, name) != getattr(other, name) for ours, other in pairs
            )
    losses.update({name: count for name, count in counts.items() if count})
