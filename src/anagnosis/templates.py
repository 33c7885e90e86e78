"""The templates of a package's pages. jinja2 escapes everything: text of papers is hostile input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anagnosis.masking import masked

if TYPE_CHECKING:
    from jinja2 import Environment


def environment(package: str, *, mask: bool = True, **named: Any) -> Environment:
    """The environment of PACKAGE/templates, in which an unknown name is an error.

    mask: also mask the characters that a browser obeys, where the caller has not. named: what every template knows.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader(package, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_masked if mask else None,
    )
    made.globals.update(named)
    return made


def _masked(value: Any) -> Any:
    # Markup, a subclass, is ours and stays.
    return masked(value) if type(value) is str else value
