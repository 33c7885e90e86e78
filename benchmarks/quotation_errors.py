"""How often `check-quotes` errs: true quotations as people type them, changed ones, and the four verdicts.

    python benchmarks/quotation_errors.py INDEX [--each 600] [--seed 1] [--show 10]

INDEX holds papers of several formats, some as full texts. Sentences are drawn from its passages by lot and go through
a draft, as a user's would. True ones are typed in one or two of the ways of TYPED. Changed ones have another word,
another number or a negation. Then come the groups: word for word, nearly (a negation more), elsewhere (named with
another paper), not here (words in an order that no paper has, named with a full text).
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from anagnosis.quotations.checking import QuotationChecker
from anagnosis.quotations.draft import read_draft
from anagnosis.searching.engines.stored_papers import shown_paper
from anagnosis.searching.index.index import open_index
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.sentences import cut

Typed = Callable[[str, random.Random], str]
_WORDS = re.compile(r"[^\W\d_]{4,}")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:\.\d+)?(?![\w.,]\w)")
_VERB = re.compile(r"\b(?:is|was|were|are|did|does|has|have|had|can|may|should|will)\b")
_LIGATURES = {"ffi": "ﬃ", "fi": "ﬁ", "fl": "ﬂ"}
_OTHERS = [
    "placebo",
    "children",
    "kidney",
    "mortality",
    "surgery",
    "exposure",
    "protein",
    "median",
    "decline",
    "women",
    "tumour",
    "virus",
]


def _with_ligatures(text: str, _: random.Random) -> str:
    for letters, ligature in _LIGATURES.items():
        text = text.replace(letters, ligature)
    return text


def _broken(text: str, draw: random.Random) -> str:
    """A hyphen at a line's end in a long word."""
    places = [match for match in _WORDS.finditer(text) if len(match[0]) > 7]
    if not places:
        return text
    at = draw.choice(places).start() + 4
    return f"{text[:at]}-\n{text[at:]}"


def _with_ellipsis(text: str, draw: random.Random) -> str:
    """Words in the middle left out."""
    words = text.split(" ")
    if len(words) < 14:
        return text
    first, left_out = draw.randint(5, len(words) - 8), draw.randint(1, 3)
    return " ".join([*words[:first], draw.choice(("…", "[...]", "...", "[…]")), *words[first + left_out :]])


def _other_case(text: str, _: random.Random) -> str:
    return text[:1].swapcase() + text[1:]


# Ways of typing a true quotation. Lines are broken as an editor breaks them.
TYPED: dict[str, Typed] = {
    "as it is": lambda text, _: text,
    "curly marks": lambda text, _: text.replace("'", "’").replace(' "', " “").replace('"', "”"),
    "straight marks": lambda text, _: re.sub("[“”]", '"', re.sub("[‘’]", "'", text)),
    "ligatures": _with_ligatures,
    "hyphens": lambda text, _: re.sub(r"(?<=[a-z])-(?=[a-z])", "\u2010", text),
    "broken lines": _broken,
    "ellipsis": _with_ellipsis,
    "first letter": _other_case,
    "dashes": lambda text, _: text.replace("–", "-").replace("\u2212", "-"),
    "spaces": lambda text, _: text.replace(" ", "\n", 1).replace(". ", ".  "),
    "full stop": lambda text, _: text.rstrip("."),
}


def _other_word(text: str, draw: random.Random) -> str:
    match = draw.choice([*_WORDS.finditer(text)])
    other = draw.choice([one for one in _OTHERS if one != match[0].lower()])
    return f"{text[: match.start()]}{other}{text[match.end() :]}"


def _other_number(text: str, draw: random.Random) -> str:
    """A digit of a number is another one."""
    match = draw.choice([*_NUMBER.finditer(text)])
    at = draw.choice([place for place in range(*match.span()) if text[place].isdigit()])
    return f"{text[:at]}{draw.choice([each for each in '123456789' if each != text[at]])}{text[at + 1 :]}"


def _negated(text: str, draw: random.Random) -> str:
    match = draw.choice([*_VERB.finditer(text)])
    return f"{text[: match.end()]} not{text[match.end() :]}"


CHANGED: dict[str, tuple[re.Pattern[str], Typed]] = {
    "a word": (_WORDS, _other_word),
    "a number": (_NUMBER, _other_number),
    "a negation": (_VERB, _negated),
}


class Drawn(NamedTuple):
    """A sentence of a paper. named: as a draft names the paper."""

    text: str
    named: str
    document: str
    full_text: bool


