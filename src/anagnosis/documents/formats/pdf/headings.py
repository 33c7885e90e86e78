"""Headings by their words: which are usual, and what stands below them."""

from __future__ import annotations

import re

from anagnosis.documents.formats.pdf.characters import CASELESS, CASELESS_WORD

ABSTRACT, REFERENCES = "abstract", "ref"  # labels of sections
_LONGEST = 250  # characters
_HEADING = re.compile(r"[^\W_]|[(\"“‘【《「『（]")
_BACK = re.compile(
    r"acknowledg(?:e)?ments?|funding"
    r"|author contributions?|authors[’'] contributions?|competing interests?|conflicts? of interest|declarations?"
    r"|publisher[’']s note|additional information|supplementary (?:information|materials?)|abbreviations"
    r"|data availability(?: statement)?|availability of data and materials?|ethics approval and consent to participate"
    r"|consent for publication|authors[’'] information|reporting summary|code availability"
    r"|致谢|致謝|謝辞|감사의글|利益冲突(?:声明)?|利益相反|이해상충|基金项目|作者贡献",
    re.IGNORECASE,
)
_ABSTRACTS = "abstract|摘要|要旨|要約|抄録|초록|요약"
_MAIN = re.compile(
    r"introduction|background|(?:materials? and )?methods?(?: and materials?)?|results?(?: and discussion)?"
    r"|discussion|conclusions?"
    r"|引言|前言|绪论|緒言|緒論|はじめに|서론|目的|목적|背景|배경|(?:材料[与と]|资料[与和]|对象[与和]|対象と|연구)?(?:方法|방법)"
    r"|(?:结果|結果)(?:[与和と](?:讨论|討論|考察))?|결과|讨论|討論|考察|고찰|结论|結論|결론|おわりに"
    rf"|{_ABSTRACTS}",
    re.IGNORECASE,
)
_OF_REFERENCES = re.compile(
    r"(?:literature|references?|works) cited|references?(?: and notes| list)?|bibliography|reference list"
    r"|(?:参考|引用)?文献|參考文獻|참고문헌",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    rf"^(?:\d+|[IVX]+)\.?[\s|]+|^[\d一二三四五六七八九十]+[.、．]?\s*(?={CASELESS_WORD})|^[【\[]|[】\]:.：。]+$"
)
_SPACED = re.compile(rf"(?:\w ){{3,}}\w|(?:{CASELESS} )+{CASELESS}")  # "R E F E R E N C E S", "摘 要"
NO_HEADING = re.compile(
    r"(?:key ?words?|correspondence|received|accepted|published|citation|academic editor|copyright|check for updates"
    r"|open access|e-?mail|©|https?:|doi\b"
    # The kind of a paper, which stands in large letters.
    r"|(?:(?:original|research|review|case|brief|short) )?(?:articles?|investigation|papers?|reports?|reviews?)$)",
    re.IGNORECASE,
)


def may_be_heading(text: str) -> bool:
    """Whether it begins as headings do, and is not too long."""
    return 0 < len(text) <= _LONGEST and _HEADING.match(text) is not None


def is_usual(heading: str) -> bool:
    """Whether many papers have this heading."""
    bare = _bare(heading)
    return any(usual.fullmatch(bare) for usual in (_MAIN, _BACK, _OF_REFERENCES))


def is_main(heading: str) -> bool:
    """Whether it is one of the first level in most papers."""
    bare = _bare(heading)
    return any(usual.fullmatch(bare) for usual in (_MAIN, _OF_REFERENCES))


def reads_as_heading(text: str) -> bool:
    """Whether these words can be a heading that is not usual."""
    begins = text[0].isalnum() and not text[0].islower()
    has_word = re.search(rf"[^\W\d_]{{3}}|{CASELESS_WORD}", text) is not None
    ends = text.endswith((".", ",", ";", "。", "，", "；"))
    return begins and has_word and not ends and "et al." not in text and not NO_HEADING.match(text)


def label_under(heading: str) -> str:
    """The label of the section below a heading."""
    bare = _bare(heading)
    if _OF_REFERENCES.fullmatch(bare):
        return REFERENCES
    if _BACK.fullmatch(bare):
        return "back"
    return ABSTRACT if re.fullmatch(_ABSTRACTS, bare.lower()) else "body"


def _bare(heading: str) -> str:
    """A heading without its number, and without blanks between its letters."""
    text = _NUMBERED.sub("", heading.strip())
    return text.replace(" ", "") if _SPACED.fullmatch(text) else text
