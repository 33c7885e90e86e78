"""Options of the commands that read files of documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

ACCEPT_TRUNCATED = click.option(
    "--accept-truncated",
    is_flag=True,
    help="Use the complete part of a truncated input, and count the input (default: an error).",
)
SPECIALTIES = click.option(
    "--specialties",
    type=click.Path(),
    metavar="FILE",
    help="A table of id and specialty, for articles whose journal names no subject.",
)
REFERENCES = click.option(
    "--references", is_flag=True, help="With the bodies of JATS articles and their reference lists."
)


def format_and_encoding(function: F) -> F:
    """`--format` and `--encoding` of files of documents."""
    function = click.option(
        "--encoding", metavar="NAME", help="Encoding of the files, if not UTF-8 or marked UTF-16."
    )(function)
    return click.option(
        "--format", metavar="NAME", help="Format of the files (default: detected from the first bytes)."
    )(function)
