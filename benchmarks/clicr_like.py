"""CliCR-like datasets from open case reports: MACCROBAT's gold entities, open articles, E3C's short cases.

    python benchmarks/clicr_like.py SHARED OUT [NAME …]

SHARED holds maccrobat/, jats/, e3c/ and vocabularies/. OUT gets a dataset folder for each NAME (default: all of them),
the papers with entities, and the vocabulary that names entities in articles and cases; the figures go to the terminal.

The vocabulary joins the open names of UMLS's concepts without words that only qualify (right, severe), which count as
problems, and MeSH's headings: diseases are problems, drugs and therapies treatments, diagnostics tests. Headings at the
root of a branch ("Diagnosis") name nothing. It is a stand-in: UMLS is not open.
"""

from __future__ import annotations

import csv
import gzip
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.documents.document import Document
from anagnosis.entities.concepts import NAME_RULES, Concept
from anagnosis.entities.concepts import concepts as concepts_of
from anagnosis.entities.vocabulary import store as store_vocabulary
from anagnosis.entities.vocabulary import terms

# Branch of MeSH's trees → type; the longest branch counts.
BRANCHES = {
    "C": "problem",
    "F03": "problem",
    "D": "treatment",
    "D12.776": "Protein",
    "D27": "Action",
    "E01": "test",
    "E02": "treatment",
    "E03": "treatment",
    "E04": "treatment",
    "E05.200": "test",
    "E06": "treatment",
}
NO_CASE_REPORTS = frozenset(
    ("PMC6358585", "PMC6358587", "PMC6358588", "PMC6358589")
)  # in a file of ten articles
TERMS = "open-names.terms"
OPEN_NAMES = "cui_names_open.tsv.gz"
ABNORMALITY = "HP:0000118"  # the root of HPO's phenotypes; its other branches qualify them


def main() -> None:
    shared, out = map(Path, sys.argv[1:3])
    out.mkdir(parents=True, exist_ok=True)
    store_vocabulary(concepts(shared), out / TERMS)
    for name in sys.argv[3:] or DATASETS:
        print(name, figures(DATASETS[name](shared, out)))


def concepts(shared: Path) -> Iterator[Concept]:
    """The concepts of the vocabulary; UMLS's come first, so that a name of both is UMLS's."""
    for concept in open_disorders(shared):
        yield Concept(concept.identifier, concept.name, concept.names, ("problem",))
    path = shared / "vocabularies" / "mesh_descriptors.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            numbers = row["tree_numbers"].split("|")
            if all("." in number for number in numbers):
                names = dict.fromkeys((row["name"], *filter(None, row["entry_terms"].split("|"))))
                kinds = dict.fromkeys(map(_type, numbers))
                yield Concept(row["id"], row["name"], tuple(names), tuple(kinds))


def open_disorders(folder: Path) -> list[Concept]:
    """The concepts of `OPEN_NAMES`, with all synonyms, without HPO's words that only qualify (right, severe)."""
    qualifying = _qualifying(folder)
    read = terms([folder / "vocabularies" / OPEN_NAMES], Counter())
    found = concepts_of(read, Counter(), [rule for rule in NAME_RULES if rule != "obsolete_term"])
    return [concept for concept in found if concept.identifier not in qualifying]


