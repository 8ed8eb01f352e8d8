"""Archives for questions about many records, and packs. An archive can always be rebuilt from its records.

`index` brings an archive up to date with the records under some paths. `Reader` answers questions in SQL and
stock questions. `TABLES`, `VIEWS` and `all_questions` describe the tables, views and stock questions. `pack`,
`unpack` and `Pack` keep many records in one file. `find_items` and `verdicts` judge many records. With
`cluster`, `index` and `verdicts` use the workers of a Dask cluster. The question `PEOPLE` lists the people
of an archive, `near_people` finds those with similar names, and `alias_suggestions` proposes lines for a file
of aliases.

A name is loaded at its first use, so a process that judges records does not load the code for questions.
"""

from typing import TYPE_CHECKING

from gamelog.loading import load

if TYPE_CHECKING:
    from gamelog.archive.asking.answers import Answer, Format
    from gamelog.archive.asking.questions import Parameter, Question, all_questions
    from gamelog.archive.asking.reader import Archives, Reader
    from gamelog.archive.asking.subprocess_reader import SubprocessReader
    from gamelog.archive.indexing.update import NotTaken, Unindexed, Update, index
    from gamelog.archive.judging.cluster import cluster
    from gamelog.archive.judging.worker import verdicts
    from gamelog.archive.judging.workers import RecordLimits
    from gamelog.archive.packing.packing import Packing, pack
    from gamelog.archive.packing.pseudonyms import Pseudonyms
    from gamelog.archive.packing.unpacking import Unpacked, unpack
    from gamelog.archive.rows.near_names import (
        PEOPLE,
        AliasSuggestion,
        KnownPerson,
        alias_suggestions,
        near_people,
    )
    from gamelog.archive.schema.columns import Column, Table
    from gamelog.archive.schema.tables import TABLES
    from gamelog.archive.schema.views import VIEWS
    from gamelog.archive.sources.items import Item, find_items
    from gamelog.archive.sources.packs import Pack
    from gamelog.question_limits import QuestionLimits

_HOMES = {
    "gamelog.archive.asking.answers": "Answer Format",
    "gamelog.archive.asking.subprocess_reader": "SubprocessReader",
    "gamelog.archive.asking.questions": "Parameter Question all_questions",
    "gamelog.archive.asking.reader": "Archives Reader",
    "gamelog.archive.indexing.update": "NotTaken Unindexed Update index",
    "gamelog.archive.judging.cluster": "cluster",
    "gamelog.archive.judging.worker": "verdicts",
    "gamelog.archive.judging.workers": "RecordLimits",
    "gamelog.archive.packing.packing": "Packing pack",
    "gamelog.archive.packing.pseudonyms": "Pseudonyms",
    "gamelog.archive.packing.unpacking": "Unpacked unpack",
    "gamelog.archive.rows.near_names": "PEOPLE AliasSuggestion KnownPerson alias_suggestions near_people",
    "gamelog.archive.schema.columns": "Column Table",
    "gamelog.archive.schema.tables": "TABLES",
    "gamelog.archive.schema.views": "VIEWS",
    "gamelog.archive.sources.items": "Item find_items",
    "gamelog.archive.sources.packs": "Pack",
    "gamelog.question_limits": "QuestionLimits",
}
"""Public names by the module that defines them."""

__all__ = [
    "PEOPLE",
    "TABLES",
    "VIEWS",
    "AliasSuggestion",
    "Answer",
    "Archives",
    "Column",
    "Format",
    "Item",
    "KnownPerson",
    "NotTaken",
    "Pack",
    "Packing",
    "Parameter",
    "Pseudonyms",
    "Question",
    "QuestionLimits",
    "Reader",
    "RecordLimits",
    "SubprocessReader",
    "Table",
    "Unindexed",
    "Unpacked",
    "Update",
    "alias_suggestions",
    "all_questions",
    "cluster",
    "find_items",
    "index",
    "near_people",
    "pack",
    "unpack",
    "verdicts",
]


def __getattr__(name: str) -> object:
    """Load a public name at its first use."""
    value = globals()[name] = load(__name__, name, _HOMES)
    return value


def __dir__() -> list[str]:
    """Return the public names, also those that are not loaded yet."""
    return sorted(__all__)
