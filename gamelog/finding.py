"""Findings: the one type for a problem with a record, an event, a seal or a request."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, structs

from gamelog.message import Message

Severity = Literal["error", "warning"]

_MAX_SHOWN_CHARACTERS = 60
"""Maximum length of the message in a finding's representation."""


class Finding(Struct, frozen=True):
    """A problem that Gamelog found in a record or an event.

    Attributes:
        code: Kind of the problem. A code never changes.
        message: English sentence.
        n: Number of the event.
        offset: Byte offset of the event's line.
        rule: Broken rule.
        legal: At most 20 legal events.
        said: Message as a template with arguments, for translation. Outputs for programs usually omit it.

    >>> finding, = gamelog.read("sample_games/slicewars/illegal-taken.jsonl").findings
    >>> finding
    <Finding play.illegal, event 26: C4 is not free>
    >>> finding.code, finding.severity, finding.rule, finding.legal[0]
    ('play.illegal', 'error', 'SW-3', {'do': 'claim', 'by': 'red', 'at': 'A6'})
    """

    code: str
    message: str
    severity: Severity = "error"
    n: int | None = None
    offset: int | None = None
    rule: str | None = None
    legal: tuple[dict[str, Any], ...] = ()
    said: Message | UnsetType = UNSET

    @staticmethod
    def of(code: str, said: Message | str, severity: Severity = "error", **more: Any) -> Finding:
        """Return a finding with the message `said`.

        Args:
            code: The kind of problem. Programs compare it, so a released code never changes.
            said: The sentence, without a full stop. A text is a template without arguments.
            severity: ``error`` if the record is not good, ``warning`` otherwise.
            more: Other members of the finding: ``n``, ``offset``, ``rule`` and ``legal``.
        """
        said = Message(said) if isinstance(said, str) else said
        return Finding(code, str(said), severity, said=said, **more)

    @property
    def sentence(self) -> Message:
        """The message as a template with arguments."""
        return Message(self.message) if self.said is UNSET else self.said

    def saying(self, said: Message) -> Finding:
        """Return the same finding with another message."""
        return structs.replace(self, message=str(said), said=said)

    @property
    def plain(self) -> Finding:
        """The same finding without its template, as in verdicts and ``--json``."""
        return self if self.said is UNSET else structs.replace(self, said=UNSET)

    def __repr__(self) -> str:
        where = "" if self.n is None else f", event {self.n}"
        line = "".join(
            letter if letter.isprintable() else letter.encode("unicode_escape", "surrogatepass").decode()
            for letter in " ".join(self.message.split())
        )
        shown = line if len(line) <= _MAX_SHOWN_CHARACTERS else f"{line[: _MAX_SHOWN_CHARACTERS - 1]}…"
        return f"<Finding {self.code}{where}: {shown}>"
