"""The population of a paper where the question asks about another: adults or children, people or animals.

A question asks about the ages that it names, and about people if it names no animal. A paper states a population by its
MeSH terms where the index has some, else by the words of its title, else by the first whom it counts ("60 children"),
and a species else by what it says about its work, where ages are often others'. The words are in populations.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from anagnosis.io.decoding import table_beside
from anagnosis.searching.conclusions.about import own_texts
from anagnosis.searching.records.passage import Passage

SPECIES, AGES = ("people", "animals"), ("newborns", "children", "adults")
_PATTERNS = {name: "|".join(words.split()) for name, words in table_beside(__name__, dict[str, str]).items()}
_WORDS = {name: re.compile(rf"\b(?:{pattern})(?!\w)", re.IGNORECASE) for name, pattern in _PATTERNS.items()}
# The sections where a paper counts them, and the characters of each passage that are searched.
_COUNTING, _READ = ("abstract", "methods", "results", "case"), 3000
_COUNTED = re.compile(
    rf"(?<![\w.,%/–-])\d[\d,]{{0,9}}\s(?:[A-Za-z][\w-]*\s){{0,4}}?"
    rf"(?:{_PATTERNS['people']}|subjects|controls|cases|{_PATTERNS['animals']})(?!\w)",
    re.IGNORECASE,
)


def other_population(question: str, passages: Sequence[Passage], mesh: Iterable[str] = ()) -> str:
    """The population of a paper where the question asks about another, as "in rats"; else "". mesh: its terms."""
    texts = ["".join(f"{term};" for term in mesh), passages[0].title, _counted(passages)]
    on_its_work = " ".join(own_texts(passages))
    for names, read, unnamed in ((SPECIES, [*texts, on_its_work], ["people"]), (AGES, texts, [])):
        asked = named(question, names) or unnamed
        text = next((text for text in read if named(text, names)), "")
        stated = named(text, names)
        if asked and stated and set(asked).isdisjoint(stated):
            animals = dict.fromkeys(match[0].lower() for match in _WORDS["animals"].finditer(text))
            exact = [animal for animal in animals if animal != "animals"]
            return f"in {' and '.join(exact if stated == ['animals'] and exact else stated)}"
    return ""


def _counted(passages: Sequence[Passage]) -> str:
    """The first words that count people or animals, "" without any."""
    read = (one for section in _COUNTING for one in passages if one.section == section)
    found = (_COUNTED.search(passage.text[:_READ]) for passage in read)
    return next((match[0] for match in found if match), "")


def named(text: str, names: Iterable[str] = SPECIES) -> list[str]:
    """The populations of these names that a text names."""
    return [name for name in names if _WORDS[name].search(text)]
