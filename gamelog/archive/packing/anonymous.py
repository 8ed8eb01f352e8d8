"""Records without their people, as packs hold them: see `gamelog.play.recording.anonymity`."""

from __future__ import annotations

from gamelog.archive.packing.pseudonyms import Pseudonyms
from gamelog.play.judging.replay import replay
from gamelog.play.recording.anonymity import without_people
from gamelog.record.reading import Record


def anonymous(record: Record, people: Pseudonyms) -> bytes | None:
    """Return the bytes of `record` without its people.

    None if it cannot be read to its end, or its game is not installed.
    """
    if record.problem:
        return None
    replayed = replay(record)
    if replayed.fold is None or len(replayed.readable) < len(record.bodies):
        return None
    return without_people(replayed, people)
