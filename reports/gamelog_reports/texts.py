"""The pages' own words, in every language they are kept in (``assets/texts.json``)."""

from __future__ import annotations

import json
from functools import cache

from gamelog_reports.bundle import asset

LANGUAGES = ("en", "pt")


@cache
def texts(language: str) -> dict[str, str]:
    """Every text by its name. Raises ValueError for a language there is none of."""
    if language not in LANGUAGES:
        raise ValueError(f'pages speak {", ".join(LANGUAGES)}, not "{language}"')
    known: dict[str, dict[str, str]] = json.loads(asset("texts.json"))
    return {name: words[language] for name, words in known.items()}
