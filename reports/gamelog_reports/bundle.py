"""The modules of a page as one inline script, and the digests for its security policy.

An inline script cannot import, and a single page has no files to import from. So all modules share one scope,
each after the modules that it imports, and two modules cannot define the same name. Files use four forms,
each on its own line: ``import { a, b } from "./x.js";``, ``import "./x.js";`` to run a module first,
``import x from "./x.json";`` (or ``.css`` as text), and ``export`` before a function, an async function, a
const or a class.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from rjsmin import jsmin

from gamelog_reports import palette

_IMPORT = re.compile(r'^import (?:\{ ([\w$, ]+) \} from )?"\./(\w+)\.js";$', re.MULTILINE)
"""An import of names from another module, or of another module only to run it first."""
_DATA = re.compile(r'^import (\w+) from "\./(\w+\.(?:json|css))";$', re.MULTILINE)
"""An import of a data file or a style sheet."""
EXPORT = re.compile(r"^export (?=(?:async function|function|const|class) [\w$]+)", re.MULTILINE)
"""The word ``export`` before a definition at the beginning of a line."""
_EXPORTED = re.compile(r"^export (?:async function|function|const|class) ([\w$]+)", re.MULTILINE)
"""The name of a definition that other modules may import."""
_TOP_LEVEL_DEFINITION = re.compile(
    r"^(?:(?:async function|function|class) ([\w$]+)|(?:const|let) ([\w$]+|\{[^}]*\})(.*)$)", re.MULTILINE
)
"""A definition at the beginning of a line, in the scope of the module. Further constants can follow."""
_NEXT_NAME = re.compile(r", ([\w$]+) = ")
_UNKNOWN_STATEMENT = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
"""An import or export that the bundler does not know."""
_NESTED_TEMPLATE = re.compile(r"^.*\$\{[^}\n]*`.*$", re.MULTILINE)
"""A template literal inside another one. rjsmin would remove spaces from its text."""
_NEEDLESS_SPACE = re.compile(r"\s*([{};,])\s*|(?<=:)\s+")


_COMPUTED: Mapping[str, Callable[[], str]] = {"palette": palette.css, "kinds": palette.kinds_css}
"""The style sheets that are computed, by their names. All others are files in ``assets``."""


def asset(name: str, home: str = "gamelog_reports") -> str:
    """Return the text of a file in ``assets`` of the package `home`, or else of this package."""
    own = _assets(home) / name
    shared = _assets("gamelog_reports") / name
    return (own if own == shared or own.is_file() else shared).read_text(encoding="utf-8")


@cache
def _assets(home: str) -> Traversable:
    """Return the folder ``assets`` of the package `home`."""
    return files(home) / "assets"


@cache
def script(main: str, home: str = "gamelog_reports") -> str:
    """Return the module `main` of the package `home` after all modules that it needs, each once.

    Raises:
        ValueError: An import or export has another form, modules import one another, or two modules define
            the same name.
    """
    parts: dict[str, str] = {}
    _add_module(main, (), parts, home)
    owners: dict[str, str] = {}
    for name, body in parts.items():
        for own in _names(body):
            if owners.setdefault(own, name) != name:
                raise ValueError(f"{owners[own]}.js and {name}.js both define {own}")
    return "".join(f"{jsmin(body)}\n" for body in parts.values()).replace(
        ";}", "}"
    )  # no loop has an empty body


def _names(body: str) -> Iterator[str]:
    """Yield the names that a module defines."""
    for name, first_of_list, others in _TOP_LEVEL_DEFINITION.findall(body):
        yield from re.findall(r"[\w$]+", name or first_of_list)
        yield from _NEXT_NAME.findall(others)


def modules(main: str) -> list[str]:
    """Return the modules that `main` needs, with `main` as the last."""
    parts: dict[str, str] = {}
    _add_module(main, (), parts)
    return list(parts)


def _add_module(
    name: str, above: tuple[str, ...], parts: dict[str, str], home: str = "gamelog_reports"
) -> None:
    """Add the module `name` to `parts`, after all modules that it imports.

    Raises:
        ValueError: Modules import one another, a module imports a name that the other does not export, or
            it has a form that the bundler does not know.
    """
    if name in above:
        raise ValueError(f"the modules {' -> '.join((*above, name))} import one another")
    if name in parts:
        return
    source = asset(f"{name}.js", home)
    for names, needed in _IMPORT.findall(source):
        _add_module(needed, (*above, name), parts, home)
        missing = {*names.split(", ")} - {""} - {*_EXPORTED.findall(asset(f"{needed}.js", home))}
        if missing:
            raise ValueError(f"{name}.js imports {min(missing)}, which {needed}.js does not export")
    body = _IMPORT.sub("", EXPORT.sub("", source))
    body = _DATA.sub(
        lambda match: f"const {match[1]} = {json.dumps(_data_value(match[2]), separators=(',', ':'))};", body
    )
    leftover = _UNKNOWN_STATEMENT.search(body) or _NESTED_TEMPLATE.search(body)
    if leftover:
        raise ValueError(f"{name}.js: the bundler does not know the form: {leftover[0]}")
    parts[name] = body


def _data_value(name: str) -> Any:
    """Return the content of a JSON file, or the text of a style sheet without loose space."""
    return json.loads(asset(name)) if name.endswith(".json") else _compact(_sheet(name.removesuffix(".css")))


def _sheet(name: str, home: str = "gamelog_reports") -> str:
    """Return the style sheet `name`: computed, or else from a file."""
    return _COMPUTED[name]() if name in _COMPUTED else asset(f"{name}.css", home)


def _compact(sheet: str) -> str:
    """Return a style sheet without space that has no meaning."""
    return _NEEDLESS_SPACE.sub(r"\1", sheet).replace(";}", "}")


@cache
def style(*names: str, home: str = "gamelog_reports") -> str:
    """Return the colours of pages and the style sheets `names` as one style sheet."""
    return _compact("\n".join(_sheet(name, home) for name in ("palette", *names)))


@cache
def csp_digest(text: str) -> str:
    """Return the digest of `text` for a security policy: ``sha256-`` and base64."""
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
