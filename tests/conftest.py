"""Fixtures for every test."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No test fails because a busy machine was slow.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

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
