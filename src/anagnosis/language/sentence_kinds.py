"""The kind of a sentence of a paper by its words: what it does there, such as to conclude, or to register a trial.

Rules, in the order of KINDS; "" if none holds. A registration names the trial in a registry. A promise says what a
study is going to do or find. An outlook asks for more research. The rules read the sentence alone,
not its section. The lists are ours, read off abstracts of PubMedQA's training part.
"""

from __future__ import annotations

import re

CITATION, REGISTRATION, ASKS, PROMISE, OUTLOOK, AIM, METHOD, CONCLUSION, RESULT = (
    "citation",
    "registration",
    "question",
    "promise",
    "outlook",
    "aim",
    "method",
    "conclusion",
    "result",
)
KINDS = (CITATION, REGISTRATION, ASKS, PROMISE, OUTLOOK, CONCLUSION, AIM, METHOD, RESULT)
# Kinds that find nothing: no study has found what such a sentence says.
NO_FINDINGS = frozenset((REGISTRATION, ASKS, PROMISE))
# Authors as reference lists print them: "Shen M, Li X, …".
_AUTHOR = re.compile(r"\b[A-ZÀ-Þ][\w'’-]{1,30} [A-Z]{1,3}[,.;]")
AUTHORS = 2  # so many make a citation line
_HEAD = 200  # characters in which the authors stand
_SOURCE = re.compile(r"\b(?:19|20)\d\d;\s?\d{1,4}(?:\(\d{1,4}\))?:\s?[a-z]?\d|\bdoi:\s?10\.", re.IGNORECASE)

_REGISTERED = re.compile(
    r"\b(?:NCT\s?\d{6,8}|ISRCTN|ACTRN|ChiCTR|JapicCTI|j?RCTs?\d{6}|UMIN\d|UMIN-CTR|DRKS\d|CRD\d|CTRI/|IRCT\d|EudraCT"
    r"|PROSPERO|NTR\s?\d{3,5}\b|NL\d{4,5}\b|KCT\d{7}|TCTR\d{8}|PACTR\d{6}|SLCTR/|RBR-\w{6}|RPCEC\d{8}|HKUCTR-\d"
    r"|20[012]\d-00\d{4}-\d\d\b)|\b(?:pre|post)-results\.?\s?$"
    r"|\bclinical\s?trials?(?:register)?\.(?:gov|eu)|\b(?:trial|study|protocol|review)\sregistration\b"
    r"|\b(?:retro|pro)spectively\sregistered\b",
    re.IGNORECASE,
)
_REGISTRY_WORD = re.compile(r"\bregist(?:er|rat|ry)", re.IGNORECASE)
_BRACKETS = re.compile(r"\([^()]{0,200}\)|\[[^\[\]]{0,200}\]")
REGISTRATION_WORDS = 30  # at most so many words make a registration line


def any_phrase(phrases: str) -> re.Pattern[str]:
    """Finds one of some regular expressions as words, in any case; they stand in lines or are parted by two blanks."""
    every = [re.sub(r"\s", r"\\s", one) for one in re.split(r"\n\s*|\s\s+", phrases.strip())]
    return re.compile(rf"\b(?:{'|'.join(every)})\b", re.IGNORECASE)


