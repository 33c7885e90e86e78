"""What `anagnosis label` does with the pages of people: serve them, collect their files, and say how far people are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from anagnosis.cli import messages, output_options

if TYPE_CHECKING:
    from anagnosis.labelling import Summary
    from anagnosis.web.people.serving import Served


def refuse_all_but(option: str, *parameters: str) -> None:
    """Refuse (UsageError) what the command line has beside an option. parameters: what may stand there."""
    context = click.get_current_context()
    for parameter in context.command.params:
        name = parameter.name or ""
        if name not in parameters and _given(context, name):
            raise click.UsageError(f"{parameter.opts[0]} has no meaning with {option}: leave it out")


def refuse(parameter: str, when: str) -> None:
    """Refuse (UsageError) one option of the command line. when: where it has no meaning."""
    context = click.get_current_context()
    if _given(context, parameter):
        option = next(each.opts[0] for each in context.command.params if each.name == parameter)
        raise click.UsageError(f"{option} has no meaning {when}: leave it out")


def kind_of(sheets: str, kind: str) -> str:
    """The kind of sheets that are read: the one that the command line names, else that of the draw.

    kind: of the option.
    """
    from pathlib import Path

    from anagnosis.labelling.drawn import RECORD, any_drawn

    if _given(click.get_current_context(), "kind") or not (Path(sheets) / RECORD).is_file():
        return kind
    return any_drawn(Path(sheets)).kind


def _given(context: click.Context, parameter: str) -> bool:
    return context.get_parameter_source(parameter) is ParameterSource.COMMANDLINE


def serve(dataset: str, sheets: str, port: int, *, as_json: bool) -> None:
    """Serve the pages of a study until Ctrl-C; print each person's link first."""
    from anagnosis.web.people.serving import serve_people

    def ready(_: str, served: Sequence[Served]) -> None:
        if as_json:
            output_options.print_json([_plain(each) for each in served])
        else:
            for line in _links(served, sheets):
                print(line)
        print(end="", flush=True)
        # From here on standard error is lines of JSON.
        os.environ["ANAGNOSIS_QUIET"] = "1"

    serve_people(dataset, sheets, port=port, ready=ready)


def collect(dataset: str, folder: str, out: str | None, *, replace: bool, as_json: bool) -> None:
    """Collect what people saved, and print who left what open."""
    from anagnosis import api
    from anagnosis.labelling import collecting

    record = api.collect(dataset, folder, out, replace=replace)
    if as_json:
        output_options.print_json(record)
    elif not messages.quiet():
        show(collecting.summary(record, dataset, folder, out), out)


def show(summary: Summary, out: str | None) -> None:
    """Print a summary. out: what was written."""
    for line in summary.lines:
        print(line)
    for heading, counts in summary.counts.items():
        messages.counts(heading, counts)
    if out is not None:
        messages.wrote(out, *summary.then)
    else:
        for line in summary.then:
            print(f"next: {line}")


def _links(served: Sequence[Served], sheets: str) -> Sequence[str]:
    """A line for each person, and what they are about."""
    people = [f"{each.person.name} ({each.person.group})" for each in served]
    width = max(map(len, people), default=0)
    lines = [
        f"{person.ljust(width)}  {each.link}  {each.answered:,} of {each.questions:,} answered"
        for person, each in zip(people, served, strict=True)
    ]
    lines += [
        f"{each.person.name}: {each.repaired:,} bytes of a line that a kill tore are removed; its answer was not kept"
        for each in served
        if each.repaired
    ]
    return [
        *lines,
        f"Answers are kept in {sheets}. Only this machine reaches the links; whoever has one answers as that person.",
        "Ctrl-C ends.",
    ]


def _plain(each: Served) -> dict[str, object]:
    return {
        "name": each.person.name,
        "group": each.person.group,
        "link": each.link,
        "answered": each.answered,
        "questions": each.questions,
        "repaired": each.repaired,
    }
