"""What can go wrong with seeing.

    VisionError
    ├── BadPicture   (ValueError)   this is no picture, or one of a size that cannot be read
    ├── BadSource    (ValueError)   there is no such camera, file or folder, or its name means nothing
    ├── BadBoard     (ValueError)   this file or these corners describe no board
    └── CameraLost   (OSError)      a camera that should deliver frames does not

Doubt is no error: a throw that cannot be read is a reading that says so.
"""

from sentence import SpokenError


class VisionError(SpokenError):
    """Something that keeps the eye from seeing, with a sentence for people."""


class BadPicture(VisionError, ValueError):
    """A file that is no picture, or one too small or too large to read."""


class BadSource(VisionError, ValueError):
    """A source of frames that does not exist or whose name means nothing."""


class BadBoard(VisionError, ValueError):
    """A board file, or four corners, that describe no board."""


class CameraLost(VisionError, OSError):
    """A camera that should deliver frames does not; asking again waits for its return."""
