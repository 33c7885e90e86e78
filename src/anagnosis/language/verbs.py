"""English verbs in the present tense, as research statements use them: lists and forms.

The lists are ours, written for the titles of biomedical papers. We recognise other verbs by their ending (`-ize`,
`-ise`, `-ify`) or by a prefix before a listed verb ("downregulates", "co-activates").
"""

from __future__ import annotations

import re

BE = frozenset(("is", "are"))
HAVE = frozenset(("has", "have"))
DO = frozenset(("does", "do"))
AUXILIARIES = BE | HAVE | DO
MODALS = frozenset("can cannot could may might must shall should will would".split())  # noqa: SIM905 a list is read as words

# Verbs that are no common nouns, neither in the base form nor in the third person.
PLAIN = frozenset(
    """
    abate ablate abolish abrogate absorb accelerate accentuate accept accommodate accompany accomplish accord accrue
    accumulate acetylate achieve acidify acquire act activate adapt add adhere adjust administer admit adopt adsorb
    affect aggravate agree alleviate allow alter amass ameliorate amplify amputate analyze anchor antagonise
    antagonize antedate anticipate appear apply approve argue arise arouse ascend ascertain assemble assess assign
    assist associate assume assure attain attenuate attract augment autoregulate avert avoid bear become befall
    beget begin behave belie believe belong bend bespeak bifurcate bind blunt bolster boost breed brighten bring
    broaden build calcify calculate carry catabolize catalyse catalyze cease characterise characterize chelate
    choose circulate circumvent clarify cleave co-exist co-occur co-ordinate coexist cohere coincide collaborate
    colocalise colocalize colonise colonize combine come commit communicate compare compensate compete complete
    complicate comply compose compress comprise conceal conceptualize conclude condense conduct confer confine
    confirm confound confute connect consider consist consolidate constitute constrain constrict consume contain
    continue contradict contribute convene converge convert convey cooperate coordinate cope correspond corroborate
    counteract counterbalance create cripple cross-link crosslink culminate curb curtail dampen deacetylate
    deactivate deal debilitate decelerate decide decipher decouple deduce deepen defend defer define deflate deform
    degrade delineate deliver demonstrate demyelinate denote depend depict deplete depolarise depolarize deposit
    depress derepress derive desaturate describe desensitise desensitize deserve destabilise destabilize destroy
    desynchronize detect deteriorate determine develop deviate diagnose dictate die differ differentiate diffuse
    digest dilate diminish direct disappear discern disclose discontinue discourage discover discriminate discuss
    displace disprove dispute disrupt dissect disseminate dissipate dissociate dissolve distinguish disturb diverge
    divert divide do dwindle earn ease elaborate elevate elicit eliminate elongate elucidate emanate embrace emerge
    emit emphasise emphasize employ empower enable encapsulate encode encompass encounter encourage endanger endure
    engage enhance enlarge enliven enrich enrol enroll ensue ensure entail enter entrain eradicate erode escalate
    escape establish evade evaluate evince evoke evolve exacerbate exaggerate examine exceed excel excite exclude
    excrete exert exhaust exist expand expect expedite explain exploit explore expose express extend extinguish
    fabricate facilitate fail falsify ferment fill find flatten fluctuate fold follow forage foreshadow forestall
    foretell foster fulfil fulfill furnish fuse generate germinate get give go govern graze grow guarantee halt
    hamper handle happen harbor harbour harden harness hasten have heal heighten herald hinder hunt hurt hydrolyse
    hydrolyze hyperpolarise hyperpolarize hypothesize identify ignore illuminate illustrate immunise immunize impair
    impart impede impinge implicate imply impose improve inactivate include incorporate incur indicate individualise
    induce infect infer infiltrate inflate inform ingest inhabit inhibit initiate injure innervate inoculate inspire
    instigate insulate integrate intend intensify interact interfere internalise internalize interrupt intervene
    introduce invade invest investigate invoke involve irradiate jeopardise jeopardize justify keep kill know learn
    lend lengthen lessen let leverage liberate lie ligate lighten localise localize locate loosen lower lyse
    maintain make manage manifest manipulate mature maximise maximize mediate meet merit metabolise metabolize
    metastasise metastasize methylate migrate minimise minimize misclassify misidentify mislead mispredict
    misrepresent mitigate mobilise mobilize modify modulate motivate mount mutate narrow necessitate negate
    neutralise neutralize normalise normalize nucleate obey obliterate obscure observe obstruct obtain obviate
    occlude occupy occur offset operate oppose optimise optimize orchestrate organise organize orient originate
    oscillate outcompete outgrow outline outlive outnumber outpace outperform outstrip outweigh overcome
    overestimate overexpress overlook overpredict override overstate overwhelm owe own oxidise oxidize parasitize
    participate pay penetrate perceive perform permit perpetuate persist persuade pertain perturb phosphorylate
    photosynthesize pinpoint polarise polarize pollinate portend portray pose posit possess postpone postulate
    potentiate pre-empt precede precipitate preclude predetermine predict predispose predominate preempt prefer
    preoccupy prepare presage prescribe preserve presume prevail prevent prioritise prioritize proceed produce
    prohibit proliferate prolong promote propagate propel propose protect prove provide provoke pulsate pursue
    quantify raise re-establish reabsorb react reactivate reaffirm realise realize rearrange reassure rebalance
    recall recapitulate receive recognise recognize recommend reconcile reconstitute reconstruct recover recruit
    rectify recur reduce reestablish refer refine reflect refute regenerate regress regulate rehabilitate reinforce
    reinstate reject rejuvenate relate relax relieve rely remain remedy remodel remove render reorganise reorganize
    repel replace replenish replicate repolarize represent repress reprogram require resemble reshape reside resist
    resolve resorb respire respond restitute restore restrain restrict resume retain retard retrieve reveal revert
    revitalize revolutionise revolutionize rotate safeguard satisfy saturate save scavenge secrete secure see seem
    segregate sell sense sensitise sensitize separate sequester serve sharpen shorten shrink signify simplify
    simulate smooth soften solubilize solve spawn speak speculate spend spread squelch stabilise stabilize
    standardise standardize stay stimulate straighten strengthen subserve substantiate subvert succeed succumb
    suffer suffice suggest summarise summarize sumoylate superactivate suppose suppress surpass survive suspect
    sustain sway synchronise synchronize synergise synergize synthesise synthesize tailor tend terminate theorize
    thicken think thrive tighten tilt tolerate transactivate transcend transcribe transduce transform translate
    translocate transmit traumatize trim typify ubiquitinate uncouple uncover underestimate undergo underlie
    underline undermine underperform underpin underpredict underscore understand undo unify unleash unlock unmask
    unravel unveil upregulate usurp utilise utilize vaccinate validate vary verify vibrate visualise visualize
    weaken widen withdraw withhold withstand worsen
    """.split()  # noqa: SIM905 a list is read as words
)