def _qualifying(folder: Path) -> set[str]:
    """The concepts of `OPEN_NAMES` whose sources are all terms of HPO outside its phenotypes."""
    parents = dict[str, list[str]]()
    term = ""
    with gzip.open(folder / "vocabularies" / "hp.obo.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            tag, _, value = line.rstrip().partition(": ")
            if tag == "id":
                term = value
                parents[term] = []
            elif tag == "is_a":
                parents[term].append(value.partition(" ! ")[0])

    @cache
    def is_abnormality(identifier: str) -> bool:
        return identifier == ABNORMALITY or any(map(is_abnormality, parents.get(identifier, ())))

    outside: dict[str, bool] = {}
    with gzip.open(folder / "vocabularies" / OPEN_NAMES, "rt", encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            is_outside = row["source_id"] in parents and not is_abnormality(row["source_id"])
            outside[row["cui"]] = outside.get(row["cui"], True) and is_outside
    return {cui for cui, is_outside in outside.items() if is_outside}


def _type(number: str) -> str:
    fitting = [branch for branch in BRANCHES if number.startswith(branch)]
    return BRANCHES[max(fitting, key=len)] if fitting else number[:1]


def maccrobat(shared: Path, out: Path) -> Path:
    """200 case reports with gold entities, one sentence a line; the last three sentences give the queries."""
    papers = gold_reports(shared, out)
    return built(papers, out / "maccrobat", (), query_section="last-sentences(3)", sentences="lines")


def gold_reports(shared: Path, out: Path) -> Path:
    """MACCROBAT's case reports with their gold entities."""
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(shared / "maccrobat" / "maccrobat2020.tar.gz") as archive:
            archive.extractall(folder, filter="data")
        texts = sorted(Path(folder).rglob("*.txt"))
        papers = out / "maccrobat.jsonl.gz"
        annotations = [("brat", texts[0].parent)]
        api.annotate(texts, papers, annotations=annotations, accept_drift=True, format="text", replace=True)
    return papers


def conclusions(shared: Path, out: Path) -> Path:
    """Open case reports whose conclusion gives the queries."""
    return built(reports(shared, out), out / "conclusions", [out / TERMS], query_section="conclusion")


def learning_points(shared: Path, out: Path) -> Path:
    """The four open case reports that have learning or key points."""
    return built(reports(shared, out), out / "learning-points", [out / TERMS])


def e3c_cloze(shared: Path, out: Path) -> Path:
    """E3C's 10,034 short cases, whose last sentence gives the queries."""
    papers = annotated([shared / "e3c" / "cases.jsonl.gz"], out, "e3c")
    return built(papers, out / "e3c-cloze", [out / TERMS], query_section="last-sentences(1)")


def reports(shared: Path, out: Path) -> Path:
    """The open case reports with entities by dictionary."""
    papers = out / "articles.jsonl"
    api.write(case_reports(shared), papers, format="jsonl", replace=True)
    return annotated([papers], out, "case-reports")


def case_reports(shared: Path) -> Iterator[Document]:
    """The 102 open case reports, in full."""
    for document in api.read(shared / "jats" / "case_reports.tar.xz", full_text=True):
        if document.facts.get("pmcid") not in NO_CASE_REPORTS:
            yield document


def annotated(paths: Sequence[Path], out: Path, name: str) -> Path:
    """The papers with the vocabulary's entities."""
    papers = out / f"{name}.jsonl.gz"
    api.annotate(paths, papers, terms=[out / TERMS], without=["adjectives"], full_text=True, replace=True)
    return papers


def built(papers: Path, folder: Path, terms: Sequence[Path], **settings: Any) -> Path:
    """The dataset of these papers."""
    api.build("clicr", [papers], folder, terms=terms, settings=settings, replace=True)
    return folder


def figures(folder: Path) -> dict[str, Any]:
    """Queries, reports, answers among the candidates, hidden texts that are an entity or a part of the passage."""
    dataset = api.load(folder)
    counts = Counter[str]()
    reports = set[str]()
    for split in dataset.sizes:
        for instance in store.instances(dataset, split, of=ClozeInstance):
            hidden = instance.answers[0].lower()
            reports.add(instance.document)
            counts["queries"] += 1
            counts["answered"] += instance.answer is not None
            counts["entity"] += hidden in {candidate.key for candidate in instance.candidates}
            counts["substring"] += hidden in instance.passage.lower()
            counts["names"] += len(instance.answers) - 1
    receipt = dataset.receipt
    dropped = {"documents": receipt.documents.dropped, "instances": receipt.instances.dropped}
    return {"reports": len(reports), **counts, **dataset.sizes, **dropped, "counted": receipt.repairs}


DATASETS: dict[str, Callable[[Path, Path], Path]] = {
    "maccrobat": maccrobat,
    "conclusions": conclusions,
    "learning-points": learning_points,
    "e3c-cloze": e3c_cloze,
}

if __name__ == "__main__":
    main()
