"""Layer 5: questions across many records. An archive is derived: rebuilt from records at will.

`index` brings an archive up to date with the records under some paths; `Reader` answers SQL and
stock questions, read-only. `TABLES` and `all_questions` say what there is to ask. `pack`, `unpack`
and `Pack` keep many records in one file; `cluster` lends the workers of a Dask cluster.
"""

from gamelog.archive.cluster import cluster
from gamelog.archive.packs import Pack, pack, unpack
from gamelog.archive.reader import Answer, Format, Reader
from gamelog.archive.schema import TABLES, Column, Table
from gamelog.archive.stock import Parameter, Question, all_questions
from gamelog.archive.update import Update, index

__all__ = [
    "TABLES",
    "Answer",
    "Column",
    "Format",
    "Pack",
    "Parameter",
    "Question",
    "Reader",
    "Table",
    "Update",
    "all_questions",
    "cluster",
    "index",
    "pack",
    "unpack",
]
