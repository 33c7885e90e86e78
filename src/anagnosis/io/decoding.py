"""JSON, TOML and CSV decoded; what does not fit is one error that names file, field and remedy."""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from anagnosis.errors import DamagedError, InputError
from anagnosis.io.paths import read_file, reason_of
from anagnosis.wording import shortened

T = TypeVar("T")

# Raised by decoders: broken syntax, other fields or types, text that is not UTF-8; brackets nested too deeply.
UNDECODABLE = (ValueError, RecursionError)


@contextmanager
def decoding_faults(
    where: Path | str,
    remedy: str,
    what: str = "cannot be read",
    *,
    error: type[InputError] = InputError,
    also: tuple[type[Exception], ...] = (),
) -> Generator[None]:
    """Turn what cannot be opened or decoded, or raises `also`, into `error`, with the field that does not fit."""
    try:
        yield
    except (OSError, *UNDECODABLE, *also) as fault:
        reason = reason_of(fault) if isinstance(fault, OSError) else str(fault)
        raise error(f"{what} ({reason})", str(where), remedy) from fault


def read_json(
    path: Path, of: type[T], remedy: str = "train again, with --replace", what: str = "cannot be read"
) -> T:
    """The value of type `of` that a JSON file of ours holds. DamagedError: anything else."""
    with decoding_faults(path, remedy, what, error=DamagedError):
        return msgspec.json.decode(read_file(path), type=of)


def decoded(data: bytes | str, of: type[T], where: str, remedy: str) -> T:
    """The value of type `of` that JSON of a user's file holds, such as one line. where: file and line.

    Refused (InputError): text that is no JSON, or another value, with the field that does not fit.
    """
    try:
        return msgspec.json.decode(data, type=of)
    except msgspec.ValidationError as fault:
        raise InputError(str(fault), where, remedy) from fault
    except UNDECODABLE as fault:
        text = data if isinstance(data, str) else data.decode(errors="replace")
        raise InputError(f"not JSON ({shortened(' '.join(text.split()), 30)})", where, remedy) from fault


def csv_rows(
    text: str, name: str, needed: str = "id", column: Callable[[str], str] = str.strip
) -> Iterator[tuple[int, dict[str, str]]]:
    """(line, column → cell) of each row of a user's table that is not empty.

    needed: a column that must be there. column: its name as the header has it. Commas, semicolons (as spreadsheets of
    some countries write) or tabs part the cells. Refused (InputError): rows that do not fit the header, or no CSV.
    """
    delimiter = max(",;\t", key=text.lstrip().partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    header: list[str] = []
    try:
        for cells in reader:
            where = f"{name}:{reader.line_num}"
            if not any(cell.strip() for cell in cells):
                continue
            if not header:
                header = [column(cell) for cell in cells]
                if needed not in header or len({*header}) < len(header) or "" in header:
                    what = f"the header needs a column {needed}, and a name of its own for each column"
                    raise InputError(what, where, "correct the header (of pandas: to_csv with index=False)")
            elif len(cells) != len(header):
                what = f"{len(cells)} cells under a header of {len(header)}"
                raise InputError(what, where, "put cells with a separator in them in quotation marks")
            else:
                yield reader.line_num, dict(zip(header, cells, strict=True))
    except csv.Error as fault:
        raise InputError(f"not CSV ({fault})", f"{name}:{reader.line_num}", "save it as CSV") from fault


def json_or_none(path: Path, of: type[T]) -> T | None:
    """The value of type `of` that a JSON file holds; None where there is no such file, or it holds something else."""
    try:
        return msgspec.json.decode(read_file(path), type=of)
    except (OSError, *UNDECODABLE):
        return None


def read_toml(path: Path, remedy: str, what: str = "cannot be read") -> dict[str, Any]:
    """The keys of a TOML file of ours. Refused (InputError): anything else."""
    with decoding_faults(path, remedy, what):
        return tomllib.loads(read_file(path).decode())


def table_beside(module: str, of: type[T]) -> T:
    """The value of type `of` in the TOML file beside a module of ours (`__name__`) that has its name."""
    package, _, name = module.rpartition(".")
    return msgspec.toml.decode(files(package).joinpath(f"{name}.toml").read_bytes(), type=of)
