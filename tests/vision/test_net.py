"""The nets say the same whoever runs them, and hold only what OpenCV 4.6 reads, which Debian 12 has.

`scripts/try-install bookworm` reads with it.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from vision.net import by_onnxruntime, by_opencv, engine, load_net

NETS = sorted((Path(__file__).resolve().parents[2] / "vision" / "models").glob("*.onnx"))
SHAPES = {
    "carried": (3, 7, 40, 40),
    "carried_wide": (3, 7, 40, 40),
    "changes": (3, 6, 126, 24),
    "checkers": (5, 3, 160, 168),
    "corners": (1, 3, 240, 320),
    "corners_cut": (1, 3, 240, 320),
    "corners_squared": (1, 3, 240, 320),
    "corners_wide": (1, 3, 240, 320),
    "faces": (3, 9, 64, 64),
    "faces_anywhere": (3, 9, 64, 64),
    "faces_wide": (3, 9, 64, 64),
    "flatness": (3, 70),
    "finder": (1, 3, 136, 240),
    "finder_anywhere": (1, 3, 136, 240),
    "numbers": (3, 3, 40, 40),
    "placing": (3, 5, 32, 32),
}
GRAPH, NODE, OP_TYPE = 7, 1, 4
"""Numbers of the fields in ONNX's ModelProto, GraphProto and NodeProto."""
READ_BY_4_6 = {
    *("Add", "Concat", "Constant", "Conv", "ConvTranspose", "Flatten", "Gemm", "GlobalAveragePool"),
    *("Mul", "Relu", "Sigmoid", "Slice", "Sub"),
}
"""Layers that were seen to be read there. A mean over two axes is read, but wrongly for more than one picture."""


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of protobuf's and where it ends."""
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at


def parts(data: bytes, wanted: int) -> Iterator[bytes]:
    """The contents of each field of this number in a protobuf message."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            _, at = varint(data, at)
            continue
        length, at = varint(data, at) if kind == 2 else ({1: 8, 5: 4}[kind], at)
        if key >> 3 == wanted:
            yield data[at : at + length]
        at += length


@pytest.mark.parametrize("net", NETS, ids=lambda net: net.stem)
def test_every_layer_is_known_to_the_oldest_opencv(net: Path) -> None:
    nodes = [node for graph in parts(net.read_bytes(), GRAPH) for node in parts(graph, NODE)]
    layers = {layer.decode() for node in nodes for layer in parts(node, OP_TYPE)}
    assert layers
    assert layers <= READ_BY_4_6


@pytest.mark.parametrize("net", NETS, ids=lambda net: net.stem)
def test_both_engines_say_the_same(net: Path) -> None:
    pytest.importorskip("onnxruntime")
    one, other = by_onnxruntime(net), by_opencv(net)
    rng = np.random.default_rng(8)
    for _ in range(3):
        picture = rng.random(SHAPES[net.stem], np.float32)
        assert np.abs(one(picture) - other(picture)).max() < 1e-3


def test_opencv_runs_the_nets_where_onnxruntime_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.net.onnxruntime", None)
    picture = np.zeros(SHAPES["placing"], np.float32)
    net = next(path for path in NETS if path.stem == "placing")
    assert engine().startswith("OpenCV ")
    assert load_net(net)(picture).shape == (3, 4)


def test_a_missing_net_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        load_net(Path("nowhere.onnx"))
