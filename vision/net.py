"""Runs a small net on one core.

onnxruntime takes half the time of OpenCV's `dnn`, the substitute where it is not installed; the outputs are the same
(docs/adr/0043-onnxruntime-runs-the-nets.md). Of most nets it runs a form in eight-bit numbers, which takes half the
time again and which OpenCV does not read (docs/adr/0087-nets-of-eight-bit-numbers.md).
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


EIGHT_BIT = "eight_bit"
"""Folder, beside a net, of its form in eight-bit numbers."""


def load_net(model: Path) -> Net:
    """The net of an ONNX file; where onnxruntime runs it, in eight-bit numbers if there is such a form of it.

    Raises:
        FileNotFoundError: there is no such file.
    """
    if not model.is_file():
        raise FileNotFoundError(model)
    if onnxruntime is None:
        return by_opencv(model)
    short = model.parent / EIGHT_BIT / model.name
    return by_onnxruntime(short if short.is_file() else model)


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
