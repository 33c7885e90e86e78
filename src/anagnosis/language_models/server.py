"""The client of a server that speaks OpenAI's interface. `openai` has the retries and time-outs; it is loaded late.

A server is hostile: of a reply at most LARGEST bytes are read, a call ends after SECONDS whatever comes, and a redirect
is not followed, since the key would go with it. The key is in no reply and no message.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import msgspec

from anagnosis.errors import InputError, UnavailableError, missing_extra
from anagnosis.io.addresses import check_url, is_loopback
from anagnosis.language_models.calls import Call, Finish, Reply
from anagnosis.wording import shortened

if TYPE_CHECKING:
    from openai import APIStatusError

KEY = "ANAGNOSIS_API_KEY"
SECONDS = 300.0
"""Of a call, with its retries."""
LARGEST = 4 << 20  # bytes of a reply
_RETRIES = 4
_NO_KEY = "none"  # what a server on this machine gets
_FINISHES: dict[str | None, Finish] = {"length": "length", "content_filter": "refused"}
_AGAIN = "the replies so far are in the log: give the command again later"
Ask = Callable[[Call], Awaitable[Reply]]


class _Message(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: Annotated[int, msgspec.Meta(ge=0)] = 0
    completion_tokens: Annotated[int, msgspec.Meta(ge=0)] = 0


class _Completion(msgspec.Struct):
    choices: Annotated[list[_Choice], msgspec.Meta(min_length=1)]
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
        try:
            import openai
        except ImportError as fault:
            raise missing_extra("openai", "llm", "a language model") from fault
        # A proxy of the environment would get what goes to this machine in plain text.
        is_here = is_loopback(urlsplit(self.endpoint).hostname or "")
        connections = openai.DefaultAsyncHttpxClient(follow_redirects=False, trust_env=not is_here)
        async with openai.AsyncOpenAI(
            base_url=self.endpoint,
            api_key=self.key,
            timeout=self.seconds,
            max_retries=_RETRIES,
            http_client=connections,
        ) as client:

            async def ask(call: Call) -> Reply:
                started = time.monotonic()
                try:
                    async with asyncio.timeout(self.seconds):
                        body = await self._body(client, call)
                except (TimeoutError, openai.APITimeoutError) as fault:
                    what = f"no reply within {self.seconds:.0f} seconds"
                    raise UnavailableError(what, self.endpoint, _AGAIN) from fault
                except openai.APIConnectionError as fault:
                    what = f"does not answer ({self._said(fault.__cause__ or fault)})"
                    remedy = "start the server, or name another --endpoint"
                    raise UnavailableError(what, self.endpoint, remedy) from fault
                except openai.APIStatusError as fault:
                    raise self._refused(fault) from fault
                return self._reply(body, time.monotonic() - started)

            yield ask

    async def _body(self, client: Any, call: Call) -> bytes:
        """The bytes of a reply."""
        asked: dict[str, Any] = {
            "model": call.model,
            "messages": [{"role": one.role, "content": one.content} for one in call.messages],
            "max_tokens": call.most,
            **({} if call.temperature is None else {"temperature": call.temperature}),
            **({} if call.seed is None else {"seed": call.seed}),
            "extra_body": dict(call.extra),
        }
        body = bytearray()
        async with client.chat.completions.with_streaming_response.create(**asked) as response:
            async for piece in response.iter_bytes():
                body += piece
                if len(body) > LARGEST:
                    what = f"a reply has more than {LARGEST >> 20} MiB"
                    raise InputError(what, self.endpoint, "see whether this is the right address")
        return bytes(body)

    def _reply(self, body: bytes, seconds: float) -> Reply:
        try:
            completion = msgspec.json.decode(body, type=_Completion)
        except (ValueError, RecursionError) as fault:
            what = f"answers what no chat server would ({self._said(body.decode(errors='replace'))})"
            raise InputError(what, self.endpoint, "name the address before /chat/completions") from fault
        choice, used = completion.choices[0], completion.usage or _Usage()
        finish = "refused" if choice.message.refusal else _FINISHES.get(choice.finish_reason, "stop")
        text = self._without_key(choice.message.content or choice.message.refusal or "")
        name = self._without_key(completion.model)
        return Reply(text, finish, name, used.prompt_tokens, used.completion_tokens, round(seconds, 3))

    def _refused(self, fault: APIStatusError) -> InputError:
        """What an answer with another status than 200 says."""
        status = fault.status_code
        if 300 <= status < 400:
            where = self._said(fault.response.headers.get("location", "nowhere"))
            return InputError(f"sends us to another address ({where})", self.endpoint, "name that one")
        if status in (401, 403):
            return InputError(f"refuses the key ({status})", self.endpoint, f"set {KEY}, or see --key-env")
        said = f"answers {status} ({self._said(fault.message)})"
        if status in (408, 409, 429) or status >= 500:
            return UnavailableError(f"{said}, {_RETRIES + 1} times", self.endpoint, _AGAIN)
        return InputError(said, self.endpoint, "see whether it has this model, and room for the prompt")

    def _said(self, what: object) -> str:
        return shortened(self._without_key(" ".join(str(what)[:10_000].split())), 200)

    def _without_key(self, text: str) -> str:
        return text if self.key == _NO_KEY else text.replace(self.key, "[key]")


def server(endpoint: str, key_env: str | None = None, at_once: int = 16, seconds: float = SECONDS) -> Server:
    """The server at an address, with the key of an environment variable (default: KEY, none for this machine).

    InputError: plain http to another machine, no key.
    """
    check_url(endpoint, "--endpoint", "https://NAME/v1 or http://127.0.0.1:8000/v1")
    name = key_env or KEY
    key = os.environ.get(name, "").strip()
    if not key and key_env is None and is_loopback(urlsplit(endpoint).hostname or ""):
        key = _NO_KEY
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise InputError("holds no key", name, f"export {name}=… before the command")
    return Server(endpoint.rstrip("/"), key, at_once, seconds)
