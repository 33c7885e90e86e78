"""A server of tools over standard input and output, or over HTTP at 127.0.0.1 with a token."""

from __future__ import annotations

import hmac
import os
import re
import signal
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from anagnosis.api import searching, shared
from anagnosis.api.options import Option, verb
from anagnosis.errors import InputError, missing_extra, unknown_name
from anagnosis.io.paths import PathLike, open_file
from anagnosis.version import __version__
from anagnosis.web.limits import LOOPBACK, SECONDS_OF_JUDGE, Limits

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from starlette.types import ASGIApp, Receive, Scope, Send

    from anagnosis.web.served_index import ServedIndex

TOKEN = "ANAGNOSIS_TOKEN"
PORT = 8765
_IS_TOKEN = re.compile("[!-~]{16,1000}")
_BODY = 1 << 16  # bytes of a request, or of a token's file


@verb
def mcp(
    folder: Annotated[PathLike, Option(metavar="INDEX_FOLDER")],
    *,
    http: Annotated[bool, Option("Listen at 127.0.0.1 instead of standard input; needs a token.")] = False,
    port: Annotated[int, Option("The port of --http; 0 chooses a free one.", 0, 65_535)] = PORT,
    token_file: Annotated[
        PathLike | None,
        Option(f"A file that only you can read, with the token (default: ${TOKEN}).", metavar="FILE"),
    ] = None,
    judge: Annotated[str | None, shared.JUDGE] = None,
    endpoint: shared.Endpoint = None,
    key_env: shared.KeyEnv = None,
    ready: Callable[[str], None] = lambda address: None,
) -> None:
    """Offer a collection's search, answers and checks of quotations to an assistant, as tools that only read.

    An assistant starts this command and talks to it over standard input and output (Model Context Protocol). With
    --http it listens on this machine, and each request must carry the token ("Authorization: Bearer …").
    \f
    ready: called with the address before the first request. InputError: no index, no token, a file that others can
    read, a port that is taken.
    """
    try:
        import anyio
        from mcp.server.stdio import stdio_server
    except ImportError as fault:
        raise missing_extra("mcp", "mcp", "tools for assistants") from fault
    from anagnosis.searching.sentences.highlighting import UNTRAINED
    from anagnosis.web.running import listening, run
    from anagnosis.web.served_index import ServedIndex

    token = _token(token_file) if http else ""
    judging = searching.load_judge(judge, endpoint, key_env, SECONDS_OF_JUDGE)
    served = ServedIndex(searching.open_collection(folder), Limits(), UNTRAINED, judging)

    async def over_stdio() -> None:
        async with stdio_server() as (requests, answers):
            server = tool_server(served)
            await server.run(requests, answers, server.create_initialization_options())

    try:
        if http:
            with listening(LOOPBACK[1], port) as (socket, address):
                app = tool_server(served).streamable_http_app(json_response=True, max_request_body_size=_BODY)
                ready(f"{address}mcp")
                run(_with_token(app, token), socket)
        else:
            # The thread that reads the input would outlive the loop until somebody closes it.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            anyio.run(over_stdio)
    except* BrokenPipeError:  # the assistant has gone
        pass
    finally:
        served.close()


def tool_server(served: ServedIndex) -> Server[Any]:
    """The server of the tools over an index."""
    import mcp_types as types
    from mcp.server.lowlevel import Server

    from anagnosis.assistants.tools import INSTRUCTIONS, TOOLS
    from anagnosis.web.logs import crashed
    from anagnosis.web.parameters import public_name

    reads = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
    every = [types.Tool(name=name, annotations=reads, **one.declared) for name, one in TOOLS.items()]

    async def listed(_: Any, __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=every)

    async def called(_: Any, call: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            if call.name not in TOOLS:
                raise unknown_name("tool", call.name, TOOLS)
            tool = TOOLS[call.name]
            work = served.ask if tool.verb is searching.ask else partial(served.run, tool.verb)
            record, text = tool.answer(await work(**tool.arguments(call.arguments or {})))
            return said(text, structured_content=record)
        except InputError as fault:
            line = str(InputError(fault.what, public_name(fault.where), fault.remedy))
        except TimeoutError:
            line = "this took too long; ask with fewer words, or try again in a moment"
        except Exception as bug:
            crashed("crash", bug)
            line = "something broke here; the server's log has it"
        return said(line, is_error=True)

    def said(text: str, **more: Any) -> types.CallToolResult:
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)], **more)

    return Server(
        "anagnosis",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=listed,
        on_call_tool=called,
    )


def _with_token(app: ASGIApp, token: str) -> ASGIApp:
    """The app, for requests with the token alone."""
    from starlette.responses import PlainTextResponse

    refusal = PlainTextResponse("a wrong token, or none", 401, {"WWW-Authenticate": "Bearer"})

    async def checked(scope: Scope, receive: Receive, send: Send) -> None:
        given = dict(scope.get("headers", ())).get(b"authorization", b"")
        accepted = scope["type"] == "lifespan" or hmac.compare_digest(given, f"Bearer {token}".encode())
        await (app if accepted else refusal)(scope, receive, send)

    return checked


def _token(file: PathLike | None) -> str:
    """The token of a file, or of the environment. InputError: none, a bad one, or a file that others can read."""
    if file is None:
        token, where = os.environ.get(TOKEN, ""), TOKEN
    else:
        where = str(file)
        with open_file(file) as stream:
            if stat.S_IMODE(os.fstat(stream.fileno()).st_mode) & 0o077:
                raise InputError("others can read the token", where, f"chmod 600 {Path(file).name}")
            token = stream.read(_BODY).decode("ascii", "replace")
    if not _IS_TOKEN.fullmatch(token.strip()):
        remedy = f"set {TOKEN} to 16 letters and digits or more, or name a file of them with --token-file"
        raise InputError("has no token", where, remedy)
    return token.strip()
