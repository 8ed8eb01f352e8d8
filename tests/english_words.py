"""English that is left in a text of another language."""

from __future__ import annotations

import re

ENGLISH = re.compile(
    r"\b(the|is|are|not|of|and|or|to|has|have|with|one|in|on|it|by|only|at|be|been|that|this|from|does|must|"
    r"may|can|cannot|where|which|there|due|turn|his|its|so|more)\b(?<!-)"
)
"""Words of English that are none of Portuguese."""
