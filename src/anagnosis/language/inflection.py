"""Past forms of English verbs and the singular of nouns, from tables of ours; others by their spelling.

    find     found      found         originate  originated      stop  stopped     carry  carried

The verbs are those of research questions, and their third person is in verbs.py. The nouns are of medicine and biology.

    tumours  tumour     deficiencies  deficiency     viruses   virus      metastases  metastasis
    sizes    size       complexes     complex        matrices  matrix     nuclei      nucleus
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


def _entries(table: str) -> list[list[str]]:
    return [entry.split() for entry in table.strip().replace("\n", "/").split("/")]


_IRREGULAR = {base: (past, participle) for base, past, participle in _entries(_IRREGULAR_WORDS)}
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
# Singular and plural of words that the endings miss.
_WORDS = """
    child children / foot feet / goose geese / louse lice / man men / mouse mice / ox oxen / tooth teeth / woman women
    alga algae / alveolus alveoli / antiserum antisera / atrium atria / bronchus bronchi / criterion criteria
    diverticulum diverticula / embolus emboli / fistula fistulae / flagellum flagella / focus foci / formula formulae
    fungus fungi / genus genera / lacuna lacunae / larva larvae / locus loci / maximum maxima / medium media
    minimum minima / nucleus nuclei / optimum optima / ovum ova / papilla papillae / phenomenon phenomena / pilus pili
    radius radii / septum septa / serum sera / spectrum spectra / stimulus stimuli / stratum strata
    substratum substrata / syncytium syncytia / terminus termini / thrombus thrombi / uterus uteri
    vertebra vertebrae / villus villi
    appendix appendices / apex apices / axis axes / calyx calyces / cervix cervices / codex codices / crisis crises
    index indices
    ache aches / aloe aloes / avalanche avalanches / cache caches / canoe canoes / moustache moustaches / niche niches
    psyche psyches / shoe shoes / toe toes
    abuse abuses / disuse disuses / misuse misuses / nose noses / overuse overuses / reuse reuses / rose roses
    ruse ruses / use uses
    calorie calories / cookie cookies / die dies / lie lies / movie movies / pie pies / prairie prairies / tie ties
    zombie zombies
    calf calves / half halves / hoof hooves / knife knives / leaf leaves / life lives / loaf loaves / scarf scarves
    self selves / shelf shelves / thief thieves / wife wives / wolf wolves
    alias aliases / atlas atlases / bias biases / canvas canvases / fez fezes / gas gases / hr hrs / lens lenses
    menu menus / pancreas pancreases / pt pts / quiz quizzes / yr yrs
"""
# Singulars that end in -s, and plurals that have none.
_UNCHANGED = """
    albicans alias asbestos ascites atlas bias biceps canvas caries chaos cosmos diabetes elegans facies faeces
    feces forceps gas herpes lens measles menses mumps news pancreas pons quadriceps rabies scabies series shingles
    species subspecies triceps
"""
# Ending of a plural and of its singular; the longest that fits counts.
_ENDED = """
    s - / ss ss / us us / is is
    dynamics dynamics / genetics genetics / kinetics kinetics / omics omics
    ches ch / shes sh / sses ss / tzes tz / zzes zz / xes x / oes o / headaches headache / toothaches toothache
    ies y / bacilli bacillus / bacteria bacterium / chondria chondrion / cocci coccus / ganglia ganglion
    atrices atrix / ortices ortex / vertices vertex / helices helix / varices varix
    eses esis / eeses eese / stases stasis / iases iasis / phylaxes phylaxis / yses ysis
    dermises dermis / itises itis / elvises elvis / enises enis
    oses osis / closes close / ctoses ctose / doses dose / idoses idosis / glucoses glucose / hoses hose / choses chosis
    rhoses rhosis / lluloses llulose / ltoses ltose / nnoses nnose / ooses oose / phoses phosis / poses pose
    riboses ribose / sucroses sucrose / xtroses xtrose
    uses us / accuses accuse / auses ause / excuses excuse / fuses fuse / ouses ouse
"""


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


_SINGULARS = {plural: one for one, plural in _entries(_WORDS)} | {word: word for word in _UNCHANGED.split()}
_ENDINGS = {plural: one.strip("-") for plural, one in _entries(_ENDED)}
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
