"""A collection with hostile papers beside the carried ones, and a client of the application over it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")
pytest.importorskip("starlette", reason="the extra web is not installed")

from starlette.testclient import TestClient
from tests.web.apps import served, started, web_app
from tests.web.readers import Waiting

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.documents.document import Document, Section
from anagnosis.searching.index.index import open_index
from anagnosis.web.limits import Limits

NASTY = '"><script>alert(1)</script><img src=x onerror=alert(2)>'
PAPERS = (
    Document(
        "nasty/../../etc/passwd?a=b#c&d",
        (
            Section("title", f"Salt {NASTY}"),
            Section("abstract", f"Salt lowers {NASTY} nothing. {{{{ 7 * 7 }}}}", title=f"RESULTS {NASTY}"),
        ),
        facts={
            "date": "2019",
            "journal": f"J {NASTY}",
            "types": f"Review; {NASTY}",
            "doi": f"10.1/{NASTY}",
            "pmcid": "javascript:alert(1)",
        },
    ),
    Document(
        "990001",
        (Section("title", "Tea cures baldness"), Section("abstract", "Tea cures baldness in all mice.")),
        facts={
            "date": "2018-03", "journal": "J Tea", "authors": "Nemo, A; <Bo>, B", "retracted": "990002",
            "expression_of_concern": "unnamed",
        },
    ),
    Document(
        "990003",
        (Section("title", "Odd \u202echaracters"), Section("abstract", "Odd \x01 \x0b \u202e charlatanry.")),
        facts={"journal": "J Odd\u200fity"},
    ),
    Document("990004", (Section("title", "Does a lonely title exist?"),)),
    *(
        Document(
            str(990100 + n),
            (
                Section("title", "Twentyone" if n == 20 else "Exactlytwenty twentyone"),
                Section("abstract", f"Part {n}."),
            ),
        )
        for n in range(21)
    ),
    Document(
        "990005",
        (
            Section("title", "A long paper on heliotropes"),
            *(Section("body", f"Heliotrope number {n} was seen. " * 20, title="Results") for n in range(205)),
        ),
    ),
)  # fmt: skip


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index."""
    made = tmp_path_factory.mktemp("web")
    api.index([carried(), carried("medline")], made / "index")
    # Added as they are: a loader might mend them.
    index, counts = open_index(made / "index"), Counter[str]()
    for paper in PAPERS:
        index.add(paper, counts)
    index.commit()
    index.close()
    return made / "index"


@pytest.fixture(scope="session")
def client(folder: Path) -> Generator[TestClient]:
    with TestClient(web_app(open_index(folder), Limits(seconds=60))) as client:
        yield client


@pytest.fixture(scope="session")
def scorer() -> Waiting:
    """A reader that answers at once."""
    made = Waiting()
    made.go.set()
    return made


@pytest.fixture(scope="session")
def asked(folder: Path, scorer: Waiting) -> Generator[TestClient]:
    """Where answers are read; time is no matter."""
    limits = Limits(reading_seconds=60)
    with TestClient(web_app(open_index(folder), limits, scorer)) as client:
        yield client


@pytest.fixture(scope="session")
def address(folder: Path) -> Generator[str]:
    """The address of `anagnosis serve`, without readers."""
    names = ("--allow-host", "papers.example", "--allow-host", "box")
    process, found = started(folder, *names)
    # Its log is read all the while: a pipe that nobody reads is full after some 400 requests, and then it waits.
    reading = threading.Thread(target=process.communicate, daemon=True)
    reading.start()
    yield found
    process.terminate()
    reading.join(10)


@pytest.fixture(scope="session")
def answering(folder: Path, scorer: Waiting) -> Generator[str]:
    """The address of a page with readers."""
    with served(folder, scorer) as found:
        yield found
