"""An engine of another package: what it keeps lies elsewhere, and the index folder has a file that says where."""

TOY = """
"Passages in a JSON file somewhere else; scores are shares of a question's words."

import fcntl
import json
from pathlib import Path

import msgspec

from anagnosis.errors import DamagedError, InputError
from anagnosis.files import write_bytes
from anagnosis.searching.filters import date_number
from anagnosis.searching.near_names import nearest
from anagnosis.searching.records.answers import Counts, Hit
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.words import passage_words


def create(place, settings=None):
    if settings is None:
        raise InputError("the engine toy reads a file of settings", "--engine-settings", "name one")
    write_bytes(place, Path(settings).read_bytes())
    Path(json.loads(place.read_text())["store"]).mkdir(parents=True, exist_ok=True)
    return Toy(place)


def open(place):
    if not place.is_file():
        raise DamagedError("is missing", str(place), "make the index again")
    return Toy(place)


def is_empty(place):
    return not place.is_file() or not Toy(place).marks_now()


def check(place):
    yield "documents.json", "" if Toy(place).file.is_file() else "is missing"


def remove(place):
    if place.is_file():
        toy = Toy(place)
        toy.file.unlink(missing_ok=True)
        place.unlink()


class Toy:
    has_checksums = True

    def __init__(self, place):
        self.place, self.store = place, Path(json.loads(place.read_text())["store"])
        self.file, self.lock, self.changed = self.store / "documents.json", None, None

    def _now(self):
        if not self.file.is_file():
            return {}
        stored = msgspec.json.decode(self.file.read_bytes(), type=dict[str, tuple[str, list[Passage]]])
        return stored

    def marks_now(self):
        return {ident: mark for ident, (mark, _) in self._now().items()}

    def _every(self):
        return [one for _, passages in self._now().values() for one in passages]

    def begin(self):
        if self.lock is None:
            self.lock = (self.store / "lock").open("w")
            try:
                fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self.lock.close()
                self.lock = None
                raise InputError("another process is writing", str(self.store), "wait until it has ended")
            self.changed = self._now()

    def add(self, passages, mark):
        self.begin()
        self.changed[passages[0].document] = mark, list(passages)

    def delete(self, document):
        self.begin()
        self.changed.pop(document, None)

    def commit(self):
        if self.changed is not None:
            write_bytes(self.file, msgspec.json.encode(self.changed))

    def close(self):
        if self.lock is not None:
            self.lock.close()
        self.lock = self.changed = None

    def search(self, words, filters, limit):
        hits = []
        for one in self._every():
            own = set(passage_words(one)[0])
            score = sum(word in own for word in words) / max(1, len(words))
            if score and counts(one, filters):
                hits.append(Hit(one, score))
        return sorted(hits, key=lambda hit: (-hit.score, hit.passage.document, hit.passage.number))[:limit]

    def document(self, document):
        return self._now().get(document, ("", []))[1]

    def passages(self, places):
        found = {(one.document, one.number): one for one in self._every()}
        return [found.get(place) for place in places]

    def mark(self, document):
        return self.marks_now().get(document)

    def marks(self):
        yield from self.marks_now().items()

    def count(self):
        return Counts(len(self._now()), len(self._every()))

    def frequency(self, words):
        own = [set(passage_words(one)[0]) for one in self._every()]
        return [sum(word in each for each in own) for word in words]

    def undated(self):
        return sum(not date(passages[0]) for _, passages in self._now().values())

    def journals(self, name, limit):
        return self._named(name, limit, lambda one: [one.journal] if one.journal else [])

    def types(self, name, limit):
        return self._named(name, limit, lambda one: one.types)

    def _named(self, name, limit, of):
        there = {each.casefold(): each for one in self._every() for each in of(one)}
        same = name.casefold()
        return [there[same]] if same in there else [there[each] for each in nearest(same, there, limit)]

    def version(self):
        return str(self.file.stat().st_mtime_ns) if self.file.is_file() else ""


def date(passage):
    return date_number(passage.date or passage.facts.get("year", ""))


def counts(one, filters):
    low = date_number(filters.since) or 1
    high = date_number(filters.until, last=True) or 99_999_999
    return (
        (not filters.sections or one.section in filters.sections)
        and (not filters.journals or one.journal.casefold() in [each.casefold() for each in filters.journals])
        and (not filters.types or {each.casefold() for each in one.types} & {each.casefold() for each in filters.types})
        and (not filters.documents or one.document in filters.documents)
        and (not (filters.since or filters.until) or low <= date(one) <= high)
    )
"""
