"""Whatever a verb is given, the answer is an InputError that names the parameter: every verb, every parameter."""

from __future__ import annotations

import inspect
import math
import re
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.rows import each_row
from tests.typed import World

import anagnosis
from anagnosis import api
from anagnosis.api.options import REQUIRED, Parameter, parameters, verb
from anagnosis.cli import run
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.web.running import serve

VERBS: dict[str, Any] = {
    name: getattr(anagnosis, name) for name in anagnosis.__all__ if name not in ("InputError", "__version__")
}

TEXTS = ("corpus.txt", "/etc/passwd", "a\0b", "", "banana")
NUMBERS = (0, -5, 2**31, 2**63, -(2**63), 2**64, 10**5000, 1.5, math.nan, math.inf, True)
OTHERS = (
    None,
    b"x",
    object(),
    {"a": 1},
    {1},
    [],
    ["x"],
    [5],
    [None],
    [["x"]],
    ["a\0b"],
    [""],
    Path("x"),
    int,
)
HOSTILE = (*TEXTS, *NUMBERS, *OTHERS)


# Kind, as `annotation` writes it → those of the hostile values that Python's typing would take, paths that no system
# has apart.
LISTS_OF_TEXTS = ([], ["x"], ["a\0b"], [""])
TAKEN: dict[str, tuple[Any, ...]] = {
    "PathLike": ("corpus.txt", "/etc/passwd", "banana", Path("x")),
    "str": TEXTS,
    "bool": (True,),
    "None": (None,),
    "Mapping[str, Any]": ({"a": 1},),
    "Iterable[Document]": (*LISTS_OF_TEXTS, {1}, [5], [None], [["x"]]),
    "Sequence[PathLike]": ([], ["x"]),
    "Sequence[PathLike | Dataset]": ([], ["x"]),
    "Sequence[str]": LISTS_OF_TEXTS,
    "Sequence[tuple[str, PathLike]]": ([],),
}


def annotation(kind: Any) -> str:
    """A kind as text: `Sequence[PathLike | Dataset]`."""
    text = kind.__name__ if isinstance(kind, type) and not typing.get_args(kind) else str(kind)
    text = text.replace("collections.abc.", "").replace("str | pathlib.Path", "PathLike")
    return text.replace("typing.Any", "Any").replace("NoneType", "None")


def fits(parameter: Parameter, value: Any) -> bool:
    """Whether a hostile value is none here: a number within the bounds, or what the kind takes."""
    for kind in map(annotation, parameter.kinds):
        if kind in ("int", "float"):
            of_kind = (int,) if kind == "int" else (int, float)
            assert parameter.option is not None
            if type(value) in of_kind and (parameter.option.least or 0) <= value <= (
                parameter.option.most or 0
            ):
                return True
        elif any(type(value) is type(one) and value == one for one in TAKEN.get(kind, ())):
            return True
    return False


def placeholder(parameter: Parameter) -> Any:
    """Something of that kind, which no verb can do anything with."""
    kind = annotation(parameter.kinds[0])
    choices = parameter.option.choices if parameter.option else ()
    known = {"str": choices[0] if isinstance(choices, tuple) and choices else "nothing"}
    given = {**known, "PathLike": "/nothing", "int": 1, "Mapping[str, Any]": {}}
    return given.get(kind, ["/nothing"])


@each_row("name", VERBS)
def test_a_hostile_argument_is_refused_by_name(name: str) -> None:
    """Before anything is read: what else is given is not there."""
    known = parameters(VERBS[name])
    others = {key: placeholder(each) for key, each in known.items() if each.default is REQUIRED}
    for key, each in known.items():
        for value in HOSTILE:
            if fits(each, value):
                continue
            with pytest.raises(InputError) as refused:
                VERBS[name](**{**others, key: value})
            assert refused.value.where == key, f"{value!r:.80}"
            assert refused.value.remedy
            assert len(str(refused.value)) < 500
            assert str(refused.value).isprintable()


def test_every_number_has_bounds() -> None:
    for name, function in {**VERBS, "serve": serve}.items():
        for key, each in parameters(function).items():
            if {int, float} & {*each.kinds}:
                assert each.option is not None, f"{name}.{key}"
                least, most = each.option.least, each.option.most
                assert least is not None, f"{name}.{key}"
                assert most is not None, f"{name}.{key}"
                assert least < most, f"{name}.{key}"


