"""The table of queries: what users type, the tree of it, the line that shows how it was understood, and its repairs.

Trees are written in short: ranked | required | excluded, with "a b" for a phrase, a* for a prefix, field:word,
(a | b) for any of, (a b) for all of, -a for not.
"""

from __future__ import annotations

from typing import NamedTuple

from anagnosis.searching.queries import tree


class Row(NamedTuple):
    query: str
    tree: str
    line: str = ""
    repairs: tuple[str, ...] = ()


def short(part: tree.Part | tree.Query) -> str:
    """A tree in short."""
    match part:
        case tree.Query(ranked, required, excluded):
            return " | ".join(" ".join(map(short, parts)) for parts in (ranked, required, excluded)).strip()
        case tree.Word(text):
            return text.replace(" ", "_")
        case tree.Phrase(words):
            return f'"{" ".join(words)}"'
        case tree.Prefix(letters):
            return f"{letters.replace(' ', '_')}*"
        case tree.InField(field, inner):
            return f"{field}:{short(inner)}"
        case tree.Dates(since, until):
            return f"{since}..{until}"
        case tree.AnyOf(parts):
            return f"({' | '.join(map(short, parts))})"
        case tree.AllOf(parts):
            return f"({' '.join(map(short, parts))})"
        case tree.Not(inner):
            return f"-{short(inner)}"
        case _:
            raise AssertionError("the grammar makes none")


