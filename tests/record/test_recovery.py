"""Torn records are made whole, damaged ones are copied as far as they are good, and recovery itself may be interrupted."""

from __future__ import annotations

import errno
import hashlib
import itertools
import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NoReturn

import pytest
import zstandard

from gamelog.errors import (
    AppendError,
    Damaged,
    Exists,
    Locked,
    NotReadable,
    RecordError,
    Torn,
    UnknownFormat,
    WriteFailed,
)
from gamelog.record import chain, disk
from gamelog.record.compose import compose
from gamelog.record.disk import locked
from gamelog.record.envelope import Event
from gamelog.record.log import Ack, Log
from gamelog.record.reading import read_record
from gamelog.record.recovery import LineEnd, Salvaged, SavedTail, recover, salvage
from tests.record.sample import HEADER, Move, moves, nobody, written

GOOD, _ = compose(HEADER, moves(3))
WHOLE, _ = compose(HEADER, moves(5))
TAIL = WHOLE[len(GOOD) : len(GOOD) + 60]


def aside(log: Log, size: int, digest: str) -> Event:
    return Move(log.n + 1, log.t, "table", f"{size} {digest}")


def recovered(path: Path) -> SavedTail:
    """Recover a record with one torn tail."""
    [done] = recover(path, aside)
    assert isinstance(done, SavedTail)
    return done


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def torn(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_bytes(GOOD + TAIL)
    return path


def beside(path: Path) -> dict[str, bytes]:
    """The files that begin with the record's name, by what follows it."""
    return {
        entry.name.removeprefix(path.name): entry.read_bytes()
        for entry in path.parent.iterdir()
        if entry != path
    }


# --- recover ---


def test_a_torn_end_is_set_aside_and_the_record_says_so(torn: Path) -> None:
    done = recovered(torn)
    record = read_record(torn)
    assert done == SavedTail(f"{torn}.torn", len(TAIL), sha256(TAIL), Ack(4, record.head or ""))
    assert torn.read_bytes() == compose(HEADER, [*moves(3), Move(4, 30, "table", f"60 {sha256(TAIL)}")])[0]
    assert beside(torn) == {".torn": TAIL}


def test_cut_at_every_byte_of_the_last_two_lines_it_can_be_recovered_and_continued(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    lines = {len(GOOD): 3, WHOLE.index(b"\n", len(GOOD)) + 1: 4}
    for size in range(len(GOOD), len(WHOLE)):
        path.write_bytes(WHOLE[:size])
        good = max(end for end in lines if end <= size)
        if size == good:
            with pytest.raises(RecordError, match="is whole; there is nothing to recover"):
                recover(path, aside)
            assert beside(path) == {}
        elif WHOLE[size : size + 1] == b"\n":
            assert recover(path, aside) == [LineEnd(str(path), lines[good] + 1, read_record(path).head or "")]
            assert path.read_bytes() == WHOLE[: size + 1]
            assert beside(path) == {}
        else:
            done = recovered(path)
            assert (done.bytes, done.digest, done.ack.n) == (
                size - good,
                sha256(WHOLE[good:size]),
                lines[good] + 1,
            )
            assert beside(path) == {".torn": WHOLE[good:size]}
            Path(done.path).unlink()
        log = Log.open(path)
        with log.locked() as turn:
            turn.append([Move(log.n + 1, 60, "red")])
        record = read_record(path)
        assert record.problem is None
        assert path.read_bytes().startswith(WHOLE[:good])


def test_recovered_once_there_is_nothing_left_to_do(torn: Path) -> None:
    recover(torn, aside)
    data = torn.read_bytes()
    for _ in range(2):
        with pytest.raises(RecordError, match="is whole; there is nothing to recover"):
            recover(torn, aside)
    assert torn.read_bytes() == data
    assert beside(torn) == {".torn": TAIL}


def test_torn_again_and_recovered_again(torn: Path) -> None:
    recover(torn, aside)
    for k, tail in enumerate((b"{", b"{", b'{"h":"' + b"A" * 43 + b'",', b"\0" * 500), 1):
        with torn.open("ab") as file:
            file.write(tail)
        done = recovered(torn)
        assert (done.path, done.bytes, done.ack.n) == (f"{torn}.torn.{k}", len(tail), 4 + k)
        assert Path(done.path).read_bytes() == tail
    assert Path(f"{torn}.torn").read_bytes() == TAIL
    assert read_record(torn).problem is None


def interrupted(*_: object) -> NoReturn:
    raise ZeroDivisionError


def test_the_same_tail_again_and_interrupted(torn: Path) -> None:
    for n in (4, 5):
        torn.write_bytes(torn.read_bytes()[: read_record(torn).good] + b"{")
        with pytest.raises(ZeroDivisionError):
            recover(torn, interrupted)
        assert read_record(torn).problem is None
        done = recovered(torn)
        assert (done.bytes, done.ack.n) == (1, n)
    assert beside(torn) == {".torn": b"{", ".torn.1": b"{"}


def test_torn_again_after_what_was_set_aside_has_been_thrown_away(torn: Path) -> None:
    for n in (4, 5):
        torn.write_bytes(torn.read_bytes()[: read_record(torn).good] + b"{")
        done = recovered(torn)
        assert (done.path, done.ack.n) == (f"{torn}.torn", n)
        Path(done.path).unlink()


@pytest.mark.parametrize("mine", [b"notes of mine\n", b""])
def test_a_file_of_somebody_elses_is_not_overwritten(torn: Path, mine: bytes) -> None:
    Path(f"{torn}.torn").write_bytes(mine)
    done = recovered(torn)
    assert (done.path, done.bytes) == (f"{torn}.torn.1", 60)
    assert beside(torn) == {".torn": mine, ".torn.1": TAIL}


@pytest.mark.parametrize("obstacle", ["folder", "pipe", "link to nothing"])
def test_what_stands_in_the_way_is_named_and_nothing_is_changed(torn: Path, obstacle: str) -> None:
    place = Path(f"{torn}.torn")
    match obstacle:
        case "folder":
            place.mkdir()
        case "pipe":
            os.mkfifo(place)
        case _:
            place.symlink_to("nothing")
    with pytest.raises(NotReadable, match=r"game\.jsonl\.torn"):
        recover(torn, aside)
    assert torn.read_bytes() == GOOD + TAIL


def test_a_folder_that_takes_no_file_leaves_the_record_as_it_is(torn: Path) -> None:
    torn.chmod(0o666)
    torn.parent.chmod(0o555)
    with (
        nobody(torn.parent),
        pytest.raises(WriteFailed, match=r"game\.jsonl\.torn\.part cannot be created: Permission denied"),
    ):
        recover(torn, aside)
    torn.parent.chmod(0o700)
    assert torn.read_bytes() == GOOD + TAIL


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("rename", "could not be put beside it: Input/output error; nothing was changed"),
        ("ftruncate", "; recover it again"),
    ],
)
def test_a_step_that_the_system_refuses_is_told_and_can_be_tried_again(
    torn: Path, monkeypatch: pytest.MonkeyPatch, call: str, words: str
) -> None:
    def refused(*_: Any) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, call, refused)
    with pytest.raises(WriteFailed, match=words):
        recover(torn, aside)
    assert torn.read_bytes() == GOOD + TAIL
    monkeypatch.undo()
    done = recovered(torn)
    assert (done.path, done.ack.n, beside(torn)[".torn"]) == (f"{torn}.torn", 4, TAIL)


