"""Outside the kinds' two folders no code asks which kind it has, nor of which kind's class a record or a setting is.

A reader, a recipe or a command may declare the kind that it serves (`demand(kind, DECISION, …)`, `kind = "cloze"`), and
refuse the others; it may not branch on it. What a higher package needs of each kind stands in a table of its module.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.rows import each_row

from anagnosis.datasets.kinds import KINDS
from anagnosis.datasets.kinds.table import named

SOURCE = Path(__file__).resolve().parents[2] / "src/anagnosis"
FREE = (SOURCE / "datasets/kinds", SOURCE / "reports/datasets/kinds")
FILES = [path for path in sorted(SOURCE.rglob("*.py")) if not any(path.is_relative_to(at) for at in FREE)]

CONSTANTS = {name.upper() for name in KINDS}
CLASSES = {f"{name.capitalize()}{what}" for name in KINDS for what in ("Instance", "Settings")}
# What views of the kinds give, and a reader's settings.
CLASSES |= {"Viewed", "Posed", "Typed", "LongAnswerSettings"}


def names_a_kind(node: ast.expr, imported: set[str]) -> bool:
    match node:
        case ast.Constant(value=str(value)):
            return value in KINDS
        case ast.Name(id=name):
            return name in imported
        case ast.Attribute(attr=name):
            return name in CONSTANTS
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return any(names_a_kind(part, imported) for part in parts)
        case _:
            return False


def names_a_class(node: ast.expr) -> bool:
    return any(
        (isinstance(each, ast.Name) and each.id in CLASSES)
        or (isinstance(each, ast.Attribute) and each.attr in CLASSES)
        for each in ast.walk(node)
    )


def speaks_of_a_kind(node: ast.expr) -> bool:
    """`kind`, `x.kind`, `x.kind.name`, `kinds[…]`, `recipe["kind"]`, …"""
    return "kind" in ast.unparse(node).casefold()


def of_the_table(tree: ast.Module) -> set[str]:
    """Names that the module has from the table of kinds, as it calls them."""
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("anagnosis.datasets.kinds")
        for alias in node.names
        if alias.name in CONSTANTS and node.module == "anagnosis.datasets.kinds.table"
    }


def branches(source: str) -> Iterator[tuple[int, str]]:
    """(line, what) of each place that asks for a kind."""
    tree = ast.parse(source)
    imported = of_the_table(tree)
    tables = [node.value for node in tree.body if isinstance(node, ast.Assign)]
    for node in ast.walk(tree):
        found = False
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, classes]):
                found = names_a_class(classes)
            case ast.Compare(left=left, comparators=others):
                sides = [left, *others]
                told = any(
                    isinstance(each, ast.Name | ast.Tuple) and names_a_kind(each, imported) for each in sides
                )
                spoken = any(map(speaks_of_a_kind, sides)) and any(
                    names_a_kind(each, imported) for each in sides
                )
                found = (told and any(names_a_kind(each, imported) for each in sides)) or spoken
                found = found or any(isinstance(each, ast.Name) and each.id in CLASSES for each in sides)
            case ast.Dict(keys=keys) if node not in tables:
                given = [key for key in keys if key is not None]
                kinds = [key for key in given if names_a_kind(key, imported)]
                found = any(map(names_a_class, given)) or len(kinds) > 1
                found = found or any(isinstance(key, ast.Name) for key in kinds)
            case ast.Match(subject=subject, cases=cases):
                patterns = [each for case in cases for each in ast.walk(case.pattern)]
                found = any(isinstance(each, ast.MatchClass) and names_a_class(each.cls) for each in patterns)
                found = found or any(
                    isinstance(each, ast.MatchValue)
                    and names_a_kind(each.value, imported)
                    and speaks_of_a_kind(subject)
                    for each in patterns
                )
            case _:
                pass
        if found:
            yield node.lineno, ast.unparse(node)[:100]


def lists_of_views(source: str) -> Iterator[tuple[int, str]]:
    """(line, what) of each list, choice or pattern that holds views of two kinds."""
    kinds = {view: name for name in KINDS for view in named(name).views}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Subscript):
            words = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
            words = re.split(r"[|()^$]+", node.value)
        else:
            continue
        if len({kinds[word] for word in words if isinstance(word, str) and word in kinds}) > 1:
            yield node.lineno, ast.unparse(node)[:100]


@each_row("path", FILES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_no_code_spells_out_the_views_of_several_kinds(path: Path) -> None:
    found = [f"{path.name}:{line}: {what}" for line, what in lists_of_views(path.read_text("utf-8"))]
    assert not found, "take them from `every_view()` of datasets/kinds/table.py: " + "; ".join(found)


@each_row(
    "source",
    [
        'ORDER = ("global", "local", "question-only")',
        'VIEW = "^(global|sentences)$"',
        'Literal["names", "sentences"]',
    ],
)
def test_a_list_of_views_is_seen(source: str) -> None:
    assert [*lists_of_views(source)]
    assert not [*lists_of_views('VIEWS = ("local", "names")')]


@each_row("path", FILES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_no_code_asks_which_kind_it_has(path: Path) -> None:
    found = [f"{path.name}:{line}: {what}" for line, what in branches(path.read_text("utf-8"))]
    assert not found, "define it in datasets/kinds/ or reports/datasets/kinds/: " + "; ".join(found)


TABLE = "from anagnosis.datasets.kinds.table import DECISION\n"
ASKING = {
    "a record's class": "isinstance(instance, ClozeInstance)",
    "one of several classes": "isinstance(instance, (Viewed, EvidenceInstance))",
    "a class of a module": "isinstance(run.config, learning.DecisionSettings)",
    "a subclass": "issubclass(config, QuestionSettings)",
    "the class itself": "type(instance) is QuestionInstance",
    "a name": 'dataset.kind.name == "evidence"',
    "a name among others": 'kind in ("cloze", "decision")',
    "a name of the table": TABLE + "opened.kind.name != DECISION",
    "a recipe's key": 'recipe.get("kind") == "cloze"',
    "a dict of names": 'print({"cloze": "biomrc", "question": "bioasq"})',
    "a dict of constants": TABLE + "print({DECISION: 1})",
    "a dict of classes": "print({ClozeInstance: 1})",
    "a case": 'match kind:\n    case "cloze": pass',
    "a case of a class": "match instance:\n    case EvidenceInstance(): pass",
}
SAYING = {
    "a table": 'LAYOUT = {"cloze": "biomrc", "question": "bioasq"}',
    "a demand": TABLE + "demand(dataset.kind, DECISION, where)",
    "a recipe": 'recipe = {"dataset": "toy", "kind": "decision"}',
    "a field": 'kind = "cloze"',
    "an argument": 'parameter.name == "question"',
    "a column": 'row["question"] == "evidence"',
    "an annotation": "def read(instance: ClozeInstance) -> None: ...",
    "another class": "isinstance(instance, Dataset)",
}


@each_row("source", ASKING.values(), ids=ASKING)
def test_a_branch_on_a_kind_is_seen(source: str) -> None:
    assert [*branches(source)], source


@each_row("source", SAYING.values(), ids=SAYING)
def test_what_only_says_a_kind_is_no_branch(source: str) -> None:
    assert not [*branches(source)], source
