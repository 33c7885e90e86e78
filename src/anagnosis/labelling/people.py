"""The people who take part in a study: their names, their groups, and the files that are named after them.

ann,bea                  two people of the group "people"
experts=ann,bea          of the group "experts"

ann.html                 the page of ann
answers-ann.jsonl        what ann saves on it
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

import msgspec

from anagnosis.errors import InputError

GROUP = "people"
LONGEST_NAME = 60
MOST_PEOPLE = 1000
OPTION = "--people"
_REMEDY = "write NAME,NAME or GROUP=NAME,NAME"
_IN_FILE_NAMES = (
    "LNM"  # letters, digits and the marks on letters, by the first letter of their category in Unicode
)
# Names that Windows keeps for devices, whatever their ending.
_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10)))
)


class Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person of a study. group: such as experts, or novices."""

    name: str
    group: str = GROUP

    @property
    def file_name(self) -> str:
        """The name as a part of a file's name: every run of other signs than letters, digits, _ and - is one -."""
        letters = "".join(
            each if unicodedata.category(each)[0] in _IN_FILE_NAMES or each == "_" else "-"
            for each in self.name
        )
        name = re.sub("-+", "-", letters)
        return f"-{name}" if name.casefold() in _DEVICES else name

    @property
    def page(self) -> str:
        """The file of the person's page."""
        return f"{self.file_name}.html"

    def saved(self, kind: str) -> str:
        """The file of what the person answers to sheets of a kind."""
        return f"{kind}-{self.file_name}.jsonl"


def people_of(given: Iterable[str]) -> tuple[Person, ...]:
    """The people of NAME,NAME and GROUP=NAME,NAME, in their order.

    InputError: a name or group is empty, long or unprintable, or the files of two people would have one name.
    """
    found: list[Person] = []
    for text in given:
        group, has_group, names = text.partition("=")
        for name in (names if has_group else group).split(","):
            found.append(Person(_name(name, "name"), _name(group, "group") if has_group else GROUP))
    check_people(found)
    return tuple(found)


def check_people(people: Iterable[Person]) -> None:
    """Refuse (InputError) names that no person may have, and two people whose files would have one name."""
    files: dict[str, str] = {}
    for person in people:
        for what, text in (("name", person.name), ("group", person.group)):
            if _name(text, what) != text:
                raise InputError(
                    f"the {what} {text!r} is not written as {_name(text, what)!r}", OPTION, _REMEDY
                )
        file = person.file_name.casefold()  # some file systems do not tell capitals apart
        if (other := files.setdefault(file, person.name)) != person.name:
            what = f"the files of {other!r} and {person.name!r} would have one name"
            raise InputError(what, OPTION, "give each person a name of their own")
        if len(files) > MOST_PEOPLE:
            raise InputError(
                f"more than {MOST_PEOPLE:,} people", OPTION, "draw a study for each part of them"
            )
    names = [person.name for person in people]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"{twice!r} stands twice", OPTION, "name each person once")


def _name(text: str, what: str) -> str:
    """The text with single blanks and composed letters. InputError: it is no name."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not name:
        raise InputError(f"an empty {what}", OPTION, _REMEDY)
    if len(name) > LONGEST_NAME:
        raise InputError(f"a {what} of {len(name):,} characters", OPTION, f"give {LONGEST_NAME} at most")
    if "=" in name:
        raise InputError(f"the {what} {name!r} holds =", OPTION, "repeat --people for another group")
    if not name.isprintable():
        raise InputError(f"the {what} {name!r} holds signs that cannot be printed", OPTION, _REMEDY)
    if not any(letter.isalnum() for letter in name):
        raise InputError(f"the {what} {name!r} has neither letter nor digit", OPTION, _REMEDY)
    return name
