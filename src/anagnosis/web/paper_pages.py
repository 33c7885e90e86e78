"""The pages of papers: a sentence marked on its page, and the file itself; for people at this machine alone by default.

One process draws one page at a time, within the limits of the reader of PDF files. A file that is not as it was indexed
is not shown.
"""

from __future__ import annotations

from collections import OrderedDict
from hashlib import sha256
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from anagnosis.documents.formats.pdf.messages import FileRequest, PageImage, marked_characters
from anagnosis.documents.formats.pdf.reading import Running, ask
from anagnosis.documents.page_map import PageMap, read_page_map
from anagnosis.io.addresses import is_loopback
from anagnosis.io.paths import read_file, reason_of
from anagnosis.searching.index.sources import PageFiles
from anagnosis.searching.records.passage import Passage
from anagnosis.web.faults import Fault
from anagnosis.web.json_routes import CACHE
from anagnosis.web.limits import LOOPBACK, PAGES_KEPT, PAGES_WAITING, SECONDS_OF_PAGE
from anagnosis.web.page_query import PageQuery, page_query
from anagnosis.web.pages import page
from anagnosis.web.parameters import ID, WORDS, number
from anagnosis.web.served_index import ServedIndex, refusing
from anagnosis.web.threads import Threads

WIDTH = 1400  # pixels
_HERE = frozenset(name.strip("[]") for name in LOOPBACK)
_THROUGH_OTHERS = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")
# A browser shows a file by its own program, which the policy of pages would stop.
_FILE_POLICY = "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
# page: 0 for that of the sentence, characters [begin, end) of a passage.
_OF_PAGE = {
    **ID,
    **WORDS,
    **{name: number(name, 0, 1_000_000) for name in ("passage", "begin", "end", "page")},
}


class PaperPage(NamedTuple):
    """A page to show. number: from 1. sentence: what is marked, "" for nothing; on: the pages on which it stands."""

    passage: Passage
    number: int
    sentence: str
    on: tuple[int, ...]
    image: PageImage


class PaperPages:
    """The pages of an index's papers. shared: to people at other machines too."""

    def __init__(self, served: ServedIndex, *, shared: bool) -> None:
        self._served, self._shared = served, shared
        self.threads = Threads(1, PAGES_WAITING, SECONDS_OF_PAGE * PAGES_WAITING)
        self._running = Running()
        self._drawn: OrderedDict[tuple[object, ...], PageImage] = OrderedDict()

    def close(self) -> None:
        """End the program that draws, and the thread that waits for it."""
        self.threads.close()
        for process in tuple(self._running):
            process.terminate()

    def shown_to(self, request: Request) -> bool:
        """Whether somebody at this machine asks, and not through a server before this one; or pages are shared."""
        client = request.client.host if request.client else ""
        return self._shared or (
            # A proxy may say nothing of the client; the usual ones speak HTTP/1.0.
            request.scope.get("http_version") != "1.0"
            and is_loopback(client)
            and (request.url.hostname or "") in _HERE
            and not any(name in request.headers for name in _THROUGH_OTHERS)
        )

    def _passage(self, query: PageQuery) -> tuple[Passage, PageMap]:
        with refusing(404, "ident"):
            passages = self._served.index.stored(query["id"]).passages
        passage = passages[query["passage"]] if query["passage"] < len(passages) else None
        page_map = read_page_map(passage.page_map) if passage is not None else None
        if passage is None or page_map is None or not page_map.pages:
            raise Fault(
                404, "nobody knows on which page this stands", "passage", "read the paper's text instead"
            )
        return passage, page_map

    def page(self, query: PageQuery) -> PaperPage:
        """A page with its sentence marked. Faults: 404, 409 where the file is not as it was indexed."""
        passage, page_map = self._passage(query)
        marked = page_map.part(query["begin"], query["end"])
        number = query["page"] or (marked.pages or page_map.pages)[0]
        marks = marked_characters(marked).get(number, [])
        data = self._file(page_map.file)
        key = page_map.file, number, tuple(marks)
        image = self._drawn.pop(key, None)
        if image is None:
            asked = FileRequest(data, number, marks, WIDTH, SECONDS_OF_PAGE)
            answer = ask(asked, running=self._running)
            if answer.fault:
                what, _, remedy = answer.fault.partition("; ")
                raise Fault(409, f"the page is not shown: {what}", "page", remedy)
            image = answer.image
        self._drawn[key] = image
        while len(self._drawn) > 1 and sum(len(one.png) for one in self._drawn.values()) > PAGES_KEPT:
            self._drawn.popitem(last=False)
        return PaperPage(passage, number, passage.text[query["begin"] : query["end"]], marked.pages, image)

    def file(self, query: PageQuery) -> bytes:
        """The file, which is as it was indexed. Faults: as of `page`."""
        return self._file(self._passage(query)[1].file)

    def _file(self, digest: str) -> bytes:
        """The file with this digest: what is sent is what was compared, whatever its path leads to then."""
        remedy = "index it again where it lies now"
        try:
            path = PageFiles(self._served.index.folder).path_of(digest)
            if path is None:
                raise FileNotFoundError
            data = read_file(path)
        except OSError as fault:
            gone = isinstance(fault, FileNotFoundError)
            what = "is not there any more" if gone else f"cannot be read ({reason_of(fault)})"
            raise Fault(409, f"the file of this paper {what}", "", remedy) from fault
        if sha256(data).hexdigest()[: len(digest)] != digest:
            raise Fault(409, "the file of this paper has changed since it was indexed", "", remedy)
        return data


def paper_page_routes(pages: PaperPages) -> list[BaseRoute]:
    """The page of a sentence, its image, and the file."""

    def asked(request: Request) -> PageQuery:
        if not pages.shown_to(request):
            remedy = "ask those who run this page to share them (--share-pages)"
            raise Fault(403, "pages of papers are shown at the machine that serves them alone", "", remedy)
        return page_query(_OF_PAGE, request)

    async def shown(request: Request) -> Response:
        query = asked(request)
        values = {"query": query, "shown": await pages.threads.run(lambda: pages.page(query))}
        return HTMLResponse(page("paper_page", values), headers={"Cache-Control": CACHE})

    async def image(request: Request) -> Response:
        query = asked(request)
        found = await pages.threads.run(lambda: pages.page(query))
        return Response(found.image.png, media_type="image/png", headers={"Cache-Control": CACHE})

    async def file(request: Request) -> Response:
        query = asked(request)
        data = await pages.threads.run(lambda: pages.file(query))
        headers = {
            "Cache-Control": CACHE,
            "Content-Disposition": 'inline; filename="paper.pdf"',
            "Content-Security-Policy": _FILE_POLICY,
        }
        return Response(data, headers=headers, media_type="application/pdf")

    return [Route("/page", shown), Route("/page.png", image), Route("/paper.pdf", file)]
