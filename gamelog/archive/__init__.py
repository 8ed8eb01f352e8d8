"""Layer 5: questions across many records. An archive is derived: rebuilt from records at will.

`index` brings an archive up to date with the records under some paths; `Reader` answers SQL and
stock questions, read-only. `TABLES`, `VIEWS` and `all_questions` say what there is to ask. `pack`, `unpack`
and `Pack` keep many records in one file; `find_items` and `verdicts` judge many; `cluster` lends the workers
of a Dask cluster to `index` and `verdicts`.

A name is loaded when it is first asked for: who judges a record in a process of many loads nothing of what
asks questions.
"""

from typing import TYPE_CHECKING

from gamelog.loading import load

if TYPE_CHECKING:
    from gamelog.archive.asking.answers import Answer, Format
    from gamelog.archive.asking.bounded_reader import Confined
    from gamelog.archive.asking.questions import Parameter, Question, all_questions
    from gamelog.archive.asking.reader import Archives, Reader
    from gamelog.archive.indexing.update import NotTaken, Update, index
    from gamelog.archive.judging.cluster import cluster
    from gamelog.archive.judging.verdicts import verdicts
    from gamelog.archive.judging.workers import Bounds
    from gamelog.archive.packing.packing import Packing, Unpacked, pack, unpack
    from gamelog.archive.packing.pseudonyms import Pseudonyms
    from gamelog.archive.schema.columns import Column, Table
    from gamelog.archive.schema.tables import TABLES
    from gamelog.archive.schema.views import VIEWS
    from gamelog.archive.sources.items import Item, find_items
    from gamelog.archive.sources.packs import Pack
    from gamelog.bounds import QuestionBounds

_HOMES = {
    "Answer": "archive.asking.answers",
    "Archives": "archive.asking.reader",
    "Bounds": "archive.judging.workers",
    "Column": "archive.schema.columns",
    "Confined": "archive.asking.bounded_reader",
    "Format": "archive.asking.answers",
    "Item": "archive.sources.items",
    "NotTaken": "archive.indexing.update",
    "Pack": "archive.sources.packs",
    "Packing": "archive.packing.packing",
    "Parameter": "archive.asking.questions",
    "Pseudonyms": "archive.packing.pseudonyms",
    "Question": "archive.asking.questions",
    "QuestionBounds": "bounds",
    "Reader": "archive.asking.reader",
    "TABLES": "archive.schema.tables",
    "Table": "archive.schema.columns",
    "Unpacked": "archive.packing.packing",
    "Update": "archive.indexing.update",
    "VIEWS": "archive.schema.views",
    "all_questions": "archive.asking.questions",
    "cluster": "archive.judging.cluster",
    "find_items": "archive.sources.items",
    "index": "archive.indexing.update",
    "pack": "archive.packing.packing",
    "unpack": "archive.packing.packing",
    "verdicts": "archive.judging.verdicts",
}
"""Where each name lives in `gamelog`."""

__all__ = [
    "TABLES",
    "VIEWS",
    "Answer",
    "Archives",
    "Bounds",
    "Column",
    "Confined",
    "Format",
    "Item",
    "NotTaken",
    "Pack",
    "Packing",
    "Parameter",
    "Pseudonyms",
    "Question",
    "QuestionBounds",
    "Reader",
    "Table",
    "Unpacked",
    "Update",
    "all_questions",
    "cluster",
    "find_items",
    "index",
    "pack",
    "unpack",
    "verdicts",
]


def __getattr__(name: str) -> object:
    """A public name, loaded when it is first asked for."""
    value = globals()[name] = load(__name__, name, _HOMES)
    return value


def __dir__() -> list[str]:
    """The public names, before as after they are loaded."""
    return sorted(__all__)
