"""Frames of a source for the commands: a loss is waited for, what cannot be read is said and passed over."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.capture.camera import Camera
    from vision.frame import Frame


class ReadableFrames:
    """The frames of a camera that can be read, all of one shape; what is passed over is printed on standard error.

    Attributes:
        has_faults: a picture was damaged or of another shape, or a video is cut off.
    """

    def __init__(self, camera: "Camera", size_px: tuple[int, int] | None) -> None:
        """Take the frames of a camera with the proportions of this size (width, height); None: of the first frame."""
        self._camera, self._size_px = camera, size_px
        self.has_faults = False

    def __iter__(self) -> "Iterator[Frame]":
        """Each frame once; CameraLost if there is none at all."""
        from vision.frame import same_shape

        is_other = False
        for frame in self._whole():
            size_px = self._size_px = self._size_px or frame.size_px
            was_other, is_other = is_other, not same_shape(frame.size_px, size_px)
            if not is_other:
                yield frame
            elif not was_other:
                (w, h), (usual_w, usual_h) = frame.size_px, size_px
                self._say(
                    f"{self._camera.name}: picture {frame.number} has {w}x{h} pixels, another shape than "
                    f"{usual_w}x{usual_h}; such pictures are passed over."
                )

    def _whole(self) -> "Iterator[Frame]":
        """The frames that are not damaged."""
        from vision.errors import BadPicture

        while True:
            try:
                yield from frames_of(self._camera)
                return
            except BadPicture as fault:
                self._say(str(fault))

    def _say(self, fault: str) -> None:
        print(fault, file=sys.stderr, flush=True)
        self.has_faults = True


def frames_of(camera: "Camera") -> "Iterator[Frame]":
    """A camera's frames; after the first one, a loss is printed on standard error and the return is waited for.

    Raises:
        CameraLost: there was no frame at all.
    """
    from vision.errors import CameraLost

    seen = False
    while True:
        try:
            for frame in camera.frames():
                seen = True
                yield frame
            return
        except CameraLost as lost:
            if not seen:
                raise
            print(f"{lost} It is waited for.", file=sys.stderr, flush=True)
