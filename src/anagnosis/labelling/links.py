"""The links of people to their pages: a secret in the folder of the study makes the token of each name.

So the links stay the same when the server starts again, and nobody can guess another person's. Whoever serves the
folder locks the secret, so that no second server writes the same answers.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import re
import secrets
import stat
import sys
from collections.abc import Generator
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.io.files import locked
from anagnosis.io.paths import naming_faults

FILE = "links.key"
_BYTES = 32
_DIGITS = 32  # of a token, in hexadecimal: 128 bits
_SECRET = re.compile(rf"[0-9a-f]{{{2 * _BYTES}}}\n".encode())
_FLAGS: int = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0)


class Links:
    """The tokens of a study."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def token(self, name: str) -> str:
        """The token of a person, 32 hexadecimal digits."""
        return hmac.new(self._secret, name.encode(), hashlib.sha256).hexdigest()[:_DIGITS]


@contextlib.contextmanager
def opened(folder: Path) -> Generator[Links]:
    """The links of a study, for the only server of its folder. The first server makes the secret.

    InputError: another server has the folder, other users may read the secret, or it is none.
    """
    path = folder / FILE
    with naming_faults(path, "let it be read and written"):
        _made(path)
        handle = os.open(path, _FLAGS)
    with os.fdopen(handle, "rb") as stream:
        if not locked(stream, wait=False):
            what = "another server serves the pages of this folder"
            raise InputError(what, str(folder), "end it, or name another folder with --sheets")
        if sys.platform != "win32" and stat.S_IMODE(os.fstat(handle).st_mode) & 0o077:
            raise InputError("other users may read or write it", str(path), f"chmod 600 {path}")
        secret = stream.read(2 * _BYTES + 2)
        if not _SECRET.fullmatch(secret):
            raise InputError("is no secret of links", str(path), "delete it; people then need new links")
        yield Links(bytes.fromhex(secret.decode()))


def _made(path: Path) -> None:
    """Write a secret where there is none; a kill leaves a whole one or none."""
    if path.exists():
        return
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(secrets.token_hex(_BYTES).encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
        with contextlib.suppress(FileExistsError):  # another server was quicker
            os.link(part, path)
    finally:
        part.unlink()
