"""The elements and attributes of a page, as a browser reads them."""

from __future__ import annotations

from html.parser import HTMLParser


class _Names(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.elements, self.attributes = set[str](), set[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes.update(name for name, _ in attrs)


def runs_code(page: str) -> list[str]:
    """The attributes and elements of a page that could run code of a paper, besides <script>, which is counted."""
    names = _Names()
    names.feed(page)
    active = {"img", "iframe", "object", "embed", "style", "base"} & names.elements
    return sorted(active | {name for name in names.attributes if name.startswith("on") or name == "style"})
