"""When an answer is one of the synonyms of a gold entry.

    equal       lower-cased, the same text: blanks, full stops and accents count (the organisers; the thesis, 4.1)
    similar     lower-cased, a similarity of at least 90 by a named function of `language/fuzzy.py` (the thesis, 4.6)
    same_name   the same name after `plain`, or alike but for spelling (`entities/same_entity.py`)

Each takes an entry and gives whether an answer is one of its synonyms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from anagnosis.entities.same_entity import alike, plain
from anagnosis.language.fuzzy import at_least, processed

LEVEL = 90  # "bigger or equal to 90%", the thesis, 4.6

Same = Callable[[Sequence[str]], Callable[[str], bool]]


def equal(entry: Sequence[str]) -> Callable[[str], bool]:
    """Equality of lower-cased texts."""
    synonyms = {synonym.lower() for synonym in entry}
    return lambda answer: answer.lower() in synonyms


def similar(entry: Sequence[str], function: str) -> Callable[[str], bool]:
    """A similarity of at least LEVEL. function: a name of SIMILARITIES."""
    synonyms = [synonym.lower() for synonym in entry]

    def is_one(answer: str) -> bool:
        text = answer.lower()
        if text in synonyms and processed(text):  # without a letter or digit it is similar to nothing by some
            return True
        return any(at_least(text, synonym, LEVEL, function) for synonym in synonyms)

    return is_one


def same_name(entry: Sequence[str]) -> Callable[[str], bool]:
    """The same name. A text without letters and digits is the name of nothing: it is compared as it is."""
    keys = [key for synonym in entry if (key := plain(synonym))]
    as_it_is = equal(entry)

    def is_one(answer: str) -> bool:
        key = plain(answer)
        return any(key == each or alike(key, each) for each in keys) if key else as_it_is(answer)

    return is_one
