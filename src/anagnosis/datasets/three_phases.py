"""Build a dataset in three phases: screen (parallel), settle (one ordered pass), write (parallel).

Screen judges blocks of the input and leaves, for each, a small table and the instances that passed. Settle walks
the small tables in the input's order: repeated documents, dates, splits, global numbers by first appearance.
Write turns ranges of rows into Parquet parts. Partial results lie in OUT/.work, named by a digest of the block,
the recipe and this program, and appear there by an atomic rename; so a killed run goes on where it was, and any
number of workers gives the same bytes.
"""

from __future__ import annotations

import hashlib
import importlib
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from anagnosis import __version__, shards
from anagnosis.datasets import entities, splits, store
from anagnosis.datasets.columns import offsets
from anagnosis.datasets.entities import EntityRow
from anagnosis.datasets.inputs import InputFiles
from anagnosis.datasets.instance import CLOZE_SCHEMA, SPLITS
from anagnosis.datasets.receipt import DocumentCounts, InstanceCounts, Refusal
from anagnosis.datasets.screened import Screened, Screening, Shard, id_hash
from anagnosis.documents.repairs import KEPT_REFUSALS
from anagnosis.errors import InputError
from anagnosis.files import atomic_write, write_bytes
from anagnosis.progress import Progress
from anagnosis.recipes import load as recipes

WORK = ".work"
_IPC = pa.ipc.IpcWriteOptions(compression="lz4")
_DROPPED = -1


class ScreenTask(msgspec.Struct, frozen=True):
    """A shard to be judged by `module.screen`. work: the folder of partial results."""

    module: str
    recipe: dict[str, Any]
    shard: Shard
    work: str
    digest: str


class WriteTask(msgspec.Struct, frozen=True):
    """A part to be written. sources: (digest of a block, its rows as int32 bytes, numbers of its entities as
    int32 bytes, dates of the rows or none)."""

    work: str
    digest: str
    sources: list[tuple[str, bytes, bytes, list[str]]]


@dataclass(slots=True)
class Totals:
    """Sums over all shards."""

    read: int = 0
    refused: int = 0
    dropped: Counter[str] = field(default_factory=Counter[str])
    instances_dropped: Counter[str] = field(default_factory=Counter[str])
    repairs: Counter[str] = field(default_factory=Counter[str])
    refusals: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def add(self, found: Screened) -> None:
        self.read += found.read
        self.refused += found.refused
        self.dropped.update(found.dropped)
        self.instances_dropped.update(found.instances_dropped)
        self.repairs.update(found.repairs)
        self.refusals.extend(found.refusals[: KEPT_REFUSALS - len(self.refusals)])


def build(
    module: str,
    recipe: msgspec.Struct,
    spelled_out: Mapping[str, Any],
    inputs: InputFiles,
    folder: str | Path,
    make_pool: Callable[[], shards.Pool],
    *,
    dates: Mapping[str, str] | None = None,
    choices: Mapping[str, Any] | None = None,
    shared_disk: bool = False,
) -> store.Dataset:
    """Build a dataset folder from input files.

    module: the dataset's builder (it has `screen`, `RECIPE`, `RULES`, `INSTANCE_RULES`). dates: document id → ISO
    date. shared_disk: workers on other machines read shards from OUT/.work instead of receiving them.
    """
    out = store.prepared(folder)
    work = out / WORK
    seed = _program_digest() + recipes.digest(spelled_out)
    totals, order = Totals(), []
    with Progress("screen") as progress:
        tasks = _screen_tasks(module, recipe, inputs, work, seed, spill=shared_disk)
        for digest in shards.map(screen_task, tasks, make_pool):
            found = _screened(work, digest)
            totals.add(found)
            order.append(digest)
            progress.advance(found.read, inputs.share)
    totals.read += inputs.repairs.refused
    totals.refused += inputs.repairs.refused
    totals.refusals.extend(inputs.repairs.refusals[: KEPT_REFUSALS - len(totals.refusals)])
    settled = _settle(recipe, work, order, totals, dates)
    entities.write(out, settled.entities)
    rows = _write_parts(out, work, seed, order, settled, make_pool)
    builder = importlib.import_module(module)
    choices = {**inputs.choices(), **(choices or {}), **settled.dates_span()}
    dataset = store.finish(
        out,
        spelled_out,
        inputs=inputs.read_so_far(),
        documents=DocumentCounts(
            totals.read, settled.articles, _in_order(totals.dropped, builder.RULES), totals.refused
        ),
        instances=InstanceCounts(rows, _in_order(totals.instances_dropped, builder.INSTANCE_RULES)),
        repairs=totals.repairs + inputs.repairs.counts,
        refusals=[Refusal(*r) for r in totals.refusals],
        choices=choices,
    )
    shutil.rmtree(work, ignore_errors=True)
    return dataset


