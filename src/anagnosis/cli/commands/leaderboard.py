"""`anagnosis leaderboard`: withhold answers, check a submission, build the site."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Mapping
from shlex import quote
from typing import Any

import click

from anagnosis import api
from anagnosis.cli import messages, output_options
from anagnosis.cli.output_options import JSON
from anagnosis.cli.verbs import call, command, printed
from anagnosis.wording import counted


@click.group(
    epilog="\b\nExample:\n  anagnosis leaderboard withhold built/mine --out public\n"
    "  anagnosis leaderboard check submissions/mine --dataset public\n"
    "  anagnosis leaderboard build submissions --gold built/mine --out site"
)
def leaderboard() -> None:
    """Hold a leaderboard: systems ranked by their predictions, on answers that may be hidden."""


@printed(
    api.withhold,
    """
anagnosis leaderboard withhold built/mine --out public
anagnosis leaderboard withhold built/mine --split dev --out public-dev
""",
    data=lambda made, given: {**dataclasses.asdict(made), "dataset": str(made.dataset.folder)},
)
def withhold(made: Any, given: Mapping[str, Any]) -> None:
    print(f"{made.instances:,} instances of {made.split} without {made.what}; fingerprint {made.fingerprint}")
    messages.wrote(given["out"], f"anagnosis leaderboard check SUBMISSION --dataset {quote(given['out'])}")


@command(
    api.check_submission,
    """
anagnosis leaderboard check submissions/mine --dataset public
anagnosis leaderboard check test.jsonl --dataset public
""",
    JSON,
)
def check(as_json: bool, **given: Any) -> None:
    found = call(api.check_submission, given)
    if as_json:
        output_options.print_json(found)
    else:
        for fault in found.faults:
            print(fault)
        for file, answered in found.files.items() if not messages.quiet() else ():
            noted = ", ".join(f"{count:,} {name}" for name, count in found.notes.get(file, {}).items())
            print(f"{file}: {answered or 'of no dataset of the board'}" + (f" ({noted})" if noted else ""))
        print(f"{'sound' if found.sound else 'NOT sound'}: {found.name}")
    if not found.sound:
        sys.exit(2)


@command(
    api.build_leaderboard,
    """
anagnosis leaderboard build submissions --gold built/mine --out site
anagnosis leaderboard build submissions --gold built/mine --hidden test --per-month 2 --out site
""",
    click.Option(["--strict"], is_flag=True, help="End with exit code 2 where a submission was not scored."),
    JSON,
)
def build(as_json: bool, strict: bool, **given: Any) -> None:
    made, out = call(api.build_leaderboard, given), given["out"]
    if as_json:
        output_options.give(made, None, as_json=True)
    elif not messages.quiet():
        for part in made.parts:
            print(
                f"{part.dataset} {part.split} {part.view or 'view not stated'}: {counted(len(part.results), 'system')}"
            )
    if not as_json:
        for each in made.refused:
            print(f"not scored: {each.submission}: {'; '.join(each.faults)}")
        for each in made.over_limit:
            print(
                f"over the limit: {each.submission}: {each.team} on {each.dataset} {each.split}, {each.date:%Y-%m}"
            )
        if made.other_datasets and not messages.quiet():
            files = sum(len(each.files) for each in made.other_datasets)
            of = counted(len(made.other_datasets), "submission")
            print(f"left out: {counted(files, 'file')} of {of}, made for datasets that no --gold names")
        if out is not None:
            messages.wrote(f"{out}/index.html")
    if strict and (made.refused or made.over_limit):
        sys.exit(2)


for _each in (withhold, check, build):
    leaderboard.add_command(_each)
