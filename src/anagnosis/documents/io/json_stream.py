"""JSON text read value by value from a stream, in memory bounded by one value.

The standard library's scanner decodes one value from the middle of a text and returns its end. On 45 MB of
PubTator Central's export it reached 117, 163 and 176 MB/s with blocks of 64 KiB, 256 KiB and 1 MiB, ijson's C
backend 98. If the end of a block cuts a value, we decode it again with more text; the blocks grow with it.
"""

from __future__ import annotations

import codecs
import json
import re
from collections import Counter
from typing import Any, BinaryIO

import msgspec

from anagnosis.documents.io.blocks import partial_read
from anagnosis.documents.io.malformed import FETCH_AGAIN, MalformedError
from anagnosis.errors import InputError, TruncatedError

BLOCK = 1 << 18
LONGEST_VALUE = 64 << 20

_NOT_BLANK = re.compile(r"[^ \t\r\n]")
_REST_OF_NUMBER = re.compile(r"[0-9.eE+-]*\Z")
# The beginning of a word or an escape, or nothing: what the end of the text can leave of a value.
_BEGUN = re.compile(r"|t|tr|tru|f|fa|fal|fals|n|nu|nul|-|\\?u?[0-9a-fA-F]{0,3}")
# The scanner reports a cut value where it begins; the longest is an escaped pair, \ud83d\ude00.
_CUT = 12
_KEY_ENDS = re.compile(rb'"\s*:')


class JsonText:
    """A cursor over JSON text. line: the cursor's line, from 1. passed: characters read so far.

    repeated: keys that stand again in an object that was decoded; the last value stays.

    kept: gets the text that the cursor passes, as long as it is a list; spelled values are not among it.
    """

    def __init__(self, stream: BinaryIO, name: str = "") -> None:
        self._read = partial_read(stream)
        self._name = name
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._scan = json.JSONDecoder(object_pairs_hook=self._object).raw_decode
        self._text = ""
        self._at = 0
        self._ended = False
        self._undecodable: InputError | None = None
        self.line = 1
        self.passed = self.repeated = 0
        self.kept: list[str] | None = None

    def peek(self) -> str:
        """The next character that is not blank, which stays unread; "" at the end."""
        while True:
            match = _NOT_BLANK.search(self._text, self._at)
            self._pass(match.start() if match else len(self._text))
            if self._at < len(self._text):
                return self._text[self._at]
            if self._ended:
                return ""
            self._more()

    def take(self, expected: str) -> bool:
        """Read the next character if it is one of `expected`."""
        if (character := self.peek()) and character in expected:
            self._pass(self._at + 1)
            return True
        return False

    def demand(self, expected: str, what: str) -> str:
        """Read the next character, which must be one of `expected`."""
        character = self.peek()
        if not self.take(expected):
            raise self.fault(f"{what} expected, {character!r} found") if character else self.ends_too_early()
        return character

    def value(self) -> Any:
        """Read and decode the next value."""
        value, end = self._next()
        self._pass(end)
        return value

    def spelled_value(self) -> tuple[Any, str]:
        """(value, its JSON text) of the next value, which is read."""
        value, end = self._next()
        text = self._text[self._at : end]
        kept, self.kept = self.kept, None
        self._pass(end)
        self.kept = kept
        return value, text

    def _next(self) -> tuple[Any, int]:
        """The next value and where it ends in the buffered text; the cursor stays before it."""
        if not self.peek():
            raise self.ends_too_early()
        before = self.repeated
        while True:
            self.repeated = before  # a value that was cut is decoded again
            try:
                value, end = self._scan(self._text, self._at)
            except json.JSONDecodeError as fault:
                self._more_for(fault)
            except (ValueError, RecursionError) as fault:
                raise self.fault(f"a value that cannot be read ({type(fault).__name__})") from fault
            else:
                if self._ended or not self._may_be_cut(end):
                    return value, end
                self._more()

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        self.repeated += len(pairs) - len(made)
        return made

    def fault(self, why: str, at: int | None = None) -> MalformedError:
        """The error for malformed text, at the cursor or at a place of the buffered text."""
        line = self.line + self._text.count("\n", self._at, self._at if at is None else at)
        return MalformedError(f"malformed JSON: {why}", f"{self._name}:{line}", "check how the file was made")

    def ends_too_early(self) -> TruncatedError:
        """The error for text that ends inside a value."""
        line = self.line + self._text.rstrip().count("\n", self._at)
        return TruncatedError("the text ends too early", f"{self._name}:{line}", FETCH_AGAIN)

    def _may_be_cut(self, end: int) -> bool:
        """Whether a value that ends here is a number that the end of the buffered text may have cut."""
        return self._text[end - 1].isdigit() and _REST_OF_NUMBER.match(self._text, end) is not None

    def _more_for(self, fault: json.JSONDecodeError) -> None:
        """Read more text if the fault may come from the end of the buffered text."""
        unterminated = fault.msg.startswith("Unterminated string")
        rest = self._text[fault.pos :].rstrip()
        if self._ended and (unterminated or _BEGUN.fullmatch(rest)):
            raise self.ends_too_early() from fault
        if self._ended or not (unterminated or fault.pos >= len(self._text) - _CUT):
            raise self.fault(fault.msg, fault.pos) from fault
        if len(self._text) - self._at > LONGEST_VALUE:
            raise self.fault(f"a value longer than {LONGEST_VALUE >> 20} MiB") from fault
        self._more()

    def _more(self) -> None:
        if self._undecodable is not None:
            raise self._undecodable
        rest = self._text[self._at :]
        data = self._read(max(BLOCK, len(rest)))
        self._ended = not data
        try:
            fresh = self._decoder.decode(data, final=self._ended)
        except UnicodeDecodeError as fault:
            # The text before the fault is read first.
            fresh = fault.object[: fault.start].decode()
            where = f"{self._name}:{self.line + rest.count(chr(10)) + fresh.count(chr(10))}"
            self._undecodable = (
                TruncatedError("the text ends too early", where, FETCH_AGAIN)
                if self._ended
                else MalformedError("not UTF-8", where, "name its encoding with --encoding")
            )
            self._ended = False
        self._text, self._at = rest + fresh, 0

    def _pass(self, end: int) -> None:
        self.line += self._text.count("\n", self._at, end)
        self.passed += end - self._at
        if self.kept is not None:
            self.kept.append(self._text[self._at : end])
        self._at = end


def demand_single_keys(line: bytes, value: Any) -> None:
    """Refuse (ValidationError) JSON in which a key stands twice in an object, however spelled. value: decoded from it.

    A line in which as many keys seem to end as the object, and those in it and in its lists, have is not decoded again.
    """
    if isinstance(value, dict):
        lists = (held if isinstance(held, list) else (held,) for held in (value, *value.values()))
        keys = sum(len(each) for listed in lists for each in listed if isinstance(each, dict))
        if len(_KEY_ENDS.findall(line)) != keys:
            _DEMANDING.decode(line.decode(errors="replace"))


def single_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these pairs. ValidationError: a key stands twice."""
    if len(made := dict(pairs)) < len(pairs):
        [(key, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise msgspec.ValidationError(f"the key {key!r} stands twice")
    return made


_DEMANDING = json.JSONDecoder(object_pairs_hook=single_keys, parse_int=str)
