"""The singular of nouns of medicine and biology, from inflection.toml; of others by their spelling.

tumours  tumour     deficiencies  deficiency     viruses   virus      metastases  metastasis
sizes    size       complexes     complex        matrices  matrix     nuclei      nucleus
"""

from __future__ import annotations

from anagnosis.io.decoding import table_beside

_TABLE = table_beside(__name__, dict[str, str])


def _entries(name: str) -> list[list[str]]:
    return [entry.split() for entry in _TABLE[name].strip().replace("\n", "/").split("/")]


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
