"""Views: what a reader sees of an instance. One stored instance serves every setting.

    stored   Effect of IL-2 (interleukin-2) on XXXX.         IL-2, interleukin-2 → candidate 0, number 57
    global   Effect of @entity57 ( @entity57 ) on XXXX .
    local    Effect of @entity0 ( @entity0 ) on XXXX .       the rank of the number in the instance, from 0
    names    Effect of IL-2 (interleukin-2) on XXXX.         no pseudo-identifier anywhere

global and local are the Settings A and B of BIOMRC (section 2). Replacement is by span; a token gets a blank
on each side where there is none, before it unless the text begins there, after it always, at the text's end
too; nothing else is changed, double blanks stay. That is what the published files do. A mention of several
spans becomes one token, from the start of its first to the end of its last span: one mention is one token in
every count that the papers make.

text_form, a fact of the dataset: "original" (the text as published, mentions by offset) or "replaced" (read
from the authors' files: the text holds @entityN already). numbering, likewise: "global", or "local" where
each instance of an imported dataset has numbers of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from anagnosis.datasets.instance import PLACEHOLDER, ClozeInstance, PassageMention
from anagnosis.errors import InputError, unknown_name

PSEUDO = re.compile(r"@entity([0-9]+)")


class Viewed(msgspec.Struct, frozen=True, gc=False):
    """An instance as a reader sees it.

    candidates: how each is written in this view, in the instance's order: its token, or its first name.
    answer: index into them, None if none fits. names: the surfaces of each, empty where a file has none.
    """

    id: str
    passage: str
    question: str
    candidates: tuple[str, ...]
    answer: int | None
    names: tuple[tuple[str, ...], ...]


def view(instance: ClozeInstance, name: str, text_form: str, *, numbering: str = "global") -> Viewed:
    """The instance in the view `name` ("global", "local", "names").

    Refused (InputError): global numbers of a dataset that has only local ones, and names of one whose text
    has been replaced.
    """
    make = VIEWS.get(name)
    if make is None:
        raise unknown_name("view", name, VIEWS)
    return make(instance, text_form, numbering)


def tokens(viewed_text: str) -> list[str]:
    """The white-space tokens of a passage or question ("a whitespace tokenizer", BIOMRC, Table 2)."""
    return viewed_text.split()


def global_view(instance: ClozeInstance, text_form: str, numbering: str) -> Viewed:
    """Setting A: @entityN with the entity's number in the whole dataset."""
    if numbering == "local":
        raise InputError(
            "this dataset has only local numbers, so there is no global view",
            instance.id,
            "use the local view, or import the files of Setting A",
        )
    return _numbered(instance, text_form, [candidate.number for candidate in instance.candidates])


def local_view(instance: ClozeInstance, text_form: str, numbering: str) -> Viewed:
    """Setting B: @entityN with the rank of the entity's number among those of the instance, from 0."""
    numbers = [candidate.number for candidate in instance.candidates]
    if numbering != "local":
        rank = {number: place for place, number in enumerate(sorted(numbers))}
        numbers = [rank[number] for number in numbers]
    return _numbered(instance, text_form, numbers)


def names_view(instance: ClozeInstance, text_form: str, numbering: str) -> Viewed:
    """The original surfaces, in the text and for the candidates; only the answer's mention is hidden."""
    if text_form == "replaced":
        raise InputError(
            "the names view needs the original text, and this dataset was read with @entityN in it",
            instance.id,
            "use the global or the local view, or build the dataset from documents",
        )
    shown = tuple(
        candidate.names[0] if candidate.names else candidate.key for candidate in instance.candidates
    )
    return _viewed(instance, instance.passage, instance.question, shown)


VIEWS: dict[str, Callable[[ClozeInstance, str, str], Viewed]] = {
    "global": global_view,
    "local": local_view,
    "names": names_view,
}


def placeholder_start(instance: ClozeInstance) -> int:
    """Where in the question the placeholder stands.

    A title may hold the word XXXX itself; then the id tells which of them hides the answer.
    """
    question = instance.question
    first = question.find(PLACEHOLDER)
    if first < 0:
        raise InputError(
            f"no {PLACEHOLDER} in the question", instance.id, "build or import the dataset again"
        )
    if question.find(PLACEHOLDER, first + 1) < 0:
        return first
    hidden = instance.id.rpartition(":")[2]
    start = int(hidden) if hidden.isdecimal() else first
    return start if question.startswith(PLACEHOLDER, start) else first


def _numbered(instance: ClozeInstance, text_form: str, numbers: list[int]) -> Viewed:
    shown = tuple([f"@entity{number}" for number in numbers])
    if text_form == "replaced":
        if all(c.number == number for c, number in zip(instance.candidates, numbers)):
            return _viewed(instance, instance.passage, instance.question, shown)
        written = {f"@entity{c.number}": token for c, token in zip(instance.candidates, shown)}
        passage = _renumbered(instance, instance.passage, written)
        question = _renumbered(instance, instance.question, written)
        return _viewed(instance, passage, question, shown)
    start = placeholder_start(instance)
    hidden = PassageMention(((start, start + len(PLACEHOLDER)),), len(shown))
    asked = sorted((*instance.question_mentions, hidden), key=lambda mention: mention.spans)
    passage = _replaced(instance, instance.passage, instance.mentions, shown)
    question = _replaced(instance, instance.question, asked, (*shown, PLACEHOLDER))
    return _viewed(instance, passage, question, shown)


def _viewed(instance: ClozeInstance, passage: str, question: str, shown: tuple[str, ...]) -> Viewed:
    names = tuple([candidate.names for candidate in instance.candidates])
    return Viewed(instance.id, passage, question, shown, instance.answer, names)


def _replaced(
    instance: ClozeInstance, text: str, mentions: Sequence[PassageMention], shown: Sequence[str]
) -> str:
    if not mentions:
        return text
    pieces: list[str] = []
    place = 0
    for mention in mentions:
        spans = mention.spans
        start = spans[0][0]
        if start < place:
            what = f"two mentions overlap at character {start} of {text[start : start + 20]!r}"
            raise InputError(what, instance.id, "leave one of them out")
        between = text[place:start]
        if pieces and not between.startswith(" "):
            pieces.append(" ")
        pieces.append(between)
        if between and not between.endswith(" "):
            pieces.append(" ")
        pieces.append(shown[mention.candidate])
        place = spans[-1][1]
    rest = text[place:]
    if not rest.startswith(" "):
        pieces.append(" ")
    pieces.append(rest)
    return "".join(pieces)


def _renumbered(instance: ClozeInstance, text: str, written: dict[str, str]) -> str:
    try:
        return PSEUDO.sub(lambda found: written[found[0]], text)
    except KeyError as fault:
        what = f"{fault.args[0]} is no candidate, so it has no local number"
        raise InputError(what, instance.id, "import the files again: such instances are refused") from fault
