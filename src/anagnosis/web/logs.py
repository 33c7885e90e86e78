"""The log: one JSON line an event on standard error, without data about users and their questions.

A request: time, level, event, id, method, route, status, ms, bytes. No question, no document's id, no address; of an
exception its kind and the lines of code it passed, since its words may quote the question.
"""

from __future__ import annotations

import json
import logging
import time
import traceback
from contextvars import ContextVar
from typing import Any

LOGGER = logging.getLogger("anagnosis.web")
REQUEST: ContextVar[str] = ContextVar("request", default="")  # its id, while it is answered
_FRAMES = 12


def event(name: str, level: int = logging.INFO, **fields: Any) -> None:
    """Write one."""
    LOGGER.log(level, name, extra={"fields": fields})


def crashed(name: str, fault: BaseException, **fields: Any) -> None:
    """Write what broke, and where, with the id of the request that met it."""
    if ident := REQUEST.get():
        fields = {"id": ident, **fields}
    if fault.__cause__ is not None and not isinstance(fault.__cause__, Exception):
        fault = fault.__cause__  # a panic, which was wrapped to pass between threads
    frames = [
        f"{frame.filename.rpartition('site-packages/')[2].rpartition('src/')[2]}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(fault.__traceback__)[-_FRAMES:]
    ]
    event(name, logging.ERROR, **fields, kind=type(fault).__name__, frames=frames)


class JSONLines(logging.Formatter):
    """A record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line = {
            "time": f"{stamp}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[0]:
            line["kind"] = record.exc_info[0].__name__
        return json.dumps(line)


def config() -> dict[str, Any]:
    """For logging.config.dictConfig: our lines, and the server's own from warnings on, in the same shape."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": JSONLines}},
        "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "loggers": {
            "anagnosis.web": {"handlers": ["lines"], "level": "INFO", "propagate": False},
            "uvicorn": {"handlers": ["lines"], "level": "WARNING", "propagate": False},
        },
    }
