"""Files of ours decoded into records: what does not fit is one line with file, field and remedy."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.rows import each_row

from anagnosis.errors import DamagedError, InputError
from anagnosis.io.decoding import decoding_faults, json_or_none, read_json, read_toml


class Record(msgspec.Struct):
    name: str
    width: int


FAULTS = {
    "no file": (None, r"no such file or directory"),
    "empty": (b"", r"Input data was truncated"),
    "broken syntax": (b'{"name": "a", "width"}', r"JSON is malformed"),
    "another type": (b'{"name": "a", "width": "3"}', r"Expected `int`, got `str` - at `\$\.width`"),
    "a missing field": (b'{"name": "a"}', r"Object missing required field `width`"),
    "no object": (b"[]", r"Expected `object`, got `array`"),
    "not UTF-8": (b'{"name": "\xff", "width": 3}', r"utf-8"),
    "nested too deeply": (b'{"more": ' + b"[" * 100_000, r"maximum recursion depth"),
}


@each_row("fault", FAULTS)
def test_json_that_does_not_fit_is_one_line_with_its_field(fault: str, tmp_path: Path) -> None:
    data, words = FAULTS[fault]
    path = tmp_path / "encoder.json"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(
        InputError, match=rf"(?i)encoder\.json: cannot be read \(.*{words}.*\); train again"
    ) as found:
        read_json(path, Record, "train again")
    assert "\n" not in str(found.value)
    assert json_or_none(path, Record) is None


def test_what_fits_is_a_record_and_further_keys_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "encoder.json"
    path.write_text('{"name": "a", "width": 3, "later": 1}')
    assert read_json(path, Record, "") == json_or_none(path, Record) == Record("a", 3)


@pytest.mark.parametrize("data", [None, b"a = ", b"a = \xff", b"a = " + b"[" * 100_000])
def test_toml_that_does_not_fit_is_one_line(data: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(InputError, match=r"recipe\.toml: no readable recipe \(.+\); build it again"):
        read_toml(path, "build it again", "no readable recipe")


def test_the_error_may_be_that_of_damaged_files() -> None:
    with (
        pytest.raises(DamagedError, match=r"^names: are damaged \(.*\); again$"),
        decoding_faults("names", "again", "are damaged", error=DamagedError),
    ):
        msgspec.json.decode(b"{", type=Record)
