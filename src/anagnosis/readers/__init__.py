"""Readers, which give every candidate, or label, of an instance a score.

READERS maps a name to a function `(instance, *, options) -> scores` that needs no learning, to a function
`(instances, *, options)` that counts over a train part and returns a function from an instance to scores, or to a
module of a reader that learns (`learning.py` defines its interface). A counting function whose first parameter is
`every` gets the instances of all splits, and one with `asked` those that the reader will answer; it may return an
object with `predict(instances)`, which yields a Prediction for each. The type of the first parameter, of ClozeInstance,
DecisionInstance, EvidenceInstance or QuestionInstance, says which kind of dataset the reader reads. ALIASES are the
papers' own names.
The two papers number their baselines differently: BioRead's BASE1 is BIOMRC's BASE3 (`bioread:BASE1` →
most-frequent-entity). A bare BASE1 is that of the dataset's paper, and BIOMRC's where no dataset is known.
"""

from __future__ import annotations

from typing import Any

from anagnosis import registry
from anagnosis.errors import missing_extra

GROUP = "anagnosis.readers"

READERS = {
    "random-candidate": "anagnosis.readers.heuristics.baselines:random_candidate",
    "first-entity": "anagnosis.readers.heuristics.baselines:first_entity",
    "last-entity": "anagnosis.readers.heuristics.baselines:last_entity",
    "most-frequent-entity": "anagnosis.readers.heuristics.baselines:most_frequent_entity",
    "most-frequent-unless-alone": "anagnosis.readers.heuristics.baselines:most_frequent_unless_alone",
    "neighbour-overlap": "anagnosis.readers.heuristics.baselines:neighbour_overlap",
    "ngram-occurrences": "anagnosis.readers.heuristics.baselines:ngram_occurrences",
    "rand-entity": "anagnosis.readers.heuristics.baselines:rand_entity",
    "maxfreq-entity": "anagnosis.readers.heuristics.baselines:maxfreq_entity",
    "sim-entity": "anagnosis.readers.heuristics.sim_entity:fit",
    "lang-model": "anagnosis.readers.heuristics.lang_model:fit",
    "question-words": "anagnosis.readers.heuristics.question_words:fit",
    "entity-prior": "anagnosis.readers.heuristics.priors:entity_prior",
    "best-position": "anagnosis.readers.heuristics.priors:best_position",
    "question-type-rules": "anagnosis.readers.heuristics.baselines:question_type_rules",
    "attention-sum": "anagnosis.readers.attention_sum",
    "attention-over-attention": "anagnosis.readers.attention_over_attention",
    "stanford-attentive": "anagnosis.readers.stanford_attentive",
    "gated-attention": "anagnosis.readers.gated_attention",
    "masked-encoder": "anagnosis.readers.masked_encoder",
    "majority": "anagnosis.readers.heuristics.priors:majority",
    "shallow-features": "anagnosis.readers.decisions.shallow",
    "bilstm": "anagnosis.readers.decisions.bilstm",
    "esim": "anagnosis.readers.decisions.esim",
    "sentence-overlap": "anagnosis.readers.evidence.overlap:fit",
    "encoder-classifier": "anagnosis.readers.decisions.encoder_classifier",
    "search-order": "anagnosis.readers.evidence.ranking:search_order",
    "jpdrmm": "anagnosis.readers.evidence.jpdrmm",
    "answer-words": "anagnosis.readers.answers.answer_words",
    "snippet-cloze": "anagnosis.readers.answers.snippet_cloze:fit",
    "span": "anagnosis.readers.answers.span",
    "text-to-text": "anagnosis.readers.answers.text_to_text",
    "prompted": "anagnosis.readers.prompted.reading:PromptedReader",
}

ALIASES = {
    # BIOMRC, section 3.1
    "BASE1": "first-entity",
    "BASE2": "last-entity",
    "BASE3": "most-frequent-entity",
    "BASE3+": "most-frequent-unless-alone",
    "BASE4": "neighbour-overlap",
    "biomrc:BASE1": "first-entity",
    "biomrc:BASE2": "last-entity",
    "biomrc:BASE3": "most-frequent-entity",
    "biomrc:BASE3+": "most-frequent-unless-alone",
    "biomrc:BASE4": "neighbour-overlap",
    "AS-READER": "attention-sum",
    "AOA-READER": "attention-over-attention",
    "SCIBERT-MAX-READER": "masked-encoder",
    # BioRead, section 3
    "bioread:BASE1": "most-frequent-entity",
    "bioread:BASE2": "first-entity",
    "bioread:BASE3": "last-entity",
    "bioread:BASE4": "ngram-occurrences",
    # CliCR, section 5.1
    "clicr:rand-entity": "rand-entity",
    "clicr:maxfreq-entity": "maxfreq-entity",
    "clicr:sim-entity": "sim-entity",
    "clicr:lang-model": "lang-model",
}


def canonical(name: str) -> str:
    """The table's name for a name or an alias in any case; an unknown name comes back unchanged."""
    if name in READERS:
        return name
    aliases = {alias.casefold(): reader for alias, reader in ALIASES.items()}
    folded = name.casefold()
    return aliases.get(folded, folded if folded in READERS else name)


def of_dataset(name: str, dataset: str) -> str:
    """The reader that a name means on a dataset: an alias of the dataset's paper counts before BIOMRC's."""
    meant = canonical(f"{dataset}:{name}")
    return meant if meant in READERS else canonical(name)


def paper_names(dataset: str) -> dict[str, str]:
    """Reader → what the paper of a dataset calls it. A dataset whose paper names none has BIOMRC's names."""
    head = f"{dataset}:"
    ours = {reader: alias.removeprefix(head) for alias, reader in ALIASES.items() if alias.startswith(head)}
    return ours or {reader: alias for alias, reader in ALIASES.items() if ":" not in alias}


def find(name: str) -> Any:
    """Load a reader by name or alias: a function, or a module with `prepare`."""
    try:
        return registry.find(READERS, canonical(name), "reader", group=GROUP, aliases=ALIASES)
    except ModuleNotFoundError as fault:
        if (fault.name or "").startswith("anagnosis"):
            raise
        raise missing_extra(fault.name or "torch", "train", f"the reader {canonical(name)}") from fault


def names() -> list[str]:
    """The names of all readers, including those of other packages; loads nothing."""
    return [*registry.known(READERS, GROUP)]
