"""The boundary heuristics of CliCR: words that move out of an entity, in passages, queries and answers alike.

Both variants of the builder decide by these two functions on the words of an entity. The program applies them to marked
text, first the one, then the other (`without_function_word`, `without_parenthesis`).

Source: CliCR, section 3.3; exclude_fn_words and exclude_parentheticals of the program (clips/clicr, commit 557f6d9).
"""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.datasets.clicr.marks import BEGIN, END

# "my", "no", "your" and "both" stay inside.
FUNCTION_WORDS = frozenset(str.split("a an the her his their this that these those its our any every some"))


def begins_with_function_word(words: Sequence[str]) -> bool:
    """Whether the first word moves out of an entity: one of 15 words, in any case, with another word behind it."""
    return len(words) > 1 and words[0].lower() in FUNCTION_WORDS


def parenthesis_at_end(words: Sequence[str]) -> int:
    """The number of words before the parenthesis that an entity ends in; all of them where none moves out.

    Only the words "(" and ")" count. An unclosed "(" moves out with all that follows. More than one of either, or words
    after the ")", leave the entity as it is. 0: the entity is a parenthesis.
    """
    opening, closing = words.count("("), words.count(")")
    if opening != 1 or closing > 1 or (closing and words[-1] != ")"):
        return len(words)
    return words.index("(")


def without_function_word(entity: str) -> str:
    """A marked entity with its function word before it: "BEG__the left hand__END" gives "the BEG__left hand__END".

    Of the first word what stands after its last "_" is compared and moves out; what stands before it is lost.
    """
    words = entity.split()
    if not words or not entity.startswith(BEGIN):
        return entity
    first = words[0].rpartition("_")[2]
    if not begins_with_function_word((first, *words[1:])):
        return entity
    return " ".join((first, BEGIN + words[1], *words[2:]))


def without_parenthesis(entity: str) -> str:
    """A marked entity with its parenthesis behind it: "BEG__a ( b )__END" gives "BEG__a__END ( b )".

    Of an entity with a "(" or several ")" that stays as it is, white space becomes single blanks.
    """
    if not entity.startswith(BEGIN) or not entity.endswith(END):
        return entity
    words = entity[len(BEGIN) : -len(END)].split()
    if "(" not in words and words.count(")") < 2:
        return entity
    inside = parenthesis_at_end(words)
    return " ".join((f"{BEGIN}{' '.join(words[:inside])}{END}", *words[inside:]))
