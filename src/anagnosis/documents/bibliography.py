"""Facts on a paper's authors, keywords and place in its journal, spelled alike for all formats.

    authors             people, "Hellinger, Frank R Jr": last name, fore name or initials, suffix
    corporate_authors   groups that sign as such
    keywords            those that the authors gave
    tags, collections   in a library of a reference manager; a collection inside another is "Diet › Salt"
    volume, issue       of the journal, as printed
    pages               as printed, "817-20", or the number of an electronic article, "e1000"

Several values are joined by "; ", at most MOST of them. A semicolon inside a value divides authors and keywords, and
gets a no-break space behind it in a name of a group, tag or collection, as commas do where groups stand among people.

A list of names in one string is spelled as the fact `authors`: "Liu WH; Guo SN" and "Liu WH, Guo SN" (PubTator) give
"Liu, WH; Guo, SN"; names as printed ("Keith G Heinzerling, Yingnian Wu") stay. A comma separates people only where
every part has two words or more, and one comma only if both have initials: "Hellinger, Frank R, Jr" is one person, and
so is "van den Berg, Jan Peter". Tables of CORD-19 have entities of HTML in names: "O&apos;Neill, Ann".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import unescape

from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import JOINT
from anagnosis.documents.text import tidied

NO_BREAK = "\u00a0"
PLACE = ("volume", "issue", "pages")
"""The facts that say where in its journal a paper stands."""
FACTS = ("authors", "corporate_authors", "keywords", *PLACE)

MOST = 10_000
"""Most values of one fact; some papers have 5,000 authors."""
LONGEST_VALUE, LONGEST_PLACE = 1_000, 100
"""Characters of one author, group or keyword, and of a volume, issue or pages; longer ones are left out."""
LEFT_OUT, REPAIRED = "value_left_out", "semicolon_in_value"
COUNTED = {LEFT_OUT, REPAIRED}
"""Names that readers of bibliographies count under."""
_DIVIDED = ("author", "keyword")
"""What a semicolon divides; in names of groups, tags and collections it stays."""
_SEMICOLON, _COMMA = re.compile(f";(?!{NO_BREAK})"), re.compile(f",(?!{NO_BREAK})")
SUFFIXES = frozenset(("Jr", "Jr.", "Sr", "Sr.", "2nd", "3rd", "4th", "5th", "II", "III", "IV"))

# An author of a citation without full names: "Hellinger FR Jr".
_INITIALS = re.compile(r"(.+) ([A-Z](?:-?[A-Z]){0,5})((?: (?:Jr|Sr|2nd|3rd|4th|5th|II|III|IV))?)")


def person(last: str, fore: str, suffix: str = "") -> str:
    """A person as the fact spells it: "Hellinger, Frank R Jr"; missing parts are omitted."""
    given = f"{fore} {suffix}" if fore and suffix else fore or suffix
    return f"{last}, {given}" if last and given else last or given


def person_with_initials(name: str) -> str:
    """A name with initials as the fact spells it: "Hellinger, FR Jr" for "Hellinger FR Jr"; other names stay."""
    match = _INITIALS.fullmatch(name)
    return person(match[1], match[2], match[3].strip()) if match else name


def name_parts(author: str) -> tuple[str, str, str]:
    """(last name, fore name, suffix) of an author spelled by `person`, or of one of `signatories`."""
    last, _, rest = author.removesuffix(",").partition(", ")
    fore, _, suffix = rest.rpartition(" ")
    return (last, fore, suffix) if fore and suffix in SUFFIXES else (last, rest, "")


def signatories(facts: Mapping[str, str]) -> list[str]:
    """Everyone who signs a paper: its people in the order of the byline, then its groups.

    A person without given name is "Plato,", since no group's name ends in a comma, or has a blank behind one.
    """
    people, groups = (split_values(facts.get(name, "")) for name in ("authors", "corporate_authors"))
    names = (f"{each}," if is_group(each) else each for each in people)
    return [*names, *(each.rstrip(",").replace(", ", f",{NO_BREAK}") for each in groups)]


def is_group(author: str) -> bool:
    """Whether one of `signatories` is a group."""
    return ", " not in author and not author.endswith(",")


def printed_name(name: str) -> str:
    """One of `signatories` as printed, without the signs that tell people from groups."""
    return name.removesuffix(",").replace(f";{NO_BREAK}", "; ").replace(f",{NO_BREAK}", ", ")


def place(values: Mapping[str, str], repairs: Repairs) -> dict[str, str]:
    """The facts of PLACE among the values, without empty ones. Counted: LEFT_OUT, longer than LONGEST_PLACE."""
    given = {name: value for name in PLACE if (value := values.get(name, ""))}
    kept = {name: value for name, value in given.items() if len(value) <= LONGEST_PLACE}
    repairs.count(LEFT_OUT, len(given) - len(kept))
    return kept


def page_range(first: str, last: str) -> str:
    """Pages as the fact spells them: "12-19"; "12" where both are one, or there is no last page."""
    return f"{first}-{last}" if first and last and first != last else first or last


def join_values(values: Iterable[str], repairs: Repairs, thing: str) -> str:
    """A fact of several values, without empty ones. thing: author, keyword, corporate_author, tag or collection.

    Counted: LEFT_OUT, values beyond MOST, and those longer than LONGEST_VALUE; REPAIRED.
    """
    given = [value for value in values if value]
    if repaired := sum(";" in value and bool(_SEMICOLON.search(value)) for value in given):
        repairs.count(REPAIRED, repaired)
        if thing in _DIVIDED:
            given = [part for value in given for part in map(str.strip, _SEMICOLON.split(value)) if part]
        else:
            given = [name for value in given if (name := value.strip("; ").replace("; ", f";{NO_BREAK}"))]
    kept = [value for value in given if len(value) <= LONGEST_VALUE][:MOST]
    repairs.count(LEFT_OUT, len(given) - len(kept))
    return JOINT.join(kept)


def split_values(fact: str) -> list[str]:
    """The values of a fact."""
    return [value for value in fact.split(JOINT) if value] if fact else []


def listed_people(names: str) -> list[str]:
    """The people in a string of names, each spelled as in the fact."""
    return [
        name if "," in name else person_with_initials(name)
        for part in _SEMICOLON.split(unescape(names))
        for name in _people(tidied(part))
        if name
    ]


def _people(part: str) -> Iterable[str]:
    """The people in a part without semicolons."""
    pieces = [piece for each in _COMMA.split(part) if (piece := each.strip())]
    separate = all(" " in piece for piece in pieces) and (
        len(pieces) != 2 or all(person_with_initials(piece) != piece for piece in pieces)
    )
    return pieces if separate else (part.strip(" ,"),)
