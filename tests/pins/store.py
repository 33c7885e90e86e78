"""Store the pinned values anew: python -m tests.pins.store [SUBJECT…]

By hand, and only where a change is meant; the commit says why. The difference in git says what the
pins no longer hold.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests import conftest
from tests.pins.compare import STORED
from tests.pins.subjects import SUBJECTS, found
from tests.pins.world import World

assert conftest.ROOT  # it calms the environment, as in a test


def main(given: list[str]) -> int:
    if unknown := set(given) - set(SUBJECTS):
        print(
            f"no such subject: {', '.join(sorted(unknown))}; there are {', '.join(SUBJECTS)}", file=sys.stderr
        )
        return 2
    with TemporaryDirectory(prefix="pins-") as folder:
        for subject in given or SUBJECTS:
            write(subject, World(Path(folder)))
    return 0


def write(subject: str, world: World, folder: Path = STORED) -> None:
    """Store what a subject gives now."""
    text = json.dumps(found(subject, world), indent=1, sort_keys=True, ensure_ascii=False)
    (folder / f"{subject}.json").write_text(f"{text}\n", "utf-8")
    print(f"{subject}: {len(text):,} characters")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
