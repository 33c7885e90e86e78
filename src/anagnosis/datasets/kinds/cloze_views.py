"""Views: what a reader sees of an instance. One stored instance serves every setting.

    stored   Effect of IL-2 (interleukin-2) on XXXX.         IL-2, interleukin-2 → candidate 0, number 57
    global   Effect of @entity57 ( @entity57 ) on XXXX .
    local    Effect of @entity0 ( @entity0 ) on XXXX .       the rank of the number in the instance, from 0
    names    Effect of IL-2 (interleukin-2) on XXXX.         no pseudo-identifier anywhere
    both     as global, and each candidate is @entity57 :: [IL-2 | interleukin-2]
    anonymous  as local, but numbered by first occurrence in the passage and then in the question, in every dataset
    marked     Effect of @entityil-2 ( @entityinterleukin-2 ) on XXXX .     an entity is one token of its words
    plain      Effect of IL-2 (interleukin-2) on XXXX.       and readers must not use where the mentions are

global and local are BIOMRC's Settings A and B (section 2), both is Figure 4; marked, anonymous and plain are Ent,
Anonym and NoEnt of CliCR (section 3.3), whose Stanford reader has a report's title at the end: `-title-last`.
Replacement is by span. A token gets a blank on each side where there is none, before it unless the text begins there;
nothing else is changed. That is what the published files do. A mention of several spans becomes one token, from the
start of its first to the end of its last span.

text_form, a fact of the dataset: "original" (the text as published, mentions by offset) or "replaced" (the authors'
files: the text holds @entityN already; names shows all names of it, [IL-2 | interleukin-2]). numbering, likewise:
"global", or "local" where each instance of an imported dataset has numbers of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from anagnosis.datasets.kinds.cloze_instance import (
    PLACEHOLDER,
    Candidate,
    ClozeInstance,
    Marked,
    MentionPlace,
    PassageMention,
    entity_token,
    key_texts,
    mention_places,
    outside,
    placeholder_start,
    written,
)
from anagnosis.errors import InputError, unknown_name

FIRST_APPEARANCE = "first-appearance"
# (instance, text_form, numbering) → what a reader sees of it.
View = Callable[[ClozeInstance, str, str], "Viewed"]


class Viewed(msgspec.Struct, frozen=True, gc=False):
    """An instance as a reader sees it.

    Mentions are (start, end, candidate) in the viewed text, ordered, apart; one of several spans reaches from the start
    of the first to the end of the last.
    """

    id: str
    passage: str
    question: str
    candidates: tuple[str, ...]  # how each is written in this view, in the instance's order
    answer: int | None  # index into them, None if none fits
    names: tuple[tuple[str, ...], ...]  # the surfaces of each, empty where a file has none
    mentions: tuple[MentionPlace, ...]
    question_mentions: tuple[MentionPlace, ...]
    placeholder: tuple[int, int]  # (start, end) of the hidden mention's XXXX in the question
    outside: tuple[MentionPlace, ...] = ()  # in the question, of entities that are no candidates
    plain: bool = False  # readers must not use where the mentions are
    title_last: bool = False  # the passage's first line stands at its end

    @property
    def key_texts(self) -> tuple[str, str]:
        """As those of the instance."""
        asked = sorted((*self.question_mentions, *self.outside)) if self.outside else self.question_mentions
        question, passage = key_texts(self.question, asked, self.passage, self.mentions)
        if self.title_last:
            rest, _, title = passage.rpartition("\n")
            passage = f"{title}\n{rest}"
        return question, passage


def view(instance: ClozeInstance, name: str, text_form: str, *, numbering: str = "global") -> Viewed:
    """The instance in the view `name` (a key of VIEWS).

    Refused (InputError): global numbers of a dataset that has only local ones, names of one that has none, and the
    original text of one whose text has been replaced.
    """
    if name not in VIEWS:
        raise unknown_name("view", name, VIEWS)
    return VIEWS[name](instance, text_form, numbering)


def global_view(instance: ClozeInstance, text_form: str, numbering: str) -> Viewed:
    """Setting A: @entityN with the entity's number in the whole dataset."""
    if numbering == "local":
        what = "this dataset has only local numbers, so there is no global view"
        raise InputError(what, instance.id, "use the local view, or import the files of Setting A")
    return _numbered(instance, text_form, [candidate.number for candidate in instance.candidates])


