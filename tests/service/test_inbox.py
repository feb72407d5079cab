"""The time in the events never runs backwards and jumps only when nobody's clock runs."""

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.service.inbox import WallTime


class Clocks:
    """A wall clock that can be set and a steady one that cannot, in seconds."""

    def __init__(self, wall: float = 1_000_000.0) -> None:
        self.wall, self.steady = wall, 50.0

    def pass_(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds

    def time(self) -> WallTime:
        return WallTime(lambda: self.wall, lambda: self.steady)


def test_it_is_the_wall_clock() -> None:
    clocks = Clocks()
    time = clocks.time()
    clocks.pass_(1.5)
    assert time.now_ms() == 1_000_001_500


def test_clock_set_back_an_hour_changes_nothing() -> None:
    clocks = Clocks()
    time = clocks.time()
    clocks.wall -= 3600
    clocks.pass_(1)
    assert time.now_ms(not_before_ms=1_000_000_000) == 1_000_001_000


def test_clock_set_forward_is_followed_when_nobodys_time_runs() -> None:
    clocks = Clocks()
    time = clocks.time()
    clocks.wall += 3600
    assert time.now_ms(free_to_jump=False) == 1_000_000_000
    assert time.now_ms(free_to_jump=True) == 1_003_600_000
    clocks.pass_(1)
    assert time.now_ms(free_to_jump=False) == 1_003_601_000


def test_start_before_the_last_event_goes_on_from_it() -> None:
    clocks = Clocks(wall=10.0)
    time = clocks.time()
    assert time.now_ms(1_000_000_000) == 1_000_000_000
    clocks.pass_(2)
    assert time.now_ms(1_000_000_000) == 1_000_002_000


def test_clock_in_2099_that_is_put_right_is_followed_as_soon_as_no_event_forbids_it() -> None:
    clocks = Clocks(wall=4_070_908_800.0)
    time = clocks.time()
    last_ms = time.now_ms()
    clocks.wall = 1_000_000.0
    clocks.pass_(3)
    assert time.now_ms(last_ms) == last_ms + 3_000
    assert time.now_ms(last_ms, free_to_jump=False) == last_ms + 3_000
    assert time.wall_ms() == 1_000_003_000
    assert time.now_ms(1_000_003_000, free_to_jump=False) == last_ms + 3_000
    assert time.now_ms(1_000_003_000) == 1_000_003_000


def test_asking_often_loses_no_time() -> None:
    clocks = Clocks()
    time = clocks.time()
    for _ in range(1000):
        clocks.pass_(0.0004)
        time.now_ms()
    assert time.now_ms() == 1_000_000_400


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 10), st.floats(-5000, 5000), st.booleans()), max_size=20))
def test_whatever_happens_to_the_wall_clock_it_never_runs_backwards(
    steps: list[tuple[float, float, bool]],
) -> None:
    clocks = Clocks()
    time = clocks.time()
    given_ms = [time.now_ms()]
    for passed_s, set_by_s, free in steps:
        clocks.pass_(passed_s)
        clocks.wall += set_by_s
        given_ms.append(time.now_ms(given_ms[-1], free))
    assert given_ms == sorted(given_ms)
