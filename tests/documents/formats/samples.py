"""One sample for each format, on which the contract of tests/documents/formats/test_contract.py is tried."""

from __future__ import annotations

from typing import NamedTuple

from anagnosis import corpus

TITLE = "Aspirin and caf\u00e9"
BOMB_DEPTH = 20_000


class Sample(NamedTuple):
    """Bytes in a format.

    whole: three documents (one where a file has one), one of them with TITLE. same_id: two records of one id. fault:
    a document with something to repair or to leave out, and the name under which the reader counts it; None where it
    repairs nothing. bomb: what multiplies or nests without end. has_end: whether a file says that it ends, so
    that no cut goes unnoticed. also: other bytes that are cut at every place. at_once: whether
    nothing is read of a file that breaks off.
    """

    whole: bytes
    same_id: bytes
    fault: tuple[bytes, str] | None
    bomb: bytes
    has_end: bool
    also: bytes = b""
    at_once: bool = False


def sample(name: str) -> Sample:
    """The sample of a format."""
    return SAMPLES[name]()


def _entities(root: str, text: str) -> bytes:
    """Entities of which each is ten of the one before: a billion letters when they are written out."""
    declared = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    return f'<!DOCTYPE {root} [<!ENTITY e0 "h">{declared}]>\n{text.format("&e9;")}'.encode()


_PUBTATOR = "{0}|t|{1}.\n{0}|a|It helps.\n{0}\t0\t7\tAspirin\tChemical\tMESH:D001241\n\n"


def pubtator() -> Sample:
    one = _PUBTATOR.format(1, TITLE)
    whole = "".join(_PUBTATOR.format(n, TITLE) for n in (1, 2, 3))
    beyond = one.rstrip() + "\n1\t900\t907\tAspirin\tChemical\tMESH:D001241\n\n"
    # A row without text gets that of the paper: 20,000 rows, each over a title of 20,000 letters.
    rows = "".join(f"1\t0\t{BOMB_DEPTH}\t\tGene\t{n}\n" for n in range(BOMB_DEPTH))
    bomb = f"1|t|{'a' * BOMB_DEPTH}\n1|a|It helps.\n{rows}\n"
    return Sample(
        whole.encode(),
        (one * 2).encode(),
        (beyond.encode(), "mention_beyond_text"),
        bomb.encode(),
        has_end=False,
    )


_PASSAGE = "<passage><infon key='type'>title</infon><offset>0</offset><text>{}.</text>{}</passage>"
_BIOC = "<document><id>{}</id>" + _PASSAGE + "</document>\n"


def bioc_xml() -> Sample:
    def collection(*documents: str) -> bytes:
        return f"<collection>{''.join(documents)}</collection>".encode()

    one = _BIOC.format(1, TITLE, "")
    beyond = (
        "<annotation id='1'><infon key='identifier'>7</infon><infon key='type'>Gene</infon>"
        "<location offset='900' length='7'/><text>Aspirin</text></annotation>"
    )
    return Sample(
        collection(*(_BIOC.format(n, TITLE, "") for n in (1, 2, 3))),
        collection(one, one),
        (collection(_BIOC.format(1, TITLE, beyond)), "mention_beyond_text"),
        _entities("collection", f"<collection>{_BIOC.format(1, '{0}', '')}</collection>"),
        has_end=True,
    )


_RECORD = (
    '{{"id": "{}", "passages": [{{"infons": {{"type": "title"}}, "offset": 0, "text": "{}."{}}}], "x": {}}}'
)


def bioc_json() -> Sample:
    def collection(*documents: str) -> bytes:
        return f'{{"documents": [{",".join(documents)}]}}'.encode()

    one = _RECORD.format(1, TITLE, "", "null")
    beyond = (
        ', "annotations": [{"id": "1", "infons": {"identifier": "7", "type": "Gene"}, "text": "Aspirin", '
        '"locations": [{"offset": 900, "length": 7}]}]'
    )
    return Sample(
        collection(*(_RECORD.format(n, TITLE, "", "null") for n in (1, 2, 3))),
        collection(one, one),
        (collection(_RECORD.format(1, TITLE, beyond, "null")), "mention_beyond_text"),
        collection(_RECORD.format(1, TITLE, "", "[" * BOMB_DEPTH + "]" * BOMB_DEPTH)),
        has_end=True,
        at_once=True,
    )


_CITATION = (
    "<PubmedArticle><MedlineCitation><PMID>{}</PMID><Article><ArticleTitle>{}.</ArticleTitle><Abstract>"
    "<AbstractText>It helps.</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>\n"
)


