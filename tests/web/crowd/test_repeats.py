"""A failure that comes over and over is logged once a minute, and briefly."""

import logging

from web.crowd.repeats import EVERY_S, FRAMES, OncePerMinute


def deeper(depth: int) -> None:
    """Fail so many calls below."""
    if not depth:
        raise ValueError("deep down")
    deeper(depth - 1)


def test_once_a_minute_with_a_count_and_the_innermost_frames() -> None:
    now = [0.0]
    log, lines = logging.Logger("test"), []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(handler.format(record))  # type: ignore[method-assign]
    log.addHandler(handler)
    log.addFilter(OncePerMinute(lambda: now[0]))

    def fail(path: str) -> None:
        try:
            deeper(200)
        except ValueError:
            log.exception("Exception on %s", path)

    for n in range(50):
        fail(f"/{n}")
    log.error("Another kind.")
    assert [line.splitlines()[0] for line in lines] == ["Exception on /0", "Another kind."]
    assert lines[0].count("in deeper") <= FRAMES
    assert lines[0].endswith("ValueError: deep down")
    now[0] += EVERY_S
    fail("/again")
    assert lines[-1].startswith("Exception on /again (49 more times since the last report)")
