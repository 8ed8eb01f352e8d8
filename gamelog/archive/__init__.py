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
    from gamelog.archive.indexing.update import NotTaken, Unindexed, Update, index
    from gamelog.archive.indexing.update import RunLog as RunLog
    from gamelog.archive.packing.packing import Packing, pack
    from gamelog.archive.packing.pseudonyms import Pseudonyms
    from gamelog.archive.packing.unpacking import Unpacked, unpack
    from gamelog.archive.querying.answer_notes import uncounted_records as uncounted_records
    from gamelog.archive.querying.answers import Answer, Format
    from gamelog.archive.querying.answers import spreadsheet_cell as spreadsheet_cell
    from gamelog.archive.querying.hints import first_values as first_values
    from gamelog.archive.querying.questions import Parameter, Question, all_questions
    from gamelog.archive.querying.reader import INCOMPLETE_NOTE as INCOMPLETE_NOTE
    from gamelog.archive.querying.reader import Archives, Reader
    from gamelog.archive.querying.row_errors import row_errors as row_errors
    from gamelog.archive.querying.subprocess_reader import SubprocessReader
    from gamelog.archive.rows.copies import FORK as FORK
    from gamelog.archive.rows.near_names import (
        PEOPLE,
        AliasSuggestion,
        KnownPerson,
        alias_suggestions,
        near_people,
    )
    from gamelog.archive.rows.people import people_file as people_file
    from gamelog.archive.rows.people import read_aliases as read_aliases
    from gamelog.archive.schema.columns import Column, Table
    from gamelog.archive.schema.macros import MIN_GAMES as MIN_GAMES
    from gamelog.archive.schema.tables import TABLES
    from gamelog.archive.schema.views import VIEWS
    from gamelog.archive.sources.items import Item, find_items
    from gamelog.archive.sources.items import absolute_paths as absolute_paths
    from gamelog.archive.sources.items import read_records as read_records
    from gamelog.archive.sources.packs import ENDING as ENDING
    from gamelog.archive.sources.packs import Pack
    from gamelog.archive.sources.remote import is_remote as is_remote
    from gamelog.archive.workers.batch_workers import BYTES as BYTES
    from gamelog.archive.workers.batch_workers import EqualLimits as EqualLimits
    from gamelog.archive.workers.batch_workers import RecordLimits
    from gamelog.archive.workers.batch_workers import Workers as Workers
    from gamelog.archive.workers.cluster import cluster
    from gamelog.archive.workers.judge_batch import assess as assess
    from gamelog.archive.workers.judge_batch import verdicts
    from gamelog.archive.workers.judge_versions import judge_versions as judge_versions
    from gamelog.question_limits import QuestionLimits

_HOMES = {
    "gamelog.archive.querying.answers": "Answer Format spreadsheet_cell",
    "gamelog.archive.querying.subprocess_reader": "SubprocessReader",
    "gamelog.archive.querying.questions": "Parameter Question all_questions",
    "gamelog.archive.querying.reader": "Archives Reader INCOMPLETE_NOTE",
    "gamelog.archive.indexing.update": "NotTaken Unindexed Update index RunLog",
    "gamelog.archive.workers.cluster": "cluster",
    "gamelog.archive.workers.judge_batch": "verdicts assess",
    "gamelog.archive.workers.batch_workers": "RecordLimits EqualLimits BYTES Workers",
    "gamelog.archive.packing.packing": "Packing pack",
    "gamelog.archive.packing.pseudonyms": "Pseudonyms",
    "gamelog.archive.packing.unpacking": "Unpacked unpack",
    "gamelog.archive.rows.near_names": "PEOPLE AliasSuggestion KnownPerson alias_suggestions near_people",
    "gamelog.archive.schema.columns": "Column Table",
    "gamelog.archive.schema.macros": "MIN_GAMES",
    "gamelog.archive.schema.tables": "TABLES",
    "gamelog.archive.schema.views": "VIEWS",
    "gamelog.archive.sources.items": "Item find_items absolute_paths read_records",
    "gamelog.archive.sources.packs": "Pack ENDING",
    "gamelog.archive.sources.remote": "is_remote",
    "gamelog.archive.querying.answer_notes": "uncounted_records",
    "gamelog.archive.querying.hints": "first_values",
    "gamelog.archive.querying.row_errors": "row_errors",
    "gamelog.archive.workers.judge_versions": "judge_versions",
    "gamelog.archive.rows.copies": "FORK",
    "gamelog.archive.rows.people": "people_file read_aliases",
    "gamelog.question_limits": "QuestionLimits",
}
"""Names by the module that defines them: the public ones in `__all__`, and others for commands and reports.

The packages above import nothing else of the archive.
"""

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
    """Load a name at its first use."""
    value = globals()[name] = load(__name__, name, _HOMES)
    return value


def __dir__() -> list[str]:
    """Return the public names, also those that are not loaded yet."""
    return sorted(__all__)
