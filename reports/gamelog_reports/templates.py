"""The templates of the pages, their texts in each language, and their security policy."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import jinja2
from markupsafe import Markup, escape

from gamelog.play.contract.locales import LANGUAGES
from gamelog.record.escaping import ISOLATED, escape_invisible
from gamelog_reports import bundle
from gamelog_reports.packed import embedded_text

_CALL = re.compile(r"(?<![\w$.])t(?=\()")
"""The name of the function `t` in a call."""

_MAX_LINE_VALUE = 20
"""Maximum length of a value that fits on a line of every device."""


@cache
def texts(language: str) -> dict[str, str]:
    """Return every text of the pages by its key.

    Raises:
        ValueError: Pages do not have this language.
    """
    if language not in LANGUAGES:
        raise ValueError(f'pages have the languages {", ".join(LANGUAGES)}, not "{language}"')
    known: dict[str, str] = json.loads(bundle.asset(f"texts.{language}.json"))
    return known


def text_calls(script: str) -> Iterator[str]:
    """Yield the arguments of each call of the function `t` in `script`, with their parentheses."""
    for call in _CALL.finditer(script):
        depth = 0
        for end in range(call.end(), len(script)):
            depth += {"(": 1, ")": -1}.get(script[end], 0)
            if not depth:
                yield script[call.end() : end + 1]
                break


@cache
def script_texts(language: str, script: str) -> dict[str, str]:
    """Return the texts that `script` uses: calls of `t` quote their keys, or their beginnings."""
    quoted = {key for call in text_calls(script) for key in re.findall(r'"([a-z_]+)"', call)}
    return {
        name: text
        for name, text in texts(language).items()
        if name in quoted or f"{name.partition('_')[0]}_" in quoted
    }


def page_template(name: str, home: str = "gamelog_reports") -> jinja2.Template:
    """Return ``templates/<name>.html.j2`` of the package `home`, which can extend templates of this package.

    Values are escaped and their control characters made visible. A missing value is an error.
    """
    return _environment(home).get_template(f"{name}.html.j2")


@cache
def _environment(home: str) -> jinja2.Environment:
    """Return the environment of the templates of `home`. It compiles each template once."""
    environment = jinja2.Environment(
        loader=jinja2.ChoiceLoader([*map(jinja2.PackageLoader, dict.fromkeys((home, "gamelog_reports")))]),
        autoescape=True,
        auto_reload=False,
        finalize=_escape_controls,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        optimized=False,  # to fold constants takes longer than it saves
    )
    environment.filters["visible"] = escape_invisible
    environment.filters["with_isolates"] = with_isolates
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return environment


def _escape_controls(value: Any) -> Any:
    """Return text with its control and direction characters written out. Markup stays as it is."""
    return (
        escape_invisible(value, keep="\t\n")
        if isinstance(value, str) and not hasattr(value, "__html__")
        else value
    )


def with_isolates(text: str) -> Markup:
    """Return a sentence as HTML, with an element for each value that has direction marks.

    The element keeps the direction of its letters from the text around it, and breaks long words. A short
    value in ASCII needs neither.
    """
    parts = [escape_invisible(part) for part in ISOLATED.split(text)]
    return Markup().join(
        Markup("<bdi>{}</bdi>").format(part)
        if index % 2 and not (part.isascii() and len(part) <= _MAX_LINE_VALUE)
        else escape(part)
        for index, part in enumerate(parts)
    )


def tag_text(name: str, text: str, language: str) -> str:
    """Return a tag of a header as text. A number has the name of its tag before it."""
    shown = escape_invisible(text)
    if name == "round":
        return texts(language)["round"].replace("{0}", shown)
    return f"{escape_invisible(name)} {shown}" if text.isdigit() else shown


def number_text(number: float) -> str:
    """Return a number as text, with the sign for minus."""
    return str(number).replace("-", "\u2212")


def cut(text: str, most: int = 60) -> str:
    """Return `text`, cut to `most` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def policy(scripts: Iterable[str], style: str, *, loads: bool = False) -> str:
    """Return the security policy of a page that runs only `scripts` and has only `style`.

    If it `loads`, the scripts may load further scripts.
    """
    digests = " ".join(f"'{bundle.csp_digest(code)}'" for code in scripts)
    dynamic = "'strict-dynamic' " if loads else ""
    return (
        f"default-src 'none'; script-src {dynamic}{digests}; style-src '{bundle.csp_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def page_parts(script: str, *styles: str, loads: bool = False) -> dict[str, Any]:
    """Return the parts of a page with a short script: script, style sheet and policy.

    Args:
        script: The name of the script.
        styles: The names of the style sheets, in order.
        loads: Whether the script may load further scripts.
    """
    code, sheet = bundle.script(script), bundle.style(*styles)
    return {"script": code, "style": sheet, "policy": policy([code], sheet, loads=loads)}


@cache
def page_frame(language: str, script: str) -> str:
    """Return the script that adds the parts below the heading, the texts of `script`, and the styles.

    Raises:
        ValueError: Pages do not have the language.
    """
    words, parts = texts(language), page_template("page_frame").module
    markup = f"{parts.menu(words)}{parts.page_frame(words, script_texts(language, bundle.script(script)))}"  # type: ignore[attr-defined]  # its macros
    literal = re.sub(
        r"[`\\]|\$\{", r"\\\g<0>", markup.replace(">\n<", "><")
    )  # shorter than JSON: markup is full of quotes
    return f"{bundle.script('page_frame')}addPageFrame(`{literal}`);"


@cache
def packed_page_parts(
    language: str, script: str, *styles: str, home: str = "gamelog_reports", has_page_frame: bool = False
) -> Mapping[str, Any]:
    """Return the parts of a page with a long script.

    These are the deflated script; the loader that inflates it; the texts of both; the style sheet; and the
    policy, which admits the loader and the script. The style sheet and the loader are the dictionary.

    Args:
        language: The language of the texts.
        script: The name of the script.
        styles: The names of the style sheets, in order.
        home: The package with the assets.
        has_page_frame: Whether the script adds the parts below the heading of a replay page first.
    """
    code, loader = bundle.script(script, home), bundle.script("loader", home)
    sheet, script_words = bundle.style(*styles, home=home), script_texts(language, code + loader)
    if has_page_frame:
        code = f"{{{page_frame(language, script)}}}{code}"  # a block has its own names
    return {
        "script": embedded_text(code.encode(), f"{sheet}{loader}".encode()),
        "loader": loader,
        "script_texts": script_words,
        "style": sheet,
        "policy": policy([loader, code], sheet),
    }
