"""A short film with an illegal play, also as a recording: a folder of frames for `companion watch` and `transcribe`."""

from pathlib import Path

import cv2

from companion.camera.recorded_game import FRAME_S, film_in

WITH_AN_ILLEGAL_PLAY = Path(__file__).parents[2] / "data" / "film"
"""The first throws of tests/data/games/rendered_990002.json, made by film_game.py."""
LONGEST_FRAMES = 4
"""Frames of one picture: more tell nothing new."""
FPS = round(1 / FRAME_S)


def write_recording(folder: Path, throws: int) -> None:
    """Write the frames of the film's first throws into a new folder."""
    folder.mkdir()
    shown = number = 0
    for shot, bgr in film_in(WITH_AN_ILLEGAL_PLAY).pictures():
        shown += shot.throw is not None
        if shown > throws:
            return
        for _ in range(max(1, min(LONGEST_FRAMES, round(shot.seconds / FRAME_S)))):
            cv2.imwrite(str(folder / f"{number:05}.jpg"), bgr)
            number += 1
