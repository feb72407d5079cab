"""Runs a small net on one core.

onnxruntime takes half the time of OpenCV's `dnn`, the substitute where it is not installed; the outputs are the same
(docs/adr/0043-onnxruntime-runs-the-nets.md).
"""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

try:
    import onnxruntime
except ImportError:
    onnxruntime = None


Net: TypeAlias = Callable[[NDArray[np.float32]], NDArray[np.float32]]
"""A net with one input and one output, both float32; not thread-safe."""


def load_net(model: Path) -> Net:
    """The net of an ONNX file.

    Raises:
        FileNotFoundError: there is no such file.
    """
    if not model.is_file():
        raise FileNotFoundError(model)
    return by_opencv(model) if onnxruntime is None else by_onnxruntime(model)


def engine() -> str:
    """Name and version of the library that runs the nets here."""
    return f"OpenCV {cv2.__version__}" if onnxruntime is None else f"onnxruntime {onnxruntime.__version__}"


def by_onnxruntime(model: Path) -> Net:
    """The net, run by onnxruntime on the calling thread."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return lambda picture: np.asarray(session.run(None, {name: picture})[0], np.float32)


def by_opencv(model: Path) -> Net:
    """The net, run by OpenCV.

    OpenCV 5 has a second engine and uses it by default; for these small nets the classic engine, the only one in 4.6,
    takes four fifths of the time.
    """
    classic = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    net = (
        cv2.dnn.readNetFromONNX(str(model))
        if classic is None
        else cv2.dnn.readNetFromONNX(str(model), classic)
    )

    def run(picture: NDArray[np.float32]) -> NDArray[np.float32]:
        net.setInput(picture)
        return np.array(net.forward(), np.float32)

    return run