# Verbs that are common nouns too, also as plurals; a verb only before a word that may follow a verb.
ALSO_NOUNS = frozenset(
    """
    access account address advance aid aim alert ally alternate analyse answer approach arrest attempt attribute
    balance benefit bias block bridge buffer burden bypass cause challenge change check claim cluster code
    complement compound compromise concentrate concern condition conflict conjugate construct contact contract
    contrast control correlate cost counter couple cover cut damage decline decrease defeat delay demand display
    document dominate drain drink drive echo effect end estimate exchange exercise exhibit exit experience extract
    face fall favor favour fear feature feed fight figure filter fit focus force form frame fuel function gain guide
    harm help highlight hold impact import increase influence input interest interface isolate issue label lack lag
    lead leak leave limit link load map mark mask match matter mean measure mimic mirror miss model moderate monitor
    move need offer open overlap parallel peak play point position post practice present pressure prime process
    profile profit progress promise prompt range rank rate reach reason rebound record regain regard relapse release
    remark repair repeat report request rescue reserve resort rest result return reverse review reward rise risk
    root run scale scar screen seal search seed select set shape share shed shield shift show shuttle sign signal
    skew slow smoke span spare speed splice spot stand start steer stem step stop store strain stress stretch strike
    subject substitute suit supplement supply support surge surprise switch tackle take target taste touch track
    trade train transfer transit transport trap travel treat trigger trouble turn use value view visit voice walk
    warrant weigh work worry yield
    """.split()  # noqa: SIM905 a list is read as words
)

# Verbs of ALSO_NOUNS that are verbs even before a bare noun ("increases risk"; but "support systems").
MOSTLY_VERBS = frozenset(
    """
    alternate balance block buffer cause challenge complement compromise control correlate cover damage
    decrease display dominate echo exhibit extract favor favour harm help highlight increase influence lack lead
    limit mimic mirror parallel play reach repair rescue result reverse shape shift show suit tackle target trigger
    yield
    """.split()  # noqa: SIM905 a list is read as words
)

