"""The pages' own words: a file for each language (``assets/texts.en.json``)."""

from __future__ import annotations

import json
import re
from functools import cache

from gamelog.play.contract import translation
from gamelog_reports.bundle import asset

LANGUAGES = ("en", *translation.LOCALES)


@cache
def texts(language: str) -> dict[str, str]:
    """Every text by its name. Raises ValueError for a language there is none of."""
    if language not in LANGUAGES:
        raise ValueError(f'pages speak {", ".join(LANGUAGES)}, not "{language}"')
    known: dict[str, str] = json.loads(asset(f"texts.{language}.json"))
    return known


@cache
def script_texts(language: str, script: str) -> dict[str, str]:
    """The texts that `script` asks for: by name in quotes, or the beginning of names up to an underscore."""
    quoted = set(re.findall(r'"([a-z_]+)"', script))
    return {
        name: text
        for name, text in texts(language).items()
        if name in quoted or f"{name.partition('_')[0]}_" in quoted
    }
