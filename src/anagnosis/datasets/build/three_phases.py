"""Build a dataset in three phases: screen (parallel), resolve (what needs the whole input), write (one pass).

Screen judges blocks of the input (screening.py); what passed is appended to one file below OUT.part-…, and small
columns stay in memory. Resolve decides by these columns what stays and where (resolving.py). Write goes over the file
once more, in the input's order (parts.py).
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from anagnosis import parallel
from anagnosis.datasets.build import parts, resolving
from anagnosis.datasets.build.inputs import InputFiles
from anagnosis.datasets.build.resolving import (
    needs_dates,
    nothing_built,
    resolve,
    small_parts,
)
from anagnosis.datasets.build.screening import Articles, screen
from anagnosis.datasets.build.synonyms import prepared_terms, term_sources
from anagnosis.datasets.definition import Builder
from anagnosis.datasets.folder import entities, store, writing
from anagnosis.datasets.folder.receipt import DocumentCounts, Refusal, draft
from anagnosis.datasets.kinds.table import kind_of
from anagnosis.documents.date_table import read_dates
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.io.files import STANDARD_INPUT, display_name, sha256
from anagnosis.io.paths import PathLike, naming_faults
from anagnosis.progress import Progress, print_note
from anagnosis.registry import referenced

_WORK = ".work"  # in the new folder, until it is ready
_FREE = "free some space or choose another place"


def build(
    path: str,
    recipe: msgspec.Struct,
    spelled_out: Mapping[str, Any],
    inputs: InputFiles,
    folder: PathLike,
    make_pool: Callable[[], parallel.Pool],
    *,
    dates: PathLike | None = None,
    terms: Sequence[PathLike] = (),
    choices: Mapping[str, Any] | None = None,
    replace: bool = False,
) -> store.Dataset:
    """Build a dataset folder from input files.

    path: "module:attribute" of a `Builder`. dates: a file that `read_dates` reads; a builder that is dated takes those
    of its documents. terms: files of vocabularies, for a builder that takes terms. replace: overwrite a dataset, once
    this one is ready.
    """
    builder: Builder = referenced(path)
    if dates is None and needs_dates(recipe) and not builder.dated:
        raise InputError(
            "the recipe asks for dates, and there are none",
            "--dates",
            "give a MEDLINE file or a table of PMID and date",
        )
    if terms and not builder.takes_terms:
        raise InputError("this dataset has no answers with synonyms", "--terms", "leave it away")
    joined = None
    asked = dict(choices or {})
    if dates is not None:
        joined = read_dates(dates, inputs.repairs)
        is_file = str(dates) != STANDARD_INPUT and Path(dates).is_file()
        digest = sha256(dates) if is_file else ""  # a pipe is read once
        asked |= {"dates": display_name(dates), "dates_sha256": digest}
    read_terms = term_sources(terms)
    if terms:
        asked["terms"] = msgspec.to_builtins(read_terms)
    with writing.new_dataset(folder, replace=replace) as new:
        work = new / _WORK
        work.mkdir()
        judge = partial(
            screen,
            path,
            recipe,
            prepared_terms(terms, read_terms, work),
            accept_truncated=inputs.accept_truncated,
        )
        articles, repairs, spool = Articles(), Repairs(), work / "rows"
        dropped, instances_dropped = Counter[str](), Counter[str]()
        with Progress("screen") as progress, spool.open("wb") as rows:
            for found in parallel.map(judge, inputs.blocks(), make_pool):
                with naming_faults(folder, _FREE, "writing"):
                    rows.write(found.rows)
                dates_of = found.articles.dates
                if joined is not None:
                    dates_of = [joined.get(ident, "") for ident in found.ids]
                articles.extend(found.articles, dates_of)
                repairs.add(found.repairs)
                dropped += found.dropped
                instances_dropped += found.instances_dropped
                progress.advance(found.articles.read, inputs.share)
        repairs.add(inputs.repairs)
        resolved = resolve(recipe, articles)
        dropped.update(resolved.dropped)
        if not resolved.articles:
            raise nothing_built(articles.read, repairs, dropped)
        found_entities = parts.write(new, spool, articles, resolved)
        if kind_of(spelled_out).entities:
            entities.write(new, found_entities)
        shutil.rmtree(work)
        refused, left_out = ([Refusal(each.where, each.why) for each in those] for those in repairs.places())
        receipt = draft(
            inputs=inputs.read_so_far(),
            documents=DocumentCounts(
                articles.read, resolved.articles, _in_order(dropped, builder.rules), repairs.refused
            ),
            dropped=_in_order(instances_dropped, builder.instance_rules),
            repairs=repairs.counts,
            choices={**inputs.choices(), **asked, **resolving.dates_span(articles, resolved)},
            refusals=refused,
            notes=left_out,
        )
        writing.finish(new, spelled_out, receipt)
    if small := small_parts(resolved.codes, recipe):
        print_note(small)
    return store.load(Path(folder))


def _in_order(counts: Mapping[str, int], rules: Sequence[str]) -> dict[str, int]:
    return {rule: counts[rule] for rule in rules if counts.get(rule)}
