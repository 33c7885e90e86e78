"""Questions with known evidence, each with an index of the papers that they are asked of: for other benchmarks.

FOLDER is one with bioasq/golden-*.tar.gz, retrieval/scifact.tar.gz, retrieval/covid_qa_200423.json.gz and
pubmedqa/ori_pqal.json.gz. Names of sets:

    bioasq-8        the questions of an edition, over documents made of the snippets of all golden files
    scifact-train   SciFact's claims with evidence, over its abstracts; also scifact-validation
    pqal            PQA-L's questions, over its abstracts with their conclusions and without their titles
    pqal-plain      the same without headings: each abstract is one section
    covid-qa        COVID-QA's questions, over its articles
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import anagnosis
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.documents.document import Document, Section
from anagnosis.io.archives import open_each
from anagnosis.searching.index.index import Index, create_index, open_index
from snippet_recall import plain, snippet_collection

BIOASQ, SCIFACT, PQAL, COVID = "bioasq-", "scifact-", "pqal", "covid-qa"


class Question(NamedTuple):
    """A question. gold: document → texts of its gold sentences. documents: those that answer it."""

    question: str
    gold: dict[str, list[str]]
    documents: frozenset[str]


class Sets:
    """The sets of a folder. built: where indexes are kept while this object is used."""

    def __init__(self, folder: Path, built: Path, encoder: str | None = None) -> None:
        self.folder, self.built, self.encoder = folder, built, encoder
        self._bioasq: list[QuestionInstance] = []

    def load(self, name: str) -> tuple[Index, list[Question]]:
        """(index, questions) of a set; the caller closes the index."""
        if name.startswith(BIOASQ):
            return self._of_bioasq(name.removeprefix(BIOASQ))
        documents, questions = self._documents(name)
        return self._index(name, documents), questions

    def _documents(self, name: str) -> tuple[list[Document], list[Question]]:
        if name.startswith(SCIFACT):
            return scifact(self.folder / "retrieval/scifact.tar.gz", name.replace(SCIFACT, "claims_"))
        if name == COVID:
            return covid_qa(self.folder / "retrieval/covid_qa_200423.json.gz")
        return pqal(self.folder / "pubmedqa/ori_pqal.json.gz", headings=name == PQAL)

    def _of_bioasq(self, edition: str) -> tuple[Index, list[Question]]:
        if not self._bioasq:
            golden = sorted(str(path) for path in (self.folder / "bioasq").glob("golden-*.tar.gz"))
            dataset = anagnosis.import_dataset(golden, self.built / "questions", layout="bioasq")
            self._bioasq = list(store.instances(dataset, store.ALL, of=QuestionInstance))
            index = snippet_collection(self._bioasq, self.built / "bioasq")
            self._encode(index)
            index.close()
        asked = [one for one in self._bioasq if one.file.startswith(f"{edition}B") and one.snippets]
        return open_index(self.built / "bioasq"), [of_bioasq(one) for one in asked]

    def _index(self, name: str, documents: Iterable[Document]) -> Index:
        if (self.built / name).exists():
            return open_index(self.built / name)
        index, counts = create_index(self.built / name), Counter[str]()
        for document in documents:
            index.add(document, counts)
        index.commit()
        self._encode(index)
        return index

    def _encode(self, index: Index) -> None:
        if self.encoder:
            from anagnosis.searching.vectors.encoding import SentenceEncoder

            index.encode(SentenceEncoder(self.encoder))


def of_bioasq(question: QuestionInstance) -> Question:
    gold: dict[str, list[str]] = {}
    for snippet in question.snippets:
        gold.setdefault(snippet.pmid, []).append(plain(snippet.text))
    listed = {address.rpartition("/")[2] for address in question.documents}
    return Question(question.question, gold, frozenset(gold) | listed)


def rows(archive: Path, name: str) -> Iterator[dict[str, Any]]:
    for member in open_each(archive, (f"/{name}.jsonl",)):
        yield from map(json.loads, member.stream)


def scifact(archive: Path, claims: str) -> tuple[list[Document], list[Question]]:
    abstracts = {str(row["doc_id"]): row for row in rows(archive, "corpus_sentences")}
    documents = [
        Document(ident, (Section("title", row["title"]), Section("abstract", " ".join(row["abstract"]))))
        for ident, row in abstracts.items()
    ]
    questions: list[Question] = []
    for claim in rows(archive, claims):
        gold = dict[str, list[str]]()  # abstract → its evidence sentences, for or against
        for ident, own in claim["evidence"].items():
            gold[ident] = [plain(abstracts[ident]["abstract"][n]) for each in own for n in each["sentences"]]
        questions += [Question(claim["claim"], gold, frozenset(gold))] if gold else []
    return documents, questions


def pqal(path: Path, *, headings: bool) -> tuple[list[Document], list[Question]]:
    documents, questions = list[Document](), list[Question]()
    for pmid, row in json.loads(gzip.decompress(path.read_bytes())).items():
        parts = [*zip(row["LABELS"], row["CONTEXTS"], strict=True), ("CONCLUSIONS", row["LONG_ANSWER"])]
        if headings:
            sections = tuple(Section("abstract", text, title=label) for label, text in parts)
        else:
            sections = (Section("abstract", " ".join(text for _, text in parts)),)
        documents.append(Document(pmid, sections))
        questions.append(Question(row["QUESTION"], {pmid: [plain(row["LONG_ANSWER"])]}, frozenset([pmid])))
    return documents, questions


def covid_qa(path: Path) -> tuple[list[Document], list[Question]]:
    documents, questions = list[Document](), list[Question]()
    for number, article in enumerate(json.loads(gzip.decompress(path.read_bytes()))["data"]):
        for part in article["paragraphs"]:
            ident = str(part.get("document_id", number))
            documents.append(Document(ident, (Section("body", part["context"]),)))
            for one in part["qas"]:
                gold = {ident: [plain(one["answers"][0]["text"])]}
                questions.append(Question(one["question"], gold, frozenset(gold)))
    return documents, questions


def is_gold(text: str, gold: Iterable[str]) -> bool:
    """Whether a sentence lies in a gold text, or has one in it, in any case."""
    of = plain(text).casefold()
    return any(of in one or one in of for one in (each.casefold() for each in gold))
