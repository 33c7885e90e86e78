"""Run a reader over one split of a dataset: one prediction line an instance."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from typing import Any, cast, get_args, get_type_hints

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.question import RelevantItems
from anagnosis.datasets.kinds.table import CLOZE, demand, each_kind
from anagnosis.errors import InputError, unknown_name
from anagnosis.predictions import Answer, FoundSnippet, Prediction
from anagnosis.progress import Progress
from anagnosis.readers import canonical, find
from anagnosis.recipes import load as recipes

Reader = Callable[[Any], Any]  # from an instance to its scores
# Of an instance: scores of its candidates, labels or sentences, then perhaps padding; or exact answers, or documents
# and snippets, both best first.
Result = Sequence[float] | tuple[Answer, ...] | RelevantItems
VIEWS = ("global", "local")
# No options of a reader: the view is chosen with the dataset, the seed with the predictions.
VIEW, SEED = "view", "seed"
# Names of a counting reader's first parameter, by the instances that it gets.
TRAIN, EVERY, ASKED = "instances", "every", "asked"


def make_reader(
    name: str,
    options: Mapping[str, Any] | None = None,
    *,
    view: str = "global",
    seed: int = 0,
    training: Callable[[], Iterable[Any]],
) -> Any:
    """The reader of that name or alias: a function from an instance to scores, or an object with `predict(instances)`.

    options: of the reader, or its complete recipe. view, seed: passed on to readers that take them. training: gives the
    instances that a counting reader counts. InputError: lists all problems of the options.
    """
    if hasattr(find(name), "prepare"):
        raise InputError(
            f"{canonical(name)} has to be trained first",
            "",
            "train it with `anagnosis train`, then predict with its run folder",
        )
    meant = canonical(str((options or {}).get("reader", name)))
    if meant != canonical(name):
        raise InputError(f"the recipe is for {meant}, not for {canonical(name)}", "--recipe", "name another")
    function, record = find(name), options_record(name)
    given: dict[str, Any] = msgspec.structs.asdict(
        recipes.configured(record, options or {}, f"reader {canonical(name)}", apart=("reader",))
    )
    parameters = inspect.signature(function).parameters
    given |= {name: value for name, value in ((VIEW, view), (SEED, seed)) if name in parameters}
    return (
        function(training(), **given) if _first(name) in (TRAIN, EVERY, ASKED) else partial(function, **given)
    )


def options_record(name: str) -> type[msgspec.Struct]:
    """The options of a reader without learning: types, limits and defaults of its keyword-only parameters."""
    function = find(name)
    types = get_type_hints(function, include_extras=True)
    return msgspec.defstruct(
        "Options",
        [
            (p.name, types.get(p.name, Any), msgspec.NODEFAULT if p.default is p.empty else p.default)
            for p in inspect.signature(function).parameters.values()
            if p.kind is p.KEYWORD_ONLY and p.name not in (VIEW, SEED)
        ],
        frozen=True,
    )


def kind_read(name: str) -> str:
    """The kind of dataset that a reader without learning is for, by the record in its first parameter's type."""
    first = _first(name)
    if not first:  # a module of a reader that learns, which is refused for that
        return CLOZE
    hint = get_type_hints(find(name)).get(first)
    for kind in each_kind():
        if kind.record in (hint, *get_args(hint)):
            return kind.name
    what = f"the reader {name!r} does not say which instances it reads"
    raise InputError(what, f"parameter {first!r}", "annotate it, for instance with ClozeInstance")


def counts(name: str) -> str:
    """Which instances a reader counts: TRAIN, EVERY split's, or the ASKED ones; TRAIN for one that counts nothing."""
    first = _first(name)
    return first if first in (EVERY, ASKED) else TRAIN


def _first(name: str) -> str:
    """The name of a reader's first parameter; "" for the module of a reader that learns."""
    entry = find(name)
    return "" if hasattr(entry, "prepare") else next(iter(inspect.signature(entry).parameters))


