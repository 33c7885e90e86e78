"""What the pinned commands make: each folder once, shared by all processes of a test run.

A step is a command line that writes `NAME` into the world's folder. All commands are typed there with relative paths,
so nothing that they print or write depends on where the world lies.
"""

from __future__ import annotations

import contextlib
import fcntl
import io
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.pins.inputs import write_inputs

from anagnosis.cli import run

# The corpus has abstracts, which hold no 21 sentences.
_SHORT_WINDOWS = (
    "--set passage_sentences=5 --set minimum_passage_tokens=0 --set split_weights={train=2,dev=1,test=1}"
)

# name → what it is made of, command line without --out
DATASETS: dict[str, tuple[str, str]] = {
    "biomrc": ("", "build biomrc carried.pubtator --workers 1"),
    "biomrc-demo": ("", "build biomrc carried.pubtator --recipe biomrc-demo --workers 1"),
    "biomrc-strict": ("", "build biomrc carried.pubtator --recipe biomrc-strict --workers 1"),
    "biomrc-lite": (
        "biomrc-demo",
        "sample biomrc-demo --recipe biomrc-lite --set train=12 --set dev=5 --set test=9",
    ),
    "biomrc-tiny": (
        "biomrc-demo",
        "sample biomrc-demo --recipe biomrc-tiny --set groups={tiny-a=4,tiny-b=3}",
    ),
    "bioread": ("", f"build bioread carried.pubtator --workers 1 {_SHORT_WINDOWS}"),
    "bioread-lite": (
        "",
        f"build bioread carried.pubtator --recipe bioread-lite --workers 1 {_SHORT_WINDOWS}",
    ),
    "bioread-demo": ("annotated.jsonl", "build bioread annotated.jsonl --recipe bioread-demo --workers 1"),
    "bioread-strict": (
        "",
        f"build bioread carried.pubtator --recipe bioread-strict --workers 1 {_SHORT_WINDOWS}",
    ),
    "bioread-lite-sample": (
        "bioread-lite",
        "sample bioread-lite --recipe bioread-lite-sample --set train=9 --set dev=5 --set test=4",
    ),
    "clicr-like": ("annotated.jsonl", "build clicr annotated.jsonl --terms carried.tsv --workers 1"),
    "clicr-demo": (
        "annotated.jsonl",
        "build clicr annotated.jsonl --terms carried.tsv --recipe clicr-demo --workers 1",
    ),
    "pubmedqa": ("", "build pubmedqa carried.xml --workers 1"),
    "pubmedqa-demo": ("", "build pubmedqa carried.xml --recipe pubmedqa-demo --workers 1"),
    "evidence": ("", "build evidence golden --set dev=8B --workers 1"),
    "bioasq-decisions": ("", "build bioasq-decisions golden"),
    "bioasq-retrieval": ("", "build bioasq-retrieval golden"),
    "import-biomrc-A": ("export-biomrc-A", "import export-biomrc-A --layout biomrc --setting A"),
    "import-biomrc-B": ("export-biomrc-B", "import export-biomrc-B --layout biomrc --setting B"),
    "import-bioread": ("export-bioread", "import export-bioread --layout bioread"),
    "import-clicr": ("", "import clicr --layout clicr"),
    "import-pubmedqa": ("", "import labelled.json --layout pubmedqa"),
    "import-pubmedqa-more": ("", "import labelled-more.json --layout pubmedqa"),
    "import-bioasq": ("", "import golden --layout bioasq --part test=9B5"),
    "import-scifact": ("", "import claims --layout scifact --dev-share 0.3"),
    "import-squad": ("", "import covid.json --layout squad"),
}
EXPORTS: dict[str, tuple[str, str]] = {
    "export-biomrc-A": ("biomrc-demo", "export biomrc-demo --layout biomrc --setting A"),
    "export-biomrc-B": ("biomrc-demo", "export biomrc-demo --layout biomrc --setting B"),
    "export-bioread": ("bioread-lite", "export bioread-lite --layout bioread --setting global"),
    "export-clicr": ("import-clicr", "export import-clicr --layout clicr"),
    "export-pubmedqa": ("import-pubmedqa", "export import-pubmedqa --layout pubmedqa"),
    "export-bioasq": ("import-bioasq", "export import-bioasq --layout bioasq"),
    "export-jsonl": ("biomrc-lite", "export biomrc-lite --layout jsonl --view names"),
    "export-jsonl-global": ("biomrc-lite", "export biomrc-lite --layout jsonl --view global"),
    "export-jsonl-decisions": (
        "import-pubmedqa",
        "export import-pubmedqa --layout jsonl --view reasoning-free",
    ),
    "export-parquet": ("biomrc-lite", "export biomrc-lite --layout parquet --view local"),
}
FILES: dict[str, tuple[str, str]] = {
    **{
        f"carried-converted.{name}": ("", f"convert carried.pubtator --to {name}")
        for name in ("pubtator", "jsonl")
    },
    **{f"citations.{name}": ("", f"convert carried.xml --to {name}") for name in ("pubtator", "jsonl")},
    "annotated.jsonl": ("", "annotate carried.nxml --full-text --terms carried.tsv --workers 1"),
}
INDEXES: dict[str, tuple[str, str]] = {
    "index": ("", "index carried.pubtator carried.xml"),
    "index-vectors": ("", "index papers.jsonl citations.xml --encoder encoder --device cpu"),
}
STEPS = {**DATASETS, **EXPORTS, **FILES, **INDEXES}


@dataclass(frozen=True, slots=True)
class World:
    """A folder with the inputs, and with what was asked for so far. Processes take turns at each part of it."""

    folder: Path

    def path(self, name: str) -> Path:
        """Of an input, or of what a step writes, which is made first."""
        if name in STEPS:
            self._once(name, self._step)
        else:
            self.inputs()
        return self.folder / name

    def inputs(self) -> None:
        self._once("inputs", lambda _: write_inputs(self.folder))

    def well(self, line: str) -> str:
        """What a command that succeeds prints; the steps that its words name are made first."""
        for word in shlex.split(line):
            self.path(word)
        return self._typed(shlex.split(line))

    def _step(self, name: str) -> None:
        needs, line = STEPS[name]
        self.path(needs)
        self._typed([*shlex.split(line), "--out", name])

    def _typed(self, words: list[str]) -> str:
        out, err = io.StringIO(), io.StringIO()
        with (
            contextlib.chdir(self.folder),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            code = run(words)
        assert code == 0, f"{shlex.join(words)}: {err.getvalue()}"
        return out.getvalue()

    def _once(self, name: str, make: Callable[[str], None]) -> None:
        turns = self.folder / ".turns"
        turns.mkdir(parents=True, exist_ok=True)
        with (turns / name).open("a+") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            turn.seek(0)
            if not turn.read():
                make(name)
                turn.write("made")
