"""Treebanks: sentences whose words carry Penn part-of-speech tags, read one at a time.

GENIA's `.pos`, one sentence a line, `word/TAG` between blanks, each cut at its last slash:

    UI/LS -/: 10000001/CD
    TI/LS -/: Aspirin/NN reduces/VBZ fever/NN ./.
    AB/LS -/: We/PRP gave/VBD it/PRP ./.

UI opens an abstract, TI its title, AB its first sentence; these two tokens are no words. And CoNLL-U, ten columns
between tabs, of which the fifth (XPOS) has the Penn tag. Which one a file is, its first line tells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import BinaryIO

import msgspec

from anagnosis.errors import InputError
from anagnosis.files import open_input
from anagnosis.input_files import input_files
from anagnosis.paths import PathLike

SUFFIXES = (".pos", ".conllu")

# The Penn Treebank's tags, and those that the treebanks made after it add (hyphens, addresses, list marks).
PENN = frozenset(
    """
    CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH VB VBD VBG VBN VBP VBZ
    WDT WP WP$ WRB . , : ( ) `` '' " # $ -LRB- -RRB- ADD AFX GW HYPH NFP XX
    """.split()  # noqa: SIM905 a list is read as words
)

# Names under which `read` counts what it mended or left out.
REPAIRS = (
    "word_with_blanks",
    "several_tags",
    "sentence_with_unknown_tag",
)

_LONGEST_LINE = 1 << 20
_PARTS = {"TI/LS": "title", "AB/LS": "abstract"}
_COLUMNS = 10


class TaggedSentence(msgspec.Struct, frozen=True, gc=False):
    """words and their tags, equally many, at least one.

    part: "title", "abstract", or "" where the file tells none, as for a title's second sentence.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    part: str = ""


def read(paths: Sequence[PathLike], counts: Counter[str] | None = None) -> Iterator[TaggedSentence]:
    """Every sentence of these files, or of the `.pos` and `.conllu` files of these folders, compressed or not.

    counts: is told under the names of REPAIRS what was mended or left out. A line that is neither format is an
    InputError naming file and line; so is a file without one sentence in Penn tags.
    """
    counts = Counter() if counts is None else counts
    for name, path in input_files(paths, SUFFIXES):
        with open_input(path) as stream:
            found = 0
            for found, sentence in enumerate(_sentences(stream, name, counts), 1):  # noqa: B007 the count is asked below
                yield sentence
        if not found:
            raise InputError("no sentence in Penn tags", name, "name a treebank in GENIA's .pos or CoNLL-U")


def _sentences(stream: BinaryIO, name: str, counts: Counter[str]) -> Iterator[TaggedSentence]:
    lines = _lines(stream, name)
    first = next(((number, line) for number, line in lines if line), None)
    if first is None:
        return
    every = chain((first,), lines)
    is_conllu = first[1].startswith("#") or "\t" in first[1]
    yield from (_conllu(every, name, counts) if is_conllu else _genia(every, name, counts))


def _lines(stream: BinaryIO, name: str) -> Iterator[tuple[int, str]]:
    """(number, text) of every line, without white space at its ends."""
    number = 0
    while raw := stream.readline(_LONGEST_LINE + 1):
        number += 1
        if len(raw) > _LONGEST_LINE:
            raise InputError("the line is longer than 1 MiB", f"{name}:{number}", "name a treebank")
        try:
            yield number, raw.decode().strip()
        except UnicodeDecodeError as fault:
            raise InputError(f"not UTF-8 ({fault.reason})", f"{name}:{number}", "recode the file") from fault


def _genia(lines: Iterator[tuple[int, str]], name: str, counts: Counter[str]) -> Iterator[TaggedSentence]:
    part = ""
    for number, line in lines:
        pieces = line.split()
        if not pieces or pieces[0] == "UI/LS":
            continue
        if pieces[0] in _PARTS and pieces[1:2] == ["-/:"]:
            part = _PARTS[pieces[0]]
            pieces = pieces[2:]
        if not any("/" in piece for piece in pieces):
            raise InputError("no word/TAG in this line", f"{name}:{number}", "write word/TAG between blanks")
        words, tags = _tagged(pieces, counts)
        if penn := _penn(tags, counts):
            yield TaggedSentence(words, penn, part)
        part = "" if part == "title" else part


def _tagged(pieces: list[str], counts: Counter[str]) -> tuple[tuple[str, ...], list[str]]:
    """Words and tags. A piece without a slash begins a word with blanks inside ("G + C/NN")."""
    words: list[str] = []
    tags: list[str] = []
    begun: list[str] = []
    for piece in pieces:
        word, slash, tag = piece.rpartition("/")
        if not slash:
            begun.append(piece)
            continue
        counts["word_with_blanks"] += bool(begun)
        words.append(" ".join([*begun, word]))
        tags.append(tag)
        begun = []
    if begun:
        words.append(" ".join(begun))
        tags.append("")
    return tuple(words), tags


def _penn(tags: list[str], counts: Counter[str]) -> tuple[str, ...]:
    """The tags, the first one where the treebank doubts ("JJ|NN"); nothing where one is none of PENN."""
    counts["several_tags"] += sum("|" in tag for tag in tags)
    chosen = tuple(tag.partition("|")[0] for tag in tags)
    if PENN.issuperset(chosen):
        return chosen
    counts["sentence_with_unknown_tag"] += 1
    return ()


def _conllu(lines: Iterator[tuple[int, str]], name: str, counts: Counter[str]) -> Iterator[TaggedSentence]:
    words: list[str] = []
    tags: list[str] = []
    for number, line in chain(lines, ((0, ""),)):
        if line.startswith("#"):
            continue
        if line:
            columns = line.split("\t")
            if len(columns) != _COLUMNS:
                raise InputError(
                    f"{len(columns)} columns instead of {_COLUMNS}", f"{name}:{number}", "name a CoNLL-U file"
                )
            # Numbers with a hyphen or a full stop are words of several tokens and tokens that were left unsaid.
            if columns[0].isdecimal():
                words.append(columns[1])
                tags.append(columns[4])
        elif words:
            if penn := _penn(tags, counts):
                yield TaggedSentence(tuple(words), penn)
            words, tags = [], []
