"""Build a dataset in three phases: screen (parallel), resolve (one ordered pass), write (parallel).

Screen judges blocks of the input and leaves, for each, a small table and the instances that passed. Resolve walks
the small tables in the input's order (resolving.py). Write turns ranges of rows, gathered from the blocks they lie in,
into Parquet parts (parts.py). Partial results lie below OUT.part-…, which becomes OUT when all is there.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from anagnosis import parallel
from anagnosis.datasets.build import parts, resolving
from anagnosis.datasets.build import screening as screenings
from anagnosis.datasets.build.inputs import (
    InputFiles,
    Synonyms,
    prepared_terms,
    term_choices,
    term_sources,
)
from anagnosis.datasets.build.resolving import Resolved, needs_dates, nothing_built, remarks, resolve
from anagnosis.datasets.build.screening import Screening, Shard, Totals
from anagnosis.datasets.definition import Builder
from anagnosis.datasets.folder import entities, store, writing
from anagnosis.datasets.folder.receipt import DocumentCounts, InstanceCounts, Refusal
from anagnosis.datasets.kinds.table import kind_of
from anagnosis.documents.dates import read_dates
from anagnosis.errors import InputError
from anagnosis.io import outputs
from anagnosis.io.files import STANDARD_INPUT, display_name, open_output, sha256, write_bytes
from anagnosis.io.paths import PathLike
from anagnosis.progress import Progress, print_note
from anagnosis.registry import referenced

_WORK = ".work"  # partial results, in the new folder


class ScreenTask(msgspec.Struct, frozen=True):
    """A shard, with its number, to be judged by the builder at a "module:attribute". work: of partial results.

    synonyms: of a builder that takes terms, where the user gave some. lists_drops: whether drops are listed.
    """

    builder: str
    recipe: dict[str, Any]
    shard: Shard
    number: int
    work: str
    synonyms: Synonyms | None
    lists_drops: bool


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
    shared_disk: bool = False,
    drops: PathLike | None = None,
    replace: bool = False,
) -> store.Dataset:
    """Build a dataset folder from input files.

    path: "module:attribute" of a `Builder`. dates: a file that `read_dates` reads; a builder that is dated takes those
    of its documents. terms: files of vocabularies, for a builder that takes terms. shared_disk: workers on other
    machines read shards from this disk instead of receiving them. drops: a file for all that is dropped, a line each;
    `inputs` are not `together` then. replace: overwrite a dataset, once this one is ready.
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
        digest = "" if str(dates) == STANDARD_INPUT else sha256(dates)  # standard input is read once
        asked |= {"dates": display_name(dates), "dates_sha256": digest}
    read_terms = term_sources(terms)
    asked |= term_choices(read_terms)
    with writing.new_dataset(folder, replace=replace) as new:
        work = new / _WORK
        work.mkdir()
        tasks = _screen_tasks(
            path, recipe, inputs, work, prepared_terms(terms, read_terms, work), shared_disk, drops
        )
        totals, files = Totals(), list[str]()
        with Progress("screen") as progress:
            for shard in parallel.map(screen_task, tasks, make_pool):
                found = screenings.load(work, len(files))
                _spilled(work, len(files)).unlink(missing_ok=True)  # only now: a worker that dies is replaced
                totals.add(found)
                files.append(shard)
                progress.advance(found.read, inputs.share)
        totals.add(screenings.with_repairs(screenings.ScreeningResults(), inputs.repairs))
        resolved = resolve(
            recipe,
            lambda: (screenings.load(work, number) for number in range(len(files))),
            joined,
            inputs.refused,
        )
        totals.dropped.update({rule: len(places) for rule, places in resolved.dropped.items()})
        if drops is not None:
            _write_drops(drops, work, files, resolved)
        if not resolved.articles:
            raise nothing_built(
                totals.read, totals.refused, totals.dropped, totals.reasons.values(), builder.needs
            )
        rows = parts.write(new, str(work), resolved, make_pool)
        if kind_of(spelled_out).entities:
            entities.write(new, resolved.entities)
        shutil.rmtree(work)
        writing.finish(
            new,
            spelled_out,
            inputs=[
                msgspec.structs.replace(each, documents=resolved.files[each.name])
                for each in inputs.read_so_far()
            ],
            documents=DocumentCounts(
                totals.read, resolved.articles, _in_order(totals.dropped, builder.rules), totals.refused
            ),
            instances=InstanceCounts(rows, _in_order(totals.instances_dropped, builder.instance_rules)),
            repairs=totals.repairs,
            places=(
                [Refusal(*place) for place in totals.refusals],
                [Refusal(*place) for place in totals.notes],
            ),
            choices={**inputs.choices(), **asked, **resolved.dates_span()},
        )
    for line in remarks(resolved, recipe):
        print_note(line)
    return store.load(Path(folder))


def _write_drops(drops: PathLike, work: Path, files: Sequence[str], resolved: Resolved) -> None:
    """Write what the rules of one document dropped, then what needed the whole input, both in the input's order.

    files: the file of each block.
    """
    encode, rules = msgspec.json.Encoder().encode, dict[int, str]()
    for rule, places in resolved.dropped.items():
        rules.update(dict.fromkeys(places.tolist(), rule))
    with outputs.writing(drops, replace=True), open_output(drops) as stream:  # it was checked before
        for block in range(len(files)):
            stream.write(screenings.drops_path(work, block).read_bytes())
        for block, file in enumerate(files):
            begin = resolved.borders[block]
            for nth, ident in enumerate(screenings.load(work, block).ids):
                if rule := rules.get(place := int(begin) + nth):
                    value = resolved.dates[place] if rule == resolving.PUBLISHED_BEFORE else ""
                    stream.write(encode(screenings.Dropped("document", ident, file, rule, value)) + b"\n")


def screen_task(task: ScreenTask) -> str:
    """Judge one shard and leave its results in the work folder; gives the file that it is of."""
    builder: Builder = referenced(task.builder)
    shard = task.shard
    if shard.path:
        shard = msgspec.structs.replace(shard, data=Path(shard.path).read_bytes(), path="")
    recipe = msgspec.convert(task.recipe, builder.recipe)
    further = () if task.synonyms is None else (task.synonyms,)
    assert builder.screen is not None
    screening: Screening[Any] = builder.screen(shard, recipe, *further)
    screening.results.files = shard.files
    screenings.save(screening, task.work, task.number, shard.name if task.lists_drops else "")
    return shard.name


def _screen_tasks(
    builder: str,
    recipe: msgspec.Struct,
    inputs: InputFiles,
    work: Path,
    synonyms: Synonyms | None,
    shared_disk: bool,
    drops: PathLike | None,
) -> Iterator[ScreenTask]:
    """A task for each shard. shared_disk: its data lie in the work folder, instead of in the task."""
    plain = msgspec.to_builtins(recipe)
    for number, shard in enumerate(inputs.shards()):
        if shared_disk:
            write_bytes(path := _spilled(work, number), shard.data)
            shard = msgspec.structs.replace(shard, data=b"", path=str(path))
        yield ScreenTask(builder, plain, shard, number, str(work), synonyms, drops is not None)


def _spilled(work: Path, number: int) -> Path:
    """Where a shard's data lie for workers elsewhere."""
    return work / f"{number}.shard"


def _in_order(counts: Mapping[str, int], rules: Sequence[str]) -> dict[str, int]:
    return {rule: counts[rule] for rule in rules if counts.get(rule)}