def test_what_was_secret_stays_secret(torn: Path) -> None:
    torn.chmod(0o600)
    recover(torn, aside)
    assert Path(f"{torn}.torn").stat().st_mode & 0o777 == 0o600


def test_a_record_is_not_recovered_under_a_writers_hand(torn: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "LOCK_WAIT_SECONDS", 0.05)
    with locked(torn), pytest.raises(Locked, match="locked by another program"):
        recover(torn, aside)
    assert torn.read_bytes() == GOOD + TAIL


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (b"", Torn, "never more than a part of its first line"),
        (GOOD[:100], Torn, "never more than a part of its first line"),
        (b"hello", Damaged, "not a line of a record"),
        (chain.line(chain.GENESIS, b'"gamelog":9}\n')[0] + b"{", UnknownFormat, "format 9"),
        (GOOD.replace(b'"n":2', b'"n":7') + TAIL, Damaged, r"gamelog recover .*game\.jsonl --salvage -o NEW"),
        (GOOD + b"x\n" + TAIL, Damaged, r"gamelog recover .*game\.jsonl --salvage -o NEW"),
    ],
)
def test_what_is_more_than_torn_is_refused(
    torn: Path, data: bytes, error: type[RecordError], words: str
) -> None:
    torn.write_bytes(data)
    with pytest.raises(error, match=words) as caught:
        recover(torn, aside)
    assert ("--salvage" in str(caught.value)) == data.startswith(GOOD[:200]), (
        "of a record without a header there is nothing to copy"
    )
    assert torn.read_bytes() == data
    assert beside(torn) == {}