QUERIES = (
    Row(
        '"insulin resistance" metformin -children glucose[ti] 2015:2020[dp]',
        'insulin resist metformin glucos | "insulin resist" title:glucos 2015..2020 | child',
        '"insulin resistance" · best with: metformin · not children · title: glucose · published 2015–2020',
    ),
    # Phrases: any quotation marks, stop words, one word, names in any spelling.
    Row("«cold tea”", 'cold tea | "cold tea" |', '"cold tea"'),
    Row('"quality of life"', 'qualiti life | "qualiti of life" |', '"quality of life"'),
    Row('"IL-6 receptor"', 'il 6 receptor il6 | ("il 6 receptor" | "il6 receptor") |', '"IL-6 receptor"'),
    Row('"IL6 receptor"', 'il6 receptor il | ("il6 receptor" | "il 6 receptor") |', '"IL6 receptor"'),
    # What is left out.
    Row("metformin NOT children", "metformin |  | child", "best with: metformin · not children"),
    Row('tea -"green tea"', 'tea |  | "green tea"', 'best with: tea · not "green tea"'),
    Row("tea -(milk OR sugar)", "tea |  | (milk | sugar)", "best with: tea · not (milk or sugar)"),
    Row("tea NOT black milk", "tea |  | (black milk)", "best with: tea · not black milk"),
    Row(
        "Does tea AND milk help? NOT sugar",
        "doe tea and milk help |  | sugar",
        "best with: Does tea AND milk help? · not sugar",
        ("AND is read as a word in a question",),
    ),
    # AND, OR and parentheses: a run of plain words is one operand, and operators are read from left to right.
    Row(
        "heart attack OR myocardial infarction",
        "heart attack myocardi infarct | ((heart attack) | (myocardi infarct)) |",
        "heart attack or myocardial infarction",
    ),
    Row("a1c AND insulin", 'a1c a insulin | (a1c | "a 1c") insulin |', "a1c and insulin"),
    Row("tea OR milk AND sugar", "tea milk sugar | (tea | milk) sugar |", "(tea or milk) and sugar"),
    Row("tea AND milk OR sugar", "tea milk sugar | ((tea milk) | sugar) |", "(tea and milk) or sugar"),
    Row("tea AND (milk OR sugar)", "tea milk sugar | tea (milk | sugar) |", "tea and (milk or sugar)"),
    Row(
        "(milk OR sugar) (green OR black) tea",
        "milk sugar green black tea | (milk | sugar) (green | black) |",
        "milk or sugar · green or black · best with: tea",
    ),
    Row(
        '"cold tea" OR coffee NOT milk',
        'cold tea coffe | ("cold tea" | coffe) | milk',
        '"cold tea" or coffee · not milk',
    ),
    Row("tea -AND milk", "tea milk |  | and", "best with: tea · not AND · best with: milk"),
    Row("tea OR NOT milk", "tea | (tea | -milk) |", "tea or not milk"),
    Row("(tea)OR(milk)", "tea milk | (tea | milk) |", "tea or milk"),
    Row("(tea OR poly(ADP))", 'tea poli adp | (tea | "poli adp") |', "tea or poly(ADP)"),
    Row("tea -(NOT milk)", "tea milk |  |"),
    Row(
        "Does (tea OR coffee) help? -milk",
        "doe tea coffe help | (tea | coffe) | milk",
        "best with: Does · tea or coffee · best with: help? · not milk",
    ),
    # Beginnings.
    Row("hypertensi* elderly", "elder | hypertensi* |", "hypertensi* · best with: elderly"),
    Row("beta-block*", "| (beta block*) |", "beta-block*"),
    Row("Élect*", "| elect* |", "Élect*"),
    Row(
        "IL-* sepsis",
        "il sepsi |  |",
        "",
        ("IL-* is read without its star, which needs 3 letters before it",),
    ),
    # Fields, with PubMed's long names; a field takes all plain words before it.
    Row(
        "septic shock[tiab]",
        "septic shock | ((title:septic | abstract:septic) (title:shock | abstract:shock)) |",
        "title or abstract: septic shock",
    ),
    Row(
        '"Smith et al 2005"[tiab]',
        'smith et 2005 | ((title:"smith et" | abstract:"smith et") (title:2005 | abstract:2005)) |',
        'title or abstract: "Smith et al 2005"',
    ),
    Row("tea[ti]OR milk[ti]", "tea milk | (title:tea | title:milk) |", "title: tea or title: milk"),
    Row("sepsis[ab]", "sepsi | abstract:sepsi |", "abstract: sepsis"),
    Row("sepsis[All Fields]", "sepsi | sepsi |", "anywhere: sepsis"),
    Row("sept*[TI]", "| title:sept* |", "title: sept*"),
    Row(
        "tea (heart failure)[ti]",
        "tea heart failur | (title:heart title:failur) |",
        "best with: tea · title: heart failure",
    ),
    Row("(tea OR milk)[ti]", "tea milk | (title:tea | title:milk) |", "title: tea or title: milk"),
    Row(
        "Smith J[au]",
        "| (author:smith_j | author:smith_j,* | author:smith,_j* | author:j,_smith*) |",
        "author: Smith J",
    ),
    Row("O'Brien, Pat[Author]", "| (author:obrien,_pat* | author:obrien_pat) |", "author: O'Brien, Pat"),
    Row('"N Engl J Med"[Journal]', "| journal:n_engl_j_med |", 'journal: "N Engl J Med"'),
    Row("Review[pt]", "| type:review |", "type: Review"),
    Row(
        '"Diabetes Mellitus, Type 2"[MeSH Terms]',
        "| mesh:diabetes_mellitus,_type_2 |",
        'MeSH: "Diabetes Mellitus, Type 2"',
    ),
    Row("asthma[majr]", "| mesh:asthma |", "MeSH: asthma"),
    Row("Asthma/drug therapy[mh]", "| mesh:asthma |", "MeSH: Asthma/drug therapy"),
    Row("asthma[MeSH Terms:noexp]", "| mesh:asthma |", "MeSH (this term alone): asthma"),
    Row("diabet*[mh]", "| mesh:diabet* |", "MeSH: diabet*"),
    Row("telemedicine[ot]", "| keyword:telemedicine |", "keyword: telemedicine"),
    Row("31[pmid] tea", "tea | alias:pmid:31 |", "paper: 31 · best with: tea"),
    Row("metformin english[la]", "metformin | language:eng |", "best with: metformin · language: english"),
    Row("tea AND de[Language]", "tea | tea language:ger |", "tea and language: de"),
    Row(
        "tea NOT scottish gaelic[la]",
        "tea |  | language:gla",
        "best with: tea · not language: scottish gaelic",
    ),
    Row("Doe, Ann[1au]", "| (first_author:doe,_ann* | first_author:doe_ann) |", "first author: Doe, Ann"),
    Row("Doe, Ann[lastau]", "| (last_author:doe,_ann* | last_author:doe_ann) |", "last author: Doe, Ann"),
    # Filters that are another field's value.
    Row("tea humans[Filter]", "tea | mesh:humans |", "best with: tea · MeSH: Humans"),
    Row("tea AND middleaged[filter]", "tea | tea mesh:middle_aged |", "tea and MeSH: Middle Aged"),
    Row('"meta-analysis"[Filter]', "| type:meta-analysis |", "type: Meta-Analysis"),
    Row("german[filter]", "| language:ger |", "language: german"),
    Row(
        "tea free full text[filter]",
        "tea |  |",
        "",
        ("free full text[filter] is left out: an index does not know this filter",),
    ),
    Row(
        "tea AND harvard medical school[ad] AND milk",
        "tea milk | tea milk |",
        "tea and milk",
        ("harvard medical school[ad] is left out: an index has no such field",),
    ),
    Row(
        "tea human[filter]",
        "tea |  |",
        "",
        ("human[filter] is left out: an index does not know this filter",),
    ),
    Row("tea AND hasabstract", "tea | tea filter:hasabstract |", "tea and filter: hasabstract"),
    Row("tea HasAbstract[text]", "tea | filter:hasabstract |", "best with: tea · filter: hasabstract"),
    # Fields in front.
    Row(
        'ti:"green tea" -AU:Smith',
        'green tea | title:"green tea" | (author:smith | author:smith,*)',
        'title: "green tea" · not author: Smith',
    ),
    Row(
        "ti:(tea OR (milk AND salt*))",
        "tea milk | (title:tea | (title:milk title:salt*)) |",
        "title: tea or (title: milk and title: salt*)",
    ),
    Row('"see title:tea"', 'see titl tea | "see titl tea" |', '"see title:tea"'),
    # Dates.
    Row("tea 2015:2020[dp]", "tea | 2015..2020 |", "best with: tea · published 2015–2020"),
    Row("2019/03:2020/05/12[dp]", "| 2019-03..2020-05-12 |", "published 2019-03 to 2020-05-12"),
    Row("tea AND milk 2015[dp]", "tea milk | tea milk 2015..2015 |", "tea and milk · published 2015"),
    Row("2015:3000[dp]", "| 2015.. |", "published since 2015"),
    Row(":2015[dp]", "| ..2015 |", "published until 2015"),
    Row("2015 : 2020 [dp]", "| 2015..2020 |", "published 2015–2020"),
    Row(
        '("2015/01/01"[Date - Publication] : "3000"[Date - Publication]) AND tea',
        "tea | 2015-01-01.. tea |",
        "published since 2015-01-01 and tea",
    ),
    Row("2015[dp]:2016[ti]", "2016 | 2015..2015 title:2016 |", "published 2015 · title: 2016"),
    Row(
        "2020:2015[dp]", "|  |", "", ("'2020:2015' is no date; write 2019, 2019/03 or 2015:2020 before [dp]",)
    ),
    Row(
        'tea "last 5 years"[dp]',
        "tea |  |",
        "",
        ("'last 5 years' is no date; write 2019, 2019/03 or 2015:2020 before [dp]",),
    ),
    # Malformed.
    Row(
        "tea (milk OR sugar",
        "tea milk sugar | (milk | sugar) |",
        "best with: tea · milk or sugar",
        ("a parenthesis has no partner",),
    ),
    Row("tea AND OR milk", "tea milk | (tea | milk) |", "tea or milk", ("AND needs a word on both sides",)),
    Row(
        "tea NOT NOT milk", "tea |  | milk", "best with: tea · not milk", ("NOT needs a word on both sides",)
    ),
    Row("tea AND milk OR", "tea milk | tea milk |", "tea and milk", ("OR needs a word on both sides",)),
    Row("vitamin A OR", "vitamin a |  |", "", ("OR needs a word on both sides",)),
    Row("[ti] tea", "tea |  |", "", ("[ti] belongs behind a word",)),
    Row("tea[ti][ab]", "tea | title:tea |", "title: tea", ("[ab] belongs behind a word",)),
    Row(
        '"green tea"[tiab:~3]',
        'green tea | (title:"green tea" | abstract:"green tea") |',
        'title or abstract: "green tea"',
        ("[tiab:~3] is read without its distance",),
    ),
    Row(
        '"green te*"',
        'green te | "green te" |',
        '"green te*"',
        ("a star inside quotation marks means nothing",),
    ),
)

