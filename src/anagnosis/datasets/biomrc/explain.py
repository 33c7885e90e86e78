"""What happened to one document, rule by rule: for `anagnosis build biomrc … --explain ID`."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.datasets.biomrc import build, rules
from anagnosis.datasets.biomrc.recipe import BioMRCRecipe
from anagnosis.datasets.build.explanation import Explanation
from anagnosis.datasets.build.inputs import InputFiles
from anagnosis.datasets.build.screening import Screening, Shard
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.documents.document import Document
from anagnosis.documents.formats.pubtator.format import Record
from anagnosis.documents.repairs import Repairs
from anagnosis.language.sentences import splitter


def explain(inputs: InputFiles, ident: str, recipe: BioMRCRecipe) -> Iterator[Explanation]:
    """Every document of that id, in the order of the input."""
    wanted = ident.encode()
    for shard in inputs.shards():
        if wanted in shard.data:
            for source in build.sources(shard, Repairs()):
                if source.id == ident:
                    yield _explained(source, shard, recipe)


def _explained(source: Record | Document, shard: Shard, recipe: BioMRCRecipe) -> Explanation:
    where = f"{shard.name}:{source.line}" if isinstance(source, Record) else shard.name
    repairs = Repairs()
    whole = build.article(source, shard.name, recipe, repairs)
    facts = {
        "title_characters": len(whole.title),
        "title_tokens": len(whole.title.split()),
        "abstract_characters": len(whole.abstract),
        "sentences": len(splitter(recipe.sentences)(whole.abstract)) if whole.abstract else 0,
        "mentions_in_title": len(whole.in_title),
        "mentions_in_abstract": len(whole.in_abstract),
        "identifiers_in_abstract": len(rules.distinct_identifiers(whole)),
    }
    verdicts: list[tuple[str, bool]] = []
    for rule in (*rules.TEXT_RULES, *rules.MENTION_RULES):
        dropped = rule(whole, recipe)
        verdicts.append((rule.__name__, dropped))
        if dropped:
            return Explanation(source.id, where, facts, verdicts, repairs=dict(repairs.counts))
    screening = Screening(ClozeColumns())
    build.screen_article(source, shard.name, recipe, screening)
    verdicts.append(("no_instance_left", not screening.columns.questions))
    return Explanation(
        source.id,
        where,
        facts,
        verdicts,
        screening.columns.questions,
        dict(screening.instances_dropped),
        dict(repairs.counts),
    )
