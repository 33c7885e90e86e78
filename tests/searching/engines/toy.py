"""An engine whose passages lie elsewhere, in a JSON file; the index folder has a file that says where.

Scores are shares of a question's words.
"""

import fcntl
import json
from pathlib import Path

import msgspec
from rapidfuzz.distance import OSA
from tests.searching.engines.matching import (
    StoredPassage,
    conditions_met,
    count_facets,
    date_of,
    holds,
    matches,
)

from anagnosis.errors import DamagedError, InputError
from anagnosis.io.files import write_bytes
from anagnosis.searching.near_names import nearest
from anagnosis.searching.queries.names import folded
from anagnosis.searching.records.answers import Counts, Hit
from anagnosis.searching.records.expansion import Definition
from anagnosis.searching.records.matches import PrintedWord
from anagnosis.searching.records.paper import NO_FACTS, Paper
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.synonyms.abbreviations import defined_in
from anagnosis.searching.synonyms.names import key
from anagnosis.searching.words import passage_words, printed_words, words_of


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
    def __init__(self, place):
        self.place, self.store = place, Path(json.loads(place.read_text())["store"])
        self.file, self.lock, self.changed = self.store / "documents.json", None, None

    def _now(self):
        if not self.file.is_file():
            return {}
        return msgspec.json.decode(self.file.read_bytes(), type=dict[str, tuple[str, list[Passage], Paper]])

    def marks_now(self):
        return {ident: mark for ident, (mark, _, _) in self._now().items()}

    def _every(self):
        return [StoredPassage(one, paper) for _, passages, paper in self._now().values() for one in passages]

    def begin(self):
        if self.lock is None:
            self.lock = (self.store / "lock").open("w")
            try:
                fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self.lock.close()
                self.lock = None
                raise InputError(
                    "another process is writing", str(self.store), "wait until it has ended"
                ) from None
            self.changed = self._now()

    def add(self, passages, mark, paper=NO_FACTS):
        self.begin()
        self.changed[passages[0].document] = mark, list(passages), paper

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

    def _matching(self, query, filters):
        for _, passages, paper in self._now().values():
            every = [StoredPassage(one, paper) for one in passages]
            yield from (stored for stored in every if matches(query, filters, stored, every))

    def meeting(self, query, places):
        return conditions_met(query, self._every(), places)

    def search(self, query, filters, limit, *, sort="score"):
        hits = []
        for stored in self._matching(query, filters):
            shares = [holds(part, stored) for part in query.ranked]
            hits.append(Hit(stored.passage, sum(shares) / max(1, len(shares))))
        by_date = sort == "date" or not query.ranked
        hits.sort(key=lambda hit: (-hit.score, hit.passage.document, hit.passage.number))
        return sorted(hits, key=lambda hit: -date_of(hit.passage) if by_date else 0)[: max(0, limit)]

    def matches(self, query, filters):
        return self.facets(query, filters, 0).matches

    def facets(self, query, filters, limit):
        return count_facets([stored.passage for stored in self._matching(query, filters)], limit)

    def papers(self, documents):
        there = self._now()
        return [there[one][2] if one in there else None for one in documents]

    def with_alias(self, aliases):
        return sorted(ident for ident, (_, _, paper) in self._now().items() if {*aliases} & {*paper.aliases})

    def names(self, field, prefix, limit):
        of = {"journal": lambda one: [one.passage.journal], "type": lambda one: one.passage.types}.get(
            field,
            lambda one: getattr(one.paper, {"author": "authors", "keyword": "keywords"}.get(field, field)),
        )
        counts = {}
        for one in self._every():
            for name in of(one):
                if prefix and folded(name).startswith(folded(prefix)):
                    counts[name] = counts.get(name, 0) + 1
        return sorted(counts, key=lambda name: (-counts[name], name))[:limit]

    def printed(self, prefix, limit):
        counts = {}
        for _, passages, _ in self._now().values():
            for word in {*printed_words(passages[0].title)}:
                if word.startswith(prefix.lower()) and prefix:
                    counts[word] = counts.get(word, 0) + 1
        return [self._printed(word) for word in sorted(counts, key=lambda one: (-counts[one], one))[:limit]]

    def near_words(self, word, limit):
        errors = 1 if len(word) <= 5 else 2
        near = {}
        for one in self._every():
            for text in printed_words(f"{one.passage.title} {one.passage.text}"):
                distance = OSA.distance(word.lower(), text)
                if 0 < distance <= errors and len(word) > 3:
                    near[text] = distance
        return [self._printed(one) for one in sorted(near, key=lambda one: (near[one], one))[:limit]]

    def definitions(self, *, short="", long=""):
        counts = {}
        for _, passages, _ in self._now().values():
            for one in defined_in(passages):
                if one[0] == short or (long and key(one[1]) == long):
                    counts[one] = counts.get(one, 0) + 1
        return [Definition(*one, counts[one]) for one in sorted(counts, key=lambda one: (-counts[one], one))]

    def _printed(self, word):
        return PrintedWord(word, max(self.frequency(words_of(word))))

    def document(self, document):
        return self._now().get(document, ("", [], None))[1]

    def passages(self, places):
        found = {(one.document, one.number): one for one, _ in self._every()}
        return [found.get(place) for place in places]

    def mark(self, document):
        return self.marks_now().get(document)

    def marks(self):
        yield from self.marks_now().items()

    def count(self):
        return Counts(len(self._now()), len(self._every()))

    def frequency(self, words):
        own = [set(passage_words(one)[0]) for one, _ in self._every()]
        return [sum(word in each for each in own) for word in words]

    def undated(self):
        return sum(not date_of(passages[0]) for _, passages, _ in self._now().values())

    def journals(self, name, limit):
        return self._named(name, limit, lambda one: [one.journal] if one.journal else [])

    def types(self, name, limit):
        return self._named(name, limit, lambda one: one.types)

    def _named(self, name, limit, of):
        there = {folded(each): each for one, _ in self._every() for each in of(one)}
        same = folded(name)
        return [there[same]] if same in there else [there[each] for each in nearest(same, there, limit)]

    def version(self):
        return str(self.file.stat().st_mtime_ns) if self.file.is_file() else ""
