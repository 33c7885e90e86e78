"""How each reader of `ask` is made from releases, and what its card says: MAKERS."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from anagnosis.api.datasets import import_dataset
from anagnosis.api.training import train
from anagnosis.encoders.cpu import ready_for_torch
from anagnosis.io.folders import SHOWN
from anagnosis.progress import tell
from anagnosis.searching.fit.releases import BIOASQ, PUBMEDQA, SCIFACT, SCIFACT_ABSTRACTS

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.searching.conclusions.stance import StanceWeights
    from anagnosis.searching.entities.ranking import NameWeights
    from anagnosis.searching.records.reader_figures import EvidenceFigures, QuestionTypeFigures


class Work(NamedTuple):
    """The making of one reader. found: release → its files. scratch: for datasets. place: the reader's folder.

    date: ISO. part: a share of the reader's time → a part of the bar.
    """

    found: Mapping[str, list[Path]]
    scratch: Path
    place: Path
    date: str
    part: Callable[[float], AbstractContextManager[None]]


class Maker(NamedTuple):
    """How a reader is made. reads: releases; it cannot do without the first. used_for: what `ask` does with it.

    seconds: about, with all files of the releases, on one core. make: stores the reader. card: its folder → the card.
    """

    reads: tuple[str, ...]
    used_for: str
    seconds: int
    make: Callable[[Work], None]
    card: Callable[[Path], dict[str, Any]]


def _evidence(work: Work) -> None:
    from anagnosis.searching.fit.evidence_measuring import measure, measure_on_snippets
    from anagnosis.searching.sentences.trained_highlighting import load_highlighter

    claims, golden = [*work.found[SCIFACT], *work.found.get(SCIFACT_ABSTRACTS, ())], work.found.get(BIOASQ)
    ready_for_torch("training a reader of evidence")
    with work.part(0.1):
        dataset = import_dataset(
            claims, work.scratch / "scifact", layout="scifact", setting="train", dev_share=0.1
        )
    with work.part(0.2):
        train("evidence-sentence-features", dataset, work.place, device="cpu", threads=1)
    reader = load_highlighter(work.place, "cpu", 1)
    with work.part(0.3 if golden else 0.7):
        figures = [measure(claims, reader, date=work.date)]
    if golden:
        with work.part(0.1):
            questions = import_dataset(list(golden), work.scratch / "bioasq", layout="bioasq")
        with work.part(0.3):
            on_snippets = measure_on_snippets(questions, reader, date=work.date)
        figures += [on_snippets] if on_snippets is not None else []
    _store_run_card(work.place, "SciFact, train claims", *figures)


def _question_type(work: Work) -> None:
    from anagnosis.datasets.folder.store import ALL, instances
    from anagnosis.datasets.kinds.question import QuestionInstance
    from anagnosis.searching.answers.question_type import load_kind
    from anagnosis.searching.fit.question_type_measuring import measured, parts

    ready_for_torch("training a reader of question types")
    with work.part(0.3):
        files = work.found[BIOASQ]
        every = import_dataset(list(files), work.scratch / "every", layout="bioasq")
        _name_without_edition("question-type", every)
        chosen = parts(instances(every, ALL, of=QuestionInstance))
        outside = ",".join(sorted(chosen.newest | chosen.apart))
        dataset = import_dataset(list(files), work.scratch / "bioasq", layout="bioasq", setting=outside)
    with work.part(0.6):
        train("bioasq-question-type", dataset, work.place, device="cpu", threads=1)
    with work.part(0.1):
        test = instances(dataset, "test", of=QuestionInstance)
        newest = [one for one in test if one.file in chosen.newest]
        files_of_test = sorted(chosen.newest)
        data = f"BioASQ ({files_of_test[0]} to {files_of_test[-1]})"
        figures = measured(newest, load_kind(work.place, "cpu", 1), data, work.date)
    _store_run_card(work.place, "BioASQ, golden files of older editions", figures)


def _name_without_edition(role: str, dataset: Dataset) -> None:
    """Report the files of questions that train no reader because nobody knows whether they are kept apart."""
    from anagnosis.datasets.bioasq.held_out import without_edition
    from anagnosis.datasets.folder.store import ALL, instances
    from anagnosis.datasets.kinds.question import QuestionInstance

    if files := without_edition(instances(dataset, ALL, of=QuestionInstance)):
        more = f" and {len(files) - SHOWN:,} more" if len(files) > SHOWN else ""
        names = ", ".join(sorted(files)[:SHOWN])
        tell(
            f"{role}: {names}{more}: no edition, such as 8B1, in the name; {files.total():,} questions are not used"
        )


def _store_run_card(place: Path, data: str, *figures: EvidenceFigures | QuestionTypeFigures) -> None:
    from anagnosis.searching.answers.readers import store_card
    from anagnosis.searching.records.reader_figures import FORMAT, RunCard
    from anagnosis.training.runs.run import forget_times

    forget_times(place)
    store_card(place, RunCard(FORMAT, data, figures))


def _run_card(place: Path) -> dict[str, Any]:
    from anagnosis.searching.answers.readers import load_card

    if (card := load_card(place)) is not None:
        return _figures(card.data, card)
    return {"data": "a dataset of yours", "date": "", "earned": None, "says": "not measured for `ask`"}


def _stance(work: Work) -> None:
    from msgspec.structs import replace

    from anagnosis.searching.conclusions.stance import StanceReader, store_stance_reader
    from anagnosis.searching.fit.stance_asking import measure_over_collection
    from anagnosis.searching.fit.stance_fitting import fit

    golden = work.found.get(BIOASQ)
    with work.part(0.1 if golden else 0.3):
        questions = import_dataset(work.found[PUBMEDQA][0], work.scratch / "pubmedqa", layout="pubmedqa")
    claims = work.found.get(SCIFACT)
    files = [*claims, *work.found.get(SCIFACT_ABSTRACTS, ())] if claims else None
    with work.part(0.3 if golden else 0.7):
        fitted = fit(questions, files, date=work.date)
    if golden:
        with work.part(0.1):
            asked = import_dataset(list(golden), work.scratch / "bioasq", layout="bioasq")
        with work.part(0.5):
            figures = measure_over_collection(StanceReader(fitted), asked, work.date)
        fitted = replace(fitted, over_collection=figures)
    store_stance_reader(work.place, fitted)


def _stance_card(place: Path) -> dict[str, Any]:
    from anagnosis.searching.conclusions.stance import load_stance_reader

    fitted: StanceWeights = load_stance_reader(place).fitted
    card = _figures(", ".join(each.name for each in fitted.trained_on), fitted.figures)
    return {**card, "earned": fitted.earned, "says": "; ".join(one.says for one in fitted.measured)}


def _names(work: Work) -> None:
    from anagnosis.searching.entities.ranking import store_name_weights
    from anagnosis.searching.fit.name_fitting import fit

    with work.part(0.05):
        questions = import_dataset(list(work.found[BIOASQ]), work.scratch / "bioasq", layout="bioasq")
    _name_without_edition("names", questions)
    with work.part(0.95):
        store_name_weights(work.place, fit(questions, date=work.date))


def _names_card(place: Path) -> dict[str, Any]:
    from anagnosis.searching.entities.ranking import load_name_weights

    fitted: NameWeights = load_name_weights(place)
    return _figures(fitted.data, fitted.figures)


def _figures(data: str, figures: Any) -> dict[str, Any]:
    return {"data": data, "date": figures.date, "earned": figures.earned, "says": figures.says}


MAKERS = {
    "evidence": Maker(
        (SCIFACT, SCIFACT_ABSTRACTS, BIOASQ),
        "orders the quoted sentences and gives their levels",
        60,
        _evidence,
        _run_card,
    ),
    "stance": Maker(
        (PUBMEDQA, SCIFACT, SCIFACT_ABSTRACTS, BIOASQ),
        "says whether a paper's conclusion supports or opposes",
        40,
        _stance,
        _stance_card,
    ),
    "names": Maker((BIOASQ,), "names that answer, each with its sentence", 240, _names, _names_card),
    "question-type": Maker(
        (BIOASQ,),
        "distinguishes types of questions: yes or no, names, lists and summaries",
        20,
        _question_type,
        _run_card,
    ),
}