def screen_task(task: ScreenTask) -> str:
    """Judge one shard and leave its results in the work folder; gives its digest. Done work is not done again."""
    small, large = _small(task.work, task.digest), _large(task.work, task.digest)
    if small.exists() and large.exists():
        return task.digest
    builder = importlib.import_module(task.module)
    shard = task.shard
    if shard.path:
        shard = msgspec.structs.replace(shard, data=Path(shard.path).read_bytes(), path="")
    screening: Screening = builder.screen(shard, msgspec.convert(task.recipe, builder.RECIPE))
    with atomic_write(large) as stream, pa.ipc.new_file(stream, CLOZE_SCHEMA, options=_IPC) as writer:
        writer.write_table(screening.columns.table())
    write_bytes(small, msgspec.msgpack.encode(screening.result()))
    return task.digest


def write_task(task: WriteTask) -> tuple[str, int]:
    """Write one Parquet part into the work folder; gives its digest and its rows."""
    path = _part(task.work, task.digest)
    if path.exists():
        return task.digest, pq.read_metadata(path).num_rows
    return task.digest, store.write_part(path, (_selected(task.work, *source) for source in task.sources))


def _selected(work: str, digest: str, rows: bytes, numbers: bytes, dates: list[str]) -> pa.Table:
    """The wanted rows of a block, with global numbers and dates in place."""
    with pa.memory_map(str(_large(work, digest))) as source:
        table = (
            pa.ipc.open_file(source).read_all().take(pa.array(np.frombuffer(rows, np.int32))).combine_chunks()
        )
    kind = table.schema.field("candidates").type
    column = table.column("candidates")
    candidates = column.chunk(0) if column.num_chunks else pa.array([], kind)
    structs = candidates.flatten()
    local = structs.field("number").to_numpy()
    renumbered = pa.array(np.frombuffer(numbers, np.int32)[local])
    fields = [renumbered if f.name == "number" else structs.field(f.name) for f in kind.value_type]
    counts: NDArray[np.int32] = np.asarray(candidates.value_lengths(), np.int32)
    rebuilt = pa.ListArray.from_arrays(
        offsets(counts), pa.StructArray.from_arrays(fields, fields=list(kind.value_type)), type=kind
    )
    table = table.set_column(
        table.schema.get_field_index("candidates"), CLOZE_SCHEMA.field("candidates"), rebuilt
    )
    if dates:
        table = table.set_column(
            table.schema.get_field_index("date"), CLOZE_SCHEMA.field("date"), pa.array(dates, pa.string())
        )
    return table


@dataclass(slots=True)
class Settled:
    """What is known once the whole input has been seen.

    codes: one an article in the input's order: its split, or -1 where it was dropped. numbers: for each block the
    global number of each of its entities (-1 where none of its articles stayed).
    """

    codes: NDArray[np.int8]
    article_blocks: NDArray[np.int64]
    instances: NDArray[np.int64]
    dates: list[str]
    numbers: list[NDArray[np.int32]]
    entities: list[EntityRow]

    @property
    def articles(self) -> int:
        return int((self.codes != _DROPPED).sum())

    def dates_span(self) -> dict[str, str]:
        known = (
            [date for date, code in zip(self.dates, self.codes, strict=True) if date and code != _DROPPED]
            if self.dates
            else []
        )
        return {"first_date": min(known), "last_date": max(known)} if known else {}


