"""The mean of nets of the same make: weights are matched by place, and other makes are refused."""

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import ModelProto, helper, numpy_helper  # noqa: E402

from vision.training.mean import mean_of  # noqa: E402


def net(prefix: str, *weights: list[float]) -> ModelProto:
    """A net that adds each of these to its input, one after another."""
    names = [f"{prefix}_{k}" for k in range(len(weights))]
    nodes = [helper.make_node("Add", [f"x{k}", name], [f"x{k + 1}"]) for k, name in enumerate(names)]
    stored = [
        numpy_helper.from_array(np.array(one, np.float32), name)
        for one, name in zip(weights, names, strict=True)
    ]
    return helper.make_model(helper.make_graph(nodes, "net", [], [], stored))


def weights_of(net: ModelProto) -> list[list[float]]:
    return [numpy_helper.to_array(one).tolist() for one in net.graph.initializer]


def test_the_mean_is_taken_by_place_whatever_the_weights_are_called() -> None:
    mean = mean_of([net("a", [1.0, 2.0], [3.0]), net("b", [3.0, 0.0], [6.0]), net("c", [5.0, 4.0], [0.0])])
    assert weights_of(mean) == [[3.0, 2.0], [3.0]]


def test_the_order_of_storing_does_not_count() -> None:
    turned = net("b", [3.0], [6.0])
    stored = list(turned.graph.initializer)
    del turned.graph.initializer[:]
    turned.graph.initializer.extend(reversed(stored))
    assert weights_of(mean_of([net("a", [1.0], [0.0]), turned])) == [[2.0], [3.0]]


@pytest.mark.parametrize("other", [net("b", [1.0, 2.0]), net("b", [1.0]), net("b", [1.0], [1.0, 2.0])])
def test_nets_of_another_make_are_refused(other: ModelProto) -> None:
    with pytest.raises(ValueError, match=r"shape|shorter|longer"):
        mean_of([net("a", [1.0], [2.0]), other])
