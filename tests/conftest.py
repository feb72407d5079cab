"""What every test may ask for."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of pictures and records beside the checkout; without it the test is skipped."""
    if not SHARED.is_dir():
        pytest.skip("there is no folder 'shared' beside the checkout")
    return SHARED