def prediction(
    ident: str, result: Result, keys: Sequence[str], *, seed: int = 0, dataset: str | None = None
) -> Prediction:
    """An instance's prediction. keys: of its candidates, labels or sentences.

    The answer is the key with the highest score, by seeded draw if several have it. No exact answers mean "could not
    answer".
    """
    if isinstance(result, RelevantItems):
        snippets = [FoundSnippet(**msgspec.structs.asdict(snippet)) for snippet in result.snippets]
        return Prediction(ident, documents=list(result.documents), snippets=snippets, dataset=dataset)
    if isinstance(result, tuple):
        return Prediction(ident, answers=list(cast("tuple[Answer, ...]", result)) or None, dataset=dataset)
    scores = [float(score) for score in result[: len(keys)]]
    best = [keys[index] for index in tied(scores)]
    return Prediction(
        ident,
        draw(best, seed=seed, instance=ident) if best else None,
        dict(zip(keys, scores, strict=True)),
        dataset,
    )


def predict(
    dataset: Dataset,
    reader: str,
    *,
    split: str,
    seed: int,
    options: Mapping[str, Any] | None = None,
    view: str = "global",
    training: Dataset | None = None,
    limit: int | None = None,
) -> Iterator[Prediction]:
    """Predictions for a split, in its order, streamed. InputError, before the first prediction: a wrong request.

    training: the dataset whose train part a counting reader is fitted on (default: `dataset`). limit: only the first so
    many instances. The fingerprint is that of the complete split.
    """
    if view not in VIEWS:
        raise unknown_name("view for a reader that counts", view, VIEWS)
    dataset.parts(split)  # an unknown split is an error before the fitting
    source = training or dataset
    kind = kind_read(reader)
    for each in (dataset, source):
        demand(each.kind, kind, str(each.folder))
    if "local" in (dataset.numbering, source.numbering):
        view = "local"
    if training is not None and counts(reader) == ASKED:
        what = f"{canonical(reader)} is not fitted on a train part"
        raise InputError(what, "--train-on", "leave --train-on out")
    counted = {
        TRAIN: partial(_train_part, source, reader),
        EVERY: partial(store.instances, source, store.ALL),
        ASKED: partial(store.instances, dataset, split, limit),
    }[counts(reader)]
    made = make_reader(reader, options, view=view, seed=seed, training=counted)
    fingerprint = store.fingerprint(dataset, split)
    rows = dataset.size(split) if limit is None else min(limit, dataset.size(split))

    def lines() -> Iterator[Prediction]:
        instances = store.instances(dataset, split, limit)
        with Progress(f"{canonical(reader)} on {split}", rows, "instances") as bar:
            if hasattr(made, "predict"):
                made_lines = made.predict(instances)
            else:
                keys = dataset.kind.keys
                made_lines = (prediction(each.id, made(each), keys(each), seed=seed) for each in instances)
            for line in made_lines:
                yield msgspec.structs.replace(line, dataset=fingerprint)
                bar.advance()

    return lines()


def _train_part(dataset: Dataset, reader: str) -> Iterator[Any]:
    if not dataset.sizes.get("train"):
        raise InputError(
            f"{canonical(reader)} counts over a train part, and this dataset has none",
            str(dataset.folder),
            "name another dataset with --train-on",
        )
    return store.instances(dataset, "train")


def tied(scores: Sequence[float]) -> list[int]:
    """The indices with the highest score, ascending; [] without scores."""
    if not scores:
        return []
    top = max(scores)
    return [index for index, score in enumerate(scores) if score == top]


def draw(keys: Sequence[str], *, seed: int, instance: str) -> str:
    """A uniform draw from the tied keys, which depends only on the seed and the instance's id.

    The order of instances and candidates makes no difference.
    """
    if len(keys) == 1:
        return keys[0]
    digest = blake2b(f"{seed}\n{instance}".encode(), digest_size=8).digest()
    return sorted(keys)[int.from_bytes(digest, "big") % len(keys)]
