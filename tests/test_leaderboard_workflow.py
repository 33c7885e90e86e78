"""The workflow that users copy: its commands are ours, and a pull request gets no secret and runs nothing."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import click
import pytest

from anagnosis.cli import cli

yaml = pytest.importorskip("yaml", reason="no parser of YAML is installed")

FILE = Path(__file__).resolve().parents[1] / "docs" / "leaderboard_workflow.yml"
TEXT = FILE.read_text("utf-8")


@pytest.fixture
def workflow() -> dict[Any, Any]:
    return yaml.safe_load(TEXT)


def steps(workflow: dict[Any, Any], job: str) -> str:
    return "\n".join(str(step) for step in workflow["jobs"][job]["steps"])


def test_a_pull_request_is_checked_without_a_secret_and_with_a_token_that_reads(
    workflow: dict[Any, Any],
) -> None:
    on = workflow[True]  # YAML reads `on` so
    assert set(on) == {"pull_request", "push", "workflow_dispatch"}
    assert on["push"]["branches"] == ["main"]
    assert workflow["permissions"] == {"contents": "read"}
    check = workflow["jobs"]["check"]
    assert check["if"] == "github.event_name == 'pull_request'"
    assert "permissions" not in check
    assert "secrets" not in steps(workflow, "check")
    assert "secrets.GOLD_URL" in steps(workflow, "build")
    assert workflow["jobs"]["build"]["if"] == "github.event_name != 'pull_request'"


def test_nothing_that_a_stranger_writes_becomes_part_of_a_command(workflow: dict[Any, Any]) -> None:
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            assert "${{" not in step.get("run", "")
            if "checkout" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False


def test_one_build_at_a_time_publishes_the_site_and_only_that(workflow: dict[Any, Any]) -> None:
    build = workflow["jobs"]["build"]
    assert build["concurrency"] == "leaderboard"
    assert build["permissions"] == {"contents": "read", "pages": "write", "id-token": "write"}
    assert "actions/deploy-pages" in steps(workflow, "build")
    assert ":(exclude)submissions/" in steps(workflow, "check")


def git(*words: str, at: Path) -> str:
    return subprocess.run(["git", *words], cwd=at, check=True, capture_output=True, text=True).stdout.strip()


needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="no git")


@needs_git
@pytest.mark.parametrize(("file", "code"), [("submissions/a/system.toml", 0), ("other.md", 1)])
def test_a_pull_request_that_changes_anything_but_submissions_fails(
    workflow: dict[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, code: int
) -> None:
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "somebody")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "somebody@example.org")
    git("init", "--quiet", at=tmp_path)
    git("commit", "--quiet", "--allow-empty", "--message", "base", at=tmp_path)
    monkeypatch.setenv("BASE", git("rev-parse", "HEAD", at=tmp_path))
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text("changed\n")
    git("add", file, at=tmp_path)
    git("commit", "--quiet", "--message", "change", at=tmp_path)
    (script,) = (
        step["run"]
        for step in workflow["jobs"]["check"]["steps"]
        if step.get("name", "").startswith("Nothing but")
    )
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=tmp_path, check=False, capture_output=True, text=True
    )
    assert done.returncode == code
    assert (file in done.stdout) == bool(code)


def test_its_commands_have_these_options() -> None:
    commands = re.findall(r"anagnosis (leaderboard [^|\n]+)", TEXT)
    assert len(commands) >= 2
    for command in commands:
        words = [word for word in shlex.split(command, comments=True) if word != "wrote"]
        if words[1].startswith("`") or words[1].endswith("`"):
            continue
        name, inner, *arguments = [word.rstrip("`") for word in words]
        group = cli.get_command(click.Context(cli), name)
        assert isinstance(group, click.Group)
        found = group.commands[inner]
        options = {option for parameter in found.params for option in parameter.opts}
        assert {word for word in arguments if word.startswith("--")} <= options, command
