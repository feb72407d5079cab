"""Writes the net whose weights are the mean of those of several nets of the same make.

    python -m vision.training.mean NET NET ... --out NET

Nets that went on from the same one on different pictures err differently; the mean of their weights often answers
better than each of them, at the cost of one (Wortsman et al., “Model soups”, 2022).
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import ModelProto, TensorProto, numpy_helper


def mean_of(nets: Sequence[ModelProto]) -> ModelProto:
    """The first net with the mean of all their weights; they are matched by place, as their names may differ.

    Raises:
        ValueError: the nets are not of the same make.
    """
    out = ModelProto()
    out.CopyFrom(nets[0])
    for same in zip(*map(_weights, (out, *nets)), strict=True):
        into, *those = same
        if len({tuple(one.dims) for one in those}) > 1:
            raise ValueError(f"Weights {into.name} have another shape in another net.")
        mean = np.mean([numpy_helper.to_array(one) for one in those], 0, np.float64)
        into.CopyFrom(numpy_helper.from_array(mean.astype(np.float32), into.name))
    return out


def _weights(net: ModelProto) -> Iterator[TensorProto]:
    """The stored numbers of a net in the order in which its layers use them."""
    stored = {one.name: one for one in net.graph.initializer if one.data_type == TensorProto.FLOAT}
    for node in net.graph.node:
        for name in node.input:
            if name in stored:
                yield stored.pop(name)


def main() -> None:
    """Read the nets and write their mean."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("nets", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    onnx.save(mean_of([onnx.load(str(net)) for net in args.nets]), str(args.out))


if __name__ == "__main__":
    main()
