"""Records without their people, as packs hold them: see `gamelog.play.recording.anonymity`."""

from __future__ import annotations

from gamelog.archive.packing.pseudonyms import Pseudonyms
from gamelog.errors import BrokenGame, UnknownGame
from gamelog.play.contract.registry import find
from gamelog.play.judging.decoding import decode
from gamelog.play.recording.anonymity import without_people
from gamelog.record.reading import Record


def anonymous(record: Record, people: Pseudonyms) -> bytes | None:
    """The bytes of `record` without its people;
    None when it cannot be read to its end, or its game is not installed.
    """
    if record.header is None or record.problem:
        return None
    try:
        events, unread = decode(find(record.header.game, record.header.rules), record.bodies)
    except (UnknownGame, BrokenGame):
        return None
    return None if unread else without_people(record.header, events, record.bodies, people)
