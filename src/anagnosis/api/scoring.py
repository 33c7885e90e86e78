"""Verbs over predictions: score, compare, evaluate, agreement, harnesses, protocols, hard_subset.

A system is a predictions file, `NAME=FILE,FILE,…` of several runs, or the folder of a trained run
(submissions/arguments.py). The verbs share their keyword arguments:

split: train, dev or test (default: the one that the ids lie in; of run folders test, for `evaluate` all three).
protocol: of cloze questions "expected" (ties by expectation; the default) or "answer" (the answer field), of decisions
"fixed" (the default) or "official", of exact answers "thesis" (the default), "organisers-8", "fuzzy-90" and others
(evaluation/protocols.py). measures: names of `anagnosis measures`, the first of which stands first (default: those of
what the lines hold). vectors: a word2vec file, for measures that compare answers
by word vectors.
view: what the systems saw, for the signature (default: what is known of each; it may not contradict that; systems of
different views are shown and tested apart). check_fingerprint: refuse lines made for another dataset. unit: what is
independent, swapped and resampled as one: "document" (instances of one abstract are no independent evidence) or
"instance", as the paper did. seed, draws: of randomisation and bootstrap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as replaced
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from anagnosis.api.datasets import load
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.evaluation.agreement import Agreement
    from anagnosis.evaluation.every_protocol import EveryProtocol
    from anagnosis.evaluation.harnesses import Harnesses
    from anagnosis.evaluation.results import Results, SplitSystems
    from anagnosis.evaluation.systems import System
    from anagnosis.word_vectors.answer_vectors import AnswerVectors

EVERY = ("train", "dev", "test")


class Matching(TypedDict, total=False):
    """How predictions are matched with a dataset; see the module."""

    split: str | None
    protocol: str | None
    view: str | None
    check_fingerprint: bool


class Scoring(Matching, total=False):
    """And what they are scored by."""

    measures: Sequence[str]
    vectors: PathLike | None
    unit: str


class Testing(Scoring, total=False):
    """And how differences are tested."""

    seed: int
    draws: int


def score(
    dataset: PathLike | Dataset,
    files: Sequence[PathLike],
    *,
    labels: PathLike | None = None,
    **how: Unpack[Scoring],
) -> Results:
    """The scores of each system on each split that it answered; a file of several people gives several.

    labels: a file of labels for instances, to take the scores apart by (datasets/label_file.py). Predictions are
    streamed: memory is a few dozen bytes an instance and run.
    """
    return _scored(load(dataset), files, labels=labels, **how)


def compare(dataset: PathLike | Dataset, files: Sequence[PathLike], **how: Unpack[Testing]) -> Results:
    """Rank systems and test each against the next best and against the first, by view and measure."""
    from anagnosis.evaluation.results import Settings, compared
    from anagnosis.submissions.matched import of_one_split

    opened = load(dataset)
    matching, testing = _apart(how)
    found = of_one_split(opened, files, **matching, **_texts(opened, testing))
    return compared(opened, found, Settings.on(opened, **_by_content(opened, [found], testing)))


def evaluate(
    dataset: PathLike | Dataset,
    files: Sequence[PathLike],
    *,
    shortcuts: bool = False,
    labels: PathLike | None = None,
    **how: Unpack[Testing],
) -> Results:
    """Everything about some predictions: scores (BIOMRC, Table 3), break-downs (Figure 3), ranking and tests.

    A run folder is scored on all splits; the tests are on test where there is any. shortcuts: add what the heuristics
    and the readers that only count reach there, and each system's gain over the best of them. labels: as for `score`.
    """
    opened = load(dataset)
    return _scored(opened, files, labels=labels, of_folders=EVERY, compared=True, shortcuts=shortcuts, **how)


def agreement(
    dataset: PathLike | Dataset,
    people: Sequence[PathLike] = (),
    systems: Sequence[PathLike] = (),
    *,
    stored: bool = False,
    seed: int = 0,
    measures: Sequence[str] = (),
    vectors: PathLike | None = None,
    labels: PathLike | None = None,
    **how: Unpack[Matching],
) -> Agreement:
    """How far people agree, how often they are right, and systems on the same instances (Tables 4 and 5).

    people: their view is that of the notes beside the files, or, where these name none, `view`.
    systems: as for `score`. stored: the people whose labels lie in the dataset answer too. measures: score people and
    systems by these, too, and compare groups by them (default: the kind's). vectors: as for `score`. labels: a file of
    labels, for breakdowns of these scores.
    """
    from anagnosis.evaluation.agreement import agreement as measured
    from anagnosis.evaluation.agreement import scores_of_asked
    from anagnosis.evaluation.results import ScoredDataset, Settings, shown_split
    from anagnosis.predictions import match_files
    from anagnosis.submissions import arguments
    from anagnosis.submissions.label_factors import factors_of, labels_of
    from anagnosis.submissions.matched import of_one_split
    from anagnosis.submissions.people import people_view, stored_people

    opened = load(dataset)
    words = _vectors(vectors)
    settings = Settings.on(opened, protocol=how.get("protocol"), measures=measures, vectors=words)
    given = labels_of(opened, labels)
    protocol, check = _protocol(opened, how.get("protocol")), how.get("check_fingerprint", True)
    split, view = how.get("split"), how.get("view")
    seen_by_people = people_view(people) or view
    if split is None and people:
        split = arguments.one_split(opened, [Path(file) for file in people])[0]
    split = split or shown_split(opened.rows)
    free = settings.free
    gold, asked = match_files(people, opened, split, check_fingerprint=check, free=free, view=view)
    gold = replaced(gold, vectors=words)
    if stored:
        asked = [*stored_people(opened, gold), *asked]
    beside: Sequence[System] = ()
    if systems:
        entered = of_one_split(
            opened, systems, split, view=view, check_fingerprint=check, free=free, vectors=words
        )
        beside = entered.systems
    found = measured(
        gold,
        asked,
        beside,
        protocol=protocol,
        measures_protocol=settings.protocol,
        measures=settings.measures,
        seed=seed,
        view=seen_by_people,
    )
    factors = factors_of(opened, split, given) if given is not None else ()
    shown = measures or given is not None
    scores = scores_of_asked(gold, asked, beside, settings, factors, seen_by_people) if shown else ()
    return replaced(found, dataset=ScoredDataset.of(opened, [gold]), scores=scores)


def harnesses(
    dataset: PathLike | Dataset, files: Sequence[PathLike], *, view: str | None = None
) -> Harnesses:
    """What each system is worth under each of evaluation/harnesses.py; predictions files only.

    view: what the systems read, where it is not known of them; it changes no number.
    """
    from anagnosis.submissions.labelled_questions import under_harnesses

    return under_harnesses(load(dataset), files, view)


def protocols(
    dataset: PathLike | Dataset,
    files: Sequence[PathLike],
    *,
    split: str | None = None,
    unit: str = "document",
    seed: int = 0,
    draws: int = 10_000,
    similar: bool = False,
) -> EveryProtocol:
    """Every system under every protocol of exact answers and every measure, tested in pairs.

    similar: list the answers that `fuzzy-90` accepts and `thesis` does not, too, each with the class of a rule.
    """
    from anagnosis.evaluation.every_protocol import every_protocol
    from anagnosis.submissions.matched import of_one_split

    opened = load(dataset)
    found = of_one_split(opened, files, split, view=None, check_fingerprint=True, free=True)
    return every_protocol(opened, found, unit=unit, seed=seed, draws=draws, similar=similar)


def hard_subset(
    dataset: PathLike | Dataset,
    out: PathLike,
    *,
    split: str | None = None,
    files: Sequence[PathLike] = (),
    view: str | None = None,
    replace: bool = False,
) -> Dataset:
    """Write the instances of a split that no shortcut reader points at, as a dataset folder of its own.

    split: default the one that `evaluate` of these predictions files tests on, test if there are none. view: "local"
    leaves out the readers that need an entity's identity. replace: overwrite an existing dataset in `out`.
    """
    from anagnosis.datasets.folder import store, writing
    from anagnosis.datasets.gold import Gold
    from anagnosis.evaluation.results import shown_split
    from anagnosis.evaluation.scoring import scored_rows
    from anagnosis.evaluation.shortcuts import hard_ids
    from anagnosis.io import outputs
    from anagnosis.submissions import arguments
    from anagnosis.submissions.shortcut_readers import shortcut_readers

    opened = load(dataset)
    outputs.output_folder(out, "dataset", inputs=(opened.folder, *files))
    chosen = split or (
        shown_split(arguments.by_split(opened, files, None, of_folders=EVERY)) if files else "test"
    )
    gold = Gold.of(opened, chosen)
    readers = shortcut_readers(opened, gold, view=view or "global")
    wanted = set(hard_ids(gold, readers))
    answered = int((gold.answer[scored_rows(gold)] >= 0).sum())
    same = ("dataset", "kind", "text_form", "numbering")
    kept = {key: opened.recipe[key] for key in same if key in opened.recipe}
    instances = store.instances(opened, chosen)
    return writing.write(
        out,
        {chosen: (instance for instance in instances if instance.id in wanted)},
        {**kept, "hard_subset_of": gold.fingerprint},
        dropped={
            "answered_by_a_shortcut": answered - len(wanted),
            **({"without_gold_answer": len(gold) - answered} if answered < len(gold) else {}),
        },
        choices={"shortcut_readers": [reader.name for reader in readers if reader.run is not None]},
        replace=replace,
    )


def _scored(
    dataset: Dataset,
    files: Sequence[PathLike],
    *,
    labels: PathLike | None = None,
    of_folders: Sequence[str] = ("test",),
    compared: bool = False,
    shortcuts: bool = False,
    **how: Any,
) -> Results:
    from anagnosis.evaluation.results import Settings, scored
    from anagnosis.submissions.label_factors import factors_of, labels_of
    from anagnosis.submissions.matched import entered
    from anagnosis.submissions.shortcut_readers import with_shortcuts

    matching, testing = _apart(how)
    texts = _texts(dataset, testing)
    split = matching.pop("split")
    given = labels_of(dataset, labels)
    found = entered(dataset, files, split, of_folders=of_folders, **matching, **texts)
    settings = Settings.on(dataset, **_by_content(dataset, [*found.values()], testing))
    if not compared:
        settings = replaced(settings, seed=None, draws=None)
    if given is not None:
        settings = replaced(settings, labels=given.described(len(given.labelled())))
    factors = {name: factors_of(dataset, name, given) for name in found}
    results = scored(dataset, found, settings, factors=factors, compared=compared)
    return with_shortcuts(results, dataset, found) if shortcuts else results


def _apart(how: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of matching, and those that change numbers; the view is of both."""
    matching = {"split": None, "view": None, "check_fingerprint": True}
    matching |= {name: value for name, value in how.items() if name in matching}
    testing = {name: value for name, value in how.items() if name not in ("split", "check_fingerprint")}
    testing["vectors"] = _vectors(testing.get("vectors"))
    return matching, testing


def _texts(dataset: Dataset, testing: dict[str, Any]) -> dict[str, Any]:
    """How answers are read. Settings are checked before any file is read, but where its content decides on them."""
    from anagnosis.evaluation.protocols import demand_known
    from anagnosis.evaluation.results import Settings

    if (asked := testing.get("protocol")) is not None:
        demand_known(dataset, asked)
    decided = testing.get("measures") or not dataset.kind.free_protocols
    free = Settings.on(dataset, **testing).free if decided else True
    return {"free": free, "vectors": testing["vectors"]}


def _by_content(dataset: Dataset, every: Sequence[SplitSystems], testing: dict[str, Any]) -> dict[str, Any]:
    """With the measures of what the lines hold, where none are named."""
    from anagnosis.evaluation.protocols import usual_measures

    if testing.get("measures"):
        return testing
    runs = [(own.gold, run) for own in every for system in own.systems for run in system.runs]
    return {**testing, "measures": usual_measures(dataset.kind, runs, testing.get("protocol"))}


def _vectors(path: PathLike | None) -> AnswerVectors | None:
    from anagnosis.word_vectors.answer_vectors import AnswerVectors

    return None if path is None else AnswerVectors.of_file(path)


def _protocol(dataset: Dataset, asked: str | None) -> str:
    from anagnosis.evaluation.protocols import protocol_of

    return protocol_of(dataset, asked)
