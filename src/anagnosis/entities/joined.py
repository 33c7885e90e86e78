"""Documents with the annotations that other programs made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

import msgspec

from anagnosis.documents.document import Document
from anagnosis.entities.joining import join
from anagnosis.entities.third_party import Annotation
from anagnosis.entities.third_party.reading import AnnotatedText, read_annotations
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike

_SHOWN = 3  # ids in a message


def joined(
    documents: Iterable[Document],
    files: Sequence[tuple[str, PathLike]],
    counts: Counter[str],
    scores: set[str],
    *,
    minimum_score: float | None = None,
    accept_drift: bool = False,
) -> Iterator[Document]:
    """The documents with the annotations of files in place of their mentions. files: (format, file or folder).

    All annotations are in memory. Annotations of a text that differs only in white space are moved to the paper's
    (other_blanks, by document). scores: gets what their scores are. minimum_score, accept_drift: as of `join`. Counted:
    the names of `join` and `read_annotations`; mentions_replaced, relations_left_out, documents_without_mentions, and
    texts_without_document (ids that are annotated and are no document's). InputError: no document is annotated, or
    there is a minimum score and no annotation of a format that has scores.
    """
    annotations: dict[str, list[AnnotatedText]] = {}
    for format, path in files:
        for theirs in read_annotations([path], format, counts):
            # Programs that are given 1234.txt may call the document so.
            annotations.setdefault(theirs.annotations[0].removesuffix(".txt"), []).append(theirs)
            scores.update({theirs.score} - {""})
    if minimum_score is not None and not scores:
        formats = " or ".join(dict.fromkeys(format for format, _ in files))
        raise InputError(f"annotations of {formats} have no score", "--minimum-score", "leave it out")
    seen: set[str] = set()
    for document in documents:
        ident = document.id.removesuffix(".txt")
        seen.add(ident)
        counts["mentions_replaced"] += len(document.mentions)
        counts["relations_left_out"] += len(document.relations)
        bare = msgspec.structs.replace(document, relations=())
        of_document = annotations.get(ident, [])
        done = join(
            bare,
            [each for theirs in of_document for each in _moved_to(document.text, theirs, counts)],
            counts,
            minimum_score=minimum_score,
            origins=of_document[-1].origins if of_document else (0,),
            accept_drift=accept_drift,
        )
        counts["documents_without_mentions"] += not done.mentions
        yield done
    if seen and seen.isdisjoint(annotations):
        ident = next(iter(annotations), "")
        some = ", ".join(map(repr, sorted(seen)[:_SHOWN])) + (", …" if len(seen) > _SHOWN else "")
        what = "no annotation"
        if ident:
            what = f"no document has the id of an annotated text, such as {ident!r}; documents: {some}"
        raise InputError(what, "--from", "call files of annotations after their documents: 1234.ann")
    counts["texts_without_document"] += len(annotations.keys() - seen)


def _moved_to(text: str, theirs: AnnotatedText, counts: Counter[str]) -> list[Annotation]:
    """The annotations, moved to this text if theirs differs from it only in white space."""
    _, listed = theirs.annotations
    if not theirs.text or theirs.text == text:
        return listed
    moved = realigned(listed, theirs.text, text)
    counts["other_blanks"] += moved is not None
    return listed if moved is None else moved


def realigned(annotations: Sequence[Annotation], theirs: str, ours: str) -> list[Annotation] | None:
    """The annotations with offsets in `ours`; None if the texts differ in more than white space.

    Spans of white space alone, or outside their text, stay as they are.
    """
    places = [place for place, character in enumerate(ours) if not character.isspace()]
    if "".join(theirs.split()) != "".join(ours.split()):
        return None
    before = [0, *accumulate(not character.isspace() for character in theirs)]

    def moved(span: tuple[int, int]) -> tuple[int, int]:
        start, end = span
        if not 0 <= start < end <= len(theirs) or before[start] == before[end]:
            return span
        return places[before[start]], places[before[end] - 1] + 1

    return [msgspec.structs.replace(each, spans=tuple(map(moved, each.spans))) for each in annotations]
