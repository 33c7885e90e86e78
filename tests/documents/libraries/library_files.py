"""A record of each kind of library with everything in it: CSL JSON, EndNote's XML, tables, Web of Science."""

from __future__ import annotations

PLACE = {
    "date": "2016-03-23",
    "year": "2016",
    "doi": "10.1000/x",
    "pmcid": "PMC7",
    "volume": "12",
    "issue": "3",
}
"""Facts of all these records."""
ITEM = {
    "id": "http://zotero.org/users/1/items/ABCD2345",
    "type": "article-journal",
    "title": "Does aspirin prevent stroke?",
    "abstract": "METHODS: We asked.",
    "container-title": "Journal of Salt",
    "container-title-short": "J Salt",
    "author": [
        {"family": "Hellinger", "given": "Frank R", "suffix": "Jr"},
        {"literal": "STRATIS Investigators"},
        {"family": "Berg", "given": "Jan", "non-dropping-particle": "van der"},
        {"family": "Gogh", "given": "V", "dropping-particle": "van"},
    ],
    "editor": [{"family": "Editor"}],
    "issued": {"date-parts": [["2016", 3, 23]]},
    "accessed": {"date-parts": [[2020, 1, 1]]},
    "volume": "12",
    "issue": 3,
    "page": "817-820",
    "DOI": "10.1000/x",
    "PMCID": "PMC7",
    "note": "PMID: 27000083\nread twice",
    "keyword": "salt, sea",
    "categories": ["diet", "water"],
    "language": "en",
    "ISSN": ["1756-1833", "0959-8138"],
    "URL": "https://example.org",
    "custom": None,
}


def styled(tag: str, *texts: str) -> str:
    return (
        f"<{tag}>"
        + "".join(f'<style face="normal" size="100%">{text}</style>' for text in texts)
        + f"</{tag}>"
    )


TITLE = f"<titles>{styled('title', 'Salt')}</titles>"


def library(*records: str, around: str = "{}") -> str:
    inside = "\n".join(f"<record>{record}</record>" for record in records)
    return f'<?xml version="1.0" encoding="UTF-8"?><xml><records>\n{around.format(inside)}\n</records></xml>'


RECORD = (
    '<database name="my.enl" path="C:\\my.enl">my.enl</database><source-app name="EndNote">EndNote</source-app>'
    '<rec-number>7</rec-number><foreign-keys><key app="EN">7</key></foreign-keys>'
    '<ref-type name="Journal Article">17</ref-type><contributors>'
    f"<authors>{styled('author', 'Hellinger, Frank R, Jr')}{styled('author', 'Nemo, Ana')}"
    f"{styled('author', 'Salt,, Sea Group,')}</authors>"
    f"<secondary-authors>{styled('author', 'Editor, Ed')}</secondary-authors></contributors>"
    f"<titles>{styled('title', 'Salt ', 'in vivo', ' &amp; sea &alpha;')}{styled('secondary-title', 'J Salt')}"
    f"{styled('short-title', 'Salt')}</titles>"
    f"<periodical>{styled('full-title', 'Journal of Salt')}</periodical>"
    f"{styled('pages', '817-820')}{styled('volume', '12')}{styled('number', '3')}"
    f"<keywords>{styled('keyword', 'salt')}{styled('keyword', 'sea')}</keywords>"
    f"<dates>{styled('year', '2016')}<pub-dates>{styled('date', 'Mar 23')}</pub-dates></dates>"
    f"{styled('isbn', '1756-1833')}{styled('accession-num', '27000083')}{styled('abstract', 'METHODS: We.')}"
    f"{styled('custom2', 'PMC7')}{styled('notes', 'PMID: 27000083&#xD;bought in Rome')}"
    f"{styled('electronic-resource-num', '10.1000/x')}{styled('language', 'eng')}"
    "<remote-database-name>Medline</remote-database-name><remote-database-provider>NLM</remote-database-provider>"
    "<urls><related-urls><url>https://example.org/a.pdf</url></related-urls><pdf-urls>"
    "<url>internal-pdf://0123/a b.pdf</url><url>internal-pdf://../../c.pdf</url></pdf-urls></urls>"
)

HEAD = (
    '"PMID","Title","Authors","Citation","First Author","Journal/Book","Publication Year","Create Date","PMCID",'
    '"NIHMS ID","DOI"\n'
)
ROW = (
    '"27000083","Does aspirin, or ""salt"", prevent stroke?","Hellinger FR Jr, Nemo A.",'
    '"J Salt. 2016 Mar 23;12(3):817-20. doi: 10.1000/x.","Hellinger FR",'
    '"J Salt","2016","2016/03/24","PMC7","","10.1000/x"\n'
)

SCOPUS_HEAD = (
    '"Authors","Author full names","Author(s) ID","Title","Year","Source title","Volume","Issue","Art. No.",'
    '"Page start","Page end","Page count","Cited by","DOI","Link","Abstract","Author Keywords","Index Keywords",'
    '"PubMed ID","Language of Original Document","Document Type","Publication Stage","Source","EID"\n'
)
SCOPUS_ROW = (
    '"Hellinger F.R.; van den Berg J.-P.","Hellinger, Frank R. (57190000001); van den Berg, Jan Peter (7)",'
    '"57190000001; 7","Does aspirin, or ""salt"", prevent stroke?","2016","Journal of Salt","12","3", e12,"817","820",'
    '"4","2","10.1000/x","https://www.scopus.com/x","METHODS: We asked.\nRESULTS: Ten answered.","salt; sea",'
    '"human","27000083","English","Article","Final","Scopus","2-s2.0-84900000001"\n'
)

WOS_HEAD, WOS_END = "FN Clarivate Analytics Web of Science\nVR 1.0\n", "EF"
WOS_RECORD = """PT J
AU Hellinger, FR
   Nemo, A
AF Hellinger, Frank R., Jr.
   Nemo, Ana
CA Salt Study Grp; Sea Grp
TI Does <i>aspirin
   sp.</i> prevent stroke?
SO JOURNAL OF SALT
LA English
DT Article; Proceedings Paper
DE salt; sea;
   deep water
ID PLUS
AB METHODS: We asked.
   PT J was an answer.
CR Salt A, 2001, J SEA, V1, P1
   Salt B, 2002, J SEA, V2, P2
PD MAR 23
PY 2016
VL 12
IS 3
BP 817
EP 820
DI 10.1000/x
UT WOS:000123456789012
PM 27000083
ER

"""
