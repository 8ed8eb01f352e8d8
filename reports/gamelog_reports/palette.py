"""The colours of pages and pictures, in a light and a dark theme.

Seats have their own colours (`gamelog_reports.seat_style`). The colour of a cell depends on its kind, which
is a word of the game. A kind without a colour gets one of six tints, always the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Theme = Literal["light", "dark"]

# name: (light, dark)
INKS: Mapping[str, tuple[str, str]] = {
    "paper": ("#f4f2ec", "#16181c"),
    "card": ("#fffefb", "#1f2227"),
    "text": ("#22252b", "#eceae4"),
    "soft": ("#5c626c", "#a9aeb8"),
    "line": ("#d9d4c8", "#363b43"),
    "accent": ("#1d5fa8", "#7fb3ec"),
    "accent-ink": ("#ffffff", "#10141a"),
    "here": ("#e4edf7", "#26384d"),
    "bad": ("#a8231c", "#ff9b8e"),
    "bad-paper": ("#fbe9e5", "#3a201d"),
    "warn": ("#7a5200", "#f0c766"),
    "warn-paper": ("#fdf3d8", "#352b15"),
    "good": ("#1d7a3f", "#7fd6a0"),
    "sea": ("#e7e3d8", "#101215"),
    "land": ("#fbf9f3", "#2b2f36"),
    "edge": ("#b9b2a2", "#4d545f"),
}
"""The colours of pages by name, each for the light and the dark theme."""

TINTS: tuple[tuple[str, str], ...] = (
    ("#f2ece0", "#37342f"),
    ("#eaeeef", "#2e353d"),
    ("#ecf0e3", "#2f372f"),
    ("#f0eaee", "#37313a"),
    ("#efefec", "#32353a"),
    ("#f4eedd", "#3a3629"),
)
"""Colours of kinds that `KINDS` does not have."""

KINDS: Mapping[str, tuple[str, str]] = {
    "light": ("#faf5e6", "#3d4149"),
    "dark": ("#ddd0b5", "#24272d"),
    "white": ("#fdfcf8", "#3a3e46"),
    "gray": ("#c6c8cc", "#4d535c"),
    "grey": ("#c6c8cc", "#4d535c"),
    "road": ("#d5d0c6", "#45433f"),
    "path": ("#d5d0c6", "#45433f"),
    "corridor": ("#f7f4ec", "#2b2f36"),
    "zone": ("#f1e4c3", "#453e2c"),
    "start": ("#dfe4e9", "#343b44"),
    "blocked": ("#8b867c", "#08090a"),
    "bunker": ("#bccaa6", "#3e4d34"),
    "flag": ("#f5dd95", "#62521f"),
    "prison": ("#cdc5cf", "#3b343f"),
    "base": ("#eccfb4", "#573f2d"),
    "fields": ("#e9df9f", "#59542a"),
    "field": ("#f4efe2", "#33373e"),
    "forest": ("#a3c492", "#2d4a33"),
    "hills": ("#d2b088", "#5d4a31"),
    "water": ("#a5cbe6", "#20415c"),
    "maple": ("#e6c899", "#785d3d"),
    "walnut": ("#b5825a", "#573b2b"),
}
"""The colours of kinds of cells and tiles, each for the light and the dark theme."""


def slug(kind: str) -> str:
    """Return a kind as a part of class names."""
    return "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in kind)


def tint(kind: str) -> int:
    """Return the index of the tint of a kind that is not in `KINDS`. The page's script computes the same."""
    total = 0
    for letter in kind:
        total = (total * 31 + ord(letter)) % 997
    return total % len(TINTS)


def cell_colour(kind: str, theme: Theme) -> str:
    """Return the colour of a cell of `kind`."""
    index = 0 if theme == "light" else 1
    if not kind:
        return INKS["land"][index]
    return KINDS[kind][index] if kind in KINDS else TINTS[tint(kind)][index]


def css() -> str:
    """Return style rules: a variable for each colour of pages in both themes."""
    return "\n".join(
        [
            f":root{{color-scheme:light "
            f"dark;{''.join(f'--{name}:{_both(pair)};' for name, pair in INKS.items())}}}",
            *(f":root[data-theme={theme}]{{color-scheme:{theme}}}" for theme in ("light", "dark")),
            "@media print{:root{color-scheme:light!important}}",
        ]
    )


def kinds_css() -> str:
    """Return style rules for the colours of the kinds of cells and tiles."""
    kinds_by_pair: dict[tuple[str, str], list[str]] = {}
    for kind, pair in KINDS.items():
        kinds_by_pair.setdefault(pair, []).append(f".k-{slug(kind)}")
    return "\n".join(
        [
            *(f".tint{number}{{fill:{_both(pair)}}}" for number, pair in enumerate(TINTS)),
            *(f"{','.join(kinds)}{{fill:{_both(pair)}}}" for pair, kinds in kinds_by_pair.items()),
        ]
    )


def _both(pair: tuple[str, str]) -> str:
    return "light-dark({},{})".format(*pair)
