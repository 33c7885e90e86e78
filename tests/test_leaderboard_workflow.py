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


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The repository on GitHub, with an empty ledger; git takes its folder for the address."""
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.file://{tmp_path}/hub.git.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "https://x-access-token:secret@github.com/lab/board.git")
    monkeypatch.setenv("TOKEN", "secret")
    monkeypatch.setenv("GITHUB_REPOSITORY", "lab/board")
    monkeypatch.setenv("GITHUB_REF_NAME", "main")
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "somebody")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "somebody@example.org")
    git("init", "--quiet", "--bare", "--initial-branch", "main", "hub.git", at=tmp_path)
    git("clone", "--quiet", "hub.git", "first", at=tmp_path)
    merge(tmp_path / "first", "entries.jsonl")
    return tmp_path / "hub.git"


def git(*words: str, at: Path) -> str:
    return subprocess.run(["git", *words], cwd=at, check=True, capture_output=True, text=True).stdout.strip()


def clone(hub: Path, name: str) -> Path:
    git("clone", "--quiet", "--depth", "1", f"file://{hub}", name, at=hub.parent)
    return hub.parent / name


def merge(at: Path, file: str) -> str:
    """Push a new file; gives the commit."""
    (at / file).touch()
    git("add", file, at=at)
    git("commit", "--quiet", "--message", file, at=at)
    git("push", "--quiet", "origin", "HEAD:main", at=at)
    return git("rev-parse", "HEAD", at=at)


def checked_out(workflow: dict[Any, Any], hub: Path, name: str, commit: str) -> Path:
    """What the build job checks out when it begins. commit: of its event, which counts where no `ref` is given."""
    (step,) = (each for each in workflow["jobs"]["build"]["steps"] if "checkout" in each.get("uses", ""))
    wanted = step["with"].get("ref", commit).replace("${{ github.ref_name }}", "main")
    at = hub.parent / name
    git("init", "--quiet", name, at=hub.parent)
    git("fetch", "--quiet", "--depth", "1", f"file://{hub}", wanted, at=at)
    git("checkout", "--quiet", "FETCH_HEAD", at=at)
    return at


def push_the_ledger(workflow: dict[Any, Any], at: Path, line: str = "") -> None:
    """Add a line to the ledger, as `build` does, and run the step that pushes it."""
    (script,) = (
        step["run"] for step in workflow["jobs"]["build"]["steps"] if "git push" in step.get("run", "")
    )
    with (at / "entries.jsonl").open("a") as ledger:
        ledger.write(line)
    subprocess.run(["bash", "-e", "-c", script], cwd=at, check=True)


needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="no git")


@needs_git
def test_the_push_of_the_ledger_survives_a_merge_that_came_first(workflow: dict[Any, Any], hub: Path) -> None:
    job, other = clone(hub, "job"), clone(hub, "other")
    merge(other, "merged.toml")
    push_the_ledger(workflow, job, "{}\n")
    push_the_ledger(workflow, job)  # nothing is new
    last = clone(hub, "last")
    assert (last / "entries.jsonl").read_text() == "{}\n"
    assert (last / "merged.toml").exists()


@needs_git
def test_of_two_merges_close_together_the_second_job_adds_to_the_ledger_of_the_first(
    workflow: dict[Any, Any], hub: Path
) -> None:
    events = [merge(clone(hub, f"by-{name}"), f"{name}.toml") for name in "ab"]
    # The second job waits for the first, which is what `concurrency` is for.
    for name, commit in zip("ab", events, strict=True):
        push_the_ledger(workflow, checked_out(workflow, hub, f"job-{name}", commit), f'{{"of":"{name}"}}\n')
    assert (clone(hub, "last") / "entries.jsonl").read_text().splitlines() == ['{"of":"a"}', '{"of":"b"}']


@needs_git
@pytest.mark.parametrize(
    ("file", "code"), [("entries.jsonl", 1), ("submissions/a/system.toml", 0), ("other.md", 1)]
)
def test_a_pull_request_that_changes_anything_else_fails_and_one_that_changes_the_ledger_is_looked_at(
    workflow: dict[Any, Any], hub: Path, monkeypatch: pytest.MonkeyPatch, file: str, code: int
) -> None:
    assert {"submissions/**", "entries.jsonl"} <= {*workflow[True]["pull_request"]["paths"]}
    at = clone(hub, "pull-request")
    monkeypatch.setenv("BASE", git("rev-parse", "HEAD", at=at))
    (at / file).parent.mkdir(parents=True, exist_ok=True)
    (at / file).write_text("changed\n")
    git("add", file, at=at)
    git("commit", "--quiet", "--message", "change", at=at)
    (script,) = (
        step["run"]
        for step in workflow["jobs"]["check"]["steps"]
        if step.get("name", "").startswith("Nothing but")
    )
    done = subprocess.run(["bash", "-e", "-c", script], cwd=at, check=False, capture_output=True, text=True)
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
