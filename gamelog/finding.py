"""Findings: the one type for a problem with a record, an event, a seal or a request."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field, structs

from gamelog.message import Message

Severity = Literal["error", "warning"]

_MAX_SHOWN_CHARACTERS = 60
"""Maximum length of the message in a finding's representation."""


class Finding(Struct, frozen=True):
    """A problem that Gamelog found in a record or an event.

    Attributes:
        code: Kind of the problem. A code never changes.
        text: English sentence, without a full stop (``message`` in JSON).
        severity: ``error`` if the record is not good, ``warning`` otherwise.
        n: Number of the event.
        offset: Byte offset of the event's line.
        rule: Id of the broken rule.
        legal: At most 20 legal events.
        template: Sentence as a template with arguments, for translation (``said`` in JSON). Outputs for
            programs usually omit it; `message` always has a value.

    >>> finding, = gamelog.read("sample_games/slicewars/illegal-taken.jsonl").findings
    >>> finding
    <Finding play.illegal, event 26: C4 is not free>
    >>> finding.code, finding.severity, finding.rule, finding.legal[0]
    ('play.illegal', 'error', 'SW-3', {'do': 'claim', 'by': 'red', 'at': 'A6'})
    """

    code: str
    text: str = field(name="message")
    severity: Severity = "error"
    n: int | None = None
    offset: int | None = None
    rule: str | None = None
    legal: tuple[dict[str, Any], ...] = ()
    template: Message | UnsetType = field(default=UNSET, name="said")

    @staticmethod
    def of(code: str, message: Message | str, severity: Severity = "error", **more: Any) -> Finding:
        """Return a finding with this message.

        Args:
            code: The kind of problem. Programs compare it, so a released code never changes.
            message: The sentence, without a full stop. A text is a template without arguments.
            severity: ``error`` if the record is not good, ``warning`` otherwise.
            more: Other members of the finding: ``n``, ``offset``, ``rule`` and ``legal``.
        """
        message = Message(message) if isinstance(message, str) else message
        return Finding(code, str(message), severity, template=message, **more)

    @property
    def message(self) -> Message:
        """The sentence as a template with arguments."""
        return Message(self.text) if self.template is UNSET else self.template

    def with_message(self, message: Message) -> Finding:
        """Return the same finding with another message."""
        return structs.replace(self, text=str(message), template=message)

    @property
    def plain(self) -> Finding:
        """The same finding without its template, as in verdicts and ``--json``."""
        return self if self.template is UNSET else structs.replace(self, template=UNSET)

    def __repr__(self) -> str:
        where = "" if self.n is None else f", event {self.n}"
        line = "".join(
            letter if letter.isprintable() else letter.encode("unicode_escape", "surrogatepass").decode()
            for letter in " ".join(self.text.split())
        )
        shown = line if len(line) <= _MAX_SHOWN_CHARACTERS else f"{line[: _MAX_SHOWN_CHARACTERS - 1]}…"
        return f"<Finding {self.code}{where}: {shown}>"
