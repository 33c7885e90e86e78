"""The published security plugin on nodes of line 2: certificates, users, and the settings of a node."""

from __future__ import annotations

import base64
import json
import shutil
import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tests.cluster.nodes import jars

from anagnosis.errors import InputError

# Every user has this password. The hash is bcrypt, as the plugin's own org.opensearch.security.tools.Hasher makes it.
PASSWORD = "password of the administrator"
HASH = "$2y$12$eykwg52U3QuLs3tqX6rcae88I5XIFQVkxyaVCktu6XCphF5xdzVgS"
# Their roles: all rights; none, for what a test gives at /_plugins/_security/api.
USERS = {"administrator": ["admin"], "newcomer": []}


@dataclass(frozen=True)
class Security:
    """What `nodes` needs to start nodes with the plugin.

    folder: has ca.pem, another authority's other.pem, and the node's certificate in node.pem and node.key.
    """

    folder: Path
    PLUGIN: ClassVar = "org.opensearch.security.OpenSearchSecurityPlugin"
    SETTINGS: ClassVar[dict[str, Any]] = {
        **{
            f"plugins.security.ssl.{layer}.{kind}_filepath": file
            for layer in ("transport", "http")
            for kind, file in (("pemcert", "node.pem"), ("pemkey", "node.key"), ("pemtrustedcas", "ca.pem"))
        },
        "plugins.security.ssl.http.enabled": True,
        "plugins.security.ssl.transport.enforce_hostname_verification": False,
        "plugins.security.allow_default_init_securityindex": True,
        "plugins.security.nodes_dn": ["CN=node"],
        "plugins.security.authcz.admin_dn": ["CN=admin"],
        "plugins.security.restapi.roles_enabled": ["all_access"],
    }

    @classmethod
    def made(cls, folder: Path) -> Security:
        """With new authorities and certificates."""

        def openssl(*arguments: str) -> None:
            subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

        if shutil.which("openssl") is None:
            raise InputError("no program openssl, which makes certificates", remedy="install openssl")
        new = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        for name in ("ca", "other"):
            to = ("-keyout", f"{name}.key", "-out", f"{name}.pem")
            openssl("req", "-x509", *new, "-subj", f"/CN={name}", *to, "-days", "2")
        to = ("-keyout", "node.key", "-out", "node.csr")
        openssl("req", *new, "-subj", "/CN=node", "-addext", "subjectAltName=IP:127.0.0.1", *to)
        by = ("-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-copy_extensions", "copy")
        openssl("x509", "-req", "-in", "node.csr", *by, "-days", "2", "-out", "node.pem")
        return cls(folder)

    def install(self, config: Path) -> None:
        """Put certificates and users into a node's folder of configuration."""
        own = config / "opensearch-security"
        shutil.copytree(jars("security-2") / "config", own, dirs_exist_ok=True)
        users = {name: {"hash": HASH, "backend_roles": roles} for name, roles in USERS.items()}
        meta = {"type": "internalusers", "config_version": 2}
        (own / "internal_users.yml").write_text(json.dumps({"_meta": meta, **users}))  # JSON is YAML, too
        for file in ("ca.pem", "node.pem", "node.key"):
            shutil.copy(self.folder / file, config)

    def context(self) -> ssl.SSLContext:
        """A client's: it trusts `ca` alone."""
        return ssl.create_default_context(cafile=self.folder / "ca.pem")

    @staticmethod
    def authorization() -> str:
        """The header of the administrator."""
        return "Basic " + base64.b64encode(f"administrator:{PASSWORD}".encode()).decode()
