"""The population of a paper where the question asks about another: adults or children, people or animals.

A question asks about the ages that it names, and about people if it names no animal. A paper states a population by its
MeSH terms where the index has some, else by the words of its title, and a species else by its text but for what it says
of others' work. The words are in populations.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from anagnosis.io.decoding import table_beside
from anagnosis.searching.records.passage import Passage

# Sections in which a paper also names whom others studied.
_OF_OTHERS = frozenset(("background", "discussion", "limitations"))
SPECIES, AGES = ("people", "animals"), ("newborns", "children", "adults")
_WORDS = {
    name: re.compile(rf"\b(?:{'|'.join(words.split())})(?!\w)", re.IGNORECASE)
    for name, words in table_beside(__name__, dict[str, str]).items()
}


def other_population(question: str, passages: Sequence[Passage], mesh: Iterable[str] = ()) -> str:
    """The population of a paper where the question asks about another, as "in rats"; else "". mesh: its terms."""
    texts = ["".join(f"{term};" for term in mesh), passages[0].title]
    on_its_work = " ".join(one.text for one in passages if one.section not in _OF_OTHERS)
    for names, read, unnamed in ((SPECIES, [*texts, on_its_work], ["people"]), (AGES, texts, [])):
        asked = named(question, names) or unnamed
        text = next((text for text in read if named(text, names)), "")
        stated = named(text, names)
        if asked and stated and set(asked).isdisjoint(stated):
            animals = dict.fromkeys(match[0].lower() for match in _WORDS["animals"].finditer(text))
            exact = [animal for animal in animals if animal != "animals"]
            return f"in {' and '.join(exact if stated == ['animals'] and exact else stated)}"
    return ""


def named(text: str, names: Iterable[str] = SPECIES) -> list[str]:
    """The populations of these names that a text names."""
    return [name for name in names if _WORDS[name].search(text)]
