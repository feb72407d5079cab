"""Loads a net, to be run by OpenCV on one core."""

from pathlib import Path
from typing import Any

import cv2


def load_net(model: Path) -> Any:
    """The net of an ONNX file.

    OpenCV 5 brings a second engine and takes it by itself; for these small nets the one that 4.6 has, too, takes four
    fifths of the time.

    Raises:
        cv2.error: the file is missing or holds no net.
    """
    classic = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    return (
        cv2.dnn.readNetFromONNX(str(model))
        if classic is None
        else cv2.dnn.readNetFromONNX(str(model), classic)
    )
