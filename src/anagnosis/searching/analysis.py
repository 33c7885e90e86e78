"""Analysis: how a text becomes the words of an index, the same for passages and for questions.

We write a text in plain letters (language/plain_letters.py) and stem its words. Passages keep all words. Questions lose
their stop words, judged by how they are written: not the A of "hepatitis A", nor NO, which is a gas.
design/search.md measures the effect of each step.
"""

from __future__ import annotations

import re
from itertools import count

LONGEST_WORD = 60  # bytes; longer strings are no words of a language
_WORD = re.compile(r"[^\W_]+")
OF_NO_MEANING = """a an and are as at be but by for if in into is it no not of on or such that the their then there
these they this to was will with"""
_OF_NO_MEANING_HERE = frozenset(OF_NO_MEANING.split())
# Words that make a text a question and do not name its topic.
ASKING = """what which who whom whose when where why how does do did is are was were am can could should would shall
will may might must has have had been being there any please list name tell know known describe explain"""
# Other function words. The search uses them like all others; a question of nothing else has no topic.
OF_GRAMMAR = """i me my we us our you your he him his she her its them those about above after again against all also
although always among another because before below between both cannot despite doing done during each either else
ever every few first from further here hers however itself just least less many maybe more most much neither
never nor now off often once one only onto other others our ours out over own per perhaps same several since
so some still such than themselves thus therefore though through too toward towards under until up upon us very via
well were whether while within without yet"""
# The error for a question of stop words alone, and the remedy.
STOP_WORDS_ALONE = "all of these words stand in nearly every paper"
WHAT_IT_IS_ABOUT = "add words for what the question is about"
NO_WORDS = "there is no word in it"
_STOP_WORDS = _OF_NO_MEANING_HERE | frozenset((*ASKING.split(), *OF_GRAMMAR.split()))


def meaningful(question: str) -> str:
    """The question without stop words; a question of stop words alone stays as it is."""
    left_out, places = {*stop_word_places(question)}, count()
    without = _WORD.sub(lambda word: "" if next(places) in left_out else word[0], question)
    return without if _WORD.search(without) else question


def stop_words_alone(question: str) -> bool:
    """Whether all words of a question are stop words, such as "What is it?"; False for a question without words.

    A single word in capitals is a name, whatever it is in lower case: IT, WHO and WAS, a gene.
    """
    words = _WORD.findall(question)
    if len(words) > 1 and all(word.istitle() or word.islower() for word in words):
        question = question.lower()  # a heading: The Of And
    return bool(words) and len(_places_of(_STOP_WORDS, question)) == len(words)


def function_word(word: str) -> bool:
    """Whether a word in lower case is a stop word of questions."""
    return word in _STOP_WORDS


def nothing_asked(question: str) -> str:
    """Why a question names no topic, as an error message; "" if it names one."""
    if _WORD.search(question) is None:
        return NO_WORDS
    return STOP_WORDS_ALONE if stop_words_alone(question) else ""


def stop_word_places(question: str) -> list[int]:
    """The indices of the words of a question that `meaningful` leaves out."""
    return _places_of(_OF_NO_MEANING_HERE, question)


def _places_of(stop_words: frozenset[str], question: str) -> list[int]:
    """The indices of a question's stop words, judged by how they are written."""
    words = _WORD.findall(question)
    shouted = question.isupper() and len(words) > 1

    def is_one(place: int, word: str) -> bool:
        small = word.islower() or shouted or (place == 0 and (word.istitle() or len(word) == 1))
        return small and word.lower() in stop_words

    return [place for place, word in enumerate(words) if is_one(place, word)]
