"""Errors of cameras, pictures and boards.

    VisionError
    ├── BadPicture   (ValueError)   no picture, or one of a size that cannot be read
    ├── BadSource    (ValueError)   no such camera, file or folder, or a name without meaning
    ├── BadBoard     (ValueError)   a file or corners that describe no board
    └── CameraLost   (OSError)      a camera that should deliver frames does not

Doubt is no error: a throw that cannot be read gives a reading in doubt.
"""

from sentence import SpokenError


class VisionError(SpokenError):
    """Base of all errors of vision, with a sentence for people."""


class BadPicture(VisionError, ValueError):
    """A file that is no picture, or one too small or too large to read."""


class BadSource(VisionError, ValueError):
    """A source of frames that does not exist, or a name without meaning."""


class BadBoard(VisionError, ValueError):
    """A board file, or four corners, that describe no board."""


class CameraLost(VisionError, OSError):
    """A camera that should deliver frames does not; asking for frames again waits for its return."""