def local_view(instance: ClozeInstance, text_form: str, numbering: str) -> Viewed:
    """Setting B: @entityN with numbers of the instance's own, from 0.

    They are the ranks of the dataset's numbers, or count the entities in their order of first appearance, in the
    passage and then in the question, as the dataset's numbering says.
    """
    numbers = [candidate.number for candidate in instance.candidates]
    if numbering == "local":
        return _numbered(instance, text_form, numbers)
    if numbering == FIRST_APPEARANCE:
        return anonymous_view(instance, text_form, numbering)
    ordered = sorted({*numbers, *map(outside, _outside(instance))})
    rank = {number: place for place, number in enumerate(ordered)}
    return _numbered(instance, text_form, [rank[number] for number in numbers], rank)


def anonymous_view(instance: ClozeInstance, text_form: str, numbering: str) -> Viewed:
    """@entityN, numbered from 0 by first occurrence in the passage and then in the question (CliCR's Anonym)."""
    numbers = [candidate.number for candidate in instance.candidates]
    standing = [mention.candidate for mention in (*instance.mentions, *instance.question_mentions)]
    ordered = [numbers[place] if place >= 0 else outside(place) for place in standing]
    rank = {number: place for place, number in enumerate(dict.fromkeys([*ordered, *numbers]))}
    return _numbered(instance, text_form, [rank[number] for number in numbers], rank)


def marked_view(instance: ClozeInstance, text_form: str, numbering: str) -> Viewed:
    """Each entity as one token of its lower-cased words: @entitylow_grade_fever (CliCR's Ent).

    The words are those of the candidate's first name. A candidate whose first name another candidate has, in letters of
    any case, gets its number too, since a token is one candidate.
    """
    demand_original(instance, text_form, numbering, "marked")
    tokens = [entity_token(_first_name(candidate)) for candidate in instance.candidates]
    shown = tuple(
        token if tokens.index(token) == place else f"{token}_{instance.candidates[place].number}"
        for place, token in enumerate(tokens)
    )
    places = mention_places(instance.question_mentions)
    others = {of: entity_token(instance.question[start:end]) for start, end, of in places if of < 0}
    return _written(instance, shown, shown, others, blanks=True)


def plain_view(instance: ClozeInstance, text_form: str, numbering: str) -> Viewed:
    """The original text, in which readers look for the words of the candidates, not for mentions (CliCR's NoEnt)."""
    demand_original(instance, text_form, numbering, "plain")
    return msgspec.structs.replace(names_view(instance, text_form, numbering), plain=True)


def with_title_last(make: View) -> View:
    """The view of the instance with the passage's first line at its end."""

    def title_last_view(instance: ClozeInstance, text_form: str, numbering: str) -> Viewed:
        title, line_break, rest = instance.passage.partition("\n")
        if not line_break:
            return make(instance, text_form, numbering)
        border, further = len(title) + 1, len(rest) + 1
        moved: list[PassageMention] = []
        for mention in instance.mentions:
            by = further if mention.spans[0][0] < border else -border
            spans = tuple([(start + by, end + by) for start, end in mention.spans])
            moved.append(PassageMention(spans, mention.candidate))
        mentions = tuple(sorted(moved, key=lambda mention: mention.spans))
        turned = msgspec.structs.replace(instance, passage=f"{rest}\n{title}", mentions=mentions)
        return msgspec.structs.replace(make(turned, text_form, numbering), title_last=True)

    return title_last_view


def names_view(instance: ClozeInstance, text_form: str, numbering: str) -> Viewed:
    """The original surfaces, in the text and for the candidates; only the answer's mention is hidden.

    In a text that has been replaced all names of an entity stand in brackets, [patients | women], of those that differ
    by capitals alone the first (thesis, Figure 3.3).
    """
    shown = tuple([_first_name(candidate) for candidate in instance.candidates])
    if text_form != "replaced":
        return _as_stored(instance, shown)
    _demand_names(instance, "names")
    others = {of: f"@entity{outside(of)}" for of in _outside(instance)}
    return _written(instance, shown, [_bracketed(c.names) for c in instance.candidates], others, blanks=False)


def both_view(instance: ClozeInstance, text_form: str, numbering: str) -> Viewed:
    """@entityN in the text, and the names of each beside the candidates (BIOMRC, Figure 4)."""
    _demand_names(instance, "both")
    made = view(instance, by_numbers(numbering), text_form, numbering=numbering)
    pairs = zip(made.candidates, made.names, strict=True)
    shown = tuple([f"{token} :: [{' | '.join(names)}]" for token, names in pairs])
    return msgspec.structs.replace(made, candidates=shown)