# Verb of ALSO_NOUNS → its prepositions; the noun has others ("results from a trial", "results in harm").
PREPOSITIONS = {
    "account": ("for",),
    "aid": ("in",),
    "benefit": ("from",),
    "cluster": ("with",),
    "contrast": ("with",),
    "correlate": ("with", "to", "negatively", "positively"),
    "decline": ("after", "with", "during", "over"),
    "decrease": ("after", "with", "during"),
    "focus": ("on",),
    "function": ("as", "through", "via"),
    "increase": ("after", "with", "during"),
    "lead": ("to",),
    "link": ("to",),
    "matter": ("for", "in"),
    "peak": ("at", "during"),
    "point": ("to", "towards", "toward"),
    "progress": ("to", "through"),
    "range": ("from",),
    "result": ("in",),
    "rise": ("after", "with", "during"),
    "signal": ("through", "via"),
    "switch": ("from", "to"),
    "transfer": ("to",),
    "work": ("as", "by", "for", "in", "through", "via"),
}

# Verbs that can end a clause.
INTRANSITIVE = frozenset(
    """
    arise coexist continue converge deteriorate develop die differ disappear diverge emerge exist fail fluctuate
    grow heal improve interact occur persist predominate prevail proliferate recover recur regress survive vary
    worsen
    """.split()  # noqa: SIM905 a list is read as words
)

_PREFIXED = re.compile(
    r"(?:auto|co|counter|cross|de|dis|down|dys|hyper|hypo|inter|mis|out|over|pre|re|self|trans|under|up)-?(?=[a-z]{4})"
)
_NOT_PREFIXED = frozenset("disease income intermediate outcome overuse reuse underuse".split())  # noqa: SIM905 a list is read as words
_DERIVED = re.compile(r"[a-z]{3,}(?:ize|ise|ify)")
# "exercise", "size", "rise" and the like have these endings but are no such verbs.
_NOT_DERIVED = re.compile(
    r"(?:exerc|prem|prom|prec|conc|enterpr|surpr|expert|otherw|l?ikew|cru|franch|merchand|par|ad|d)ise"
)

_IRREGULAR = {"be": "is", "have": "has"}
_IRREGULAR_BASES = {"is": "be", "are": "be", "has": "have"}
_ENDS_IN_IE = frozenset("belie die lie outlie overlie tie underlie untie vie".split())  # noqa: SIM905 a list is read as words
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh|[^aeiou]o)\Z")


def third_person(base: str) -> str:
    """The third person singular of a verb in lower case."""
    if base in _IRREGULAR:
        return _IRREGULAR[base]
    if _SIBILANT.search(base):
        return base + "es"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base[:-1] + "ies"
    return base + "s"


def base_form(word: str) -> str:
    """The base of a verb in the present tense, in the case of `word`: "Increases" gives "Increase"."""
    lower = word.lower()
    base = _IRREGULAR_BASES.get(lower) or _THIRD.get(lower) or _unprefixed(lower) or _stripped(lower)
    if word.isupper() and len(word) > 1:
        return base.upper()
    return base.capitalize() if word[:1].isupper() else base


def is_third_person(word: str) -> bool:
    """Whether a word in lower case can be a verb after a singular subject."""
    if word in _THIRD:
        return True
    return word.endswith("s") and is_base(base_form(word))


def is_base(word: str) -> bool:
    """Whether a word in lower case can be a verb after a plural subject."""
    if word in KNOWN:
        return True
    prefix = None if word in _NOT_PREFIXED else _PREFIXED.match(word)
    if prefix and word[prefix.end() :] in PLAIN:
        return True
    return _DERIVED.fullmatch(word) is not None and _NOT_DERIVED.fullmatch(word) is None


def is_possible(word: str) -> bool:
    """Whether a word in lower case can be a verb in the present tense at all."""
    return word in AUXILIARIES or is_base(word) or is_third_person(word)


def is_also_noun(base: str) -> bool:
    """Whether the base, or its third person read as a plural, is a noun too."""
    return base in ALSO_NOUNS


def is_mostly_noun(base: str) -> bool:
    """Whether the word is more often the noun, also before another noun."""
    return base in ALSO_NOUNS and base not in MOSTLY_VERBS


def _unprefixed(lower: str) -> str:
    prefix = _PREFIXED.match(lower)
    base = _THIRD.get(lower[prefix.end() :]) if prefix else None
    return prefix.group() + base if prefix and base else ""


def _stripped(lower: str) -> str:
    """The base form of a third person that is in no list."""
    if lower.endswith("ies") and len(lower) > 4:
        return lower[:-1] if lower[:-1] in _ENDS_IN_IE else lower[:-3] + "y"
    if lower.endswith("es") and _SIBILANT.search(lower[:-2]) and not lower.endswith(("ses", "zes")):
        return lower[:-2]
    if lower.endswith(("sses", "zzes")):
        return lower[:-2]
    return lower.removesuffix("s")


KNOWN = (PLAIN | ALSO_NOUNS) - AUXILIARIES | frozenset(("have", "do"))
_THIRD = {third_person(base): base for base in sorted(KNOWN)}