_OURS = "(?:our|these|the present|the|this|present)"
_WORK = (
    "(?:results?|findings?|data|study|studies|observations?|analysis|review|trial|evidence|experience|series|report"
    "|work)"
)
_SHOW = (
    "(?:suggests?|indicates?|shows?|showed|demonstrates?|demonstrated|supports?|confirms?|confirmed|provides?|highlights?"
    "|impl(?:y|ies)|raises?|reveals?|emphasi[sz]es?|underscores?|establish(?:es)?|do not|does not|did not|fails? to"
    "|failed to|found no|has shown|have shown|illustrates?|points? to|argues?|strengthens?|reports?)"
)
_CONCLUSION = any_phrase(
    rf"""
in conclusion
in summary
to conclude
conclusions?
conclusively
we (?:therefore |thus )?conclude
(?:can|could|may|is|be) concluded
authors conclude
taken together
collectively
{_OURS} {_WORK} {_SHOW}
{_OURS} (?:\w+ )?{_WORK} {_SHOW}
we (?:have )?(?:demonstrated?|shown?|recommend|suggest|propose|believe|advocate|advise)
we found
these (?:results|findings|data)
our (?:results|findings|data|experience)
it (?:appears|seems|is recommended|is suggested)
(?:appears?|seems?) to be
therefore
thus
hence
should (?:be|not|consider)
(?:is|are) recommended
clinicians should
"""
)
_STUDY = (
    "(?:determine|assess|evaluate|investigate|examine|explore|test|compare|analy[sz]e|study|clarify|identify"
    "|describe)"
)
_AIM = any_phrase(
    rf"""
aims?
aimed
purpose
objectives?
hypothesi[sz]ed?
hypothesis
(?:we|authors) (?:sought|wished|wanted|set out|intended|undertook)
to {_STUDY} (?:whether|if|the|how|this)
we (?:investigated|examined|assessed|evaluated|explored|tested|asked|studied|compared) (?:whether|if|the|how)
(?:was|were) to {_STUDY}
(?:is|are|remains?) (?:unknown|unclear|controversial|debated|uncertain|poorly understood|not known)
little is known
here,? we (?:report|describe|present|compare|assess|evaluate|investigate|examine) (?:on )?(?:the|an?|our|whether|how)
this (?:study|trial|paper|article|review) (?:investigates|examines|assesses|evaluates|explores|tests|addresses|compares)
"""
)
_DONE = (
    "(?:randomi[sz]ed|assigned|allocated|recruited|enrolled|measured|collected|included|"
    "excluded|reviewed|analy[sz]ed|performed|obtained|assessed|evaluated|recorded|"
    "calculated|conducted|identified|divided|examined|administered|invited|interviewed|"
    "used to|carried out|searched|selected|asked)"
)
_DID = (
    "(?:performed|conducted|measured|collected|used|searched|enrolled|recruited|reviewed|"
    "analy[sz]ed|included|administered|calculated|interviewed|surveyed|retrospectively|"
    "prospectively|selected|identified all)"
)
_DESIGN = "(?:retrospective|prospective|cross-sectional|case-control|cohort|randomi[sz]ed|double-blind|observational)"
_METHOD = any_phrase(
    rf"""
(?:was|were) (?:randomly|prospectively|retrospectively|consecutively)
(?:was|were) {_DONE}
we {_DID}
{_DESIGN} (?:study|trial|review|analysis|design)
(?:using|by) (?:a|the) (?:questionnaire|survey|database|logistic|multivariate|cox)
"""
)
_STUDIED = "(?:study|trial|review|protocol|project|experiment|survey|meta-analysis|results?|findings|data)"
_PROMISE = any_phrase(
    rf"""
{_STUDIED} (?:(?:of|from) (?:this|the|our|these) {_STUDIED} )?(?:\w+ )?(?:will|shall)
{_STUDIED} (?:is|are) (?:expected|designed|planned|intended) to
we (?:\w+ )?(?:will|shall|plan to|intend to|hope to|expect to)
if (?:our|the|this|these) hypothes[ei]s (?:is|are|proves?|can be)
will (?:then |also )?be {_DONE}
will be (?:published|disseminated|presented|compared|extracted|tested)
"""
)
_OTHER = "(?:further|more|future|additional|larger|prospective|continued|long-term|randomi[sz]ed)"
_MORE = any_phrase(
    rf"""
{_OTHER} (?:\w+ )?(?:studies|study|research|trials?|investigations?|work|data|evidence)
"""
)
_NEEDED = any_phrase(
    r"""
(?:is|are|be|seems?|were|was) (?:\w+ )?(?:needed|required|necessary|warranted|ongoing|indicated|recommended)
should
need
must
"""
)
_TESTED = (
    "(?:tested|investigated|studied|explored|elucidated|clarified|determined|confirmed|validated|replicated"
    "|established)"
)
_TESTING = "(?:evaluation|investigation|study|testing|exploration|validation|confirmation)"
_TO_TEST = any_phrase(
    rf"""
(?:should|must|needs? to|remains? to|has to|have to|has yet to|have yet to) (?:\w+ )?be (?:\w+ )?{_TESTED}
(?:warrants?|merits?|deserves?|requires?) {_OTHER} (?:\w+ )?{_TESTING}
"""
)
_RESULT = re.compile(
    r"\bp\s?[<>=≤≥]|\bci\b|\d%|\d\s%|\b(?:odds|hazard|risk|rate)\sratio|\bthere\s(?:was|were)\b|\bsignificant(?:ly)?\b"
    r"|\bcompared\s(?:with|to)\b|\bversus\b|\bvs\b|\d\.\d",
    re.IGNORECASE,
)
_RULES = {CONCLUSION: _CONCLUSION, AIM: _AIM, METHOD: _METHOD, RESULT: _RESULT}

