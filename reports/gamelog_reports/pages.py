"""The templates, and the security policy that every page has."""

from __future__ import annotations

from functools import cache
from typing import Any

import jinja2

from gamelog.record.escaping import visible
from gamelog_reports import bundle


@cache
def page_template(name: str, home: str = "gamelog_reports") -> jinja2.Template:
    """``templates/<name>.html.j2`` of the package `home`.

    Whatever is filled in is visible and escaped, and what is missing is an error.
    """
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(home),
        autoescape=True,
        finalize=_visible,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["visible"] = visible
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return environment.get_template(f"{name}.html.j2")


def _visible(value: Any) -> Any:
    """Text with its controls and marks of direction written out; what is markup already stays."""
    return visible(value, keep="\t\n") if isinstance(value, str) and not hasattr(value, "__html__") else value


def shell(script: str, *styles: str) -> dict[str, Any]:
    """What every page is filled in with: its script, its style sheet, the policy that admits them."""
    code, looks = bundle.script(script), bundle.style(*styles)
    policy = (
        f"default-src 'none'; script-src '{bundle.csp_digest(code)}'; style-src "
        f"'{bundle.csp_digest(looks)}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    return {"script": code, "style": looks, "policy": policy}