def _turned(text: str) -> str:
    """A sentence with its words in another order: no paper has it."""
    words = text.split()
    return " ".join([*words[1::2], *words[::2]])


def drawn(papers: Sequence[Sequence[Passage]], draw: random.Random, number: int) -> list[Drawn]:
    """Sentences of 8 to 60 words, of as many papers as possible."""
    found = list[Drawn]()
    while len(found) < number:
        passages = draw.choice(papers)
        passage = draw.choice(
            [one for one in passages if one.section not in ("table", "title")] or [passages[0]]
        )
        sentences = [passage.text[slice(*span)].strip() for span in cut(passage)]
        fitting = [one for one in sentences if 8 <= len(one.split()) <= 60 and len(_WORDS.findall(one)) > 4]
        ids = passage.identifiers
        if fitting and ids:
            kind = draw.choice([*ids])
            named = f"PMID {ids[kind]}" if kind == "pmid" else ids[kind]
            is_full = any(one.full_text for one in passages)
            found.append(Drawn(draw.choice(fitting), named, passage.document, is_full))
    return found


def draft_of(quotations: Sequence[tuple[str, str]], draw: random.Random) -> str:
    """A draft: a paragraph for each quotation, between marks that it does not have, or as a block."""
    paragraphs = list[str]()
    for text, named in quotations:
        marks = [pair for pair in ('""', "“”", "«»") if not {*pair} & {*text}]
        before, after = draw.choice((("As was said, ", f" ({named})."), (f"We read in {named}: ", ".")))
        if marks and draw.random() < 0.8:
            pair = draw.choice(marks)
            paragraphs.append(f"{before}{pair[0]}{text}{pair[1]}{after}")
        else:
            quoted = "\n".join(f"> {line}" for line in text.splitlines())
            paragraphs.append(f"{before.strip()}\n\n{quoted}\n\n— {named}")
    return "\n\n".join(paragraphs)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("index", type=Path)
    parser.add_argument("--each", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0)
    given = parser.parse_args()
    draw = random.Random(given.seed)
    engine = open_index(given.index).engine
    papers = sorted((shown_paper(one).passages for one in engine.every()), key=lambda one: one[0].document)
    full = [one for one in papers if any(each.full_text for each in one)]
    checker = QuotationChecker(engine)

    def show(name: str, quotations: Sequence[tuple[str, str]], right: set[str]) -> None:
        text = draft_of(quotations, draw)
        read = read_draft(text).quotations
        if len(read) != len(quotations):
            print(f"{name}: {len(read)} of {len(quotations)} quotations were found in the draft")
        found = [checker.verdict(one) for one in read]
        wrong = [one for one in found if one.verdict not in right]
        counts = ", ".join(
            f"{verdict} {count}" for verdict, count in Counter(one.verdict for one in found).most_common()
        )
        print(f"{name}: {len(wrong)} of {len(found)} wrong ({len(wrong) / len(found):.2%}): {counts}")
        for one in wrong[: given.show]:
            print(
                "   ",
                one.verdict,
                one.because,
                one.named,
                repr(one.quoted),
                [each.text for each in one.places],
            )

    true = drawn(papers, draw, given.each)
    typed = list[tuple[str, str]]()
    for one in true:
        text = one.text
        for name in draw.sample([*TYPED], draw.choice((1, 2))):
            text = TYPED[name](text, draw)
        typed.append((text, one.named))
    show("true", typed, {"word for word"})
    for name, (has, change) in CHANGED.items():
        some = [one for one in drawn(papers, draw, given.each * 3) if has.search(one.text)][: given.each // 3]
        there = [(change(one.text, draw), one.named) for one in some]
        show(f"changed: {name}", there, {"nearly", "not here", "cannot tell", "elsewhere"})
    half = given.each // 2
    show(
        "group: word for word",
        [(one.text, one.named) for one in drawn(papers, draw, half)],
        {"word for word"},
    )
    near = [
        (_negated(one.text, draw), one.named)
        for one in drawn(papers, draw, half * 3)
        if _VERB.search(one.text)
    ]
    show("group: nearly", near[:half], {"nearly"})
    pairs = [*zip(drawn(papers, draw, half), drawn(full, draw, half), strict=True)]
    apart = [(one.text, other.named) for one, other in pairs if one.document != other.document]
    show("group: elsewhere", apart, {"elsewhere"})
    show("group: not here", [(_turned(one.text), other.named) for one, other in pairs], {"not here"})


if __name__ == "__main__":
    main()
