"""References for tests: one with everything, and any of them for properties."""

from __future__ import annotations

from hypothesis import strategies as st

from anagnosis.documents.states import STATES
from anagnosis.searching.citing.reference import Reference, in_one_line
from anagnosis.searching.records.passage import Notice

WHOLE = Reference(
    id="27000083",
    title="Salt & <Sea>: 50% of {IL-6}_x in the USA?",
    authors=("Hellinger, Frank R Jr", "van der Bergé, J-P", "Salt and Sea Study Group"),
    journal="Journal of Salt",
    date="2016-03-23",
    volume="12",
    issue="Suppl 1",
    pages="817-20",
    doi="10.1002/(SICI)1096<1::AID-A_1>3.0.CO;2-1",
    pmid="27000083",
    pmcid="PMC7",
    language="eng",
    licence="cc-by",
    types=("Journal Article", "Review"),
    keywords=("salt", "sea"),
    mesh=("Humans", "salt"),
    abstract="METHODS: We asked. RESULTS: =1+1",
    notices=(Notice("retracted", "RETRACTED", "33"),),
    address="https://pubmed.ncbi.nlm.nih.gov/27000083/",
)
# Whatever papers may hold: LaTeX's characters, formulas, tags of RIS, right-to-left marks, controls, line breaks.
TEXTS = st.one_of(
    st.text(max_size=30),
    st.text("{}\\%&$#_~^<>|\"'@,;= \n\r\t-+aA\u202e\u2028\x00", max_size=30),
    st.sampled_from(
        ["ER  - ", "TY  - JOUR", "@article{x,", "=1+1", "＝1", "a and b", "\\input{x}", "}", "{", ""]
    ),
).map(in_one_line)
NAMES = TEXTS.map(lambda text: text.replace(",", "").replace(";", "").strip()).filter(bool)
AUTHORS = st.one_of(NAMES, st.tuples(NAMES, NAMES).map(", ".join))


def _several(values: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(values, max_size=3).map(tuple)


REFERENCES = st.builds(
    Reference,
    id=TEXTS.filter(bool),
    title=TEXTS,
    authors=_several(AUTHORS),
    journal=TEXTS,
    date=st.one_of(st.just(""), st.dates().map(str), st.sampled_from(["2016", "2016-03"])),
    volume=TEXTS,
    issue=TEXTS,
    pages=st.one_of(TEXTS, st.from_regex(r"[eS]?[0-9]{1,4}-[eS]?[0-9]{1,4}", fullmatch=True)),
    doi=TEXTS,
    pmid=st.one_of(st.just(""), st.integers(1, 10**8).map(str)),
    pmcid=TEXTS,
    language=TEXTS,
    licence=TEXTS,
    types=_several(TEXTS.filter(bool)),
    keywords=_several(NAMES),
    mesh=_several(NAMES),
    abstract=TEXTS,
    notices=st.lists(
        st.builds(
            Notice,
            st.sampled_from(sorted(STATES)),
            st.just("RETRACTED"),
            st.sampled_from(["", "33370000", "J Salt 2016;3:7"]),
        ),
        max_size=2,
        unique_by=lambda one: one.kind,
    ).map(tuple),
    address=TEXTS,
)
