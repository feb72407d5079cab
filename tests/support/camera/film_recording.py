"""The film of `companion demo` as a recording: a folder of frames, for `companion watch` and `transcribe`."""

from pathlib import Path

import cv2

from companion.camera.recorded_game import FILM, FRAME_S, film_in

LONGEST_FRAMES = 4
"""Frames of one picture: more tell nothing new."""
FPS = round(1 / FRAME_S)


def write_recording(folder: Path, throws: int) -> None:
    """Write the frames of the film's first throws into a new folder."""
    folder.mkdir()
    shown = number = 0
    for shot in film_in(FILM).shots:
        shown += shot.throw is not None
        if shown > throws:
            return
        bgr = cv2.imread(str(shot.picture))
        assert bgr is not None, shot.picture
        for _ in range(max(1, min(LONGEST_FRAMES, round(shot.seconds / FRAME_S)))):
            cv2.imwrite(str(folder / f"{number:05}.jpg"), bgr)
            number += 1
