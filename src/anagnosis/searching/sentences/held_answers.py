"""Whether a sentence holds an answer of the kind that a question wants (language/question_kinds.py).

    quantity     a number of the wanted dimension that is not in the question: "17.5 h" for a half-life
    name         a word that looks like a name and is not in the question, or several
    definition   what the subject is: "Equol, a metabolite of …", "X refers to …"; of a short form its long form
    reason       a cause: "because of", "thereby inhibiting"; where a question asks for a way: "measured with"
    yesno        a finding: more, less, a difference or none
    summary      the same

Our own rules on words, without training.
"""

from __future__ import annotations

import re

from anagnosis.entities.short_forms import asked_form, expands
from anagnosis.language.question_kinds import DEFINITION, NAME, QUANTITY, REASON, answer_kind
from anagnosis.language.sentence_kinds import AIM, CITATION, NO_FINDINGS, OUTLOOK, any_phrase, sentence_kind
from anagnosis.searching.analysis import function_word
from anagnosis.searching.words import printed_words, words_of

# The least of `holds` with which a sentence can answer. A finding has no form that every one of them has.
LEAST = {QUANTITY: 0.5, DEFINITION: 0.5, NAME: 0.15, REASON: 0.4}
_NOTHING_FOUND = {AIM, OUTLOOK, CITATION, *NO_FINDINGS}
_LONGEST = 1_500  # characters of a sentence to read: the rules meet hostile texts


