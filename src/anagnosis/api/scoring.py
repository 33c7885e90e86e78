"""Verbs over predictions: score, compare, evaluate, agreement, protocols.

A system is a predictions file, `NAME=FILE,FILE,…` of its runs, or the folder of a trained run
(submissions/arguments.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace as replaced
from typing import TYPE_CHECKING, Annotated

from anagnosis.api import shared
from anagnosis.api.datasets import load
from anagnosis.api.options import Option
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.evaluation.agreement import Agreement
    from anagnosis.evaluation.every_protocol import EveryProtocol
    from anagnosis.evaluation.results import Results, SplitSystems
    from anagnosis.evaluation.systems import System
    from anagnosis.word_vectors.answer_vectors import AnswerVectors

EVERY = ("train", "dev", "test")


def score(
    dataset: shared.DatasetFolder,
    files: shared.Systems,
    *,
    split: shared.Split = None,
    protocol: shared.Protocol = None,
    view: shared.View = None,
    check_fingerprint: shared.CheckFingerprint = True,
    keep_unmatched: shared.KeepUnmatched = False,
    unit: shared.Unit = "document",
    measures: shared.Measures = (),
    vectors: shared.Vectors = None,
    labels: shared.Labels = None,
) -> Results:
    """Scores with 95 % intervals, by number of candidates, entity type, and familiarity.

    Decisions also have macro-F1; sentences have AUC, by words of the question. --labels adds the columns of a file.
    --measure f1, exact-match, bleu-2 and others judge the answers of cloze questions as texts.

    A SYSTEM is a predictions file, the folder of a trained run, or NAME=FILE,FILE,… of runs, whose credits are averaged
    within each instance first. NAME@VIEW=FILE names the view of its answers.

    The command counts missing, repeated, unknown and unmapped answers, and instances that a system was trained on.
    \f
    Each system on each split that it answered; a file of several people gives several systems. Predictions are
    streamed: memory is a few dozen bytes an instance and run.
    """
    how = _Options(protocol, view, measures, _vectors(vectors), unit)
    return _scored(
        load(dataset),
        files,
        split,
        how,
        check_fingerprint=check_fingerprint,
        keep_unmatched=keep_unmatched,
        labels=labels,
    )


def compare(
    dataset: shared.DatasetFolder,
    files: shared.Systems,
    *,
    split: shared.Split = None,
    protocol: shared.Protocol = None,
    view: shared.View = None,
    check_fingerprint: shared.CheckFingerprint = True,
    keep_unmatched: shared.KeepUnmatched = False,
    unit: shared.Unit = "document",
    measures: shared.Measures = (),
    vectors: shared.Vectors = None,
    seed: shared.Seed = 0,
    draws: shared.Draws = 10_000,
) -> Results:
    """Rank systems and test each against the next best and against the first, on the same instances.

    A SYSTEM is a predictions file, the folder of a trained run, or NAME=FILE,FILE,… of runs, whose credits are averaged
    within each instance first. NAME@VIEW=FILE names the view of its answers.

    The tests: approximate randomisation as in the paper (one-tailed and two-tailed), for systems of several runs a
    test over runs and questions, a bootstrap interval of the difference, and Holm's correction for all pairs of the
    ranking. A verdict on single runs holds for these models, not for their recipes.
    """
    from anagnosis.evaluation.results import Settings, compared
    from anagnosis.submissions.matched import HowMatched, of_one_split

    opened, how = load(dataset), _Options(protocol, view, measures, _vectors(vectors), unit, seed, draws)
    matching = HowMatched(check_fingerprint, keep_unmatched, _free(opened, how), how.vectors)
    found = of_one_split(opened, files, split, matching, view=view)
    return compared(opened, found, Settings.on(opened, **vars(_by_content(opened, [found], how))))


def evaluate(
    dataset: shared.DatasetFolder,
    files: shared.Systems,
    *,
    split: shared.Split = None,
    protocol: shared.Protocol = None,
    view: shared.View = None,
    check_fingerprint: shared.CheckFingerprint = True,
    keep_unmatched: shared.KeepUnmatched = False,
    unit: shared.Unit = "document",
    measures: shared.Measures = (),
    vectors: shared.Vectors = None,
    seed: shared.Seed = 0,
    draws: shared.Draws = 10_000,
    shortcuts: Annotated[bool, Option("Add what heuristics and counting reach.")] = False,
    labels: shared.Labels = None,
) -> Results:
    """Scores, ranking, tests, break-downs and plots as .html, .md, .tex, .json or .txt (by the file's ending).

    .csv is a table with a line for each score.

    A SYSTEM is a predictions file, the folder of a trained run, or NAME=FILE,FILE,… of runs, whose credits are averaged
    within each instance first. NAME@VIEW=FILE names the view of its answers.
    A run folder is shown on train, dev and test, with its training time and parameters.
    \f
    The scores are those of BIOMRC's Table 3, the breakdowns those of its Figure 3. The tests are on test where there is
    any.
    """
    how = _Options(protocol, view, measures, _vectors(vectors), unit, seed, draws)
    return _scored(
        load(dataset),
        files,
        split,
        how,
        check_fingerprint=check_fingerprint,
        keep_unmatched=keep_unmatched,
        labels=labels,
        of_folders=EVERY,
        compared=True,
        shortcuts=shortcuts,
    )


def agreement(
    dataset: shared.DatasetFolder,
    people: Annotated[Sequence[PathLike], Option(metavar="[PREDICTIONS...]")] = (),
    systems: Annotated[
        Sequence[PathLike],
        Option("A system to show beside the people. Repeatable.", flag="--systems", metavar="FILE"),
    ] = (),
    *,
    stored: Annotated[
        bool, Option("Use the people whose labels the dataset holds.", flag="--people")
    ] = False,
    split: shared.Split = None,
    protocol: shared.Protocol = None,
    view: shared.View = None,
    check_fingerprint: shared.CheckFingerprint = True,
    seed: shared.Seed = 0,
    measures: shared.Measures = (),
    vectors: shared.Vectors = None,
    labels: shared.Labels = None,
) -> Agreement:
    """Cohen's kappa of people, pairwise and on average, and their scores beside systems (Tables 4 and 5).

    --measure scores people and systems by other measures than the usual ones, --labels gives the scores by label.

    The people's view stands in the note that `label collect` writes beside their file; --view is that of the systems.

    The questions are those of the collected study, else those for which anybody has a line. Unanswered ones are wrong,
    and an accuracy over answered ones stands beside; for kappa they are a separate label, left out, or wrong. Lines
    carry `annotator` and `group`, and `"answer": null` for "could not answer"; several people may share a file.
    """
    from anagnosis.evaluation.agreement import agreement as measured
    from anagnosis.evaluation.breakdown import factors_of, labels_of
    from anagnosis.evaluation.results import ScoredDataset, Settings, shown_split
    from anagnosis.predictions import match_files
    from anagnosis.submissions.matched import HowMatched, of_one_split, people_view, stored_people

    if not people and not stored:
        raise InputError(
            "no people", "", "name predictions files of people, or give --people for the dataset's"
        )
    opened = load(dataset)
    words = _vectors(vectors)
    settings = Settings.on(opened, protocol=protocol, measures=measures, vectors=words)
    given = labels_of(opened, labels)
    seen_by_people = people_view(people) or view
    split = split or (None if people else shown_split(opened.sizes))
    free = settings.free
    gold, asked = match_files(
        people, opened, split, check_fingerprint=check_fingerprint, free=free, view=view
    )
    gold, split = replaced(gold, vectors=words), gold.split
    if stored:
        asked = [*stored_people(opened, gold), *asked]
    beside: Sequence[System] = ()
    if systems:
        how = HowMatched(check_fingerprint, free=free, vectors=words)
        beside = of_one_split(opened, systems, split, how, view=view).systems
    found = measured(
        gold,
        asked,
        beside,
        protocol=settings.protocol,
        measures=settings.measures,
        seed=seed,
        view=seen_by_people,
        factors=factors_of(opened, split, given),
    )
    return replaced(found, dataset=ScoredDataset.of(opened, [gold]))


def protocols(
    dataset: shared.DatasetFolder,
    files: shared.Systems,
    *,
    split: shared.Split = None,
    unit: shared.Unit = "document",
    seed: shared.Seed = 0,
    draws: shared.Draws = 10_000,
    similar: Annotated[
        bool,
        Option("List the answers that fuzzy-90 accepts and thesis does not."),
    ] = False,
) -> EveryProtocol:
    """Score exact answers to BioASQ's questions under every protocol of theirs and every measure, in one table.

    A SYSTEM is a predictions file, a submission, the folder of a trained run, or NAME=FILE,FILE,… of several runs.

    Two or more systems are tested in pairs by each measure, with Holm's correction. A row is empty where the
    organisers' program of that edition stops; the question is named below.
    """
    from anagnosis.evaluation.every_protocol import every_protocol
    from anagnosis.submissions.matched import HowMatched, of_one_split

    opened = load(dataset)
    found = of_one_split(opened, files, split, HowMatched(free=True), view=None)
    return every_protocol(opened, found, unit=unit, seed=seed, draws=draws, similar=similar)


@dataclass(frozen=True)
class _Options:
    """What changes numbers, as `Settings.on` takes it."""

    protocol: str | None
    view: str | None
    measures: Sequence[str]
    vectors: AnswerVectors | None
    unit: str
    seed: int = 0
    draws: int = 10_000


def _scored(
    dataset: Dataset,
    files: Sequence[PathLike],
    split: str | None,
    how: _Options,
    *,
    check_fingerprint: bool,
    keep_unmatched: bool,
    labels: PathLike | None,
    of_folders: Sequence[str] = ("test",),
    compared: bool = False,
    shortcuts: bool = False,
) -> Results:
    from anagnosis.evaluation.breakdown import factors_of, labels_of
    from anagnosis.evaluation.results import Settings, scored
    from anagnosis.submissions.matched import HowMatched, entered
    from anagnosis.submissions.shortcut_readers import with_shortcuts

    matched = HowMatched(check_fingerprint, keep_unmatched, _free(dataset, how), how.vectors)
    given = labels_of(dataset, labels)
    found = entered(dataset, files, split, matched, of_folders=of_folders, view=how.view)
    settings = Settings.on(dataset, **vars(_by_content(dataset, [*found.values()], how)))
    if not compared:
        settings = replaced(settings, seed=None, draws=None)
    if given is not None:
        settings = replaced(settings, labels=given.described(len(given.labelled())))
    factors = {name: factors_of(dataset, name, given) for name in found}
    results = scored(dataset, found, settings, factors=factors, compared=compared)
    return with_shortcuts(results, dataset, found) if shortcuts else results


def _free(dataset: Dataset, how: _Options) -> bool:
    """Whether answers are texts. Settings are checked first, but where the content of files decides on them."""
    from anagnosis.evaluation.protocols import demand_known
    from anagnosis.evaluation.results import Settings

    if how.protocol is not None:
        demand_known(dataset, how.protocol)
    decided = how.measures or not dataset.kind.is_free
    return Settings.on(dataset, **vars(how)).free if decided else True


def _by_content(dataset: Dataset, every: Sequence[SplitSystems], how: _Options) -> _Options:
    """With the measures of what the lines hold, where none are named."""
    from anagnosis.evaluation.protocols import usual_measures

    if how.measures:
        return how
    runs = [(own.gold, run) for own in every for system in own.systems for run in system.runs]
    return replaced(how, measures=usual_measures(dataset.kind, runs, how.protocol))


def _vectors(path: PathLike | None) -> AnswerVectors | None:
    from anagnosis.word_vectors.answer_vectors import AnswerVectors

    return None if path is None else AnswerVectors(path)