# Signs of other databases, which are words here: a query, and those that its repair names.
OTHER_SIGNS = (
    ("#1 AND #2", "#1, #2"),
    ("ASPIRIN W/3 STROKE", "W/3"),
    ("aspirin near3 stroke AND adj12", "near3, adj12"),
    ("stroke.ti,ab. OR tea.mp", "stroke.ti,ab., tea.mp"),
    ("exp *Asthma/ AND drug", "*Asthma/"),
    ("TITLE-ABS-KEY(stroke AND tea)", "TITLE-ABS-KEY(stroke"),
    ("sepsis[Title/Abstact] in children", "sepsis[Title/Abstact]"),
    (
        " ".join(f"#{number}" for number in range(22)),
        f"{', '.join(f'#{number}' for number in range(20))} and 2 others",
    ),
)

# Texts that stay plain words, with the repair that names an operator or a sign read as a word.
PLAIN = (
    ("Does tea not help?", ""),
    ("Does tea NOT help?", "NOT is read as a word in a question"),
    ("tea or coffee and not milk", ""),
    ("proteomics and other -omics", ""),
    ("tea with -milk", ""),
    ("TNF- and -\u03b2-induced fever", ""),
    ("apoE -/- mice", ""),
    ("a change of -5 mmHg", ""),
    ("tea - coffee", ""),
    ("vitamin -D", ""),
    ("(-)-epicatechin", ""),
    ('a lone "quote', "a quotation mark without a second one is left out"),
    ('5" catheter and 6" catheter', ""),
    ("aspirin (ASA) in stroke", ""),
    ("1) tea 2) coffee", ""),
    ("covid) in children", ""),
    ("omega-N3 acids and blood AB", ""),
    ("DEATHS NEAR A HIGHWAY", ""),
    ("he/she and/or they/", "signs of other databases are words here: they/"),
    ("see https://a.org/b and the ratio 2:1", ""),
    ("the rate[3] of [translated] papers", ""),
    ("poly(ADP-ribose) polymerase", ""),
    ("benzo[a]pyrene", ""),
    ("vitamin D [25(OH)D]", ""),
    ("HLA-B*27:05 and TPMT *3A", ""),
    ("()", ""),
    ('""', ""),
    ("*", ""),
)  # fmt: skip
