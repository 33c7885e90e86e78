"""BioRead-like questions of CRAFT's 97 articles, with its own sentences and concepts: the counts that are known.

shared/reference/bioread.md has the counts. The twins on texts of our own are in test_build.py and test_article.py.
"""

from __future__ import annotations

import csv
import gzip
import io
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from anagnosis.annotation.third_party import knowtator
from anagnosis.datasets.bioread import build
from anagnosis.datasets.bioread.recipe import BioReadRecipe
from anagnosis.datasets.build.screening import Screening
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.documents.document import Document, Mention, Section

PAPER = BioReadRecipe(sentences="given", minimum_question_tokens=0, minimum_candidates=0, lower_case=False)
LITE = msgspec.structs.replace(
    PAPER, maximum_passage_tokens=400, maximum_question_tokens=25, maximum_candidates=30
)


class Counted(NamedTuple):
    """instances: by part of CRAFT. dropped, repairs: over all parts."""

    instances: Counter[str]
    dropped: Counter[str]
    repairs: Counter[str]


def members(archive: Path, ending: str) -> Iterator[tuple[str, bytes]]:
    """(name, content) of the files with that ending."""
    with tarfile.open(archive, "r:xz") as opened:
        for member in opened:
            file = opened.extractfile(member) if member.name.endswith(ending) else None
            if file is not None:
                yield member.name, file.read()


def documents(craft: Path) -> dict[str, list[Document]]:
    """The articles by part: a section each, all concepts as mentions, the gold sentences as a fact."""
    sentences: dict[str, list[str]] = defaultdict(list)
    with gzip.open(craft / "conllu" / "sentences.tsv.gz", "rt", encoding="utf-8") as rows:
        for row in csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE):
            sentences[row["pmid"]] += [row["start"], row["end"]]
    mentions: dict[str, list[Mention]] = defaultdict(list)
    for name, data in sorted(members(craft / "concepts.tar.xz", ".xml")):
        for ident, found in knowtator.read(io.BytesIO(data), Counter(), name):
            mentions[ident] += [Mention(a.spans, a.text, a.type, a.identifier, a.name) for a in found]
    texts = {Path(name).stem: data.decode() for name, data in members(craft / "articles.tar.xz", ".txt")}
    parts = {part: texts[f"craft-ids-{part}"].split() for part in ("train", "dev", "test")}
    return {
        part: [
            Document(
                ident,
                (Section("body", texts[ident]),),
                tuple(mentions[ident]),
                facts={"sentence_offsets": " ".join(sentences[ident])},
            )
            for ident in sorted(idents)
        ]
        for part, idents in parts.items()
    }


@pytest.fixture(scope="module")
def craft(shared: Path) -> dict[str, list[Document]]:
    return documents(shared / "data" / "craft")


def counted(parts: dict[str, list[Document]], recipe: BioReadRecipe) -> Counted:
    instances, dropped, repairs = Counter[str](), Counter[str](), Counter[str]()
    for part, papers in parts.items():
        for paper in papers:
            screening = Screening(ClozeColumns())
            build.screen_document(paper, recipe, screening)
            instances[part] += len(screening.columns)
            dropped.update(screening.instances_dropped)
            repairs.update(screening.repairs.counts)
    return Counted(instances, dropped, repairs)


def test_bioread_s_limits_give_48_143_instances(craft: dict[str, list[Document]]) -> None:
    found = counted(craft, PAPER)
    assert found.instances == {"train": 29_152, "dev": 4_801, "test": 14_190}
    assert found.dropped["no_shared_entity"] == 7_858
    assert found.instances.total() + found.dropped["too_many_candidates"] == 51_914
    assert found.repairs == {
        "mention_discontinuous": 2_015,
        "mention_overlapping": 4_109,
        "mention_across_sentences": 1,
    }


def test_lite_s_limits_give_9_614_instances(craft: dict[str, list[Document]]) -> None:
    found = counted(craft, LITE)
    assert found.instances == {"train": 5_567, "dev": 1_234, "test": 2_813}
