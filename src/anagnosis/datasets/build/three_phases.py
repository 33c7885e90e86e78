"""Build a dataset in three phases: screen (parallel), resolve (one ordered pass), write (parallel).

Screen judges blocks of the input and leaves, for each, a small table and the instances that passed. Resolve walks
the small tables in the input's order (resolving.py). Write turns ranges of rows, gathered from the blocks they lie in,
into Parquet parts (parts.py), which move to the dataset together. Partial results lie in OUT/.work, named by a digest
of the block, the recipe and this program, and appear there by an atomic rename; so a killed run goes on where it was,
and any number of workers gives the same bytes.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
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
    terms_digest,
)
from anagnosis.datasets.build.parts import digest_of
from anagnosis.datasets.build.resolving import Resolved, needs_dates, nothing_built, remarks, resolve
from anagnosis.datasets.build.screening import Screening, Shard, Totals, program_digest
from anagnosis.datasets.definition import Builder
from anagnosis.datasets.folder import entities, store, writing
from anagnosis.datasets.folder.receipt import DocumentCounts, InstanceCounts, Receipt, Refusal
from anagnosis.datasets.kinds.table import kind_of
from anagnosis.documents.dates import read_dates
from anagnosis.errors import InputError
from anagnosis.io import outputs
from anagnosis.io.files import STANDARD_INPUT, display_name, open_output, sha256, write_bytes
from anagnosis.io.folders import DATA
from anagnosis.io.paths import PathLike
from anagnosis.progress import Progress, print_note
from anagnosis.recipes import load as recipes
from anagnosis.registry import referenced

# Choices of a build besides its recipe that decide what comes out.
_DECIDING = ("limit", "encoding", "dates_sha256", "terms")


class ScreenTask(msgspec.Struct, frozen=True):
    """A shard to be judged by the builder at a "module:attribute". work: the folder of partial results.

    synonyms: of a builder that takes terms, where the user gave some. lists_drops: whether drops are listed.
    """

    builder: str
    recipe: dict[str, Any]
    shard: Shard
    work: str
    digest: str
    synonyms: Synonyms | None = None
    lists_drops: bool = False


@dataclass(frozen=True, slots=True)
class _Build:
    """What a build is asked. path: of its builder. work: the folder of partial results; seed: of their names.

    dates: document id → date, None where the documents carry theirs. shared_disk: workers on other machines read
    shards from OUT/.work instead of receiving them. drops: the file for what is dropped.
    """

    path: str
    recipe: msgspec.Struct
    spelled_out: Mapping[str, Any]
    inputs: InputFiles
    out: Path
    work: Path
    seed: str
    dates: Mapping[str, str] | None
    choices: Mapping[str, Any]
    synonyms: Synonyms | None
    make_pool: Callable[[], parallel.Pool]
    shared_disk: bool
    drops: PathLike | None


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
    machines read shards from OUT/.work instead of receiving them. drops: a file for all that is dropped, a line each;
    `inputs` are not `together` then. replace: overwrite a finished dataset of another recipe or input, once this one is
    ready.
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
    digest = recipes.digest(spelled_out)

    def same(receipt: Receipt) -> bool:
        now = {**inputs.choices(), **asked}
        as_before = all(receipt.choices.get(name) == now.get(name) for name in _DECIDING)
        return as_before and receipt.recipe_sha256 == digest and inputs.include(receipt.inputs)

    out = writing.claimed(folder, None if replace else same)
    # Absolute, for workers that run in another directory.
    work = (out / writing.WORK).resolve()
    with writing.alone(out):
        try:
            synonyms = prepared_terms(terms, read_terms, work)
        except InputError:
            _leave_nothing(out, work)
            raise
        seed = program_digest(path) + digest + terms_digest(read_terms)
        return _built(
            _Build(
                path,
                recipe,
                spelled_out,
                inputs,
                out,
                work,
                seed,
                joined,
                asked,
                synonyms,
                make_pool,
                shared_disk,
                drops,
            )
        )


def _built(asked: _Build) -> store.Dataset:
    """The three phases, one after the other."""
    inputs, work, builder = asked.inputs, asked.work, referenced(asked.path)
    totals = Totals()
    order: list[str] = []
    files: list[str] = []
    with Progress("screen") as progress:
        for digest in parallel.map(screen_task, _screen_tasks(asked, files), asked.make_pool):
            found = screenings.load(work, digest)
            totals.add(found)
            if asked.shared_disk:
                _spilled(work, digest, len(order)).unlink(missing_ok=True)
            order.append(digest)
            progress.advance(found.read, inputs.share)
    totals.add(screenings.with_repairs(screenings.ScreeningResults(), inputs.repairs))
    resolved = resolve(
        asked.recipe,
        lambda: (screenings.load(work, digest) for digest in order),
        asked.dates,
        inputs.refused,
    )
    totals.dropped.update({rule: len(places) for rule, places in resolved.dropped.items()})
    if asked.drops is not None:
        _write_drops(asked, order, files, resolved)
    if not resolved.articles:
        _leave_nothing(asked.out, work)
        raise nothing_built(
            totals.read, totals.refused, totals.dropped, totals.reasons.values(), builder.needs
        )
    with writing.replacing(asked.out) as new:
        rows = parts.write(new, str(asked.work), asked.seed, order, resolved, asked.make_pool)
        if kind_of(asked.spelled_out).entities:
            entities.write(new, resolved.entities)
        writing.finish(
            new,
            asked.spelled_out,
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
            choices={**inputs.choices(), **asked.choices, **resolved.dates_span()},
        )
    shutil.rmtree(work, ignore_errors=True)
    for line in remarks(resolved, asked.recipe):
        print_note(line)
    return store.load(asked.out)


def _write_drops(asked: _Build, order: Sequence[str], files: Sequence[str], resolved: Resolved) -> None:
    """Write what the rules of one document dropped, then what needed the whole input, both in the input's order.

    files: the file of each block.
    """
    assert asked.drops is not None
    encode, rules = msgspec.json.Encoder().encode, dict[int, str]()
    for rule, places in resolved.dropped.items():
        rules.update(dict.fromkeys(places.tolist(), rule))
    with (
        outputs.writing(asked.drops, replace=True),
        open_output(asked.drops) as stream,
    ):  # it was checked before
        for digest in order:
            stream.write(screenings.drops_path(asked.work, digest).read_bytes())
        for block, digest in enumerate(order):
            begin = resolved.borders[block]
            for nth, ident in enumerate(screenings.load(asked.work, digest).ids):
                if rule := rules.get(place := int(begin) + nth):
                    value = resolved.dates[place] if rule == resolving.PUBLISHED_BEFORE else ""
                    line = screenings.Dropped("document", ident, files[block], rule, value)
                    stream.write(encode(line) + b"\n")


def _leave_nothing(out: Path, work: Path) -> None:
    """Take back the folders of a build that has nothing to write; what lay there before stays."""
    shutil.rmtree(work, ignore_errors=True)
    for folder in (out / DATA, out):
        with suppress(OSError):
            folder.rmdir()


def screen_task(task: ScreenTask) -> str:
    """Judge one shard and leave its results in the work folder; gives its digest. Done work is not done again."""
    drops_of = task.shard.name if task.lists_drops else ""
    if not screenings.is_saved(task.work, task.digest, drops_of):
        builder: Builder = referenced(task.builder)
        shard = task.shard
        if shard.path:
            shard = msgspec.structs.replace(shard, data=Path(shard.path).read_bytes(), path="")
        recipe = msgspec.convert(task.recipe, builder.recipe)
        further = () if task.synonyms is None else (task.synonyms,)
        assert builder.screen is not None
        screening: Screening[Any] = builder.screen(shard, recipe, *further)
        screening.results.files = shard.files
        screenings.save(screening, task.work, task.digest, drops_of)
    return task.digest


def _screen_tasks(asked: _Build, files: list[str]) -> Iterator[ScreenTask]:
    """A task for each shard, whose file is added to `files`."""
    lists_drops = asked.drops is not None
    plain = msgspec.to_builtins(asked.recipe)
    for number, shard in enumerate(asked.inputs.shards()):
        digest = digest_of((asked.seed, shard.format, shard.name, shard.line, shard.files), shard.data)
        files.append(shard.name)
        if screenings.is_saved(asked.work, digest, shard.name if lists_drops else ""):
            shard = msgspec.structs.replace(shard, data=b"")
        elif asked.shared_disk:
            path = _spilled(asked.work, digest, number)
            write_bytes(path, shard.data)
            shard = msgspec.structs.replace(shard, data=b"", path=str(path))
        yield ScreenTask(asked.path, plain, shard, str(asked.work), digest, asked.synonyms, lists_drops)


def _spilled(work: Path, digest: str, number: int) -> Path:
    """Where a shard's data lie for workers elsewhere. number: of the shard; two shards can hold the same."""
    return work / "input" / f"{digest}-{number}"


def _in_order(counts: Mapping[str, int], rules: Sequence[str]) -> dict[str, int]:
    return {rule: counts[rule] for rule in rules if counts.get(rule)}
