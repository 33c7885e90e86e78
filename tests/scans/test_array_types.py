"""Types of arrays have their names in array_types.py, and no module takes them from another one."""

from __future__ import annotations

import re
from pathlib import Path

from tests.rows import each_row

from anagnosis import array_types

SOURCE = Path(array_types.__file__).parent
NAMES = "|".join(name for name in vars(array_types) if name[0].isupper() and name not in ("Any", "NDArray"))
OTHER = re.compile(
    rf"NDArray\[(?!N\])|^from (?!anagnosis\.array_types)\S+ import [^\n]*\b(?:{NAMES})\b", re.MULTILINE
)


@each_row("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_types_of_arrays_come_from_one_module(path: Path) -> None:
    if path.name != "array_types.py":
        assert not OTHER.findall(path.read_text("utf-8"))


def test_the_check_sees_another_name_and_another_source() -> None:
    assert OTHER.search("x: NDArray[np.int64]")
    assert OTHER.search("import re\nfrom anagnosis.datasets.gold import Gold, Longs\n")
    assert not OTHER.search("from anagnosis.array_types import Longs\ndef f(x: NDArray[N]): ...")
