"""Without jars or a JDK the tests of nodes are skipped in one line, or fail where they must run."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cluster import fixtures
from tests.cluster import nodes as module
from tests.cluster.fixtures import unavailable
from tests.cluster.nodes import jars, java

from anagnosis.errors import InputError


def test_missing_jars_or_jdk_skip_in_one_line_and_fail_where_they_must_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("JAVA_HOME", "PATH", "CI"):
        monkeypatch.setenv(name, "")
    for name in ("JAVA_HOMES", "BESIDE", "FETCHED"):
        monkeypatch.setattr(module, name, tmp_path / name)
    monkeypatch.setenv(module.SETTING, str(tmp_path))
    with pytest.raises(InputError, match=r"no jars of OpenSearch \(line-3\); let ANAGNOSIS_OPENSEARCH_JARS"):
        jars("line-3")
    (tmp_path / "line-3").mkdir()
    (tmp_path / "line-3/a.jar").touch()
    assert jars("line-3") == tmp_path / "line-3"
    old = tmp_path / "JAVA_HOMES/java-17"
    (old / "bin").mkdir(parents=True)
    (old / "bin/javac").touch()
    (old / "release").write_text('IMPLEMENTOR="Debian"\nJAVA_VERSION="17.0.15"\n')
    assert java("line-2") == old / "bin/java"
    with pytest.raises(InputError, match="no JDK of Java 21 or later") as missing:
        java("line-3")
    with pytest.raises(pytest.skip.Exception, match="no JDK of Java 21 or later"):
        unavailable(missing.value)
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(fixtures, "BESIDE", tmp_path)
    with pytest.raises(pytest.fail.Exception, match="no JDK of Java 21 or later"):
        unavailable(missing.value)
