"""What happened to one document, rule by rule: for `anagnosis build biomrc … --explain ID`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from anagnosis.datasets.biomrc import build, rules
from anagnosis.datasets.biomrc.recipe import BioMRCRecipe
from anagnosis.datasets.inputs import InputFiles
from anagnosis.datasets.screened import Screening, Shard
from anagnosis.documents.document import Document
from anagnosis.documents.pubtator import Record
from anagnosis.documents.repairs import Repairs
from anagnosis.language.sentences import splitter


@dataclass(frozen=True, slots=True)
class Explanation:
    """where: file and line. facts: what the rules look at. verdicts: (rule, dropped?) as far as they were asked.

    instances: the questions that are left. instances_dropped and repairs: name → count, of this document alone.
    What only the whole input decides (a repeated id or text, dates) is not in it.
    """

    id: str
    where: str
    facts: dict[str, int] = field(default_factory=dict[str, int])
    verdicts: list[tuple[str, bool]] = field(default_factory=list[tuple[str, bool]])
    instances: list[str] = field(default_factory=list[str])
    instances_dropped: dict[str, int] = field(default_factory=dict[str, int])
    repairs: dict[str, int] = field(default_factory=dict[str, int])


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
        "identifiers_in_abstract": len(set(whole.abstract_keys) - {""}),
    }
    verdicts: list[tuple[str, bool]] = []
    for rule in (*rules.TEXT_RULES, *rules.MENTION_RULES):
        dropped = rule(whole, recipe)
        verdicts.append((rule.__name__, dropped))
        if dropped:
            return Explanation(source.id, where, facts, verdicts, repairs=dict(repairs.counts))
    screening = Screening()
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
