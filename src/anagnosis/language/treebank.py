"""Treebanks: sentences of words with Penn part-of-speech tags, read one at a time.

GENIA's `.pos`, one sentence a line, `word/TAG` between blanks, each cut at its last slash:

    UI/LS -/: 10000001/CD
    TI/LS -/: Aspirin/NN reduces/VBZ fever/NN ./.
    AB/LS -/: We/PRP gave/VBD it/PRP ./.

UI begins an abstract, TI its title, AB its first sentence; these two tokens are no words. The other format is CoNLL-U,
ten columns between tabs; the fifth (XPOS) is the Penn tag. The first line shows the format.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import BinaryIO

import msgspec

from anagnosis.errors import InputError
from anagnosis.io.files import open_input
from anagnosis.io.input_files import input_files
from anagnosis.io.paths import PathLike

SUFFIXES = (".pos", ".conllu")

# The Penn Treebank's tags, and those that later treebanks added (hyphens, addresses, list items).
PENN = frozenset(
    """
    CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH VB VBD VBG VBN VBP VBZ
    WDT WP WP$ WRB . , : ( ) `` '' " # $ -LRB- -RRB- ADD AFX GW HYPH NFP XX
    """.split()  # noqa: SIM905 a list is read as words
)

# Names under which `read` counts repairs and omissions.
REPAIRS = (
    "word_with_blanks",
    "several_tags",
    "sentence_with_unknown_tag",
)

_LONGEST_LINE = 1 << 20
_PARTS = {"TI/LS": "title", "AB/LS": "abstract"}
_COLUMNS = 10


class TaggedSentence(msgspec.Struct, frozen=True, gc=False):
    """A sentence's words and their tags, equally many, at least one.

    part: "title", "abstract", or "" if the file gives none, as for a title's second sentence.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    part: str = ""


def read(paths: Sequence[PathLike], counts: Counter[str] | None = None) -> Iterator[TaggedSentence]:
    """Every sentence of these files, or of the `.pos` and `.conllu` files of these folders, compressed or not.

    counts: gets the repairs and omissions under the names of REPAIRS. InputError: a line in neither format, with file
    and line; a file without a sentence in Penn tags.
    """
    counts = Counter() if counts is None else counts
    for name, path in input_files(paths, SUFFIXES):
        with open_input(path) as stream:
            sentences = 0
            for sentences, sentence in enumerate(_sentences(stream, name, counts), 1):  # noqa: B007 the count is used below
                yield sentence
        if not sentences:
            raise InputError("no sentence in Penn tags", name, "name a treebank in GENIA's .pos or CoNLL-U")


def _sentences(stream: BinaryIO, name: str, counts: Counter[str]) -> Iterator[TaggedSentence]:
    lines = _lines(stream, name)
    first = next(((number, line) for number, line in lines if line), None)
    if first is None:
        return
    all_lines = chain((first,), lines)
    is_conllu = first[1].startswith("#") or "\t" in first[1]
    yield from (_conllu(all_lines, name, counts) if is_conllu else _genia(all_lines, name, counts))


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
        tokens = line.split()
        if not tokens or tokens[0] == "UI/LS":
            continue
        if tokens[0] in _PARTS and tokens[1:2] == ["-/:"]:
            part = _PARTS[tokens[0]]
            tokens = tokens[2:]
        if not any("/" in token for token in tokens):
            raise InputError("no word/TAG in this line", f"{name}:{number}", "write word/TAG between blanks")
        words, tags = _tagged(tokens, counts)
        if penn := _penn(tags, counts):
            yield TaggedSentence(words, penn, part)
        part = "" if part == "title" else part


def _tagged(tokens: list[str], counts: Counter[str]) -> tuple[tuple[str, ...], list[str]]:
    """Words and tags. A token without a slash begins a word with blanks inside ("G + C/NN")."""
    words: list[str] = []
    tags: list[str] = []
    begin: list[str] = []
    for token in tokens:
        word, slash, tag = token.rpartition("/")
        if not slash:
            begin.append(token)
            continue
        counts["word_with_blanks"] += bool(begin)
        words.append(" ".join([*begin, word]))
        tags.append(tag)
        begin = []
    if begin:
        words.append(" ".join(begin))
        tags.append("")
    return tuple(words), tags


def _penn(tags: list[str], counts: Counter[str]) -> tuple[str, ...]:
    """The tags, the first of alternatives ("JJ|NN"); () if one is not in PENN."""
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
            # Numbers with a hyphen or a full stop are multiword tokens and empty nodes.
            if columns[0].isdecimal():
                words.append(columns[1])
                tags.append(columns[4])
        elif words:
            if penn := _penn(tags, counts):
                yield TaggedSentence(tuple(words), penn)
            words, tags = [], []
