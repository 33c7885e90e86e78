"""Past forms of English verbs and the singular of nouns, from inflection.toml; others by their spelling.

    find     found      found         originate  originated      stop  stopped     carry  carried

The verbs are those of research questions, and their third person is in verbs.py. The nouns are of medicine and biology.

    tumours  tumour     deficiencies  deficiency     viruses   virus      metastases  metastasis
    sizes    size       complexes     complex        matrices  matrix     nuclei      nucleus
"""

from __future__ import annotations

from anagnosis.io.decoding import table_beside

_TABLE = table_beside(__name__, dict[str, str])


def _entries(name: str) -> list[list[str]]:
    return [entry.split() for entry in _TABLE[name].strip().replace("\n", "/").split("/")]


_IRREGULAR = {base: (past, participle) for base, past, participle in _entries("irregular")}
_DOUBLED = frozenset(_TABLE["doubled"].split())
_VOWELS = frozenset("aeiou")
_OTHER_PARTICIPLES = frozenset(("born", "disproven", "gotten", "proven"))
_MOSTLY_NOUNS = frozenset(("cost", "input", "offset"))
PARTICIPLES = (
    frozenset(participle for _, participle in _IRREGULAR.values()) | _OTHER_PARTICIPLES
) - _MOSTLY_NOUNS
# Words that end as a participle does and are none.
_NO_PARTICIPLES = frozenset("bed breed exceed feed indeed need proceed red seed speed succeed weed".split())  # noqa: SIM905 a list is read as words


def past(base: str) -> str:
    """The simple past of a verb in lower case."""
    if base in _IRREGULAR:
        return _IRREGULAR[base][0]
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ied"
    if base in _DOUBLED or (len(base) < 5 and _ends_short(base)):
        return base + base[-1] + "ed"
    return base + "ed"


def is_participle(word: str) -> bool:
    """Whether a word in lower case looks like a past participle: "derived", "bound", "co-administered"."""
    return word in PARTICIPLES or (len(word) > 3 and word.endswith("ed") and word not in _NO_PARTICIPLES)


def _ends_short(base: str) -> bool:
    """Whether a verb of one syllable ends in one vowel and one consonant: "stop", not "act" or "treat"."""
    tail = [letter in _VOWELS for letter in base[-3:]]
    return tail == [False, True, False] and base[-1] not in "wxy" and sum(c in _VOWELS for c in base) == 1


_SINGULARS = {plural: one for one, plural in _entries("plurals")} | {
    word: word for word in _TABLE["unchanged"].split()
}
_ENDINGS = {plural: one.strip("-") for plural, one in _entries("endings")}
_LONGEST = max(map(len, _ENDINGS))


def singular(word: str) -> str:
    """The singular of a noun in lower case; the word itself where it is no plural."""
    if word in _SINGULARS or len(word) < 4:
        return _SINGULARS.get(word, word)
    for length in range(_LONGEST, 0, -1):
        ending = word[-length:]
        if ending in _ENDINGS:
            return word[:-length] + _ENDINGS[ending]
    return word
