"""What a format could not hold of a document: found by reading back what was written of it."""

from __future__ import annotations

from collections import Counter

from anagnosis.documents.document import Document


def count_losses(document: Document, held: Document, losses: Counter[str]) -> None:
    """Add what `document` has and `held` lacks or tells otherwise, by name.

    Names: mention, relation, fact; section_boundary, section_label, section_title, section_category, section_text,
    section_order; title_added (an empty title in front of a document that has none).
    """
    found = {
        "mention": sum((Counter(document.mentions) - Counter(held.mentions)).values()),
        "relation": sum((Counter(document.relations) - Counter(held.relations)).values()),
        "fact": sum(held.facts.get(name) != fact for name, fact in document.facts.items()),
    }
    sections = held.sections
    if sections and not (document.sections and document.sections[0].label == sections[0].label):
        found["title_added"] = 1
        sections = sections[1:]
    if Counter(document.sections) == Counter(sections):
        found["section_order"] = int(document.sections != sections)
    else:
        found["section_boundary"] = abs(len(document.sections) - len(sections))
        pairs = list(zip(document.sections, sections, strict=False))
        for name in ("label", "title", "category", "text"):
            found[f"section_{name}"] = sum(getattr(one, name) != getattr(other, name) for one, other in pairs)
    losses.update({name: count for name, count in found.items() if count})
