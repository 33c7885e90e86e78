"""Where a cluster is, as a user's file says; and requests to it, whose failures are one line.

    hosts = ["https://search1:9200", "https://search2:9200"]
    index = "papers"

Plain http goes to this machine only, and certificates are always verified. No file of ours has the password.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from functools import cached_property
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from anagnosis.errors import InputError, UnavailableError, missing_extra
from anagnosis.io.decoding import UNDECODABLE, decoding_faults
from anagnosis.io.paths import read_file
from anagnosis.searching.engines.opensearch.replies import About, Cause, Refusal, Shards
from anagnosis.searching.papers.records import AGAIN
from anagnosis.wording import shortened

if TYPE_CHECKING:
    from opensearchpy import TransportError
    from opensearchpy.transport import Transport

T = TypeVar("T")
SECONDS = 30.0  # for an answer; then another node is asked
_AFTER_WHICH = "check that its nodes run, and give the same command again"
_BUSY = ("the cluster is busy", "give the same command again later")
_TOO_MANY = 429
_CONFLICT = "version_conflict_engine_exception"
_WAIT = "wait until all of its shards are there, or start the nodes that are missing"
# type of a refusal → what is wrong, and what to do about it
_REFUSALS = {
    "index_not_found_exception": ("the index is not there", AGAIN),
    "cluster_block_exception": (
        "the cluster takes no changes",
        "free disk space on its nodes, remove the block, and give the same command again",
    ),
    "illegal_argument_exception": ("the cluster refuses this", "check the alias and the index of that name"),
    "security_exception": ("the user may not do this", "let the user do it (docs/cluster.md)"),
    **dict.fromkeys(
        (
            "search_phase_execution_exception",
            "no_shard_available_action_exception",
            "unavailable_shards_exception",
            "node_not_connected_exception",
            "node_disconnected_exception",
            "node_closed_exception",
        ),
        ("not all shards answer", _WAIT),
    ),
    "too_many_clauses": ("the query has too many parts for the cluster", "leave some of them out"),
    "too_many_nested_clauses": ("the query has too many parts for the cluster", "leave some of them out"),
    "circuit_breaking_exception": _BUSY,
    "rejected_execution_exception": _BUSY,
    "cluster_manager_not_discovered_exception": ("the cluster has no manager", _AFTER_WHICH),
}


class Connection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file with the address of a cluster.

    index: the name of the alias under which the passages are. shards, replicas: of a new index. ca: a file with the
    certificates to trust, "" for those of this machine. password_env: the variable with the user's password, or
    password_file: a file with it.
    """

    hosts: Annotated[tuple[str, ...], Meta(min_length=1)]
    index: Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9_.-]{0,199}$")]
    shards: Annotated[int, Meta(ge=1, le=1024)] = 3
    replicas: Annotated[int, Meta(ge=0, le=20)] = 1
    ca: str = ""
    user: str = ""
    password_env: str = ""
    password_file: str = ""

    @property
    def at(self) -> str:
        """The index and the first host, as messages name it."""
        return f"{self.index} at {self.hosts[0]}"


def read_connection(path: Path) -> Connection:
    """Read a user's file. InputError: it cannot be read, or its hosts are not as they have to be."""
    remedy = "see docs/cluster.md for the keys"
    with decoding_faults(path, remedy):
        read = msgspec.toml.decode(read_file(path), type=Connection)
    for host in read.hosts:
        _check_host(host, str(path))
    beside = {
        name: str((path.parent / value).absolute())
        for name, value in (("ca", read.ca), ("password_file", read.password_file))
        if value
    }
    return msgspec.structs.replace(read, **beside)


def _check_host(host: str, where: str) -> None:
    url = urlsplit(host)
    try:
        complete = url.scheme in ("http", "https") and url.hostname and (url.port or True)
    except ValueError:
        complete = False
    if not complete:
        named = shortened(host.rpartition("@")[2])  # without a password
        raise InputError(f"is no address: {named}", where, "write it as https://NAME:9200")
    if url.username or url.password:
        remedy = "write `user`, and name the variable with the password in `password_env`"
        raise InputError("an address has a user or a password", where, remedy)
    if url.scheme == "http" and not _is_loopback(url.hostname or ""):
        remedy = "use https, or a node on 127.0.0.1"
        raise InputError(f"{shortened(host)} is not encrypted and not this machine", where, remedy)


def _is_loopback(name: str) -> bool:
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


