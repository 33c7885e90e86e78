"""Lists of English stop words by name, and lists in users' files.

STOP_WORDS maps a name to words in lower case:

    nltk        NLTK's English list: 179 words and parts of words at an apostrophe (from Snowball's list, BSD licence)
    nltk-127    its first 127 words, without the parts: the whole list in older versions of NLTK

A file has one word a line; empty lines and lines that begin with # are no words.
"""

from __future__ import annotations

from pathlib import Path

from anagnosis.errors import InputError, unknown_name
from anagnosis.io.files import display_name, open_input

_NLTK_127 = """i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her
hers herself it its itself they them their theirs themselves what which who whom this that these those am is are was
were be been being have has had having do does did doing a an the and but if or because as until while of at by for
with about against between into through during before after above below to from up down in out on off over under
again further then once here there when where why how all any both each few more most other some such no nor not only
own same so than too very s t can will just don should now"""
_NLTK_PARTS = """you're you've you'll you'd she's it's that'll don't should've d ll m o re ve y ain aren aren't couldn
couldn't didn didn't doesn doesn't hadn hadn't hasn hasn't haven haven't isn isn't ma mightn mightn't mustn mustn't
needn needn't shan shan't shouldn shouldn't wasn wasn't weren weren't won won't wouldn wouldn't"""

STOP_WORDS: dict[str, frozenset[str]] = {
    "nltk": frozenset((*_NLTK_127.split(), *_NLTK_PARTS.split())),
    "nltk-127": frozenset(_NLTK_127.split()),
}
_LONGEST_LINE = 1 << 10


def stop_words(name: str) -> frozenset[str]:
    """The words of a list by its name in STOP_WORDS, or of a file. InputError: there is no such list or file."""
    if name in STOP_WORDS:
        return STOP_WORDS[name]
    if "/" not in name and not Path(name).exists():
        raise unknown_name("list of stop words", name, tuple(STOP_WORDS), "stop_words")
    return _of_file(name)


def _of_file(path: str) -> frozenset[str]:
    words: set[str] = set()
    with open_input(path) as stream:
        number = 0
        while line := stream.readline(_LONGEST_LINE):
            number += 1
            where = f"{display_name(path)}:{number}"
            try:
                word = line.decode().strip()
            except UnicodeDecodeError as fault:
                raise InputError("not UTF-8", where, "save the list as UTF-8") from fault
            if len(word.split()) > 1 and not word.startswith("#"):
                raise InputError("more than one word", where, "write one word a line")
            if word and not word.startswith("#"):
                words.add(word.lower())
    return frozenset(words)
