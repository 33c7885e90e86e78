"""SciFact's own files: claims, and the abstracts that they cite, by sentence (Wadden et al. 2020, section 3).

    claims_train.jsonl   {"id": 2, "claim": "…", "evidence": {"13734012": [{"sentences": [4], "label": "CONTRADICT"}]},
                          "cited_doc_ids": [13734012]}
    corpus.jsonl         {"doc_id": 4983, "title": "…", "abstract": ["a sentence", …], "structured": false}

Both files, a folder, or an archive; the keys of the first line say which is which. Files of github.com/allenai/scifact.

An instance is a claim and a cited abstract that has evidence, for or against; a sentence is held where any rationale
has it. setting: which claims ("train,validation"), by the names of their files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Annotated, Any

import msgspec

from anagnosis.datasets.export.authors_files import authors_files, json_lines
from anagnosis.datasets.export.layouts import Imported, LayoutFaults, split_of
from anagnosis.datasets.folder.receipt import Input
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.datasets.sampling import falls_in
from anagnosis.datasets.splits import SPLITS
from anagnosis.documents.io.whole import whole
from anagnosis.errors import InputError
from anagnosis.io.compression import without_compression
from anagnosis.io.paths import PathLike

# Which rationale a sentence is of, and whether it is for or against, is not kept.
INSTEAD = "keep them, or export with --layout jsonl"


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


class Abstract(msgspec.Struct, frozen=True):
    """An abstract as the authors write it; what a sentence ends with (3,304 have a line break) is kept."""

    doc_id: int | str
    abstract: tuple[str, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Files:
    """claims: split → (file:line, claim), in the order of the files. abstracts: by id; the first of an id counts."""

    claims: dict[str, list[tuple[str, Claim]]]
    abstracts: dict[str, Abstract]
    inputs: tuple[Input, ...]


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
    files = authors_files(path, (".jsonl",), split=split)
    claims: dict[str, dict[str, tuple[str, Claim]]] = {}
    abstracts: dict[str, Abstract] = {}
    names: list[str] = []
    for opened in files.opened(counts):
        lines = whole(opened.stream, opened.name).splitlines(keepends=True)
        if b'"abstract"' in lines[0]:
            for _, abstract in json_lines(lines, opened.name, Abstract, "not_an_abstract", counts):
                abstracts.setdefault(str(abstract.doc_id), abstract)
        elif b'"claim"' in lines[0]:
            stem = without_compression(opened.name.rpartition("/")[2]).removesuffix(".jsonl")
            names.append(stem.removeprefix("claims_"))
            if not wanted or {stem, names[-1]} & {*wanted}:
                own = claims.setdefault(split or split_of(opened.name), {})
                for where, claim in json_lines(lines, opened.name, Claim, "not_a_claim", counts):
                    if own.setdefault(str(claim.id), (where, claim))[1] is not claim:
                        counts.refuse(where, "repeated_id", f"claim {claim.id} stands twice")
        else:
            counts.note(opened.name, "other_file", "neither claims nor abstracts of SciFact")
    lacking = [each for each in wanted if each.removeprefix("claims_") not in names]
    if not claims or lacking:
        remedy = f"there are {', '.join(names)}" if names else "a line of them has id, claim and evidence"
        raise InputError(f"no claims {', '.join(lacking)}".rstrip(), files.named[0][0], remedy)
    if not abstracts:
        remedy = "give the whole folder, or the corpus (corpus.jsonl of the authors) beside the claims"
        raise InputError("no abstracts of these claims", ", ".join(names), remedy)
    of_split = {each: [*own.values()] for each, own in claims.items()}
    if dev_share:
        _share_out(of_split, dev_share)
    return Files(of_split, abstracts, files.inputs)


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
    drawn = [falls_in(share, first(f"says {claim.claim}")) for _, claim in train]
    of_split["train"] = [each for each, is_dev in zip(train, drawn, strict=True) if not is_dev]
    of_split["dev"] = [*compress(train, drawn), *of_split.get("dev", [])]


def imported(
    path: PathLike | Sequence[PathLike],
    *,
    setting: str | None = None,
    split: str | None = None,
    dev_share: float = 0,
) -> Imported:
    """The claims at `path`, or at several, with their abstracts. dev_share: of train, by what is cited."""
    counts, wanted = LayoutFaults(), (setting or "").replace(",", " ").split()
    found = read(path, counts, wanted=wanted, split=split, dev_share=dev_share)
    recipe: dict[str, Any] = {"dataset": "scifact", "kind": "evidence", "layout": "scifact"}
    recipe |= {"claims": wanted} if wanted else {}
    recipe |= {"dev_share": dev_share} if dev_share else {}
    splits = {name: _instances(found, name, counts) for name in SPLITS if name in found.claims}
    return Imported(splits, recipe, found.inputs, counts)


def _instances(found: Files, split: str, counts: LayoutFaults) -> Iterator[EvidenceInstance]:
    """The instances of a split, claim by claim."""
    for where, claim in found.claims[split]:
        proved = [document for document in claim.evidence if claim.evidence[document]]
        if not proved:
            counts.refuse("", "no_evidence", "")
        for document in proved:
            abstract, held = found.abstracts.get(document), claim.proving(document)
            if abstract is None:
                counts.refuse(where, "abstract_missing", f"{document} of claim {claim.id}")
                continue
            sentences = tuple(
                SourceSentence(document, abstract.title, text, place in held)
                for place, text in enumerate(abstract.abstract)
                if text.strip()
            )
            if any(sentence.held for sentence in sentences):
                yield EvidenceInstance(f"{claim.id}:{document}", claim.claim, sentences)
            else:
                counts.refuse(where, "evidence_not_there", f"{document} of claim {claim.id}")
