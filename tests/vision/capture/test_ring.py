"""The ring of frames between two processes: what is read while it is being written."""

import os
import threading

import numpy as np
import pytest

from vision.capture.ring import GrabState, RingReader, RingWriter, new_ring

SHORT, LONG = '{"a": 1}', '{"a": ' + "9" * 800 + "}"


@pytest.fixture
def fd():
    fd = new_ring()
    yield fd
    os.close(fd)


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


@pytest.mark.parametrize(("first", "then"), [(SHORT, LONG), (LONG, SHORT)], ids=["longer", "shorter"])
def test_a_sentence_that_is_replaced_while_it_is_read_is_read_whole(fd, first, then):
    writer = RingWriter(fd)
    writer.say(GrabState.LOST, first)
    reader = Interrupted(fd, lambda: writer.say(GrabState.OPENING, then))
    assert reader.state() == (GrabState.OPENING, then)


def test_a_frame_ends_a_sentence(fd):
    writer, reader = RingWriter(fd), RingReader(fd)
    writer.say(GrabState.LOST, SHORT)
    assert reader.state() == (GrabState.LOST, SHORT)
    writer.put(np.zeros((4, 6, 3), np.uint8), 1.0)
    assert reader.state() == (GrabState.LIVE, "")


def test_sentences_are_whole_while_another_thread_writes(fd):
    writer, reader, ends = RingWriter(fd), RingReader(fd), threading.Event()

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


def test_before_anything_is_written_it_is_starting(fd):
    assert RingReader(fd).state() == (GrabState.STARTING, "")