_STATED = "(?:presents?|describes?|discuss(?:es)?|reviews?|summari[sz]es?|outlines?|provides?|offers?|adds)"
_PAPER = "(?:study|trial|work|report|paper|review|article|case|analysis|overview|chapter|section|protocol)"
_ITSELF = any_phrase(
    rf"""
(?:we|authors) (?:also |here |then )?{_STATED} (?:on |about )?(?:the|an?|our|this|these|recent|current)
{_OURS} (?:\w+ )?{_PAPER} (?:also )?(?:{_STATED}|aims?|explores?|addresses|focuses|is the first)
{_OURS} (?:\w+ ){{0,3}}(?:advances?|improves?|enhances?|provides?) (?:\w+ ){{0,3}}(?:understanding|insights?|overview)
(?:may|can|could) provide (?:a |the )?rationale
(?:data|findings|results) (?:encourage|are important|can inform|add to)
(?:data|datasets?|code|materials?) (?:is|are) (?:freely |publicly )?available
(?:has|have) been designed to
(?:important|needed|necessary) to (?:increase|raise) (?:the )?awareness
"""
)
_SAYS = re.compile(r"\b(?:that|whereby)\b", re.IGNORECASE)
# Lists of abbreviations and keywords, addresses, copyright, licences, who did what and who paid.
_BOILERPLATE = re.compile(
    r"(?i:^\W*(?:abbreviations?(?:\sused)?|key\s?words?|copyright|video\sabstract|author'?s?'?\scontributions?|funding"
    r"|conflicts?\sof\sinterests?|competing\sinterests?|acknowledge?ments?|correspondence(?:\sto)?)\s?(?:[:.—–]|$))"
    r"|(?i:^\W*key\s?words\s(?![^.]*\b(?:were|was|are|is|used|such|from|that|we|ha(?:s|ve|d)|relat\w+|includ\w+|for)\b)[^.]*[,;])"
    r"|\S@\S{1,100}?\.[a-z]{2}"
    r"|©|\(C\)\s?(?:19|20)\d\d|(?i:\bcopyright\s(?:\d{4}|by\s|the\sauthors?\b)|\ball\srights\sreserved\b)|\bPublished\sby\s[A-Z]"
    r"|\bCC[\s-]BY\b|(?i:\bcreative\scommons\b|\bterms\sof\sthe\s[^.]{0,40}licen[cs]e\b|\bopen[\s-]access\s(?:article|chapter)\b"
    r"|\bno\sreuse\sallowed\b|\bnot\s(?:certified\sby\s|been\s)?peer[\s-]review|\b(?:conceived|designed)\s(?:and|the)\s[^.]{0,30}experiments\b"
    r"|\b(?:wrote|drafted|approved)\sthe\s(?:final\s)?(?:paper|manuscript)\b|\bdeclares?\s(?:that\s)?(?:\w+\s){0,4}(?:conflict|competing)"
    r"|\bsupported\sby\s(?:a\s|the\s)?grants?\b|\bvideo\sabstract\sat\b)"
)
# "Department of Surgery, University of Oslo, Norway": no word in small letters, and no title as "School Age Effects".
_ADDRESS = re.compile(
    r"(?=[^,]*,)\W*(?:\d{1,2}\s?)?(?:Department|Dept|Division|Institute|School|Faculty|Laboratory|Cent(?:er|re)|College|University)\b"
    r"\.?(?:[\s,;&/()]+(?:[A-ZÀ-Þ0-9][^\s,;&/()]*|of|for|and|the|in|de|la|di|del|do|da|du|des))+\W*"
)
_ABBREVIATED = re.compile(
    r"(?:^|[;,.]\s?)\(?[A-Z][\w-]{1,9}\)?\s?[:=,–-]\s?[A-Za-z][\w-]*(?:\s[\w-]+){0,8}(?=[;,.]|$)"
)
ABBREVIATED = 3  # so many "SHORT, long form;" make a list of abbreviations


def is_boilerplate(sentence: str) -> bool:
    """Whether a sentence is no part of what a paper says: keywords, addresses, copyright, who did what and the like."""
    return bool(_BOILERPLATE.search(sentence) or _ADDRESS.fullmatch(sentence)) or (
        sentence.count(";") + 1 >= ABBREVIATED and len(_ABBREVIATED.findall(sentence)) >= ABBREVIATED
    )


def is_about_its_paper(sentence: str) -> bool:
    """Whether a sentence says what its paper does, and nothing that it found: "We discuss the case of …"."""
    match = _ITSELF.search(sentence)
    return bool(match) and not _SAYS.search(sentence, match.end())


def sentence_kind(sentence: str) -> str:
    """One of KINDS, or ""."""
    if len(_AUTHOR.findall(sentence[:_HEAD])) >= AUTHORS or _SOURCE.search(sentence):
        return CITATION
    if _REGISTERED.search(sentence) and len(sentence.split()) <= REGISTRATION_WORDS:
        # It says nothing else, where a result may name the registry in brackets.
        said = sentence if _REGISTRY_WORD.search(sentence) else _BRACKETS.sub(" ", sentence)
        if _REGISTERED.search(said):
            return REGISTRATION
    if sentence.rstrip().endswith("?"):
        return ASKS
    if _PROMISE.search(sentence):
        return PROMISE
    if _TO_TEST.search(sentence) or (_MORE.search(sentence) and _NEEDED.search(sentence)):
        return OUTLOOK
    return next((kind for kind, rule in _RULES.items() if rule.search(sentence)), "")
