"""SciFact's own files: claims, and the abstracts that they cite, by sentence (Wadden et al. 2020, section 3).

    claims_train.jsonl   {"id": 2, "claim": "…", "evidence": {"13734012": [{"sentences": [4], "label": "CONTRADICT"}]},
                          "cited_doc_ids": [13734012]}
    corpus.jsonl         {"doc_id": 4983, "title": "…", "abstract": ["a sentence", …], "structured": false}

A file of claims with the corpus in the same folder, both files, a folder, or an archive; the keys of the first line say
which is which. Files of github.com/allenai/scifact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec

from anagnosis.datasets.export.authors_files import AuthorsFiles, authors_files, json_lines
from anagnosis.datasets.export.layouts import Imported, LayoutFaults, split_of
from anagnosis.datasets.folder.receipt import Input
from anagnosis.datasets.sampling import falls_in
from anagnosis.datasets.splits import SPLITS
from anagnosis.documents.io.whole import whole
from anagnosis.errors import InputError
from anagnosis.io.compression import without_compression
from anagnosis.io.paths import PathLike

SUPPORT, CONTRADICT = "SUPPORT", "CONTRADICT"
_ENDINGS = (".jsonl",)
_CORPORA = ("corpus_sentences.jsonl", "corpus.jsonl")  # beside a file of claims


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
    """claims: split → (file:line, claim), in the order of the files. abstracts: by id; the first of an id counts."""

    inputs: tuple[Input, ...] = ()
    claims: dict[str, list[tuple[str, Claim]]] = field(default_factory=dict[str, list[tuple[str, Claim]]])
    abstracts: dict[str, Abstract] = field(default_factory=dict[str, Abstract])


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
    counts = LayoutFaults()
    wanted = (setting or "").replace(",", " ").split()
    found = read(path, counts, wanted=wanted, split=split, dev_share=dev_share)
    chosen = {"claims": wanted, "dev_share": dev_share}
    asked = {**recipe, **{name: value for name, value in chosen.items() if value}}
    splits = {name: instances(found, name, counts) for name in SPLITS if name in found.claims}
    return Imported(splits, asked, found.inputs, counts)


def read(
    path: PathLike | Sequence[PathLike],
    counts: LayoutFaults,
    *,
    wanted: Sequence[str] = (),
    split: str | None = None,
    dev_share: float = 0,
) -> Files:
    """The files at `path`, or at several. wanted: which claims, by the names of their files.

    split: that all claims are of (default: what the files' names say). dev_share: how much of train becomes dev, so
    that no abstract is cited on both sides, and no claim stands on both.
    """
    files, found, names = authors_files(path, _ENDINGS, split=split), Files(), list[str]()
    _read(files, found, counts, names, wanted, split)
    lacking = [each for each in wanted if not {each, f"claims_{each}"} & {*names}]
    if not found.claims or lacking:
        what = f"no claims of {', '.join(lacking)}" if wanted else "no claims"
        remedy = f"there are {', '.join(names)}" if names else "a line of them has id, claim and evidence"
        raise InputError(what, files.named[0][0], remedy)
    if not found.abstracts:
        files = AuthorsFiles([*files.named, *(beside := _beside(files)).named], _ENDINGS)
        _read(beside, found, counts, names, wanted, split)
    if not found.abstracts:
        remedy = "give the corpus (corpus.jsonl of the authors) beside the claims, or the whole folder"
        raise InputError("no abstracts of these claims", ", ".join(names), remedy)
    if dev_share:
        _share_out(found.claims, dev_share)
    found.inputs = files.inputs
    return found


def _read(
    files: AuthorsFiles,
    found: Files,
    counts: LayoutFaults,
    names: list[str],
    wanted: Sequence[str],
    split: str | None,
) -> None:
    """Add what the files hold. names: gets those of the files of claims."""
    for opened in files.opened(counts):
        lines = whole(opened.stream, opened.name).splitlines(keepends=True)
        keys = _keys(lines[0] if lines else b"")
        if {"doc_id", "abstract"} <= keys:
            for _, abstract in json_lines(lines, opened.name, Abstract, "not_an_abstract", counts):
                found.abstracts.setdefault(str(abstract.doc_id), abstract)
        elif {"id", "claim"} <= keys:
            stem = without_compression(opened.name.rpartition("/")[2]).removesuffix(".jsonl")
            names.append(stem)
            if wanted and not {stem, stem.removeprefix("claims_")} & {*wanted}:
                continue
            own = found.claims.setdefault(split or split_of(opened.name), [])
            seen = {str(claim.id) for _, claim in own}
            for where, claim in json_lines(lines, opened.name, Claim, "not_a_claim", counts):
                if str(claim.id) in seen:
                    counts.refuse(where, "repeated_id", f"claim {claim.id} stands twice")
                else:
                    seen.add(str(claim.id))
                    own.append((where, claim))
        else:
            counts.note(opened.name, "other_file", "neither claims nor abstracts of SciFact")


def _keys(line: bytes) -> set[str]:
    try:
        return set(msgspec.json.decode(line, type=dict[str, msgspec.Raw]))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return set()


def _share_out(of_split: dict[str, list[tuple[str, Claim]]], share: float) -> None:
    """Move train's claims to dev. Those that cite an abstract in common, or say the same, are drawn as one."""
    if "train" not in of_split:
        what = f"a share for dev is taken of train, and the claims are of {', '.join(of_split)}"
        raise InputError(what, "--dev-share", "leave it away, or import claims of train")
    parent: dict[str, str] = {}

    def first(name: str) -> str:
        """The smallest name of all that hang together with this one."""
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    train = of_split["train"]
    for _, claim in train:
        for document in claim.documents:
            small, large = sorted((first(f"says {claim.claim}"), first(f"cites {document}")))
            parent[large] = small
    drawn = {id(each) for each in train if falls_in(share, first(f"says {each[1].claim}"))}
    of_split["train"] = [each for each in train if id(each) not in drawn]
    of_split["dev"] = [each for each in train if id(each) in drawn] + of_split.get("dev", [])


def _beside(files: AuthorsFiles) -> AuthorsFiles:
    """The corpus in the folder of a file of claims: the one by sentences where there are two."""
    folders = dict.fromkeys(file.parent for _, file in files.named)
    paths = [folder / f"{name}{packed}" for folder in folders for name in _CORPORA for packed in ("", ".gz")]
    return AuthorsFiles([(path.name, path) for path in paths if path.is_file()][:1], _ENDINGS)
