"""SciFact's own files: claims, and the abstracts that they cite, by sentence (Wadden et al. 2020, section 3).

    claims_train.jsonl   {"id": 2, "claim": "…", "evidence": {"13734012": [{"sentences": [4], "label": "CONTRADICT"}]},
                          "cited_doc_ids": [13734012]}
    corpus.jsonl         {"doc_id": 4983, "title": "…", "abstract": ["a sentence", …], "structured": false}

A file of claims with the corpus in the same folder, both files, a folder, or an archive; the keys of the first line say
which is which. Imports keep only abstracts that a claim cites. Files of github.com/allenai/scifact.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import msgspec

from anagnosis.datasets.export.authors_files import AuthorsFiles, authors_files, json_lines
from anagnosis.datasets.export.layouts import FewPlaces, Imported, LayoutFaults, split_of
from anagnosis.datasets.folder.receipt import Input
from anagnosis.datasets.sampling import falls_in
from anagnosis.datasets.splits import SPLITS
from anagnosis.errors import InputError
from anagnosis.io.compression import without_compression
from anagnosis.io.paths import PathLike

MOST_CLAIMS = 1_000_000
SUPPORT, CONTRADICT = "SUPPORT", "CONTRADICT"

_ENDINGS = (".jsonl",)
_CORPORA = ("corpus_sentences.jsonl", "corpus.jsonl")  # beside a file of claims
_HEAD = 1 << 16
_KEY = re.compile(rb'"([a-z_]+)"\s*:')


class Rationale(msgspec.Struct, frozen=True):
    """Sentences of an abstract, by place from 0, that together support or contradict a claim."""

    sentences: tuple[Annotated[int, msgspec.Meta(ge=0)], ...]
    label: str = ""


class Claim(msgspec.Struct, frozen=True):
    """A claim as the authors write it. evidence: document → its rationales."""

    id: int | str
    claim: Annotated[str, msgspec.Meta(min_length=1)]
    evidence: dict[str, tuple[Rationale, ...]] = {}
    cited_doc_ids: tuple[int | str, ...] = ()

    @property
    def documents(self) -> list[str]:
        """The cited abstracts, each once, and those with evidence."""
        return list(dict.fromkeys((*map(str, self.cited_doc_ids), *self.evidence)))

    def proving(self, document: str) -> frozenset[int]:
        """The places of all sentences of an abstract that stand in a rationale."""
        return frozenset(place for own in self.evidence.get(document, ()) for place in own.sentences)

    def labels(self, document: str) -> set[str]:
        """What the rationales in an abstract say: one label where people agreed, none where there is no evidence."""
        return {own.label for own in self.evidence.get(document, ())}


class Abstract(msgspec.Struct, frozen=True):
    """An abstract as the authors write it; what a sentence ends with (3,304 have a line break) is kept."""

    doc_id: int | str
    abstract: tuple[str, ...]
    title: str = ""


@dataclass(slots=True)
class Files:
    """claims: split → (file:line, claim), in the order of the files. abstracts: id → those that are cited.

    dev_share: how much of train is dev. drawn: the ids of train's claims that are dev's. No abstract is cited on both
    sides, and no claim stands on both.
    """

    inputs: tuple[Input, ...]
    dev_share: float = 0
    claims: dict[str, list[tuple[str, Claim]]] = field(default_factory=dict[str, list[tuple[str, Claim]]])
    abstracts: dict[str, Abstract] = field(default_factory=dict[str, Abstract])
    drawn: frozenset[str] = frozenset()

    @property
    def splits(self) -> list[str]:
        """Those that have claims."""
        drawn = {"dev"} if self.dev_share and "train" in self.claims else set[str]()
        return [name for name in SPLITS if name in drawn or name in self.claims]

    def of(self, split: str) -> Iterator[tuple[str, Claim]]:
        """The claims of a split."""
        for own, found in self.claims.items():
            for where, claim in found:
                drawn = own == "train" and str(claim.id) in self.drawn
                if split == ("dev" if drawn else own):
                    yield where, claim


def imported(
    path: PathLike | Sequence[PathLike],
    *,
    recipe: Mapping[str, Any],
    instances: Callable[[Files, str, LayoutFaults], Iterator[Any]],
    setting: str | None = None,
    split: str | None = None,
    dev_share: float = 0,
) -> Imported:
    """The claims at `path`, or at several, with their abstracts, as a layout has them. instances: those of a split.

    setting: which claims. dev_share: of train, by what is cited.
    """
    findings = FewPlaces()
    wanted = (setting or "").replace(",", " ").split()
    found = read(path, findings, wanted=wanted, split=split, dev_share=dev_share)
    chosen = {"claims": wanted, "dev_share": dev_share}
    asked = {**recipe, **{name: value for name, value in chosen.items() if value}}
    splits = {name: instances(found, name, findings) for name in found.splits}
    return Imported(splits, asked, found.inputs, findings)


def read(
    path: PathLike | Sequence[PathLike],
    findings: LayoutFaults,
    *,
    wanted: Sequence[str] = (),
    split: str | None = None,
    dev_share: float = 0,
    whole: bool = False,
) -> Files:
    """The files at `path`, or at several; they are read twice. wanted: which claims, by the names of their files.

    whole: all abstracts of the corpus, in place of those that are cited.
    split: that all claims are of (default: what the files' names say). `findings` counts what is broken: not_json,
    not_a_claim, repeated_id, not_an_abstract, repeated_abstract, other_file, and what archives have.
    """
    files = authors_files(path, _ENDINGS, split=split)
    found = Files((), dev_share)
    names = _read_claims(files, found, findings, wanted, split)
    if dev_share:
        if "train" not in found.claims:
            there = ", ".join(found.claims)
            what = f"a share for dev is taken of train, and the claims are of {there}"
            raise InputError(what, "--dev-share", "leave it away, or import claims of train")
        found.drawn = _for_dev([claim for _, claim in found.claims["train"]], dev_share)
    if not any(_kind_of(opened.stream) == "corpus" for opened in files.opened()):
        files = AuthorsFiles([*files.named, *_beside([file for _, file in files.named])], _ENDINGS)
    _read_abstracts(files, found, findings, whole=whole)
    if not found.abstracts:
        raise InputError(
            "no abstracts of these claims",
            ", ".join(names),
            "give the corpus (corpus.jsonl of the authors) beside the claims, or the whole folder",
        )
    found.inputs = files.inputs
    return found


def _read_claims(
    files: AuthorsFiles,
    found: Files,
    findings: LayoutFaults,
    wanted: Sequence[str],
    split: str | None,
) -> list[str]:
    """The names of the files of claims that are taken."""
    names, taken, missing = list[str](), list[str](), set(wanted)
    seen: set[tuple[str, str]] = set()
    for opened in files.opened(findings):
        kind = _kind_of(opened.stream)
        if kind != "claims":
            if not kind:
                findings.note(opened.name, "other_file", "neither claims nor abstracts of SciFact")
            continue
        stem = without_compression(opened.name.rpartition("/")[2]).removesuffix(".jsonl")
        names.append(stem)
        asked = [each for each in wanted if each in (stem, stem.removeprefix("claims_"))]
        if wanted and not asked:
            continue
        missing.difference_update(asked)
        taken.append(opened.name)
        own = split or split_of(opened.name)
        into = found.claims.setdefault(own, [])
        for where, claim in json_lines(opened, Claim, "not_a_claim", findings):
            if (own, str(claim.id)) in seen:
                findings.refuse(where, "repeated_id", f"claim {claim.id} stands twice")
                continue
            if len(seen) == MOST_CLAIMS:
                raise InputError(f"more than {MOST_CLAIMS:,} claims", where, "import them file by file")
            seen.add((own, str(claim.id)))
            into.append((where, claim))
    if not taken or missing:
        lacking = [each for each in wanted if each in missing]
        what = f"no claims of {', '.join(lacking)}" if wanted else "no claims"
        remedy = f"there are {', '.join(names)}" if names else "a line of them has id, claim and evidence"
        raise InputError(what, files.named[0][0], remedy)
    return taken


def _for_dev(claims: Sequence[Claim], share: float) -> frozenset[str]:
    """The ids of the claims drawn for dev. Those that cite an abstract in common, or say the same, are drawn as one."""
    parent: dict[str, str] = {}

    def first(name: str) -> str:
        """The smallest name of all that hang together with this one."""
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for claim in claims:
        for document in claim.documents:
            small, large = sorted((first(f"says {claim.claim}"), first(f"cites {document}")))
            parent[large] = small
    return frozenset(str(claim.id) for claim in claims if falls_in(share, first(f"says {claim.claim}")))


def _read_abstracts(files: AuthorsFiles, found: Files, findings: LayoutFaults, *, whole: bool) -> None:
    cited = {document for own in found.claims.values() for _, claim in own for document in claim.documents}
    for opened in files.opened():
        if _kind_of(opened.stream) != "corpus":
            continue
        rows = json_lines(opened, Abstract, "not_an_abstract", findings, count=findings.note)
        for where, abstract in rows:
            ident = str(abstract.doc_id)
            if ident in found.abstracts:
                findings.note(where, "repeated_abstract", f"{ident}: the first is taken")
            elif whole or ident in cited:
                found.abstracts[ident] = abstract


def _kind_of(stream: io.BufferedReader) -> str:
    """claims, corpus, or "" for neither, by the keys of the first line."""
    line = stream.peek(_HEAD)[:_HEAD].lstrip().partition(b"\n")[0]
    try:
        keys = set(msgspec.json.decode(line, type=dict[str, Any]))
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        keys = {key.decode() for key in _KEY.findall(line)}
    kinds = (("corpus", {"doc_id", "abstract"}), ("claims", {"id", "claim"}))
    return next((kind for kind, needed in kinds if needed <= keys), "")


def _beside(files: Sequence[Path]) -> list[tuple[str, Path]]:
    """The corpus in the folder of a file of claims."""
    for file in files:
        for name in _CORPORA:
            for path in (file.parent / name, file.parent / f"{name}.gz"):
                if path.is_file() and path not in files:
                    beside = AuthorsFiles([(path.name, path)], _ENDINGS)
                    if any(_kind_of(opened.stream) == "corpus" for opened in beside.opened()):
                        return beside.named
    return []