def _settle(
    recipe: Any, work: Path, order: Sequence[str], totals: Totals, dates: Mapping[str, str] | None
) -> Settled:
    ids: list[NDArray[np.uint64]] = []
    texts: list[NDArray[np.uint64]] = []
    instances: list[NDArray[np.int64]] = []
    known_dates: list[str] = []
    for digest in order:
        found = _screened(work, digest)
        ids.append(np.fromiter(map(id_hash, found.ids), np.uint64, len(found.ids)))
        texts.append(np.asarray(found.text_hashes, np.uint64))
        instances.append(np.asarray(found.instances, np.int64))
        if dates is not None:
            known_dates.extend(dates.get(ident, "") for ident in found.ids)
    counts = np.concatenate(instances) if instances else np.zeros(0, np.int64)
    all_ids = np.concatenate(ids) if ids else np.zeros(0, np.uint64)
    kept = np.ones(len(counts), bool)

    def drop(rule: str, says_no: NDArray[np.bool_]) -> None:
        totals.dropped[rule] += int((kept & says_no).sum())
        kept[says_no] = False

    drop("repeated_id", _repeated(all_ids, kept))
    if recipe.drop_repeated_text:
        drop("repeated_text", _repeated(np.concatenate(texts) if texts else all_ids, kept))
    if recipe.since or recipe.split == "date":
        if dates is None:
            raise InputError(
                "the recipe asks for dates, and there are none",
                "--dates",
                "give a MEDLINE file or a table of PMID and date",
            )
        array = np.asarray(known_dates, dtype="U10")
        drop("date_unknown", array == "")
        if recipe.since:
            drop("published_before", array < recipe.since)
    codes = np.full(len(counts), _DROPPED, np.int8)
    weights = (recipe.split_weights.train, recipe.split_weights.dev, recipe.split_weights.test)
    if recipe.split == "head":
        codes[kept] = splits.head(counts[kept], weights)
    elif recipe.split == "document":
        codes[kept] = splits.by_document(all_ids[kept], weights, recipe.seed)
    else:
        codes[kept] = splits.by_date(
            [d for d, k in zip(known_dates, kept, strict=True) if k], counts[kept], weights
        )
    blocks = np.repeat(np.arange(len(order)), [len(i) for i in ids])
    return _number(work, order, Settled(codes, blocks, counts, known_dates, [], []))


