"""Make the pictures of docs/images/ that show a page of people: on a desk, and on a phone.

    python docs/pictures.py

The papers are those that the package carries, in sentences of ours. Needs Chromium and playwright. Another machine has
other fonts, so no test compares the files: look at them.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from anagnosis import api
from anagnosis.corpus import carried

IMAGES = Path(__file__).parent / "images"
SHOWN = "section.question:visible "
SIZES: Mapping[str, tuple[int, int]] = {"people_page": (1280, 800), "people_page_phone": (390, 844)}
COLOURS = 64


def main() -> None:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        page = study(Path(scratch))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, (width, height) in SIZES.items():
            window = browser.new_page(viewport={"width": width, "height": height})
            window.goto(page.as_uri())
            answered(window)
            if width < 640:  # the question stands below the passage
                window.locator(SHOWN + ".panel").scroll_into_view_if_needed()
                window.evaluate("document.querySelector('section:not([hidden]) .panel').scrollIntoView()")
            write(IMAGES / f"{name}.png", window.screenshot())
            window.close()
        browser.close()


def write(path: Path, picture: bytes) -> None:
    """Write a picture in a third of its bytes: a page has few colours."""
    from PIL import Image

    Image.open(BytesIO(picture)).convert("RGB").quantize(COLOURS).save(path, optimize=True)


def study(folder: Path) -> Path:
    """The page of a person with questions over the carried papers."""
    api.build("biomrc", [carried()], folder / "built", recipe="biomrc-demo")
    api.label(
        folder / "built", folder / "pages", kind="answers", split="test", draw=12, people=["experts=ann"]
    )
    return folder / "pages/ann.html"


def answered(window: Any) -> None:
    """The third question, half answered; two are done."""
    window.click("#begin")
    for entity in ("0", "1"):
        window.click(f"{SHOWN}.entities input[data-e='{entity}']")
        window.click(SHOWN + "input[value=both]")
        window.click(SHOWN + ".main")
    links = window.locator(SHOWN + ".passage a")
    often = max(range(links.count()), key=lambda place: _places(window, links.nth(place)))
    links.nth(often).click()
    window.mouse.move(0, 0)
    window.evaluate("document.activeElement.blur()")


def _places(window: Any, link: Any) -> int:
    """How often the entity of a link is mentioned."""
    return window.locator(f"{SHOWN}a[data-e='{link.get_attribute('data-e')}']").count()


if __name__ == "__main__":
    main()
