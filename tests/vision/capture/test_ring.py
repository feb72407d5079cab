"""The ring of frames between two processes: what passes through it whole, and what is refused."""

import os
import threading

import numpy as np
import pytest

from vision.capture.ring import GrabState, RingBroken, RingReader, RingWriter, new_ring

SHORT, LONG = '{"a": 1}', '{"a": ' + "9" * 800 + "}"


@pytest.fixture
def fd():
    fd = new_ring()
    yield fd
    os.close(fd)


@pytest.fixture
def writer(fd):
    return RingWriter(fd)


@pytest.fixture
def reader(fd):
    reader = RingReader(fd)
    yield reader
    reader.close()


class Interrupted(RingReader):
    """A reader in whose midst the writer says something else."""

    def __init__(self, fd, between):
        super().__init__(fd)
        self.between = between

    def _head(self):
        head = super()._head()
        between, self.between = self.between, lambda: None
        between()
        return head


def picture(level: int) -> np.ndarray:
    return np.full((30, 40, 3), level, np.uint8)


def test_before_anything_is_written_it_is_starting(reader):
    assert reader.state() == (GrabState.STARTING, "")
    assert reader.newest(0) is None
    assert reader.told() is None


def test_reader_gets_the_newest_only_once(writer, reader):
    for level in range(1, 6):
        writer.put(picture(level), float(level))
    taken = reader.newest(0)
    assert (taken.number, taken.at_s, set(taken.bgr.ravel().tolist())) == (5, 5.0, {5})
    assert reader.newest(5) is None


def test_frame_larger_than_a_slot_is_refused(writer):
    with pytest.raises(ValueError, match="larger than a slot"):
        writer.put(np.zeros((4000, 4000, 3), np.uint8), 0.0)


def test_said_sentence_arrives(writer, reader):
    writer.say(GrabState.LOST, "Das Kabel wackelt – schade.")
    assert reader.state() == (GrabState.LOST, "Das Kabel wackelt – schade.")


def test_a_frame_ends_a_sentence(writer, reader):
    writer.say(GrabState.LOST, SHORT)
    assert reader.state() == (GrabState.LOST, SHORT)
    writer.put(picture(0), 1.0)
    assert reader.state() == (GrabState.LIVE, "")


@pytest.mark.parametrize(("first", "then"), [(SHORT, LONG), (LONG, SHORT)], ids=["longer", "shorter"])
def test_a_sentence_that_is_replaced_while_it_is_read_is_read_whole(fd, writer, first, then):
    writer.say(GrabState.LOST, first)
    reader = Interrupted(fd, lambda: writer.say(GrabState.OPENING, then))
    assert reader.state() == (GrabState.OPENING, then)


def test_sentences_are_whole_while_another_thread_writes(writer, reader):
    ends = threading.Event()

    def write():
        while not ends.is_set():
            for text in (SHORT, LONG):
                writer.say(GrabState.LOST, text)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        read = {reader.state()[1] for _ in range(3000)}
    finally:
        ends.set()
        thread.join()
    assert read <= {"", SHORT, LONG}


def test_text_beside_the_frames_arrives_once(writer, reader):
    writer.tell("eins")
    writer.tell("zwei")
    writer.put(picture(0), 1.0)
    writer.say(GrabState.LOST, "Weg.")
    assert reader.told() == "zwei"
    assert reader.told() is None
    writer.tell("drei")
    assert reader.told() == "drei"


def test_text_too_long_to_be_told_is_refused(writer):
    with pytest.raises(ValueError, match="too long"):
        writer.tell("ä" * 2000)


def test_garbage_is_noticed(fd, writer, reader):
    writer.put(picture(0), 1.0)
    os.pwrite(fd, b"\xff" * 64, 0)
    with pytest.raises(RingBroken):
        reader.state()
    with pytest.raises(RingBroken):
        reader.newest(0)
    os.pwrite(fd, b"\xff" * 64, 1024)
    with pytest.raises(RingBroken):
        reader.told()