class Cluster:
    """The nodes of a connection. where: names it in messages."""

    def __init__(self, connection: Connection) -> None:
        self.connection, self.where = connection, connection.at
        self.alias = f"/{connection.index}"

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        of: type[T] = dict[str, Any],
        parameters: Mapping[str, str] | None = None,
        *,
        seconds: float = SECONDS,
    ) -> T:
        """The answer to a request. path: behind the address. body: JSON, or lines of JSON as bytes.

        Of an idempotent one that fails another node is asked. RefusedError: a request that the cluster does not fulfil.
        """
        from opensearchpy import ImproperlyConfigured, OpenSearchException, TransportError

        data = body if body is None or isinstance(body, bytes) else msgspec.json.encode(body)
        try:
            text: str = self._transport.perform_request(
                method, path, params=parameters, body=data, timeout=seconds
            )
            return msgspec.json.decode(text, type=of)
        except TransportError as fault:
            raise self._refused(fault) from None  # its own text may have the address with what was sent
        except ImproperlyConfigured as fault:
            raise InputError(str(fault), self.where, "name a file with certificates as `ca`") from None
        # The library reads what a refusal says, and takes it for an object.
        except (OpenSearchException, AttributeError, TypeError, *UNDECODABLE) as fault:
            raise self.strange(str(fault)) from None

    def strange(self, why: str) -> InputError:
        """The error for an answer that has not what OpenSearch's would have."""
        what = f"answers what OpenSearch would not ({shortened(why)})"
        return InputError(what, self.where, "check the address, and what stands before the nodes")

    def whole(self, shards: Shards) -> None:
        """InputError: not all shards have answered."""
        if shards.failed or shards.successful < shards.total:
            what = f"{shards.successful} of {shards.total} shards answered"
            raise RefusedError("unavailable_shards_exception", 503, what, self.where, _WAIT)

    @cached_property
    def about(self) -> About:
        """The version of the cluster. InputError: it is none of OpenSearch's from 2 on."""
        about = self.send("GET", "/", of=About)
        if about.version.distribution != "opensearch":
            what = f"is not OpenSearch, but another server (version {shortened(about.version.number)})"
            raise InputError(what, self.where, "name the nodes of an OpenSearch cluster")
        if about.version.line < 2:
            raise InputError(
                f"is OpenSearch {about.version.number}", self.where, "upgrade it to 2.19 or later"
            )
        return about

    @cached_property
    def _transport(self) -> Transport:
        try:
            from opensearchpy.transport import Transport
        except ImportError as fault:
            raise missing_extra("opensearch-py", "opensearch", "a cluster") from fault
        as_text: Any = _AsText()
        logging.getLogger("opensearch").setLevel(logging.CRITICAL)  # failures are ours to report
        own = self.connection
        hosts: list[dict[str, Any]] = [
            {
                "host": url.hostname,
                "port": url.port or (443 if url.scheme == "https" else 80),
                "use_ssl": url.scheme == "https",
                "url_prefix": url.path.strip("/"),
            }
            for url in map(urlsplit, own.hosts)
        ]
        options: dict[str, Any] = {"ca_certs": own.ca} if own.ca else {}
        if own.user:
            options["http_auth"] = (own.user, self._password())
        return Transport(
            hosts,
            serializer=as_text,
            max_retries=len(hosts),
            retry_on_timeout=True,
            retry_on_status=(502, 504),  # 503: a shard is gone, which other nodes do not have either
            pool_maxsize=8,
            **options,
        )

    def _password(self) -> str:
        own = self.connection
        if own.password_file:
            with decoding_faults(own.password_file, "name a file with the password alone"):
                return read_file(own.password_file).decode().strip()
        if own.password_env not in os.environ:
            name = own.password_env or "password_env"
            raise InputError(f"no password for {own.user}", self.where, f"set {name} to it")
        return os.environ[own.password_env]

    def _refused(self, fault: TransportError) -> RefusedError:
        from opensearchpy import ConnectionTimeout, SSLError

        if isinstance(fault, ConnectionTimeout):
            return RefusedError("timeout", 0, "no node answers in time", self.where, _AFTER_WHICH)
        if isinstance(fault, SSLError):
            what = f"the certificate is not trusted ({shortened(_reason_of_tls(str(fault.error)))})"
            return RefusedError(
                "tls", 0, what, self.where, "name the right `ca`, and hosts as the certificate does"
            )
        if not isinstance(fault.status_code, int):
            return RefusedError("connection", 0, "no node can be reached", self.where, _AFTER_WHICH)
        if fault.status_code == 401:
            return RefusedError("unauthorized", 401, "user or password is wrong", self.where, "check both")
        try:
            cause = msgspec.convert(fault.info, Refusal).error
        except msgspec.ValidationError:
            what, remedy = f"answers with {fault.status_code}", _AFTER_WHICH
            if fault.status_code == _TOO_MANY:
                what, remedy = _BUSY
            return RefusedError("", fault.status_code, what, self.where, remedy)
        return self.refused(fault.status_code, cause)

    def refused(self, status: int, cause: Cause) -> RefusedError:
        """The error for a request, or a part of one, that the cluster refuses."""
        cause = next(iter(cause.root_cause), cause)
        unknown = "the cluster refuses this", _AFTER_WHICH
        what, remedy = _REFUSALS.get(cause.type, unknown)
        reason = cause.reason or ("" if cause.type in _REFUSALS else cause.type)
        why = f" ({shortened(reason)})" if reason and cause.type != "index_not_found_exception" else ""
        return RefusedError(cause.type, status, what + why, self.where, remedy)


class RefusedError(UnavailableError):
    """A request that failed. kind: of the cluster's error, or connection, timeout, tls. status: HTTP's, 0 without."""

    def __init__(self, kind: str, status: int, what: str, where: str, remedy: str) -> None:
        super().__init__(what, where, remedy)
        self.kind, self.status = kind, status

    @property
    def passes(self) -> bool:
        """Whether the same request may succeed later: a node is gone or busy."""
        of_request = self.kind in ("connection", "timeout", _CONFLICT)
        return of_request or (
            self.kind != "cluster_block_exception" and (self.status == _TOO_MANY or self.status >= 500)
        )


class _AsText:
    """What is sent and answered stays as it is: we encode it, and decode it into the records of replies.py."""

    mimetype = "application/json"

    def dumps(self, data: Any) -> Any:
        return data

    def loads(self, s: str) -> str:
        return s


def _reason_of_tls(text: str) -> str:
    """The part of urllib3's error that a user can do something about."""
    _, found, reason = text.partition("certificate verify failed: ")
    return reason.split(" (_ssl")[0] if found else text