def _repeated(hashes: NDArray[np.uint64], kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of the kept ones were there before."""
    repeated = np.zeros(len(hashes), bool)
    at = np.flatnonzero(kept)
    _, first = np.unique(hashes[at], return_index=True)
    repeated[at] = True
    repeated[at[first]] = False
    return repeated


def _number(work: Path, order: Sequence[str], settled: Settled) -> Settled:
    """Global numbers, dense, by first appearance in the abstracts of the kept articles."""
    numbers: dict[str, int] = {}
    begin = 0
    for digest in order:
        found = _screened(work, digest)
        end = begin + len(found.ids)
        kept = settled.codes[begin:end] != _DROPPED
        article = np.repeat(np.arange(len(found.ids)), found.article_sizes)
        local_numbers = np.asarray(found.article_entities, np.int64)
        stays = kept[article] if len(article) else np.zeros(0, bool)
        local_numbers, article = local_numbers[stays], article[stays]
        distinct, first = np.unique(local_numbers, return_index=True)
        documents = np.bincount(local_numbers, minlength=len(found.entities))
        instances = np.bincount(
            local_numbers, settled.instances[begin:end][article], minlength=len(found.entities)
        )
        table = np.full(len(found.entities), -1, np.int32)
        for local in distinct[np.argsort(first, kind="stable")].tolist():
            key, entity_type, identifier = found.entities[local]
            number = table[local] = numbers.setdefault(key, len(numbers))
            if number == len(settled.entities):
                settled.entities.append(EntityRow(key, number, entity_type, identifier))
            settled.entities[number].documents += int(documents[local])
            settled.entities[number].instances += int(instances[local])
        settled.numbers.append(table)
        begin = end
    return settled


def _write_parts(
    out: Path,
    work: Path,
    seed: str,
    order: Sequence[str],
    settled: Settled,
    make_pool: Callable[[], shards.Pool],
) -> int:
    wanted = [
        (split, task)
        for code, split in enumerate(SPLITS)
        for task in _write_tasks(work, seed, order, settled, code)
    ]
    parts = Counter(split for split, _ in wanted)
    total = int(settled.instances[settled.codes != _DROPPED].sum())
    written = 0
    made: Counter[str] = Counter()
    with Progress("write", total, "instances") as progress:
        results = shards.map(write_task, [task for _, task in wanted], make_pool)
        for (split, _), (digest, rows) in zip(wanted, results, strict=True):
            name = store.part_name(split, made[split], parts[split])
            shutil.move(_part(work, digest), out / store.DATA / name)
            made[split] += 1
            written += rows
            progress.advance(rows)
    return written


def _write_tasks(
    work: Path, seed: str, order: Sequence[str], settled: Settled, code: int
) -> Iterator[WriteTask]:
    """The parts of one split: ranges of PART_ROWS of its rows, in the input's order."""
    sources: list[tuple[str, bytes, bytes, list[str]]] = []
    room = store.PART_ROWS
    borders = np.searchsorted(settled.article_blocks, np.arange(len(order) + 1))
    for block, digest in enumerate(order):
        begin, end = int(borders[block]), int(borders[block + 1])
        counts = settled.instances[begin:end]
        rows = np.flatnonzero(np.repeat(settled.codes[begin:end] == code, counts)).astype(np.int32)
        dates = (
            [d for d, n in zip(settled.dates[begin:end], counts, strict=True) for _ in range(n)]
            if settled.dates
            else []
        )
        while len(rows):
            taken, rows = rows[:room], rows[room:]
            sources.append(
                (
                    digest,
                    taken.tobytes(),
                    settled.numbers[block].tobytes(),
                    [dates[r] for r in taken] if dates else [],
                )
            )
            room -= len(taken)
            if not room:
                yield _write_task(work, seed, code, sources)
                sources, room = [], store.PART_ROWS
    if sources:
        yield _write_task(work, seed, code, sources)


def _write_task(
    work: Path, seed: str, code: int, sources: list[tuple[str, bytes, bytes, list[str]]]
) -> WriteTask:
    digest = hashlib.blake2b(
        seed.encode() + bytes([code]) + msgspec.msgpack.encode(sources), digest_size=16
    ).hexdigest()
    return WriteTask(str(work), digest, sources)


def _screen_tasks(
    module: str, recipe: msgspec.Struct, inputs: InputFiles, work: Path, seed: str, *, spill: bool
) -> Iterator[ScreenTask]:
    plain = msgspec.to_builtins(recipe)
    for shard in inputs.shards():
        label = msgspec.msgpack.encode((seed, shard.format, shard.name, shard.line, shard.limit))
        digest = hashlib.blake2b(label + shard.data, digest_size=16).hexdigest()
        if spill:
            path = work / "input" / digest
            if not path.exists():
                write_bytes(path, shard.data)
            shard = msgspec.structs.replace(shard, data=b"", path=str(path))
        yield ScreenTask(module, plain, shard, str(work), digest)


def _screened(work: Path, digest: str) -> Screened:
    return msgspec.msgpack.decode(_small(work, digest).read_bytes(), type=Screened)


def _small(work: str | Path, digest: str) -> Path:
    return Path(work) / "screen" / f"{digest}.msgpack"


def _large(work: str | Path, digest: str) -> Path:
    return Path(work) / "screen" / f"{digest}.arrow"


def _part(work: str | Path, digest: str) -> Path:
    return Path(work) / "write" / f"{digest}.parquet"


def _in_order(counts: Mapping[str, int], rules: Sequence[str]) -> dict[str, int]:
    return {rule: counts[rule] for rule in rules if counts.get(rule)}


@cache
def _program_digest() -> str:
    """Of this program's source and of the libraries whose versions can change a result."""
    from importlib.metadata import version

    digest = hashlib.sha256(__version__.encode())
    for file in sorted(Path(__file__).parent.parent.rglob("*.py")):
        digest.update(file.read_bytes())
    for name in ("nupunkt", "pyarrow", "numpy", "msgspec", "lxml", "ijson"):
        digest.update(f"{name} {version(name)}\n".encode())
    return digest.hexdigest()
