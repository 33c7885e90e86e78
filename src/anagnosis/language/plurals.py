"""The singular of an English noun, by tables for the words of medicine and biology.

    tumours  tumour     deficiencies  deficiency     viruses   virus      metastases  metastasis
    sizes    size       complexes     complex        matrices  matrix     nuclei      nucleus

The tables are ours.
"""

from __future__ import annotations

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


def _pairs(table: str) -> list[tuple[str, str]]:
    entries = (entry.split() for entry in table.strip().replace("\n", "/").split("/"))
    return [(one, other) for one, other in entries]


_SINGULARS = {plural: one for one, plural in _pairs(_WORDS)} | {word: word for word in _UNCHANGED.split()}
_ENDINGS = {plural: one.strip("-") for plural, one in _pairs(_ENDED)}
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
