"""Where a cluster is, as a user's file says; and requests to it, whose failures are one line.

    hosts = ["https://search1:9200", "https://search2:9200"]
    index = "papers"

Plain http goes to this machine only, and certificates are always verified. No file of ours has the password.
"""

from __future__ import annotations

import logging
import os
import ssl
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from anagnosis.errors import InputError, UnavailableError, missing_extra
from anagnosis.io.addresses import check_url
from anagnosis.io.decoding import UNDECODABLE, decoding_faults
from anagnosis.io.paths import read_file
from anagnosis.searching.engines.opensearch.replies import Answer, Cause
from anagnosis.searching.papers.records import AGAIN
from anagnosis.wording import shortened

if TYPE_CHECKING:
    from opensearchpy import TransportError
    from opensearchpy.transport import Transport

T = TypeVar("T")
SECONDS = 30.0  # for an answer; then another node is asked
_HANDSHAKE = 5.0  # seconds
BLOCKED = "cluster_block_exception"  # of a full disk; it does not pass by itself
# HTTP status → what to do about a refusal
_REMEDIES = {
    400: "see docs/cluster.md",
    401: "check user and password",
    403: "let the user do it (docs/cluster.md)",
    404: AGAIN,
    409: "give the same command again",
    429: "the cluster is busy: give the same command again later",
}
MISSING = "start the nodes that are missing, wait until all shards are there, and give the same command again"
_FULL = "free disk space on its nodes, remove the block, and give the same command again"


class Connection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file with the address of a cluster.

    index: the name of the alias under which the papers are. shards, replicas: of a new index. ca: a file with the
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


def read_connection(path: Path) -> Connection:
    """Read a user's file. InputError: it cannot be read, or its hosts are not as they have to be."""
    remedy = "see docs/cluster.md for the keys"
    with decoding_faults(path, remedy):
        read = msgspec.toml.decode(read_file(path), type=Connection)
    for host in read.hosts:
        check_url(host, str(path), "https://NAME:9200")
    beside = {
        name: str((path.parent / value).absolute())
        for name, value in (("ca", read.ca), ("password_file", read.password_file))
        if value
    }
    return msgspec.structs.replace(read, **beside)


def _speaks_tls(host: str) -> bool:
    """Whether a node that is asked in plain http wants TLS: it ends the connection without an answer."""
    url = urlsplit(host)
    if url.scheme != "http":
        return False
    try:
        return bool(ssl.get_server_certificate((url.hostname or "", url.port or 80), timeout=_HANDSHAKE))
    except (OSError, ValueError):
        return False


class Cluster:
    """The nodes of a connection. where: names it in messages."""

    def __init__(self, connection: Connection) -> None:
        self.connection, self.where = connection, f"{connection.index} at {connection.hosts[0]}"
        self.alias = f"/{connection.index}"

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        of: type[T] = Answer,
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

    @cached_property
    def line(self) -> int:
        """The release line of the cluster. InputError: it is none of OpenSearch's from 2 on."""
        version = self.send("GET", "/").version
        if version is None:
            raise self.strange("no version")
        first = version.number.partition(".")[0][:9]
        line = int(first) if first.isdecimal() and version.distribution == "opensearch" else 0
        if line < 2:
            server = f"{version.distribution or 'another server'} {version.number}"
            what = f"is not OpenSearch 2.19 or later, but {shortened(server)}"
            raise InputError(what, self.where, "name the nodes of an OpenSearch cluster")
        return line

    @cached_property
    def _transport(self) -> Transport:
        try:
            from opensearchpy import OpenSearch
        except ImportError as fault:
            raise missing_extra("opensearch-py", "opensearch", "a cluster") from fault
        logging.getLogger("opensearch").setLevel(logging.CRITICAL)  # failures are ours to report
        own = self.connection
        options: dict[str, Any] = {"ca_certs": own.ca} if own.ca else {}
        if own.user:
            options["http_auth"] = (own.user, self._password())
        client = OpenSearch(
            [*own.hosts],
            serializer=_AsText(),
            max_retries=len(own.hosts),
            retry_on_timeout=True,
            retry_on_status=(502, 504),  # 503: a shard is gone, which other nodes do not have either
            pool_maxsize=8,
            **options,
        )
        return client.transport

    def _password(self) -> str:
        own = self.connection
        if own.password_file:
            with decoding_faults(own.password_file, "name a file with the password alone"):
                return read_file(own.password_file).decode().strip()
        if own.password_env not in os.environ:
            name = own.password_env or "password_env"
            raise InputError(f"no password for {own.user}", self.where, f"set {name} to it")
        return os.environ[own.password_env]

    def _refused(self, fault: TransportError) -> InputError:
        from opensearchpy import ConnectionTimeout, SSLError

        if isinstance(fault, SSLError):
            text = str(fault.error)
            reason = text.partition("certificate verify failed: ")[2].partition(" (_ssl")[0] or text
            what = f"the certificate is not trusted ({shortened(reason)})"
            return InputError(what, self.where, "name the right `ca`, and hosts as the certificate does")
        if not isinstance(fault.status_code, int):
            hosts = () if isinstance(fault, ConnectionTimeout) else self.connection.hosts
            if tls := next(filter(_speaks_tls, hosts), ""):
                what = f"the node at {tls} speaks TLS, and is asked in plain http"
                return InputError(what, self.where, f"write it as https{tls[4:]} in `hosts`")
            remedy = "check that its nodes run, and give the same command again"
            return RefusedError(0, "no node answers", self.where, remedy)
        try:
            cause = msgspec.convert(fault.info, Answer).error
        except msgspec.ValidationError:
            cause = None
        return self.refused(fault.status_code, cause)

    def refused(self, status: int, cause: Cause | None) -> RefusedError:
        """The error for a request, or a part of one, that the cluster refuses."""
        cause = cause or Cause()
        cause = next(iter(cause.root_cause), cause)
        reason = cause.reason or cause.type
        what = f"the cluster answers {status}" + (f" ({shortened(reason)})" if reason else "")
        remedy = _FULL if cause.type == BLOCKED else _REMEDIES.get(status, MISSING)
        return RefusedError(status, what, self.where, remedy, cause.type)


class RefusedError(UnavailableError):
    """A request that failed. status: HTTP's, 0 where no node answers. kind: the cluster's name of the error."""

    def __init__(self, status: int, what: str, where: str, remedy: str, kind: str = "") -> None:
        super().__init__(what, where, remedy)
        self.status, self.kind = status, kind

    @property
    def passes(self) -> bool:
        """Whether the same request may succeed later: a node is gone or busy."""
        return self.kind != BLOCKED and (self.status in (0, 429) or self.status >= 500)


class _AsText:
    """What is sent and answered stays as it is: we encode it, and decode it into an `Answer`."""

    mimetype = "application/json"

    def dumps(self, data: Any) -> Any:
        return data

    def loads(self, s: str) -> str:
        return s
