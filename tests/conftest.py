"""Fixtures for every test."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No test fails because a busy machine was slow.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

IN_MEMORY, LEAST_FREE = Path("/dev/shm"), 4 << 30
"""Where the tests' folders lie if that has so many bytes left: journals and archives write through to the disk after
each event, and on some machines that is a tenth of the tests' time."""
if os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free >= LEAST_FREE:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))

DATA = Path(__file__).resolve().parent / "data"
SHARED = Path(__file__).resolve().parents[2] / "shared"
COLLECTIONS = [pytest.param(DATA, id="sample")]
if SHARED.is_dir():
    COLLECTIONS.append(pytest.param(SHARED, id="all"))


@pytest.fixture(scope="session", params=COLLECTIONS)
def collection(request: pytest.FixtureRequest) -> Path:
    """A folder with `oracle`, `matches` and `vision`: the sample in tests/data, then the whole where it is at hand."""
    folder = request.param
    assert isinstance(folder, Path)
    return folder
