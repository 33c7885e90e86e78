"""The host names under which the server answers."""

from __future__ import annotations

from anagnosis.web.hosts import hosts, is_loopback

# The address, further names, hosts that are answered, hosts that are refused.
SERVERS = (
    ("127.0.0.1", ["Papers.Example.org"], ["papers.example.org:80", "localhost"], ["example.org"]),
    ("127.1.2.3", [], ["127.1.2.3:8000", "127.0.0.1"], ["127.1.2.4"]),
    ("::1", [], ["[::1]:8000", "[0:0:0:0:0:0:0:1]"], ["::1", "[::2]"]),
    ("10.0.0.5", ["box"], ["10.0.0.5:8000", "box"], ["10.0.0.6", "evil.example"]),
    ("box.lan", [], ["box.lan", "box.lan.:8000"], ["10.0.0.5", "lan"]),
    ("0.0.0.0", ["box"], ["10.0.0.5:80", "[fe80::1]", "box", "localhost"], ["evil.example"]),
    ("::", [], ["10.0.0.5", "[::1]:1"], ["evil.example", "box"]),
)


def test_each_address_answers_to_its_names_and_to_those_allowed() -> None:
    wrong = list[tuple[str, str]]()
    for listening, others, answered, refused in SERVERS:
        made = hosts(listening, others)
        wrong += [(listening, host) for host in answered if not made.allow(host)]
        never = [*refused, "", "a b", "box:80:80", "testserver"]
        wrong += [(listening, host) for host in never if made.allow(host)]
    assert wrong == []


def test_only_this_machine_is_called_so() -> None:
    ours = ("localhost", "127.0.0.1", "127.1.2.3", "::1")
    assert [host for host in (*ours, "0.0.0.0", "::", "10.0.0.1", "example.org") if is_loopback(host)] == [
        *ours
    ]