def test_an_event_that_cannot_be_written_is_asked_for_again(torn: Path) -> None:
    with pytest.raises(AppendError, match="before event 3"):
        recover(torn, lambda log, size, digest: Move(log.n + 1, 0, "table", f"{size} {digest}"))
    done = recovered(torn)
    assert (done.path, done.ack.n) == (f"{torn}.torn", 4)
    assert beside(torn) == {".torn": TAIL}


def test_somebody_who_writes_between_two_attempts_does_no_harm(torn: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        recover(torn, interrupted)
    log = Log.open(torn)
    with log.locked() as turn:
        turn.append(moves(1, 4))
    done = recovered(torn)
    assert (done.bytes, done.digest, done.ack.n) == (60, sha256(TAIL), 5)


def test_nothing_is_cut_off_before_the_disk_has_it_elsewhere(
    torn: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def noted(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def instead(*arguments: Any) -> Any:
            done.append(name)
            return call(*arguments)

        return instead

    for name in STEPS:
        monkeypatch.setattr(os, name, noted(name, getattr(os, name)))
    recover(torn, aside)
    monkeypatch.undo()
    assert (
        " ".join(done).split("ftruncate")[0].split("rename")
        == [
            "open unlink open write fsync open fsync ",  # the record, what was left of an earlier run, the part and its name
            " open fsync ",  # the name it was given
        ]
    )
    assert (
        " ".join(done).split("ftruncate")[1] == " fsync open write fsync"
    )  # what was set aside is read, then told of


# --- interrupted ---

STEPS = ("open", "write", "fsync", "ftruncate", "rename", "unlink")
DEAD = 42


def die_at(step: int) -> None:
    """End this process, as a kill does, at the `step`-th call that changes a file; of a write, half is done."""
    left = itertools.count(step, -1)

    def dying(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def instead(*arguments: Any, **more: Any) -> Any:
            if next(left) == 0:
                if name == "write":
                    call(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
                os._exit(DEAD)
            return call(*arguments, **more)

        return instead

    for name in STEPS:
        setattr(os, name, dying(name, getattr(os, name)))


def dies(path: Path, step: int) -> bool:
    """Recover in a process that dies at `step`. False when it came to the end before."""
    child = os.fork()
    if child == 0:
        try:
            die_at(step)
            recover(path, aside)
        except RecordError as error:
            os._exit(0 if "is whole" in str(error) else 1)
        except BaseException:
            os._exit(1)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, DEAD), code
    return code == DEAD


def settle(path: Path) -> int:
    """Recover without being interrupted. Every tail is kept and told once. Returns how many there are."""
    try:
        recover(path, aside)
    except RecordError as error:
        assert "is whole" in str(error)  # noqa: PT017 - the other way is right as well
    record = read_record(path)
    assert record.problem is None
    assert path.read_bytes().startswith(GOOD)
    tails = beside(path)
    assert tails.pop(".torn") == TAIL
    told = b"".join(record.bodies[3:])
    assert told.count(sha256(TAIL).encode()) == 1
    for name, tail in tails.items():  # the event's own line, cut while it was written
        assert name.startswith(".torn.")
        assert tail.startswith(b'{"h":"')
        assert told.count(sha256(tail).encode()) == 1
    assert len(record.bodies) == 3 + 1 + len(tails)
    return 1 + len(tails)


def fresh(folder: Path) -> Path:
    for entry in folder.iterdir():
        entry.unlink()
    path = folder / "game.jsonl"
    path.write_bytes(GOOD + TAIL)
    return path


def interrupt_everywhere(folder: str) -> tuple[int, int]:
    """Returns the number of steps, and of interruptions after which a second tail had to be told."""
    twice = step = 0
    while dies(path := fresh(Path(folder)), step):
        twice += settle(path) == 2
        step += 1
    assert settle(path) == 1
    return step, twice


def interrupt_twice_everywhere(folder: str) -> int:
    """Returns the number of pairs of interruptions."""

    def pairs() -> Iterator[Path]:
        for first in itertools.count():
            for second in itertools.count():
                path = fresh(Path(folder))
                if not dies(path, first):
                    return
                if not dies(path, second):
                    break
                yield path

    return sum(1 <= settle(path) <= 3 for path in pairs())


def in_a_process_of_its_own(work: Callable[[str], Any], folder: Path) -> Any:
    """A process without threads, which can be forked."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, str(folder)).result()


def test_interrupted_at_any_step_it_is_run_again_and_comes_to_the_same_end(tmp_path: Path) -> None:
    steps, twice = in_a_process_of_its_own(interrupt_everywhere, tmp_path)
    assert steps >= 12
    assert twice == 1  # killed while the event was half written: that is a torn end like any other


def test_interrupted_twice_it_comes_to_the_same_end(tmp_path: Path) -> None:
    assert in_a_process_of_its_own(interrupt_twice_everywhere, tmp_path) >= 100


# --- a line end that is missing or damaged ---


def test_every_flip_of_the_last_byte_and_its_loss_is_mended_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    for end in (b"", *(bytes([WHOLE[-1] ^ 1 << bit]) for bit in range(8))):
        path.write_bytes(WHOLE[:-1] + end)
        problem = read_record(path).problem
        assert problem is not None
        assert (problem.kind, problem.text) == ("torn", "the last line is whole but for its line end")
        assert recover(path, aside) == [LineEnd(str(path), 5, read_record(path).head or "")]
        assert path.read_bytes() == WHOLE
        assert beside(path) == {}


def test_a_header_without_its_line_end_is_whole_too(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    header = WHOLE[: WHOLE.index(b"\n") + 1]
    path.write_bytes(header[:-1])
    [done] = recover(path, aside)
    assert isinstance(done, LineEnd)
    assert (done.n, path.read_bytes()) == (0, header)


@pytest.mark.parametrize("failing", ["ftruncate", "write", "fsync"])
def test_interrupted_while_the_line_end_is_put_back_it_is_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(WHOLE[:-1] + b"\x0b")

    def fails(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, failing, fails)
        with pytest.raises(WriteFailed):
            recover(path, aside)
    if path.read_bytes() != WHOLE:
        assert isinstance(recover(path, aside)[0], LineEnd)
    assert path.read_bytes() == WHOLE
    assert beside(path) == {}


def test_a_line_end_and_a_tail_that_was_set_aside_before(torn: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        recover(torn, interrupted)
    torn.write_bytes(torn.read_bytes()[:-1])
    ended, told = recover(torn, aside)
    assert isinstance(ended, LineEnd)
    assert isinstance(told, SavedTail)
    assert (ended.n, told.ack.n, told.bytes) == (3, 4, len(TAIL))


# --- line ends that something rewrote ---

LINES = WHOLE.splitlines(keepends=True)


@pytest.mark.parametrize(
    ("spoiled", "changed"),
    [
        pytest.param(WHOLE.replace(b"\n", b"\r\n"), 6, id="CR LF"),
        pytest.param(WHOLE.replace(b"\n", b"\r\r\n"), 6, id="twice"),
        pytest.param(WHOLE.replace(b"\n", b"\r"), 1, id="CR alone"),
        pytest.param(b"\xef\xbb\xbf" + WHOLE, 1, id="a byte order mark"),
        pytest.param(b"\xef\xbb\xbf" + WHOLE.replace(b"\n", b"\r\n"), 6, id="both"),
        pytest.param(
            b"".join(line[:-1] + (b"\n", b"\r\n")[k % 2] for k, line in enumerate(LINES)), 3, id="mixed"
        ),
        pytest.param(WHOLE.replace(b"\n", b"\r\n")[:-1], 6, id="CR LF, the last LF cut off"),
        pytest.param(WHOLE.replace(b"\n", b"\r\n")[:-2], 6, id="CR LF, the last one cut off"),
    ],
)
def test_rewritten_line_ends_are_put_right_in_a_copy_as_the_chain_proves(
    tmp_path: Path, spoiled: bytes, changed: int
) -> None:
    path, out = tmp_path / "game.jsonl", tmp_path / "saved.jsonl"
    path.write_bytes(spoiled)
    done = salvage(path, out)
    assert out.read_bytes() == WHOLE
    assert (done.events, done.lost, done.mended) == (5, 0, changed)
    assert path.read_bytes() == spoiled


def test_what_the_chain_does_not_prove_is_left_behind_or_refused(tmp_path: Path) -> None:
    path, out = tmp_path / "game.jsonl", tmp_path / "saved.jsonl"
    path.write_bytes(WHOLE.replace(b'"n":4', b'"n":9').replace(b"\n", b"\r\n"))
    done = salvage(path, out)
    assert (done.events, done.mended) == (3, 4)
    assert out.read_bytes() == GOOD
    assert done.lost == path.stat().st_size - len(GOOD) - 4
    out.unlink()
    path.write_bytes(WHOLE.replace(b'"red"', b'"rex"').replace(b"\n", b"\r\n"))
    with pytest.raises(Damaged, match="Nothing of"):
        salvage(path, out)
    assert not out.exists()


def test_a_line_that_was_chained_with_a_carriage_return_keeps_it(tmp_path: Path) -> None:
    path, out = tmp_path / "game.jsonl", tmp_path / "saved.jsonl"
    line, _ = chain.line(read_head(GOOD), b'"do":"move","n":4,"t":99,"by":"red"}\r\n')
    path.write_bytes(GOOD + line + b"x\n")
    assert salvage(path, out).events == 4
    assert out.read_bytes() == GOOD + line


def read_head(data: bytes) -> bytes:
    return chain.walk(data).heads[-1]


# --- salvage ---


def test_the_good_prefix_of_a_damaged_record_is_copied(tmp_path: Path) -> None:
    path, out = tmp_path / "game.jsonl", tmp_path / "saved.jsonl"
    lines = WHOLE.splitlines(keepends=True)
    for k in range(1, 6):
        good = b"".join(lines[:k])
        damaged = good + lines[k].replace(b'"by":', b'"bz":') + b"".join(lines[k + 1 :])
        path.write_bytes(damaged)
        done = salvage(path, out)
        assert done == Salvaged(
            str(out), k - 1, len(good), len(damaged) - len(good), read_record(out).head or ""
        )
        assert out.read_bytes() == good
        assert path.read_bytes() == damaged
        log = Log.open(out)
        with log.locked() as turn:
            turn.append([Move(k, 99, "red")])
        out.unlink()


def test_a_torn_record_can_be_copied_too(torn: Path) -> None:
    out = torn.with_name("saved.jsonl")
    assert salvage(torn, out).lost == len(TAIL)
    assert out.read_bytes() == GOOD
    assert torn.read_bytes() == GOOD + TAIL


def test_a_compressed_record_is_copied_as_far_as_its_lines_are_good(tmp_path: Path) -> None:
    path, out = tmp_path / "game.jsonl.zst", tmp_path / "saved.jsonl"
    path.write_bytes(zstandard.ZstdCompressor().compress(GOOD + b"x\n"))
    assert salvage(path, out).events == 3
    assert out.read_bytes() == GOOD


def test_salvage_overwrites_nothing(torn: Path) -> None:
    for out in (torn, torn.with_name("mine.jsonl")):
        out.touch()
        before = out.read_bytes()
        with pytest.raises(Exists, match="exists already and is not overwritten"):
            salvage(torn, out)
        assert out.read_bytes() == before


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (WHOLE, RecordError, "is whole; there is nothing to salvage"),
        (b"", Torn, "Nothing of .* can be salvaged"),
        (GOOD[:100], Torn, "Nothing of .* can be salvaged"),
        (b"x\n" + GOOD, Damaged, "Nothing of .* can be salvaged"),
        (chain.line(chain.GENESIS, b'"gamelog":1}\n')[0] + b"x\n", Damaged, "Nothing of .* can be salvaged"),
        (
            chain.line(chain.GENESIS, b'"gamelog":9}\n')[0] + b"x\n",
            UnknownFormat,
            "Nothing of .* can be salvaged",
        ),
    ],
)
def test_where_there_is_nothing_to_salvage(
    torn: Path, data: bytes, error: type[RecordError], words: str
) -> None:
    torn.write_bytes(data)
    out = torn.with_name("saved.jsonl")
    with pytest.raises(error, match=words):
        salvage(torn, out)
    assert not out.exists()


def test_a_path_that_leads_nowhere(tmp_path: Path) -> None:
    for use in (lambda path: recover(path, aside), lambda path: salvage(path, tmp_path / "out")):
        with pytest.raises(NotReadable, match="does not exist"):
            use(tmp_path / "none.jsonl")
    written(tmp_path / "game.jsonl.zst", moves(1))
    with pytest.raises(WriteFailed, match="decompress it first"):
        recover(tmp_path / "game.jsonl.zst", aside)
