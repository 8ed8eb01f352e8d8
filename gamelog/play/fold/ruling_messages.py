"""The decision of a ruling as a message: points, times, winners."""

from __future__ import annotations

from collections.abc import Mapping

from gamelog.message import Message
from gamelog.play.contract.outcome import result_message
from gamelog.play.fold.common_events import Ruling
from gamelog.record.envelope import TABLE


def time_change_text(ms: int) -> str:
    """Return the time that a ruling adds to a clock, such as ``+60 s``."""
    return f"{ms / 1000:+g} s"


def clock_text(ms: int) -> str:
    """Return the time on a clock, such as ``12:30`` or, from an hour on, ``1:02:03``."""
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}" if minutes >= 60 else f"{minutes}:{seconds:02}"


def ruling_decision(ruling: Ruling) -> Message:
    """Return the decision of `ruling`: the event that the game goes back to, the points, the winners."""
    match ruling.kind:
        case "takeback" if ruling.to is None:
            return Message.of("takeback to the position before this event")
        case "takeback":
            return Message.of("takeback to the position after event {n}", n=ruling.to)
        case "penalty":
            points = {seat: f"{number:+}" for seat, number in (ruling.points or {}).items()}
            return Message.of("penalty ({@points})", points=points)
        case "time":
            time = {seat: time_change_text(ms) for seat, ms in (ruling.time or {}).items()}
            return Message.of("time penalty ({@time})", time=time)
        case "clock":
            return Message.of("clock ({clocks})", clocks=_clocks(ruling.clock or {}))
        case "warning":
            return Message.of("warning ({@people})", people=ruling.warned or ())
        case "result" | "forfeit" if ruling.result:
            text = "result: {result}" if ruling.kind == "result" else "forfeit: {result}"
            return Message.of(text, result=result_message(ruling.result))
    return Message.of("{kind}", kind=ruling.kind)


def _clocks(clock: Mapping[str, int]) -> Message:
    """Return the times on clocks, with the name that sentences have for the table."""
    times = [
        Message.of(
            "the table {=time}" if owner == TABLE else "{@seat} {=time}",
            seat=owner,
            time=clock_text(ms),
        )
        for owner, ms in clock.items()
    ]
    return Message.join(times, ", ")
