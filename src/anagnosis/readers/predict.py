"""Run a reader over one split of a dataset: one prediction line an instance."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, get_args, get_type_hints

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.relevant_items import RelevantItems
from anagnosis.datasets.kinds.table import CLOZE, demand, each_kind
from anagnosis.errors import InputError, unknown_name
from anagnosis.predictions import Answer, FoundSnippet, Prediction
from anagnosis.progress import Progress
from anagnosis.readers import canonical, find
from anagnosis.readers.ties import draw, tied
from anagnosis.recipes import load as recipes

Reader = Callable[[Any], Any]  # gives scores, or what readers/__init__.py says
VIEWS = ("global", "local")
# No options of a reader: the view is chosen with the dataset, the seed with the predictions.
VIEW, SEED = "view", "seed"
TOGETHER = 64  # questions that a reader of exact answers gets at once


def make_reader(
    name: str,
    options: Mapping[str, Any] | None = None,
    *,
    view: str = "global",
    seed: int = 0,
    training: Callable[[], Iterable[Any]],
) -> Reader:
    """The reader of that name or alias.

    options: of the reader, or its complete recipe. view, seed: passed on to readers that take them. training: gives the
    instances that a counting reader counts. InputError: lists all problems of the options.
    """
    entry = find(name)
    if hasattr(entry, "prepare"):
        raise InputError(
            f"{canonical(name)} has to be trained first",
            "",
            "train it with `anagnosis train`, then predict with its run folder",
        )
    meant = canonical(str((options or {}).get("reader", name)))
    if meant != canonical(name):
        raise InputError(f"the recipe is for {meant}, not for {canonical(name)}", "--recipe", "name another")
    function = getattr(entry, "fit", entry)
    record = options_record(function)
    given: dict[str, Any] = msgspec.structs.asdict(
        recipes.configured(record, options or {}, f"reader {canonical(name)}", apart=("reader",))
    )
    taken = inspect.signature(function).parameters
    given |= {name: value for name, value in ((VIEW, view), (SEED, seed)) if name in taken}
    return partial(function, **given) if function is entry else function(training(), **given)


def options_record(function: Callable[..., Any]) -> type[msgspec.Struct]:
    """A reader's options, with types, limits and defaults, as its keyword-only parameters give them."""
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
    entry = find(name)
    function = getattr(entry, "fit", entry)
    if not callable(function):  # a module of a reader that learns, which is refused for that
        return CLOZE
    first = next(iter(inspect.signature(function).parameters))
    hint = get_type_hints(function).get(first)
    for kind in each_kind():
        if kind.record in (hint, *get_args(hint)):
            return kind.name
    what = f"the reader {name!r} does not say which instances it reads"
    raise InputError(what, f"parameter {first!r}", "annotate it, for instance with ClozeInstance")


def answer_line(
    ident: str, keys: Sequence[str], scores: Sequence[float], *, seed: int, dataset: str | None
) -> Prediction:
    """One instance's prediction. answer: the candidate or label with the top score, by seeded draw if several."""
    best = [keys[index] for index in tied(scores)]
    return Prediction(
        id=ident,
        answer=draw(best, seed=seed, instance=ident) if best else None,
        scores=dict(zip(keys, map(float, scores), strict=True)),
        dataset=dataset,
    )


def exact_answer_line(ident: str, answers: Sequence[Answer], *, dataset: str | None) -> Prediction:
    """One question's prediction of exact answers, best first; without any, it says "could not answer"."""
    if not answers:
        return Prediction(ident, None, dataset=dataset)
    return Prediction(ident, answers=list(answers), dataset=dataset)


def retrieved_line(ident: str, found: RelevantItems, *, dataset: str | None) -> Prediction:
    """One question's prediction of documents and snippets, best first."""
    snippets = [FoundSnippet(**msgspec.structs.asdict(snippet)) for snippet in found.snippets]
    return Prediction(ident, documents=list(found.documents), snippets=snippets, dataset=dataset)


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

    training: the dataset whose train part a counting reader is fitted on (default: `dataset`). A reader that reads
    what it answers (`READS_WHAT_IT_ANSWERS`) gets the split's instances in its place. limit: only the first so many
    instances. The fingerprint is that of the complete split.
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
    if getattr(find(reader), "READS_WHAT_IT_ANSWERS", False):
        if training is not None:
            what = f"{canonical(reader)} is not fitted on a train part"
            raise InputError(what, "--train-on", "leave --train-on out")
        counted = partial(store.instances, dataset, split, limit)
    else:
        counted = partial(_counted, source, reader)
    score = make_reader(reader, options, view=view, seed=seed, training=counted)
    free = getattr(find(reader), "FREE_ANSWERS", False)
    exact = getattr(find(reader), "EXACT_ANSWERS", False)
    retrieved = getattr(find(reader), "RETRIEVED_ITEMS", False)
    fingerprint = store.fingerprint(dataset, split)
    rows = dataset.size(split) if limit is None else min(limit, dataset.size(split))

    def lines() -> Iterator[Prediction]:
        keys = dataset.kind.keys
        with Progress(f"{canonical(reader)} on {split}", rows, "instances") as bar:
            if exact:
                for instance, answers in _answered(score, store.instances(dataset, split, limit)):
                    yield exact_answer_line(instance.id, answers, dataset=fingerprint)
                    bar.advance()
                return
            for instance in store.instances(dataset, split, limit):
                answered: Any = score(instance)
                if free:
                    yield Prediction(instance.id, answered, dataset=fingerprint)
                elif retrieved:
                    yield retrieved_line(instance.id, answered, dataset=fingerprint)
                else:
                    yield answer_line(instance.id, keys(instance), answered, seed=seed, dataset=fingerprint)
                bar.advance()

    return lines()


def _answered(answers: Callable[[Any], Any], instances: Iterable[Any]) -> Iterator[tuple[Any, list[Answer]]]:
    """(instance, its exact answers) in order. answers: of a reader of exact answers, which gets TOGETHER instances."""
    rest = iter(instances)
    while some := list(islice(rest, TOGETHER)):
        yield from zip(some, answers(some), strict=True)


def _counted(dataset: Dataset, reader: str) -> Iterator[Any]:
    """The instances that a reader counts: all splits if it uses no answers, else the train part."""
    unlabelled = getattr(find(reader), "UNLABELLED", False)
    return store.instances(dataset, store.ALL) if unlabelled else _train_part(dataset, reader)


def _train_part(dataset: Dataset, reader: str) -> Iterator[Any]:
    if not dataset.rows.get("train"):
        raise InputError(
            f"{canonical(reader)} counts over a train part, and this dataset has none",
            str(dataset.folder),
            "name another dataset with --train-on",
        )
    return store.instances(dataset, "train")
