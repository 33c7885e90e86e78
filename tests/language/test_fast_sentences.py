from __future__ import annotations

from itertools import groupby
from pathlib import Path

from tests.rows import each_row

from anagnosis.language.fast_sentences import NEVER, NUMBERED, RARELY, split

# One sentence a line, a blank line between paragraphs, comments behind "#".
GOLD = (Path(__file__).parents[1] / "samples/language/sentences.txt").read_text("utf-8").splitlines()
PARAGRAPHS = [
    list(lines)
    for filled, lines in groupby((line for line in GOLD if not line.startswith("#")), key=bool)
    if filled
]


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split(text)]


@each_row("paragraph", PARAGRAPHS)
def test_every_gold_sentence_is_found_and_no_other(paragraph: list[str]) -> None:
    assert sentences(" ".join(paragraph)) == paragraph


@each_row(
    "text",
    [
        "Cytokines, e.g. IL-6, rose.",
        "It rose (Fig. 2) and fell.",
        "It rose, see Figs. 2 and 3.",
        "We grew S. aureus and E. coli.",
        "Typhoid is caused by S. Typhi in man.",
        "The difference was small (p < 0.05).",
        "As shown by Lin et al. 1999 it fell.",
        "As shown by Lin et al. (1999) it fell.",
        "We thank Dr. Weiss and Prof. Okafor.",
        "Names are J. B. Marsh, J.-P. Roux and M.A. Lawrence.",
        "It is on chr. 9 and has accession no. AF302010.",
        "Approx. 20 rats, ca. 30 mice.",
        "Heat vs. Cold was tested.",
        "Salmonella spp. isolates and Candida sp. (two) grew.",
        "A dose of 5 mg/kg i.v. was given.",
        "Published in Proc. Natl. Acad. Sci. U.S.A. 84, 6340.",
        "1. Vectors move north.",
        "Erwinia chrysanthemi pv. zeae and Malus cv. Gala were used.",
        "Both S. epidermidis and Strep. pyogenes (cf. Table 2) grew.",
        "They took it p.o. t.i.d. for 2 d.",
        "Doses of 2 mg i.v. MTX were given.",
        "We thank P. Meyer, and we thank Q. Okafor for help.",
        "The reagent is from R. Kuhn in Basel.",
        "Isolates of quinolone resistant S. Typhi spread.",
        "Vectors were a present of author K. M. Roux and others.",
        "A variant with c.593 A > G was found.",
        "The norovirus GII.4 Sydney and no.3 The Hague spread.",
        "It weighed 2.5 The same.",
        "See Fig.2 The map.",
        "It runs as in man (c.f. Table 2).",
        "Both Staph. Aureus and P. syringae pv. Pisi grew.",
        "It was put into lane.12 5 times.",
        "No mark ends this",
    ],
)
def test_this_is_one_sentence(text: str) -> None:
    assert sentences(text) == [text]


@each_row(
    ("first", "second"),
    [
        ("It was shown by Lin et al.", "The effect was small."),
        ("Rats were given 5 mg i.v.", "They survived."),
        ("They had hepatitis B.", "Patients were treated."),
        ("It binds NF-kappa B.", "Nuclei were stained."),
        ("It binds NF-κ B.", "Nuclei were stained."),
        ("They lack apolipoprotein E.", "Lipids rose."),
        ("Rats were put in groups A and B.", "Doses differed."),
        ("It was lower in Group C.", "Age did not differ."),
        ("It was stored at 4 C.", "Blood was drawn."),
        ("It was given at 20 mg b.i.d.", "Morning values fell."),
        ("Cells grew at 37 °C.1,2", "We counted them."),
        ("It kills cells.[12,13]", "Statins do not."),
        ("It kills cells.[3–5]", "Others do not."),
        ("It was shown (n = 4).6", "Mice survived."),
        ("It was seen in the ICU.4", "However, few died."),
        ("They say “often”.12, 13", "Others do not."),
        ("It was proved before.(7)", "Others did not."),
        ("Is it so?7", "Nobody knows."),
        ("fatty acids rose .", "e. coli did not, vs. placebo, in 5 of 9 rats."),
        ("they lacked vitamins.", "(this was seen twice.)"),
        ("It took 24 h.", "Lysates were frozen."),
        ("Cells release NO.", "Macrophages do so too."),
        ("It was 12% (n = 3).", "(Not all were seen.)"),
        ("It fell.", "p53 rose."),
        ("It fell.", "mRNA rose."),
        ("It fell.", "α-Synuclein rose."),
        ("Did it fall?", "It did!"),
        ('They said "never."', "Others did not."),
        ("It fell [12].", "111 patients rose."),
        ("It fell.", "METHODS: We saw it fall."),
        ("It fell.", "@entity1 rose."),
    ],
)
@each_row("between", [" ", "\n", "  ", "\n\n", "\xa0"])
def test_these_are_two_sentences(first: str, second: str, between: str) -> None:
    assert sentences(first + between + second) == [first, second]


def test_white_space_around_a_text_belongs_to_no_sentence() -> None:
    assert sentences(" \n It fell.  It rose. \t") == ["It fell.", "It rose."]
    assert sentences(" \n ") == []


def test_an_abbreviation_has_one_meaning() -> None:
    assert not NEVER & RARELY
    assert not NEVER & NUMBERED
    assert not RARELY & NUMBERED
