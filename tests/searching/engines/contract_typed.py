"""The part of the contract about typed queries: what users write, and the passages that an engine has for it."""

from __future__ import annotations

from collections.abc import Callable

from tests.searching.engines.contract_trial import EngineTrial, same

from anagnosis.searching.filters import Filters
from anagnosis.searching.queries.asked import read_query

_OF_1 = {"1#0", "1#1"}
TYPED: tuple[tuple[str, set[str]], ...] = (
    ("cold tea", _OF_1),
    ("Does cold tea not change sleep?", {*_OF_1, "4#0"}),
    ('"cold tea"', _OF_1),
    ('"tea cold"', set()),
    ("\u201ccold tea\u201d sleep", _OF_1),
    ("sleep -tea", {"4#0"}),
    ("sleep NOT tea", {"4#0"}),
    ("-tea sleep", {"4#0"}),
    ("-tea", set()),
    ("tea OR salt", {*_OF_1, "3#0"}),
    ("cold tea OR salt", {*_OF_1, "3#0"}),
    ("sleep AND tea", _OF_1),
    ("sleep AND (tea OR walk) NOT forty", {"4#0"}),
    ("forty AND change", _OF_1),
    ("sleep -forty", {"4#0"}),
    ("(tea OR salt) -sleep", {"3#0"}),
    ("breakf*", {"4#0"}),
    ("sleep[ti]", _OF_1),
    ("sleep[ab]", {*_OF_1, "4#0"}),
    ("salt[tiab]", {"3#0"}),
    ("helps sleep[tiab] -cold", {"4#0"}),
    ('"helps sleep"[ab]', {"4#0"}),
    ("sle*[ti]", _OF_1),
    ("IL2[ti]", {"2#0"}),
    ('"IL-2 did"', {"2#0"}),
    ('"TGF-\u03b21 and IL2"', {"2#0"}),
    ("Smith[au]", {*_OF_1, "2#0"}),
    ("Smith Jane[au]", {"2#0"}),
    ("Garcia Lopez JA[au]", _OF_1),
    ("John Smith[au]", _OF_1),
    ("Smith J[au] NOT fever letters[ta]", _OF_1),
    ("clinical trial[pt]", _OF_1),
    ("Sleep[mh]", _OF_1),
    ("slee*[mh]", _OF_1),
    ("cold tea[ot]", _OF_1),
    ("2020:3000[dp]", {"2#0", "3#0"}),
    ("2019/05:2020/03[dp]", {*_OF_1, "2#0"}),
    ("sleep 2019[dp]", _OF_1),
    ("(fever OR salt) AND 2021[dp]", {"3#0"}),
    ("tea OR (sleep NOT tea)", {*_OF_1, "4#0"}),
    ("0.5 mg AND fever", {"2#0"}),
)


def typed_queries_return_their_passages(trial: EngineTrial) -> None:
    for typed, expected in TYPED:
        hits = trial.engine.search(read_query(typed).query, Filters(), 10)
        same({hit.passage.id for hit in hits}, expected, f"passages for {typed}")


CHECKS: tuple[Callable[[EngineTrial], None], ...] = (typed_queries_return_their_passages,)
