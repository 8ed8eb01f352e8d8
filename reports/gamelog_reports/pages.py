"""The templates, and the security policy that every page has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import jinja2

from gamelog.record.escaping import visible
from gamelog_reports import bundle, embed
from gamelog_reports.texts import script_texts


@cache
def page_template(name: str, home: str = "gamelog_reports") -> jinja2.Template:
    """Return ``templates/<name>.html.j2`` of the package `home`, which may extend templates of this one.

    What is filled in is visible and escaped, and what is missing is an error.
    """
    environment = jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.PackageLoader(home), jinja2.PackageLoader("gamelog_reports")]),
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


def policy(scripts: Iterable[str], style: str) -> str:
    """Return the security policy of a page that runs only `scripts` and has only `style`."""
    digests = " ".join(f"'{bundle.csp_digest(code)}'" for code in scripts)
    return (
        f"default-src 'none'; script-src {digests}; style-src '{bundle.csp_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def shell(script: str, *styles: str) -> dict[str, Any]:
    """Return what a page with a short script is filled in with: script, style sheet, policy."""
    code, looks = bundle.script(script), bundle.style(*styles)
    return {"script": code, "style": looks, "policy": policy([code], looks)}


@cache
def packed_shell(
    language: str, script: str, *styles: str, home: str = "gamelog_reports"
) -> Mapping[str, Any]:
    """Return what a page with a long script is filled in with.

    These are the script, deflated, the loader that inflates it and is its dictionary, the texts of both in
    `language`, the style sheet and the policy, which admits the loader and the script.
    """
    code, loader = bundle.script(script, home), bundle.script("loader")
    looks = bundle.style(*styles, home=home)
    return {
        "script": embed.embedded_text(code.encode(), loader.encode()),
        "loader": loader,
        "spoken": script_texts(language, code + loader),
        "style": looks,
        "policy": policy([loader, code], looks),
    }
