"""A user's table of articles and their medical specialties, for articles whose journal names none.

    id<TAB>specialty          a header is optional
    PMC3747765<TAB>Cardiology
    PMC3747765<TAB>Surgery    several rows of an id are several specialties

An id is a document's id, PMID, PMCID or DOI. A specialty becomes the fact "subjects" (bibliography.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from anagnosis.documents.bibliography import join_values
from anagnosis.documents.dates import table_rows
from anagnosis.documents.document import Document
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.io.files import display_name, open_input
from anagnosis.io.paths import PathLike

FACT = "subjects"
_HEADERS = frozenset(("id", "_id", "document", "pmid", "pmcid", "doi"))
_OTHER_IDS = ("pmid", "pmcid", "doi")
_REMEDY = "write two columns with a tab or a comma between them: an id and a specialty"


def specialties(path: PathLike) -> dict[str, list[str]]:
    """The specialties of each id, in the order of the table, each once. InputError: a bad row, or no row."""
    name = display_name(Path(path))
    table: dict[str, dict[str, None]] = {}
    with open_input(path) as stream:
        for number, cells in table_rows(stream, name):
            if number == 1 and cells[0].lower() in _HEADERS:
                continue
            if len(cells) != 2 or not all(cells):
                raise InputError("not an id and a specialty", f"{name}:{number}", _REMEDY)
            table.setdefault(cells[0], {})[cells[1]] = None
    if not table:
        raise InputError("no specialty in this table", name, _REMEDY)
    return {ident: list(listed) for ident, listed in table.items()}


def with_specialties(
    documents: Iterable[Document], table: dict[str, list[str]], repairs: Repairs
) -> Iterator[Document]:
    """The documents, with the table's specialties as the fact "subjects" of those that have no subjects.

    Counted: specialty_supplied and specialty_known (the article has subjects, which stay), by article, and
    specialty_without_document (ids of the table that are no document's), at the end.
    """
    used = set[str]()
    for document in documents:
        ids = [document.id, *filter(None, map(document.facts.get, _OTHER_IDS))]
        listed = next((ident for ident in ids if ident in table), None)
        if listed is None:
            yield document
            continue
        used.update(ids)
        if document.facts.get(FACT):
            repairs.count("specialty_known")
            yield document
            continue
        repairs.count("specialty_supplied")
        fact = join_values(table[listed], repairs, "subject")
        yield msgspec.structs.replace(document, facts={**document.facts, FACT: fact})
    repairs.count("specialty_without_document", len(table.keys() - used))
