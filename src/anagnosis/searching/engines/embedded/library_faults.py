"""Convert the library's exceptions into our errors: damaged files, unreadable files, a full disk.

tantivy is written in Rust, and a panic there becomes a PanicException. That is a BaseException, which neither the
command line nor a server's error page catches.
"""

from __future__ import annotations

import inspect
import os
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from shlex import quote
from typing import Any, TypeVar

from anagnosis.errors import DamagedError, InputError
from anagnosis.io.paths import reason_of
from anagnosis.searching.engines import Engine
from anagnosis.searching.papers.records import AGAIN

_PANIC = "PanicException"  # of pyo3_runtime, which cannot be imported
_LONGEST = 200  # characters of the library's message
# (in its message, what is wrong, what to do); {} is the message
_KNOWN = (
    ("LockBusy", "another process is writing", "wait until it has ended"),
    (
        "Lockfile",
        "cannot be read or written without the right to write, since the search engine locks it meanwhile",
        "give yourself the right to, or copy it",
    ),
    ("PermissionDenied", "cannot be read", "let it be read"),
    ("index writer was killed", "writing failed: {}", "free some space"),
    ("os error", "cannot be read or written ({})", "free some space, or give yourself the right to"),
)
E = TypeVar("E", bound=type)


def guarded(made: E) -> E:
    """Guard every method of Engine in a class, but for generators. made: the class; its instances have a `folder`."""
    for name, promised in vars(Engine).items():
        if (
            not name.startswith("_")
            and callable(promised)
            and not inspect.isgeneratorfunction(vars(made)[name])
        ):
            setattr(made, name, _guarded(getattr(made, name)))
    return made


@contextmanager
def guard(folder: Path) -> Generator[None]:
    """Raise InputError for failures of the library and of the system."""
    try:
        yield
    except BaseException as fault:
        raise failed(fault, folder) from fault


@contextmanager
def without_panic_message() -> Generator[None]:
    """Discard standard error inside this context: Rust writes the lines of a panic there before it raises.

    With several threads it discards nothing, since the other threads may write there.
    """
    if threading.active_count() > 1:
        yield
        return
    sys.stderr.flush()
    try:
        before, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    except OSError:  # standard error is closed
        yield
        return
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)
        os.close(nowhere)


def _guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def guarded_call(self: Any, *given: Any, **named: Any) -> Any:
        with guard(self.folder):
            return method(self, *given, **named)

    return guarded_call


def failed(fault: BaseException, folder: Path) -> InputError:
    """The error for a failure of the library or of the system; any other exception is raised again."""
    if isinstance(fault, FileNotFoundError):
        return DamagedError("is missing", str(fault.filename), AGAIN)
    if isinstance(fault, OSError):
        what = f"cannot be read or written ({reason_of(fault)})"
        return InputError(what, str(folder), "let it be read, or free some space")
    if not isinstance(fault, ValueError) and type(fault).__name__ != _PANIC:
        raise fault
    message = " ".join(str(fault).split())[:_LONGEST]
    for sign, what, remedy in _KNOWN:
        if sign in message:
            return InputError(what.format(message), str(folder), remedy)
    remedy = (
        f"see what is wrong with `anagnosis check {quote(str(folder.parent))}`; where it is damaged, {AGAIN}"
    )
    return DamagedError(f"the search engine failed ({message})", str(folder), remedy)
