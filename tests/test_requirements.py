"""The pinned packages in requirements/ and the ranges in pyproject.toml belong together."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.locked import locked

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
RANGES = {
    "runtime": PROJECT["dependencies"],
    "dev": PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"],
}


def text_of(kind):
    return (ROOT / "requirements" / f"{kind}.txt").read_text("ascii")


def packages(text):
    """The pinned packages with the number of their digests."""
    found, package = {}, None
    for line in text.splitlines():
        if line.startswith(" "):
            assert re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line)
            found[package] += 1
        else:
            pinned = Requirement(line.rstrip("\\ "))
            package = (canonicalize_name(pinned.name), str(pinned.specifier), str(pinned.marker))
            assert re.fullmatch(r"==[\w.]+", str(pinned.specifier))
            found[package] = 0
    return found


@pytest.mark.parametrize("kind", RANGES)
def test_every_package_is_pinned_with_the_digests_of_its_files(kind):
    assert all(packages(text_of(kind)).values())


@pytest.mark.parametrize("kind", RANGES)
def test_each_range_has_a_pinned_version_in_it(kind):
    pinned = {}
    for name, specifier, _ in packages(text_of(kind)):
        pinned.setdefault(name, []).append(specifier.removeprefix("=="))
    for wanted in map(Requirement, RANGES[kind]):
        versions = pinned[canonicalize_name(wanted.name)]
        assert all(wanted.specifier.contains(version, prereleases=True) for version in versions), wanted


@pytest.mark.parametrize("python", ["3.11", "3.13"])
@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_runtime_is_the_same_for_a_developer(python, machine):
    here = {"python_version": python, "python_full_version": f"{python}.0", "platform_machine": machine}

    def installed(kind):
        every = packages(text_of(kind)).items()
        return {
            (name, version, digests)
            for (name, version, marker), digests in every
            if marker == "None" or Marker(marker).evaluate(here)
        }

    assert installed("runtime") <= installed("dev")


def test_what_the_system_brings_is_left_out_with_its_digests():
    kept = packages("\n".join(locked(text_of("runtime"), {"numpy", "opencv-python-headless"})))
    every = packages(text_of("runtime"))
    assert kept == {
        key: count for key, count in every.items() if key[0] not in ("numpy", "opencv-python-headless")
    }
    assert len(kept) < len(every)
