"""Commands over predictions and rankings: score, compare, report, agreement, protocols, submit,
evaluate-search."""

from __future__ import annotations

from shlex import quote

import msgspec

from anagnosis import api
from anagnosis.cli.verbs import printed, reported

score = reported(
    api.score,
    """
anagnosis score built/mine base3plus.jsonl base4.jsonl
anagnosis score built/mine sum=sum-0.jsonl,sum-1.jsonl,sum-2.jsonl
""",
)
compare = reported(
    api.compare,
    """
anagnosis compare built/mine base3plus.jsonl base4.jsonl
anagnosis compare built/mine base3plus.jsonl base4.jsonl --unit instance --draws 100000
anagnosis compare built/mine sum=sum-0.jsonl,sum-1.jsonl max=max-0.jsonl,max-1.jsonl base4.jsonl
""",
)
protocols = reported(
    api.protocols,
    """
anagnosis protocols built/held zero.jsonl runs/t5
anagnosis protocols built/held submission.json --json
anagnosis protocols built/held zero.jsonl runs/t5 --similar --out similar.html
""",
)
evaluate_search = reported(
    api.evaluate_search,
    r"""
anagnosis evaluate-search built/index --topics t.tsv --judgements qrels.txt
anagnosis evaluate-search built/index bm25s=other.run --topics t.tsv --judgements qrels.txt --runs runs
anagnosis evaluate-search a.run b.run --judgements qrels.txt --measure ndcg@10 --measure recall@1000
""",
)


agreement = reported(
    api.agreement,
    """
anagnosis agreement built/tiny people.jsonl --systems base4.jsonl
anagnosis agreement built/pqal --people
anagnosis agreement built/clicr people.jsonl --systems ga.jsonl --measure f1 --labels skills.jsonl
""",
)
report = reported(
    api.evaluate,
    """
anagnosis report built/mine base3plus.jsonl base4.jsonl --out report.html
anagnosis report built/mine base4.jsonl runs/as runs/aoa --out report.html
anagnosis report built/mine base4.jsonl --shortcuts --out report.md
""",
    name="report",
)
submit = printed(
    api.submit,
    """
anagnosis submit built/held zero.jsonl --phase B --out submission.json
anagnosis submit built/held factoid.jsonl list.jsonl yesno.jsonl --phase B --out submission.json
anagnosis submit built/held ranked.jsonl --phase A --out submission.json
""",
    shows="questions answered unanswered left_out unknown_fields in_one_text",
    data=lambda made, given: {"out": given["out"], **msgspec.to_builtins(made)},
    then=lambda _, given: [f"anagnosis score {quote(given['dataset'])} {quote(given['out'])}"],
)
