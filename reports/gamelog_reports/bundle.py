"""The page's modules as one inline script, and the digests its security policy names.

An inline script cannot import, and a page on its own has nothing to import from. So all modules stand
in one scope, what is imported before what imports it, and no two of them may call something of theirs the
same. Files keep to three forms, one a line: ``import { a, b } from "./x.js";``, ``import x from
"./x.json";``, and ``export`` before a function, an async function, a const or a class.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files

from rjsmin import jsmin

from gamelog_reports import palette

IMPORT = re.compile(r'^import \{ [\w$, ]+ \} from "\./(\w+)\.js";$', re.MULTILINE)
DATA = re.compile(r'^import (\w+) from "\./(\w+)\.json";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async function|function|const|class) [\w$]+)", re.MULTILINE)
TOPMOST = re.compile(
    r"^(?:(?:async function|function|class) ([\w$]+)|(?:const|let) ([\w$]+|\{[^}]*\})(.*)$)", re.MULTILINE
)
"""What stands at the beginning of a line is the module's own; a line may go on with further constants."""
FURTHER = re.compile(r", ([\w$]+) = ")
LEFTOVER = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
NESTED = re.compile(r"^.*\$\{[^}\n]*`.*$", re.MULTILINE)
"""A text in backticks within another, whose spaces rjsmin would take for those of code."""
_LOOSE = re.compile(r"\s*([{};,])\s*|(?<=:)\s+")


def asset(name: str, home: str = "gamelog_reports") -> str:
    """The text of a file in ``assets``: of the package `home`, or else of this one."""
    own = files(home) / "assets" / name
    return (own if own.is_file() else files("gamelog_reports") / "assets" / name).read_text(encoding="utf-8")


@cache
def script(main: str, home: str = "gamelog_reports") -> str:
    """The module `main` of the package `home` and all it imports, each once, what is imported first.

    Raises ValueError for an import or export of another form, for modules that import one another, and for
    two that call something the same.
    """
    parts: dict[str, str] = {}
    _collect(main, (), parts, home)
    owners: dict[str, str] = {}
    for name, body in parts.items():
        for own in _names(body):
            if owners.setdefault(own, name) != name:
                raise ValueError(f"{owners[own]}.js and {name}.js both call something {own}")
    return "".join(f"{jsmin(body)}\n" for body in parts.values())


def _names(body: str) -> Iterator[str]:
    """What a module calls its own."""
    for made, first, rest in TOPMOST.findall(body):
        yield from re.findall(r"[\w$]+", made or first)
        yield from FURTHER.findall(rest)


def modules(main: str) -> list[str]:
    """The modules that `main` needs, itself the last."""
    parts: dict[str, str] = {}
    _collect(main, (), parts)
    return list(parts)


def _collect(name: str, above: tuple[str, ...], parts: dict[str, str], home: str = "gamelog_reports") -> None:
    if name in above:
        raise ValueError(f"the modules {' -> '.join((*above, name))} import one another")
    if name in parts:
        return
    source = asset(f"{name}.js", home)
    for needed in IMPORT.findall(source):
        _collect(needed, (*above, name), parts, home)
    body = IMPORT.sub("", EXPORT.sub("", source))
    body = DATA.sub(
        lambda match: (
            f"const {match[1]} = {json.dumps(json.loads(asset(match[2] + '.json')), separators=(',', ':'))};"
        ),
        body,
    )
    leftover = LEFTOVER.search(body) or NESTED.search(body)
    if leftover:
        raise ValueError(f"{name}.js: the bundler does not know the form: {leftover[0]}")
    parts[name] = body


@cache
def style(*names: str, home: str = "gamelog_reports") -> str:
    """The colours, and the style sheets `names`, one after the other."""
    return _LOOSE.sub(
        r"\1", "\n".join([palette.css(), *(asset(f"{name}.css", home) for name in names)])
    ).replace(";}", "}")


@cache
def csp_digest(text: str) -> str:
    """`text` as a security policy names it: ``sha256-`` and base64."""
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