# Not in "COVID-19", "IL-6" or "type 2".
_NUMBER = r"(?<![\w.,·-])(?<!type\s)(?:[<>≤≥~]\s?)?\d[\d,.·]{0,20}(?:\s?(?:to|-|–|or|and)\s?\d[\d.]{0,20})?"
_SPELLED = r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half)"
_OF_TIME = "(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)"
_SHARE = (
    rf"{_NUMBER}\s?(?:%|per\s?cent|‰)|\bper\s(?:1,?000|10,?000|100,?000|million)\b|\b\d{{1,9}}\s?/\s?\d{{1,9}}\b"
    rf"|(?:{_SPELLED}|\b\d{{1,9}})\s(?:in|of|out\sof)\s(?:\d|{_SPELLED}\b)|\b(?:half|thirds?|quarters?)\sof\b"
)
_TIME = rf"(?:{_NUMBER}|{_SPELLED})[\s-]?(?:{_OF_TIME}|ms|s|min|hrs?|h|d|wk|mo|yrs?|y)\b"
_DOSE = (
    rf"{_NUMBER}[\s-]?(?:[mnµμ]?c?g|ug|[mµμ]?l|IU|U|units?|[mnµμ]?mol|Gy|m?Ci|MBq|mEq|drops?|tablets?)\b"
    r"(?!\s?/\s?[dm]?l\b)"
)
_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*"
_DATE = rf"\b(?:1[5-9]|20)\d\d\b|\b{_MONTH}\s\d{{1,2}}\b"
_ANY = rf"{_NUMBER}|(?!one\b){_SPELLED}\b"
_RATIO = (
    rf"(?:ratio|\b(?-i:[aA]?OR|[aA]?RR|[aA]?HR)\b)[^.;]{{0,20}}?{_NUMBER}|{_NUMBER}[\s-]?(?:fold|times)\b"
)
_HALF_LIFE = r"half[\s-]?li(?:fe|ves)|\bt\s?1/2|t½"
# What asks for a quantity, and what states it. Of several the first in the question counts.
_DIMENSIONS = (
    (r"half[\s-]?li(?:fe|ves)", rf"(?:{_HALF_LIFE}).{{0,150}}?{_TIME}|{_TIME}.{{0,40}}?half[\s-]?li"),
    (
        r"percent|per\scent|proportion|prevalence|incidence|rates?\b|share\b|sensitiv|specificity|mortality|accura|yield"
        r"|how\s(?:common|frequent|rare|likely)|how\soften(?!\sshould)",
        _SHARE,
    ),
    (r"\bsurvival\b", rf"{_SHARE}|{_TIME}"),
    (r"\brisk\b|\bodds\b|\bhazard\b", rf"{_SHARE}|{_RATIO}"),
    (r"\bwhen\b|(?:what|which)\s(?:year|month|date)\b", _DATE),
    (
        rf"how\s(?:long\s(?!(?:is|are)\sthe)|old|soon|fast|late|early)|duration|how\smany\s{_OF_TIME}|\bage\b|\btime\b"
        r"|expectancy|incubation",
        _TIME,
    ),
    (r"how\smany|number\sof", _ANY),
    (r"\bdos(?:e|es|age|ing)\b", _DOSE),
)
# Numbers that count nothing: years, levels of significance and of confidence, references, figures.
_NO_COUNT = re.compile(
    r"\b(?:19|20)\d\d\b|\bp\s?[<=>≤≥]\s?0?\.\d{1,9}|\[\d[\d, –-]{0,40}\]|\b\d{1,3}\s?%\s?(?:CI|confidence)"
    r"|\b(?:figs?|figures?|tables?)\.?\s\d{1,3}",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d[\d.,]*")
_CAUSE = any_phrase(
    r"""because  due to  owing to  caused  explain(?:s|ed)?  attribut\w+  results? (?:in|from)  resulting  leads? to
    leading to  led to  thereby  via  mechanis\w+  mediat\w+  driven by  reasons?  so that  in order to  by-?product
    consequence  responsible  as a result"""
)
_PERHAPS_A_CAUSE = any_phrase(
    r"""causes?  causing  through  thus  therefore  contribut\w+  by \w+ing  target(?:s|ed)?  since  inhibit\w+
    suppress\w+  activat\w+  block\w*  could  may  might"""
)
_WAY_ASKED = any_phrase("how (?:is|are|was|were)")
_WAY = any_phrase(
    r"""using  used  by means  with a  by \w+ing
    (?:was|were) (?:\w+ly )?(?:measured|assessed|determined|evaluated|calculated|diagnosed|performed|made|estimated)"""
)
_FINDING = any_phrase(
    r"""no  not  neither  nor  without  cannot  did  does  associat\w+  increas\w+  reduc\w+  decreas\w+  improv\w+
    effective\w*  safe\w*  benefi\w+  significant\w*  superior  inferior  better  worse  lower  higher  similar
    comparable  differ\w+  risks?  helps?  may  might  can  could  should  prevent\w*  more  less  fewer  likely"""
)
_NEGATED = re.compile(
    r"(?:\b(?:not|never|cannot)|n['’]t)\s(?:\w{2,15}ly\s|be\s|been\s){0,2}(\w+)", re.IGNORECASE
)
_WORD = re.compile(r"[^\s,;:()\[\]]+")
_MARKS = ".'\"“”"
_IS_NUMBER = re.compile(r"[\d.%<>=≥≤/-]+")
# "BRCA1", "miR-21", "p53", "T-cell": surely a name.
_SYMBOL = re.compile(
    r"(?=\S*[A-Zα-ω0-9])(?=\S*[A-Za-z])(?:\S*[A-Z]\S*[A-Z0-9]\S*|\S*[a-z]\S*\d\S*|\S*[A-Z0-9]\S*[-/]\S*)"
)
# The ending of an illness or a medicine: perhaps one, as a word with a capital is.
_PERHAPS_A_NAME = re.compile(
    r".*(?:itis|osis|emia|aemia|oma|omas|pathy|plasia|trophy|algia|penia|uria|plegia|rrhea|sclerosis|cancers?"
    r"|syndromes?|diseases?|disorders?|infections?|deficiency|failure|tumou?rs?|seizures?|pain"
    r"|mab|nib|vir|statin|pril|sartan|olol|azole|cillin|mycin|cycline|oxacin|prazole|parin|gliptin|gliflozin|zepam"
    r"|idone|etine|caine|amide|imide|platin|taxel|rubicin|tide|ine|one|ate|inhibitors?|agonists?|antagonists?"
    r"|antibod(?:y|ies)|vaccines?|therapy|acid)",
    re.IGNORECASE,
)
_FIRST_WORD = 0.2  # which has its capital anyway
_SEVERAL = re.compile(r"[\w)-]+,\s(?:[\w()-]+\s){0,4}[\w()-]+,?\s(?:and|or)\s[\w-]+")
_DEFINES = re.compile(
    r"(?:(?:is|are|was|were)\s(?:an?|the|one\sof|any|defined|described|known|considered|characteri[sz]ed|often|a\srare)\b"
    r"|(?:defined|described|known)\sas|refers?\sto|represents?|denotes?|means?|describes?|consists?\sof|comprises?|stands?\sfor"
    r"|\(?i\.e\.)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"\b(?:(?:is|are)\s(?:the\s)?definition\sof|is|are|do|does|define|describe)\s(?:meant\sby\s)?(?:an?\s|the\s)?(.+)",
    re.IGNORECASE,
)
_BEHIND_SUBJECT = re.compile(r"\s(?:in|on|of|as|and|when|for|after|that|which|used|mean)(?:\s|\b)|[?,;]")
_FARTHEST = 12  # words of a sentence before it says what its subject is


class HeldAnswers:
    """What the sentences that answer a question hold. kind: of ANSWERS."""

    def __init__(self, question: str) -> None:
        self.kind = answer_kind(question)
        self._words = frozenset(printed_words(question))
        # Where a question wants more than a yes or no, a sentence that denies its verb gives nothing.
        has_verb = self.kind in (NAME, QUANTITY, REASON) and not _NEGATED.search(question)
        self._stems = frozenset(words_of(question)) if has_verb else frozenset[str]()
        self._form = asked_form(question)
        subject = _SUBJECT.search(question)
        self._subject = frozenset(words_of(_BEHIND_SUBJECT.split(subject[1])[0]) if subject else ())
        self._stating = _stating(question)
        self._by_way = _WAY_ASKED.search(question) is not None

    def holds(self, sentence: str) -> float:
        """How well a sentence holds an answer of that kind, from 0 to 1."""
        text = sentence[:_LONGEST]
        if self.kind == QUANTITY:
            return self._quantity(text)
        if self.kind == NAME:
            return self._name(text)
        if self.kind == DEFINITION:
            return self._definition(text)
        if self.kind != REASON:
            return _has(_FINDING, text)
        return (
            _has(_WAY, text) if self._by_way else max(_has(_CAUSE, text), 0.4 * _has(_PERHAPS_A_CAUSE, text))
        )

    def answers(self, sentence: str) -> bool:
        """Whether a sentence can answer. An aim or a call for research finds nothing."""
        if self.kind not in (QUANTITY, DEFINITION, NAME) and sentence_kind(sentence) in _NOTHING_FOUND:
            return False
        return self.holds(sentence) >= LEAST.get(self.kind, 0.0) and not self._denies(sentence[:_LONGEST])

    def _denies(self, sentence: str) -> bool:
        """Whether a sentence has a word of the question negated alone: "we did not normalize"."""
        negated = {word for match in _NEGATED.finditer(sentence) for word in words_of(match[1])}
        denied = negated & self._stems
        return bool(denied) and denied.isdisjoint(words_of(_NEGATED.sub(" ", sentence)))

    def spells_out(self, sentence: str) -> bool:
        """Whether a sentence has the other form of a name, where a question asks for that."""
        return bool(self._form) and self.answers(sentence)

    def _quantity(self, sentence: str) -> float:
        text = sentence if self._stating is _DATE else _NO_COUNT.sub(" ", sentence)
        for match in re.finditer(self._stating, text, re.IGNORECASE):
            digits = [one.strip(".,") for one in _DIGITS.findall(match[0])]
            if not digits or not self._words.issuperset(digits):
                return 1.0
        return 0.0

    def _name(self, sentence: str) -> float:
        best = 0.0
        for place, match in enumerate(_WORD.finditer(sentence)):
            word = match[0].strip(_MARKS)
            if len(word) < 2 or _IS_NUMBER.fullmatch(word):
                continue
            fit = _likeness(word, is_first=place == 0)
            if fit > best and not self._words.issuperset(printed_words(word)):
                best = fit
        return best / 2 + _has(_SEVERAL, sentence) / 4

    def _definition(self, sentence: str) -> float:
        if self._form:
            return float(expands(self._form, sentence))
        for match in _DEFINES.finditer(sentence):
            before = sentence[: match.start()]
            if len(before.split()) > _FARTHEST:
                break
            if self._subject and self._subject <= frozenset(words_of(before)):
                return 1.0
        return 0.0


def _stating(question: str) -> str:
    """What finds quantities of the dimension that a question wants."""
    found = [
        (match.start(), states)
        for asks, states in _DIMENSIONS
        if (match := re.search(asks, question, re.IGNORECASE))
    ]
    return min(found, key=lambda one: one[0], default=(0, _ANY))[1]


def _likeness(word: str, *, is_first: bool) -> float:
    """How much a word looks like a name, from 0 to 1. is_first: of its sentence."""
    if _SYMBOL.fullmatch(word):
        return 1.0
    if _PERHAPS_A_NAME.fullmatch(word):
        return 0.4
    if not word[:1].isupper() or (is_first and function_word(word)):
        return 0.0
    return _FIRST_WORD if is_first else 0.4


def _has(pattern: re.Pattern[str], sentence: str) -> float:
    return float(bool(pattern.search(sentence)))
