"""The client of language models beside bare HTTP, the replay of a log, and memory, against a server of ours.

    python benchmarks/language_models.py [--calls 100000]

The server is a process of its own; its replies come after 50 ms, as a fast model's do, or at once. The client, its log
on the disk, and bare httpx2 with as many connections send the same requests by turns, so that a busy computer slows
both: read the ratio, above 1 where the client is slower. Then --calls go through a log, and are replayed from it; the
peak of memory is that of this process, after the first thousand and at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path

import httpx2
import msgspec

from anagnosis.language_models.asking import LanguageModel
from anagnosis.language_models.calls import Call, CallLog, Message
from anagnosis.language_models.server import Server
from anagnosis.language_models.spending import Spending
from timing import Seconds, peak, timed

AT_ONCE = 16
ROUNDS = 7
CALLS = {0.05: 800, 0.0: 800}  # of a round, by the seconds that a reply takes
FIRST = 1000
TEXT = "Heterozygous variants of the gene were found in two of the families. " * 30
CHOICE = {"index": 0, "message": {"role": "assistant", "content": '["MECP2"]'}, "finish_reason": "stop"}
REPLY = {"model": "tiny", "choices": [CHOICE], "usage": {"prompt_tokens": 512, "completion_tokens": 6}}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=100_000)
    count = parser.parse_args().calls
    with tempfile.TemporaryDirectory() as folder:
        for seconds, calls in CALLS.items():
            with served(seconds) as url:
                beside_bare(url, seconds, calls, Path(folder))
        log = Path(folder, "calls.jsonl")
        with served(0.0) as url:
            through(Server(url, "none", AT_ONCE), log, count, "asked")
        through(None, log, count, "replayed")


def beside_bare(url: str, seconds: float, calls: int, folder: Path) -> None:
    """Print calls a second of both, their ratio, and milliseconds of the processor for a call."""
    ours, theirs = list[Seconds](), list[Seconds]()
    for number in range(ROUNDS + 1):
        with CallLog(folder / f"{seconds}-{number}.jsonl") as log:
            model = LanguageModel(Spending(), Server(url, "none", AT_ONCE), log)
            ours.append(timed(lambda asking=model: [*asking.replies(items(calls))]))
        theirs.append(timed(lambda: asyncio.run(bare(url, calls))))
    ratios = sorted(one.clock / other.clock for one, other in zip(ours[1:], theirs[1:], strict=True))
    figures = "; ".join(
        f"{name} {calls / statistics.median(one.clock for one in each):.0f} calls/s, "
        f"{min(one.processor for one in each) / calls * 1000:.2f} ms of the processor a call"
        for name, each in (("client", ours[1:]), ("bare", theirs[1:]))  # the first round loads modules
    )
    print(
        f"replies after {seconds * 1000:.0f} ms, {AT_ONCE} at once: {figures}; ratio of the seconds "
        f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    )


def through(server: Server | None, path: Path, calls: int, done: str) -> None:
    """Print calls a second and what memory grows by after the first."""
    first, start = 0, time.perf_counter()
    with CallLog(path, replayed=server is None) as log:
        opened = time.perf_counter() - start
        for number, _ in LanguageModel(Spending(), server, log).replies(items(calls)):
            if number == FIRST:
                first = peak()
    rate = calls / (time.perf_counter() - start)
    print(
        f"{calls:,} calls {done}: {rate:,.0f} calls/s (the log opened in {opened:.2f} s); peak of memory {first} MB "
        f"after {FIRST:,}, {peak()} MB at the end"
    )


def items(count: int) -> Iterator[tuple[int, list[Call]]]:
    return ((number, [call(number)]) for number in range(count))


def call(number: int) -> Call:
    return Call("tiny", (Message("system", "Answer with a list."), Message("user", f"{number} {TEXT}")), 64)


async def bare(url: str, count: int) -> None:
    """Send the same requests with nothing but httpx2."""
    numbers = iter(range(count))
    limits = httpx2.Limits(max_connections=AT_ONCE, max_keepalive_connections=AT_ONCE)
    async with httpx2.AsyncClient(limits=limits, timeout=300, trust_env=False) as client:

        async def ask() -> None:
            for number in numbers:
                one = call(number)
                asked = {
                    "model": one.model,
                    "messages": one.messages,
                    "max_tokens": one.most,
                    "temperature": 0.0,
                }
                response = await client.post(f"{url}/chat/completions", content=msgspec.json.encode(asked))
                msgspec.json.decode(response.content)

        await asyncio.gather(*(ask() for _ in range(AT_ONCE)))


@contextmanager
def served(seconds: float) -> Generator[str]:
    """The address of a server in another process."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(seconds, there), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{here.recv()}/v1"
    finally:
        process.kill()
        process.join()


def serve(seconds: float, told: Connection) -> None:
    body = msgspec.json.encode(REPLY)
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (
        len(body),
        body,
    )

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):  # the client goes
            while head := await reader.readuntil(b"\r\n\r\n"):
                await reader.readexactly(int(head.lower().partition(b"content-length:")[2].split()[0]))
                await asyncio.sleep(seconds)
                writer.write(answer)
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(connected, "127.0.0.1", 0)
        told.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


if __name__ == "__main__":
    main()
