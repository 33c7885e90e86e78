"""The client of a server that speaks OpenAI's interface. `openai` has the retries and time-outs; it is loaded late.

A server is hostile: of a reply at most LARGEST bytes are read, a call ends after SECONDS whatever comes, and a redirect
is not followed, since the key would go with it. The key is in no reply, message or trace, also where the server repeats
it. A request has the key and what HTTP needs, but nothing that `openai` finds in its own environment variables.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any, cast
from urllib.parse import urlsplit

import msgspec

from anagnosis.errors import InputError, UnavailableError, missing_extra
from anagnosis.io.addresses import check_url, is_loopback
from anagnosis.language_models.calls import Call, Count, Finish, Reply
from anagnosis.wording import shortened

if TYPE_CHECKING:
    import httpx2
    import openai

KEY = "ANAGNOSIS_API_KEY"
SECONDS = 300.0
"""Of a call, with its retries."""
LARGEST = 4 << 20  # bytes of a reply
_RETRIES = 4
_NO_KEY = "none"  # what a server on this machine gets
_SECRET = 8  # characters of a key; a shorter one ("EMPTY") is none, and may be a word of a reply
_RECEIVED = {"location", "retry-after", "retry-after-ms", "x-should-retry"}  # headers
_FINISHES: dict[str | None, Finish] = {"length": "length", "content_filter": "refused"}
# What some models refuse → its other name, "" where it is left out.
_OTHERWISE = {"max_tokens": "max_completion_tokens", "temperature": "", "seed": ""}
_TOO_LONG = re.compile(r"(?i)context[ _](length|size|window)|model length|maximum number of tokens|too long:")
_AGAIN = "the replies so far are in the log: give the command again later"
Ask = Callable[[Call], Awaitable[Reply]]


class _Message(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: Count = 0
    completion_tokens: Count = 0


class _Completion(msgspec.Struct):
    choices: Annotated[list[_Choice], msgspec.Meta(min_length=1, max_length=1)]
    model: str = ""
    usage: _Usage | None = None


@dataclass(frozen=True, slots=True)
class Server:
    """endpoint: its address, to which /chat/completions is added. at_once: most calls at a time. seconds: of a call."""

    endpoint: str
    key: str = field(repr=False)
    at_once: int = 16
    seconds: float = SECONDS

    @asynccontextmanager
    async def connected(self) -> AsyncGenerator[Ask]:
        """A function that asks the server. It raises InputError, or UnavailableError if a later call may succeed."""
        import openai

        # A proxy of the environment would get what goes to this machine in plain text.
        trusted = not is_loopback(urlsplit(self.endpoint).hostname or "")
        hooks = {"request": [self._write_headers], "response": [self._read]}
        given: dict[str, Any] = {"api_key": self.key, "timeout": self.seconds, "max_retries": _RETRIES}
        try:
            http = openai.DefaultAsyncHttpxClient(
                follow_redirects=False, trust_env=trusted, event_hooks=hooks
            )
            client = openai.AsyncOpenAI(base_url=self.endpoint, http_client=http, **given)
        except Exception as fault:  # an address, a proxy or certificates that cannot be used
            what = f"cannot be connected to ({self._quoted(fault)})"
            raise InputError(what, self.endpoint, "correct it, or the proxy of the environment") from None
        async with client:
            renamed = dict[str, str]()  # parameters that the model refused → as in _OTHERWISE

            async def post(call: Call) -> Reply:
                started, sent = time.monotonic(), {**renamed}
                try:
                    body = await self._body(client, call, sent)
                except openai.APIStatusError as fault:
                    if _is_too_long(fault):
                        return Reply("", "too-long")
                    new = {name: one for name, one in _OTHERWISE.items() if f"'{name}'" in fault.message}
                    if fault.status_code != 400 or not new.keys() - sent.keys():
                        raise
                    renamed.update(new)
                    return await post(call)
                left_out = tuple(sorted(name for name, other in sent.items() if not other))
                return self._reply(body, time.monotonic() - started, left_out)

            async def ask(call: Call) -> Reply:
                # No fault is chained: the texts of openai's may repeat the key.
                try:
                    async with asyncio.timeout(self.seconds):
                        return await post(call)
                except (TimeoutError, openai.APITimeoutError):
                    what = f"no reply within {self.seconds:g} seconds"
                    raise UnavailableError(what, self.endpoint, _AGAIN) from None
                except openai.APIConnectionError as fault:
                    what = f"does not answer ({self._quoted(fault.__cause__ or fault)})"
                    remedy = "start the server, or name another --endpoint"
                    raise UnavailableError(what, self.endpoint, remedy) from None
                except openai.APIStatusError as fault:
                    raise self._refused(fault) from None

            yield ask

    async def _write_headers(self, request: httpx2.Request) -> None:
        """Replace the headers of openai, which sends those of OPENAI_ORG_ID and OPENAI_CUSTOM_HEADERS too."""
        headers = {
            "Host": request.url.netloc.decode(),
            "Authorization": f"Bearer {self.key}",
            "User-Agent": "anagnosis",
            "Content-Type": "application/json",
            "Content-Length": str(len(request.content)),
            "Accept-Encoding": "identity",
        }
        request.headers = type(request.headers)(headers)

    async def _read(self, response: httpx2.Response) -> None:
        """Read a body as it comes, which may be compressed, and keep the headers that openai needs."""
        import httpx2

        body, stream = bytearray(), cast("httpx2.AsyncByteStream", response.stream)
        async for piece in stream:
            body += piece
            if len(body) > LARGEST:
                what = f"a reply has more than {LARGEST >> 20} MiB"
                raise InputError(what, self.endpoint, "see whether this is the right address")
        await stream.aclose()
        response.stream = httpx2.ByteStream(bytes(body))
        kept = {name: response.headers[name] for name in _RECEIVED & {*response.headers}}
        response.headers = httpx2.Headers(kept)

    async def _body(self, client: openai.AsyncOpenAI, call: Call, renamed: Mapping[str, str]) -> bytes:
        """The bytes of a reply. renamed: other names of parameters, "" for one that is left out."""
        import httpx2

        chosen = {"max_tokens": call.most, "temperature": call.temperature, "seed": call.seed}
        named = {renamed.get(name, name): one for name, one in chosen.items() if one is not None}
        named.pop("", None)
        content = msgspec.json.encode({"model": call.model, "messages": call.messages, **named})
        url = f"{self.endpoint}/chat/completions"
        return (await client.post(url, cast_to=httpx2.Response, content=content)).content

    def _reply(self, body: bytes, seconds: float, left_out: tuple[str, ...]) -> Reply:
        try:
            completion = msgspec.json.decode(body, type=_Completion)
        except (ValueError, RecursionError):
            what = f"answers what no chat server would ({self._quoted(body.decode(errors='replace'))})"
            raise InputError(what, self.endpoint, "name the address before /chat/completions") from None
        choice, used = completion.choices[0], completion.usage or _Usage()
        finish = "refused" if choice.message.refusal else _FINISHES.get(choice.finish_reason, "stop")
        text = self._without_key(choice.message.content or choice.message.refusal or "")
        name = self._quoted(completion.model)
        tokens = used.prompt_tokens, used.completion_tokens
        return Reply(text, finish, name, *tokens, round(seconds, 3), left_out)

    def _refused(self, fault: openai.APIStatusError) -> InputError:
        """What an answer with another status than 200 says."""
        status = fault.status_code
        if 300 <= status < 400:
            where = self._quoted(fault.response.headers.get("location", "nowhere"))
            return InputError(f"sends us to another address ({where})", self.endpoint, "name that one")
        if status in (401, 403):
            return InputError(f"refuses the key ({status})", self.endpoint, f"set {KEY}, or see --key-env")
        what = f"answers {status} ({self._quoted(fault.message.partition(' - ')[2] or fault.body or '')})"
        if status in (408, 409, 429) or status >= 500:
            return UnavailableError(what, self.endpoint, _AGAIN)
        return InputError(what, self.endpoint, "see whether it has this model, and room for the prompt")

    def _quoted(self, what: object) -> str:
        """Words of the server's, for a message."""
        return shortened(" ".join(self._without_key(str(what)).split()), 200)

    def _without_key(self, text: str) -> str:
        """The text with the key taken out, also where lines break it or it is escaped as in JSON, URLs and HTML."""
        if len(self.key) < _SECRET:
            return text
        signs = (
            rf"(?:{re.escape(one)}|(?:\\{{1,4}}u00|%|&#[xX])(?i:{ord(one):02x});?|&#{ord(one)};)"
            for one in self.key
        )
        return re.sub(r"\s*+".join(signs), "[key]", text)


def _is_too_long(fault: openai.APIStatusError) -> bool:
    """Whether a server refuses a prompt as too long, by the words of vLLM, llama.cpp and hosted ones."""
    return fault.status_code in (400, 413, 500) and bool(_TOO_LONG.search(f"{fault.message} {fault.body}"))


def server(endpoint: str, key_env: str | None = None, at_once: int = 16, seconds: float = SECONDS) -> Server:
    """The server at an address, with the key of an environment variable (default: KEY, none for this machine).

    InputError: openai is not installed, plain http to another machine, no key.
    """
    if find_spec("openai") is None:
        raise missing_extra("openai", "llm", "a language model")
    check_url(endpoint, "--endpoint", "https://NAME/v1 or http://127.0.0.1:8000/v1")
    name = key_env or KEY
    key = os.environ.get(name, "").strip()
    if not key and key_env is None and is_loopback(urlsplit(endpoint).hostname or ""):
        key = _NO_KEY
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise InputError("holds no key", name, f"export {name}=… before the command")
    return Server(endpoint.rstrip("/"), key, at_once, seconds)
