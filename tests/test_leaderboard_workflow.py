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

BUILD_ORDER = ("--ledger entries.jsonl", "git push", "actions/deploy-pages")


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


def test_the_ledger_is_pushed_before_the_site_is_published_and_no_pull_request_can_change_it(
    workflow: dict[Any, Any],
) -> None:
    build = [step.get("run", step.get("uses", "")) for step in workflow["jobs"]["build"]["steps"]]
    places = [next(n for n, step in enumerate(build) if word in step) for word in BUILD_ORDER]
    assert places == sorted(places)
    assert workflow["jobs"]["build"]["concurrency"] == "leaderboard"
    assert workflow["jobs"]["build"]["permissions"]["contents"] == "write"
    check = steps(workflow, "check")
    assert ":(exclude)submissions/" in check
    assert "--ledger entries.jsonl" in check


@pytest.mark.skipif(shutil.which("git") is None, reason="no git")
def test_the_push_of_the_ledger_survives_a_merge_that_came_first(
    workflow: dict[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (script,) = (
        step["run"] for step in workflow["jobs"]["build"]["steps"] if "git push" in step.get("run", "")
    )
    # Git takes the folder for the address on GitHub.
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.file://{tmp_path}/hub.git.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "https://x-access-token:secret@github.com/lab/board.git")
    monkeypatch.setenv("TOKEN", "secret")
    monkeypatch.setenv("GITHUB_REPOSITORY", "lab/board")
    monkeypatch.setenv("GITHUB_REF_NAME", "main")
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "somebody")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "somebody@example.org")

    def git(*words: str, at: Path = tmp_path) -> str:
        return subprocess.run(["git", *words], cwd=at, check=True, capture_output=True, text=True).stdout

    def clone(name: str) -> Path:
        git("clone", "--quiet", "--depth", "1", f"file://{tmp_path}/hub.git", name)
        return tmp_path / name

    def push(at: Path, file: str) -> None:
        (at / file).touch()
        git("add", file, at=at)
        git("commit", "--quiet", "--message", file, at=at)
        git("push", "--quiet", "origin", "HEAD:main", at=at)

    git("init", "--quiet", "--bare", "--initial-branch", "main", "hub.git")
    git("clone", "--quiet", f"file://{tmp_path}/hub.git", "first")
    push(tmp_path / "first", "entries.jsonl")
    job, other = clone("job"), clone("other")
    (job / "entries.jsonl").write_text("{}\n")
    push(other, "merged.toml")
    for _ in range(2):  # the second time nothing is new
        subprocess.run(["bash", "-e", "-c", script], cwd=job, check=True)
    last = clone("last")
    assert (last / "entries.jsonl").read_text() == "{}\n"
    assert (last / "merged.toml").exists()


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
