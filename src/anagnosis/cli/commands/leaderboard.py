"""`anagnosis leaderboard`: withhold answers, build the board."""

from __future__ import annotations

import dataclasses
import sys
from typing import Any

import click

from anagnosis import api
from anagnosis.cli import messages, output_options
from anagnosis.cli.output_options import JSON, QUIET
from anagnosis.cli.verbs import call, command, printed


@click.group(
    params=[QUIET],
    epilog="\b\nExample:\n  anagnosis leaderboard withhold built/mine --out public\n"
    "  anagnosis leaderboard build submissions --gold built/mine --out board",
)
def leaderboard() -> None:
    """Hold a leaderboard: systems ranked by their predictions, on answers that may be hidden."""


withhold = printed(
    api.withhold,
    """
anagnosis leaderboard withhold built/mine --out public
anagnosis leaderboard withhold built/mine --split dev --out public-dev
""",
    shows="instances split what:withheld fingerprint",
    data=lambda made, given: {**dataclasses.asdict(made), "dataset": str(made.dataset.folder)},
)


@command(
    api.build_leaderboard,
    """
anagnosis leaderboard build submissions --gold built/mine --out board
anagnosis leaderboard build submissions --gold "Lite=built/lite" --gold built/mine --measure accuracy
""",
    JSON,
)
def build(as_json: bool, **given: Any) -> None:
    made, out = call(api.build_leaderboard, given), given["out"]
    if as_json or out is None:
        output_options.give(made, None, as_json=as_json)
    for each in made.refused if not as_json and out is not None else ():
        print(f"not scored: {each.submission}: {'; '.join(each.faults)}")
    if out is not None and not as_json:
        messages.wrote(f"{out}/index.html")
    if made.refused:
        sys.exit(2)


for _each in (withhold, build):
    leaderboard.add_command(_each)