def medline() -> Sample:
    def citations(*documents: str) -> bytes:
        return f"<PubmedArticleSet>{''.join(documents)}</PubmedArticleSet>".encode()

    one = _CITATION.format(1, TITLE)
    empty = one.replace("</Abstract>", "<AbstractText/></Abstract>")
    carried = corpus.carried("medline").read_bytes()[:12_000].rpartition(b"<PubmedArticle>")[0]
    return Sample(
        citations(*(_CITATION.format(n, TITLE) for n in (1, 2, 3))),
        citations(one, one),
        (citations(empty), "abstract_text_empty"),
        _entities("PubmedArticleSet", f"<PubmedArticleSet>{_CITATION.format(1, '{0}')}</PubmedArticleSet>"),
        has_end=True,
        also=carried + b"</PubmedArticleSet>",
    )


_NBIB = "PMID- {}\nTI  - {}\n      that goes on.\nAB  - It helps.\nSO  - J. 2001.{}\n\n"


def nbib() -> Sample:
    whole = "".join(_NBIB.format(n, TITLE, "") for n in (1, 2, 3)).rstrip() + "\n"
    return Sample(
        whole.encode(),
        (_NBIB.format(1, TITLE, "") * 2).encode(),
        (_NBIB.format(1, TITLE, "\nno field at all").encode(), "line_unreadable"),
        _NBIB.format(1, TITLE, "\nMH  - Humans" * BOMB_DEPTH).encode(),
        has_end=False,
    )


_ARTICLE = (
    "<article><front><article-meta><article-id pub-id-type='pmid'>{}</article-id><title-group><article-title>{}."
    "</article-title></title-group>{}</article-meta></front><body><p>Text.</p></body></article>\n"
)


def jats() -> Sample:
    def articles(*documents: str) -> bytes:
        return f"<articles>{''.join(documents)}</articles>".encode()

    one = _ARTICLE.format(1, TITLE, "")
    impossible = "<pub-date pub-type='epub'><day>31</day><month>2</month><year>2001</year></pub-date>"
    return Sample(
        articles(*(_ARTICLE.format(n, TITLE, "") for n in (1, 2, 3))),
        articles(one, one),
        (articles(_ARTICLE.format(1, TITLE, impossible)), "publication_day_impossible"),
        _entities("article", _ARTICLE.format(1, "{0}", "")),
        has_end=True,
    )


_PLAIN = (
    "PMID: {0}\nAccession ID: PMC{0}\n==== Front\nJ Salt Res\nJ Salt Res\njsr\nJournal of Salt Research\n1234-5678\n"
    "A Publisher in a Town\n\n10.1000/salt.{0}\nsalt-{0}\nCase Report\n{1} after a meal\nNg Ann\nRoe Ben\n"
    "We asked ten people whether they eat salt, and what they drink.\n{2}\n==== Body\nText.\n"
)


def pmc_text() -> Sample:
    one = _PLAIN.format(1, TITLE, "")
    return Sample(
        "".join(_PLAIN.format(n, TITLE, "") for n in (1, 2, 3)).encode(),
        (one * 2).encode(),
        (one.replace("10.1000/salt.1", "no DOI").encode(), "title_unmarked"),
        _PLAIN.format(1, TITLE, "==== Body\n==== Front\n" * BOMB_DEPTH).encode(),
        has_end=False,
    )


_PARSE = '{{"paper_id": "a", "metadata": {{"title": "{}."}}, "body_text": [{{"text": "x", "section": ""}}], "x": {}}}'
_TABLE = "cord_uid,sha,source_x,title,doi,pmcid,pubmed_id,license,abstract,publish_time,authors,journal\n"


def cord19() -> Sample:
    row = f'u1,,,"{TITLE}",,,{{}},,It helps.,2020-01-02,,J\n'
    return Sample(
        _PARSE.format(TITLE, "null").encode(),
        (_TABLE + row.format("") * 2).encode(),
        ((_TABLE + row.format("no-number")).encode(), "pubmed_id_unreadable"),
        _PARSE.format(TITLE, "[" * BOMB_DEPTH + "]" * BOMB_DEPTH).encode(),
        has_end=True,
    )


_LINE = '{{"id": "{}", "title": "{}.", "text": "x", "y": {}}}\n'


def jsonl() -> Sample:
    return Sample(
        "".join(_LINE.format(n, TITLE, "null") for n in (1, 2, 3)).encode(),
        (_LINE.format(1, TITLE, "null") * 2).encode(),
        (_LINE.format(1, TITLE, '{"a": 1}').encode(), "key_left_out"),
        _LINE.format(1, TITLE, "[" * BOMB_DEPTH + "]" * BOMB_DEPTH).encode(),
        has_end=False,
    )


SAMPLES = {
    "pubtator": pubtator,
    "bioc-xml": bioc_xml,
    "bioc-json": bioc_json,
    "medline": medline,
    "nbib": nbib,
    "jats": jats,
    "pmc-text": pmc_text,
    "cord19": cord19,
    "jsonl": jsonl,
}
