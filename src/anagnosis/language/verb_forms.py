"""Past forms of English verbs: those that research questions use, from a table; the others by their spelling.

    find     found      found         originate  originated      stop  stopped     carry  carried

The table is ours. The third person is in verbs.py.
"""

from __future__ import annotations

# Base: past, participle.
_IRREGULAR_WORDS = """
    arise arose arisen / be was been / bear bore borne / become became become / befall befell befallen
    beget begot begotten / begin began begun / bend bent bent / bespeak bespoke bespoken / bind bound bound
    break broke broken / breed bred bred / bring brought brought / build built built / choose chose chosen
    come came come / cost cost cost / cut cut cut / deal dealt dealt / do did done / draw drew drawn
    drink drank drunk / drive drove driven / fall fell fallen / feed fed fed / fight fought fought / find found found
    foretell foretold foretold / get got got / give gave given / go went gone / grow grew grown / have had had
    hold held held / hurt hurt hurt / input input input / keep kept kept / know knew known / lead led led
    leave left left / lend lent lent / let let let / lie lay lain / lose lost lost / make made made
    mean meant meant / meet met met / mislead misled misled / offset offset offset / outgrow outgrew outgrown
    overcome overcame overcome / override overrode overridden / pay paid paid / put put put / rise rose risen
    run ran run / say said said / see saw seen / seek sought sought / sell sold sold / send sent sent / set set set
    shed shed shed / show showed shown / shrink shrank shrunk / speak spoke spoken / spend spent spent
    split split split / spread spread spread / stand stood stood / strike struck struck / take took taken
    teach taught taught / tell told told / think thought thought / undergo underwent undergone
    underlie underlay underlain / understand understood understood / undo undid undone / win won won
    withdraw withdrew withdrawn / withhold withheld withheld / withstand withstood withstood / write wrote written
"""
_IRREGULAR = {
    base: (past, participle)
    for base, past, participle in (
        entry.split() for entry in _IRREGULAR_WORDS.strip().replace("\n", "/").split("/")
    )
}
# Verbs of several syllables that double their last letter; those of one syllable do so by their spelling.
_DOUBLED = frozenset(
    """
    admit commit compel concur confer control co-occur defer deter emit enrol excel expel fulfil incur infer occur omit
    outstrip overlap permit prefer propel recur refer repel reprogram submit transfer transmit underpin
    """.split()  # noqa: SIM905 a list is read as words
)
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
