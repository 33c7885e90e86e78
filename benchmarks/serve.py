"""How the API holds under load: lexical searches at a fixed rate for a minute, the load made on the same processors.

    python benchmarks/serve.py [--passages 100000] [--rate 200] [--seconds 60] [--folder INDEX]

Searches are sent at the times of the clock, whether or not earlier ones have been answered (an open loop: a server that
falls behind is seen to); a time counts from when a search was due. Top 10, highlights off, each question asked once:
titles of the texts of search_speed.py, of which the index is made too. --folder: an index that is there, or where one
of these texts is to be kept. The load is a process of its own, over 32 connections that are kept.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).parent))
from anagnosis.documents.document import Document, Section
from anagnosis.searching.index.index import create_index
from anagnosis.searching.index.settings import holds_index
from synthetic_papers import texts

CONNECTIONS = 32


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as kept:
        folder = options.folder or Path(kept) / "index"
        if not holds_index(folder):
            made(folder, options.passages)
        held(folder, options.rate, options.seconds)


def made(folder: Path, passages: int) -> None:
    """An index of the texts."""
    index, counts = create_index(folder), Counter[str]()
    for number, (title, text) in enumerate(texts(passages)):
        sections = (Section("title", title), Section("abstract", text))
        index.add(Document(str(number), sections, facts={"date": "2020"}), counts)
    index.commit()
    index.close()


def held(folder: Path, rate: float, seconds: float) -> None:
    """Serve it, load it, print."""
    command = [sys.executable, "-m", "anagnosis", "serve", str(folder), "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout
        line = server.stdout.readline()
        found = re.search(r"(.* passages) at http://127\.0\.0\.1:(\d+)/", line)
        if found is None:
            raise SystemExit(f"the server did not start: {line}")
        print(
            f"{found[1]}; {rate:g} searches/s for {seconds:g} s, top 10, highlights off, {os.cpu_count()} processors"
        )
        before = cpu_seconds(server.pid)
        spent, wrong = asyncio.run(load(int(found[2]), rate, seconds))
        used = cpu_seconds(server.pid) - before
        spent.sort()
        p50, p95, p99 = (1000 * spent[int(part * len(spent))] for part in (0.5, 0.95, 0.99))
        print(f"  {len(spent):,} answered, {wrong} errors")
        print(f"  from when each was due: median {p50:.1f} ms, 95th {p95:.1f} ms, 99th {p99:.1f} ms")
        print(
            f"  longest {1000 * spent[-1]:.0f} ms; the server took {1000 * used / len(spent):.2f} CPU ms a search"
        )
        print(
            f"  memory of the server: {memory(server.pid, 'VmRSS')} MB, at most {memory(server.pid, 'VmHWM')} MB"
        )
        print(f"  of it its own: {memory(server.pid, 'RssAnon')} MB, the rest is pages of the index's files")
    finally:
        server.terminate()
        server.wait(30)


async def load(port: int, rate: float, seconds: float) -> tuple[list[float], int]:
    """(seconds of each search from when it was due, how many went wrong)."""
    questions = [title for title, _ in texts(min(int(rate * seconds), 20_000))]
    random.Random(0).shuffle(questions)
    due: asyncio.Queue[tuple[float, str] | None] = asyncio.Queue()
    spent, wrong = list[float](), 0

    async def client() -> None:
        nonlocal wrong
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while (item := await due.get()) is not None:
            at, question = item
            path = f"/api/search?q={quote(question[:900])}&limit=10&highlight=false&ranking=lexical"
            writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"content-length: (\d+)", head)
            await reader.readexactly(int(length[1]) if length else 0)
            spent.append(time.perf_counter() - at)
            wrong += not head.startswith(b"HTTP/1.1 200")
        writer.close()

    clients = [asyncio.create_task(client()) for _ in range(CONNECTIONS)]
    began = time.perf_counter()
    for number in range(int(rate * seconds)):
        at = began + number / rate
        await asyncio.sleep(max(0.0, at - time.perf_counter()))
        due.put_nowait((at, questions[number % len(questions)]))
    for _ in clients:
        due.put_nowait(None)
    await asyncio.gather(*clients)
    return spent, wrong


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int, kind: str) -> int:
    """MB."""
    found = re.search(rf"{kind}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) // 1024 if found else 0


if __name__ == "__main__":
    main()
