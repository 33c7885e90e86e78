"""Cloze questions: a passage, a question with a gap, candidates. BioMRC, BioRead and CliCR are of this kind.

The instance, its schema, its tokens and its sentences are in cloze_instance.py, its columns in cloze_columns.py, its
views in cloze_views.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec
import pyarrow as pa

from anagnosis.datasets.arrays import without_nulls
from anagnosis.datasets.kinds import cloze_columns, cloze_views
from anagnosis.datasets.kinds.cloze_instance import (
    ANSWER_COLUMNS,
    CLOZE_SCHEMA,
    PLACEHOLDER,
    ClozeInstance,
    outside,
    sentences,
)
from anagnosis.datasets.kinds.cloze_views import demand_original, names_view
from anagnosis.datasets.kinds.kind import (
    EXACT,
    EXACT_TYPE,
    GoldColumns,
    Kind,
    Rows,
    RunningText,
)
from anagnosis.datasets.kinds.question import FACTOID, SNIPPETS, SnippetQuestion

_TEXT, _TEXTS = pa.string(), pa.list_(pa.string())
_ROWS = Rows(
    {
        "id": (_TEXT, lambda instance, viewed: viewed.id),
        "document": (_TEXT, lambda instance, viewed: instance.document),
        "passage": (_TEXT, lambda instance, viewed: viewed.passage),
        "question": (_TEXT, lambda instance, viewed: viewed.question),
        "candidates": (_TEXTS, lambda instance, viewed: list(viewed.candidates)),
        "keys": (_TEXTS, lambda instance, viewed: _keys(instance)),
        "names": (pa.list_(_TEXTS), lambda instance, viewed: [list(names) for names in viewed.names]),
        "answer": (
            _TEXT,
            lambda instance, viewed: None if viewed.answer is None else viewed.candidates[viewed.answer],
        ),
        "answer_index": (pa.int32(), lambda instance, viewed: viewed.answer),
        "labels": (_TEXTS, lambda instance, viewed: list(instance.labels)),
    }
)


def faults(instance: ClozeInstance, text_form: str) -> Iterator[tuple[str, str]]:
    """(name, what is wrong) of one instance; the invariants of docs/formats.md."""
    keys = [candidate.key for candidate in instance.candidates]
    if len(set(keys)) != len(keys):
        yield "candidates_repeat", "a candidate stands twice"
    if instance.question.count(PLACEHOLDER) != 1:
        yield "placeholder", f"the question holds {instance.question.count(PLACEHOLDER)} {PLACEHOLDER}"
    if instance.answer is not None and not 0 <= instance.answer < len(keys):
        yield "answer", f"the answer is candidate {instance.answer} of {len(keys)}"
    for name in ANSWER_COLUMNS:
        if (count := len(getattr(instance, name))) not in (0, len(instance.answers)):
            yield "answer_columns", f"{count} {name} for {len(instance.answers)} answers"
    numbers = {candidate.number for candidate in instance.candidates}
    if {mention.candidate for mention in instance.mentions} != set(range(len(keys))):
        yield "candidates_and_mentions", "the candidates are not the entities of the passage"
    for where, text, mentions in (
        ("passage", instance.passage, instance.mentions),
        ("question", instance.question, instance.question_mentions),
    ):
        last = -1
        for mention in mentions:
            spans, of = mention.spans, mention.candidate
            start, end = (spans[0][0], spans[-1][1]) if spans else (0, 0)
            is_outside = where == "question" and of < 0
            if (
                not 0 <= start < end <= len(text)
                or (len(spans) > 1 and any(first >= behind for first, behind in spans))
                or not (is_outside or 0 <= of < len(keys))
            ):
                what = f"a mention of the {where} has the spans {[*spans]} of {len(text)} characters"
                yield f"{where}_span", what
                continue
            if start < last:
                yield f"{where}_order", f"mentions of the {where} overlap or are out of order at {start}"
            last = end
            surface = text[start:end]
            number = outside(of) if is_outside else instance.candidates[of].number
            if is_outside and number in numbers:
                yield f"{where}_outside", f"entity {number} is marked as no candidate, and is one"
            elif text_form == "replaced" and surface != f"@entity{number}":
                yield f"{where}_token", f"{surface!r} stands where @entity{number} should"
            elif (
                text_form == "original"
                and where == "passage"
                and surface not in instance.candidates[of].names
            ):
                yield "names", f"{surface!r} is not among the names of {keys[of]}"


def gold_side(batch: pa.RecordBatch) -> dict[str, Any]:
    """The gold side (`GoldColumns.convert`).

    Where the surfaces of the answers were read, they are the synonyms of one entry; None where there are none.
    """
    lists: Any = batch.column("candidates")
    candidates = lists.flatten()
    names = candidates.field("names")
    found: dict[str, Any] = {
        "id": batch.column("id"),
        "document": batch.column("document"),
        "candidates": lists.value_lengths(),
        "answer": without_nulls(batch.column("answer"), -1),
        **{name: candidates.field(name) for name in ("key", "type", "number")},
        "names": names.value_lengths(),
        "name": names.flatten(),
    }
    if "answers" in batch.schema.names:
        found[EXACT] = [[surfaces] if surfaces else None for surfaces in batch.column("answers").to_pylist()]
    if "answer_types" in batch.schema.names:
        found[EXACT_TYPE] = [own[0] if own else "" for own in batch.column("answer_types").to_pylist()]
    return found


def _without_answer(instance: ClozeInstance) -> ClozeInstance:
    """The candidates and their names are the passage's, and stay."""
    columns: dict[str, Any] = dict.fromkeys(ANSWER_COLUMNS, ())
    return msgspec.structs.replace(instance, answer=None, answers=(), **columns)


def _keys(instance: ClozeInstance) -> list[str]:
    return [candidate.key for candidate in instance.candidates]


def as_snippet_question(instance: ClozeInstance, text_form: str, numbering: str) -> SnippetQuestion:
    """The instance as a factoid question. InputError: the text does not hold the names of its entities."""
    demand_original(instance, text_form, numbering, SNIPPETS)
    viewed = names_view(instance, text_form, numbering)
    exact = None
    if viewed.answer is not None:
        in_passage = [
            viewed.passage[start:end]
            for start, end, candidate in viewed.mentions
            if candidate == viewed.answer
        ]
        exact = (tuple(dict.fromkeys([*in_passage, *viewed.names[viewed.answer]])),)
    return SnippetQuestion(instance.id, FACTOID, viewed.question, (viewed.passage,), exact)


KIND = Kind(
    name="cloze",
    holds="cloze questions",
    record=ClozeInstance,
    schema=CLOZE_SCHEMA,
    tables=cloze_columns.tables,
    instances=cloze_columns.instances,
    entities=True,
    keys=_keys,
    gold=GoldColumns(("id", "document", "candidates", "answer"), gold_side, ("answers", "answer_types")),
    faults=faults,
    views=cloze_views.VIEWS,
    candidate_texts=lambda viewed: viewed.candidates,
    views_of_others={SNIPPETS: as_snippet_question},
    usual_view="global",
    rows=_ROWS,
    running_text=RunningText(
        lambda instance: [instance.document],
        partial(sentences, written=str.lower),
    ),
    withholdings={"answers": _without_answer},
    statistics="anagnosis.datasets.cloze_statistics:cloze_statistics",
    layout="biomrc",
)