def people_view(text_form: str, numbering: str) -> str:
    """The view that people are shown where none is asked for: with names, if the dataset has any."""
    return "local" if text_form == "replaced" and numbering == "local" else "names"


def by_numbers(numbering: str) -> str:
    """The view that shows a dataset's texts with its pseudo-identifiers, by its numbering."""
    return "local" if numbering == "local" else "global"


VIEWS: dict[str, View] = {
    "global": global_view,
    "local": local_view,
    "names": names_view,
    "both": both_view,
    "marked": marked_view,
    "anonymous": anonymous_view,
    "plain": plain_view,
    "marked-title-last": with_title_last(marked_view),
    "anonymous-title-last": with_title_last(anonymous_view),
}


def _first_name(candidate: Candidate) -> str:
    return candidate.names[0] if candidate.names else candidate.key


def demand_original(instance: ClozeInstance, text_form: str, numbering: str, view: str) -> None:
    """Refuse (InputError) a text whose mentions have been replaced, which a view cannot show."""
    if text_form == "replaced":
        what = f"the {view} view needs the original text, and this dataset was read with @entityN in it"
        other = "local" if numbering == "local" else "global or the local"
        raise InputError(what, instance.id, f"use the {other} view, or build the dataset from documents")


def _demand_names(instance: ClozeInstance, view: str) -> None:
    if not all(candidate.names for candidate in instance.candidates):
        what = (
            f"the {view} view needs the names of entities, and this dataset was read from files without them"
        )
        raise InputError(what, instance.id, "use the local view, or import the files of Setting A")


def _bracketed(names: Sequence[str]) -> str:
    """The names in brackets, `[IL-2 | interleukin-2]`; of those that differ by capitals alone the first."""
    distinct: dict[str, str] = {}
    for name in names:
        distinct.setdefault(name.casefold(), name)
    return f"[{' | '.join(distinct.values())}]"


def _outside(instance: ClozeInstance) -> list[int]:
    """The question's entities that are no candidates, as `outside` gives them, in their order."""
    return [mention.candidate for mention in instance.question_mentions if mention.candidate < 0]


def _numbered(
    instance: ClozeInstance, text_form: str, numbers: list[int], rank: Mapping[int, int] | None = None
) -> Viewed:
    """rank: dataset's number → the instance's, for entities that are no candidates; None: the dataset's."""
    shown = tuple([f"@entity{number}" for number in numbers])
    is_replaced = text_form == "replaced"
    if is_replaced and [candidate.number for candidate in instance.candidates] == numbers:
        return _as_stored(instance, shown)
    others = {of: f"@entity{rank[outside(of)] if rank else outside(of)}" for of in _outside(instance)}
    return _written(instance, shown, shown, others, blanks=not is_replaced)


def _as_stored(instance: ClozeInstance, shown: tuple[str, ...]) -> Viewed:
    passage = (instance.passage, mention_places(instance.mentions))
    question = (instance.question, mention_places(instance.question_mentions))
    return _viewed(instance, passage, question, shown, placeholder_start(instance))


def _written(
    instance: ClozeInstance,
    shown: tuple[str, ...],
    tokens: Sequence[str],
    others: Mapping[int, str],
    *,
    blanks: bool,
) -> Viewed:
    """The text with a token for each mention. others: `outside(number)` → token of a mention of the question."""
    start = placeholder_start(instance)
    hidden = PassageMention(((start, start + len(PLACEHOLDER)),), len(shown))
    asked = sorted((*instance.question_mentions, hidden), key=lambda mention: mention.spans)
    passage = written(instance, instance.passage, instance.mentions, tokens, blanks=blanks)
    tokens_of = dict(enumerate((*tokens, PLACEHOLDER))) | dict(others)
    text, places = written(instance, instance.question, asked, tokens_of, blanks=blanks)
    start = next(place[0] for place in places if place[2] == len(shown))
    question = (text, tuple([place for place in places if place[2] != len(shown)]))
    return _viewed(instance, passage, question, shown, start)


def _viewed(
    instance: ClozeInstance, passage: Marked, question: Marked, shown: tuple[str, ...], start: int
) -> Viewed:
    return Viewed(
        instance.id,
        passage[0],
        question[0],
        shown,
        instance.answer,
        tuple([candidate.names for candidate in instance.candidates]),
        passage[1],
        tuple([place for place in question[1] if place[2] >= 0]),
        (start, start + len(PLACEHOLDER)),
        tuple([place for place in question[1] if place[2] < 0]),
    )