def test_an_argument_that_no_verb_has_is_refused_with_those_it_has() -> None:
    for wrong, said in (
        (lambda: api.search("x", "tea", limits=3), "unknown argument 'limits'"),
        (lambda: api.check(), "missing a required argument: 'folder'"),
        (lambda: api.check("a", "b", "c"), "too many positional arguments"),
        (lambda: api.check(dataset="a"), "unknown argument 'dataset'"),
    ):
        with pytest.raises(InputError) as refused:
            wrong()
        assert said in str(refused.value)


def test_what_is_of_a_kind_is_taken_whatever_its_class(world: World) -> None:
    (matched,) = api.score(world.dataset, (world["BASE4"],), check_fingerprint=True).on("test")
    for files in (
        {world["BASE4"]},
        {str(world["BASE4"]): 1}.keys(),
        np.array([str(world["BASE4"])]).tolist(),
    ):
        assert api.score(world.dataset, files).on("test")[0].estimate == matched.estimate
    report = api.report(
        api.compare(world.dataset, [world["BASE4"], world["BASE1"]], draws=np.int64(10), seed=np.uint32(1))
    )
    assert report.blocks


def test_the_signature_and_the_documentation_have_every_option() -> None:
    for name, made in VERBS.items():
        assert made.__name__ == name
        shown = inspect.signature(made).parameters
        assert [*shown] == [*inspect.signature(made.__wrapped__).parameters]
        for key, each in parameters(made).items():
            assert "Annotated" not in inspect.formatannotation(shown[key].annotation)
            if each.option is not None and each.option.help:
                assert f"\n{each.given}: {each.option.help[:20]}" in made.__doc__
        named = {
            option for each in parameters(made).values() for option in re.findall("--[a-z-]+", each.flag)
        }
        outside = re.sub("`[^`]*`", "", made.__doc__)
        assert not named & {*re.findall("--[a-z-]+", outside)}, f"{name} names options, not arguments"
    assert str(inspect.signature(anagnosis.search).parameters["limit"]) == "limit: int = 10"


def test_faults_name_arguments_to_python_and_options_to_the_command_line(
    dataset: Dataset, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = [
        "export",
        str(dataset.folder),
        "--layout",
        "parquet",
        "--setting",
        "A",
        "--out",
        str(tmp_path / "o"),
    ]
    for _ in range(2):
        with pytest.raises(InputError, match=r"^setting does not apply to layout parquet; leave it out$"):
            api.export(dataset, tmp_path / "o", layout="parquet", setting="A")
        assert run(words) == 2
        assert (
            capfd.readouterr().err
            == "anagnosis: --setting does not apply to --layout parquet; leave it out\n"
        )
    (tmp_path / "odd.bin").write_bytes(b"\x00\x01")
    with pytest.raises(InputError, match="or name its format with format "):
        next(iter(api.read(tmp_path / "odd.bin")))


def test_the_argument_says_what_the_option_says(dataset: Dataset, tmp_path: Path) -> None:
    (file := tmp_path / "other.jsonl").write_text('{"id": "ana0001:0", "answer": "x", "dataset": "0"}\n')
    with pytest.raises(InputError, match=", or check_fingerprint=False to count and go on"):
        api.score(dataset, [file])
    assert "\ncheck_fingerprint=False: Accept lines" in api.score.__doc__


@each_row("name", ["mine--out", "a --out.d"])
def test_the_name_of_a_file_is_no_option(dataset: Dataset, tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "notes").touch()
    with pytest.raises(
        InputError, match=rf"{name}: holds other files .*; choose an empty or new folder for out"
    ):
        api.export(dataset, tmp_path / name, layout="parquet")


def test_faults_of_what_is_read_step_by_step_name_options_on_the_command_line(
    dataset: Dataset, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "v.txt"
    target.touch()
    assert run(["vectors", str(dataset.folder), "--out", str(target)]) == 2
    assert "; choose another --out, or give --replace to " in capfd.readouterr().err


def test_a_faults_of_the_system_and_endless_nesting_are_named() -> None:
    @verb
    def full(path: str) -> None:
        raise OSError(28, "No space left on device", path)

    @verb
    def nested(path: str) -> None:
        nested.__wrapped__(path)

    @verb
    def read(path: str) -> Iterator[int]:
        yield 1
        raise PermissionError(13, "Permission denied", path)

    with pytest.raises(InputError, match="/x: no space left on device"):
        full("/x")
    with pytest.raises(InputError, match="nested too deeply"):
        nested("/x")
    found = read("/x")
    assert next(found) == 1
    with pytest.raises(InputError, match="/x: permission denied"):
        next(found)
