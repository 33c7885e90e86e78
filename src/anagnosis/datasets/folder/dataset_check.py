"""Is a dataset folder what its receipt says? Hashes, the receipt's sums, and what must hold of every instance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from anagnosis.datasets.folder import receipt as receipts
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze import PLACEHOLDER, ClozeInstance
from anagnosis.datasets.kinds.decision import LABELS, SUBSETS, DecisionInstance
from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.datasets.kinds.question import TYPES, YESNO, QuestionInstance
from anagnosis.errors import InputError
from anagnosis.files import sha256
from anagnosis.folder_check import FolderCheck
from anagnosis.progress import Progress
from anagnosis.recipes import load as recipes


@dataclass(slots=True)
class DatasetCheck(FolderCheck):
    """Of a dataset folder."""

    instances: int = 0

    @property
    def looked_at(self) -> str:
        """What was verified, in words."""
        return f"{self.files} files and {self.instances:,} instances"


def check_dataset(dataset: store.Dataset) -> DatasetCheck:
    """Every problem of a dataset folder."""
    findings = DatasetCheck()
    _check_files(dataset, findings)
    if recipes.digest(dataset.recipe) != dataset.receipt.recipe_sha256:
        findings.add("recipe", store.RECIPE, "is not the recipe that the receipt names")
    if sum(dataset.rows.values()) != dataset.receipt.instances.kept:
        findings.add(
            "receipt",
            receipts.FILE,
            f"says {dataset.receipt.instances.kept} instances, the parts hold {sum(dataset.rows.values())}",
        )
    seen: set[int] = set()
    with Progress("check", sum(dataset.rows.values()), "instances") as progress:
        for split in dataset.rows:
            try:
                for instance in store.read(dataset, split):
                    findings.instances += 1
                    if hash(instance.id) in seen:
                        findings.add("repeated_id", f"{split} {instance.id}", "the id stands twice")
                    seen.add(hash(instance.id))
                    for name, what in _faults(instance, dataset):
                        findings.add(name, f"{split} {instance.id}", what)
                    progress.advance()
            except InputError as fault:
                place = Path(fault.where).relative_to(dataset.folder).as_posix()
                findings.add(
                    "file_unreadable", place, f"{fault.what}; what follows in {split} is not checked"
                )
    return findings


def _faults(
    instance: ClozeInstance | DecisionInstance | QuestionInstance | EvidenceInstance, dataset: store.Dataset
) -> Iterator[tuple[str, str]]:
    if isinstance(instance, ClozeInstance):
        return faults(instance, dataset.text_form)
    if isinstance(instance, QuestionInstance):
        return question_faults(instance)
    if isinstance(instance, EvidenceInstance):
        return evidence_faults(instance)
    return decision_faults(instance)


def question_faults(instance: QuestionInstance) -> Iterator[tuple[str, str]]:
    """(name, what is wrong) of one question; the invariants of docs/formats.md."""
    if not instance.question.strip():
        yield "question", "the question is empty"
    if instance.type not in (*TYPES, ""):
        yield "type", f"the type is {instance.type!r}"
    if instance.exact is not None and not all(instance.exact):
        yield "exact", "an entry of the exact answer has no text"
    if instance.type == YESNO and instance.exact is not None and [*map(len, instance.exact)] != [1]:
        yield "exact", "the exact answer of a yes/no question is not one text"


def evidence_faults(instance: EvidenceInstance) -> Iterator[tuple[str, str]]:
    """(name, what is wrong) of one question with sentences; the invariants of docs/formats.md."""
    if not instance.question.strip():
        yield "question", "the question is empty"
    if not instance.sentences:
        yield "sentences", "there are no sentences"
    for place, sentence in enumerate(instance.sentences):
        if not sentence.text.strip():
            yield "sentence_empty", f"sentence {place} has no text"
    documents = [own[0].document for own in instance.documents()]
    if len(set(documents)) < len(documents):
        yield "documents_apart", "sentences of one document do not stand together"


def decision_faults(instance: DecisionInstance) -> Iterator[tuple[str, str]]:
    """(name, what is wrong) of one decision; the invariants of docs/formats.md."""
    if not instance.question.strip():
        yield "question", "the question is empty"
    for whose, label in (("", instance.label), *instance.annotators):
        if label is not None and label not in LABELS:
            yield "label", f"the label {f'of {whose} ' if whose else ''}is {label!r}"
    if instance.subset not in SUBSETS:
        yield "subset", f"the subset is {instance.subset!r}"
    if instance.subset == "U" and instance.label is not None:
        yield "subset", f"an unlabelled instance has the label {instance.label!r}"


def faults(instance: ClozeInstance, text_form: str) -> Iterator[tuple[str, str]]:
    """(name, what is wrong) of one instance; the invariants of docs/formats.md."""
    keys = [candidate.key for candidate in instance.candidates]
    if len(set(keys)) != len(keys):
        yield "candidates_repeat", "a candidate stands twice"
    if instance.question.count(PLACEHOLDER) != 1:
        yield "placeholder", f"the question holds {instance.question.count(PLACEHOLDER)} {PLACEHOLDER}"
    if instance.answer is not None and not 0 <= instance.answer < len(keys):
        yield "answer", f"the answer is candidate {instance.answer} of {len(keys)}"
    mentioned = {mention.candidate for mention in instance.mentions}
    if mentioned != set(range(len(keys))):
        yield "candidates_and_mentions", "the candidates are not the entities of the passage"
    for where, text, mentions in (
        ("passage", instance.passage, instance.mentions),
        ("question", instance.question, instance.question_mentions),
    ):
        last = -1
        for mention in mentions:
            if not mention.spans or not all(start < end for start, end in mention.spans):
                yield f"{where}_span", f"a mention of the {where} has the spans {list(mention.spans)}"
                continue
            start, end = mention.spans[0][0], mention.spans[-1][1]
            if not 0 <= start < end <= len(text) or not 0 <= mention.candidate < len(keys):
                yield (
                    f"{where}_span",
                    f"a mention of the {where} lies at {start} to {end} of {len(text)} characters",
                )
                continue
            if start < last:
                yield f"{where}_order", f"mentions of the {where} overlap or are out of order at {start}"
            last = end
            surface = text[start:end]
            candidate = instance.candidates[mention.candidate]
            if text_form == "replaced" and surface != f"@entity{candidate.number}":
                yield f"{where}_token", f"{surface!r} stands where @entity{candidate.number} should"
            elif text_form == "original" and where == "passage" and surface not in candidate.names:
                yield "names", f"{surface!r} is not among the names of {candidate.key}"


def _check_files(dataset: store.Dataset, findings: DatasetCheck) -> None:
    named = {output.name: output for output in dataset.receipt.outputs}
    for name, output in named.items():
        path = dataset.folder / name
        findings.files += 1
        if not path.is_file():
            findings.add("file_missing", name, "is missing; build or import the dataset again")
        elif sha256(path) != output.sha256:
            what = "changed since the receipt was written (its SHA-256 differs); build or import the dataset again"
            findings.add("file_changed", name, what)
    for path in sorted((dataset.folder / store.DATA).glob("*")):
        name = path.relative_to(dataset.folder).as_posix()
        if name not in named:
            findings.add("file_unknown", name, "is not in the receipt; move it elsewhere")
