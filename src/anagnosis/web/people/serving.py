"""Serve the pages of a study on this machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from anagnosis.api import shared
from anagnosis.api.options import Option, verb
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike
from anagnosis.web.running import HOST, PORT, listening, needing_web, run

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.labelling.people import Person


class Served(NamedTuple):
    """A person's page. link: its address. answered: of so many questions. repaired: bytes of a torn line, removed."""

    person: Person
    link: str
    answered: int
    questions: int
    repaired: int


@verb
def serve_people(
    dataset: Annotated[PathLike | Dataset, Option(metavar="DATASET_FOLDER|FILE")],
    sheets: Annotated[
        PathLike, Option("The folder of the study (default: pages).", flag="--sheets", metavar="FOLDER")
    ],
    *,
    port: shared.Port = PORT,
    ready: Callable[[str, Any], None] = lambda address, served: None,
) -> None:
    """The pages of a study, until SIGINT or SIGTERM; what runs then comes to its end. Only this machine reaches them.

    dataset: what the study was drawn from, as for `label`. sheets: the folder of the study, which keeps the answers:
    KIND-NAME.jsonl. port: 0 for any that is free. ready: called with the address and a `Served` of each person, before
    the first request.
    Refused (InputError): no study there, another dataset, a port that is taken, a second server of the folder.
    """
    with needing_web("serving pages"):
        from anagnosis.web.people.app import ANSWERS, people_app
    from anagnosis.labelling import links
    from anagnosis.labelling.opened_study import open_study
    from anagnosis.labelling.participant import participants

    folder = Path(sheets)
    if not folder.is_dir():
        raise InputError("no such folder", str(sheets), "draw a study with --people NAME,NAME")
    study = open_study(dataset, folder)
    with links.opened(folder) as made, listening(HOST, port) as (socket, address):
        people = participants(study, made, ANSWERS)
        ready(
            address,
            [
                Served(
                    each.person,
                    f"{address}{token}/",
                    len(each.journal.lines()),
                    each.questions,
                    each.journal.repaired,
                )
                for token, each in people.items()
            ],
        )
        run(people_app(people), socket)
