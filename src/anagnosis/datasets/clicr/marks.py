"""Entities marked inside a text, as CliCR's files mark them.

    He had BEG__chest pain__END and BEG__fever__END .

A mark stands at the front of the first word and at the end of the last one, without a blank. Words are parted by
white space, and a line of text holds whole entities. The published program reads marks in
several ways: `words_and_entities` for building, `entity_tokens` for readers.

Source: the program of CliCR (clips/clicr, commit 557f6d9), whose names for these functions the docstrings give.
"""

from __future__ import annotations

import re

from anagnosis.datasets.kinds.cloze_instance import ENTITY

BEGIN = "BEG__"
END = "__END"
PLACEHOLDER = "@placeholder"

_MARK = re.compile(f"{BEGIN}|{END}")
_ENTITY = re.compile(rf"(?<!\S){BEGIN}((?!\s)(?:(?!{BEGIN}|{END})[^\n])+(?<!\s)){END}(?!\S)")


class InconsistentMarksError(Exception):
    """Marks at which a reader of the published program stops; the message says which."""


def set_marks_apart(text: str) -> str:
    """The text with a blank between a mark and what is glued to its outer side.

    A word is what stands between single blanks. Its first begin mark and its first end mark count; a word that begins
    with the one and ends with the other stays as it is. A comma behind an entity is set apart first. `fix_marks`.
    """
    text = text.replace(f"{END},", f"{END} ,")
    pieces: list[str] = []
    last = 0
    while mark := _MARK.search(text, last):
        start, end = max(text.rfind(" ", last, mark.start()) + 1, last), text.find(" ", mark.end())
        end = len(text) if end < 0 else end
        pieces += (text[last:start], _apart(text[start:end]))
        last = end
    return "".join((*pieces, text[last:]))


def _apart(word: str) -> str:
    if word.startswith(BEGIN) and word.endswith(END):
        return word
    begin = word.find(BEGIN)
    if begin > 0 or (begin == 0 and END in word):
        word = f"{word[:begin]} {word[begin:]}"
    end = word.find(END)
    if end >= 0 and (begin >= 0 or not word.endswith(END)):
        after = end + len(END)
        word = f"{word[:after]} {word[after:]}"
    return word


def words_and_entities(text: str) -> list[list[str]]:
    """The lines of a text, each a list of unmarked words and of marked entities with their words parted by one blank.

    An entity that no line ends is left out with its words. An entity over a line break is written in the second line.
    InconsistentMarksError: the first end mark stands before any entity of several words was begun. `read_concept_text`.
    """
    lines: list[list[str]] = []
    entity: list[str] | None = None
    for line in text.split("\n"):
        if BEGIN not in line and END not in line:
            lines.append(line.split())
            continue
        items: list[str] = []
        is_open = False
        for word in line.split():
            is_marked = "__" in word  # few words are
            begins, ends = is_marked and word.startswith(BEGIN), is_marked and word.endswith(END)
            if begins and ends:
                items.append(word)
            elif begins:
                entity, is_open = [word], True
            elif ends:
                if entity is None:
                    raise InconsistentMarksError("an entity ends that never began")
                entity.append(word)
                items.append(" ".join(entity))
                is_open = False
            elif is_open and entity is not None:
                entity.append(word)
            else:
                items.append(word)
        lines.append(items)
    return lines


def entity_tokens(text: str) -> str:
    """The text on one line with each entity as one token: "@entitychest_pain".

    Of an entity of one word only what stands before its first "_" counts. An entity that stands inside another is
    written, and takes the place of the words so far of the outer one. `to_entities`.
    """
    words: list[str] = []
    entity: list[str] = []
    is_open = False
    for word in text.split():
        begins, ends = word.startswith(BEGIN), word.endswith(END)
        if begins and ends:
            entity = [word[len(BEGIN) : -len(END)].partition("_")[0]]
            words.append(ENTITY + entity[0])
        elif begins:
            entity, is_open = [word[len(BEGIN) :]], True
        elif ends and is_open:
            words.append(ENTITY + "_".join([*entity, word[: -len(END)]]))
            is_open = False
        elif is_open:
            entity.append(word)
        else:
            words.append(word.removesuffix(END))
    return " ".join(words)


def entity_name(token: str) -> str:
    """The words of an entity's token: "@entityleft_hand" gives "left hand". `ent_to_plain`."""
    return token[len(ENTITY) :].replace("_", " ")


def is_consistent(text: str) -> bool:
    """Whether every mark stands at the front or the end of a word, and none begins or ends an entity out of turn."""
    is_open = False
    for word in text.split():
        if "__" not in word:
            continue
        begins, ends = BEGIN in word, END in word
        if begins and ends:
            if not (word.startswith(BEGIN) and word.endswith(END)):
                return False
            is_open = False
        elif begins:
            if is_open or word == BEGIN or not word.startswith(BEGIN):
                return False
            is_open = True
        elif ends:
            if not is_open or word == END or not word.endswith(END):
                return False
            is_open = False
    return True


def without_marks(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text without the marks of its entities, and where they lie in it, end exclusive.

    What is no entity of at least one letter in one line stays in the text as it is, with its marks: with marks at these
    places the text is the same again.
    """
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    last = length = 0
    for match in _ENTITY.finditer(text):
        parts += (text[last : match.start()], match[1])
        start = length + match.start() - last
        length = start + len(match[1])
        spans.append((start, length))
        last = match.end()
    parts.append(text[last:])
    return "".join(parts), spans
