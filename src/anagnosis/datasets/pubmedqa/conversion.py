"""A statement made a yes/no question with its answer (PubMedQA, section 3.1 and Table 2).

A form of be, or of have and do as auxiliaries, moves to the front; before any other verb goes "Do" or "Does", and the
verb takes its base form. A negation of the verb is taken out and makes the answer no. The subtitle stays inside the
question, as in the authors' PQA-A.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from anagnosis.datasets.pubmedqa import finding_verbs, statements
from anagnosis.language import verbs


class Conversion(NamedTuple):
    """question: ends in "?"; label: "yes" or "no", "" of a title that asks."""

    question: str
    label: str


_ARTICLES = frozenset(("a", "an", "the"))
# Up to a digit or a Greek letter, so that "Cav3.1" is no word of small letters.
_FIRST = re.compile(r"[A-Za-z]+(?:[-'’][A-Za-z]+)*(?![\w])")


def convert(title: str, text: str = "") -> Conversion | str:
    """The question and its label, or the name of the rule (statements.RULES) by which the title gives none.

    text: the abstract, which shows whether the title's first word is written with a capital inside a sentence.
    """
    statement = statements.parse(statements.bare(title))
    if isinstance(statement, str):
        return statement
    at, negation = statement.verb, statement.negation
    if finding_verbs.is_auxiliary(statement.lower, statement.tags, at):
        front = statement.word(at).lower()
        changes = [(at, "")]
    else:
        front = "does" if statement.tags[at] == "VBZ" else "do"
        each = [(place, statement.word(place)) for place in (at, *statement.joined)]
        changes = [(p, word if statement.tags[p] == "VBP" else verbs.base_form(word)) for p, word in each]
    if negation >= 0:
        changes.append((negation, ""))
        changes.extend((at, "or") for at, word in enumerate(statement.lower) if word == "nor")
    body = statement.title[: statement.end]
    for word, new in sorted(changes, reverse=True):
        start, end = statement.words[word]
        body = body[:start] + new + body[end:]
    subtitle = statement.title[statement.end :]
    if subtitle.startswith("."):
        subtitle = ":" + subtitle[1:]
    asked = " ".join(f"{front.capitalize()} {_begun_small(body, text)}{subtitle}".split())
    # A word that went away leaves its blank before a mark.
    asked = re.sub(r" (?=[,;:])", "", asked).rstrip(" .,;:")
    return Conversion(f"{asked}?", "no" if negation >= 0 else "yes")


def _begun_small(body: str, text: str) -> str:
    """The statement without the capital that only its place gave to its first word."""
    first = _FIRST.match(body)
    word = first.group() if first else ""
    if not word[:1].isupper() or (len(word) > 1 and not word[1:].islower()) or word == "I":
        return body
    if word.lower() in _ARTICLES:
        return word.lower() + body[len(word) :]
    if len(word) == 1 or statements.is_title_case(body.split()) or _is_written_large(word, text):
        return body
    return word.lower() + body[len(word) :]


def _is_written_large(word: str, text: str) -> bool:
    """Whether `text` has this word with a capital inside a sentence, and never without one."""
    if re.search(rf"\b{re.escape(word.lower())}\b", text):
        return False
    return re.search(rf"[a-z,;(] ?\b{re.escape(word)}\b", text) is not None
